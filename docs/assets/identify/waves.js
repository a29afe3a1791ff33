/**
 * Measures the pairs of a rotary cache whose first row may be any position.
 *
 * As in `posenc/identification/_waves.py`.
 */

import { median } from "./turning.js";

/** @typedef {import("./turning.js").Parts} Parts */
/** @typedef {import("./rows.js").Values} Values */
/** @typedef {{ turns: Float64Array, phases: Float64Array, size: Float64Array, weight: Float64Array, fast: number[], amplitude: number }} Waves pair i holds `size[i]` times cosine and sine of `phases[i] + turns[i] * row`; `fast` are the pairs that are known, the fastest first */

const WINDOW = 64; // rows for each measurement
const STILL = 0.02; // radians: a pair that turns less over all rows is not measured
const TOLD = 0.5; // radians in a window: cosines or sines do not show the phase of a slower pair
const NOTHING = 1e-9; // smaller shares of the largest sum of squares are rounding
const FURTHEST = 1 << 17; // positions that the first row may be
const PAIRS = 16; // fastest pairs, which tell the first position
const NEAR = 0.02; // largest relative error of a measured turn
const APART = 0.25; // radians: largest difference of a phase

const WHOLE = 2 * Math.PI;

/** @param {number} angle */
const wrapped = (angle) => angle - WHOLE * even(angle / WHOLE);

/** `value` rounded, halves to even as NumPy does. @param {number} value */
const even = (value) => {
  const low = Math.floor(value);
  return value - low === 0.5 ? low + (low % 2 && 1) : Math.round(value);
};

/** The waves in rows that follow each other; null if there are too few rows. @param {Parts} parts @returns {Waves | null} */
export function measured({ cosines, sines, positions: { length }, pairs }) {
  if (length < 4) return null;
  const [turns, phases, size, weight] = Array.from({ length: 4 }, () => new Float64Array(pairs));
  const held = /** @type {Values} */ (cosines ?? sines);
  const squares = Array.from({ length: Math.ceil(Math.log2(length)) }, (_, k) => Math.max(...perPair(held, pairs, 2 ** k, length)));
  /** @type {number[]} */
  const told = [];
  for (let i = 0; i < pairs; i++) {
    /** @type {(row: number) => number} */
    const one = (row) => held[row * pairs + i];
    const both = cosines && sines;
    const wave = both ? ofBoth(one, (row) => both[row * pairs + i], length) : ofOne(one, length, squares, cosines ? 0 : Math.PI / 2);
    [turns[i], phases[i], size[i], weight[i]] = wave;
    if (both ? turns[i] : turns[i] * Math.min(WINDOW, length) > TOLD) told.push(i);
  }
  const largest = Math.max(...told.map((i) => size[i]));
  const amplitude = told.length ? median(told.map((i) => size[i]).filter((value) => value >= largest / 2)) : 0;
  const fast = [...turns.keys()].sort((i, j) => turns[j] - turns[i]).filter((i) => told.includes(i));
  return { turns, phases, size, weight, fast, amplitude };
}

/** Sums of squares of the rows in the middle at a lag. @param {Values} held @param {number} pairs @param {number} lag @param {number} length */
function perPair(held, pairs, lag, length) {
  const sums = new Float64Array(pairs);
  for (let row = lag; row < Math.min(length - lag, lag + WINDOW); row++) for (let i = 0; i < pairs; i++) sums[i] += held[row * pairs + i] ** 2;
  return sums;
}

/** Turn, phase, size and weight of a pair. @param {(row: number) => number} cosine @param {(row: number) => number} sine @param {number} length */
function ofBoth(cosine, sine, length) {
  let [turn, lag] = [0, 1];
  for (; lag < length; lag *= 2) {
    let [real, imaginary] = [0, 0];
    for (let row = 0; row < Math.min(WINDOW, length - lag); row++) {
      real += cosine(row + lag) * cosine(row) + sine(row + lag) * sine(row);
      imaginary += sine(row + lag) * cosine(row) - cosine(row + lag) * sine(row);
    }
    turn += wrapped(Math.atan2(imaginary, real) - lag * turn) / lag;
  }
  let [real, imaginary] = [0, 0];
  const count = Math.min(WINDOW, length);
  for (let row = 0; row < count; row++) {
    const [c, s] = [Math.cos(row * turn), Math.sin(row * turn)];
    real += (cosine(row) * c + sine(row) * s) / count;
    imaginary += (sine(row) * c - cosine(row) * s) / count;
  }
  return [turn, Math.atan2(imaginary, real), Math.hypot(real, imaginary), (lag * turn) ** 2];
}

