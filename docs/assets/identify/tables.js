/**
 * The conventions and mistakes that make a table whose rows are successive positions.
 *
 * As in `posenc/identification/_tables.py`, with the same answers.
 */

import { FEW, add, before, covers, complexity, rounded, tried } from "./candidates.js";
import { fitted } from "./fit.js";
import { named } from "./named.js";
import { amplitude, asGood, error, errorAt, errorOfAll, sample, unitRows } from "./rows.js";
import { CONVENTIONS, DEFAULT, EXPONENTS, FROM_ONE, MISSING, RELATIVE, SWAPPED } from "./known.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./rows.js").Mistaken} Mistaken */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {import("./rows.js").Values} Values */
/** @typedef {import("./candidates.js").Candidate} Candidate */
/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {{ convention: Convention, error: number, libraries: string[], mistakes: string[], isMeant: boolean, findings: Finding[], firstRow: number, zeroRows: number }} TableMatch as in Python, mistakes by their codes; isMeant: the convention is what was meant, and the mistakes made the table */

const SOME = 64; // rows to compare candidates on
const NEAR = 1e-5; // relative; rounding changes an amplitude by no more

/**
 * Conventions and mistakes that may have made `rows`, best match first.
 * @param {Rows} rows
 * @param {number} slack
 * @param {boolean} [known] put libraries before better fits
 * @returns {TableMatch[]}
 */
export function matches(rows, slack, known = false) {
  const some = sample(rows, SOME);
  let found = libraries(some, slack);
  found.push(...others(fitted(rows, slack), some, slack, found));
  if (!found.some((candidate) => candidate.libraries.length)) found = explained(found, some, slack);
  const best = known ? Infinity : Math.min(...found.map((candidate) => candidate.error));
  const ranked = found.map((candidate) => ({ candidate, rank: rank(candidate, best) }));
  ranked.sort((one, other) => before(one.rank, other.rank));
  return ranked.slice(0, 5).map(({ candidate }) => answer(candidate, some, rows)).filter((match) => match.error <= slack);
}

/** @type {Map<number, { kind: Convention, names: string[] }[]>} */
const byParity = new Map();

/** The conventions of libraries at such a width, the simplest first. @param {number} width */
export function knownAt(width) {
  const odd = width % 2;
  const held = byParity.get(odd);
  if (held) return held;
  /** @type {Map<string, { kind: Convention, names: string[] }>} */
  const known = new Map();
  for (const [name, options] of Object.entries(CONVENTIONS)) {
    const kind = { ...DEFAULT, ...options, amplitude: 1, amplitude_power: 0 };
    if (RELATIVE.includes(name) || (odd && (kind.odd === "error" || kind.odd === "overflow"))) continue;
    if (!odd) kind.odd = "error";
    const key = JSON.stringify(kind);
    known.set(key, { kind, names: [...(known.get(key)?.names ?? []), name] });
  }
  const sorted = [...known.values()].sort((one, other) => before(complexity(one.kind), complexity(other.kind)));
  byParity.set(odd, sorted);
  return sorted;
}

/** The libraries within `slack`; those with the same values form one candidate. @param {Rows} some @param {number} slack */
function libraries(some, slack) {
  /** @type {Candidate[]} */
  const found = [];
  const few = sample(some, FEW);
  for (const { kind, names } of knownAt(some.width)) {
    const first = tried(kind, few);
    const candidate = first && first.error <= slack ? tried(kind, some) : null;
    if (candidate) add(found, { ...candidate, libraries: names });
  }
  return found.filter((candidate) => candidate.error <= slack);
}

/**
 * Those of `kinds` within `slack` that are not among the `known`, with rounded numbers.
 * @param {Convention[]} kinds
 * @param {Rows} some
 * @param {number} slack
 * @param {Candidate[]} known
 */
function others(kinds, some, slack, known) {
  /** @type {Candidate[]} */
  const found = [];
  for (const kind of kinds) {
    const first = tried(kind, some);
    if (!first || !(first.error <= slack)) continue;
    const candidate = rounded(first, some);
    if (!known.some((other) => covers(other, candidate))) add(found, candidate);
  }
  found.sort((one, other) => before(complexity(one.convention), complexity(other.convention)));
  return found.filter((candidate, place) => !found.slice(0, place).some((other) => covers(other, candidate)));
}

