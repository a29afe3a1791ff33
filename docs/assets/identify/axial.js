/**
 * Recognises rotary caches of points with several coordinates: images and videos.
 *
 * As in `posenc/identification/_axial_caches.py`.
 */

import { rowsOf } from "./caches.js";
import { readings } from "./cut.js";
import { finding, general } from "./findings.js";
import { axesOf, lattice } from "./lattice.js";
import { waysOf, turnsAlong } from "./places.js";
import { asGood, largest } from "./rows.js";
import { rules } from "./rules.js";
import { made, snapped } from "./scaled.js";
import { median } from "./turning.js";

/** @typedef {import("./shapes.js").Flat} Flat */
/** @typedef {import("./turning.js").Parts} Parts */
/** @typedef {import("./caches.js").Reading} Reading */
/** @typedef {import("./lattice.js").Lattice} Lattice */
/** @typedef {import("./rules.js").Axial} Axial */
/** @typedef {import("./rules.js").Slope} Slope */
/** @typedef {{ rotary: Axial, coordinates: number[][], part: string, form: string, amplitude: number }} AxialCache */
/** @typedef {{ convention: AxialCache, error: number, libraries: string[], mistakes: string[], isMeant: boolean, findings: import("./findings.js").Finding[], firstRow: number, zeroRows: number }} AxialMatch */

const SOME = 64; // rows to compare candidates on
const [CHANGE, ROUGH] = [2e-6, 2e-3]; // below a tolerance of ROUGH, smaller changes are rounding

/**
 * The cache of points that a table is, or that cosines and sines are.
 * @param {Flat[]} held one table, or cosines and sines
 * @param {number} slack
 * @param {boolean} [isTwice] only caches that have each pair twice, as no table of a grid has
 * @returns {AxialMatch[]}
 */
export function matches(held, slack, isTwice = false) {
  const columns = held.length === 2 ? joined(held) : held[0];
  const { values, width } = columns;
  if (values.length < 4 * width) return [];
  const limit = slack < ROUGH ? CHANGE : slack; // as a fraction of the amplitude
  const found = lattice(columns, limit * largest(values));
  if (!found) return [];
  const rest = held.map((flat) => ({ values: flat.values.subarray(found.before * flat.width), width: flat.width }));
  for (const reading of readings(rest, slack)) {
    if (isTwice && reading.form === "once") continue;
    const one = match(held, reading, found, slack, limit);
    if (one) return [one];
  }
  return [];
}

/** Two tables side by side. @param {Flat[]} held @returns {Flat} */
export function joined([one, { values: other }]) {
  const { width } = one;
  const values = new /** @type {Float64ArrayConstructor} */ (one.values.constructor)(2 * other.length);
  for (let at = 0; at < other.length; at += width) {
    values.set(one.values.subarray(at, at + width), 2 * at);
    values.set(other.subarray(at, at + width), 2 * at + width);
  }
  return { values, width: 2 * width };
}

/** The median length of the pairs in the first row; of a single part, the largest value. @param {Parts} parts */
export function sizeOf({ cosines, sines, pairs }) {
  if (cosines && sines) return median(Array.from({ length: pairs }, (_, i) => Math.hypot(cosines[i], sines[i])));
  const most = largest(/** @type {import("./rows.js").Values} */ (cosines ?? sines));
  return most > 0.5 && most < 1 + 1e-3 ? 1 : most;
}

/** @param {Flat[]} held @param {Reading} reading @param {Lattice} found @param {number} slack @param {number} limit */
function match(held, reading, found, slack, limit) {
  const { form, parts } = reading;
  const { sizes, before } = found;
  const size = sizeOf(parts);
  const axes = size > 0 ? axesOf(parts, sizes, limit * size) : null;
  const order = [...new Set(axes?.filter((axis) => axis >= 0))]; // the axis of each coordinate
  if (!axes || !order.length) return null;
  if (order.length < 2 && sizes.filter((count) => count === 1).length < 2) return null; // rows that repeat
  const labels = axes.map((axis) => order.indexOf(axis));
  const last = parts.positions.length - 1;
  const some = [...new Set(Array.from({ length: SOME }, (_, k) => (k === SOME - 1 ? last : Math.trunc(k * (last / (SOME - 1))))))];
  const chosen = rowsOf(parts, some);
  const slope = slopeOf(parts, size, sizes, axes);
  let [least, best] = [Infinity, /** @type {{ rotary: Axial, points: number[][] } | null} */ (null)];
  for (const ways of waysOf(parts, size, sizes)) {
    for (const rule of rules(labels, slope, form)) {
      const { rotary } = rule;
      if (Math.max(...rotary.axes) > order.length) continue;
      const own = Math.max(...rotary.axes) + 1 > order.length ? [0, ...order] : order; // time may have only one value
      for (const lines of ways(rule, own)) {
        const points = pointsOf(sizes, own, lines);
        const error = apart(chosen, rotary, some.map((row) => points[row]), size);
        if (!best || !asGood(least, error)) [least, best] = [error, { rotary, points }];
      }
    }
    if (least <= slack) break;
  }
  if (!best || least > slack) return null;
  const points = [...Array.from({ length: before }, () => best.points[0].map(() => 0)), ...best.points];
  const answered = answer(held, reading, best.rotary, points, size, told(sizes, before, points));
  return answered.error <= slack ? answered : null;
}

