/**
 * The desk without its elements: speeds, presets, the address, tasks, and words.
 *
 * A fader has 16 steps: step s divides the speed of its pair by 8 ** (s / 15).
 */

import { fresh } from "../clocks/outlines.js";
import { rotaryFrequencies } from "../maths/rotary.js";
import { xorshift } from "../maths/generator.js";

/** @typedef {{ steps: number[], mutes: boolean[], length: number }} State */
/** @typedef {{ texts: number, verdicts: Uint8Array, rights: Float64Array, finds: Float64Array, looks: Float64Array }} Known verdicts on the first text, 1 if right; over all texts and all places up to each one: right answers, places where a head attends most to the letter of the task, and attention by (place, head, offset) */
/** @typedef {{ state: State, share: number, origin: number }} Result `share` of the answers are right; all faders started at the step `origin`, or at a preset that solves tasks, if it is negative */

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

/** @param {number} part */
const percent = (part) => `${Math.round(100 * part)}%`;

/** The share in words: a percentage, and of what. @param {Known} known @param {number} length */
export const scored = (known, length) => [percent(share(known, length)), `right, in ${known.texts} texts of ${length} letters`];

/** The mean attention of each head by offset, one head after the other. @param {Known} known @param {number} length */
export const lookBack = ({ looks, texts }, length) => looks.slice((length - 1) * 2 * OFFSETS, length * 2 * OFFSETS).map((sum, at) => sum / (length - Math.min(at % OFFSETS, length - 1)) / texts);

/** What screen readers hear of the text. @param {Known} known @param {number} length */
export const heard = (known, length) => ["A text and the verdicts:", ...scored(known, length), "– right in each quarter:", ...[0, 1, 2, 3].map((quarter) => {
  const [from, to] = [quarter, quarter + 1].map((end) => Math.max(BACK, Math.round(end * length / 4)));
  return percent((known.rights[to - 1] - known.rights[from - 1]) / known.texts / (to - from));
})].join(" ");

/** What they hear of the curve. @param {Known} known @param {number} length */
export const looked = (known, length) => ["Where the heads look", ...[0, 1].map((head) => `head ${head + 1} pays ${percent(lookBack(known, length)[head * OFFSETS + BACK])} of its attention ${BACK} letters back`)].join(", ");

/** The pairs that turn. @param {State} state */
export const turning = ({ mutes }) => mutes.filter((isMute) => !isMute).length;

/** What the desk shows, why, and what to try. @param {Known} known @param {State} state */
export function told(known, state) {
  const [own, mean, isRight] = [speeds(state), lookBack(known, state.length), share(known, state.length) >= 0.9];
  const reached = own.filter((speed, pair) => fresh(plain[pair] * TRAINED, speed * state.length)).length;
  const [one, other] = [mean.subarray(0, OFFSETS), mean.subarray(OFFSETS)].map((head) => head.indexOf(Math.max(...head)));
  const isSqueezed = one === other && one > BACK && Math.abs(one * own[0] - BACK * plain[0]) < own[0] / 2;
  const [now, before] = [state.length, TRAINED].map((length) => known.finds[length - 1] / known.texts / (length - BACK));
  const isLost = !isRight && !isSqueezed && reached > 1 && now < 0.95 * before;
  return [
    `${reached || "None"} of ${turning(state)} turning clocks reach${reached === 1 ? "es" : ""} new angles (red arc).`,
    isSqueezed ? `Neighbours are too close: ${one} letters now turn the fastest clock as far as ${BACK} did in training, so both heads look ${one} back. Push up the fast clocks, on the left.`
      : one !== BACK || other !== BACK ? `Head 1 looks mostly ${one} back, head 2 ${other}.`
      : `At ${percent(now)} of the places a head looks most at the letter ${BACK} back, and in the first ${TRAINED} letters at ${percent(before)}.`,
    isLost ? "At angles that the model never met, its heads lose sight of that letter." : isRight && reached === 1 ? "The one red arc does little harm here." : "",
    isLost && turning(state) === PAIRS && state.steps[0] < 2 ? "Keep to angles that it knows: pull the clocks with red arcs down." : "",
    isRight && reached < 2 && state.length === MOST && state.steps[0] < 2 && Math.min(...state.steps.slice(PAIRS / 2)) > 7 ? "The fastest clock hardly slows, so neighbours stay apart. The slow ones, slowed, keep to angles that the model knows." : "",
  ].filter(Boolean).join(" ");
}

/** Names of the tasks, and whether a result solves each. @type {[string, (result: Result) => boolean][]} */
export const TASKS = [
  ["Make it read 256: nine in ten answers right at full length, by hand.", ({ state, share, origin }) => origin >= 0 && state.length === MOST && share >= 0.9],
  ["Break it: all faders at the bottom. Why does it look 24 back?", ({ state, share }) => turning(state) === PAIRS && state.steps.every((step) => step === LAST) && share < 0.2],
  ["From there, bring back only the fast clocks, until it reads 256 again.", ({ state, share, origin }) => origin === LAST && state.length === MOST && share >= 0.9 && state.steps[0] <= 1 && state.steps.slice(PAIRS / 2).every((step) => step >= LAST - 1)],
  ["At 32 letters, mute clocks. How few can you keep with 19 in 20 right? Try for three.", ({ state, share }) => state.length === TRAINED && turning(state) <= 3 && share >= 0.95],
  ["Build YaRN by hand, each fader within two steps.", ({ state, share, origin }) => origin >= 0 && turning(state) === PAIRS && share >= 0.95 && state.steps.every((step, pair) => Math.abs(step - PRESETS.yarn[pair]) <= 2)],
];
