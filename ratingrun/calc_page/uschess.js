// US Chess: one player's estimate in one pass. As uschess/formulas.py, calc/uschess.py; floats, in the same order.

function effectiveGames(n, r, rules) {
  const gap = rules.zero_at.value - r;
  const root = Math.sqrt(rules.constant.value + rules.factor.value * (gap * gap));
  return Math.min(n, r <= rules.up_to.value ? rules.numerator.value / root : rules.most.value);
}

function priorOf(r, games, history, rules) {
  const shift = rules.history_shift.value;
  if (history === "won") return [r - shift, games];
  if (history === "lost") return [r + shift, 0];
  return [r, games / 2];
}

function specialRating(r, games, history, opponents, scores, rules) {
  if (!opponents.length) return Math.min(r, rules.most.value);
  const width = rules.width.value;
  const [centre, priorScore] = priorOf(r, games, history, rules);
  const target = priorScore + total(scores);
  const centres = [centre, ...opponents];
  const weights = [games, ...opponents.map(() => 1)];
  const knots = [...centres.map((c) => c - width), ...centres.map((c) => c + width)].sort((a, b) => a - b);
  const f = knots.map((knot) => {
    let sum = 0;
    centres.forEach((c, i) => {
      sum += weights[i] * clip(0.5 + (knot - c) / (2 * width), 0, 1);
    });
    return sum - target;
  });
  const zero = f.map((value) => Math.abs(value) <= rules.tolerance.value);
  const last = knots.length - 1;
  let [low, high] = [-Infinity, Infinity];
  if (zero.some(Boolean)) {
    if (!zero[0]) low = knots[zero.indexOf(true)];
    if (!zero[last]) high = knots[zero.lastIndexOf(true)];
  } else {
    const right = clip(f.filter((value) => value <= 0).length, 1, last);
    const left = right - 1;
    const rise = f[right] - f[left];
    low = high = knots[left] - f[left] * ((knots[right] - knots[left]) / (rise > 0 ? rise : 1));
  }
  return Math.min(clip(r, low, high), rules.most.value);
}

function dualShare(r, rules) {
  if (!(r > rules.above.value)) return 1;
  return r < rules.until.value ? rules.intercept.value - rules.slope.value * r : rules.least.value;
}

function mostMeetings(games) {
  const counts = {};
  games.forEach((game, i) => {
    const name = game.name || `game ${i}`;
    counts[name] = (counts[name] ?? 0) + 1;
  });
  return Math.max(0, ...Object.values(counts));
}

function rateUschess(player, games, book, dual, match) {
  const { r, n, history } = player;
  const m = games.length;
  const effective = effectiveGames(n, r, book.effective);
  const expected = total(games.map((game) => 1 / (1 + 10 ** ((game.rating - r) / book.standard.scale.value))));
  const all = effective + m;
  const share = dual ? dualShare(r, book.dual) : 1;
  let k = book.standard.k.value / (all > 0 ? all : 1);
  if (dual) k *= share;
  const points_ = games.map((game) => game.score / 100);
  const gain = k * (total(points_) - expected);
  const threshold = book.bonus.multiplier.value * Math.sqrt(Math.max(m, book.bonus.least_root.value));
  const meetings = mostMeetings(games);
  const many = m > book.bonus.many_games.value && meetings <= book.bonus.many_meetings.value;
  const few = m === book.bonus.few_games.value && meetings <= book.bonus.few_meetings.value;
  const allowed = (many || few) && !match;
  const bonus = allowed ? Math.max(0, gain - threshold) : 0;
  const special = n <= book.special.games.value || history !== "mixed";
  const opponents = games.map((game) => game.rating);
  const rating = special ? specialRating(r, effective, history, opponents, points_, book.special) : r + gain + bonus;
  const score = total(games.map((game) => game.score));
  return { m, effective, expected, k, gain, bonus, special, share, rating, allowed, threshold, score };
}

function uschessFloor(request, games, book) {
  const rules = book.floor;
  const floors = [rules.absolute.value];
  const facts = ["wins", "draws", "events"].map((name) => number(request, name, DATA.ranges.games));
  if (facts.some((fact) => fact !== null)) {
    const count = (score) => games.filter((game) => game.score === score).length;
    const now = [count(100), count(50), games.length >= rules.event_games.value ? 1 : 0];
    const [wins, draws, events] = facts.map((fact, i) => (fact ?? 0) + now[i]);
    const earned = rules.base.value + rules.win.value * wins + rules.draw.value * draws + rules.event.value * events;
    floors.push(Math.min(earned, rules.personal_most.value));
  }
  const peak = number(request, "peak", DATA.ranges.rating, true);
  if (peak !== null) {
    const dropped = Math.floor(peak + 0.5) - rules.peak_drop.value;
    const level = Math.floor(dropped / rules.step.value) * rules.step.value;
    floors.push(level >= rules.peak_least.value ? Math.min(level, rules.peak_most.value) : 0);
  }
  if (flagOf(request, "life_master")) floors.push(rules.life_master.value);
  const prize = number(request, "prize", DATA.ranges.rating);
  if (prize !== null) {
    floors.push(Math.min(Math.ceil(prize / rules.step.value) * rules.step.value, rules.prize_most.value));
  }
  return Math.max(...floors);
}

