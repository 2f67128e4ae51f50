// A player's month and a tournament's sheet in words: as explain/words.py, from the same facts and the same catalogue.
// A block is {title, lines, table: {heads, rows, numbers}, after}; a test compares each with the command's.
"use strict";

Object.assign(ratingrun, (() => {
  const { say, word, hundredths, points, day, meta } = ratingrun;
  // The value of the rule book whose clause stands behind a reason.
  const CLAUSE_OF = {
    opponent_unrated: "game.max_difference",
    match_unrated: "match.with_unrated",
    match_decided: "match.decided",
    one_sided: "period.one_sided_rating",
    time_control: "time_control.moves",
    report_waiting: "period.closing_days",
    report_too_late: "period.late_lists",
  };
  const BEHIND = { too_few_games: "initial.min_games", below_floor: "initial.min_rating", no_score: "initial.void_event" };

  const rules = () => meta().rules ?? {};
  const clause = (key) => rules()[key]?.clause ?? "-";
  const value = (key) => rules()[key]?.value ?? null;
  const text = (cell, nothing = "-") => (cell === null || cell === undefined ? nothing : String(cell));
  const signed = (amount) => (amount < 0 ? String(amount) : `+${amount}`);
  const heads = (...names) => names.map((name) => say(`head.${name}`));
  const games = (n) => say("word.games", { n });

  function reason(code) {
    const behind = clause(CLAUSE_OF[code] ?? "");
    return word("reason", code) + (behind === "-" ? "" : ` (${behind})`);
  }

  function kRow(said) {
    const [number, ...rest] = (said ?? "-").split(" ");
    return rest.length ? `${number} ${word("k_row", rest.join(" "))}` : number;
  }

  function sum(key, row) {
    return say(key, {
      games: games(row.n), k: row.k, w: points(row.w_c), we: hundredths(row.we_c, false, row.scale),
      dr: hundredths(row.dr_c, true, row.scale), change: hundredths(row.change_c, true, row.scale),
    });
  }

  function player(facts) {
    const who = facts.player;
    const named = { name: who.name || who.player_id, player_id: who.player_id };
    const title = say("player.title", { ...named, rating_type: word("word", meta().rating_type), day: day(meta().list_date) });
    const head = {
      title,
      lines: [
        say("player.identity", { federation: text(who.federation), birth_year: text(who.birth_year), title: text(who.title) }),
        say("player.rules", { books: meta().rule_books.join(", ") }),
      ],
    };
    if (!facts.tournaments.length) head.lines.push(say("player.nothing"));
    return [head, ...facts.tournaments.map(event), change(facts.change), initial(facts.initial), pool(facts.pool),
      ledger(facts.ledger), onList(facts.list)].filter(Boolean).map((block) => ({ lines: [], table: null, after: [], ...block }));
  }

  function event(one) {
    const days = { start: day(one.start), end: day(one.end) };
    const shown = one.games.filter((game) => game.reason !== "outside_part");
    const limited = new Map();
    for (const game of shown) if (game.d !== game.d_true) limited.set(`${game.d_true} ${game.d}`, game);
    const ordered = [...limited.values()].sort((a, b) => a.d_true - b.d_true || a.d - b.d);
    const after = ordered.map((game) =>
      say("event.limited", { d_true: game.d_true, d: game.d, limit: Math.abs(game.d), clause: clause("game.max_difference") }));
    if (one.sum) after.push(sum("event.sum", one.sum));
    return {
      title: say("event.title", { name: one.name || one.tournament_id, tournament_id: one.tournament_id, ...days }),
      lines: [say("event.ratings", { day: day(one.list_in_force), book: one.book }), say(`event.${one.status}`)],
      table: {
        heads: heads("round", "colour", "opponent", "r", "r_opp", "d", "pd", "score", "dr", "counts"),
        rows: shown.map(game),
        numbers: [0, 3, 4, 5, 6, 7, 8],
      },
      after,
    };
  }

  function counted(cell) {
    if (cell.outcome === "none") return reason(cell.reason);
    return cell.reason ? reason(cell.reason) : say(`counted.${cell.outcome}`);
  }

  function game(one) {
    return [
      text(one.round),
      one.colour ? word("word", one.colour) : "",
      one.opponent_name || one.opponent_id || say("word.nobody"),
      text(one.r), text(one.r_opp), text(one.d_true),
      hundredths(one.pd_c, false, one.scale),
      one.score_c === null ? one.result : points(one.score_c),
      hundredths(one.dr_c, true, one.scale),
      counted(one),
    ];
  }

  function change(row) {
    if (!row) return null;
    const product = value("period.rounding") === "tournament" ? "change.product_by_event" : "change.product";
    const moved = signed(row.change);
    const dr = hundredths(row.dr_c, true, row.scale);
    const exact = hundredths(row.change_c, true, row.scale);
    return {
      title: say("change.title"),
      lines: [
        sum("change.sum", row),
        say(row.k === row.k_base ? "change.k" : "change.k_reduced",
          { k: row.k, k_base: row.k_base, clause: kRow(row.k_clause), games: games(row.n) }),
        say(product, { k: row.k, dr, change_c: exact, change: moved, clause: clause("period.rounding") }),
        say("change.result", { ro: row.ro, change: moved, rn: row.rn }),
      ],
    };
  }

  function initial(first) {
    if (!first) return null;
    const kind = clause("initial.kind");
    const lines = [say("initial.games", { games: games(first.n), w: points(first.w_c), clause: kind })];
    if (first.ra_c !== null) {
      const draws = value("initial.draws");
      const figures = { ra: hundredths(first.ra_c), p: hundredths(first.p_c), dp: signed(first.dp) };
      lines.push(say(draws ? "initial.added" : "initial.performance",
        { ...figures, draws, against: value("initial.draws_against"), clause: kind }));
      const limit = value("initial.max_rating");
      lines.push(say(first.ru === limit ? "initial.capped" : "initial.result", { limit, ru: first.ru }));
    }
    const behind = BEHIND[first.outcome] ?? "";
    const needed = behind in rules() ? value(behind) : "-";
    lines.push(say(`initial.${first.outcome}`, { ru: first.ru, needed, clause: clause(behind) }));
    return { title: say("initial.title"), lines };
  }

  function pool(rows) {
    if (!rows.length) return null;
    return {
      title: say("pool.title"),
      table: {
        heads: heads("tournament", "round", "opponent", "r_opp", "score", "period", "expires", "became"),
        rows: rows.map((row) => [
          row.tournament_id, text(row.round), text(row.opponent_name || row.opponent_id), text(row.r_opp),
          points(row.score_c), row.period, row.expires, say(`pool.${row.status}`),
        ]),
        numbers: [1, 3, 4],
      },
    };
  }

  function ledger(rows) {
    if (!rows.length) return { title: say("ledger.title"), lines: [say("ledger.none")] };
    const nothing = say("word.unrated");
    return {
      title: say("ledger.title"),
      table: {
        heads: heads("entry", "before", "amount", "after", "clause", "source"),
        rows: rows.map((row) => [
          say(`ledger.${row.entry}`), text(row.before, nothing), signed(row.amount), text(row.after, nothing),
          row.clause, row.source,
        ]),
        numbers: [1, 2, 3],
      },
    };
  }

  function onList(row) {
    if (!row) return { title: say("list.title"), lines: [say("list.gone")] };
    const lines = [say(row.rating ? "list.rated" : "list.unrated", {
      games: games(row.games), total: row.games_total, rating: text(row.rating), k: text(row.k), peak: text(row.peak),
      clause: kRow(row.k_clause),
    })];
    if (!row.active) lines.push(say("list.inactive"));
    return { title: say("list.title"), lines };
  }

  // What became of a row of a tournament's sheet, beside its change: games for a first rating.
  function became(row) {
    if (!row.pool_n) return "";
    const text = `${say("counted.pool")}: ${games(row.pool_n)}, W = ${points(row.pool_w_c)}`;
    return row.outcome === "published" ? `${text}; ${say("initial.title")} ${row.ru}` : text;
  }

  return { playerBlocks: player, reason, counted, became };
})());
