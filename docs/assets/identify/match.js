/**
 * Finds what made a table: a library's convention, any other, a grid, a rotary cache, a mistake.
 *
 * As in `posenc/identification/_identify.py`, with the same answers.
 */

import * as axial from "./axial.js";
import { cached } from "./cut.js";
import { finding, general, scientific } from "./findings.js";
import * as grids from "./grids.js";
import { MISSING, TRANSPOSED } from "./known.js";
import * as mixed from "./mixed.js";
import * as near from "./near.js";
import { nearest } from "./nearest.js";
import { described } from "./plain.js";
import { FLOAT32, TOLERANCE, fitsByChance, largest, picked } from "./rows.js";
import { attention } from "./scaled.js";
import * as tables from "./tables.js";

/** @typedef {import("./rows.js").Values} Values */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {import("./shapes.js").Given} Given */
/** @typedef {import("./tables.js").TableMatch | import("./grids.js").GridMatch | import("./caches.js").CacheMatch | import("./axial.js").AxialMatch} Match */
/** @typedef {import("./nearest.js").Near} Near */
/** @typedef {{ matches: Match[], nearest: Near | null, rowsUsed: number, rowsIgnored: number[], findings: Finding[], tolerance: number }} Identification as in Python */

const ROUGH = 1e-2;
const [RANGE, ARC] = [0.03, 0.2]; // of the amplitude, by which some column must change; ARC if there is one pair
const LONG = 4200; // rows from which float32 angles may differ by more than the tolerance
const WIDEST = 8192; // rows of a table that may be transposed
const CLOSE = 1000; // first rows, where float32 angles are exact enough

/**
 * @param {Given} held
 * @param {number | null} [tolerance] a fraction of the amplitude
 * @returns {Identification}
 */
export function identify(held, tolerance = null) {
  if (!held.table) return special(held, tolerance);
  const { values, width } = held.table;
  const length = values.length / width;
  /** @type {number[][]} */
  const [filled, ignored] = [[], []];
  for (let row = 0; row < length; row++) (isZero(values, row * width, width) ? ignored : filled).push(row);
  const whole = { places: Float64Array.from({ length }, (_, row) => row), values, width };
  const rows = ignored.length ? picked(whole, filled) : whole;
  const answer = { matches: [], nearest: null, rowsUsed: filled.length, rowsIgnored: ignored, findings: held.findings, tolerance: tolerance ?? TOLERANCE };
  const refusal = refused(length, rows);
  if (refusal) return { ...answer, findings: [...held.findings, refusal] };
  /** @type {Identification | null} */
  let unnamed = null;
  for (const [slack, code] of ladder(length, tolerance)) {
    const found = matches(values, rows, slack, code === "float32-far");
    if (found.length && isVague(found[0], [rows])) return { ...answer, findings: [...held.findings, finding("vague")], tolerance: slack };
    const noticed = found.length ? because(code, found[0], values, rows, slack) : null;
    if (!noticed || (unnamed && !found[0].libraries.length)) continue;
    const used = "rotary" in found[0].convention ? { rowsUsed: length, rowsIgnored: [] } : {}; // a row of zeros is sin(0)
    const answered = { ...answer, ...used, matches: found, findings: [...held.findings, ...noticed], tolerance: slack };
    const [best] = found;
    if (code || best.libraries.length || best.mistakes.length || !("base" in best.convention) || tolerance || length < LONG) return answered;
    unnamed = answered; // the fit may have invented a base to explain float32 angles
  }
  const slack = tolerance ?? TOLERANCE;
  return unnamed ?? missed(answer, [held.table], closest(rows, values, slack), slack);
}

/** The answer about a table that nothing matches: waves, or else the nearest miss. @param {Identification} answer @param {import("./shapes.js").Flat[]} held @param {Near | null} near @param {number} slack @returns {Identification} */
function missed(answer, held, near, slack) {
  const waves = near && near.findings[0].code !== "noise" ? null : described(held, slack);
  const isVague = near && near.error <= slack && "rotary" in near.convention;
  const noticed = waves ?? (isVague ? finding("vague") : null);
  return noticed ? { ...answer, findings: [...answer.findings, noticed] } : { ...answer, nearest: near };
}