/** As `ofBoth`, from cosines, or from sines, which are cosines a `quarter` turn later. @param {(row: number) => number} value @param {number} length @param {number[]} squares @param {number} quarter */
function ofOne(value, length, squares, quarter) {
  let [turn, power] = [0, 0];
  for (let lag = 1, k = 0; 3 * lag <= length; lag *= 2, k++) {
    let [square, product] = [0, 0];
    for (let row = lag; row < Math.min(length - lag, lag + WINDOW); row++) {
      square += value(row) ** 2;
      product += value(row) * (value(row - lag) + value(row + lag)); // twice the cosine of the turn between, times the square
    }
    const angle = Math.acos(square > NOTHING * squares[k] ? Math.min(Math.max(product / (2 * square), -1), 1) : 1);
    const guess = lag * turn;
    const [one, other] = [angle, -angle].map((near) => near + WHOLE * even((guess - near) / WHOLE));
    turn = (Math.abs(one - guess) <= Math.abs(other - guess) ? one : other) / lag;
    power = Math.max(power, (lag * Math.sin(angle)) ** 2 * square);
  }
  turn = Math.abs(turn) * length < STILL ? 0 : Math.abs(turn);
  const [cosine, sine] = amplitudes(value, turn, Math.min(WINDOW, length));
  return [turn, wrapped(Math.atan2(-sine, cosine) + quarter), Math.hypot(cosine, sine), power * turn ** 2];
}

/** The multiples of a cosine and a sine that add up to the first `count` values: least squares. @param {(row: number) => number} value @param {number} turn @param {number} count */
export function amplitudes(value, turn, count) {
  let [a, b, c, x, y] = [0, 0, 0, 0, 0];
  for (let row = 0; row < count; row++) {
    const [cosine, sine] = [Math.cos(row * turn), Math.sin(row * turn)];
    [a, b, c] = [a + cosine * cosine, b + cosine * sine, c + sine * sine];
    [x, y] = [x + cosine * value(row), y + sine * value(row)];
  }
  const scale = a * c - b * b;
  return scale > 0 ? [(c * x - b * y) / scale, (a * y - b * x) / scale] : [c * x - b * y, 0];
}

/** Mean and largest difference of the known pairs from the first rows. @param {Parts} parts @param {Waves} waves */
export function apart({ cosines, sines, positions, pairs }, { turns, phases, size, fast }) {
  let [sum, most, count] = [0, 0, 0];
  for (let row = 0; row < Math.min(WINDOW, positions.length); row++) {
    for (const i of fast) {
      const [at, angle] = [row * pairs + i, phases[i] + row * turns[i]];
      for (const difference of [cosines && cosines[at] - size[i] * Math.cos(angle), sines && sines[at] - size[i] * Math.sin(angle)]) {
        if (difference === null) continue;
        [sum, most, count] = [sum + Math.abs(difference), Math.max(most, Math.abs(difference)), count + 1];
      }
    }
  }
  return { mean: sum / count, most };
}

/** The whole position of row 0 if the pairs turn by `exact`, null if they cannot. @param {Waves} waves @param {Float64Array} exact */
export function firstPosition({ turns, phases, fast }, exact) {
  const told = fast.slice(0, PAIRS);
  if (told.some((i) => Math.abs(exact[i] / turns[i] - 1) > NEAR)) return null;
  let [least, first] = [Infinity, /** @type {number | null} */ (null)];
  for (let place = 0; place < FURTHEST; place++) {
    let miss = 0;
    for (const i of told) {
      const off = Math.abs(wrapped(place * exact[i] - phases[i]));
      miss = off < APART ? miss + off : Infinity;
      if (miss >= least) break;
    }
    if (miss < least) [least, first] = [miss, place];
  }
  return first;
}
