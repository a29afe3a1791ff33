/**
 * The desk without its elements: speeds, presets, the address, tasks, and words.
 *
 * A fader has 16 steps: step s divides the speed of its pair by 8 ** (s / 15).
 */

import { fresh } from "../clocks/outlines.js";
import { rotaryFrequencies } from "../maths/rotary.js";
import { xorshift } from "../maths/generator.js";

/** @typedef {{ steps: number[], mutes: boolean[], length: number }} State */
/** @typedef {{ texts: number, verdicts: Uint8Array, rights: Float64Array, looks: Float64Array }} Known verdicts on the first text, 1 if right; over all texts and all places up to each one: right answers, and attention by (place, head, offset) */
/** @typedef {{ state: State, share: number, isByHand: boolean }} Result `share` of the answers are right; no preset was pressed since a fader moved */

export const PAIRS = 16;
export const TRAINED = 32; // letters of the texts in training
export const MOST = 256;
export const TEXTS = 8;
export const BACK = 3; // each place asks for the letter as many places before it
export const OFFSETS = 33; // how far back the curve goes
export const LAST = 15; // step of the slowest speed
export const LETTERS = "abcdefghijklmnop";
const FACTOR = MOST / TRAINED;
const [BASE, WIDTH] = [10_000, 2 * PAIRS];

export const plain = rotaryFrequencies(null, BASE, WIDTH);

/** Radians for each letter. @param {State} state */
export const speeds = ({ steps, mutes }) => plain.map((speed, pair) => (mutes[pair] ? 0 : speed * FACTOR ** (-steps[pair] / LAST)));

/** The nearest steps. @param {ArrayLike<number>} divisors of the speeds @param {number} [most] that the slowest step stands for */
export const nearest = (divisors, most = FACTOR) => Array.from(divisors, (divisor) => Math.min(LAST, Math.round(LAST * Math.log(divisor) / Math.log(most))));

/** @param {import("../config/scalings.js").Scaling} scaling */
const scaled = (scaling) => nearest(rotaryFrequencies(scaling, BASE, WIDTH).map((speed, pair) => plain[pair] / speed));
const parts = { factor: FACTOR, original_max_position_embeddings: TRAINED };

/** Steps of each preset; LongRoPE's come from the page's table. @type {Record<string, number[]>} */
export const PRESETS = {
  trained: scaled({ type: "Linear", factor: 1 }),
  linear: scaled({ type: "Linear", factor: FACTOR }),
  ntk: scaled({ type: "NTK", factor: FACTOR }),
  yarn: scaled({ type: "YaRN", ...parts, beta_fast: 4, beta_slow: 0.5, truncate: false, mscale: 1, mscale_all_dim: 0, attention_factor: 1 }),
  llama3: scaled({ type: "Llama3", ...parts, low_freq_factor: 1, high_freq_factor: 4 }),
};

/** @param {number[]} steps */
const hex = (steps) => steps.map((step) => step.toString(16)).join("");

/** The query string of a state. @param {State} state */
export const toSearch = ({ steps, mutes, length }) => `?speeds=${hex(steps)}&mutes=${hex(mutes.map(Number))}&length=${length}`;

/** The state in an address; what is missing or not valid is as trained. @param {string} search @returns {State} */
export function fromSearch(search) {
  const asked = new URLSearchParams(search);
  const digits = (/** @type {string} */ name, /** @type {RegExp} */ valid) => Array.from(valid.exec(asked.get(name) ?? "")?.[0] ?? "0".repeat(PAIRS), (digit) => parseInt(digit, 16));
  const length = Number(asked.get("length"));
  return {
    steps: digits("speeds", /^[\da-f]{16}$/), mutes: digits("mutes", /^[01]{16}$/).map(Boolean),
    length: Number.isInteger(length) && length >= TRAINED && length <= MOST ? length : MOST,
  };
}

