// FIDE: games, events and first ratings under the book of a date, in whole hundredths. As calc/fide.py, formulas.py.

const divideHalfUp = (a, b) => Math.floor((2 * a + b) / (2 * b));
const divideHalfDown = (a, b) => -Math.floor((b - 2 * a) / (2 * b));
const DIVIDE = { half_up: divideHalfUp, half_down: divideHalfDown };
const roundHalfAway = (hundredth) => Math.sign(hundredth) * divideHalfUp(Math.abs(hundredth), 100);
const clip = (value, low, high) => Math.min(Math.max(value, low), high);
const remainder = (a, b) => ((a % b) + b) % b;

function inForce(system, books, day) {
  const text = (which, date) => `${system}: no rule book for ${day}; the ${which} ${date}`;
  const wrong = (message) => new RequestError("rule_book", { text: message });
  if (day < books[0].from) throw wrong(text("first is in force from", books[0].from));
  const last = books[books.length - 1];
  if (last.until && day > last.until) throw wrong(text("last is in force until", last.until));
  return books.filter((book) => book.from <= day).pop();
}

function fideBooks(request) {
  const type = field(request, "type") ?? "standard";
  const { system, books } = DATA.chapters[type];
  const day = dayOf(request, "date");
  const game = inForce(system, books, day);
  const rules = game.period;
  let month = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
  month -= remainder(month + 1 - rules.first_month.value, rules.months.value);
  const dayOfMonth = (count) =>
    `${String(Math.floor(count / 12)).padStart(4, "0")}-${String((count % 12) + 1).padStart(2, "0")}-01`;
  const prior = dayOfMonth(month);
  const before = prior >= books[0].from ? inForce(system, books, prior) : game;
  const list = inForce(system, books, dayOfMonth(month + before.period.months.value));
  return { game, list, before, prior };
}

function kOf(request, own, books, answer) {
  const given = number(request, "k", DATA.ranges.k_fide);
  if (given !== null) return [given, ""];
  const book = books.before;
  const most = Math.max(...book.k.map((row) => row.games_below || row.games_from || 0));
  const played = number(request, "played", DATA.ranges.games);
  const born = number(request, "birth_year", DATA.ranges.birth);
  const peak = Math.max(number(request, "peak", DATA.ranges.rating) ?? 0, own);
  if (played === null) answer.note("games_not_given", { games: whole(most) });
  const games = played ?? most;
  const age = Number(books.prior.slice(0, 4)) - (born ?? 0);
  const early = book.k_order.junior_ends.value === "start_of_year" ? 1 : 0;
  const holds = {
    peak_from: (limit) => peak >= limit,
    peak_below: (limit) => peak < limit,
    age_until: (limit) => born !== null && age <= limit - early,
    games_from: (limit) => games >= limit,
    games_below: (limit) => games < limit,
  };
  const row = book.k.find((one) =>
    Object.entries(holds).every(([name, test]) => one[name] === undefined || one[name] === null || test(one[name])),
  );
  return [row.k, `${row.clause} ${row.name}`];
}

function fideOwn(request, books, name = "own") {
  const own = ratingOf(request, name);
  const floor = books.before.period.floor.value;
  if (own < floor) throw new RequestError("below_floor", { value: String(own), floor: String(floor) });
  return own;
}

function fideStatuses(games, own, books) {
  const floor = books.before.period.floor.value;
  const rule = books.game.game.too_far_apart;
  return games.map((game) => {
    let status = statusOf(game);
    if (status === "rated" && game.rating < floor) status = "below_floor";
    if (status === "rated" && own !== null && rule.kind === "difference") {
      const far = Math.abs(own - game.rating) >= rule.difference_from.value;
      if (far && Math.max(own, game.rating) > rule.rated_above.value) status = "too_far";
    }
    return status;
  });
}

function probability(d, book) {
  const rows = DATA.pd[book.tables.pd].filter(([from]) => from <= Math.abs(d));
  const high = rows[rows.length - 1][1];
  return d >= 0 ? high : 100 - high;
}

