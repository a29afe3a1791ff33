/**
 * Errors as the pages write them.
 * @module maths/errors
 */

/**
 * `value`, not negative, to two digits: 1.1, 0.02, and 3.1 × 10⁻⁵ where zeros would have to be counted.
 * @param {number} value
 */
export function rough(value) {
  const [digits, power] = value.toExponential(1).split("e-");
  if (!power || Number(power) < 4) return String(Number(value.toPrecision(2)));
  return `${digits}\u00a0×\u00a010⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
