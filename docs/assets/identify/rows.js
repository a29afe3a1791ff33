/**
 * Rows of a table, the rows that a convention or a mistake would make, and how far they are apart.
 *
 * As in `posenc/identification/_rows.py`, `_mistakes.py` and `posenc/conventions.py`.
 */

import { fill } from "../maths/encoding.js";
import { scaledFrequencies } from "./frequencies.js";
import { DEFAULT, EXPONENTS, FROM_ONE, MISSING, SWAPPED } from "./known.js";

/** @typedef {{ arrangement: string, order: string, freq_shift: number, spread: number | null, base: number, angle_scale: number, start: number, odd: string, amplitude: number, amplitude_power: number }} Convention */
/** @typedef {{ factor: number, ahead?: number, per_pair?: boolean, whole?: boolean }} Exponents as in `posenc/identification/_mistakes.py` */
/** @typedef {{ meant: Convention, mistakes: string[] }} Mistaken the table that `mistakes` make of `meant` */
/** @typedef {Float32Array | Float64Array} Values */
/** @typedef {{ places: Float64Array, values: Values, width: number }} Rows row numbers, counted from 0, and values */
/** @typedef {(place: number, out: Float64Array) => void} Pairs writes the sine and cosine of each pair in row `place` to `out` */

export const TOLERANCE = 1e-3; // the usual one, a fraction of the amplitude
export const FLOAT32 = 2 ** -22; // relative error of an angle computed in float32
const MANY = 8; // pairs that no far position fits by chance

/** The error that float32 angles may add up to position `last`. @param {number} last @param {number} pairs @param {number} slack */
export const float32Error = (last, pairs, slack) => (pairs >= MANY && slack >= TOLERANCE ? last * FLOAT32 : 0);
/** Whether one of so many `positions` may fit `pairs` to within `error` by chance. @param {number} positions @param {number} pairs @param {number} error */
export const fitsByChance = (positions, pairs, error) => positions * (error / Math.PI) ** pairs > CHANCE;
const CHANCE = 1e-3; // largest probability that a far position fits by chance
const ROUNDING = 1e-6; // float32 rounds a value by less
const BLOCK = 96; // rows that share one rotation

/** Whether `error` is at most twice the `best` one, plus rounding. @param {number} error @param {number} best */
export const asGood = (error, best) => error <= 2 * best + ROUNDING;

/**
 * `count` rows that are spread evenly, and half as many from the start.
 * @param {Rows} rows
 * @param {number} count
 * @returns {Rows}
 */
export function sample({ places, values, width }, count) {
  const last = places.length - 1;
  const spread = Math.min(count, last + 1);
  const chosen = new Set();
  for (let k = 0; k < Math.min(count >> 1, last + 1); k++) chosen.add(k);
  for (let k = 0; k < spread; k++) chosen.add(k === spread - 1 && k ? last : Math.trunc(k * (last / (spread - 1 || 1))));
  return picked({ places, values, width }, [...chosen].sort((a, b) => a - b));
}

/** The rows at the indices `chosen`. @param {Rows} rows @param {number[]} chosen @returns {Rows} */
export function picked({ places, values, width }, chosen) {
  const out = new /** @type {Float64ArrayConstructor} */ (values.constructor)(chosen.length * width);
  chosen.forEach((at, k) => out.set(values.subarray(at * width, (at + 1) * width), k * width));
  return { places: Float64Array.from(chosen, (at) => places[at]), values: out, width };
}

/** The longest run of rows that follow each other. @param {Rows} rows @returns {Rows} */
export function longestRun({ places, values, width }) {
  let [first, end] = [0, 0];
  for (let start = 0, k = 1; k <= places.length; k++) {
    if (k < places.length && places[k] === places[k - 1] + 1) continue;
    if (k - start > end - first) [first, end] = [start, k];
    start = k;
  }
  return { places: places.subarray(first, end), values: values.subarray(first * width, end * width), width };
}

/**
 * The content of each column: 2i for the sine of pair i, 2i + 1 for its cosine, -1 for zeros.
 * @param {Convention} kind
 * @param {number} width
 */
export function columns({ arrangement, order, odd }, width) {
  const pad = odd === "pad" ? width % 2 : 0;
  const pairs = (width - pad + 1) >> 1;
  const first = order === "sin_first" ? 0 : 1;
  const codes = Array.from({ length: 2 * pairs }, (_, column) => {
    const [i, second] = arrangement === "interleaved" ? [column >> 1, column % 2] : [column % pairs, Number(column >= pairs)];
    return 2 * i + (second ? 1 - first : first);
  });
  if (pad) codes.push(-1);
  return Int32Array.from(odd === "overflow" ? codes : codes.slice(0, width));
}

/**
 * The rows that a convention makes, or null if float64 cannot hold its frequencies.
 * @param {Convention} kind
 * @param {number} width
 * @param {boolean} [turning] rotate blocks of 96 rows, which is faster for many rows
 * @returns {Pairs | null}
 */
