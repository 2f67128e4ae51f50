// What an answer is made of: numbers with their decimals, words of the catalogue, lines. As calc/values.py.
"use strict";

class Num {
  constructor(text, signed = false) {
    this.text = text;
    this.signed = signed;
  }
  get plain() {
    return Number(this.text);
  }
  shown(decimal) {
    const text = this.text.replace(".", decimal);
    return this.signed && !text.startsWith("-") && this.plain ? `+${text}` : text;
  }
}

class Word {
  constructor(code) {
    this.code = code;
  }
}

class RequestError extends Error {
  constructor(key, fields = {}) {
    super(key);
    this.line = { key: `calc.error.${key}`, fields };
  }
}

const whole = (value, signed = false) => new Num(String(value === 0 ? 0 : Math.trunc(value)), signed);

function hundredths(value, signed = false) {
  const digits = String(Math.abs(value)).padStart(3, "0");
  return new Num(`${value < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`, signed);
}

const points = (value) => new Num(hundredths(value).text.replace(/0+$/, "").replace(/\.$/, ""));

// toFixed takes the exact value of the float and moves a half away from zero, as the command does.
function real(value, decimals = 2, signed = false) {
  const text = value.toFixed(decimals);
  return new Num(Number(text) === 0 ? text.replace("-", "") : text, signed);
}

const typed = (value) => new Num(real(value, 4).text.replace(/0+$/, "").replace(/\.$/, "") || "0");

class Answer {
  constructor(data = {}) {
    this.data = data;
    this.notes = [];
    this.steps = [];
  }
  note(key, fields = {}) {
    const line = { key: `calc.note.${key}`, fields };
    if (!this.notes.some((other) => JSON.stringify(other) === JSON.stringify(line))) this.notes.push(line);
  }
  step(key, fields = {}) {
    this.steps.push({ key: `calc.step.${key}`, fields });
  }
}

// --- an answer in words: as calc/words.py ---------------------------------------------------------------------------

function say(language, key, fields = {}) {
  let text = DATA.texts[language][key];
  if (text === undefined) throw new Error(`no text ${key}`);
  if (typeof text === "object") text = text[fields.n === 1 ? "one" : "other"];
  return text.replace(/\{(\w+)\}/g, (_, name) => String(fields[name]));
}

function textOf(value, language) {
  if (value === null || value === undefined) return "-";
  if (value instanceof Num) return value.shown(say(language, "number.decimal"));
  return value instanceof Word ? say(language, `calc.word.${value.code}`) : String(value);
}

function sentence(line, language) {
  const fields = {};
  for (const [name, value] of Object.entries(line.fields)) {
    fields[name] = typeof value === "number" ? value : textOf(value, language);
  }
  return say(language, line.key, fields);
}

function shown(answer, language) {
  const facts = [];
  const tables = [];
  for (const [name, value] of Object.entries(answer.data)) {
    if (Array.isArray(value)) {
      if (!value.length) continue;
      const headings = Object.keys(value[0]).map((column) => say(language, `calc.head.${column}`));
      const rows = value.map((row) => Object.values(row).map((cell) => textOf(cell, language)));
      tables.push({ name: say(language, `calc.head.${name}`), headings, rows });
    } else if (value !== null) {
      facts.push({ name, label: say(language, `calc.head.${name}`), value: textOf(value, language) });
    }
  }
  const sentences = (lines) => lines.map((line) => sentence(line, language));
  return { facts, tables, notes: sentences(answer.notes), steps: sentences(answer.steps) };
}
