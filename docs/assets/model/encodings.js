/**
 * What each encoding adds to a model: rows, rotary frequencies, or terms of the scores.
 *
 * As in `scripts/experiments/encodings.py`, with the constants of its `runs.py`.
 */

import { encode, frequencies } from "../maths/encoding.js";

/** @import { Model } from "./weights.js" */
/** @typedef {"trained" | "linear" | "ntk" | "parts"} Scaling */

export const VOCABULARY = 16;
export const LENGTH = 32; // of the texts in training
export const WIDTH = 64;
export const HEADS = 2;
export const HEAD_WIDTH = WIDTH / HEADS;
const PAIRS = HEAD_WIDTH / 2;
const [BUCKETS, FURTHEST] = [16, 16]; // T5's, for short texts
const [KEPT_TURNS, SLOWED_TURNS] = [4, 0.5]; // limits of the scaling by parts, for short texts

/**
 * The row that a model adds to the embedding at position `p`; null if it adds none.
 * @param {Model} model
 * @param {number} p
 */
export function addedRow({ run, arrays }, p) {
  if (run.encoding === "sinusoidal") return encode(p, WIDTH, run.base);
  if (run.encoding !== "learned") return null;
  const known = Math.min(p, LENGTH - 1); // beyond the table, its last row again
  return arrays.positions.subarray(known * WIDTH, (known + 1) * WIDTH);
}

/**
 * Radians per position of each rotary pair of a head, for texts `factor` times as long as in training.
 * @param {number} base
 * @param {Scaling} scaling
 * @param {number} factor
 */
export function speeds(base, scaling, factor) {
  if (scaling === "ntk") return frequencies(HEAD_WIDTH, base * factor ** (HEAD_WIDTH / (HEAD_WIDTH - 2)));
  const trained = frequencies(HEAD_WIDTH, base);
  if (scaling === "trained") return trained;
  if (scaling === "linear") return trained.map((speed) => speed / factor);
  const [first, last] = [KEPT_TURNS, SLOWED_TURNS].map((turns) => PAIRS * Math.log(LENGTH / (2 * Math.PI * turns)) / Math.log(base));
  return trained.map((speed, pair) => {
    const slowed = Math.min(1, Math.max(0, (pair - first) / (last - first)));
    return speed * (slowed / factor + 1 - slowed);
  });
}

/**
 * What ALiBi or T5 adds to the score of a key at each distance, one head after the other; null for other encodings.
 * @param {Model} model
 * @param {number} length
 */
export function addedScores({ run, arrays }, length) {
  if (run.encoding !== "alibi" && run.encoding !== "t5") return null;
  return Float64Array.from({ length: HEADS * length }, (_, at) => {
    const head = Math.floor(at / length);
    const distance = at % length;
    return run.encoding === "t5" ? arrays.bias[head * BUCKETS + bucket(distance)] : -distance * 2 ** (-8 * (head + 1) / HEADS);
  });
}

/** T5's bucket for keys `distance` positions back. @param {number} distance */
function bucket(distance) {
  const near = BUCKETS / 2; // distances with a bucket each
  if (distance < near) return distance;
  const share = Math.log(distance / near) / Math.log(FURTHEST / near);
  return Math.min(BUCKETS - 1, near + Math.floor(share * near + 1e-9));
}
