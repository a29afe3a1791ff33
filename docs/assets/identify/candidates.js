/**
 * Candidates: conventions and their errors on sampled rows; of two that fit, the simpler comes first.
 *
 * As in `posenc/identification/_candidates.py`.
 */

import { asGood, error, sample, unitRows } from "./rows.js";
import { CONVENTIONS, DEFAULT } from "./known.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./rows.js").Mistaken} Mistaken */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {{ convention: Convention, unit: Float64Array, error: number, libraries: string[], mistake: Mistaken | null }} Candidate */

export const FEW = 8; // rows that are enough to reject most candidates
const SAME = 1e-9; // tables that differ by less are the same
const NUMBERS = /** @type {const} */ (["start", "angle_scale", "base", "freq_shift"]);

/**
 * @param {Convention} convention
 * @param {Rows} some
 * @returns {Candidate | null}
 */
export function tried(convention, some) {
  const unit = unitRows(convention, some.places, some.width);
  return unit && { convention, unit, error: error(some, unit), libraries: [], mistake: null };
}

/** `value` rounded to a whole number, ties to even. @param {number} value */
export function even(value) {
  const up = Math.round(value);
  return up - value === 0.5 && up % 2 ? up - 1 : up;
}

/**
 * Round numbers near the measured `number`, the roundest first.
 * @param {"start" | "angle_scale" | "base" | "freq_shift"} name
 * @param {number} number
 */
function rounder(name, number) {
  if (name === "start") return [even(number), Number(number.toFixed(2))];
  if (name === "freq_shift") return [2, 3].map((count) => Number(number.toFixed(count)));
  const known = Object.values(CONVENTIONS).map((kind) => ({ ...DEFAULT, ...kind })[name]);
  const close = known.filter((value) => Math.abs(Math.abs(number / value) - 1) < 0.01);
  const digits = [0, 1, 2, 3].map((count) => Number(number.toExponential(count)));
  const turns = name === "angle_scale" ? [even(number / Math.PI) * Math.PI] : [];
  return [...new Set([...close, ...digits, ...turns])].filter(Boolean);
}

/**
 * `candidate` with the roundest numbers that fit as well.
 * @param {Candidate} candidate
 * @param {Rows} some
 */
export function rounded(candidate, some) {
  const limit = candidate.error;
  const few = sample(some, FEW);
  /** Whether `kind` fits as well; if so, it is the candidate from now on. @param {Convention} kind */
  const fits = (kind) => {
    const first = tried(kind, few);
    const trial = first && asGood(first.error, limit) && tried(kind, some);
    if (!trial || !asGood(trial.error, limit)) return false;
    candidate = trial;
    return true;
  };
  const { convention, convention: { angle_scale: old, start } } = candidate;
  const middle = (some.places[0] + some.places[some.places.length - 1]) / 2;
  // With the start, as each needs both.
  rounder("angle_scale", old).some((scale) => fits({ ...convention, angle_scale: scale, start: even((start + middle) * old / scale - middle) }));
  for (const name of NUMBERS) rounder(name, candidate.convention[name]).some((number) => fits({ ...candidate.convention, [name]: number }));
  return candidate;
}

/** Largest difference of the values. @param {Candidate} one @param {Candidate} other */
const apart = (one, other) => one.unit.reduce((most, value, at) => Math.max(most, Math.abs(value - other.unit[at])), 0);

/**
 * Append `candidate`, or add its libraries to the candidate with the same values.
 * @param {Candidate[]} found
 * @param {Candidate} candidate
 */
export function add(found, candidate) {
  const place = found.findIndex((old) => apart(old, candidate) < SAME);
  if (place < 0) { found.push(candidate); return; }
  const old = found[place];
  const first = before(complexity(candidate.convention), complexity(old.convention)) < 0 ? candidate : old;
  found[place] = { ...first, libraries: [...new Set([...old.libraries, ...candidate.libraries])].sort() };
}

/** Whether `one` explains the rows as well as `other` does, so that `other` adds nothing. @param {Candidate} one @param {Candidate} other */
export function covers(one, other) {
  return apart(one, other) <= 2 * (one.error + other.error) + SAME && asGood(one.error, other.error);
}

/**
 * Sort key: significant digits, then the number of options that differ from the paper's.
 * @param {Convention} kind
 */
export function complexity(kind) {
  const numbers = [kind.base, kind.angle_scale / Math.PI, kind.angle_scale, kind.start, kind.freq_shift];
  const digits = numbers.map((number) => number.toExponential(12).split("e")[0].replace(/0+$/, "").length);
  const names = /** @type {(keyof Convention)[]} */ (Object.keys(DEFAULT));
  return [digits[0] + Math.min(digits[1], digits[2]) + digits[3] + digits[4], names.filter((name) => kind[name] !== DEFAULT[name]).length];
}

/** Compares two lists of numbers; below 0 if `one` comes first. @param {number[]} one @param {number[]} other */
export function before(one, other) {
  const place = one.findIndex((value, k) => value !== other[k]);
  return place < 0 ? 0 : one[place] - other[place];
}
