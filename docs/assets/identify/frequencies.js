/**
 * Frequencies of any convention, with any scale and base.
 */

import { exactFrequencies, split } from "../maths/encoding.js";

/** @typedef {import("../maths/encoding.js").Exact} Exact */

const FAR = 40; // log2 of the largest power that exactFrequencies takes

/**
 * `scale * base ** (-2 i / dModel)` for each pair i, to 106 bits; to 53 if `base` is extreme or `dModel` no integer.
 * @param {number} dModel
 * @param {number} base
 * @param {number} pairs
 * @param {number} scale
 * @returns {Exact}
 */
export function scaledFrequencies(dModel, base, pairs, scale) {
  const widest = Math.abs(Math.log2(base)) * Math.max(1, Math.abs((2 * pairs) / dModel)); // log2 of the range of powers
  if (widest > FAR || !Number.isInteger(dModel)) {
    const high = Float64Array.from({ length: pairs }, (_, i) => scale * base ** (i && (-2 * i) / dModel)); // pair 0 at dModel 0 too
    return { high, low: new Float64Array(pairs) };
  }
  const { high, low } = exactFrequencies(dModel, base, pairs);
  if (scale === 1) return { high, low };
  const [head, tail] = split(scale);
  const product = high.map((w) => w * scale);
  return {
    high: product,
    low: low.map((rest, i) => { // rounding error of the product, plus the low bits of the frequency
      const [wHead, wTail] = split(high[i]);
      return rest * scale + (wHead * head - product[i] + wHead * tail + wTail * head + wTail * tail);
    }),
  };
}
