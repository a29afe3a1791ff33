/**
 * Everything that the views show of a state, and sentences about it.
 */

import { distance, encode, frequencies, law, similarity, wavelengths } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";

/** @import { State } from "./state.js" */
/**
 * @typedef {object} Model
 * @property {State} state
 * @property {number} pairs
 * @property {Float64Array} frequencies
 * @property {Float64Array} wavelengths
 * @property {number} finished pairs whose wavelength is at most the length
 * @property {Float64Array} row vector of the highlighted position
 * @property {Float64Array} similarities to a position 0, 1, 2 ... away, divided by d / 2
 * @property {number} lowest -1 if a similarity is below -0.5, else -0.5
 * @property {string} shape key of everything that the matrix and the similarities depend on
 * @property {Partial<Pick<Model, "frequencies" | "wavelengths" | "similarities" | "lowest">>} found computed already for this shape
 */
/** @typedef {{ view: import("./views.js").View, position: number, dimension: number }} Mark a place in a view; dimension is -1 in a view that has none */

/** Names of what the explorer says about the place under the pointer. */
export const FIELDS = /** @type {const} */ (["position", "dimension", "pair", "wavelength", "value"]);

/**
 * Weights of the sums 1/2, 3/2, 5/2 ... steps away, on both sides, fitted for phases to 1.6 from sum to sum and rounded.
 * The tests hold what they give to 5e-5.
 */
const BETWEEN = [0.619129, -0.164665, 0.061849, -0.020821, 0.005244, -0.000743];

/**
 * Sums of the pairs' cosines times `share` at the positions 0 to `length - 1`, to 1e-4 for each pair, far below a pixel.
 *
 * Chebyshev's recurrence takes one product per pair and position. Each pass takes four positions,
 * because loading and storing a pair takes longer than its product. Slow pairs are summed at every
 * other position, the slower of them at every fourth and so on; BETWEEN gives the sums that lie between these.
 * @param {Float64Array} frequency falling
 * @param {number} length
 * @param {number} share
 * @param {number} [first] index of the fastest pair that is still to be summed
 * @param {number} [step] positions from sum to sum
 * @returns {Float64Array} at least `length` sums
 */
function sums(frequency, length, share, first = 0, step = 1) {
  const found = new Float64Array(length + 3);
  let slow = first;
  while (slow < frequency.length && (length < 64 || step * frequency[slow] >= 0.8)) slow += 1;
  const pairs = slow - first;
  const here = new Float64Array(pairs).fill(share);
  const [twice, before] = [new Float64Array(pairs), new Float64Array(pairs)];
  for (let i = 0; i < pairs; i++) {
    const cosine = Math.cos(step * frequency[first + i]);
    twice[i] = 2 * cosine;
    before[i] = share * cosine;
  }
  for (let k = 0; k < length; k += 4) {
    let [sum, second, third, fourth] = [0, 0, 0, 0];
    for (let i = 0; i < pairs; i++) {
      const factor = twice[i];
      const cosine = here[i];
      const next = factor * cosine - before[i];
      const after = factor * next - cosine;
      const last = factor * after - next;
      sum += cosine;
      second += next;
      third += after;
      fourth += last;
      here[i] = factor * last - after;
      before[i] = last;
    }
    found[k] = sum;
    found[k + 1] = second;
    found[k + 2] = third;
    found[k + 3] = fourth;
  }
  if (slow === frequency.length) return found;
  const every = sums(frequency, Math.ceil(length / 2) + 6, share, slow, 2 * step);
  for (let k = 0; k < length; k += 2) {
    const at = k / 2;
    found[k] += every[at];
    for (let side = 0; side < 6; side++) found[k + 1] += BETWEEN[side] * (every[Math.abs(at - side)] + every[at + 1 + side]);
  }
  return found;
}

/**
 * The model of `state`. It computes each part when a view first reads it, and keeps from `before`
 * the parts that have not changed.
 * @param {State} state
 * @param {Model} [before]
 * @returns {Model}
 */
