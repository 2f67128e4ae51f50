// The facts of a player's month out of the chunks: as explain.player, without its frames.
"use strict";

Object.assign(ratingrun, (() => {
  const { chunk, meta, at, size, rowOf, rowsOf } = ratingrun;
  let index = null;

  // Everybody, as packed columns joined over the files of the index: people.of(name, p).
  async function people() {
    if (index) return index;
    const files = await Promise.all(meta().index.map((name) => chunk(name)));
    const each = meta().index_rows;
    const total = files.reduce((sum, file) => sum + size(file.player_id), 0);
    const of = (name, p) => at(files[Math.floor(p / each)][name], p % each);
    const place = new Map();
    for (let p = 0; p < total; p += 1) place.set(of("player_id", p), p);
    index = { total, of, place };
    return index;
  }

  const mine = (columns, p) => {
    const found = [];
    for (let row = 0; row < size(columns.p); row += 1) if (at(columns.p, row) === p) found.push(rowOf(columns, row));
    return found;
  };

  async function sheet(t) {
    const name = `tournaments-${String(meta().tournament_chunks[t]).padStart(3, "0")}`;
    return (await chunk(name)).find((part) => part.t === t);
  }

  // One part of a tournament as its player's month shows it.
  async function played(t, id) {
    const about = rowOf(meta().tournaments, t);
    const { entries, cells } = await sheet(t);
    const rows = rowsOf(entries);
    const first = new Map();
    for (const row of rows) if (!first.has(row.start_no)) first.set(row.start_no, row);
    const games = [];
    rows.forEach((row, entry) => {
      if (row.player_id !== id) return;
      for (let cell = 0; cell < size(cells.entry); cell += 1) {
        if (at(cells.entry, cell) !== entry || !at(cells.own, cell)) continue;
        const one = rowOf(cells, cell);
        const against = first.get(one.opponent_no);
        one.opponent_id = against?.player_id ?? null;
        one.opponent_name = against?.listed_name ?? against?.name ?? null;
        games.push(one);
      }
    });
    games.sort((a, b) => a.round - b.round);
    const own = rows.find((row) => row.player_id === id);
    return { ...about, sum: own?.n ? own : null, games };
  }

  async function facts(id) {
    const everybody = await people();
    const p = everybody.place.get(id);
    if (p === undefined) return null;
    const block = Math.floor(p / meta().block);
    const name = `players-${String(meta().player_chunks[block]).padStart(3, "0")}`;
    const piece = (await chunk(name)).find((one) => one.from === block * meta().block);
    const here = p - piece.from;
    const of = (column) => everybody.of(column, p);
    const list = of("listed")
      ? { ...rowOf(piece.list, here), rating: of("rating"), k: of("k"), games: of("games"), active: of("active") }
      : null;
    const events = mine(piece.played, p).map((row) => played(row.t, id));
    return {
      player: { player_id: id, name: of("name"), federation: of("federation"), title: of("title"), birth_year: of("birth_year") },
      sex: of("sex"), state: of("state"), before: of("before"),
      tournaments: await Promise.all(events),
      change: mine(piece.change, p)[0] ?? null,
      initial: mine(piece.initial, p)[0] ?? null,
      pool: mine(piece.pool, p),
      ledger: mine(piece.ledger, p),
      list,
      curve: Object.entries(rowOf(piece.curve, here)),
    };
  }

  return { people, sheet, facts };
})());
