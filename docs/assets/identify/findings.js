/**
 * Something that was noticed about a table: a code that does not change, and words to read.
 * As in `posenc/identification/_words.py`, with the same words.
 */

import { WORDS } from "./known.js";

/** @typedef {{ code: string, words: string }} Finding */

/** @param {string} code @param {Record<string, string | number>} [values] for the places in the words @returns {Finding} */
export const finding = (code, values = {}) => ({ code, words: WORDS[code].replace(/\{(\w+)\}/g, (_, name) => String(values[name])) });
/** `value` as Python's format `,.12g` writes it. @param {number} value */
export const grouped = (value) => (value < 1e12 && value >= 1e-4 ? Number(value.toPrecision(12)).toLocaleString("en", { maximumFractionDigits: 12 }) : general(value, 12));
/** `value` as Python's format `.1e` writes it. @param {number} value */
export const scientific = (value) => value.toExponential(1).replace(/e([+-])(\d)$/, "e$10$2");

/** `value` as Python's format `.{digits}g` writes it. @param {number} value @param {number} [digits] */
export function general(value, digits = 6) {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < digits) return String(Number(value.toPrecision(digits)));
  return `${Number(mantissa)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}

/** The first few of `places`, with runs shortened. @param {number[]} places */
export function listed(places) {
  /** @type {[number, number][]} */ const runs = [];
  for (const place of places) {
    const last = runs[runs.length - 1];
    if (last && place === last[1] + 1) last[1] = place;
    else runs.push([place, place]);
  }
  const left = runs.slice(5).reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return runs.slice(0, 5).map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(", ") + (left ? ` and ${left} more` : "");
}

/** The first of the `phrases`, and how many more there are. @param {string[]} phrases @param {number} [most] */
export const series = (phrases, most = 3) => phrases.slice(0, most).join(", ") + (phrases.length > most ? ` and ${phrases.length - most} more` : "");
