/**
 * Numbers in the format of the page.
 */

/** With at most `digits` digits, commas and a real minus sign. @param {number | bigint} value @param {number} [digits] */
export function numeral(value, digits = 7) {
  const number = Number(value);
  if (!Number.isFinite(number)) return number > 0 ? "infinite" : String(number);
  const size = Math.abs(number);
  if (size && (size < 1e-3 || size >= 1e15)) {
    const [first, power] = number.toExponential(digits - 1).split("e");
    return `${String(Number(first))} × 10${raised(power.replace("+", ""))}`.replace("-", "−");
  }
  return number.toLocaleString("en", { maximumSignificantDigits: Math.max(digits, 1) }).replace("-", "−");
}

/** @param {string | number} power */
export const raised = (power) => [...String(power)].map((char) => (char === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(char)])).join("");

/** @param {string[]} names */
export const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`);