export function model(state, before) {
  const { base, d_model: width, length, position } = state;
  const shape = `${base} ${width} ${length}`;
  const found = before?.shape === shape ? before.found : {};
  /** @type {Float64Array | undefined} */
  let row;
  return {
    state,
    shape,
    found,
    pairs: width / 2,
    get frequencies() { return found.frequencies ??= frequencies(width, base); },
    get wavelengths() { return found.wavelengths ??= wavelengths(width, base); },
    get finished() {
      const first = this.wavelengths.findIndex((wavelength) => wavelength > length); // they rise
      return first < 0 ? width / 2 : first;
    },
    get similarities() { return found.similarities ??= sums(this.frequencies, length, 2 / width).subarray(0, length); },
    get lowest() { return found.lowest ??= this.similarities.some((value) => value < -0.5) ? -1 : -0.5; },
    get row() { return row ??= encode(position, width, base); },
  };
}

/** A wavelength with about four digits. @param {number} wavelength */
export function lengthNumeral(wavelength) {
  return numeral(wavelength, wavelength < 100 ? 2 : wavelength < 1000 ? 1 : 0);
}

/** The sentences below the views. @param {Model} model */
export function sentence({ state, pairs, finished, wavelengths: lengths }) {
  const { base, d_model: width, length, offset } = state;
  const slow = lengths.filter((wavelength) => 2 * Math.PI * length < 0.1 * wavelength).length;
  const parts = [`Hands that finish a turn within ${numeral(length)} steps: ${finished} of ${pairs}; the slowest needs `
    + `${lengthNumeral(lengths[pairs - 1])}. Hands that turn by less than a tenth of a radian: ${slow}.`];
  const away = Math.abs(offset);
  parts.push(`Rows ${numeral(away)} apart have a similarity of ${numeral(similarity(offset, width, base), 2)} of at most ${pairs} `
    + `and a distance of ${numeral(distance(offset, width, base), 3)}.`);
  if (away && base > 1) {
    const holds = away < Math.min(base, Math.PI * width / Math.log(base));
    parts.push(holds ? `The law, an approximation for wide models, gives ${numeral(law(away, base) * pairs, 2)}.` : "The law, an approximation, does not hold so far away at this width and base.");
  }
  if (base === 1) parts.push("At base 1 all pairs turn at one speed, and the law would divide by zero.");
  return parts.join(" ");
}

/**
 * The text for each of FIELDS at `mark`.
 * @param {Mark} mark
 * @param {Model} model
 * @returns {Record<typeof FIELDS[number], string>}
 */
export function reading({ view: { kind }, position, dimension }, { state, wavelengths: lengths, frequencies: frequency }) {
  const { base, d_model: width, length, offset } = state;
  if (dimension < 0) {
    const away = position - state.position;
    const alike = numeral(similarity(away, width, base), 2);
    return {
      position: numeral(position), dimension: "–", pair: "–", wavelength: "–",
      value: `similarity ${alike}, distance ${numeral(distance(away, width, base), 3)}`,
    };
  }
  const pair = dimension >> 1;
  const vector = encode(position, width, base);
  let value = numeral(vector[dimension], 4);
  if (kind === "clocks") value = `sine ${numeral(vector[2 * pair], 3)}, cosine ${numeral(vector[2 * pair + 1], 3)}`;
  if (kind === "wavelengths") value = `${numeral(length / lengths[pair], 2)} turns in ${numeral(length)} steps`;
  if (kind === "rotation") value = `turned by ${numeral(offset * frequency[pair], 3)} radians`;
  const both = kind === "matrix" || kind === "row" ? numeral(dimension) : `${numeral(2 * pair)}, ${numeral(2 * pair + 1)}`;
  return {
    position: numeral(position), dimension: both, pair: numeral(pair), wavelength: lengthNumeral(lengths[pair]), value,
  };
}