/** The nearest convention, grid or rotary cache. @param {Rows} rows @param {Values} values @param {number} slack */
function closest(rows, values, slack) {
  const one = nearest(rows, slack);
  if (one?.rows.length || one?.columns.length) return one;
  const other = near.nearest([{ values, width: rows.width }], slack);
  return one && other ? (other.typical < one.typical ? other : one) : one ?? other;
}

/** @param {Values} values @param {number} from @param {number} width */
function isZero(values, from, width) {
  for (let at = from; at < from + width; at++) if (values[at]) return false;
  return true;
}

/** A finding if the rows cannot decide anything, otherwise null. @param {number} length @param {Rows} rows */
function refused(length, rows) {
  const filled = rows.places.length;
  if (!filled) return finding("all-zeros");
  if (filled < length / 2) return finding("mostly-zeros", { count: length - filled, rows: length });
  if (filled === 1) return finding("one-row");
  return isStraight(rows) ? finding("vague") : null;
}

/** Whether every column is a straight line, except for rounding; two rows have to be equal. @param {Rows} rows */
function isStraight({ places, values, width }) {
  const last = places.length - 1;
  const limit = FLOAT32 * largest(values);
  return values.every((value, at) => {
    const [row, column] = [Math.floor(at / width), at % width];
    const [from, to] = [values[column], values[last * width + column]];
    return (last > 1 || from === to) && Math.abs(value - from - (places[row] - places[0]) / (places[last] - places[0]) * (to - from)) <= limit;
  });
}

/** Whether the tables say too little for this fitted encoding, as in `_vague.py`. @param {Match} match @param {import("./shapes.js").Flat[]} held */
function isVague({ convention: kind, libraries, mistakes, error }, held) {
  if (libraries.length || mistakes.length || "axis" in kind) return false;
  if ("order" in kind && isFarByChance(kind, held[0].width >> 1, error)) return true;
  const rotary = "rotary" in kind ? kind.rotary : null;
  if (rotary && "axes" in rotary && rotary.turns.every((turn) => turn === rotary.turns[0])) return true;
  const [{ values: { length }, width }] = held;
  const isOnePair = held.length * width <= 2;
  let least = (isOnePair ? ARC : RANGE) * kind.amplitude;
  if (rotary) least *= "axes" in rotary ? rotary.attention : attention(rotary);
  /** @param {{ values: Values }} flat @param {number} j the column */
  const isChanging = ({ values }, j) => {
    let [low, high] = [values[j], values[j]];
    for (let at = j; at < length && high - low < least; at += width) [low, high] = [Math.min(low, values[at]), Math.max(high, values[at])];
    return high - low >= least;
  };
  const columns = Array.from({ length: width }, (_, j) => j);
  return length < (isOnePair ? 3 : 2) * width || !held.some((flat) => columns.some((j) => isChanging(flat, j)));
}

/** Whether some first row so far away may fit any few `pairs`: a start that is not whole always fits the fastest. @param {import("./rows.js").Convention} kind @param {number} pairs @param {number} error */
function isFarByChance({ start, angle_scale: scale }, pairs, error) {
  if (Number.isInteger(start)) return fitsByChance(Math.abs(start), pairs, error);
  const turns = Math.abs(start * scale) / Math.PI;
  return turns > 1 && fitsByChance(turns, pairs - 1, error);
}

/** Tolerances to try, each with the code of its finding. @param {number} length @param {number | null} tolerance @returns {[number, string][]} */
function ladder(length, tolerance) {
  if (tolerance !== null) return [[tolerance, ""]];
  /** @type {[number, string][]} */
  const far = length >= LONG ? [[length * FLOAT32, "float32-far"]] : [];
  return [[TOLERANCE, ""], ...far, [ROUGH, "rough"]];
}

