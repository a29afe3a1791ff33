/**
 * Bases and scalings that explain how fast the pairs of a rotary cache turn.
 *
 * As in `posenc/identification/_scaled.py`.
 */

import { rotaryFrequencies } from "../maths/rotary.js";
import { BASES } from "./known.js";
import { FLOAT32, asGood } from "./rows.js";

/** @typedef {import("./turning.js").Parts} Parts */
/** @typedef {{ type: string, factor?: number, original?: number, truncate?: boolean, part?: number, factors?: number[], attention?: number }} Scaling */
/** @typedef {{ head_dim: number, base: number, layout?: string, scaling: Scaling | null }} Rotary */

const FACTORS = [2, 4, 8, 16, 32, 40, 64];
const ORIGINALS = [512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144]; // lengths that models were first trained on
const PARTS = [0.25, 0.5]; // of the pairs that turn
const [BEST, FAST, APART] = [4, 3, 8];
const CLOSE = 0.03; // largest relative distance of a known base from one that few digits show
const NEARLY = 0.95; // of the divisor before it: noise may make a divisor fall
const FEW = 2; // pairs that some base and some factor always explain; only round factors count

/** `number` with one significant digit, with two, ... with `most + 1`. @param {number} number @param {number} most */
const digits = (number, most) => Array.from({ length: most + 1 }, (_, count) => Number(number.toExponential(count)));

/** Round bases near `base`, then `base`. @param {number} base @param {number} [close] */
export const nearBases = (base, close = 0.01) => [...new Set([...BASES.filter((known) => Math.abs(base / known - 1) < close), ...digits(base, 3), base])];

/** `size`, or 1 or a rounder number where rounding explains the difference. @param {number} size */
export const snapped = (size) => digits(size, 3)
  .find((near) => Math.abs(near / size - 1) < 1e-6 || (near === 1 && Math.abs(size - 1) < 1e-3)) ?? size;

/** The factor that multiplies cosine and sine. @param {Rotary} rotary */
export function attention({ scaling }) {
  if (scaling?.attention !== undefined) return scaling.attention;
  if (scaling?.type !== "YaRN") return 1;
  const { factor = 1 } = scaling;
  return factor <= 1 ? 1 : 0.1 * Math.log(factor) + 1;
}

/** Radians per position of each pair. @param {Rotary} rotary */
export const speeds = ({ head_dim: head, base, scaling }) => rotaryFrequencies(scaling && named(scaling), base, head);

/**
 * `scaling` with the names that config.json has, and the usual limits where a cache does not show them.
 * @param {Scaling} scaling
 */
function named({ type, factor = 1, original = 1, truncate = false, part = 1, factors = [] }) {
  return /** @type {import("../config/scalings.js").Scaling} */ ({
    type, factor, truncate, low_freq_factor: 1, high_freq_factor: 4, beta_fast: 32, beta_slow: 1,
    original_max_position_embeddings: original, partial_rotary_factor: part, short_factor: factors, long_factor: factors,
  });
}

/** Largest difference of the parts from those of `turns`, as a fraction of `size`; row 0 is position `start`. @param {Parts} parts @param {Float64Array} turns @param {number} size @param {number} [start] @param {number} [step] between rows */
export function difference({ cosines, sines, positions, pairs }, turns, size, start = 0, step = 1) {
  let worst = 0;
  for (let row = 0; row < positions.length; row += step) {
    for (let i = 0, at = row * pairs; i < pairs; i++, at++) {
      const angle = (start + positions[row]) * turns[i];
      if (cosines) worst = Math.max(worst, Math.abs(cosines[at] / size - Math.cos(angle)));
      if (sines) worst = Math.max(worst, Math.abs(sines[at] / size - Math.sin(angle)));
    }
  }
  return worst;
}

/** How far each value of the tables is from the cache's; of cosines and sines, the farther one. @param {import("./shapes.js").Flat[]} held @param {{ rotary: Rotary, part: string, form: string, amplitude: number, start: number }} cache @param {Float64Array} positions @returns {Float64Array} */
export function missed(held, cache, positions) {
  const [{ values, width }] = held;
  const turns = speeds(cache.rotary);
  const size = cache.amplitude * attention(cache.rotary);
  const unit = made(cache, turns.length, (row, i) => (cache.start + positions[row]) * turns[i]);
  return Float64Array.from(values, (_, at) => Math.max(...held.map((flat, part) => Math.abs(flat.values[at] / size - unit[part](at, width)))));
}

