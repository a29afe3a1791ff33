/**
 * The desk without its elements: speeds, presets, the address, tasks, and words.
 *
 * A fader has 16 steps: step s divides the speed of its pair by 8 ** (s / 15).
 */

import { rotaryFrequencies } from "../maths/rotary.js";

/** @typedef {{ steps: number[], mutes: boolean[], length: number }} State */
/** @typedef {{ rights: Uint8Array[], looks: Float64Array }} Known for each text and place 1 if the answer is right; attention of (query, head, offset), a sum over the texts */
/** @typedef {{ state: State, share: number, isByHand: boolean }} Result `share` of the answers are right; no preset was pressed since a fader moved */

export const PAIRS = 16;
export const TRAINED = 32; // letters of the texts in training
export const MOST = 256;
export const TEXTS = 8;
export const BACK = 3; // each place asks for the letter as many places before it
export const OFFSETS = 33; // how far back the curve goes
const LAST = 15; // step of the slowest speed
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

/** The share of right answers. @param {Known} known @param {number} length */
export function share({ rights }, length) {
  const right = rights.reduce((sum, each) => each.subarray(BACK, length).reduce((before, one) => before + one, sum), 0);
  return right / (rights.length * (length - BACK));
}

/** The mean attention of each head by offset, one head after the other. @param {Known} known @param {number} length */
export function lookBack({ looks, rights }, length) {
  const mean = new Float64Array(2 * OFFSETS);
  for (let query = 0; query < length; query++) {
    for (let at = 0; at < mean.length; at++) mean[at] += looks[query * mean.length + at] / (length - Math.min(at % OFFSETS, length - 1)) / rights.length;
  }
  return mean;
}

/** Where each head looks, in words. @param {Float64Array} mean */
export function peaks(mean) {
  const [one, other] = [0, 1].map((head) => {
    const own = mean.subarray(head * OFFSETS, (head + 1) * OFFSETS);
    return own.indexOf(Math.max(...own));
  });
  if (one !== other) return `Head 1 looks mostly ${one} back, head 2 ${other}.`;
  return one > BACK ? `Both heads look mostly ${one} back, since three back now looks like ${one}.` : `Both heads look mostly ${one} back.`;
}

/** The pairs that turn. @param {State} state */
export const turning = ({ mutes }) => mutes.filter((isMute) => !isMute).length;

/** Names of the tasks, and what a result that solves it earns. @type {[string, (result: Result) => string | false][]} */
export const TASKS = [
  ["Make it read 256: nine in ten answers right at full length.", ({ state, share }) => state.length === MOST && share >= 0.9 && "done"],
  ["Break it with all faders at 1/8.", ({ state, share }) => turning(state) === PAIRS && state.steps.every((step) => step === LAST) && share < 0.2 && "done"],
  ["From there, bring back only the fast ones, until it reads 256 again.", ({ state, share, isByHand }) => isByHand && state.length === MOST && share >= 0.9
    && state.steps[0] <= 1 && state.steps.slice(PAIRS / 2).every((step) => step >= LAST - 1) && "done"],
  ["At 32 letters, mute clocks. How few can you keep with 19 in 20 right? Try for three.", ({ state, share }) => state.length === TRAINED && turning(state) <= 3 && share >= 0.95
    && `done, with ${turning(state)}`],
  ["Build YaRN by hand, each fader within two steps.", ({ state, share, isByHand }) => isByHand && turning(state) === PAIRS && share >= 0.95
    && state.steps.every((step, pair) => Math.abs(step - PRESETS.yarn[pair]) <= 2) && "done: this is the curve of Peng et al. (2023)"],
];
