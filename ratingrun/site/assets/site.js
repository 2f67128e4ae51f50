// The pages' common part: data that comes in by script tags, words and numbers of the language, elements.
// Text from the data becomes text nodes, never markup.
"use strict";

const ratingrun = (() => {
  const taken = new Map();
  const waiting = new Map();

  // A chunk calls this with its name and data.
  function take(name, data) {
    taken.set(name, data);
  }

  // The data of a chunk; its script is loaded the first time it is asked for.
  function chunk(name) {
    if (taken.has(name)) return Promise.resolve(taken.get(name));
    if (!waiting.has(name)) {
      waiting.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = `data/${name}.js`;
        script.onload = () => done(taken.get(name));
        script.onerror = () => failed(new Error(say("site.table.broken", { file: `data/${name}.js` })));
        document.head.append(script);
      }));
    }
    return waiting.get(name);
  }

  const meta = () => taken.get("site");

  // A cell of a packed column: see chunks.packed.
  function at(column, row) {
    if (Array.isArray(column)) return column[row];
    return "all" in column ? column.all : column.of[column.at[row]];
  }

  function size(column) {
    if (Array.isArray(column)) return column.length;
    return "all" in column ? column.rows : column.at.length;
  }

  const rowOf = (columns, row) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, at(column, row)]));

  function rowsOf(columns) {
    const count = size(Object.values(columns)[0]);
    return Array.from({ length: count }, (_, row) => rowOf(columns, row));
  }

  // --- words and numbers, as texts.Catalogue --------------------------------------------------------------------------

  function say(key, fields = {}) {
    let text = meta().texts[key];
    if (text === undefined) throw new Error(`no text ${key}`);
    if (typeof text === "object") text = text[fields.n === 1 ? "one" : "other"];
    return text.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
  }

  const word = (key, code) => meta().texts[`${key}.${code}`] ?? code.replaceAll("_", " ");

  function hundredths(value, signed = false, scale = 100) {
    if (value === null || value === undefined) return "-";
    const parts = scale || 100;
    const whole = Math.floor(Math.abs(value) / parts);
    const rest = String(Math.abs(value) % parts).padStart(String(parts).length - 1, "0");
    return `${value < 0 ? "-" : signed ? "+" : ""}${whole}${say("number.decimal")}${rest}`;
  }

  function points(value) {
    if (value === null || value === undefined) return "-";
    const text = hundredths(value).replace(/0+$/, "");
    return text.endsWith(say("number.decimal")) ? text.slice(0, -1) : text;
  }

  function day(text) {
    const [year, month, number] = text.split("-").map(Number);
    return say("date.day", { day: number, month: meta().texts["date.months"][month - 1], year });
  }

  const count = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, say("site.thousands"));
  const signed = (value) => (value > 0 ? `+${value}` : String(value));

  // --- elements -------------------------------------------------------------------------------------------------------

  const SVG = "http://www.w3.org/2000/svg";
  const DRAWN = new Set(["svg", "path", "line", "circle", "text", "g", "title", "polyline"]);

  function el(tag, facts = {}, ...children) {
    const node = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(facts)) {
      if (value === true) node.setAttribute(name, "");
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  // A name from the data, so that its direction of writing stays its own.
  const name = (text) => el("bdi", {}, text ?? "-");

  // A table in a frame that scrolls by itself, with the keyboard too.
  function table(heads, rows, numbers, label, more = {}) {
    const side = (place) => (numbers.has(place) ? "number" : null);
    const head = heads.map((text, place) => el("th", { scope: "col", class: side(place) }, text));
    const body = rows.map((row) => el("tr", {}, row.map((cell, place) =>
      cell instanceof Node && cell.nodeName === "TD" ? cell : el("td", { class: side(place) }, cell))));
    return el("div", { class: "wide", role: "region", tabindex: "0", "aria-label": label },
      el("table", more, el("thead", {}, el("tr", {}, head)), el("tbody", {}, body)));
  }

  // --- the header -----------------------------------------------------------------------------------------------------

  function header() {
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault(); // the address is the page's own
      document.getElementById("content").focus();
    });
    const form = document.getElementById("find");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const asked = form.elements.q.value.trim();
      location.href = `players.html#?${encodeURIComponent(asked)}`;
    });
  }

  document.addEventListener("DOMContentLoaded", header);

  return { take, chunk, meta, at, size, rowOf, rowsOf, say, word, hundredths, points, day, count, signed, el, name, table };
})();