/** The values of a cache at amplitude 1: a function of the index for each of its tables. @param {{ part: string, form: string }} cache @param {number} pairs @param {(row: number, i: number) => number} angleOf */
export function made({ part, form }, pairs, angleOf) {
  const names = part === "both" ? ["cos", "sin"] : part.split("|");
  /** @param {string} name @param {number} row @param {number} column */
  const value = (name, row, column) => {
    const angle = angleOf(row, form === "interleaved" ? column >> 1 : column % pairs);
    return name === "cos" ? Math.cos(angle) : Math.sin(angle);
  };
  const each = form === "once" ? pairs : 2 * pairs;
  return (part === "both" ? names : [""]).map((own) => (/** @type {number} */ at, /** @type {number} */ width) => {
    const column = at % width;
    return value(own || names[Math.floor(column / each)], Math.floor(at / width), column % each);
  });
}

/**
 * The simplest encoding among those that fit `parts` best, and its error.
 * @param {Parts} parts
 * @param {{ turns: Float64Array, weight: Float64Array }} measured
 * @param {number} size the amplitude
 * @param {(exact: Float64Array) => number | null} [first] the position of row 0, null if there is none
 * @returns {{ rotary: Rotary, error: number } | null}
 */
export function simplest(parts, measured, size, first) {
  let furthest = 0;
  /** @param {Float64Array} exact @param {number} factor @param {number} step */
  const missed = (exact, factor, step) => {
    const start = first ? first(exact) : 0;
    if (start === null) return Infinity;
    furthest = Math.max(furthest, start + parts.positions[step > 1 ? (Math.ceil(parts.positions.length / step) - 1) * step : parts.positions.length - 1]);
    return difference(parts, exact, factor, start, step);
  };
  const tried = explained(measured, size, first && ((exact) => missed(exact, size, APART))).map((rotary) => {
    const factor = attention(rotary);
    return { rotary, error: missed(speeds(rotary), factor * snapped(size / factor), 1) };
  });
  const best = Math.min(...tried.map(({ error }) => error));
  return tried.find(({ error }) => asGood(error, best) || error <= best + furthest * FLOAT32 / 4) ?? null;
}

/** Encodings whose pairs may turn by `turns`, the simplest first. If the rows say little about slow pairs, `rank` gives the distance of frequencies from the rows. @param {{ turns: Float64Array, weight: Float64Array }} measured @param {number} size @param {(exact: Float64Array) => number} [rank] @returns {Rotary[]} */
export function explained({ turns, weight }, size, rank) {
  const seen = [...turns.keys()].filter((i) => weight[i] > 0 && turns[i] > 0);
  if (!seen.length) return [];
  const head = 2 * turns.length;
  const found = straight(seen, turns, weight, head).filter(({ base }) => base > 1);
  if (turns.length <= 2) return found;
  const bases = seen.filter((i) => i > 0).slice(0, FAST).map((i) => -Math.log(turns[i]) * head / (2 * i))
    .filter((logarithm) => logarithm > 0 && logarithm < 300).map((logarithm) => nearBases(Math.exp(logarithm))[0]).filter((base) => base > 1);
  const some = [...new Set(bases)];
  const turning = seen[seen.length - 1] + 1;
  const parts = [...(turning > 1 && turning < turns.length ? [turning / turns.length] : []), ...(rank ? PARTS : [])];
  for (const base of some) for (const part of parts) found.push({ head_dim: head, base, scaling: { type: "Proportional", part } });
  found.push(...ramps(turns, weight, some, turning - 1, size, rank));
  return turns.every((turn) => turn > 0) ? [...found, ...free(turns, head, size)] : found;
}

/** A divisor for each pair, if they may be those of LongRoPE: at least 1, and rising if there are few. @param {Float64Array} turns @param {number} head @param {number} size @returns {Rotary[]} */
function free(turns, head, size) {
  const exact = [...turns].map((turn, i) => 10_000 ** (-i / turns.length) / turn);
  const isRising = exact.every((factor, i) => !i || factor >= NEARLY * exact[i - 1]);
  const least = Math.min(...exact);
  if (turns.length < (isRising ? 4 : 16) || !(least >= 0.99 && least < 2)) return [];
  const factors = exact.map((factor) => Number(factor.toPrecision(6)));
  return [{ head_dim: head, base: 10_000, scaling: { type: "LongRoPE", factors, attention: digits(size, 4)[4] } }];
}

