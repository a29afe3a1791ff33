/**
 * The rotary cache that comes nearest to a table that nothing matches.
 *
 * As in `posenc/identification/_near_caches.py`.
 */

import { answer } from "./caches.js";
import * as cut from "./cut.js";
import { BASES } from "./known.js";
import { differing } from "./nearest.js";
import { largest } from "./rows.js";
import { attention, explained, missed, snapped, speeds } from "./scaled.js";
import { apart, measured } from "./waves.js";

/** @typedef {import("./shapes.js").Flat} Flat */
/** @typedef {import("./caches.js").Cache} Cache */
/** @typedef {import("./scaled.js").Rotary} Rotary */

const SOME = 32; // rows to compare candidates on
const FEWEST = 8; // with fewer rows, no cache is looked for
const QUARTER = 128; // rows of a quarter that are enough
const NEAR = 0.1; // mean difference: most of a cosine cache is near 1, so others come close
const WILD = 0.25; // mean difference from waves; noise is further off
const LARGE = 4; // times the largest value: a larger amplitude is that of a line
const LOOSE = 0.1; // mean difference between two columns of a pair, which may be learned

/** The nearest rotary cache, null if all are far. @param {Flat[]} held @param {number} slack @returns {import("./nearest.js").Near | null} */
export function nearest(held, slack) {
  const [{ values, width }] = held;
  const length = values.length / width;
  if (length < FEWEST) return null;
  const cache = fromAPart(held, length, slack) ?? closest(held);
  if (!cache) return null;
  const size = cache.amplitude * attention(cache.rotary);
  if (size > LARGE * Math.max(...held.map((flat) => largest(flat.values)))) return null;
  const places = Float64Array.from({ length }, (_, row) => row);
  return differing(missed(held, cache, places), { places, width }, cache, [], slack);
}

/** A cache that makes a quarter of the rows. @param {Flat[]} held @param {number} length @param {number} slack @returns {Cache | null} */
function fromAPart(held, length, slack) {
  const quarter = Math.max(length >> 2, FEWEST);
  for (let first = 0; first <= length - quarter; first += quarter) {
    const part = held.map(({ values, width }) => ({ values: values.subarray(first * width, (first + Math.min(quarter, QUARTER)) * width), width }));
    for (const { convention } of cut.cached(part, slack)) {
      if (convention.start >= first) return { ...convention, start: convention.start - first };
    }
  }
  return null;
}

/** The cache from position 0 whose mean difference is the least. @param {Flat[]} held @returns {Cache | null} */
function closest(held) {
  let [least, best] = [NEAR, /** @type {Cache | null} */ (null)];
  for (const { part, form, parts } of cut.readings(held, LOOSE, true)) {
    const waves = measured(parts);
    if (!waves || !(waves.amplitude > 0) || apart(parts, waves).mean > WILD * waves.amplitude) continue;
    const { miss, rotary } = simplest(parts, waves);
    if (miss >= least) continue;
    const size = snapped(waves.amplitude / attention(rotary));
    [least, best] = [miss, { ...answer(rotary, { part, form, amplitude: Math.abs(size - 1) < 2 * miss ? 1 : size, start: 0 }, 0, []).convention }];
  }
  return best;
}

/** The simplest of the nearest encodings, and its mean difference. @param {import("./turning.js").Parts} parts @param {import("./waves.js").Waves} waves */
function simplest({ cosines, sines, positions, pairs }, { turns, weight, amplitude }) {
  const last = positions.length - 1;
  const rows = [...new Set(Array.from({ length: SOME }, (_, k) => (k === SOME - 1 ? last : Math.trunc(k * (last / (SOME - 1))))))];
  /** @param {Float64Array} exact */
  const off = (exact) => {
    let [sum, count] = [0, 0];
    for (const row of rows) {
      for (let i = 0, at = row * pairs; i < pairs; i++, at++) {
        const angle = row * exact[i];
        if (cosines) { sum += Math.min(1, Math.abs(cosines[at] / amplitude - Math.cos(angle))); count++; }
        if (sines) { sum += Math.min(1, Math.abs(sines[at] / amplitude - Math.sin(angle))); count++; }
      }
    }
    return sum / count;
  };
  const usual = BASES.map((base) => /** @type {Rotary} */ ({ head_dim: 2 * pairs, base, scaling: null }));
  const measures = { turns: turns.map((turn) => Math.max(turn, 0)), weight };
  const tried = [...usual, ...explained(measures, amplitude, off)].map((rotary) => ({ rotary, miss: off(speeds(rotary)) }));
  const least = Math.min(...tried.map(({ miss }) => miss));
  return /** @type {{ rotary: Rotary, miss: number }} */ (tried.find(({ miss }) => miss <= 1.01 * least + 1e-5));
}
