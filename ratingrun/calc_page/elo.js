// Plain Elo and performance ratings. As elo.py, calc/elo.py, calc/performance.py.

const SCALE = DATA.elo.scale;

const curve = (own, opponent, limit) => {
  const d = opponent - own;
  return 1 / (1 + 10 ** ((limit === null ? d : clip(d, -limit, limit)) / SCALE));
};

function skippedGames(answer, games) {
  for (const status of ["unrated", "forfeit"]) {
    const n = games.filter((game) => statusOf(game) === status).length;
    if (n) answer.note(`${status}_games`, { n });
  }
}

function eloSettings(request, answer) {
  let k = number(request, "k", DATA.ranges.k_elo, true);
  if (k === null) {
    k = DATA.elo.default_k;
    answer.note("default_k", { k: typed(k) });
  }
  const limit = number(request, "limit", DATA.ranges.limit);
  return [k, limit, number(request, "decimals", DATA.ranges.decimals, false, 2)];
}

const eloChange = (k, score, expected) => k * (score / 100 - expected);

function eloGame(request) {
  const answer = new Answer();
  const [own, opponent] = [ratingOf(request, "own", true), ratingOf(request, "opponent", true)];
  const [k, limit, decimals] = eloSettings(request, answer);
  let theirK = number(request, "opponent_k", DATA.ranges.k_elo, true);
  if (theirK === null) {
    theirK = k;
    answer.note("same_k", { k: typed(k) });
  }
  const score = scoreOf(request);
  const [e, theirE] = [curve(own, opponent, limit), curve(opponent, own, limit)];
  const d = own - opponent;
  const counted = limit === null ? d : clip(d, -limit, limit);
  answer.data = {
    system: new Word("elo"), own: typed(own), opponent: typed(opponent), difference: typed(d),
    counted_difference: typed(counted), expected: real(e, 4), opponent_expected: real(theirE, 4), k: typed(k),
    opponent_k: typed(theirK), outcomes: [],
  };
  answer.step("difference", { own: typed(own), opponent: typed(opponent), d: typed(d) });
  if (counted !== d) answer.step("elo_limited", { limit: typed(limit), counted: typed(counted) });
  answer.step("curve", { d: typed(counted), expected: real(e, 4) });
  for (const one of score === null ? [100, 50, 0] : [score]) {
    const [change, theirs] = [eloChange(k, one, e), eloChange(theirK, 100 - one, theirE)];
    const row = {
      score: points(one), change: real(change, decimals, true), new: real(own + change, decimals),
      opponent_change: real(theirs, decimals, true), opponent_new: real(opponent + theirs, decimals),
    };
    answer.data.outcomes.push(row);
    answer.step("elo_change", { k: typed(k), score: row.score, expected: real(e, 4), change: row.change });
    answer.step("new", { base: typed(own), change: row.change, new: row.new });
  }
  return answer;
}

function eloEvent(request) {
  const answer = new Answer();
  const own = ratingOf(request, "own", true);
  const [k, limit, decimals] = eloSettings(request, answer);
  const games = gamesOf(request, true);
  const rated = games.filter((game) => statusOf(game) === "rated");
  const rows = games.map((game) => {
    const said = { ...saidOf(game), status: new Word(statusOf(game)) };
    if (statusOf(game) !== "rated") return { ...said, difference: null, expected: null, change: null };
    const e = curve(own, game.rating, limit);
    const change = real(eloChange(k, game.score, e), decimals, true);
    return { ...said, difference: typed(own - game.rating), expected: real(e, 4), change };
  });
  const score = total(rated.map((game) => game.score));
  const expected = total(rated.map((game) => curve(own, game.rating, limit)));
  const change = k * (score / 100 - expected);
  const row = { score: points(score), expected: real(expected, 4), change: real(change, decimals, true) };
  answer.data = {
    system: new Word("elo"), own: typed(own), games: rows, n: typed(rated.length), score: row.score,
    expected: row.expected, k: typed(k), change: row.change, new: real(own + change, decimals),
    ...performanceOf(request, rated),
  };
  skippedGames(answer, games);
  answer.step("curve_sum", { n: typed(rated.length), expected: row.expected });
  answer.step("elo_change", { k: typed(k), ...row });
  answer.step("new", { base: typed(own), change: row.change, new: answer.data.new });
  return answer;
}

// --- performance ----------------------------------------------------------------------------------------------------

function truePerformance(ratings, score) {
  if (!(score > 0 && score < ratings.length)) return null;
  let low = Math.min(...ratings) - DATA.elo.reach;
  let high = Math.max(...ratings) + DATA.elo.reach;
  for (let step = 0; step < DATA.elo.steps; step += 1) {
    const middle = (low + high) / 2;
    if (total(ratings.map((rating) => curve(middle, rating, null))) < score) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function performanceParts(request, games) {
  const book = fideBooks(request).game;
  const ratings = games.map((game) => game.rating);
  const sum = total(ratings.map((rating) => Math.round(rating * 100)));
  const score = total(games.map((game) => game.score));
  const n = games.length;
  const p = DIVIDE[book.initial.p_ties.value](score, n);
  return { book, ratings, sum, score, n, p, dp: DATA.dp[book.tables.dp][p] };
}

function performanceOf(request, games) {
  const names = ["average", "performance_fide", "performance_linear", "performance_linear_fide", "linear_rule"];
  if (!games.length) return Object.fromEntries([...names, "performance_true"].map((name) => [name, null]));
  const { ratings, sum, score, n, dp } = performanceParts(request, games);
  const fide = divideHalfUp(sum, 100 * n) + dp;
  const linear = divideHalfUp(sum + SCALE * (2 * score - 100 * n), n);
  const extreme = score === 0 || score === n * 100;
  const exact = truePerformance(ratings, score / 100);
  return {
    average: hundredths(divideHalfUp(sum, n)), performance_fide: whole(fide), performance_linear: hundredths(linear),
    performance_linear_fide: hundredths(extreme ? 100 * fide : linear),
    linear_rule: new Word(extreme ? "fide_extremes" : "linear"), performance_true: exact === null ? null : real(exact),
  };
}

function performance(request) {
  const answer = new Answer();
  const games = gamesOf(request, true);
  const rated = games.filter((game) => statusOf(game) === "rated");
  skippedGames(answer, games);
  if (!rated.length) throw new RequestError("no_rated_games");
  const { book, score, n, p, dp } = performanceParts(request, rated);
  const found = performanceOf(request, rated);
  const { average, ...others } = found;
  answer.data = {
    book: book.id, n: typed(n), score: points(score), average, p: hundredths(p), dp: whole(dp, true), ...others,
  };
  answer.step("average", { n: typed(n), average });
  answer.step("share", { score: points(score), n: typed(n), p: hundredths(p) });
  answer.step("dp", { p: hundredths(p), dp: whole(dp, true), clause: book.tables.clause });
  answer.step("performance_fide", { average, dp: whole(dp, true), rating: found.performance_fide });
  const d = points(2 * score - 100 * n);
  answer.step("performance_linear", { average, scale: whole(SCALE), d, n: typed(n), rating: found.performance_linear });
  if (found.performance_true === null) answer.note("no_true_performance");
  else answer.step("performance_true", { rating: found.performance_true, score: points(score) });
  if (found.linear_rule.code === "fide_extremes") {
    answer.note("fide_extremes", { rating: found.performance_linear_fide });
  }
  return answer;
}
