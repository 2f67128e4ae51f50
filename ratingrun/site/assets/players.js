// The players' page: everybody in a table, one player's month in a panel.
"use strict";

(() => {
  const { say, el, word, signed, hundredths } = ratingrun;
  const list = document.getElementById("list");
  const panel = document.getElementById("panel");
  const STATES = ["new", "first", "returned", "idle", "left", "floor"];
  let everybody = null;
  let table = null;
  let folded = [];
  let shown = () => true;

  const of = (name, p) => everybody.of(name, p);
  const state = (p) => of("state", p) ?? (of("listed", p) ? (of("active", p) ? "" : "inactive") : "absent");
  const value = (id) => document.getElementById(id)?.value ?? "";

  const SHOWN = {
    all: () => true,
    played: (p) => of("change", p) !== null,
    active: (p) => of("listed", p) && of("active", p),
    juniors: (p) => of("listed", p) && of("birth_year", p) >= ratingrun.meta().juniors,
    seniors: (p) => of("listed", p) && of("birth_year", p) !== null && of("birth_year", p) <= ratingrun.meta().seniors,
    ...Object.fromEntries(STATES.map((name) => [name, (p) => of("state", p) === name])),
  };

  function filter() {
    const words = fold(value("search"));
    const [group, federation, sex] = ["group", "federation", "sex"].map(value);
    const fits = SHOWN[group || "all"];
    shown = (p) => words.every((one) => folded[p].includes(one)) && fits(p)
      && (!federation || of("federation", p) === federation) && (!sex || of("sex", p) === sex);
    table.draw();
    document.getElementById("found").textContent = say("site.table.found", { total: ratingrun.count(table.page.info().recordsDisplay) });
  }

  const fold = (text) => ratingrun.fold(text).split(/[\s,]+/).filter(Boolean);

  function columns() {
    const plain = (name, head, kind, narrow) => ({ head: say(`site.table.${head}`), kind, narrow, value: (p) => of(name, p) });
    return [
      { head: say("site.table.name"), kind: "text", narrow: true, value: (p) => sorting(of("name", p)), cell: (p) => ratingrun.playerLink(of("player_id", p), of("name", p)) },
      plain("player_id", "id", "text", false),
      plain("federation", "federation", "text", false),
      plain("title", "title", "text", false),
      plain("birth_year", "born", "num", false),
      plain("before", "before", "num", false),
      { ...plain("change", "change", "num", true), cell: (p) => moved(of("change", p)) },
      plain("rating", "rating", "num", true),
      plain("games", "games", "num", false),
      plain("k", "k", "num", false),
      { head: say("site.table.state"), kind: "text", narrow: false, value: (p) => state(p), cell: (p) => (state(p) ? say(`site.state.${state(p)}`) : "") },
    ];
  }

  const sorting = (text) => ratingrun.fold(text ?? "");
  const moved = (change) => el("span", { class: change > 0 ? "up" : change < 0 ? "down" : null }, change === null ? "" : signed(change));

  function controls() {
    const all = ["", say("site.table.all")];
    const names = new Set();
    for (let p = 0; p < everybody.total; p += 1) if (of("federation", p)) names.add(of("federation", p));
    const groups = ["all", "played", "active", "juniors", "seniors"].filter((name) => name !== "juniors" || ratingrun.meta().juniors);
    const options = [
      ...groups.map((name) => [name, say(`site.table.${name === "all" ? "everybody" : name}`)]),
      ...STATES.map((name) => [name, say(`site.state.${name}`)]),
    ];
    const search = ratingrun.searching("search", say("site.table.search"), filter);
    search.querySelector("input").addEventListener("keydown", (event) => {
      const first = table.row(":eq(0)", { search: "applied" }).data();
      if (event.key === "Enter" && first) location.hash = encodeURIComponent(of("player_id", first[0]));
    });
    document.getElementById("controls").append(
      search,
      ratingrun.choice("group", say("site.table.filter"), options, filter),
      ratingrun.choice("federation", say("site.table.federation"), [all, ...[...names].sort().map((one) => [one, one])], filter),
      ratingrun.choice("sex", say("site.table.sex"), [all, ["w", say("site.w")], ["m", say("site.m")]], filter),
    );
  }

  // --- one player -----------------------------------------------------------------------------------------------------

  const tile = (key, content, more) => el("div", { class: "tile" },
    el("dt", {}, say(`site.panel.${key}`)), el("dd", {}, content), more && el("dd", { class: "more" }, more));

  function tiles(facts) {
    const { list: row, change } = facts;
    const rating = row?.rating ?? say("site.panel.unrated");
    const was = facts.before !== null && facts.before !== row?.rating ? `${facts.before} → ` : "";
    const exact = change && hundredths(change.change_c, true, change.scale);
    return el("dl", { class: "tiles" },
      tile("now", [el("span", { class: "quiet" }, was), String(rating)]),
      change && tile("change", moved(change.change), exact),
      row && tile("games", String(row.games)),
      row?.k ? tile("k", String(row.k)) : null,
      row?.peak ? tile("peak", String(row.peak)) : null);
  }

  function figure(facts) {
    const drawing = ratingrun.curve(facts.curve);
    if (!drawing) return null;
    const rows = facts.curve.map(([day, rating]) => [ratingrun.day(day), rating === null ? "-" : String(rating)]);
    const heads = [say("site.panel.list"), say("site.panel.now")];
    return el("figure", {}, el("figcaption", {}, say("site.panel.curve")), drawing,
      el("details", {}, el("summary", {}, say("site.numbers")), ratingrun.table(heads, rows, new Set([1]), say("site.panel.curve"))));
  }

  async function open(id) {
    const facts = await ratingrun.facts(id);
    const home = ratingrun.back("#", say("site.table.back"));
    if (!facts) {
      return [id, home, el("h1", { tabindex: "-1" }, say("site.table.unknown", { id }))];
    }
    const [head, ...blocks] = ratingrun.playerBlocks(facts);
    const events = new Map(facts.tournaments.map((event, place) => [blocks[place], event]));
    for (const [block, event] of events) block.heading = ratingrun.eventLink(event.tournament_id, event.part, block.title);
    const link = (block, cell, row, place) => {
      if (place !== 2 || !events.has(block)) return null;
      const game = events.get(block).games.filter((one) => one.reason !== "outside_part")[row];
      return game.opponent_id ? ratingrun.playerLink(game.opponent_id, cell) : null;
    };
    return [head.title, home, el("h1", { tabindex: "-1" }, ratingrun.name(head.title)),
      ...head.lines.map((line) => el("p", { class: "quiet" }, line)), tiles(facts), figure(facts), ...ratingrun.sections(blocks, link)];
  }

  async function start() {
    everybody = await ratingrun.people();
    for (let p = 0; p < everybody.total; p += 1) folded.push(`${ratingrun.fold(of("name", p) ?? "")} ${ratingrun.fold(of("player_id", p))}`);
    controls();
    const rows = Array.from({ length: everybody.total }, (_, p) => p);
    table = ratingrun.browser(document.getElementById("everybody"), rows, columns(), say("site.table.none"), (p) => shown(p));
    filter();
    const search = (text) => {
      if (text === null) return;
      document.getElementById("search").value = text;
      filter();
      document.getElementById("search").focus();
    };
    await ratingrun.routed({ list, panel, title: document.title, open, search });
    document.documentElement.dataset.ready = "yes";
  }

  document.addEventListener("DOMContentLoaded", start);
})();