/** Compare the tables with the cache of `points`. @param {Flat[]} held @param {Reading} reading @param {Axial} rotary @param {number[][]} points @param {number} size @param {import("./findings.js").Finding[]} findings @returns {AxialMatch} */
export function answer(held, { part, form }, rotary, points, size, findings) {
  const amplitude = snapped(size / rotary.attention);
  const unit = made({ part, form }, rotary.axes.length, (row, i) => points[row][rotary.axes[i]] * rotary.turns[i]);
  const factor = amplitude * rotary.attention;
  let worst = 0;
  held.forEach(({ values, width }, table) => {
    for (let at = 0; at < values.length; at++) worst = Math.max(worst, Math.abs(factor * unit[table](at, width) - values[at]));
  });
  const convention = { rotary, coordinates: points, part, form, amplitude };
  return { convention, error: worst / size, libraries: [], mistakes: [], isMeant: false, findings, firstRow: 0, zeroRows: 0 };
}

/** How two fast pairs turn along the longest axis. @param {Parts} parts @param {number} size @param {number[]} sizes @param {number[]} axes @returns {Slope | null} */
function slopeOf(parts, size, sizes, axes) {
  const lengths = sizes.map((length, axis) => (axes.includes(axis) ? length : 0));
  const axis = lengths.lastIndexOf(Math.max(...lengths));
  const turns = turnsAlong(parts, size, sizes, axis).turns;
  const known = [...axes.keys()].filter((i) => axes[i] === axis && turns[i] > 0);
  if (known.length < 2) return null;
  const steps = Math.min(2, known.length - 1);
  const [i, j, last] = [known[0], known[steps], known[known.length - 1]];
  return { i, j, steps, ratio: turns[i] / turns[j], rise: turns[last] / turns[i] };
}

/** Coordinates of the points: positions along the axes. @param {number[]} sizes @param {number[]} own @param {number[][]} lines */
function pointsOf([t, h, w], own, lines) {
  return Array.from({ length: t * h * w }, (_, row) => {
    const place = [Math.floor(row / (h * w)), Math.floor(row / w) % h, row % w];
    return lines.map((line, coordinate) => line[place[own[coordinate]]]);
  });
}

/** Largest difference of some rows, as a fraction of `size`. @param {Parts} parts @param {Axial} rotary @param {number[][]} points @param {number} size */
function apart({ cosines, sines, pairs }, { axes, turns }, points, size) {
  let worst = 0;
  points.forEach((point, row) => {
    for (let i = 0, at = row * pairs; i < pairs; i++, at++) {
      const angle = point[axes[i]] * turns[i];
      if (cosines) worst = Math.max(worst, Math.abs(Math.cos(angle) - cosines[at] / size));
      if (sines) worst = Math.max(worst, Math.abs(Math.sin(angle) - sines[at] / size));
    }
  });
  return worst;
}

/** The grid in words, and how many rows stand before it. @param {number[]} sizes @param {number} before @param {number[][]} points */
function told(sizes, before, points) {
  const first = points[before];
  const steps = first.map((_, coordinate) => {
    const line = [...new Set(points.slice(before).map((point) => point[coordinate]))].sort((a, b) => a - b);
    return line.length > 1 ? line[1] - line[0] : 1;
  });
  const [from, step] = [first, steps].map((numbers) => `(${numbers.map((number) => general(number)).join(", ")})`);
  const where = finding("points", { size: sizes.filter((length) => length > 1).join(" x "), first: from, steps: step });
  return before ? [where, finding("origin", { rows: before === 1 ? "one row" : `${before} rows` })] : [where];
}
