/**
 * Numbers in the format of the pages.
 */

/**
 * `value` with a real minus sign, no minus zero, and commas between thousands.
 * @param {number} value
 * @param {number} [digits] after the point
 */
export function numeral(value, digits = 0) {
  const text = value.toFixed(digits);
  const [whole, fraction] = text.replace("-", "").split(".");
  const sign = Number(text) < 0 ? "−" : "";
  const grouped = whole.length > 3 ? whole.replace(/\B(?=(\d{3})+$)/g, ",") : whole;
  return sign + grouped + (fraction ? `.${fraction}` : "");
}
