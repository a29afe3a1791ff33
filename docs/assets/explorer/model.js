/**
 * Everything that the views show of a state, and sentences about it.
 */

import { distance, encode, frequencies, law, similarity, wavelengths } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";

/** @typedef {import("./state.js").State} State */
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
 * Sums of the pairs' cosines times `share` at the positions 0 to `length - 1`, to 1e-4 for each pair, far below a pixel.
 *
 * Chebyshev's recurrence takes one product per pair and position. Each pass takes four positions,
 * because loading and storing a pair takes longer than its product. Slow pairs are summed at every
 * fourth position, the slowest of them at every 16th and so on. Between these sums lie quintics, each
 * through three sums on either side: at a phase of 1/2 from sum to sum, they are off by 7.4e-5.
 * @param {Float64Array} frequency falling
 * @param {number} length
 * @param {number} share
 * @returns {Float64Array} at least `length` sums
 */
function sums(frequency, length, share) {
  const fast = length < 64 ? -1 : frequency.findIndex((w) => w < 1 / 8);
  const { length: pairs } = fast < 0 ? frequency : frequency.subarray(0, fast);
  const found = new Float64Array(length + 3);
  const twice = frequency.map((w) => 2 * Math.cos(w));
  const before = twice.map((factor) => factor / 2 * share);
  const here = new Float64Array(pairs).fill(share);
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
    found.set([sum, second, third, fourth], k);
  }
  if (fast < 0) return found;
  const every = sums(frequency.subarray(fast).map((w) => 4 * w), Math.ceil(length / 4) + 3, share);
  for (let k = 0; k < length; k += 4) {
    const at = k / 4;
    const [a, b, c] = [every[Math.abs(at - 2)], every[Math.abs(at - 1)], every[at]];
    const [d, e, f] = [every[at + 1], every[at + 2], every[at + 3]];
    found[k] += c;
    found[k + 1] += (77 * a - 693 * b + 6930 * c + 2310 * d - 495 * e + 63 * f) / 8192;
    found[k + 2] += (3 * (a + f) - 25 * (b + e) + 150 * (c + d)) / 256;
    found[k + 3] += (63 * a - 495 * b + 2310 * c + 6930 * d - 693 * e + 77 * f) / 8192;
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
    get finished() { return this.wavelengths.filter((wavelength) => wavelength <= length).length; },
    get similarities() { return found.similarities ??= sums(this.frequencies, length, 2 / width).subarray(0, length); },
    get lowest() { return found.lowest ??= this.similarities.some((value) => value < -0.5) ? -1 : -0.5; },
    get row() { return row ??= encode(position, width, base); },
  };
}

/** A wavelength with about four digits. @param {number} wavelength */
export function lengthNumeral(wavelength) {
  return numeral(wavelength, wavelength < 100 ? 2 : wavelength < 1000 ? 1 : 0);
}

/**
 * The sentences below the views.
 * @param {Model} model
 */
export function sentence({ state, pairs, finished, wavelengths: lengths }) {
  const { base, d_model: width, length, position, offset } = state;
  const slow = lengths.filter((wavelength) => 2 * Math.PI * length < 0.1 * wavelength).length;
  const noun = (/** @type {number} */ count) => (count === 1 ? "pair" : "pairs");
  const does = finished === 1 ? "finishes" : "finish";
  const parts = [`${numeral(finished)} of ${numeral(pairs)} ${noun(pairs)} ${does} a turn within ${numeral(length)} steps`];
  if (finished < pairs) {
    parts[0] += `; the slowest would need ${lengthNumeral(lengths[pairs - 1])}`;
    if (slow) parts[0] += `, and ${numeral(slow)} ${slow === 1 ? "turns" : "turn"} by less than a tenth of a radian`;
  }
  parts[0] += ".";
  const away = Math.abs(offset);
  const alike = `${numeral(similarity(offset, width, base), 2)} of at most ${numeral(pairs)}`;
  if (away === 0) {
    parts.push(`An offset of 0 turns nothing: every position is at distance 0 from itself, with a similarity of ${alike}.`);
  } else {
    parts.push(`Position ${numeral(position)} and any other that is ${numeral(away)} away `
      + `have a similarity of ${alike} and a distance of ${numeral(distance(offset, width, base), 3)}.`);
    const holds = away < Math.min(base, Math.PI * width / Math.log(base));
    if (base > 1) parts.push(holds ? `The law, an approximation for wide models, gives ${numeral(law(away, base) * pairs, 2)}.` : "The law, an approximation, does not hold so far away at this width and base.");
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
