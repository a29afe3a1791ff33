/**
 * The candidate nearest to a table that nothing matches, and where they differ.
 *
 * As in `posenc/identification/_nearest.py`.
 */

import { finding, general, listed } from "./findings.js";
import { known as grids, points } from "./grids.js";
import { moved } from "./order.js";
import { amplitude, picked, sample, unitRows } from "./rows.js";
import { knownAt, matches } from "./tables.js";
import { median } from "./turning.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {{ convention: Convention | import("./grids.js").Grid | import("./caches.js").Cache, error: number, typical: number, libraries: string[], rows: number[], columns: number[], findings: import("./findings.js").Finding[] }} Near */
/** @typedef {{ convention: Near["convention"], libraries: string[], unit: Float64Array }} Candidate */

const SOME = 128; // rows to compare candidates on
const FEWEST = 4; // rows needed to choose between conventions
const NEAR = 0.3; // mean difference; noise is further off
const NEARER = 1 - 1e-9; // of the least mean difference so far: rounding decides nothing

/** @param {Rows} rows @param {number} slack @returns {Near | null} */
export function nearest(rows, slack) {
  const some = sample(rows, SOME);
  let [least, best] = [NEAR, /** @type {Near | null} */ (null)];
  let closest = null;
  for (const { kind, names } of knownAt(rows.width)) {
    const unit = unitRows(kind, some.places, some.width);
    const apart = unit ? distance(some, unit) : Infinity;
    if (apart < least) [least, closest] = [apart, { kind, names }];
  }
  if (closest) {
    const { kind, names } = closest;
    best = described(rows, { convention: kind, libraries: names, unit: /** @type {Float64Array} */ (unitRows(kind, rows.places, rows.width)) }, slack);
    if (best && (best.rows.length || best.error <= 2 * slack)) return best; // `moved` allows for as much
    if (best?.columns.length) return moved(rows, slack, ["columns"]) ?? best;
  }
  return fromAPart(rows, slack) ?? moved(rows, slack) ?? grid(rows, slack) ?? best;
}

/** Mean difference as a fraction of the amplitude; a wild value counts as 1. @param {Rows} rows @param {Float64Array} unit */
function distance(rows, unit) {
  const size = steady(rows, unit);
  if (size <= 0) return Infinity;
  return unit.reduce((sum, value, at) => sum + Math.min(Math.abs(rows.values[at] / size - value), 1), 0) / unit.length;
}

/** Least squares over the half of the rows that fits best. @param {Rows} rows @param {Float64Array} unit */
function steady(rows, unit) {
  const size = amplitude(rows, unit);
  if (size <= 0) return size;
  const { places, values, width } = rows;
  const apart = Array.from(places, (_, row) => {
    let sum = 0;
    for (let at = row * width; at < (row + 1) * width; at++) sum += Math.abs(values[at] / size - unit[at]);
    return sum;
  });
  const middle = median(apart);
  const good = [...apart.keys()].filter((row) => apart[row] <= middle);
  return amplitude(picked(rows, good), Float64Array.from(picked({ places, values: unit, width }, good).values));
}

/** A convention that makes a quarter of the rows, and most of the others. @param {Rows} rows @param {number} slack */
function fromAPart({ places, values, width }, slack) {
  const quarter = places.length >> 2;
  if (quarter < FEWEST) return null;
  for (let first = 0; first < 4 * quarter; first += quarter) {
    const end = first + Math.min(quarter, SOME);
    const part = { places: places.slice(first, end).map((place) => place - places[first]), values: values.subarray(first * width, end * width), width };
    for (const found of matches(part, slack)) {
      if (found.mistakes.length) continue;
      const kind = { ...found.convention, amplitude: 1, start: found.convention.start - places[first] };
      const unit = unitRows(kind, places, width);
      const near = unit && described({ places, values, width }, { convention: kind, libraries: found.libraries, unit }, slack);
      if (near?.rows.length) return near;
    }
  }
  return null;
}

/** The nearest square grid, with or without one row before it. @param {Rows} rows @param {number} slack */
function grid(rows, slack) {
  const { places, width } = rows;
  /** @type {{ apart: number, candidate: Candidate } | null} */
  let best = null;
  for (const first of [0, 1]) {
    const count = places[places.length - 1] + 1 - first;
    const side = Math.round(Math.sqrt(count));
    if (width % 4 || side < 2 || side * side !== count) continue;
    for (const [name, kind] of grids) {
      const all = points(kind, { height: side, across: side, width, byColumns: kind.listed === "columns" });
      const unit = new Float64Array(rows.values.length);
      places.forEach((place, row) => { if (place >= first) unit.set(all.subarray((place - first) * width, (place - first + 1) * width), row * width); });
      const apart = distance(rows, unit);
      if (apart < (best ? NEARER * best.apart : NEAR)) best = { apart, candidate: { convention: { ...kind, class_rows: first }, libraries: [name], unit } };
    }
  }
  return best && described(rows, best.candidate, slack);
}

/** Where the rows and a candidate differ; null if most rows have the other sign. @param {Rows} rows @param {Candidate} candidate @param {number} slack @returns {Near | null} */
function described(rows, { convention, libraries, unit }, slack) {
  const size = steady(rows, unit);
  if (size <= 0) return null;
  const kind = "base" in convention ? { ...convention, amplitude: size } : convention;
  return differing(unit.map((value, at) => Math.abs(rows.values[at] / size - value)), rows, kind, libraries, slack);
}

/** A near miss whose differences are `apart`. @param {Float64Array} apart @param {{ places: Float64Array, width: number }} rows @param {Near["convention"]} convention @param {string[]} libraries @param {number} slack @returns {Near} */
export function differing(apart, { places, width }, convention, libraries, slack) {
  const [oddRows, oddColumns] = [new Set(), new Set()];
  let [worst, squares] = [0, 0];
  apart.forEach((off, at) => {
    worst = Math.max(worst, off);
    squares += off * off;
    if (off > slack) { oddRows.add(places[Math.floor(at / width)]); oddColumns.add(at % width); }
  });
  const typical = Math.sqrt(squares / apart.length);
  const isRows = 2 * oddRows.size <= places.length;
  const isColumns = !isRows && 2 * oddColumns.size <= width;
  const [listedRows, listedColumns] = [isRows ? [...oddRows] : [], isColumns ? [...oddColumns].sort((a, b) => a - b) : []];
  const found = isRows ? finding("other-rows", { count: oddRows.size, rows: places.length, list: listed(listedRows) })
    : isColumns ? finding("other-columns", { count: oddColumns.size, width, list: listed(listedColumns) })
      : finding("noise", { typical: general(typical, 1) });
  return { convention, error: worst, typical, libraries, rows: listedRows, columns: listedColumns, findings: [found] };
}