const uschessBook = (request) => inForce("uschess", DATA.uschess, dayOf(request, "date"));

function earlierGames(request, name, book, answer) {
  const played = number(request, name, DATA.ranges.games);
  if (played !== null) return played;
  answer.note("established", { games: whole(book.effective.most.value) });
  return book.effective.most.value;
}

const historyOf = (request) => field(request, "history") ?? "mixed";
const formulaOf = (found) => new Word(found.special ? "special" : "standard_formula");

function uschessSteps(answer, player, found, book, dual) {
  const [r, effective, m] = [typed(player.r), real(found.effective, 4), whole(found.m)];
  const [score, rating] = [points(found.score), real(found.rating)];
  const clause = book.effective.numerator.clause;
  answer.step("effective", { n: typed(player.n), own: r, n_eff: effective, clause });
  if (found.special) {
    const [centre, priorScore] = priorOf(player.r, found.effective, player.history, book.special);
    if (player.history === "mixed") {
      answer.step("special", { n: typed(player.n), limit: whole(book.special.games.value) });
    } else {
      answer.step("special_history", { history: new Word(`history_${player.history}`) });
    }
    answer.step("special_prior", { n_eff: effective, centre: real(centre), prior_score: real(priorScore, 4) });
    answer.step("special_zero", { m, score, rating });
    return;
  }
  const [k, expected, gain] = [real(found.k, 4), real(found.expected, 4), real(found.gain, 2, true)];
  answer.step("k_uschess", { k0: typed(book.standard.k.value), n_eff: effective, m, k });
  if (dual) answer.step("dual", { share: real(found.share, 4) });
  answer.step("gain", { k, score, expected, gain });
  const bonus = real(found.bonus, 2, true);
  const limit = { multiplier: typed(book.bonus.multiplier.value), threshold: real(found.threshold) };
  if (found.allowed) answer.step("bonus", { gain, bonus, ...limit });
  else answer.step("no_bonus");
  answer.step("new_uschess", { own: r, gain, bonus, rating });
}

function floorStep(answer, found, floor) {
  if (Math.max(found.rating, floor) > found.rating) {
    answer.step("floor_uschess", { rating: real(found.rating), floor: real(floor) });
  }
}

function uschessGame(request) {
  const answer = new Answer();
  const book = uschessBook(request);
  const [own, opponent] = [ratingOf(request, "own", true), ratingOf(request, "opponent", true)];
  const dual = flagOf(request, "dual");
  const player = { r: own, n: earlierGames(request, "played", book, answer), history: historyOf(request) };
  const other = { r: opponent, n: earlierGames(request, "opponent_played", book, answer), history: "mixed" };
  const score = scoreOf(request);
  answer.note("estimate");
  const scale = book.standard.scale.value;
  const [e, theirE] = [1 / (1 + 10 ** ((opponent - own) / scale)), 1 / (1 + 10 ** ((own - opponent) / scale))];
  const first = rateUschess(player, [{ rating: opponent, score: 0 }], book, dual, false);
  answer.data = {
    system: new Word("uschess"), book: book.id, own: typed(own), opponent: typed(opponent), expected: real(e, 4),
    opponent_expected: real(theirE, 4), played: typed(player.n), effective_games: real(first.effective, 4),
    formula: formulaOf(first), outcomes: [], ...(first.special ? {} : { k: real(first.k, 4) }),
  };
  for (const one of score === null ? [100, 50, 0] : [score]) {
    const games = [{ rating: opponent, score: one }];
    const found = rateUschess(player, games, book, dual, false);
    const floor = uschessFloor(request, games, book);
    const rating = Math.max(found.rating, floor);
    let theirs = rateUschess(other, [{ rating: own, score: 100 - one }], book, dual, false).rating;
    theirs = Math.max(theirs, book.floor.absolute.value);
    uschessSteps(answer, player, found, book, dual);
    floorStep(answer, found, floor);
    answer.data.outcomes.push({
      score: points(one), change: real(rating - own, 2, true), new: real(rating),
      published: whole(Math.floor(rating + 0.5)), opponent_change: real(theirs - opponent, 2, true),
      opponent_new: real(theirs),
    });
  }
  return answer;
}

function uschessEvent(request) {
  const answer = new Answer();
  const book = uschessBook(request);
  const own = ratingOf(request, "own", true);
  const player = { r: own, n: earlierGames(request, "played", book, answer), history: historyOf(request) };
  answer.data = { system: new Word("uschess"), book: book.id, own: typed(own) };
  estimate(request, answer, player, book);
  return answer;
}

