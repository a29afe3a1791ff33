/**
 * The encoding as low precision computes it: the package's names, as in `posenc/precision.py`.
 * @module maths/precision
 */

import { encode, frequencies } from "./encoding.js";

/** @typedef {{ bits: number, least: number }} Format bits of the significand, and the power of two below which there are fewer */

/** @type {Record<string, Format>} */
export const FORMATS = {
  bfloat16: { bits: 8, least: -126 },
  float16: { bits: 11, least: -14 },
  float32: { bits: 24, least: -126 },
};

/**
 * The nearest number of the format, ties to even.
 * @param {number} value well below the largest number of the format
 * @param {Format} format
 */
export function rounded(value, { bits, least }) {
  if (value === 0) return value;
  // A logarithm that is rounded up to a whole number belongs to a value that is rounded up, too.
  const exponent = Math.max(least, Math.floor(Math.log2(Math.abs(value))));
  const unit = 2 ** (exponent + 1 - bits);
  const far = 1.5 * 2 ** 52; // here float64 itself holds whole numbers only, and rounds to them
  return (value / unit + far - far) * unit;
}

/**
 * The vector of one position with every step rounded, or with the exact values rounded once.
 * @param {number} position
 * @param {number} dModel
 * @param {Format} format
 * @param {boolean} castLast
 */
export function encodeLow(position, dModel, format, castLast) {
  if (castLast) return encode(position, dModel).map((value) => rounded(value, format));
  const place = rounded(position, format);
  return Float64Array.from(frequencies(dModel)).reduce((row, frequency, pair) => {
    const phase = rounded(place * rounded(frequency, format), format);
    row[2 * pair] = rounded(Math.sin(phase), format);
    row[2 * pair + 1] = rounded(Math.cos(phase), format);
    return row;
  }, new Float64Array(dModel));
}

/**
 * The largest difference of that vector from the exact one.
 * @param {number} position
 * @param {number} dModel
 * @param {Format} format
 * @param {boolean} castLast
 */
export function precisionError(position, dModel, format, castLast) {
  const exact = encode(position, dModel);
  return encodeLow(position, dModel, format, castLast).reduce((most, value, j) => Math.max(most, Math.abs(value - exact[j])), 0);
}