function pairsOf({ odd, freq_shift, spread, base, angle_scale, start }, width, turning) {
  const own = width + (odd === "pad" ? -1 : odd === "ceil" ? 1 : 0) * (width % 2);
  const exact = scaledFrequencies((spread ?? own) - 2 * freq_shift, base, (own + 1) >> 1, angle_scale);
  const last = exact.high[exact.high.length - 1];
  if (!last || !Number.isFinite(last)) return null;
  if (!turning) return (place, out) => fill(out, 0, start + place, exact);
  const count = 2 * exact.high.length;
  const within = new Float64Array(BLOCK * count);
  for (let row = 0; row < BLOCK; row++) fill(within, row * count, row, exact);
  const head = new Float64Array(count);
  let block = -1;
  return (place, out) => {
    if (Math.floor(place / BLOCK) !== block) {
      block = Math.floor(place / BLOCK);
      fill(head, 0, start + block * BLOCK, exact);
    }
    const at = (place - block * BLOCK) * count;
    for (let j = 0; j < count; j += 2) {
      const [sine, cosine] = [within[at + j], within[at + j + 1]];
      out[j] = head[j] * cosine + head[j + 1] * sine;
      out[j + 1] = head[j + 1] * cosine - head[j] * sine;
    }
  };
}

/** The rows that mistakes make. @param {Mistaken} slip @param {number} width @returns {Pairs} */
function mistakenPairs({ meant, mistakes }, width) {
  const pairs = width >> 1;
  const exponents = EXPONENTS[mistakes.find((name) => name in EXPONENTS) ?? ""] ?? { factor: 1 };
  const step = exponents.per_pair ? 1 : 1 / Math.max(width / 2 - meant.freq_shift, 1);
  /** @param {number} i */
  const frequency = (i) => {
    const exponent = exponents.factor * i * step;
    return 10_000 ** -(exponents.whole ? Math.floor(exponent) : exponent);
  };
  const sines = Float64Array.from({ length: pairs }, (_, i) => frequency(i));
  const cosines = Float64Array.from({ length: pairs }, (_, i) => frequency(i + (exponents.ahead ?? 0)));
  const missing = mistakes.find((name) => name in MISSING);
  const from = Number(mistakes.includes(FROM_ONE));
  return (place, out) => {
    for (let i = 0; i < pairs; i++) {
      out[2 * i] = Math.sin((place + from) * sines[i]);
      out[2 * i + 1] = missing ? MISSING[missing] * out[2 * i] : Math.cos((place + from) * cosines[i]);
    }
  };
}

/**
 * The pairs that a convention or mistakes make, and their columns; null if there are none.
 * @param {Convention | Mistaken} made
 * @param {number} width
 * @param {boolean} [turning]
 */
function layout(made, width, turning) {
  const slip = "meant" in made ? made : null;
  const kind = slip ? { ...slip.meant, order: slip.mistakes.includes(SWAPPED) ? "cos_first" : "sin_first" } : /** @type {Convention} */ (made);
  const pairs = slip ? mistakenPairs(slip, width) : pairsOf(kind, width, turning);
  const codes = columns(slip ? { ...DEFAULT, ...kind, odd: "error" } : kind, width);
  return pairs && { pairs, codes, pair: new Float64Array(width + 2) };
}

/**
 * The rows `places` of the table that `made` makes, at amplitude 1.
 * @param {Convention | Mistaken} made
 * @param {Float64Array} places
 * @param {number} width
 */
export function unitRows(made, places, width) {
  const found = layout(made, width);
  if (!found) return null;
  const { pairs, codes, pair } = found;
  const out = new Float64Array(places.length * width);
  places.forEach((place, k) => {
    pairs(place, pair);
    for (let j = 0; j < width; j++) out[k * width + j] = codes[j] < 0 ? 0 : pair[codes[j]];
  });
  return out;
}

/**
 * Largest difference of all rows from `amplitude` times the rows of `made`, divided by `amplitude`.
 * @param {Rows} rows
 * @param {number} amplitude
 * @param {Convention | Mistaken} made
 */
export function errorOfAll({ places, values, width }, amplitude, made) {
  const found = layout(made, width, places.length >= 2 * BLOCK);
  if (amplitude <= 0 || !found) return Infinity;
  const { pairs, codes, pair } = found;
  let worst = 0;
  for (let k = 0, at = 0; k < places.length; k++) {
    pairs(places[k], pair);
    for (let j = 0; j < width; j++, at++) {
      const apart = Math.abs((codes[j] < 0 ? 0 : pair[codes[j]] * amplitude) - values[at]);
      if (apart > worst) worst = apart;
    }
  }
  return worst / amplitude;
}

/** The largest absolute value. @param {Values} values */
export function largest(values) {
  let most = 0;
  for (let at = 0; at < values.length; at++) most = Math.max(most, Math.abs(values[at]));
  return most;
}

/** Largest difference from `amplitude * unit`, divided by `amplitude`. @param {Rows} rows @param {number} amplitude @param {Float64Array} unit */
export function errorAt({ values }, amplitude, unit) {
  if (amplitude <= 0) return Infinity;
  let worst = 0;
  for (let at = 0; at < unit.length; at++) worst = Math.max(worst, Math.abs(unit[at] * amplitude - values[at]));
  return worst / amplitude;
}

/** Least-squares amplitude; 1 if that fits as well. @param {Rows} rows @param {Float64Array} unit */
export function amplitude(rows, unit) {
  let [power, product] = [0, 0];
  for (let at = 0; at < unit.length; at++) {
    power += unit[at] * unit[at];
    product += unit[at] * rows.values[at];
  }
  const best = power ? product / power : 0;
  const near = Math.abs(best - 1) < 0.1;
  return near && asGood(errorAt(rows, 1, unit), errorAt(rows, best, unit)) ? 1 : best;
}

/** Largest difference from the best multiple of `unit`, divided by that multiple. @param {Rows} rows @param {Float64Array} unit */
export const error = (rows, unit) => errorAt(rows, amplitude(rows, unit), unit);
