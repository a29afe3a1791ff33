/**
 * What comes nearest to a table that nothing matches, or which waves it holds.
 * As in `posenc/identification/_nearest.py`, without grids and caches.
 */

import { finding, general, listed, series } from "./findings.js";
import { amplitudes, caches, largest, measured, median, picked as pickedColumns, wrapped } from "./measure.js";
import { amplitude, picked, unitRows } from "./rows.js";
import { librariesAt, sample } from "./tables.js";

/** @import { Convention, Rows } from "./rows.js" */
/** @import { Flat, Limits, Parts } from "./measure.js" */
/** @import { Finding } from "./findings.js" */
/** @typedef {{ convention: Convention, error: number, typical: number, libraries: string[], rows: number[], columns: number[], findings: Finding[] }} Near */

const SOME = 128; // rows that the candidates are compared with
const ROWS = 8; // with fewer rows, no wave is looked for
const NEAR = 0.3; // largest mean difference of a near miss; noise differs by more
const FAR = 0.35; // of the amplitude: zeros differ from waves by 0.7
const STILL = 0.5; // radians over all rows: any slow change fits a pair that turns less
const SAME = 1e-4; // largest relative difference of two frequencies that count as one
const WHOLE = 0.01; // largest distance of a multiple from a whole number
const [MOST, SHOWN] = [100, 5]; // the largest multiple, and how many frequencies are shown

/** The values that a convention makes in these rows, at amplitude 1; null if float64 cannot hold them. @param {Convention} kind @param {Rows} rows */
const unitOf = (kind, rows) => unitRows(kind, { ...rows, far: 0 })?.unit ?? null;

/** The nearest convention. @param {Rows} rows @param {Limits} limits @returns {Near | null} */
export function nearest(rows, { slack }) {
  const some = sample(rows, SOME);
  let [least, closest] = [NEAR, /** @type {{ kind: Convention, names: string[] } | null} */ (null)];
  for (const known of librariesAt(rows.width)) {
    const unit = unitOf(known.kind, some);
    const apart = unit ? distance(some, unit) : Infinity;
    if (apart < least) [least, closest] = [apart, known];
  }
  return closest && described(rows, closest.kind, closest.names, slack);
}

/** Mean difference as a fraction of the amplitude; a wild value counts as 1. @param {Rows} rows @param {Float64Array} unit */
function distance(rows, unit) {
  const size = steady(rows, unit);
  return size > 0 ? unit.reduce((sum, value, at) => sum + Math.min(Math.abs(rows.values[at] / size - value), 1), 0) / unit.length : Infinity;
}

/** Least squares over the half of the rows that fits best. @param {Rows} rows @param {Float64Array} unit */
function steady(rows, unit) {
  const size = amplitude(rows.values, unit);
  if (!(size > 0)) return size;
  const { places, values, width } = rows;
  const apart = Array.from(places, (_, row) => {
    let sum = 0;
    for (let at = row * width; at < (row + 1) * width; at++) sum += Math.abs(values[at] / size - unit[at]);
    return sum;
  });
  const middle = median(apart);
  const good = [...apart.keys()].filter((row) => apart[row] <= middle);
  return amplitude(picked(rows, good).values, Float64Array.from(picked({ ...rows, values: unit }, good).values));
}

/** Where the rows and a convention differ; null if most rows have the other sign. @param {Rows} rows @param {Convention} kind @param {string[]} libraries @param {number} slack @returns {Near | null} */
function described(rows, kind, libraries, slack) {
  const unit = unitOf(kind, rows);
  const size = unit ? steady(rows, unit) : 0;
  if (!unit || !(size > 0)) return null;
  const { places, values, width } = rows;
  const [oddRows, oddColumns] = [new Set(), new Set()];
  let [error, squares] = [0, 0];
  unit.forEach((value, at) => {
    const off = Math.abs(values[at] / size - value);
    [error, squares] = [Math.max(error, off), squares + off * off];
    if (off > slack) { oddRows.add(places[Math.floor(at / width)]); oddColumns.add(at % width); }
  });
  const typical = Math.sqrt(squares / unit.length);
  const isRows = 2 * oddRows.size <= places.length;
  const isColumns = !isRows && 2 * oddColumns.size <= width;
  if (!isRows && !isColumns && typical > FAR) return null;
  const [listedRows, listedColumns] = [isRows ? [...oddRows] : [], isColumns ? [...oddColumns].sort((a, b) => a - b) : []];
  const found = isRows ? finding("other-rows", { count: oddRows.size, rows: places.length, list: listed(listedRows) })
    : isColumns ? finding("other-columns", { count: oddColumns.size, width, list: listed(listedColumns) })
      : finding("noise", { typical: general(typical, 1) });
  return { convention: { ...kind, amplitude: size }, error, typical, libraries, rows: listedRows, columns: listedColumns, findings: [found] };
}

