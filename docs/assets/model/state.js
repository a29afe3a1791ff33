/**
 * The state that the reader chooses, its text, and its address.
 */

import { shuffled, xorshift } from "../maths/generator.js";

/** @import { Scaling } from "./encodings.js" */
/** @typedef {{ model: string, scaling: Scaling, off: boolean, length: number, seed: number, text: string }} State `text` is typed; drawn letters follow it */

/** The live models, by the names of their files. @type {Record<string, string>} */
export const MODELS = {
  none: "None",
  "none-2-layers": "None, two layers",
  sinusoidal: "Sinusoidal",
  learned: "Learned table",
  rope: "RoPE",
  alibi: "ALiBi",
  t5: "T5’s buckets",
};

/** @type {Record<Scaling, string>} */
export const SCALINGS = { trained: "As trained", linear: "Linear", ntk: "NTK", parts: "By parts, as YaRN" };

export const LETTERS = "abcdefghijklmnop";
export const MOST = 128; // letters of a text
export const MOST_SEED = 2 ** 32 - 1;

/** @type {State} */
export const DEFAULTS = { model: "learned", scaling: "trained", off: false, length: 64, seed: 1, text: "" };

const last = { seed: 0, letters: "" };

/** The letters that `seed` draws. @param {number} seed */
function drawn(seed) {
  if (seed !== last.seed) {
    const draw = xorshift(seed);
    Object.assign(last, { seed, letters: Array.from({ length: MOST }, () => LETTERS[draw(LETTERS.length)]).join("") });
  }
  return last.letters;
}

/** The text that the model sees. @param {State} state */
export function shown({ text, seed, length }) {
  return (text + drawn(seed).slice(text.length)).slice(0, length);
}

/** Whether the model has an encoding that can be switched off. @param {State} state */
export const hasEncoding = ({ model }) => !model.startsWith("none");

/** Whether the state has a scaling that matters. @param {State} state */
export const hasScaling = ({ model, off }) => model === "rope" && !off;

/** The letters in `given` that the models know, and a note about the others. @param {string} given */
export function spelled(given) {
  const letters = [...given.toLowerCase().replace(/\s/g, "")];
  const known = letters.filter((letter) => LETTERS.includes(letter));
  const unknown = [...new Set(letters.filter((letter) => !LETTERS.includes(letter)))];
  const notes = [
    unknown.length ? `The models know the letters a to p; left out: ${unknown.slice(0, 8).join(" ")}.` : "",
    known.length > MOST ? `A text has at most ${MOST} letters, got ${known.length}; the first ${MOST} are kept.` : "",
  ];
  return { text: known.slice(0, MOST).join(""), note: notes.join(" ").trim() };
}

/** The state after all letters but the last were shuffled. @param {State} state @returns {State} */
export function withShuffle(state) {
  const letters = [...shown(state)];
  const last = letters.pop() ?? "";
  return { ...state, text: shuffled(letters, xorshift(state.seed)).join("") + last };
}

/**
 * The state in an address, and a note for each value that is not valid.
 * @param {string} search
 * @returns {{ state: State, notes: string[] }}
 */
export function fromSearch(search) {
  const asked = new URLSearchParams(search);
  const state = { ...DEFAULTS };
  /** @type {string[]} */
  const notes = [];
  /** @param {keyof State} name @param {string} rule @param {(text: string) => any} read what `text` says, or undefined @param {string} [instead] */
  const take = (name, rule, read, instead = `using ${state[name]}`) => {
    const text = asked.get(name);
    if (text === null) return;
    const value = read(text);
    if (value === undefined) notes.push(`${name} must be ${rule}, got “${text.slice(0, 24)}${text.length > 24 ? "…" : ""}”; ${instead}.`);
    else Object.assign(state, { [name]: value });
  };
  const whole = (/** @type {number} */ most) => (/** @type {string} */ text) => (/^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined);
  const one = (/** @type {object} */ of) => (/** @type {string} */ text) => (Object.hasOwn(of, text) ? text : undefined);
  take("model", `one of ${Object.keys(MODELS).join(", ")}`, one(MODELS));
  take("scaling", `one of ${Object.keys(SCALINGS).join(", ")}`, one(SCALINGS));
  take("off", "1", (text) => (text === "1" ? true : undefined), "the encoding stays on");
  take("length", `a whole number from 1 to ${MOST}`, whole(MOST));
  take("seed", `a whole number from 1 to ${MOST_SEED}`, whole(MOST_SEED));
  take("text", `at most ${MOST} letters from a to p`, (text) => (spelled(text).note ? undefined : spelled(text).text), "using a random one");
  return { state, notes };
}

/** The query string of `state`: what differs from the defaults. @param {State} state */
export function toSearch(state) {
  const names = /** @type {(keyof State)[]} */ (Object.keys(DEFAULTS));
  const given = names.filter((name) => state[name] !== DEFAULTS[name]);
  return given.length ? `?${given.map((name) => `${name}=${Number(state[name]) || state[name]}`).join("&")}` : "";
}
