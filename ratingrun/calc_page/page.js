// The page: fields of the chosen calculator, the games, what is kept on the device, and the answer as it is typed.

const RATING = { kind: "number" };
const DAY = { kind: "date" };
const FLAG = { kind: "flag" };
const SCORE = {
  kind: "select",
  options: [["", "all"], ["1", "win"], ["0.5", "draw"], ["0", "loss"]],
};
const TYPE = { kind: "select", options: [["standard", "standard"], ["rapid", "rapid"], ["blitz", "blitz"]] };
const HISTORY = { kind: "select", options: [["mixed", "mixed"], ["won", "won"], ["lost", "lost"]] };
const FLOORS = { peak: RATING, wins: RATING, draws: RATING, events: RATING, prize: RATING, life_master: FLAG };
const K_FACTS = { played: RATING, birth_year: RATING, peak: RATING };

// system -> calculator -> [fields, fields under "more", "games" if it asks for games]
const FORMS = {
  fide: {
    game: [{ own: RATING, opponent: RATING, score: SCORE, k: RATING }, { ...K_FACTS, opponent_k: RATING, type: TYPE, date: DAY }, ""],
    event: [{ own: RATING, k: RATING }, { ...K_FACTS, base: RATING, type: TYPE, date: DAY }, "games"],
    initial: [{}, { type: TYPE, date: DAY }, "games"],
    performance: [{}, { date: DAY }, "games"],
  },
  elo: {
    game: [{ own: RATING, opponent: RATING, score: SCORE, k: RATING }, { opponent_k: RATING, limit: RATING, decimals: RATING }, ""],
    event: [{ own: RATING, k: RATING }, { limit: RATING, decimals: RATING }, "games"],
    performance: [{}, {}, "games"],
  },
  uschess: {
    game: [
      { own: RATING, opponent: RATING, score: SCORE, played: RATING },
      { opponent_played: RATING, history: HISTORY, dual: FLAG, ...FLOORS, date: DAY },
      "",
    ],
    event: [
      { own: RATING, played: RATING },
      { history: HISTORY, dual: FLAG, match: FLAG, repeats: FLAG, ...FLOORS, date: DAY },
      "games",
    ],
    initial: [
      { birth_date: DAY, date: DAY },
      { fide: RATING, fide_date: DAY, cfc: RATING, cfc_date: DAY, adult: FLAG, dual: FLAG, repeats: FLAG },
      "games",
    ],
    performance: [{}, {}, "games"],
  },
};
const RESULTS = [["", ""], ["1", "win"], ["=", "draw"], ["0", "loss"], ["+", "forfeit_win"], ["-", "forfeit_loss"]];
const KEPT = "ratingrun.calculator";
const $ = (id) => document.getElementById(id);
const text = (key, fields) => say(state.language, `calc.page.${key}`, fields);

function browserLanguage() {
  const first = (navigator.language || "en").slice(0, 2);
  return first in DATA.texts ? first : "en";
}

const EMPTY = { language: browserLanguage(), system: "fide", calculator: "game", fields: {}, games: [] };
let state = kept();

function kept() {
  try {
    const found = { ...EMPTY, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
    if (!(found.language in DATA.texts)) found.language = EMPTY.language;
    if (!FORMS[found.system]?.[found.calculator]) [found.system, found.calculator] = ["fide", "game"];
    return { ...found, fields: { ...found.fields }, games: [...found.games] };
  } catch {
    return structuredClone(EMPTY); // no storage here, or somebody else's: begin anew
  }
}

function keep() {
  try {
    localStorage.setItem(KEPT, JSON.stringify(state));
  } catch {
    // private windows may refuse; the page works all the same
  }
}

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
}

// A field's label; K has a default only for FIDE, and a first US Chess event is dated by its end.
function label(name) {
  if (name === "k" && state.system === "elo") return text("k_elo");
  return text(name === "date" && state.system === "uschess" && state.calculator === "initial" ? "end" : name);
}

function fieldOf(name, { kind, options }) {
  const value = state.fields[name] ?? "";
  const caption = element("span", {}, label(name));
  if (kind === "flag") {
    return element("label", { class: "flag" }, element("input", { type: "checkbox", name, checked: value === "yes" }), caption);
  }
  if (kind === "select") {
    const choices = options.map(([code, key]) => element("option", { value: code, selected: code === value }, text(key)));
    return element("label", {}, caption, element("select", { name }, ...choices));
  }
  const decimal = state.system === "fide" ? "numeric" : "decimal";
  const attributes = kind === "date" ? { type: "date" } : { type: "text", inputmode: decimal };
  return element("label", {}, caption, element("input", { name, value, ...attributes }));
}

