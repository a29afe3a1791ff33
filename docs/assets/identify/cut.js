/**
 * Recognises rotary caches that begin at a later position: rows from the middle of a table.
 *
 * As in `posenc/identification/_cut.py`.
 */

import { answer, matches, once, picked, rowsOf } from "./caches.js";
import { finding } from "./findings.js";
import { fitsByChance, float32Error, largest, sample } from "./rows.js";
import { attention, missed, simplest, snapped, speeds } from "./scaled.js";
import { apart, firstPosition, measured } from "./waves.js";

/** @typedef {import("./shapes.js").Flat} Flat */
/** @typedef {import("./caches.js").Reading} Reading */

const SOME = 64; // rows to compare candidates on
const ROOM = 4; // times the tolerance: waves are measured less exactly than they are made
const RISE = 1.05; // through noise, a pair may seem faster than the one before

/** The rotary cache that the rows are, from position 0 or from a later one. @param {Flat[]} held @param {number} slack */
export function cached(held, slack) {
  const whole = matches(held, slack);
  if (whole.length) return whole;
  for (const given of held.length === 2 ? [held, [held[1], held[0]]] : [held]) {
    for (const reading of readings(given, slack)) {
      const found = match(reading, slack);
      if (found) return [found];
    }
  }
  return [];
}

/** Ways to read columns whose row 0 may be any position. @param {Flat[]} held @param {number} slack @param {boolean} [isLoose] for tables of which columns may be off @returns {Reading[]} */
export function readings(held, slack, isLoose = false) {
  const [{ values, width }] = held;
  const positions = Float64Array.from({ length: values.length / width }, (_, row) => row);
  /** @param {string} part @param {{ form: string, once: Flat[] }} read @param {number} cosines @param {number} sines @returns {Reading} */
  const reading = (part, { form, once: all }, cosines, sines) => ({
    held, part, form, parts: { cosines: all[cosines]?.values ?? null, sines: all[sines]?.values ?? null, positions, pairs: all[0].width },
  });
  const whole = once(held, slack, isLoose);
  if (held.length === 2) return [reading("both", whole, 0, 1)];
  const found = [reading("cos", whole, 0, 1), reading("sin", whole, 1, 0)];
  if (width % 2) return found;
  const halves = once([0, width / 2].map((from) => picked(held[0], width / 2, (j) => from + j)), slack, isLoose);
  return [...found, reading("cos|sin", halves, 0, 1), reading("sin|cos", halves, 1, 0)];
}

/** @param {Reading} reading @param {number} slack */
function match({ held, part, form, parts }, slack) {
  const waves = measured(parts);
  if (!waves || !(waves.amplitude > 0) || waves.turns.some((turn) => turn < -slack)) return null;
  const told = [...waves.fast].sort((i, j) => i - j).map((i) => waves.turns[i]);
  if (told.some((turn, k) => k > 0 && turn > RISE * told[k - 1])) return null;
  if (apart(parts, waves).most > ROOM * slack * waves.amplitude) return null;
  /** @type {Map<string, number | null>} */
  const known = new Map();
  /** @param {Float64Array} exact */
  const first = (exact) => {
    const key = waves.fast.slice(0, 16).map((i) => exact[i]).join();
    const before = known.get(key);
    const place = before === undefined ? firstPosition(waves, exact) : before;
    known.set(key, place);
    return place;
  };
  const { positions } = parts;
  const { places } = sample({ places: positions, values: positions, width: 1 }, SOME);
  const turns = waves.turns.map((turn) => Math.max(turn, 0));
  const best = simplest(rowsOf(parts, [...places]), { turns, weight: waves.weight }, waves.amplitude, first);
  const start = best && first(speeds(best.rotary));
  if (!best || start === null) return null;
  const limit = slack + float32Error(start + positions.length, parts.pairs, slack);
  if (best.error > limit) return null;
  const rest = { part, form, amplitude: snapped(waves.amplitude / attention(best.rotary)), start };
  const error = largest(missed(held, { ...rest, rotary: best.rotary }, positions));
  const findings = start ? [finding("from-row", { row: start })] : [];
  return error <= limit && !fitsByChance(start, waves.fast.length, error) ? answer(best.rotary, rest, error, findings) : null;
}
