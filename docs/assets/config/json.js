/**
 * JSON as Python reads it: integers are BigInts, so that 64 and 64.0 differ; objects are Maps; NaN and
 * Infinity are numbers.
 */

/** @typedef {Map<string, any>} Config */

export const LONGEST = 2e6; // characters; the longest published configs have some 10,000
const DEEPEST = 200; // objects and lists inside each other
const TOKEN = /\s*(?:([[\]{},:])|("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*))((?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])|(NaN|-?Infinity|true|false|null)(?!\w))/y;
/** @type {Record<string, any>} */
const WORDS = { NaN, Infinity, "-Infinity": -Infinity, true: true, false: false, null: null };

/** A text that is no config, with the line at fault. */
export class Unreadable extends Error {}

/**
 * The config in a text: JSON, or what Python prints of a config of transformers.
 * @param {string} text
 * @returns {any}
 */
export function parsed(text) {
  if (text.length > LONGEST) throw new Unreadable(`longer than ${LONGEST.toLocaleString("en")} characters, the most that this page takes: got ${text.length.toLocaleString("en")}`);
  const blank = (/** @type {string} */ part) => part.replace(/\S/g, " ");
  const json = text.replace(/^\ufeff/, "").replace(/^\s*(```\w*|\w+ (?=\{))|```\s*$/g, blank); // a block of Markdown, or LlamaConfig {
  const reader = new Reader(json);
  const value = reader.value(0);
  if (json.slice(reader.at).trim()) reader.refuse(/^\s*"/.test(json) ? "{ in front" : "its end");
  return value;
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  /** @param {string} wanted @returns {never} */
  refuse(wanted) {
    const rest = this.text.slice(this.at).trimStart();
    const line = this.text.slice(0, this.text.length - rest.length).split("\n").length;
    const got = rest.split("\n")[0].trim();
    const hint = /^(?:'|True\b|False\b|None\b)/.test(got) ? "; Python's json.dumps(config) writes JSON" : "";
    throw new Unreadable(`not JSON: line ${line} must have ${wanted}, got ${got ? `“${got.length > 24 ? `${got.slice(0, 24)}…` : got}”` : "the end of the text"}${hint}`);
  }

  /** The next token, if it is `mark`. @param {string} mark */
  skip(mark) {
    const [found, sign] = this.token() ?? [];
    if (!found || sign !== mark) return false;
    this.at += found.length;
    return true;
  }

  token() {
    TOKEN.lastIndex = this.at;
    return TOKEN.exec(this.text);
  }

  /** @param {number} depth @returns {any} */
  value(depth) {
    const found = this.token();
    if (!found || depth > DEEPEST) return this.refuse(found ? `at most ${DEEPEST} levels` : "a value");
    const [whole, sign, string, digits, rest, word] = found;
    if (sign && sign !== "{" && sign !== "[") this.refuse("a value");
    this.at += whole.length;
    if (sign === "{") return this.object(depth + 1);
    if (sign === "[") return this.list(depth + 1);
    if (string) return JSON.parse(string);
    if (word) return WORDS[word];
    return rest ? Number(digits + rest) : BigInt(digits);
  }

  /** @param {number} depth @returns {Config} */
  object(depth) {
    const held = new Map();
    if (this.skip("}")) return held;
    do {
      const [whole, , name] = this.token() ?? [];
      if (!whole || !name) this.refuse("a name in double quotes");
      this.at += whole.length;
      if (!this.skip(":")) this.refuse("a colon");
      held.set(JSON.parse(name), this.value(depth));
    } while (this.skip(","));
    if (!this.skip("}")) this.refuse("a comma or }");
    return held;
  }

  /** @param {number} depth @returns {any[]} */
  list(depth) {
    /** @type {any[]} */
    const held = [];
    if (this.skip("]")) return held;
    do held.push(this.value(depth)); while (this.skip(","));
    if (!this.skip("]")) this.refuse("a comma or ]");
    return held;
  }
}
