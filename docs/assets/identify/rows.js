/**
 * Rows of a table, the rows that a convention or a slip would make, and how far they are apart.
 * As in `posenc/identification/_tables.py` and `posenc/conventions.py`.
 */

import { DEFAULT, EXPONENTS, FROM_ONE, MISSING, SWAPPED } from "./known.js";
import { FLOAT32, asGood, columns, roomOf } from "./measure.js";

/** @typedef {{ layout: string, order: string, freq_shift: number, spread: number | null, base: number, angle_scale: number, start: number, odd: string, amplitude: number, amplitude_power: number }} Convention */
/** @typedef {{ factor: number, ahead?: number, per_pair?: boolean, whole?: boolean }} Exponents */
/** @typedef {{ meant: Convention, mistakes: string[] }} Mistaken the table that `mistakes` make of `meant` */
/** @typedef {Float32Array | Float64Array} Values */
/** @typedef {{ places: Float64Array, values: Values, width: number, far: number, rounding: number }} Rows row numbers, counted from 0, values, the relative error of their angles, and the error of the values' format */

export const ROUGH = 1e-4; // values that are rounded by more leave the scale open, and several bases fit
const UNSURE = 0.5; // an angle that may be off by more says nothing

/** The width over which the frequencies are spread. @param {Convention} kind @param {number} width */
export const spreadOf = ({ odd, spread }, width) => spread ?? width + (odd === "pad" ? -1 : odd === "ceil" ? 1 : 0) * (width % 2);

/** Columns, first position, and frequencies of the sines and cosines that make a table; null if float64 cannot hold them. @param {Convention | Mistaken} made @param {number} width */
function makerOf(made, width) {
  if ("meant" in made) return mistakenMaker(made, width);
  const half = spreadOf(made, width) / 2 - made.freq_shift;
  const exact = Float64Array.from({ length: (width + 1) >> 1 }, (_, i) => made.angle_scale * made.base ** (i && -i / half));
  const last = exact[exact.length - 1];
  return last && Number.isFinite(last) ? { codes: columns(made, width), first: made.start, sines: exact, cosines: exact, missing: null } : null;
}

/** @param {Mistaken} slip @param {number} width */
function mistakenMaker({ meant, mistakes }, width) {
  const { factor, ahead = 0, per_pair: isPerPair, whole } = EXPONENTS[mistakes.find((name) => name in EXPONENTS) ?? ""] ?? { factor: 1 };
  const step = isPerPair ? 1 : 1 / Math.max(width / 2 - meant.freq_shift, 1);
  /** @param {number} more */
  const exact = (more) => Float64Array.from({ length: width >> 1 }, (_, i) => {
    const exponent = factor * (i + more) * step;
    return meant.base ** -(whole ? Math.floor(exponent) : exponent);
  });
  const codes = columns({ ...DEFAULT, layout: meant.layout, order: mistakes.includes(SWAPPED) ? "cos_first" : "sin_first" }, width);
  return { codes, first: Number(mistakes.includes(FROM_ONE)), sines: exact(0), cosines: exact(ahead), missing: MISSING[mistakes.find((name) => name in MISSING) ?? ""] ?? null };
}

/** The rows `places` of the table that `made` makes, at amplitude 1, and by how much rounded angles may change each value. @param {Convention | Mistaken} made @param {Rows} rows */
export function unitRows(made, { places, width, far }) {
  const found = makerOf(made, width);
  if (!found) return null;
  const { codes, first, sines, cosines, missing } = found;
  const unit = new Float64Array(places.length * width);
  const room = far ? new Float64Array(unit.length) : null;
  const pair = new Float64Array(2 * sines.length);
  places.forEach((place, k) => {
    for (let i = 0; i < sines.length; i++) {
      pair[2 * i] = Math.sin((first + place) * sines[i]);
      pair[2 * i + 1] = missing === null ? Math.cos((first + place) * cosines[i]) : missing * pair[2 * i];
    }
    for (let j = 0, at = k * width; j < width; j++, at++) {
      const code = codes[j];
      if (code < 0) continue;
      unit[at] = pair[code];
      if (!room) continue;
      const off = roomOf(far, place + first, (code % 2 ? cosines : sines)[code >> 1]);
      room[at] = off > UNSURE ? Infinity : off;
    }
  });
  return { unit, room };
}

/** The rows at the indices `chosen`. @param {Rows} rows @param {number[]} chosen @returns {Rows} */
export function picked({ places, values, ...rest }, chosen) {
  const { width } = rest;
  const out = new Float64Array(chosen.length * width);
  chosen.forEach((at, k) => out.set(values.subarray(at * width, (at + 1) * width), k * width));
  return { places: Float64Array.from(chosen, (at) => places[at]), values: out, ...rest };
}

/** The longest run of rows that follow each other. @param {Rows} rows @returns {Rows} */
export function longestRun({ places, values, ...rest }) {
  const { width } = rest;
  let [first, end] = [0, 0];
  for (let start = 0, k = 1; k <= places.length; k++) {
    if (k < places.length && places[k] === places[k - 1] + 1) continue;
    if (k - start > end - first) [first, end] = [start, k];
    start = k;
  }
  return { places: places.subarray(first, end), values: values.subarray(first * width, end * width), ...rest };
}

/** Largest difference from `amplitude * unit`, divided by `amplitude`, beyond `room`. @param {Values} values @param {number} amplitude @param {Float64Array} unit @param {Float64Array | null} [room] */
export function errorAt(values, amplitude, unit, room) {
  if (!(amplitude > 0)) return Infinity;
  let worst = 0;
  for (let at = 0; at < unit.length; at++) {
    const off = Math.abs(unit[at] * amplitude - values[at]) / amplitude - (room ? room[at] : 0);
    if (off > worst) worst = off;
  }
  return worst;
}

/** The largest rounding error of `value`: small ones have less in binary formats. @param {number} rounding @param {number} value */
export const stepOf = (rounding, value) => Math.max(rounding * (value && Number.isInteger(Math.log2(rounding)) ? 2 ** (Math.floor(Math.log2(Math.abs(value))) + 1) : 1), 2 ** -25); // at least that of float16's smallest numbers

/** Whether `unit`, rounded as the values are, makes them; true if that is hardly at all. @param {Rows} rows @param {Float64Array} unit @param {Float64Array | null} room */
export const isRounded = ({ values, rounding }, unit, room) => rounding <= ROUGH || values.every((/** @type {number} */ value, /** @type {number} */ at) => Math.abs(value - unit[at]) <= stepOf(rounding, value) + (room ? room[at] : 0) + FLOAT32);

/** Least-squares amplitude; 1 if that fits as well. @param {Values} values @param {Float64Array} unit */
export function amplitude(values, unit) {
  let [power, product] = [0, 0];
  for (let at = 0; at < unit.length; at++) {
    power += unit[at] * unit[at];
    product += unit[at] * values[at];
  }
  const best = power ? product / power : 0;
  return Math.abs(best - 1) < 0.1 && asGood(errorAt(values, 1, unit), errorAt(values, best, unit)) ? 1 : best;
}
