/**
 * Numbers as the pages write them.
 * @module maths/numerals
 */

/**
 * `value` with a true minus, no minus zero, commas between thousands.
 * @param {number} value
 * @param {number} [digits] after the point
 */
export function shown(value, digits = 0) {
  const text = value.toFixed(digits);
  const [whole, fraction] = text.replace("-", "").split(".");
  const sign = Number(text) < 0 ? "−" : "";
  return sign + whole.replace(/\B(?=(\d{3})+$)/g, ",") + (fraction ? `.${fraction}` : "");
}