/** Findings with the frequencies if each column of a table, or of cosines and sines, is a wave. @param {Flat[]} held @param {Limits} limits @returns {Finding[]} */
export function wavesOf(held, limits) {
  const [one] = held;
  const rows = one.values.length / one.width;
  if (rows < ROWS) return [];
  const far = limits.slack * Math.max(...held.map((flat) => largest(flat.values)));
  /** @param {Flat} cosines @param {Flat | null} [sines] @returns {Parts} */
  const parts = (cosines, sines = null) => ({ cosines: cosines.values, sines: sines && sines.values, rows, pairs: cosines.width });
  const [both, isOdd] = [held.length === 2, one.width % 2 === 1];
  const read = both || !isOdd ? [...caches(held, limits.slack)].slice(...(both ? [] : [2, 3])).map((reading) => reading.parts) : [];
  /** Every second column. @param {number} first */
  const second = (first) => pickedColumns(one, one.width / 2, (j) => 2 * j + first);
  for (const way of [...read, ...(both ? [] : [...(isOdd ? [] : [parts(second(0), second(1))]), parts(one)])]) {
    const waves = turnsOf(way, far);
    if (waves && isMoving(waves, way)) return [finding("waves", { list: frequencies(waves.turns) })].map((one) => ({ ...one, words: one.words.replace("no known encoding", "no encoding that this page knows") })); // the command may know it
  }
  return [];
}

/** The waves if each pair turns evenly; a column alone may have any phase, or be constant. @param {Parts} parts @param {number} far */
function turnsOf(parts, far) {
  const waves = measured(parts);
  const { cosines, sines, rows, pairs } = parts;
  const one = /** @type {import("./rows.js").Values} */ (cosines);
  for (let i = 0; waves && i < pairs; i++) {
    const [turn, size, phase] = [waves.turns[i], waves.size[i], waves.phases[i]];
    const [a, b] = sines ? [size * Math.cos(phase), -size * Math.sin(phase)] : amplitudes((row) => one[row * pairs + i], turn, rows);
    for (let row = 0, at = i; row < rows; row++, at += pairs) {
      const [cosine, sine] = [Math.cos(row * turn), Math.sin(row * turn)];
      if (Math.abs((sines || turn > 0 ? a : one[i]) * cosine + b * sine - one[at]) > far) return null;
      if (sines && Math.abs(a * sine - b * cosine - sines[at]) > far) return null;
    }
  }
  return waves;
}

/** Whether a wave turns, and each that turns does so far enough to show it; pairs of one length show slow turns too. @param {import("./measure.js").Waves} waves @param {Parts} parts */
function isMoving({ turns, size }, { sines, rows, pairs }) {
  const moves = [...turns].map((turn) => Math.abs(turn) * rows > STILL);
  const isAlike = sines && pairs >= 4 && Math.max(...size) - Math.min(...size) < 1e-3 * size[0];
  return moves.some(Boolean) && (isAlike || !turns.some((turn, i) => !moves[i] && turn !== 0));
}

/** The frequencies in words: as multiples of the least one if they are. @param {Float64Array} turns */
function frequencies(turns) {
  const steps = Array.from({ length: turns.length - 1 }, (_, i) => wrapped(turns[i + 1] - turns[i]));
  const step = general(Math.abs(steps[0] ?? 0), 4);
  const isEven = turns.length > 2 && steps.every((one) => Math.abs(wrapped(one - steps[0])) <= SAME * Math.abs(steps[0]));
  if (isEven && Math.abs(turns[0]) < 1e-9 && steps.some((one, i) => Math.abs(Math.abs(turns[i + 1]) - Math.abs(turns[i]) - one) > 1e-6)) return `${step} times 0-${turns.length - 1}, evenly spaced; whole turns are lost`;
  /** @type {number[]} */ const ordered = [];
  for (const turn of turns.map(Math.abs)) if (!ordered.some((known) => Math.abs(turn - known) <= SAME * known)) ordered.push(turn);
  const least = Math.min(...ordered.filter(Boolean));
  const times = ordered.map((turn) => turn / least);
  const whole = times.map(Math.round);
  if (whole.length > 2 && whole.every((multiple, k) => multiple <= MOST && Math.abs(times[k] - multiple) <= WHOLE)) {
    const multiples = whole.sort((a, b) => a - b);
    const isSpaced = multiples.every((one, k) => !k || one - multiples[k - 1] === multiples[1] - multiples[0]);
    return `${general(least, 4)} times ${listed(multiples)}${isSpaced ? ", evenly spaced" : ""}`;
  }
  return someOf(ordered) + (isEven && ordered.length > 1 ? `, evenly spaced in steps of ${step}` : "");
}

/** The first ones in words, each once. @param {Iterable<number>} numbers */
export const someOf = (numbers) => series([...new Set(Array.from(numbers, (one) => general(one, 4)))], SHOWN);

/** A finding if all rows of the tables are equal but for rounding, otherwise null. @param {Flat[]} held @param {Limits} limits */
export function noTurn(held, { slack }) {
  const most = Math.max(...held.map((flat) => largest(flat.values)));
  if (held.some(({ values, width }) => values.length === width || values.some((value, at) => at >= width && Math.abs(value - values[at - width]) > 1e-9 * most))) return null;
  const [row, sines] = held.map(({ values, width }) => [...values.subarray(0, width)]);
  const [low, high] = [Math.min(...row), Math.max(...row)];
  const isOne = high - low <= slack * high && (sines ? Math.max(...sines.map(Math.abs)) <= slack : low > 0 && Math.abs(row[0] - 1) < 1e-3);
  return finding(isOne ? "zero-frequencies" : "equal-rows");
}
