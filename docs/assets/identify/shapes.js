/**
 * Turns an array of any number of axes into tables: drops axes of length 1, uses one of equal slices.
 * As in `posenc/reading/_shapes.py`, with the same messages.
 */

import { finding } from "./findings.js";
import { median } from "./measure.js";

/** @import { Values } from "./rows.js" */
/** @import { Finding } from "./findings.js" */
/** @typedef {{ values: Values, width: number }} Flat rows of `width` values */
/** @typedef {{ shape: number[], values: Values, sines?: Values }} Held an array; `sines` are the imaginary parts */
/** @typedef {{ table: Flat | null, both: Flat[] | null, grids: (Flat & { height: number, across: number })[], findings: Finding[] }} Given */

const LARGEST = 1e50; // products of a few larger values would overflow
const MOST = 0.7; // share of pairs of which cosine and sine lie on one circle

/** A shape as Python writes it. @param {number[]} shape */
const written = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

/** The readings of an array. @param {Held} held @returns {Given} */
export function given(held) {
  const { sines } = held;
  const dense = withoutOnes(held.shape);
  if (sines) {
    if (dense.length !== 2) throw otherShape(dense);
    return { table: null, both: [held.values, sines].map((values) => flat(finite(values, dense), dense)), grids: [], findings: [] };
  }
  const { shape, values, findings } = withoutCopies(dense, held.values);
  if (shape.length === 2) return { table: flat(finite(values, shape), shape), both: null, grids: [], findings };
  if (shape.length === 3) {
    finite(values, shape);
    const both = stacked(shape, values);
    const [first, second, third] = shape;
    const last = third % 4 ? [] : [{ values, width: third, height: first, across: second }];
    const ahead = first % 4 ? [] : [{ values: channelsLast(values, first), width: first, height: second, across: third }];
    if (both || last.length || ahead.length) return { table: null, both, grids: both ? [] : [...last, ...ahead], findings };
  }
  throw otherShape(shape);
}

/** @param {number[]} shape */
const otherShape = (shape) => new Error(`table must have two axes, at least one row and two columns, got shape ${written(shape)}`);

/** @param {number[]} shape */
function withoutOnes(shape) {
  const left = [...shape];
  while (left.length > 2 && left.includes(1)) left.splice(left.indexOf(1), 1);
  return left;
}

/** @param {Values} values @param {number[]} shape @returns {Flat} */
const flat = (values, shape) => ({ values, width: shape[shape.length - 1] });

/** `values`, if they are a table of finite numbers. @param {Values} values @param {number[]} shape */
function finite(values, shape) {
  const width = shape[shape.length - 1];
  if (Math.min(...shape) < 1 || width < 2) throw otherShape(shape);
  const at = values.findIndex((value) => !(Math.abs(value) <= LARGEST));
  if (at < 0) return values;
  const worst = String(values[at]).replace("Infinity", "inf").toLowerCase();
  let rest = at;
  const place = [...shape].reverse().map((axis) => { const here = rest % axis; rest = (rest - here) / axis; return here; }).reverse();
  const where = shape.length === 2 ? `row ${place[0]}, column ${place[1]}` : `index ${written(place)}`;
  throw new Error(`table must be ${Number.isFinite(values[at]) ? "at most 1e50 in size" : "finite"}, got ${worst} at ${where}`);
}

/** One slice along each axis but the last where all are equal. @param {number[]} shape @param {Values} values */
function withoutCopies(shape, values) {
  let [left, kept, count] = [[...shape], values, 1];
  for (let axis = 0; left.length > 2 && axis < left.length - 1;) {
    const inner = left.slice(axis + 1).reduce((product, size) => product * size, 1);
    const block = inner * left[axis];
    const isEqual = kept.length > 0 && kept.every((value, at) => value === kept[at - (at % block) + (at % inner)]);
    if (!isEqual) { axis++; continue; }
    count *= left[axis];
    kept = kept.filter((_, at) => at % block < inner);
    left = left.filter((_, other) => other !== axis);
  }
  return { shape: left, values: kept, findings: count > 1 ? [finding("equal-slices", { count, shape: written(shape) })] : [] };
}

/** Cosines and sines, if the first or last axis has the two. @param {number[]} shape @param {Values} values @returns {Flat[] | null} */
function stacked([first, second, third], values) {
  const half = values.length / 2;
  const tries = [
    first === 2 ? [values.subarray(0, half), values.subarray(half)] : null,
    third === 2 ? [0, 1].map((part) => values.filter((_, at) => at % 2 === part)) : null,
  ];
  for (const [place, parts] of tries.entries()) {
    if (!parts) continue;
    const width = place ? second : third;
    const count = Math.min(8 * width, parts[0].length);
    const lengths = Array.from({ length: count }, (_, at) => parts[0][at] ** 2 + parts[1][at] ** 2);
    const usual = median(lengths);
    if (lengths.filter((length) => Math.abs(length - usual) <= 0.1 * usual).length > MOST * count) return parts.map((part) => ({ values: part, width }));
  }
  return null;
}

/** Channels moved from the first axis to the last. @param {Values} values @param {number} channels */
export const channelsLast = (values, channels) => Float64Array.from(values, (_, at) => values[(at % channels) * values.length / channels + Math.floor(at / channels)]);