/** Every possible combination of mistakes, the shortest first. @returns {Mistaken[]} */
function mistaken() {
  const starts = [[], [FROM_ONE]];
  const sets = [
    ...[[], ...Object.keys(EXPONENTS).map((name) => [name])].flatMap((slip) => (
      [[], [SWAPPED]].flatMap((swap) => starts.map((start) => [...slip, ...swap, ...start])))),
    ...Object.keys(MISSING).flatMap((name) => starts.map((start) => [name, ...start])),
  ];
  return [1, 2, 3].flatMap((count) => [0, 1].flatMap((shift) => ["interleaved", "halves"].flatMap((arrangement) => (
    sets.filter((names) => names.length === count)
      .map((mistakes) => ({ meant: { ...DEFAULT, arrangement, freq_shift: shift }, mistakes }))))));
}

/**
 * `found`, where a candidate with the same values as a mistake gets that mistake; any other mistake
 * that fits becomes a candidate.
 * @param {Candidate[]} found
 * @param {Rows} some
 * @param {number} slack
 * @returns {Candidate[]}
 */
function explained(found, some, slack) {
  if (some.width % 2) return found;
  const few = sample(some, FEW);
  const best = found.length ? Math.min(...found.map((old) => old.error)) : slack;
  for (const mistake of mistaken()) {
    /** @param {Rows} rows */
    const unitIn = (rows) => /** @type {Float64Array} */ (unitRows(mistake, rows.places, rows.width));
    if (!(error(few, unitIn(few)) <= slack)) continue;
    const unit = unitIn(some);
    const made = { convention: mistake.meant, unit, error: error(some, unit), libraries: [], mistake };
    if (!(made.error <= slack && asGood(made.error, best))) continue;
    const same = found.filter((old) => covers(made, old));
    const rest = found.filter((old) => !covers(made, old));
    return [...(same.length ? same : [made]).map((old) => ({ ...old, mistake })), ...rest];
  }
  return found;
}

/** @param {Candidate} candidate @param {number} best */
function rank(candidate, best) {
  const { libraries: { length }, mistake, convention } = candidate;
  return [!asGood(candidate.error, best), !length, mistake === null, ...complexity(convention), candidate.error].map(Number);
}

/** `candidate` as an answer, with its error over all rows. @param {Candidate} candidate @param {Rows} some @param {Rows} rows @returns {TableMatch} */
function answer({ convention, unit, libraries: names, mistake }, some, rows) {
  const isMeant = mistake !== null && JSON.stringify(mistake.meant) === JSON.stringify(convention);
  const size = round(amplitude(some, unit), some, unit);
  const match = {
    convention: { ...convention, amplitude: size },
    error: errorOfAll(rows, size, isMeant ? mistake : convention),
    libraries: names,
    mistakes: mistake?.mistakes ?? [],
    isMeant,
    findings: [],
    firstRow: 0,
    zeroRows: 0,
  };
  return named(match, convention, rows, knownAt(rows.width));
}

/** A round number near `size` that fits as well; the root of the width counts as round. @param {number} size @param {Rows} some @param {Float64Array} unit */
function round(size, some, unit) {
  const digits = [0, 1, 2, 3, 4, 5].map((count) => Number(size.toExponential(count)));
  const limit = errorAt(some, size, unit);
  const tries = [Math.sqrt(some.width), Math.sqrt(1 / some.width), ...digits];
  return tries.find((near) => Math.abs(near / size - 1) < NEAR && asGood(errorAt(some, near, unit), limit)) ?? size;
}

/**
 * The table of `length` rows that a convention makes, or mistakes in it.
 * @param {Partial<Convention>} options
 * @param {string[]} mistakes
 * @param {number} length
 * @param {number} width
 */
export function made(options, mistakes, length, width) {
  const kind = { ...DEFAULT, ...options };
  const places = Float64Array.from({ length }, (_, row) => row);
  return /** @type {Float64Array} */ (unitRows(mistakes.length ? { meant: kind, mistakes } : kind, places, width));
}
