/**
 * Finds what made a table: reads it, measures it, explains it, chooses.
 * As in `posenc/identification/_identify.py`, without caches of points and rows at any positions,
 * which are too heavy for a page: the command knows them.
 */

import { count, counted, matches as cached, rounded } from "./caches.js";
import { finding, general, scientific } from "./findings.js";
import * as grids from "./grids.js";
import { MISSING, TRANSPOSED } from "./known.js";
import { FLOAT32, TOLERANCE, asGood, largest, limitsOf } from "./measure.js";
import { nearest, noTurn, someOf, wavesOf } from "./nearest.js";
import { picked } from "./rows.js";
import { attention } from "./rules.js";
import { channelsLast } from "./shapes.js";
import * as tables from "./tables.js";

/** @import { Values, Rows } from "./rows.js" */
/** @import { Flat, Limits } from "./measure.js" */
/** @import { Finding } from "./findings.js" */
/** @import { Given } from "./shapes.js" */
/** @import { Near } from "./nearest.js" */
/** @typedef {Omit<import("./tables.js").TableMatch, "convention"> & { convention: import("./rows.js").Convention | import("./grids.js").Grid | import("./caches.js").Cache, points?: number[] }} Match */
/** @typedef {{ matches: Match[], nearest: Near | null, rowsUsed: number, rowsIgnored: number[], findings: Finding[], tolerance: number }} Identification as in Python */

const WIDEST = 8192; // rows of a table that may be transposed
const [RANGE, ARC] = [0.03, 0.2]; // of the amplitude, by which some column must change; ARC if there is one pair
const CHANCE = 1e-3; // largest probability that a far position fits by chance

/** @param {Given} held @param {number | null} [tolerance] a fraction of the amplitude @returns {Identification} */
export function identify(held, tolerance = null) {
  if (held.grids.length) return ofGrids(held, tolerance);
  const given = held.both ?? [/** @type {Flat} */ (held.table)];
  const limits = limitsOf(given, tolerance);
  const [{ values, width }] = given;
  const length = values.length / width;
  const all = [...count(length)];
  const ignored = held.both ? [] : all.filter((row) => isZero(values, row * width, width));
  const filled = ignored.length ? all.filter((row) => !isZero(values, row * width, width)) : all;
  const rows = { places: Float64Array.from(filled), values: filled.length === length ? values : picked({ places: new Float64Array(length), values, width, far: 0, rounding: 0 }, filled).values, width, far: limits.far, rounding: limits.error };
  const answer = { matches: [], nearest: null, rowsUsed: filled.length, rowsIgnored: ignored, findings: held.findings, tolerance: limits.slack };
  const refusal = refused(length, given, rows, limits);
  if (refusal) return { ...answer, findings: [...held.findings, refusal] };
  const every = explanations(given, rows, limits);
  const found = limits.isGiven ? every : every.filter(({ error }) => asGood(error, every[0].error, limits.error));
  if (!found.length || isLoose(found[0], limits, length)) return missed(answer, given, held.both ? null : rows, limits);
  const compared = held.both ?? [{ values: rows.values, width }];
  if (isVague(found[0], compared)) return { ...answer, findings: [...held.findings, finding("vague")] };
  const isCache = "rotary" in found[0].convention; // a row of zeros is sin(0)
  const [best, most] = [found[0], Math.max(...given.map((flat) => largest(flat.values)))];
  const findings = [...held.findings];
  if (best.error > limits.slack) findings.push(finding("float32-far", { near: scientific(best.close / most), error: scientific(best.error), rows: Math.min(tables.CLOSE, length) }));
  else findings.push(...roughly(best, limits));
  return { ...answer, ...(isCache && { rowsUsed: length, rowsIgnored: [] }), matches: found, findings };
}

/** Why a match may differ by more than usual. @param {{ error: number }} best @param {Limits} limits */
const roughly = ({ error }, { format, isGiven, slack }) => (error > TOLERANCE && !isGiven ? [finding("rough", { format, tolerance: general(slack, 2) })] : []);

/** @param {Values} values @param {number} from @param {number} width */
const isZero = (values, from, width) => !values.subarray(from, from + width).some(Boolean);

/** A finding if the rows cannot decide anything, otherwise null. @param {number} length @param {Flat[]} given @param {Rows} rows @param {Limits} limits */
function refused(length, given, rows, limits) {
  const filled = rows.places.length;
  if (!filled) return finding("all-zeros");
  if (filled < length / 2) return finding("mostly-zeros", { count: length - filled, rows: length });
  if (filled === 1 && given.length === 1) return finding("one-row");
  const most = Math.max(...given.map(({ values }) => largest(values)));
  const isFlat = ![{ values: rows.values, width: rows.width }, ...given.slice(1)].some((flat) => changes(flat, RANGE * most));
  const isLine = isFlat || [rows.values, ...given.slice(1).map(({ values }) => values)].every((values) => isStraight({ ...rows, values }, FLOAT32 * most));
  const slopes = Array.from({ length: rows.width }, (_, i) => (rows.values[(filled - 1) * rows.width + i] - rows.values[i]) / (rows.places[filled - 1] - rows.places[0]));
  const isAngle = isLine && changes(rows, 2 * Math.PI); // more than sine and cosine of a slow pair
  if (!isLine) return noTurn(given, limits);
  return noTurn(given, limits) ?? (isAngle ? finding("angles", { list: someOf(slopes) }) : finding("vague"));
}