function rowOf(game, i, withName) {
  const n = i + 1;
  const choices = RESULTS.map(([code, key]) =>
    element("option", { value: code, selected: code === game.score }, key ? text(key) : "–"));
  const about = (what) => `${text("game_number", { n })}: ${text(what)}`;
  const mode = state.system === "fide" ? "numeric" : "decimal";
  const parts = [
    element("span", { class: "place", "aria-hidden": "true" }, `${n}.`),
    element("input", { "data-part": "rating", value: game.rating, inputmode: mode, "aria-label": about("opponent"), placeholder: i ? null : text("unrated_hint") }),
    element("select", { "data-part": "score", "aria-label": about("score") }, ...choices),
  ];
  if (withName) {
    parts.push(element("input", { "data-part": "name", class: "name", value: game.name ?? "", "aria-label": about("name"), placeholder: i ? null : text("name") }));
  }
  parts.push(element("button", { type: "button", "data-remove": i, "aria-label": text("remove", { n }) }, "×"));
  return element("li", { "data-row": i, class: withName ? "named" : null }, ...parts);
}

function radios(container, name, codes, captions) {
  container.dataset.count = codes.length;
  container.replaceChildren(...codes.map((code, i) =>
    element("label", {},
      element("input", { type: "radio", name, value: code, checked: code === state[name] }),
      element("span", {}, captions[i]))));
}

// The form anew; where the focus was, it is again.
function draw() {
  const { system, calculator } = state;
  const [first, more, games] = FORMS[system][calculator];
  document.documentElement.lang = state.language;
  document.title = text("title");
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = text(node.dataset.text);
  $("language").value = state.language;
  radios($("systems"), "system", Object.keys(FORMS), Object.keys(FORMS).map((code) => say(state.language, `calc.word.${code}`)));
  const known = Object.keys(FORMS[system]);
  radios($("calculators"), "calculator", known, known.map((code) => text(code)));
  $("fields").replaceChildren(...Object.entries(first).map(([name, kind]) => fieldOf(name, kind)));
  $("more-fields").replaceChildren(...Object.entries(more).map(([name, kind]) => fieldOf(name, kind)));
  $("more").hidden = !Object.keys(more).length;
  if (Object.keys(more).some((name) => state.fields[name] && !(name === "type" && state.fields[name] === "standard"))) $("more").open = true;
  $("games").hidden = !games;
  $("add").textContent = text("add");
  if (games) drawRows();
  recalculate();
}

function drawRows() {
  while (state.games.length < 3) state.games.push({ rating: "", score: "" });
  $("rows").replaceChildren(...state.games.map((game, i) => rowOf(game, i, named())));
}

// Whether opponents have names, so that the same one may be met again.
const named = () => "repeats" in FORMS[state.system][state.calculator][1] && state.fields.repeats === "yes";

// What is asked: only the fields of the chosen calculator.
function requestOf() {
  const [first, more, games] = FORMS[state.system][state.calculator];
  const now = new Date();
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
  const request = { today };
  for (const name of Object.keys({ ...first, ...more })) request[name] = state.fields[name] ?? "";
  if (games) {
    const filled = state.games.filter(({ rating, score }) => rating.trim() || score);
    const name = (game) => (named() ? ` ${game.name ?? ""}` : "");
    request.games = filled.map((game) => `${game.rating.trim() || "unrated"} ${game.score}${name(game)}`);
  }
  return request;
}

// What stands in large letters, and beside it.
const HEADLINES = [
  ["new", ["change", "rounded"]], ["initial", ["outcome"]], ["performance_fide", ["performance_true"]], ["outcome", []],
];

function headlineOf(facts) {
  const of = Object.fromEntries(facts.map((fact) => [fact.name, fact]));
  const found = HEADLINES.find(([name]) => of[name]);
  if (!found) return [];
  const [name, beside] = found;
  const others = beside.filter((one) => of[one]).map((one) => `${of[one].label} ${of[one].value}`);
  return [of[name].value, element("small", {}, [of[name].label, ...others].join(" · "))];
}