function estimate(request, answer, player, book) {
  const games = gamesOf(request, true);
  const [dual, match] = [flagOf(request, "dual"), flagOf(request, "match")];
  const rated = games.filter((game) => statusOf(game) === "rated");
  answer.note("estimate");
  skippedGames(answer, games);
  const own = player.r;
  const found = rateUschess(player, rated, book, dual, match);
  const rows = games.map((game) => {
    const status = statusOf(game);
    const counts = status === "rated" && !found.special;
    const e = counts ? real(1 / (1 + 10 ** ((game.rating - own) / book.standard.scale.value)), 4) : null;
    return { ...saidOf(game), status: new Word(status), expected: e };
  });
  const floor = uschessFloor(request, rated, book);
  const rating = rated.length ? Math.max(found.rating, floor) : own;
  Object.assign(answer.data, {
    games: rows, n: whole(rated.length), score: points(found.score), played: typed(player.n),
    effective_games: real(found.effective, 4), formula: formulaOf(found),
  });
  if (rated.length && !found.special) {
    Object.assign(answer.data, {
      expected: real(found.expected, 4), k: real(found.k, 4), gain: real(found.gain, 2, true),
      bonus: real(found.bonus, 2, true),
    });
  }
  Object.assign(answer.data, {
    floor: real(floor, 0), change: real(rating - own, 2, true), new: real(rating),
    published: whole(Math.floor(rating + 0.5)), ...performanceOf(request, rated),
  });
  if (rated.length) {
    uschessSteps(answer, player, found, book, dual);
    floorStep(answer, found, floor);
  }
}

function ageRating(days, adult, rules) {
  const age = days === null ? NaN : days / rules.year_days.value;
  if (!(age >= rules.credible.value)) return adult ? rules.adult_rating.value : rules.minor_rating.value;
  return age > rules.adult.value ? rules.adult_rating.value : rules.a_year.value * age;
}

function sourceOf(request, system, given, day, born, adult, book) {
  const on = dayOf(request, `${system}_date`, "") ?? day;
  if (on > day) throw new RequestError("source_later", { name: new Word(system), value: on });
  const lines = book[system].lines;
  if (book.blend.kind.value === "none" || !lines.length) {
    throw new RequestError("no_conversion", { name: new Word(system), book: book.id });
  }
  const absent = (limit) => limit === undefined || limit === null;
  const line = lines.find((one) => (absent(one.up_to) || given <= one.up_to) && (absent(one.below) || given < one.below));
  const rating = line.plus + line.times * given;
  const rules = book.blend;
  const high = given > rules.fide_high_above.value;
  const fide = high ? rules.fide_high_factor.value : rules.fide_factor.value;
  const factor = system === "fide" ? fide : rules.cfc_factor.value;
  const then = ageRating(born === null ? null : daysBetween(born, on), adult, book.start);
  const z = Math.min(rules.z_most.value, (rating - then) / rules.z_scale.value);
  const days = daysBetween(on, day);
  const weight = factor * Math.exp((rules.decay.value * (z - rules.z_most.value) * days) / book.start.year_days.value);
  return [rating, weight];
}

function uschessInitial(request) {
  const answer = new Answer();
  const book = uschessBook(request);
  const day = dayOf(request, "date");
  const born = dayOf(request, "birth_date", "");
  if (born !== null && born > day) throw new RequestError("born_later", { value: born });
  const adult = flagOf(request, "adult");
  const byAge = ageRating(born === null ? null : daysBetween(born, day), adult, book.start);
  answer.data = { system: new Word("uschess"), book: book.id, start_by_age: real(byAge) };
  answer.step("start_by_age", { rating: real(byAge), clause: book.start.a_year.clause });
  const sources = [];
  for (const system of ["fide", "cfc"]) {
    const given = number(request, system, DATA.ranges.rating);
    if (given === null) continue;
    const [rating, weight] = sourceOf(request, system, given, day, born, adult, book);
    sources.push([rating, weight]);
    const fields = { given: whole(given), rating: real(rating), weight: real(weight, 4) };
    answer.step("source", { system: new Word(system), ...fields });
  }
  let [start, n] = [byAge, 0];
  if (sources.length) {
    const all = total(sources.map(([, weight]) => weight));
    start = Math.floor(total(sources.map(([rating, weight]) => weight * rating)) / (all > 0 ? all : 1) + 0.5);
    n = Math.min(Math.ceil(all), book.blend.games_most.value);
  }
  Object.assign(answer.data, { start: real(start), start_games: typed(n) });
  answer.step("start", { rating: real(start), n: typed(n) });
  const facts = {};
  for (const name of ["wins", "draws", "events"]) facts[name] = field(request, name) ?? "0";
  estimate({ ...request, ...facts }, answer, { r: start, n, history: "mixed" }, book);
  return answer;
}

const CALCULATORS = {
  fide: { game: fideGame, event: fideEvent, initial: fideInitial, performance },
  elo: { game: eloGame, event: eloEvent, performance },
  uschess: { game: uschessGame, event: uschessEvent, initial: uschessInitial, performance },
};
