/**
 * Rules by which libraries deal pairs out to coordinates: candidates for a cache of points.
 *
 * As in `posenc/identification/_axial_rules.py`; the encodings as in `posenc/rotary/axes.py`.
 */

import { general } from "./findings.js";
import { FASTEST, IN_TURN, USUAL } from "./known.js";
import { called } from "./python.js";
import { attention, nearBases, speeds } from "./scaled.js";

/** @typedef {import("./scaled.js").Rotary} Text the encoding of a text */
/** @typedef {{ made_by: string, axes: number[], turns: Float64Array, attention: number }} Axial the call in Python; coordinate `axes[i]` turns pair i by `turns[i]` */
/** @typedef {{ rotary: Axial, points: "whole" | "centres" | "ends" }} Rule and how positions count the points of an axis */
/** @typedef {{ i: number, j: number, steps: number, ratio: number, rise: number }} Slope two fast pairs i < j of one coordinate, `steps` of its pairs apart: how much faster i turns than j, and the last pair than i */

/** @param {number[]} numbers */
const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

/** `base ** (-2 i / width)` for each pair i. @param {number} base @param {number} width */
const progression = (base, width) => Array.from({ length: width / 2 }, (_, i) => base ** (-2 * i / width));

/** @param {string} call @param {number[]} axes @param {number[]} turns @param {Rule["points"]} [points] @returns {Rule} */
const rule = (call, axes, turns, points = "whole") => ({ rotary: { made_by: `axes.${call}`, axes, turns: Float64Array.from(turns), attention: 1 }, points });

/** `count` times each axis. @param {number[]} counts */
const successive = (counts) => counts.flatMap((count, axis) => Array(count).fill(axis));

/**
 * Encodings whose pairs take the coordinates `labels`, -1 where a pair does not turn.
 * @param {number[]} labels
 * @param {Slope | null} slope
 * @param {string} form
 * @returns {Generator<Rule>}
 */
export function* rules(labels, slope, form) {
  const layout = form === "halves" ? "halves" : "interleaved";
  const ofText = form === "interleaved" ? "interleaved" : "halves";
  const pairs = labels.length;
  const whole = filled(labels);
  const counts = Array.from({ length: Math.max(...whole) + 1 }, (_, axis) => whole.filter((own) => own === axis).length);
  const texts = bases(slope, ({ i, j }) => pairs / (j - i)).map((base) => ({ head_dim: 2 * pairs, base, scaling: null }));
  if (whole.every((axis, i) => !i || axis >= whole[i - 1]) && counts.every(Boolean)) {
    yield* inOrder(whole, counts, slope, form, layout);
    for (const text of texts) yield sections(text, counts, ofText, false);
  }
  for (const parts of IN_TURN) {
    const shared = parts.map((part) => Math.floor(part * pairs / total(parts)));
    const isOne = texts.length && total(shared) === pairs && fits(labels, sections(texts[0], shared, ofText, true).rotary.axes);
    if (isOne) for (const text of texts) yield sections(text, shared, ofText, true);
  }
  const turnwise = labels.map((_, i) => i % 2);
  if (pairs % 2 || !fits(labels, turnwise)) return;
  for (const base of bases(slope, ({ steps }) => pairs / (2 * steps))) {
    yield rule(`alternate(${2 * pairs}${options(base, 10_000, layout)})`, turnwise, progression(base, pairs).flatMap((turn) => [turn, turn]));
  }
}

/** The pairs of a text's encoding, dealt out to time, height and width: in order, or pair by pair. @param {Text} text @param {number[]} counts @param {string} layout @param {boolean} isInTurn @returns {Rule} */
export function sections(text, counts, layout, isInTurn) {
  const turns = speeds(text);
  const axes = isInTurn ? [...turns.keys()].map((i) => (i < counts.length * counts[i % counts.length] ? i % counts.length : 0)) : successive(counts);
  const call = `axes.sections(${called({ ...text, layout })}, [${counts.join(", ")}]${isInTurn ? ", interleaved=True" : ""})`;
  return { rotary: { made_by: call, axes, turns, attention: attention(text) }, points: "whole" };
}

/** Successive pairs for each coordinate, with all wavelengths. @param {number[]} whole @param {number[]} counts @param {Slope | null} slope @param {string} form @param {string} layout @returns {Generator<Rule>} */
function* inOrder(whole, counts, slope, form, layout) {
  const head = 2 * whole.length;
  const found = bases(slope, ({ i, steps }) => counts[whole[i]] / steps);
  for (const base of found) {
    const dims = counts.map((count) => 2 * count);
    yield rule(`blocks([${dims.join(", ")}]${options(base, 10_000, layout)})`, whole, dims.flatMap((width) => progression(base, width)));
  }
  if (counts.length !== 2 || counts[0] !== counts[1]) return;
  const quarter = counts[0];
  for (const base of form === "interleaved" ? [] : found) {
    const all = progression(base, head);
    const split = [0, 1].flatMap((odd) => all.filter((_, i) => i % 2 === odd));
    yield rule(`pixtral(${head}${options(base, 10_000)})`, whole, split);
    const turns = progression(base, 2 * quarter).map((turn) => 2 * Math.PI * turn);
    yield rule(`dinov3(${head}${options(base, 100)})`, whole, [...turns, ...turns], "centres");
  }
  const measured = slope ? [Number((2 * slope.rise).toPrecision(3))] : [];
  for (const most of [...measured, ...FASTEST]) {
    const turns = Array.from({ length: quarter }, (_, j) => Math.PI * (1 + j / Math.max(quarter - 1, 1) * (most / 2 - 1)));
    yield rule(`pixels(${head}, max_freq=${general(most)}${options(10_000, 10_000, layout)})`, whole, [...turns, ...turns], "ends");
  }
}

/** @param {number} base @param {number} usual @param {string} [layout] */
const options = (base, usual, layout) => (base === usual ? "" : `, base=${general(base, 12)}`) + (layout === "halves" ? ', layout="halves"' : "");

/** Bases that explain the slope, rounded, or the usual ones if there is no slope. @param {Slope | null} slope @param {(slope: Slope) => number} power */
function bases(slope, power) {
  if (!slope) return USUAL;
  const logarithm = Math.log(slope.ratio) * power(slope);
  if (!(logarithm > 0 && logarithm < 300)) return [];
  const measured = Math.exp(logarithm);
  return [...new Set([...USUAL.filter((base) => Math.abs(measured / base - 1) < 0.01), ...nearBases(measured)])];
}

/** `labels`, where a pair that does not turn gets the label of the pair before it. Pairs that do not turn, before any that does, form a coordinate with a single value. @param {number[]} labels */
function filled(labels) {
  const still = Number(labels[0] < 0);
  /** @type {number[]} */
  const whole = [];
  for (const label of labels) whole.push(label >= 0 ? label + still : whole[whole.length - 1] ?? 0);
  return whole;
}

/** Whether each pair that turns has the coordinate of `axes`, or the one before it. @param {number[]} labels @param {number[]} axes */
function fits(labels, axes) {
  const apart = axes.map((axis, i) => axis - labels[i]).filter((_, i) => labels[i] >= 0);
  return apart.length > 0 && apart.every((less) => less === apart[0]);
}
