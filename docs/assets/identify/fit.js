/**
 * Measures base, scale and start of a table, given which columns form pairs of sine and cosine.
 *
 * As in `posenc/identification/_fit.py`: a pair turns by a fixed angle from row to row, measured over 1, 2, 4, ...
 * rows. The logarithms of the angles lie on a line whose slope gives the base.
 */

import { even } from "./candidates.js";
import { columns, longestRun } from "./rows.js";
import { DEFAULT } from "./known.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {{ sines: Int32Array, cosines: Int32Array }} Places columns of each complete pair */

const WINDOW = 64; // rows to average each angle over
const STILL = 1e-12; // radians per row; a slower phase does not give the position
const TURNS = 50; // of the slowest pair; the first row is at most so far from position 0
const SHIFTED = 3; // largest freq_shift to try

/** `angle` without whole turns. @param {number} angle */
const wrapped = (angle) => angle - 2 * Math.PI * even(angle / (2 * Math.PI));

/** @param {Convention} kind @param {number} width @returns {Places} */
function places(kind, width) {
  const codes = columns(kind, width);
  const whole = codes.filter((code) => code >= 0).length >> 1;
  const at = new Int32Array(2 * codes.length);
  codes.forEach((code, column) => { if (code >= 0) at[code] = column; });
  return {
    sines: Int32Array.from({ length: whole }, (_, i) => at[2 * i]),
    cosines: Int32Array.from({ length: whole }, (_, i) => at[2 * i + 1]),
  };
}

/** Whether the pairs in the first rows all have the same length, within `slack`. @param {Rows} run @param {Places} where @param {number} slack */
function isEven({ values, places: rows, width }, { sines, cosines }, slack) {
  let [least, most, sum] = [Infinity, 0, 0];
  const count = Math.min(WINDOW, rows.length);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < sines.length; i++) {
      const length = Math.hypot(values[row * width + sines[i]], values[row * width + cosines[i]]);
      [least, most, sum] = [Math.min(least, length), Math.max(most, length), sum + length];
    }
  }
  return most - least <= 4 * slack * (sum / (count * sines.length));
}

/** Angle from one row to the next, of each pair. @param {Rows} run @param {Places} where */
function turns({ values, places: { length }, width }, { sines, cosines }) {
  const angles = new Float64Array(sines.length);
  for (let lag = 1; lag < length; lag *= 2) {
    const count = Math.min(WINDOW, length - lag);
    angles.forEach((angle, i) => {
      let [real, imaginary] = [0, 0];
      for (let here = 0, there = lag * width; here < count * width; here += width, there += width) {
        const [s, c] = [values[here + sines[i]], values[here + cosines[i]]];
        const [t, d] = [values[there + sines[i]], values[there + cosines[i]]];
        real += d * c + t * s;
        imaginary += t * c - d * s;
      }
      angles[i] = angle + wrapped(Math.atan2(imaginary, real) - lag * angle) / lag;
    });
  }
  return angles;
}

/**
 * The line through the logarithms of the angles; null if the lengths of the pairs vary.
 * @param {Rows} run
 * @param {Places} where
 * @param {number} slack
 */
function line(run, where, slack) {
  if (run.places.length < 2 || !isEven(run, where, slack)) return null;
  const angles = turns(run, where);
  let [weight, middle, level, spread, slope, most] = [0, 0, 0, 0, 0, 0];
  /** @param {(i: number, weight: number, log: number) => void} add */
  const each = (add) => angles.forEach((angle, i) => {
    if (angle * angle) add(i, angle * angle, Math.log(Math.abs(angle)));
  });
  each((i, w, log) => { weight += w; middle += w * i; level += w * log; });
  if (!weight) return null;
  [middle, level] = [middle / weight, level / weight];
  each((i, w, log) => { spread += w * (i - middle) ** 2; slope -= w * (i - middle) * log; });
  slope = spread ? slope / spread : 0;
  for (const angle of angles) if (Math.abs(angle) > Math.abs(most)) most = angle;
  const scale = Math.sign(most) * Math.exp(level + slope * middle);
  const frequencies = angles.map((_, i) => scale * Math.exp(-slope * i));
  if (!scale || !frequencies.every(Number.isFinite)) return null;
  return { scale, slope, start: firstPosition(run, where, frequencies), pairs: angles.length };
}

