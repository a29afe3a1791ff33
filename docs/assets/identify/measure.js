/** Measures a table: its number format, its pairs of columns, how they turn, where its rows lie. As in `posenc/identification/_measure.py`. */

import { DEFAULT } from "./known.js";

/** @import { Values } from "./rows.js" */
/** @typedef {{ values: Values, width: number }} Flat rows of a table, one after the other */
/** @typedef {{ cosines: Values | null, sines: Values | null, rows: number, pairs: number }} Parts each `rows` times `pairs` values; one may be missing */
/** @typedef {{ parts: Parts, part: string | null, form: string, kind: import("./rows.js").Convention | null }} Reading how to read columns as pairs: those of a cache, or of a convention */
/** @typedef {{ slack: number, far: number, error: number, exact: number, format: string, isGiven: boolean }} Limits what counts as equal: `slack` of the amplitude, `far` of each angle; the `error` of the values' format, and what it explains; whether the caller said so */
/** @typedef {{ turns: Float64Array, phases: Float64Array, size: Float64Array, weight: Float64Array, told: boolean[] }} Waves pair i holds `size[i]` times cosine and sine of `phases[i] + turns[i] * row`; `told` where phase and size are known */

export const TOLERANCE = 1e-3; // the usual one, a fraction of the amplitude
export const FLOAT32 = 2 ** -22; // relative error of an angle computed in float32
const FORMATS = { bfloat16: 2 ** -9, float16: 2 ** -12, float32: 2 ** -25 }; // largest errors below 1
const EXACT = 1e-5; // beyond the rounding of values: a plain rule explains more without a rounding
const WINDOW = 64; // rows that each measurement uses
const DIGITS = [2, 3, 4, 5, 6]; // decimals that a table may be rounded to
const FEWEST = 8; // different values that show a format
const STILL = 0.02; // radians: a pair that turns less over all rows is not measured
const TOLD = 0.5; // radians in a window: cosines or sines do not show the phase of a slower pair
const NOTHING = 1e-9; // smaller shares of the largest square are rounding
const DIRECT = 0.5; // radians: below it, one angle says how fast a pair turns
const TURN = 2 * Math.PI;

