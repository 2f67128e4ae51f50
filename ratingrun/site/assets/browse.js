// A table that is searched, filtered, sorted and paged (DataTables), and the panel that opens beside it by the address:
// page.html#ID is a panel, page.html#?TEXT a search. Cells are filled with text nodes only.
"use strict";

Object.assign(ratingrun, (() => {
  const { say, el } = ratingrun;
  const LETTERS = { ø: "o", ł: "l", đ: "d", ð: "d", ı: "i", ß: "ss", æ: "ae", œ: "oe", þ: "th" };

  // A text as it is searched: small letters without marks, so that "sor" finds "Šór".
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().replace(/[øłđðıßæœþ]/g, (one) => LETTERS[one]);

  function language(none) {
    const marks = { from: "_START_", to: "_END_", total: "_TOTAL_" };
    const paginate = Object.fromEntries(["first", "previous", "next", "last"].map((name) => [name, say(`site.table.${name}`)]));
    return {
      info: say("site.table.shown", marks), infoEmpty: "", infoFiltered: "", thousands: say("site.thousands"),
      emptyTable: none, zeroRecords: none, paginate: { first: "«", previous: "‹", next: "›", last: "»" },
      aria: { paginate: { ...paginate, number: `${say("site.table.page")} ` }, orderable: `: ${say("site.table.sort")}`,
        orderableReverse: `: ${say("site.table.sort")}`, orderableRemove: `: ${say("site.table.sort")}` },
    };
  }

  // columns: [{head, value(row), cell?(row) -> node, kind: "num" or "text", narrow: shown on a phone}]
  function browser(node, rows, columns, none, fits) {
    const table = new ratingrunTables.DataTable(node, {
      data: rows.map((row) => [row]),
      columns: columns.map(({ head, value, cell, kind, narrow }) => ({
        title: head, type: kind === "num" ? "num" : "string", searchable: false,
        className: [{ num: "number", day: "day" }[kind] ?? "text", narrow ? "" : "roomy"].join(" ").trim(),
        data: 0,
        render: (row, type) => (type === "display" ? "" : value(row)),
        createdCell: (td, _, [row]) => td.replaceChildren(cell ? cell(row) : String(value(row) ?? "")),
      })),
      order: [], pageLength: 50, autoWidth: false, language: language(none),
      layout: { topStart: null, topEnd: null, bottomStart: "info", bottomEnd: "paging" },
    });
    table.search.fixed("fits", (_, [row]) => fits(row));
    return table;
  }

  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  // Opens panel or list by the address; `open(id)` gives the panel's title and nodes, `search(text)` takes a search.
  function routed({ list, panel, title, open, search }) {
    async function show() {
      const said = location.hash.slice(1);
      const asked = said.startsWith("?");
      const id = asked ? "" : decoded(said);
      list.hidden = Boolean(id);
      panel.hidden = !id;
      if (!id) {
        document.title = title;
        search(asked ? decoded(said.slice(1)) : null);
        return;
      }
      panel.replaceChildren(el("p", { role: "status" }, say("site.table.loading")));
      const [heading, ...nodes] = await open(id).catch((error) => [title, el("p", { role: "alert" }, error.message)]);
      if (location.hash.slice(1) !== said) return; // somebody was quicker than the file
      document.title = heading;
      panel.replaceChildren(...nodes.filter(Boolean));
      window.scrollTo(0, 0);
      panel.querySelector("h1")?.focus();
      panel.dataset.shown = id;
    }
    window.addEventListener("hashchange", show);
    return show();
  }

  // A select with its label; `options`: [[value, words], ...].
  function choice(id, label, options, changed) {
    const select = el("select", { id }, options.map(([value, words]) => el("option", { value }, words)));
    select.addEventListener("change", changed);
    return el("div", { class: "field" }, el("label", { for: id }, label), select);
  }

  function searching(id, label, changed) {
    const input = el("input", { id, type: "search", autocomplete: "off", spellcheck: "false" });
    input.addEventListener("input", changed);
    return el("div", { class: "field grow" }, el("label", { for: id }, label), input);
  }

  const back = (href, words) => el("p", { class: "back" }, el("a", { href }, `← ${words}`));
  const playerLink = (id, words) => el("a", { href: `players.html#${encodeURIComponent(id)}` }, ratingrun.name(words || id));
  const eventLink = (id, part, words) =>
    el("a", { href: `tournaments.html#${encodeURIComponent(`${id}/${part}`)}` }, ratingrun.name(words || id));

  // The blocks of an explanation as sections; `link(block, cell, row, place)` may make a cell a node.
  function sections(blocks, link = () => null) {
    return blocks.map((block) => el("section", { class: "block" },
      el("h2", {}, block.heading ?? block.title),
      block.lines.map((line) => el("p", {}, line)),
      block.table && ratingrun.table(block.table.heads,
        block.table.rows.map((row, number) => row.map((cell, place) => link(block, cell, number, place) ?? cell)),
        new Set(block.table.numbers), block.title),
      block.after.map((line) => el("p", {}, line))));
  }

  return { fold, browser, routed, choice, searching, back, playerLink, eventLink, sections };
})());
