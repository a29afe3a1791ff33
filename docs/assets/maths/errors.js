/**
 * Errors in the format of the pages.
 */

/** `value`, not negative, to two digits: 1.1, 0.02; below 0.001 as 3.1 × 10⁻⁵. @param {number} value */
export function rough(value) {
  const [digits, power] = value.toExponential(1).split("e-");
  if (!power || Number(power) < 4) return String(Number(value.toPrecision(2)));
  return `${digits}\u00a0×\u00a010⁻${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`;
}