/** The letters of a text, as numbers. @param {number} text */
export function letters(text) {
  const draw = xorshift(text + 1);
  return Array.from({ length: MOST }, () => draw(LETTERS.length));
}

/** The share of right answers. @param {Known} known @param {number} length */
export const share = ({ rights, texts }, length) => rights[length - 1] / (texts * (length - BACK));

/** The share in words: a percentage, and of what. @param {Known} known @param {number} length */
export const scored = (known, length) => [`${Math.round(100 * share(known, length))}%`, `right, in ${known.texts} texts of ${length} letters`];

/** The mean attention of each head by offset, one head after the other. @param {Known} known @param {number} length */
export const lookBack = ({ looks, texts }, length) => looks.slice((length - 1) * 2 * OFFSETS, length * 2 * OFFSETS).map((sum, at) => sum / (length - Math.min(at % OFFSETS, length - 1)) / texts);

/** The pairs that turn. @param {State} state */
export const turning = ({ mutes }) => mutes.filter((isMute) => !isMute).length;

/** What the desk shows, why, and what to try. @param {Known} known @param {State} state */
export function told(known, state) {
  const [own, mean, isRight] = [speeds(state), lookBack(known, state.length), share(known, state.length) >= 0.9];
  const reached = own.filter((speed, pair) => fresh(plain[pair] * TRAINED, speed * state.length)).length;
  const [one, other] = [mean.subarray(0, OFFSETS), mean.subarray(OFFSETS)].map((head) => head.indexOf(Math.max(...head)));
  const isSqueezed = one === other && one > BACK && Math.abs(one * own[0] - BACK * plain[0]) < own[0] / 2;
  const slow = state.steps.slice(PAIRS / 2);
  return [
    `${reached || "None"} of ${turning(state)} turning clocks reach${reached === 1 ? "es" : ""} new angles (red).`,
    isSqueezed ? `Neighbours are too close: ${one} letters now turn the fastest clock as far as ${BACK} did in training, so both heads look ${one} back.`
      : one === other ? `Both heads look mostly ${one} back.` : `Head 1 looks mostly ${one} back, head 2 ${other}.`,
    isSqueezed ? "Push up the fast clocks, on the left." : "",
    !isRight && !isSqueezed && reached > 1 && turning(state) === PAIRS && state.steps[0] < 2 ? "Pull the red clocks down." : "",
    isRight && reached < 2 && state.length === MOST && state.steps[0] < 2 && Math.min(...slow) > 7 ? "The fast clocks turn as in training, so neighbours stay apart. The slow ones, slowed, keep to angles that the model knows." : "",
  ].filter(Boolean).join(" ");
}

/** Names of the tasks, and what a result that solves it earns. @type {[string, (result: Result) => string | false][]} */
export const TASKS = [
  ["Make it read 256: nine in ten answers right at full length.", ({ state, share }) => state.length === MOST && share >= 0.9 && "done"],
  ["Break it: all faders at the bottom, 1/8. Why does it look 24 back?", ({ state, share }) => turning(state) === PAIRS && state.steps.every((step) => step === LAST) && share < 0.2 && "done"],
  ["From there, bring back only the fast clocks, until it reads 256 again.", ({ state, share, isByHand }) => isByHand && state.length === MOST && share >= 0.9
    && state.steps[0] <= 1 && state.steps.slice(PAIRS / 2).every((step) => step >= LAST - 1) && "done"],
  ["At 32 letters, mute clocks. How few can you keep with 19 in 20 right? Try for three.", ({ state, share }) => state.length === TRAINED && turning(state) <= 3 && share >= 0.95
    && `done, with ${turning(state)}`],
  ["Build YaRN by hand, each fader within two steps.", ({ state, share, isByHand }) => isByHand && turning(state) === PAIRS && share >= 0.95
    && state.steps.every((step, pair) => Math.abs(step - PRESETS.yarn[pair]) <= 2) && "done: this is the curve of Peng et al. (2023)"],
];
