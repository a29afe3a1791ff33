/**
 * The encoding in low precision, as in `posenc/precision.py`.
 */

import { encode, frequencies } from "./encoding.js";

/** @typedef {{ bits: number, least: number }} Format bits of the significand; below 2 ** least, numbers have fewer */

/** @type {Record<string, Format>} */
export const FORMATS = {
  bfloat16: { bits: 8, least: -126 },
  float16: { bits: 11, least: -14 },
  float32: { bits: 24, least: -126 },
};

/**
 * `value` rounded to the format, ties to even.
 * @param {number} value well below the largest number of the format
 * @param {Format} format
 */
export function rounded(value, { bits, least }) {
  if (value === 0) return value;
  // If rounding raises the logarithm to a whole number, the value itself rounds up to that power.
  const exponent = Math.max(least, Math.floor(Math.log2(Math.abs(value))));
  const unit = 2 ** (exponent + 1 - bits);
  const far = 1.5 * 2 ** 52; // float64 numbers of this size are whole, so adding it rounds
  return (value / unit + far - far) * unit;
}

/**
 * The vector of one position; every step is rounded, or with `castLast` only the result.
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
 * The largest error of `encodeLow`.
 * @param {number} position
 * @param {number} dModel
 * @param {Format} format
 * @param {boolean} castLast
 */
export function precisionError(position, dModel, format, castLast) {
  const exact = encode(position, dModel);
  return encodeLow(position, dModel, format, castLast).reduce((most, value, j) => Math.max(most, Math.abs(value - exact[j])), 0);
}