function fideDifferences(own, opponents, book) {
  const rules = book.game;
  const limit = rules.max_difference.value;
  const all = opponents.map((opponent) => own - opponent);
  let greatest = -1;
  all.forEach((d, i) => {
    if (greatest < 0 || Math.abs(d) > Math.abs(all[greatest])) greatest = i;
  });
  return all.map((dTrue, i) => {
    const limited = own < rules.max_difference_below.value ? clip(dTrue, -limit, limit) : dTrue;
    const d = rules.difference_kind.value === "greatest_of_event" && i !== greatest ? dTrue : limited;
    return { dTrue, d, pd: probability(d, book) };
  });
}

function fideSkipped(answer, statuses, books) {
  for (const status of ["unrated", "forfeit", "below_floor", "too_far"]) {
    const n = statuses.filter((one) => one === status).length;
    const fields = status === "below_floor" ? { floor: whole(books.before.period.floor.value) } : {};
    if (n) answer.note(`${status}_games`, { n, ...fields });
  }
}

function differenceSteps(answer, own, opponent, { dTrue, d, pd }, book) {
  const rules = book.game;
  answer.step("difference", { own: whole(own), opponent: whole(opponent), d: whole(dTrue) });
  const [limit, below] = [whole(rules.max_difference.value), whole(rules.max_difference_below.value)];
  if (d !== dTrue) {
    answer.step("limited", { limit, counted: whole(d), clause: rules.max_difference.clause });
  } else if (Math.abs(dTrue) > rules.max_difference.value) {
    if (own >= rules.max_difference_below.value) {
      answer.step("unlimited", { own: whole(own), below, clause: rules.max_difference_below.clause });
    } else {
      answer.step("limit_used", { limit, clause: rules.difference_kind.clause });
    }
  }
  answer.step("table", { d: whole(d), expected: hundredths(pd), clause: book.expected.clause });
}

function kStep(answer, k, clause) {
  if (clause) answer.step("k", { k: whole(k), clause });
  else answer.step("k_given", { k: whole(k) });
}

function changeSteps(answer, k, row, base, book) {
  const clause = book.period.rounding.clause;
  answer.step("change", { k: whole(k), dr: row.dr, change: row.change, rounded: row.rounded, clause });
  answer.step("new", { base: whole(base), change: row.rounded, new: row.new });
}

function floorNote(answer, ratings, book) {
  const floor = book.period.floor;
  if (ratings.some((rating) => rating < floor.value)) {
    answer.note("new_below_floor", { floor: whole(floor.value), clause: floor.clause });
  }
}

function fideGame(request) {
  const answer = new Answer();
  const books = fideBooks(request);
  const own = fideOwn(request, books);
  const opponent = ratingOf(request, "opponent");
  const [k, clause] = kOf(request, own, books, answer);
  const score = scoreOf(request);
  let theirK = number(request, "opponent_k", DATA.ranges.k_fide);
  if (theirK === null) {
    theirK = k;
    answer.note("same_k", { k: whole(k) });
  }
  answer.data = { system: new Word("fide"), book: books.game.id, own: whole(own), opponent: whole(opponent) };
  const [status] = fideStatuses([{ rating: opponent, score: 0 }], own, books);
  if (status !== "rated") {
    fideSkipped(answer, [status], books);
    answer.data.status = new Word(status);
    return answer;
  }
  const [mine] = fideDifferences(own, [opponent], books.game);
  const [theirs] = fideDifferences(opponent, [own], books.game);
  Object.assign(answer.data, {
    difference: whole(mine.dTrue), counted_difference: whole(mine.d), expected: hundredths(mine.pd),
    opponent_expected: hundredths(theirs.pd), k: whole(k), k_clause: clause || null, opponent_k: whole(theirK),
    outcomes: [],
  });
  differenceSteps(answer, own, opponent, mine, books.game);
  kStep(answer, k, clause);
  const ratings = [];
  for (const one of score === null ? [100, 50, 0] : [score]) {
    const [dr, theirDr] = [one - mine.pd, 100 - one - theirs.pd];
    const rounded = roundHalfAway(k * dr);
    const row = {
      score: points(one), dr: hundredths(dr, true), change: hundredths(k * dr, true), rounded: whole(rounded, true),
      new: whole(own + rounded), opponent_change: hundredths(theirK * theirDr, true),
      opponent_new: whole(opponent + roundHalfAway(theirK * theirDr)),
    };
    answer.data.outcomes.push(row);
    answer.step("dr", { score: row.score, expected: hundredths(mine.pd), dr: row.dr });
    changeSteps(answer, k, row, own, books.list);
    ratings.push(own + rounded);
  }
  floorNote(answer, ratings, books.list);
  return answer;
}