/** @param {Values} values @param {Rows} rows @param {number} slack @param {boolean} known @returns {Match[]} */
function matches(values, rows, slack, known) {
  const { places, width } = rows;
  const found = tables.matches(rows, slack, known);
  if (found.length && !found[0].mistakes.length) return found;
  const given = [{ values, width }];
  const held = cached(given, slack);
  if (held.length && found.some(({ mistakes }) => mistakes.some((code) => code in MISSING))) held[0].findings.push(finding("cosines-missing-too", { missing: "cosines" }));
  if (held.length || found.length) return [...held, ...found];
  const shaped = first(
    () => axial.matches(given, slack, true),
    () => grids.matches({ values, width }, places[0], slack),
    ...points(given, slack),
  );
  if (shaped.length || places.length < 2 || places.length > WIDEST || width < 3) return shaped;
  const across = new /** @type {Float64ArrayConstructor} */ (values.constructor)(rows.values.length);
  const count = places.length;
  for (let row = 0, at = 0; row < count; row++) {
    for (let column = 0; column < width; column++, at++) across[column * count + row] = rows.values[at];
  }
  for (let row = 0; row < width; row++) if (isZero(across, row * count, count)) return [];
  const turned = { places: Float64Array.from({ length: width }, (_, row) => row), values: across, width: count };
  return tables.matches(turned, slack).filter((match) => !isVague(match, [turned])).map((match) => ({ ...match, mistakes: [TRANSPOSED, ...match.mistakes] }));
}

/** The first matches that there are. @param {(() => Match[])[]} looks @returns {Match[]} */
function first(...looks) {
  for (const look of looks) {
    const found = look();
    if (found.length) return found;
  }
  return [];
}

/** Looks for a cache of points. @param {import("./shapes.js").Flat[]} held @param {number} slack @returns {(() => Match[])[]} */
const points = (held, slack) => [() => axial.matches(held, slack), () => mixed.matches(held, slack)];

/** The finding that explains the tolerance, null if nothing does. @param {string} code @param {Match} best @param {Values} values @param {Rows} rows @param {number} slack */
function because(code, best, values, rows, slack) {
  if (!code) return [];
  if (code === "rough") return [finding("rough", { tolerance: general(slack) })];
  const { places, width } = rows;
  const first = { places: places.subarray(0, CLOSE), values: rows.values.subarray(0, CLOSE * width), width };
  const found = matches(values.subarray(0, CLOSE * width), first, TOLERANCE, false);
  const close = found.find((match) => ("rotary" in match.convention) === ("rotary" in best.convention) && !match.mistakes.length);
  return close ? [finding("float32-far", { near: scientific(close.error), error: scientific(best.error), rows: CLOSE })] : null;
}

/** Arrays with more axes: cosines and sines of a rotary cache, or a grid. @param {Given} held @param {number | null} tolerance @returns {Identification} */
function special({ both, grids: shaped, findings }, tolerance) {
  const [{ values, width }] = both ?? shaped;
  const length = values.length / width;
  const answer = { matches: [], nearest: null, rowsUsed: length, rowsIgnored: [], findings, tolerance: tolerance ?? TOLERANCE };
  if (both && isStraight({ ...axial.joined(both), places: Float64Array.from({ length }, (_, row) => row) })) return { ...answer, findings: [...findings, finding("vague")] };
  for (const [slack, code] of ladder(length, tolerance)) {
    const looks = both ? [() => cached(both, slack), ...points(both, slack)] : [];
    const found = first(...looks, ...shaped.map((grid) => () => grids.matches(grid, 0, slack, [grid.height, grid.across])));
    if (!found.length) continue;
    if (both && isVague(found[0], both)) return { ...answer, findings: [...findings, finding("vague")], tolerance: slack };
    const noticed = code === "rough" ? [finding("rough", { tolerance: general(slack) })] : [];
    const [match] = found;
    const rowsUsed = "points" in match ? match.points[0] * match.points[1] : length;
    return { ...answer, rowsUsed, matches: found, findings: [...findings, ...noticed], tolerance: slack };
  }
  const slack = tolerance ?? TOLERANCE;
  return both ? missed(answer, both, near.nearest(both, slack), slack) : answer;
}
