/**
 * Which rows of a library's table a table holds: from row 100, after a row of zeros.
 *
 * As in `posenc/identification/_named.py`.
 */

import { finding, general } from "./findings.js";
import { DEFAULT, FALLING } from "./known.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {import("./tables.js").TableMatch} TableMatch */

/** @param {Convention} one @param {Convention} other */
const isSame = (one, other) => (/** @type {(keyof Convention)[]} */ (Object.keys(DEFAULT))).every((name) => one[name] === other[name]);

/**
 * `match` with the place of its rows in the table of a library, and with what else looks the same.
 * @param {TableMatch} match
 * @param {Convention} kind its convention at amplitude 1
 * @param {Rows} rows
 * @param {{ kind: Convention, names: string[] }[]} libraries
 * @returns {TableMatch}
 */
export function named(match, kind, rows, libraries) {
  if (match.mistakes.length) return match;
  if (kind.angle_scale < 0) return falling(match, kind, rows);
  const placed = match.libraries.length ? match : moved(match, kind, rows.places[0], libraries);
  const isAny = !placed.libraries.length && rows.width === 4 && kind.angle_scale !== 1;
  return { ...placed, findings: [...placed.findings, ...rotary(kind, rows.width), ...(isAny ? [finding("two-pairs")] : [])] };
}

/** A table whose positions fall. @param {TableMatch} match @param {Convention} kind @param {Rows} rows */
function falling(match, kind, { places }) {
  const [first, last] = [-kind.start, -kind.start - places[places.length - 1]];
  const isWhole = isSame({ ...kind, start: 0 }, { ...DEFAULT, angle_scale: -1 }) && first === -last;
  return { ...match, libraries: isWhole ? FALLING : match.libraries, findings: [finding("falling", { first: general(first, 12), last: general(last, 12) })] };
}

/** @param {TableMatch} match @param {Convention} kind @param {number} zeros @param {{ kind: Convention, names: string[] }[]} libraries */
function moved(match, kind, zeros, libraries) {
  const start = kind.start + zeros; // position of the first row that is not zero
  const sorted = [...libraries].sort((one, other) => one.kind.start - other.kind.start);
  const whose = sorted.find(({ kind: other }) => (
    start >= other.start && Number.isInteger(start - other.start) && isSame({ ...kind, start: other.start }, other)));
  if (!zeros && !whose) return match;
  const first = whose ? start - whose.kind.start : 0;
  const findings = zeros ? [finding("after-zeros", { rows: zeros === 1 ? "one row" : `${zeros} rows` })] : [];
  if (first) findings.push(finding("from-row", { row: first }));
  return { ...match, convention: { ...match.convention, start }, libraries: whose?.names ?? [], findings, firstRow: first, zeroRows: zeros };
}

/** Rotary caches with each pair once have the columns of some conventions. @param {Convention} kind @param {number} width */
function rotary({ arrangement, order, freq_shift, spread }, width) {
  if (width % 2 || freq_shift || spread || (arrangement === "interleaved" && order === "sin_first")) return [];
  const halves = arrangement === "interleaved" ? "cosine and sine of each pair"
    : order === "sin_first" ? "sines, then cosines" : "cosines, then sines";
  return [finding("rotary-too", { halves })];
}