function fideEvent(request) {
  const answer = new Answer();
  const books = fideBooks(request);
  if (!(request.games ?? []).length) throw new RequestError("no_games");
  const own = fideOwn(request, books);
  const base = field(request, "base") === null ? own : fideOwn(request, books, "base");
  const games = gamesOf(request);
  const statuses = fideStatuses(games, own, books);
  const rated = games.filter((_, i) => statuses[i] === "rated");
  const found = fideDifferences(own, rated.map((game) => game.rating), books.game);
  const [kBase, clause] = kOf(request, base, books, answer);
  const n = rated.length;
  const limit = books.list.period.max_kn;
  const k = n && limit.value !== "none" && kBase * n > limit.value ? Math.floor(limit.value / n) : kBase;
  const score = total(rated.map((game) => game.score));
  const expected = total(found.map((one) => one.pd));
  const dr = score - expected;
  const rounded = roundHalfAway(k * dr);
  const row = {
    dr: hundredths(dr, true), change: hundredths(k * dr, true), rounded: whole(rounded, true),
    new: whole(base + rounded),
  };
  let place = 0;
  const rows = games.map((game, i) => {
    const said = { ...saidOf(game), status: new Word(statuses[i]) };
    if (statuses[i] !== "rated") {
      return { ...said, difference: null, counted_difference: null, expected: null, dr: null, change: null };
    }
    const { dTrue, d, pd } = found[place++];
    return {
      ...said, difference: whole(dTrue), counted_difference: whole(d), expected: hundredths(pd),
      dr: hundredths(game.score - pd, true), change: hundredths(k * (game.score - pd), true),
    };
  });
  answer.data = {
    system: new Word("fide"), book: books.game.id, list_book: books.list.id, own: whole(own),
    ...(base === own ? {} : { base: whole(base) }),
    games: rows, n: whole(n), score: points(score), expected: hundredths(expected), dr: row.dr, k_base: whole(kBase),
    k: whole(k), k_clause: clause || null, change: row.change, rounded: row.rounded, new: row.new,
    ...performanceOf(request, rated),
  };
  fideSkipped(answer, statuses, books);
  rated.forEach((game, i) => {
    differenceSteps(answer, own, game.rating, found[i], books.game);
    const fields = { score: points(game.score), expected: hundredths(found[i].pd) };
    answer.step("dr", { ...fields, dr: hundredths(game.score - found[i].pd, true) });
  });
  answer.step("sum", { n: whole(n), score: points(score), expected: hundredths(expected), dr: row.dr });
  kStep(answer, kBase, clause);
  if (k !== kBase) {
    answer.step("kn", { k: whole(kBase), n: whole(n), limit: whole(limit.value), reduced: whole(k), clause: limit.clause });
  }
  if (n) changeSteps(answer, k, row, base, books.list);
  floorNote(answer, [base + rounded], books.list);
  return answer;
}