/**
 * Position of the first row, from the slowest pair; faster pairs refine it.
 *
 * The slowest pair gives the position only up to whole turns, so several are tried.
 * @param {Rows} run
 * @param {Places} where
 * @param {Float64Array} frequencies
 */
function firstPosition({ values, places: rows, width }, { sines, cosines }, frequencies) {
  const fast = [...frequencies.keys()].filter((i) => Math.abs(frequencies[i]) > STILL);
  fast.sort((i, j) => Math.abs(frequencies[i]) - Math.abs(frequencies[j]));
  if (!fast.length) return 0;
  const phases = fast.map((i) => {
    let [real, imaginary] = [0, 0];
    for (let row = 0; row < Math.min(WINDOW, rows.length); row++) {
      const [s, c] = [values[row * width + sines[i]], values[row * width + cosines[i]]];
      const [sine, cosine] = [Math.sin(row * frequencies[i]), Math.cos(row * frequencies[i])];
      real += c * cosine + s * sine;
      imaginary += s * cosine - c * sine;
    }
    return Math.atan2(imaginary, real);
  });
  const found = Array.from({ length: 2 * TURNS + 1 }, (_, k) => (k % 2 ? -(k + 1) : k) / 2) // 0, -1, 1, -2, ...
    .map((turn) => fast.reduce((at, i, k) => at + wrapped(phases[k] - frequencies[i] * at) / frequencies[i],
      (phases[0] + 2 * Math.PI * turn) / frequencies[fast[0]]));
  const left = found.map((at) => fast.reduce((most, i, k) => Math.max(most, Math.abs(wrapped(phases[k] - frequencies[i] * at))), 0));
  const enough = 2 * Math.min(...left) + 1e-6;
  return found[left.findIndex((rest) => rest <= enough)];
}

/**
 * Conventions that fit the columns of `rows`, with measured numbers.
 * @param {Rows} rows
 * @param {number} slack
 * @returns {Convention[]}
 */
export function fitted(rows, slack) {
  const run = longestRun(rows);
  /** @type {Convention[]} */
  const found = [];
  for (const arrangement of ["interleaved", "halves"]) {
    for (const order of ["sin_first", "cos_first"]) {
      for (const odd of rows.width % 2 ? ["truncate", "ceil", "pad"] : ["error"]) {
        const kind = { ...DEFAULT, arrangement, order, odd };
        const made = line(run, places(kind, rows.width), slack);
        if (!made) continue;
        const measured = { ...kind, angle_scale: made.scale, start: made.start - run.places[0] };
        found.push(...withBase(measured, made.slope, rows.width, made.pairs));
      }
    }
  }
  return found;
}

/**
 * `kind` with the base that gives the slope, for freq_shift 0 and 1; or with the paper's base and any freq_shift.
 * @param {Convention} kind
 * @param {number} slope
 * @param {number} width
 * @param {number} pairs
 */
function withBase(kind, slope, width, pairs) {
  if (pairs === 1) return [kind]; // one pair does not determine a base
  const half = (width + (kind.odd === "pad" ? -1 : kind.odd === "ceil" ? 1 : 0) * (width % 2)) / 2;
  const found = [0, 1].map((shift) => ({ shift, exponent: slope * (half - shift) }))
    .filter(({ exponent }) => Math.abs(exponent) < 700)
    .map(({ shift, exponent }) => ({ ...kind, freq_shift: shift, base: Math.exp(exponent) }));
  const other = half - Math.log(kind.base) / slope; // the slope gives either the base or the shift
  const isNew = slope > 0 && Math.abs(other) < SHIFTED && Math.min(Math.abs(other), Math.abs(other - 1)) > 0.005;
  return isNew ? [...found, { ...kind, freq_shift: other }] : found;
}
