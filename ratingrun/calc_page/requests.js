// Reading requests: what people type becomes numbers, games and dates, or a RequestError. As calc/requests.py.

const SCORES = {};
for (const text of ["1", "1.0", "w", "1-0"]) SCORES[text] = 100;
for (const text of ["0", "0.0", "l", "0-1"]) SCORES[text] = 0;
for (const text of ["=", "0.5", ".5", "0,5", "½", "1/2", "d"]) SCORES[text] = 50;
const FORFEITS = ["+", "-"];
const UNRATED = ["u", "unrated", "?"];
const WHOLE = /^[0-9]{1,6}$/;
const DECIMAL = /^[0-9]{1,6}([.,][0-9]{1,2})?$/;

const field = (request, name) => {
  const value = request[name];
  return value === undefined || value === null || String(value).trim() === "" ? null : String(value).trim();
};

function parsed(text, name, [low, high], decimals = false) {
  if (!(decimals ? DECIMAL : WHOLE).test(text)) {
    throw new RequestError(decimals ? "decimal" : "whole", { name: new Word(name), value: text });
  }
  const value = Number(text.replace(",", "."));
  if (!(low <= value && value <= high)) {
    throw new RequestError("range", { name: new Word(name), value: text, low: String(low), high: String(high) });
  }
  return value;
}

function number(request, name, range, decimals = false, otherwise = null) {
  const text = field(request, name);
  return text === null ? otherwise : parsed(text, name, range, decimals);
}

function needed(request, name, range, decimals = false) {
  const value = number(request, name, range, decimals);
  if (value === null) throw new RequestError("missing", { name: new Word(name) });
  return value;
}

const ratingOf = (request, name, decimals = false) => needed(request, name, DATA.ranges.rating, decimals);

function scoreOf(request) {
  const text = field(request, "score");
  if (text === null) return null;
  if (!(text.toLowerCase() in SCORES)) throw new RequestError("score", { value: text });
  return SCORES[text.toLowerCase()];
}

const flagOf = (request, name) => field(request, name) === "yes";

function isDay(text) {
  const match = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function dayOf(request, name, otherwise = "today") {
  const text = field(request, name) ?? (otherwise ? field(request, otherwise) : null);
  if (text === null) {
    if (otherwise) throw new RequestError("missing", { name: new Word(name) });
    return null;
  }
  if (!isDay(text)) throw new RequestError("date", { name: new Word(name), value: text });
  return text;
}

const daysBetween = (first, last) => Math.round((Date.parse(last) - Date.parse(first)) / 86400000);

function gamesOf(request, decimals = false) {
  const lines = (request.games ?? []).map((line) => line.trim()).filter((line) => line && !line.startsWith("#"));
  const found = lines.map((line) => gameOf(line, decimals));
  if (!found.length) throw new RequestError("no_games");
  return found;
}

function gameOf(line, decimals) {
  const parts = line.split(/\s+/).filter((part) => part);
  if (parts.length < 2) throw new RequestError("game", { value: line });
  const [opponent, result] = [parts[0].toLowerCase(), parts[1].toLowerCase()];
  const name = parts.slice(2).join(" ") || null;
  const rating = UNRATED.includes(opponent) ? null : parsed(opponent, "opponent", DATA.ranges.rating, decimals);
  if (FORFEITS.includes(result)) return { rating, score: null, name };
  if (!(result in SCORES)) throw new RequestError("score", { value: parts[1] });
  return { rating, score: SCORES[result], name };
}

const statusOf = (game) => (game.score === null ? "forfeit" : game.rating === null ? "unrated" : "rated");

const saidOf = (game) => ({
  opponent: game.rating === null ? new Word("unrated") : typed(game.rating),
  score: game.score === null ? new Word("forfeit") : points(game.score),
});

const total = (values) => values.reduce((sum, value) => sum + value, 0);
