/**
 * Checks of a config's values; an error gives the name, rule and value, as in `posenc/_arguments.py`.
 */

import { float, shown } from "./shown.js";

export const WIDEST = 2n ** 20n; // features of a head

/** A config that the package refuses, in its words. */
export class Refused extends Error {}

/** @param {string} sentence @returns {never} */
export function refuse(sentence) {
  throw new Refused(sentence);
}

/** @param {string} name @param {any} value */
function real(name, value) {
  if (typeof value !== "number" && typeof value !== "bigint") refuse(`${name} must be a real number, got ${shown(value)}`);
  return Number(value);
}

/** @param {string} name @param {any} value */
export function positive(name, value) {
  const number = real(name, value);
  if (!(Number.isFinite(number) && number > 0)) refuse(`${name} must be finite and greater than 0, got ${shown(value)}`);
  return number;
}

/** @param {string} name @param {any} value */
export function finite(name, value) {
  const number = real(name, value);
  if (!Number.isFinite(number)) refuse(`${name} must be finite, got ${shown(value)}`);
  return number;
}

/** @param {string} name @param {any} value @param {bigint} least @param {bigint} [most] @returns {bigint} */
export function integer(name, value, least, most = value) {
  if (typeof value !== "bigint") refuse(`${name} must be an integer, got ${shown(value)}`);
  if (value < least) refuse(`${name} must be at least ${least}, got ${shown(value)}`);
  if (value > most) refuse(`${name} must be at most ${most}, got ${shown(value)}`);
  return value;
}

/** @param {string} name @param {any} value @returns {boolean} */
export function flag(name, value) {
  if (typeof value !== "boolean") refuse(`${name} must be True or False, got ${shown(value)}`);
  return value;
}

/** Whether Python takes `value` as true. @param {any} value */
export function truthy(value) {
  if (Array.isArray(value)) return value.length > 0;
  return value instanceof Map ? value.size > 0 : Boolean(value) || Number.isNaN(value);
}

/** The lengths of nested lists, or null if those side by side differ. @param {any} values @returns {number[] | null} */
function shape(values) {
  if (!Array.isArray(values)) return [];
  const inner = values.map(shape);
  const first = inner.length ? inner[0] : [];
  return first && inner.every((one) => one?.join() === first.join()) ? [values.length, ...first] : null;
}

/** The dtype that NumPy gives to values that are not all numbers. @param {any[]} values */
function dtype(values) {
  const strings = values.filter((value) => typeof value === "string");
  const isOther = values.some((value) => value === null || value instanceof Map);
  if (isOther || !(strings.length || values.every((value) => typeof value === "boolean"))) return "object";
  if (!strings.length) return "bool";
  const widths = values.map((value) => ({ string: [...String(value)].length, number: 32, bigint: 21, boolean: 5 })[/** @type {"string"} */ (typeof value)]);
  return `<U${Math.max(1, ...widths)}`;
}

/** The numbers in `values`, each finite and above zero. @param {string} name @param {any} values */
export function positives(name, values) {
  if (!shape(values)) refuse(`${name} must be an array of real numbers, got ${shown(values)}`);
  /** @type {any[]} */
  const flat = /** @type {any} */ ([values]).flat(Infinity);
  const isNumber = (/** @type {any} */ value) => typeof value === "number" || typeof value === "bigint";
  if (!flat.every((value) => isNumber(value) || typeof value === "boolean") || (flat.length && !flat.some(isNumber))) {
    refuse(`${name} must hold real numbers that float64 can hold, got ${shown(values)} of dtype ${dtype(flat)}`);
  }
  const worst = flat.find((value) => typeof value === "number" && !Number.isFinite(value));
  if (worst !== undefined) refuse(`${name} must be finite, got ${float(Number(worst))}`);
  return flat.map((value) => positive(name, Number(value)));
}