function tableOf({ name, headings, rows }) {
  // The roles keep it a table where the style makes cards of the rows.
  const row = (cells) => element("tr", { role: "row" }, ...cells);
  const head = row(headings.map((heading) => element("th", { scope: "col", role: "columnheader" }, heading)));
  const cell = (value, i) => element("td", { role: "cell", "data-label": headings[i] }, value);
  const [top, body] = [element("thead", { role: "rowgroup" }, head), element("tbody", { role: "rowgroup" })];
  body.append(...rows.map((values) => row(values.map(cell))));
  const table = element("table", { class: "rows", role: "table", "aria-label": name }, top, body);
  const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": name }, table);
  return [element("h3", {}, name), scroll];
}

function calculate() {
  const message = $("message");
  message.textContent = "";
  message.classList.remove("wrong");
  $("headline").replaceChildren();
  $("answer").replaceChildren();
  let answer;
  try {
    answer = CALCULATORS[state.system][state.calculator](requestOf());
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const hint = ["calc.error.missing", "calc.error.no_games"].includes(error.line.key);
    message.textContent = `${hint ? "" : "! "}${sentence(error.line, state.language)}`;
    message.classList.toggle("wrong", !hint);
    return;
  }
  const { facts, tables, notes, steps } = shown(answer, state.language);
  $("headline").replaceChildren(...headlineOf(facts));
  const rows = facts.map((fact) => element("tr", {}, element("th", { scope: "row" }, fact.label), element("td", {}, fact.value)));
  const list = (tag, name, lines) => element(tag, { class: name }, ...lines.map((line) => element("li", {}, line)));
  const parts = tables.flatMap(tableOf);
  parts.push(element("h3", {}, text("details")), element("div", { class: "scroll" }, element("table", { class: "facts" }, element("tbody", {}, ...rows))));
  if (notes.length) parts.push(element("h3", {}, text("notes")), list("ul", "notes", notes));
  if (steps.length) {
    parts.push(element("details", { open: true, id: "steps" }, element("summary", {}, text("steps")), list("ol", "steps", steps)));
  }
  $("answer").replaceChildren(...parts);
}

// Calculates when the event is over, once for all that it changed.
let due = false;
function recalculate() {
  if (due) return;
  due = true;
  queueMicrotask(() => {
    due = false;
    calculate();
  });
}

// --- what people do --------------------------------------------------------------------------------------------------

function refocus(selector) {
  document.querySelector(selector)?.focus();
}

$("form").addEventListener("submit", (event) => event.preventDefault());
$("language").addEventListener("change", (event) => {
  state.language = event.target.value;
  keep();
  draw();
});
$("form").addEventListener("input", ({ target }) => {
  const row = target.closest("[data-row]");
  if (target.type === "radio") {
    state[target.name] = target.value;
    if (!FORMS[state.system][state.calculator]) state.calculator = "game";
    draw();
    refocus(`input[name="${target.name}"][value="${target.value}"]`);
  } else if (row) {
    state.games[Number(row.dataset.row)][target.dataset.part] = target.value;
    recalculate();
  } else {
    state.fields[target.name] = target.type === "checkbox" ? (target.checked ? "yes" : "") : target.value;
    if (target.name === "repeats") drawRows();
    recalculate();
  }
  keep();
});
// Enter goes on to the next game, and makes one after the last.
$("rows").addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.tagName === "BUTTON") return;
  event.preventDefault();
  const next = Number(event.target.closest("[data-row]").dataset.row) + 1;
  if (next === state.games.length) $("add").click();
  else refocus(`[data-row="${next}"] [data-part="rating"]`);
});
$("rows").addEventListener("click", ({ target }) => {
  if (target.dataset.remove === undefined) return;
  const i = Number(target.dataset.remove);
  state.games.splice(i, 1);
  drawRows();
  refocus(`[data-row="${Math.min(i, state.games.length - 1)}"] [data-part="rating"]`);
  recalculate();
  keep();
});
$("add").addEventListener("click", () => {
  state.games.push({ rating: "", score: "" });
  drawRows();
  refocus(`[data-row="${state.games.length - 1}"] [data-part="rating"]`);
  keep();
});
$("clear").addEventListener("click", () => {
  state = { ...state, fields: {}, games: [] };
  keep();
  draw();
});
draw();