function firstRating(n, score, sum, book) {
  const rules = book.initial;
  const divide = DIVIDE[rules.p_ties.value];
  const dpOf = DATA.dp[book.tables.dp];
  if (rules.kind === "half_points") {
    const ra = divideHalfUp(sum, n);
    const p = divide(score, n);
    const above = Math.floor((2 * score) / 100) - n;
    const more = divideHalfUp(ra * 100 + above * rules.per_half_point.value, 100) - ra;
    const dp = above > 0 ? more : above === 0 ? 0 : dpOf[p];
    return { ra: divideHalfUp(sum * 100, n), p, dp, ru: ra + dp, above };
  }
  const games = n + rules.draws.value;
  const all = sum + rules.draws.value * rules.draws_against.value;
  const p = divide(score + (rules.draws.value * 100) / 2, games);
  return { ra: divideHalfUp(all * 100, games), p, dp: dpOf[p], ru: divideHalfUp(all, games) + dpOf[p] };
}

function fideInitial(request) {
  const answer = new Answer();
  const books = fideBooks(request);
  const book = books.list;
  const rules = book.initial;
  const games = gamesOf(request);
  const statuses = fideStatuses(games, null, books);
  fideSkipped(answer, statuses, books);
  const rated = games.filter((_, i) => statuses[i] === "rated");
  const n = rated.length;
  const score = total(rated.map((game) => game.score));
  answer.data = { system: new Word("fide"), book: book.id, n: whole(n), score: points(score) };
  if (n) answer.note("first_event_without_score", { clause: rules.void_event.clause });
  if (score < rules.void_below.value) {
    Object.assign(answer.data, { outcome: new Word("no_score"), games_missing: whole(rules.min_games.value) });
    return answer;
  }
  const sum = total(rated.map((game) => game.rating));
  const found = firstRating(n, score, sum, book);
  const ru = rules.max_rating.value === "none" ? found.ru : Math.min(found.ru, rules.max_rating.value);
  const missing = Math.max(0, rules.min_games.value - n);
  const outcome = missing ? "too_few_games" : ru < rules.min_rating.value ? "below_floor" : "published";
  Object.assign(answer.data, {
    average: hundredths(found.ra), p: hundredths(found.p), dp: whole(found.dp, true), raw: whole(found.ru),
    initial: whole(ru), outcome: new Word(outcome), games_missing: whole(missing),
  });
  initialSteps(answer, n, score, sum, ru, found, book);
  return answer;
}

function initialSteps(answer, n, score, sum, ru, found, book) {
  const rules = book.initial;
  const { average, p, dp, raw } = answer.data;
  const counted = { n: whole(n), sum: whole(sum), average };
  if (rules.kind === "half_points") {
    answer.step("ra_mean", { ...counted, clause: rules.clause });
    if (found.above > 0) {
      const per = typed(rules.per_half_point.value / 100);
      answer.step("half_points", { above: whole(found.above), per, dp, clause: rules.per_half_point.clause });
    } else {
      answer.step("share", { score: points(score), n: whole(n), p });
      answer.step("dp", { p, dp, clause: book.tables.clause });
    }
  } else {
    const draws = whole(rules.draws.value);
    const against = whole(rules.draws_against.value);
    answer.step("ra_draws", { ...counted, draws, against, clause: rules.draws.clause });
    answer.step("p_draws", { draws, n: whole(n), score: points(score), p });
    answer.step("dp", { p, dp, clause: book.tables.clause });
  }
  answer.step("ru", { average, dp, raw });
  if (ru < found.ru) answer.step("ru_cap", { limit: whole(rules.max_rating.value), clause: rules.max_rating.clause });
  const [least, games, missing] = [rules.min_rating, rules.min_games, answer.data.games_missing];
  if (missing.plain) {
    answer.step("games_missing", { needed: whole(games.value), n: missing, clause: games.clause });
  } else if (ru < least.value) {
    answer.step("initial_below", { initial: whole(ru), floor: whole(least.value), clause: least.clause });
  } else {
    answer.step("initial_published", { initial: whole(ru) });
  }
}
