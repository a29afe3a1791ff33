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

/**
 * `value`, not negative, to two digits: 1.1, 0.02, and 3.1 × 10⁻⁵ where zeros would have to be counted.
 * @param {number} value
 */
export function rough(value) {
  const [digits, power] = value.toExponential(1).split("e-");
  if (!power || Number(power) < 4) return String(Number(value.toPrecision(2)));
  return `${digits}\u00a0×\u00a010⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
