// The tournaments' page: all parts in a table, one part's cross table in a panel.
"use strict";

(() => {
  const { say, el, at, rowOf, rowsOf, hundredths, points, day, word } = ratingrun;
  const list = document.getElementById("list");
  const panel = document.getElementById("panel");
  let all = [];
  let words = [];
  let table = null;

  const key = (one) => `${one.tournament_id}/${one.part}`;
  const title = (one) => one.name || one.tournament_id;

  function columns() {
    const plain = (name, head, kind, narrow) => ({ head: say(`site.event.${head}`), kind, narrow, value: (one) => one[name] });
    return [
      { head: say("site.event.name"), kind: "text", narrow: true, value: (one) => ratingrun.fold(title(one)),
        cell: (one) => ratingrun.eventLink(one.tournament_id, one.part, title(one)) },
      { head: say("site.table.id"), kind: "text", narrow: false, value: (one) => (one.part > 1 ? key(one) : one.tournament_id) },
      plain("start", "start", "day", false),
      plain("end", "end", "day", true),
      { head: say("site.event.system"), kind: "text", narrow: false, value: (one) => say(`site.event.${one.system}`) },
      { head: say("site.event.status"), kind: "text", narrow: false, value: (one) => say(`site.event.${one.status}`) },
      plain("players", "players", "num", true),
      plain("rated", "rated", "num", false),
      plain("pool", "pool", "num", false),
      plain("none", "none", "num", false),
      { ...plain("sum_c", "sum", "num", false), cell: (one) => (one.sum_c === null ? "" : hundredths(one.sum_c, true, one.scale)) },
    ];
  }

  function filter() {
    words = ratingrun.fold(document.getElementById("search").value).split(/\s+/).filter(Boolean);
    table.draw();
  }

  const fits = (one) => words.every((part) => ratingrun.fold(`${title(one)} ${one.tournament_id}`).includes(part));

  // --- one part ---------------------------------------------------------------------------------------------------------

  const LETTERS = "abcdefghijklmnopqrstuvwxyz";

  function cross(rows, cells) {
    const rounds = [...new Set(rowsOf(cells).filter((cell) => cell.reason !== "outside_part").map((cell) => cell.round))].sort((a, b) => a - b);
    const letters = new Map();
    const grid = rows.map(() => new Map());
    const names = new Map(rows.map((row) => [row.start_no, row.listed_name ?? row.name ?? row.player_id]));
    for (const cell of rowsOf(cells)) {
      if (cell.reason === "outside_part") continue;
      grid[cell.entry].set(cell.round, cell);
      if (cell.outcome === "none" && !letters.has(cell.reason)) letters.set(cell.reason, LETTERS[letters.size] ?? "*");
    }
    const heads = [say("head.start_no"), say("head.name"), say("head.r"), ...rounds.map(String), ...["n", "w", "we", "dr", "k", "change"].map((name) => say(`head.${name}`)), say("head.became")];
    const body = rows.map((row, entry) => [
      String(row.start_no),
      row.player_id ? ratingrun.playerLink(row.player_id, row.listed_name ?? row.name) : ratingrun.name(row.name),
      used(row),
      ...rounds.map((round) => pairing(grid[entry].get(round), names, letters)),
      String(row.n ?? ""), row.n ? points(row.w_c) : "", row.n ? hundredths(row.we_c, false, row.scale) : "",
      row.n ? hundredths(row.dr_c, false, row.scale) : "", String(row.k ?? ""),
      row.n ? el("span", { class: row.change_c > 0 ? "up" : row.change_c < 0 ? "down" : null }, hundredths(row.change_c, true, row.scale)) : "",
      ratingrun.became(row),
    ]);
    const last = heads.length - 1;
    const numbers = new Set([0, 2, ...Array.from({ length: 6 }, (_, place) => last - 1 - place)]);
    return { shown: ratingrun.table(heads, body, numbers, say("site.event.cross"), { class: "cross" }), letters };
  }

  // The rating that counts; the reported one beside it where it differs.
  function used(row) {
    if (row.reported_rating === null || row.reported_rating === row.r) return String(row.r ?? "-");
    return el("span", {}, String(row.r ?? "-"), el("small", { class: "reported" }, `${say("head.reported")}: ${row.reported_rating}`));
  }

  function pairing(cell, names, letters) {
    if (!cell) return el("td", {});
    const said = `${cell.opponent_no ?? ""}${cell.colour ?? ""}${cell.result}` || "–";
    const facts = {
      round: cell.round, opponent: names.get(cell.opponent_no) ?? say("word.nobody"), colour: cell.colour ? word("word", cell.colour) : "-",
      result: cell.score_c === null ? cell.result || "-" : points(cell.score_c), counts: ratingrun.counted(cell),
    };
    const why = cell.outcome === "none" ? el("sup", {}, letters.get(cell.reason)) : null;
    return el("td", { class: `pairing ${cell.outcome}`, title: say("site.event.cell", facts) }, el("span", {}, said), why);
  }

  function reasons(letters) {
    if (!letters.size) return null;
    return el("dl", { class: "letters" }, [...letters].map(([reason, letter]) =>
      el("div", {}, el("dt", {}, letter), el("dd", {}, ratingrun.reason(reason)))));
  }

  function lost(rows, cells) {
    const found = rowsOf(cells).filter((cell) => cell.outcome === "none" && cell.reason !== "outside_part")
      .sort((a, b) => a.round - b.round || rows[a.entry].start_no - rows[b.entry].start_no);
    if (!found.length) return null;
    const heads = ["round", "start_no", "name", "counts"].map((name) => say(`head.${name}`));
    const body = found.map((cell) => [String(cell.round), String(rows[cell.entry].start_no), ratingrun.name(rows[cell.entry].name), ratingrun.reason(cell.reason)]);
    return el("section", { class: "block" }, el("h2", {}, say("sheet.not_counted")), ratingrun.table(heads, body, new Set([0, 1]), say("sheet.not_counted")));
  }

  async function open(id) {
    const t = all.findIndex((one) => key(one) === id || one.tournament_id === id);
    const home = ratingrun.back("#", say("site.table.back_events"));
    if (t < 0) {
      return [id, home, el("h1", { tabindex: "-1" }, say("site.table.unknown_event", { id }))];
    }
    const one = all[t];
    const meta = ratingrun.meta();
    const { entries, cells } = await ratingrun.sheet(t);
    const rows = rowsOf(entries);
    const heading = say("sheet.title", { name: title(one), tournament_id: one.tournament_id, part: one.part, rating_type: word("word", meta.rating_type), day: day(meta.list_date) });
    const lines = [
      say("sheet.dates", { start: day(one.start), end: day(one.end), in_force: day(one.list_in_force), book: one.book }),
      say(`event.${one.status}`),
      say("sheet.counted", { cells: one.rated + one.pool + one.none, rated: one.rated, pool: one.pool, none: one.none }),
    ];
    const { shown, letters } = cross(rows, cells);
    return [heading, home, el("h1", { tabindex: "-1" }, ratingrun.name(heading)), ...lines.map((line) => el("p", { class: "quiet" }, line)),
      el("section", { class: "block" }, el("h2", {}, say("site.event.cross")), el("p", { class: "quiet" }, say("site.event.crosshelp")), shown, reasons(letters)),
      lost(rows, cells)];
  }

  async function start() {
    const packed = ratingrun.meta().tournaments;
    all = Array.from({ length: ratingrun.size(packed.tournament_id) }, (_, t) => rowOf(packed, t));
    document.getElementById("controls").append(ratingrun.searching("search", say("site.event.search"), filter));
    table = ratingrun.browser(document.getElementById("everything"), all, columns(), say("site.table.none_event"), fits);
    filter();
    const search = (text) => {
      if (text !== null) document.getElementById("search").value = text;
      filter();
    };
    await ratingrun.routed({ list, panel, title: document.title, open, search });
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", start);
})();