/** Whether every column is a straight line, to within `limit`; two rows have to be equal. @param {Rows} rows @param {number} limit */
function isStraight({ places, values, width }, limit) {
  const last = places.length - 1;
  return last > 0 && values.every((value, at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    const [from, to] = [values[column], values[last * width + column]];
    return (last > 1 || from === to) && Math.abs(value - from - (places[row] - places[0]) / (places[last] - places[0]) * (to - from)) <= limit;
  });
}

/** Whether nothing but the rounding of values, and of float32 angles, is left. @param {Match} match @param {Limits} limits */
const isExact = ({ error }, { exact, far, slack }) => error <= exact || (far > 0 && error > slack);

/** Whether a cache fits no better than other ones might: its base and scaling are guesses. @param {Match} match @param {Limits} limits @param {number} length */
const isLoose = ({ convention, error }, { exact, far, isGiven }, length) => !isGiven && "rotary" in convention && error > exact + far * (convention.start + length);

/** What may have made the table, or the cosines and sines: kinds with fewer free numbers first. @param {Flat[]} given @param {Rows} rows @param {Limits} limits @returns {Match[]} */
function explanations(given, rows, limits) {
  const isTable = given.length === 1;
  /** @type {Match[]} */ const found = isTable ? tables.matches(rows, limits.slack) : [];
  /** The matches with a rounding, or else the `others`. @param {Match[]} others */
  const better = (others) => { const rough = cached(given, limits, rounded); return rough.length ? rough : others; };
  if (found.length && !found[0].mistakes.length) return found[0].libraries.length || isExact(found[0], limits) ? found : better(found);
  let caches = cached(given, limits, counted);
  if (caches.length && !found.length && !isExact(caches[0], limits)) caches = better(caches);
  if (caches.length && found.some(({ mistakes }) => mistakes.some((code) => code in MISSING))) caches = caches.map((match) => ({ ...match, findings: [...match.findings, finding("cosines-missing-too", { missing: "cosines" })] }));
  if (caches.length || found.length) return [...caches, ...found];
  const rough = better([]);
  if (rough.length) return rough;
  const grid = isTable ? grids.matches(given[0], rows.places[0], limits) : [];
  return grid.length ? grid : transposed(given, limits);
}

/** The answer for the transposed table. @param {Flat[]} held @param {Limits} limits @returns {Match[]} */
function transposed(held, limits) {
  const [rows, width] = [held[0].values.length / held[0].width, held[0].width];
  if (Math.max(rows, width) > WIDEST || width < 3) return [];
  const turned = held.map(({ values }) => ({ values: channelsLast(values, rows), width: rows }));
  const found = turned[1] ? [] : tables.matches({ places: count(width), far: limits.far, rounding: limits.error, ...turned[0] }, limits.slack);
  const every = found.length && !found[0].mistakes.length ? found : [...cached(turned, limits, counted), ...found];
  return every.filter((match) => !isVague(match, turned)).map((match) => ({ ...match, mistakes: [TRANSPOSED, ...match.mistakes] }));
}

/** The answer about a table that nothing matches: waves, or else the nearest miss. @param {Identification} answer @param {Flat[]} given @param {Rows | null} rows @param {Limits} limits @returns {Identification} */
function missed(answer, given, rows, limits) {
  const near = rows && nearest(rows, limits);
  if (!near || near.findings[0].code === "noise") {
    const waves = wavesOf(given, limits);
    if (waves.length) return { ...answer, findings: [...answer.findings, ...waves] };
  }
  return { ...answer, nearest: near };
}

/** Whether some column changes by `least`. @param {Flat} flat @param {number} least */
function changes({ values, width }, least) {
  for (let j = 0; j < width; j++) {
    let [low, high] = [values[j], values[j]];
    for (let at = j; at < values.length; at += width) [low, high] = [Math.min(low, values[at]), Math.max(high, values[at])];
    if (high - low >= least) return true;
  }
  return false;
}

/** The answer about an array with three axes: a grid, channels last or first. @param {Given} held @param {number | null} tolerance @returns {Identification} */
function ofGrids({ grids: shaped, findings }, tolerance) {
  const all = shaped.map((grid) => {
    const limits = limitsOf([grid], tolerance);
    const matches = grids.matches(grid, 0, limits, [grid.height, grid.across]);
    return { matches, nearest: null, rowsUsed: grid.height * grid.across, rowsIgnored: [], findings: [...findings, ...matches.slice(0, 1).flatMap((best) => roughly(best, limits))], tolerance: limits.slack };
  });
  return all.find(({ matches }) => matches.length) ?? all[0];
}

/** Whether the tables say too little for this fitted encoding. @param {Match} match @param {Flat[]} held */
function isVague({ convention: kind, libraries, mistakes, error }, held) {
  if (libraries.length || mistakes.length || "axis" in kind) return false;
  if ("order" in kind && isFarByChance(kind, held[0].width >> 1, error)) return true;
  const [{ values: { length }, width }] = held;
  const isOnePair = held.length * width <= 2;
  const size = kind.amplitude * ("rotary" in kind ? attention(kind.rotary) : 1);
  return length < (isOnePair ? 3 : 2) * width || !held.some((flat) => changes(flat, (isOnePair ? ARC : RANGE) * size));
}

/** Whether some first row so far away may fit any few `pairs`: a start that is not whole always fits the fastest. @param {import("./rows.js").Convention} kind @param {number} pairs @param {number} error */
function isFarByChance({ start, angle_scale: scale }, pairs, error) {
  if (Number.isInteger(start)) return Math.abs(start) * (error / Math.PI) ** pairs > CHANCE;
  const turns = Math.abs(start * scale) / Math.PI;
  return turns > 1 && turns * (error / Math.PI) ** (pairs - 1) > CHANCE;
}
