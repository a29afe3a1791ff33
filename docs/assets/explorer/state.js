/**
 * The state that the reader chooses: its limits, controls, presets, address, and the call in Python.
 */

/** @typedef {{ base: number, d_model: number, length: number, position: number, offset: number }} State */
/** @typedef {keyof State} Name */

/** @type {State} */
export const DEFAULTS = { base: 10_000, d_model: 128, length: 50, position: 10, offset: 5 };
export const NAMES = /** @type {Name[]} */ (Object.keys(DEFAULTS));

/**
 * Base, width and length have logarithmic sliders; `slider` and `value` convert both ways.
 * @type {Record<Name, { label: string, title: string, slider(value: number): number, value(slider: number): number }>}
 */
export const CONTROLS = {
  base: {
    label: "base <i>n</i>", title: "base",
    slider: (base) => Math.round(100 * Math.log10(base)),
    value: (slider) => Number((10 ** (slider / 100)).toPrecision(3)),
  },
  d_model: {
    label: "width <i>d</i>", title: "width, d_model",
    slider: (width) => Math.round(16 * Math.log2(width)),
    value: (slider) => 2 * Math.round(2 ** (slider / 16 - 1)),
  },
  length: {
    label: "length <i>L</i>", title: "length",
    slider: (length) => Math.round(16 * Math.log2(length)),
    value: (slider) => Math.round(2 ** (slider / 16)),
  },
  position: { label: "position <i>p</i>", title: "position", slider: Number, value: Number },
  offset: { label: "offset <i>k</i>", title: "offset", slider: Number, value: Number },
};

/** @type {[string, State][]} */
export const PRESETS = [
  ["The paper, 512 × 512", { base: 10_000, d_model: 512, length: 512, position: 100, offset: 5 }],
  ["ApX, 50 × 128", DEFAULTS],
  ["Tensor notebook, 10 × 6", { base: 10_000, d_model: 6, length: 10, position: 3, offset: 2 }],
  ["Gentle Introduction, 4 × 4", { base: 100, d_model: 4, length: 4, position: 1, offset: 1 }],
  ["Reset", DEFAULTS],
];

/**
 * Least and greatest value of `name`; those of position and offset depend on the length.
 * @param {Name} name
 * @param {State} state
 * @returns {[number, number]}
 */
export function limits(name, { length }) {
  if (name === "base") return [1, 1e6];
  if (name === "d_model") return [2, 1024];
  if (name === "length") return [4, 4096];
  return [name === "position" ? 0 : 1 - length, length - 1];
}

/** The valid value of `name` nearest to `value`. @param {Name} name @param {number} value @param {State} state */
export function valid(name, value, state) {
  const [least, most] = limits(name, state);
  const inside = Math.min(most, Math.max(least, value));
  if (name === "base") return inside;
  return name === "d_model" ? 2 * Math.floor(inside / 2) : Math.round(inside) || 0; // no −0
}

/**
 * `state` with one value changed; position and offset move if the length requires it.
 * @param {State} state
 * @param {Name} name
 * @param {number} value
 * @returns {State}
 */
export function changed(state, name, value) {
  const next = { ...state, [name]: valid(name, value, state) };
  for (const other of /** @type {const} */ (["position", "offset"])) {
    next[other] = valid(other, next[other], next);
  }
  return next;
}

/**
 * The value of `name` that `text` gives, or the one to use instead and a note that says why.
 * @param {Name} name
 * @param {string} text
 * @param {State} state
 * @returns {{ value: number, note: string }}
 */
export function understood(name, text, state) {
  const given = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : NaN;
  const value = Number.isNaN(given) ? state[name] : valid(name, given, state);
  if (value === given) return { value, note: "" };
  const [least, most] = limits(name, state);
  const kind = { base: "a number", d_model: "an even number" }[/** @type {string} */ (name)] ?? "a whole number";
  const asked = text.length > 24 ? `${text.slice(0, 24)}…` : text;
  return { value, note: `${name} must be ${kind} from ${least} to ${most}, got “${asked}”; using ${value}.` };
}

/**
 * The state in an address, and a note for each value that is not valid.
 * @param {string} search
 * @returns {{ state: State, notes: string[] }}
 */
export function fromSearch(search) {
  const asked = new URLSearchParams(search);
  let state = DEFAULTS;
  const notes = [];
  for (const name of NAMES) { // length comes before position and offset, which depend on it
    const text = asked.get(name);
    const { value, note } = text === null ? { value: state[name], note: "" } : understood(name, text, state);
    state = changed(state, name, value);
    if (note) notes.push(note);
  }
  return { state, notes };
}

/** The query string of `state`; empty for the defaults. @param {State} state */
export function toSearch(state) {
  if (NAMES.every((name) => state[name] === DEFAULTS[name])) return "";
  return `?${NAMES.map((name) => `${name}=${state[name]}`).join("&")}`;
}

/** Python code that makes the same matrix. @param {State} state */
export function python({ base, d_model, length }) {
  const named = base === DEFAULTS.base ? "" : `, base=${base}`;
  return `from posenc import positional_encoding\n\nmatrix = positional_encoding(${length}, ${d_model}${named})\n`;
}