/** Whether `error` is at most twice the `best` one; where the format's `rounding` explains the best error, those that it explains are as good, and no others. @param {number} error @param {number} best @param {number} [rounding] */
export const asGood = (error, best, rounding = 0) => error <= (rounding && best <= 1.1 * rounding + 1e-6 ? 1.1 * rounding + 1e-6 : 2 * best + 1e-6);
/** By how much an angle may be off: `far` of it, more where a power is small. @param {number} far @param {number} place @param {number} speed */
export const roomOf = (far, place, speed) => (far && speed ? far * Math.abs(place * speed) * (1 + Math.abs(Math.log(Math.abs(speed))) / 2) : 0);
/** @param {ArrayLike<number>} numbers */
export function median(numbers) {
  const sorted = Array.from(numbers).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
/** `value` rounded to a whole number, halves to even as NumPy does. @param {number} value */
export function even(value) {
  const low = Math.floor(value);
  return value - low === 0.5 ? low + Math.abs(low % 2) : Math.round(value);
}
/** @param {number} value */
const clipped = (value) => Math.min(Math.max(value, -1), 1);
/** The whole turns of `angle`, in radians. @param {number} angle */
const whole = (angle) => TURN * even(angle / TURN);
/** `angle` without its whole turns, in [-pi, pi]. @param {number} angle */
export const wrapped = (angle) => angle - whole(angle);
/** The largest absolute value. @param {Values} values */
export function largest(values) {
  let most = 0;
  for (let at = 0; at < values.length; at++) { const size = Math.abs(values[at]); if (size > most) most = size; }
  return most;
}
/** At most `some + some / 2` of `count` rows: the first ones, and others spread evenly. @param {number} count @param {number} some @returns {number[]} */
export function spread(count, some) {
  const chosen = new Set(Array.from({ length: Math.min(count, some >> 1) }, (_, k) => k));
  for (let k = 0; k < some; k++) chosen.add(k === some - 1 ? count - 1 : Math.trunc(k * ((count - 1) / (some - 1))));
  return [...chosen].sort((a, b) => a - b);
}

/** `value` rounded to a format. @type {Record<string, (value: number) => number>} */
export const ROUNDED = {
  bfloat16: (value) => rounded(value, 8, -133),
  float16: (value) => rounded(value, 11, -24),
  float32: Math.fround,
};
/** `value` with so many `bits`, in steps of at least `2 ** least`. @param {number} value @param {number} bits @param {number} least */
function rounded(value, bits, least) {
  if (!value || !Number.isFinite(value)) return value;
  const power = Math.floor(Math.log2(Math.abs(value)));
  const exponent = power + (Math.abs(value) >= 2 ** (power + 1) ? 1 : Math.abs(value) < 2 ** power ? -1 : 0);
  const step = 2 ** Math.max(exponent + 1 - bits, least);
  return even(value / step) * step;
}

/** What counts as equal in one or two tables, from the coarsest format on which all values lie. @param {Flat[]} held @param {number | null} tolerance @returns {Limits} */
export function limitsOf(held, tolerance) {
  const [{ values: { length }, width }] = held;
  /** @type {number[]} */ const some = [];
  for (const { values } of held) for (const row of spread(length / width, WINDOW)) for (let j = 0; j < width; j++) some.push(values[row * width + j]);
  const isShown = new Set(some.map(Math.abs)).size >= FEWEST;
  const names = Object.entries(FORMATS).filter(([name]) => isShown && some.every((value) => ROUNDED[name](value) === value));
  const size = some.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  for (const digits of isShown ? DIGITS : []) {
    const isRound = some.every((value) => { const times = value * 10 ** digits; return Math.abs(times - even(times)) <= 1e-4 * Math.min(1, Math.abs(times)); });
    if (isRound) names.push([`${digits} decimals`, 0.5 * 10 ** -digits / size]);
  }
  const [format, error] = names.reduce((one, other) => (other[1] > one[1] ? other : one), ["float64", 2 ** -53]);
  const slack = tolerance ?? Math.max(TOLERANCE, 2 * error);
  return { slack, far: tolerance !== null || format === "float64" ? 0 : FLOAT32, error, exact: Math.min(slack, 2 * error + EXACT), format, isGiven: tolerance !== null };
}

/** The weighted line through the logarithms of some `turns`: its `level` at 0, which may be given, and how fast it falls. @param {number[]} seen @param {ArrayLike<number>} weight @param {Float64Array} turns @param {number | null} [level] */
export function lineOf(seen, weight, turns, level = null) {
  let [all, middle, height, wide, tilt] = [0, 0, 0, 0, 0];
  for (const i of seen) [all, middle, height] = [all + weight[i], middle + weight[i] * i, height + weight[i] * Math.log(Math.abs(turns[i]))];
  [middle, height] = level === null ? [middle / all, height / all] : [0, level];
  for (const i of seen) [wide, tilt] = [wide + weight[i] * (i - middle) ** 2, tilt - weight[i] * (i - middle) * (Math.log(Math.abs(turns[i])) - height)];
  tilt = wide ? tilt / wide : 0;
  return { level: height + tilt * middle, tilt };
}

/** @param {Parts} parts */
export const any = ({ cosines, sines }) => /** @type {Values} */ (cosines ?? sines);
/** The first rows. @param {Parts} parts @param {number} count @returns {Parts} */
export const headOf = ({ cosines, sines, rows, pairs }, count) => ({ cosines: cosines && cosines.subarray(0, count * pairs), sines: sines && sines.subarray(0, count * pairs), rows: Math.min(rows, count), pairs });

/** How far a row of `parts`, divided by `size`, is from the waves at `angle(i)`: the largest difference, each less `room(i)`. @param {Parts} parts @param {number} row @param {number} size @param {(i: number) => number} angle @param {((i: number) => number) | null} [room] */
export function rowOff({ cosines, sines, pairs }, row, size, angle, room) {
  let most = 0;
  for (let i = 0, at = row * pairs; i < pairs; i++, at++) {
    const turned = angle(i);
    let off = cosines ? Math.abs(cosines[at] / size - Math.cos(turned)) : 0;
    if (sines) off = Math.max(off, Math.abs(sines[at] / size - Math.sin(turned)));
    if (room) off -= room(i);
    if (off > most) most = off;
  }
  return most;
}

/** The content of each column: 2i for the sine of pair i, 2i + 1 for its cosine, -1 for zeros. @param {import("./rows.js").Convention} kind @param {number} width */
export function columns({ layout, order, odd }, width) {
  const pad = odd === "pad" ? width % 2 : 0;
  const pairs = (width - pad + 1) >> 1;
  const first = order === "sin_first" ? 0 : 1;
  const codes = Array.from({ length: 2 * pairs }, (_, column) => {
    const [i, second] = layout === "interleaved" ? [column >> 1, column % 2] : [column % pairs, Number(column >= pairs)];
    return 2 * i + (second ? 1 - first : first);
  });
  if (pad) codes.push(-1);
  return odd === "overflow" ? codes : codes.slice(0, width);
}

/** Ways to read a table as that of a convention: complete pairs. @param {Flat} table @returns {Reading[]} */
export function tables({ values, width }) {
  const kinds = ["interleaved", "halves"].flatMap((layout) => ["sin_first", "cos_first"].flatMap((order) => (
    (width % 2 ? ["truncate", "ceil", "pad"] : ["error"]).map((odd) => ({ ...DEFAULT, layout, order, odd })))));
  return kinds.map((kind) => {
    /** @type {number[][]} */ const from = [[], []]; // columns of the sines and of the cosines
    columns(kind, width).forEach((code, j) => { if (code >= 0) from[code % 2][code >> 1] = j; });
    const pairs = Math.min(...from.map(({ length }) => length));
    const [sines, cosines] = from.map((own) => picked({ values, width }, pairs, (i) => own[i]).values);
    return { parts: { cosines, sines, rows: values.length / width, pairs }, part: null, form: "once", kind };
  });
}

/** Ways to read one table, or cosines and sines, as a cache; the columns of a pair differ by `slack`. @param {Flat[]} held @param {number} slack @returns {Generator<Reading>} */
export function* caches(held, slack) {
  /** @param {string} part @param {string} form @param {Flat | null} cosines @param {Flat | null} sines @returns {Reading} */
  const reading = (part, form, cosines, sines) => {
    const { values, width } = /** @type {Flat} */ (cosines ?? sines);
    return { parts: { cosines: cosines && cosines.values, sines: sines && sines.values, rows: values.length / width, pairs: width }, part, form, kind: null };
  };
  const form = formOf(held, slack);
  const [first, second] = once(held, form);
  if (second) { yield reading("both", form, first, second); return; }
  yield reading("cos", form, first, null);
  yield reading("sin", form, null, first);
  const [{ width }] = held;
  if (width % 2) return;
  const halves = [0, width / 2].map((from) => picked(held[0], width / 2, (j) => from + j));
  const own = formOf(halves, slack);
  const [one, other] = once(halves, own);
  yield reading("cos|sin", own, one, other);
  yield reading("sin|cos", own, other, one);
}

/** Some columns of a table. @param {Flat} flat @param {number} count @param {(j: number) => number} column @returns {Flat} */
export function picked({ values, width }, count, column) {
  const rows = values.length / width;
  const out = new Float64Array(rows * count);
  for (let row = 0, at = 0; row < rows; row++) for (let j = 0; j < count; j++, at++) out[at] = values[row * width + column(j)];
  return { values: out, width: count };
}
/** Each pair once, of tables of a form. @param {Flat[]} held @param {string} form */
export const once = (held, form) => (form === "once" ? held : held.map((flat) => picked(flat, flat.width / 2, form === "halves" ? (j) => j : (j) => 2 * j)));

/** Whether the columns of tables hold each pair once, or twice. @param {Flat[]} held @param {number} slack */
export function formOf(held, slack) {
  const [{ width }] = held;
  const heads = held.map(({ values }) => values.subarray(0, WINDOW * width));
  const limit = slack * Math.max(...heads.map(largest));
  /** @param {(j: number) => number} one @param {(j: number) => number} other */
  const isTwice = (one, other) => heads.every((head) => {
    for (let row = 0; row < head.length; row += width) for (let j = 0; j < width / 2; j++) if (Math.abs(head[row + one(j)] - head[row + other(j)]) > limit) return false;
    return true;
  });
  if (width % 2) return "once";
  return isTwice((j) => j, (j) => width / 2 + j) ? "halves" : isTwice((j) => 2 * j, (j) => 2 * j + 1) ? "interleaved" : "once";
}

/** The waves in rows that follow each other; null if there are too few rows. @param {Parts} parts @returns {Waves | null} */
export function measured({ cosines, sines, rows, pairs }) {
  if (rows < (cosines && sines ? 2 : 4)) return null;
  const [turns, phases, size, weight] = Array.from({ length: 4 }, () => new Float64Array(pairs));
  const held = any({ cosines, sines, rows, pairs });
  const nothing = NOTHING * largest(held) ** 2;
  const told = Array.from({ length: pairs }, (_, i) => {
    /** @type {(row: number) => number} */ const one = (row) => held[row * pairs + i];
    const both = cosines && sines;
    [turns[i], phases[i], size[i], weight[i]] = both ? ofBoth(one, (row) => both[row * pairs + i], rows) : ofOne(one, rows, nothing, cosines ? 0 : Math.PI / 2);
    return both ? turns[i] !== 0 : turns[i] * Math.min(WINDOW, rows) > TOLD;
  });
  return { turns, phases, size, weight, told };
}
/** The size of most pairs, 0 if there is none. @param {Waves} waves */
export function amplitudeOf({ size, told }) {
  const sizes = [...size].filter((_, i) => told[i]);
  const most = Math.max(...sizes);
  return sizes.length ? median(sizes.filter((one) => one >= most / 2)) : 0;
}
/** The largest difference of the known pairs from the first rows. @param {Waves} waves @param {Parts} parts */
export function apart({ turns, phases, size, told }, { cosines, sines, rows, pairs }) {
  let most = 0;
  for (let row = 0; row < Math.min(WINDOW, rows); row++) {
    for (let i = 0, at = row * pairs; i < pairs; i++, at++) {
      const angle = phases[i] + row * turns[i];
      if (told[i] && cosines) most = Math.max(most, Math.abs(size[i] * Math.cos(angle) - cosines[at]));
      if (told[i] && sines) most = Math.max(most, Math.abs(size[i] * Math.sin(angle) - sines[at]));
    }
  }
  return most;
}

/** Turn, phase, size and weight of a pair: an angle over one row, then over 2, 4, 8, ... rows. @param {(row: number) => number} cosine @param {(row: number) => number} sine @param {number} rows */
function ofBoth(cosine, sine, rows) {
  let turn = 0;
  for (let lag = 1; lag < rows; lag *= 2) {
    let [real, imaginary] = [0, 0];
    for (let row = 0; row < Math.min(WINDOW, rows - lag); row++) {
      real += cosine(row + lag) * cosine(row) + sine(row + lag) * sine(row);
      imaginary += sine(row + lag) * cosine(row) - cosine(row + lag) * sine(row);
    }
    turn += wrapped(Math.atan2(imaginary, real) - lag * turn) / lag;
  }
  let [real, imaginary] = [0, 0];
  const count = Math.min(WINDOW, rows);
  for (let row = 0; row < count; row++) {
    const [c, s] = [Math.cos(row * turn), Math.sin(row * turn)];
    real += (cosine(row) * c + sine(row) * s) / count;
    imaginary += (sine(row) * c - cosine(row) * s) / count;
  }
  return [turn, Math.atan2(imaginary, real), Math.hypot(real, imaginary), turn ** 2];
}

/** As `ofBoth`, from cosines, or from sines, which are cosines a `quarter` turn later: the rows `lag` before and after a row add up to it times twice the cosine of the turn. @param {(row: number) => number} value @param {number} rows @param {number} nothing @param {number} quarter */
function ofOne(value, rows, nothing, quarter) {
  let [turn, power] = [0, 0];
  for (let lag = 1; 3 * lag <= rows; lag *= 2) {
    let [square, product] = [0, 0];
    for (let row = lag; row < Math.min(rows - lag, lag + WINDOW); row++) {
      square += value(row) ** 2;
      product += value(row) * (value(row - lag) + value(row + lag));
    }
    const angle = Math.acos(square > nothing * Math.min(WINDOW, rows - 2 * lag) ? clipped(product / (2 * square)) : 1);
    const guess = lag * turn;
    turn = (whole(guess) + (wrapped(guess) < 0 || Object.is(wrapped(guess), -0) ? -angle : angle)) / lag;
    power = Math.max(power, (lag * Math.sin(angle)) ** 2 * square);
  }
  if (turn * rows < STILL) turn = 0;
  const [cosine, sine] = amplitudes(value, turn, Math.min(WINDOW, rows));
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
  return scale > 0 ? [(c * x - b * y) / scale, (a * y - b * x) / scale] : [0, 0];
}

/** The waves of rows at `places`, by default 0, 1, 2, ...; null if row 0 is not position 0. @param {Parts} parts @param {number} slack @param {Float64Array} [places] @returns {Waves | null} */
export function fromZero(parts, slack, places = Float64Array.from({ length: parts.rows }, (_, row) => row)) {
  const size = sizeAtZero(parts, slack);
  if (parts.rows < 2 || !(size > 0)) return null;
  const [turns, weight] = [new Float64Array(parts.pairs), new Float64Array(parts.pairs)];
  for (let row = 1; row < places.length;) {
    let far = row; // NumPy's searchsorted, in rows that rise
    while (far < places.length && places[far] < 2 * places[row]) far++;
    const end = Math.max(row + 1, far);
    for (let i = 0; i < parts.pairs; i++) refine(parts, places, turns, weight, i, row, Math.min(end, row + WINDOW, places.length), size);
    row = end;
  }
  return { turns, phases: new Float64Array(parts.pairs), size: new Float64Array(parts.pairs).fill(size), weight: weight.map((power, i) => power * turns[i] ** 2), told: Array(parts.pairs).fill(true) };
}

/** The factor of cosines and sines whose first row is position 0, otherwise 0. @param {Parts} parts @param {number} slack */
function sizeAtZero({ cosines, sines, rows, pairs }, slack) {
  if (sines && largest(sines.subarray(0, pairs)) > slack * largest(sines)) return 0;
  if (cosines) {
    const first = [...cosines.subarray(0, pairs)];
    const isEven = Math.max(...first) - Math.min(...first) <= 2 * slack * Math.max(...first.map(Math.abs));
    return isEven || sines ? median(first) : 0;
  }
  const held = any({ cosines, sines, rows, pairs });
  const fastest = Array.from({ length: Math.min(8, rows) }, (_, row) => held[row * pairs]);
  let [power, product] = [0, 0];
  for (let row = 1; row < fastest.length - 1; row++) {
    power += fastest[row] ** 2;
    product += (fastest[row + 1] + fastest[row - 1]) * fastest[row];
  }
  if (!power) return 0;
  const turn = Math.acos(clipped(product / (2 * power)));
  const wave = fastest.map((_, row) => Math.sin(row * turn));
  const square = wave.reduce((sum, value) => sum + value * value, 0);
  return square ? wave.reduce((sum, value, row) => sum + value * fastest[row], 0) / square : 0;
}

/** Refine `turns[i]` by the rows `from` to `to`, whose angles are already known to less than half a turn. @param {Parts} parts @param {Float64Array} places @param {Float64Array} turns @param {Float64Array} weight @param {number} i @param {number} from @param {number} to @param {number} size */
function refine(parts, places, turns, weight, i, from, to, size) {
  const { cosines, sines, pairs } = parts;
  if (cosines && sines) {
    let [real, imaginary, sum] = [0, 0, 0];
    for (let row = from, at = from * pairs + i; row < to; row++, at += pairs) {
      const [c, s] = [Math.cos(places[row] * turns[i]), Math.sin(places[row] * turns[i])];
      real += cosines[at] * c + sines[at] * s;
      imaginary += sines[at] * c - cosines[at] * s;
      sum += places[row];
    }
    turns[i] += Math.atan2(imaginary, real) / (sum / (to - from));
    weight[i] = 1;
    return;
  }
  const held = any(parts);
  /** @param {number} row */
  const value = (row) => held[row * pairs + i] / size;
  let first = Infinity;
  for (let row = from; row < to; row++) first = Math.min(first, places[row]);
  const isSlow = Math.abs(turns[i]) * first < DIRECT;
  if (isSlow && cosines) { // all rows: rounding leaves ones where a pair hardly turns
    let [squares, fourths] = [0, 0];
    for (let row = from; row < to; row++) [squares, fourths] = [squares + (Math.acos(clipped(value(row))) * places[row]) ** 2, fourths + places[row] ** 4];
    turns[i] = Math.sqrt(squares / fourths);
  } else if (isSlow) turns[i] = Math.asin(clipped(value(from))) / first;
  let [power, product] = [0, 0];
  for (let row = from; row < to; row++) {
    const angle = places[row] * turns[i];
    const slope = (cosines ? -Math.sin(angle) : Math.cos(angle)) * places[row];
    power += slope * slope;
    product += (value(row) - (cosines ? Math.cos(angle) : Math.sin(angle))) * slope;
  }
  if (!isSlow && power > 0) turns[i] += product / power;
  weight[i] = power;
}