/** e to the `power`, within float64. @param {number} power */
const exp = (power) => Math.exp(Math.min(Math.max(power, -300), 300));

/** One line through all logarithms. @param {number[]} seen @param {Float64Array} turns @param {Float64Array} weight @param {number} head @returns {Rotary[]} */
function straight(seen, turns, weight, head) {
  let [all, middle, level, product, squares] = [0, 0, 0, 0, 0];
  for (const i of seen) {
    const [w, log] = [weight[i], Math.log(turns[i])];
    [all, middle, level, product, squares] = [all + w, middle + w * i, level + w * log, product + w * i * log, squares + w * i * i];
  }
  [middle, level] = [middle / all, level / all];
  const rounds = squares ? nearBases(exp(-product / squares * head / 2), CLOSE) : [10_000];
  const measured = rounds[rounds.length - 1];
  /** @type {Rotary[]} */
  const plain = rounds.slice(0, -1).map((base) => ({ head_dim: head, base, scaling: null }));
  const short = plain.filter(({ base }) => BASES.includes(base) || digits(base, 1).includes(base));
  const scaled = head > 2 ? ntk(measured, head) : [];
  const usual = scaled.filter(({ scaling }) => FACTORS.includes(scaling?.factor ?? 0));
  const found = [...new Set([...short, ...usual, ...plain, ...scaled])];
  for (const base of [Number(measured.toExponential(7)), measured]) found.push({ head_dim: head, base, scaling: null });
  let [spread, tilt] = [0, 0];
  for (const i of seen) {
    spread += weight[i] * (i - middle) ** 2 / all;
    tilt -= weight[i] * (i - middle) * Math.log(turns[i]) / all;
  }
  tilt = spread ? tilt / spread : 0;
  const factor = exp(-(level + tilt * middle));
  const isFew = head <= 2 * FEW;
  for (const base of spread ? nearBases(exp(tilt * head / 2)) : [10_000]) {
    for (const near of digits(factor, isFew ? 1 : 4)) if (Math.abs(near - 1) > 1e-4 && !(isFew && Math.abs(near / factor - 1) > 1e-3)) found.push({ head_dim: head, base, scaling: { type: "Linear", factor: near } });
  }
  return found;
}

/** Known bases that a round factor of NTK scaling turns into the `measured` one. @param {number} measured @param {number} head @returns {Rotary[]} */
function ntk(measured, head) {
  return BASES.flatMap((base) => {
    const stretch = (measured / base) ** ((head - 2) / head);
    const factors = digits(stretch, 2).filter((factor) => factor > 1 && Math.abs(stretch / factor - 1) < 1e-3);
    return factors.map((factor) => ({ head_dim: head, base, scaling: { type: "NTK", factor } }));
  });
}

/** Fast pairs kept and slow ones divided: those that fit best. @param {Float64Array} turns @param {Float64Array} weight @param {number[]} bases @param {number} last @param {number} size @param {((exact: Float64Array) => number)} [rank] @returns {Rotary[]} */
function ramps(turns, weight, bases, last, size, rank) {
  const head = 2 * turns.length;
  const told = bases.map((base) => base ** (-2 * last / head) / turns[last]).filter((value) => value > 1.01).flatMap((value) => digits(value, 1));
  /** @type {{ miss: number, rotary: Rotary }[]} */
  const tries = [];
  for (const base of bases) {
    for (const factor of new Set([...told, ...FACTORS])) {
      for (const original of ORIGINALS) {
        for (const scaling of [{ type: "Llama3", factor, original }, { type: "YaRN", factor, original, truncate: true }, { type: "YaRN", factor, original, truncate: false }]) {
          const rotary = { head_dim: head, base, scaling };
          const made = speeds(rotary);
          const miss = rank ? rank(made) : turns.reduce((sum, turn, i) => (turn > 0 ? sum + weight[i] * Math.log(made[i] / turn) ** 2 : sum), 0);
          tries.push({ miss, rotary });
        }
      }
    }
  }
  tries.sort((one, other) => one.miss - other.miss);
  return tries.slice(0, BEST).map(({ rotary }) => {
    const isUsual = rotary.scaling?.type !== "YaRN" || Math.abs(attention(rotary) - size) < 1e-3;
    return isUsual ? rotary : { ...rotary, scaling: { .../** @type {Scaling} */ (rotary.scaling), attention: digits(size, 4)[4] } };
  });
}
