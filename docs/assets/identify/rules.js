/**
 * Rules by which pairs turn: a base with any scaling, and where frequencies, positions or angles are rounded.
 * As in `posenc/identification/_rules.py`; the numbers come from there.
 */

import { finding, grouped } from "./findings.js";
import { BASES, FACTORS, ORIGINALS, PARTS } from "./known.js";
import { ROUNDED, even, lineOf } from "./measure.js";

/** @typedef {{ type: string, factor?: number, original?: number, high?: number, truncate?: boolean, part?: number, attention?: number }} Scaling */
/** @typedef {{ head_dim: number, base: number, layout?: string, scaling: Scaling | null }} Rotary */
/** @typedef {{ format: string, what: string[] }} Rounding what code rounded before it took sines */
/** @import { Finding } from "./findings.js" */
/** @typedef {(frequencies: Float64Array) => number} Rank */

const [BEST, FAST, FEW] = [4, 3, 2];
const WIDER = 32; // times as wide: hidden sizes that are taken for the width of a head
const CLOSE = 0.03; // largest relative distance of a known base from one that few digits show
const [OWN, STAYS] = [1e-6, 5e7]; // the same for a base of the features that turn; from such a base on, half of the pairs hardly turn
export const WIDE = 0.02; // largest relative error of a base that rounded angles show
const RAMPS = ORIGINALS.flatMap((original) => [...[4, 1].map((high) => ({ type: "Llama3", original, high })), { type: "YaRN", original, truncate: true }, { type: "YaRN", original, truncate: false }]);

/** `number` with one significant digit, with two, ... with `most + 1`. @param {number} number @param {number} most */
export const digitsOf = (number, most) => Array.from({ length: most + 1 }, (_, count) => {
  const [up, unit] = [Number(number.toExponential(count)), 10 ** (Math.floor(Math.log10(Math.abs(number))) - count)];
  return up - number === unit / 2 && (up / unit) % 2 ? up - unit : up; // Python rounds a tie, here of whole numbers, to the even digit
});
/** e to the `power`, within float64. @param {number} power */
const exp = (power) => Math.exp(Math.min(Math.max(power, -300), 300));
/** Round bases near the one with this logarithm, known ones first, then this one. @param {number} logarithm @param {number} [close] */
export function nearBases(logarithm, close = 0.01) {
  const base = exp(logarithm);
  const whole = base >= 1 ? [Math.round(base)] : [];
  return [...new Set([...BASES.filter((known) => Math.abs(base / known - 1) < close), ...digitsOf(base, 3), ...whole, base])];
}
/** A finding if pairs of another table of a known base have the same frequencies. @param {Rotary} rotary @returns {Finding[]} */
export function begins({ head_dim: width, base, scaling }) {
  const { type = "Linear", factor = 1 } = scaling ?? {};
  const usual = BASES.includes(base) || base <= 1 || type !== "Linear" ? [] : digitsOf(base, 0).includes(base) ? BASES.slice(0, 1) : BASES;
  for (const known of usual) {
    const exact = width * Math.log(known) / Math.log(base);
    const all = Math.abs(Math.round(exact) - width) === 2 ? Math.round(exact) : 8 * Math.round(exact / 8);
    const first = all * Math.log(factor) / (2 * Math.log(known));
    const at = Math.round(first);
    if (Math.max(Math.abs(exact - all), Math.abs(first - at)) >= Math.max(1e-3, 5e-6 * all) || at < 0 || all < width - 2 || all > WIDER * width || all === width) continue;
    const pairs = factor === 1 ? `the first ${width / 2}` : `pairs ${at}-${at + width / 2 - 1}`;
    return [finding("begins", { which: all > width ? `${pairs} of ${all / 2} pairs` : `${width / 2} pairs`, power: `${known} ** (-2i / ${all})` })];
  }
  return [];
}
/** The width and the known base of the features that turn, if the whole head has neither. @param {Rotary} kind @returns {Finding[]} */
export function beside({ head_dim: head, base, scaling }) {
  const parts = scaling?.type === "Proportional" ? [scaling.part ?? 1] : !scaling && base > STAYS ? PARTS : [];
  const own = (BASES.includes(base) ? [] : parts).flatMap((part) => BASES.map((known) => ({ part, turned: Math.round(head * part), known, off: Math.abs(base ** part / known - 1) }))).find(({ off }) => off < OWN);
  const whole = scaling || !digitsOf(base, 0).includes(base) ? "" : `base ${grouped(base)}, or `;
  return own ? [finding("beside", { turned: `${whole}${own.turned}`, base: grouped(own.known), stay: head - own.turned }), ...(scaling || own.part !== 0.5 ? [] : [finding("doubled")])] : [];
}
/** `size`, or 1 or a rounder number where `rounding` of values explains the difference. @param {number} size @param {number} [rounding] */
export const snapped = (size, rounding = 0) => digitsOf(size, 3).find((near) => Math.abs(near / size - 1) < (near === 1 ? Math.max(1e-3, 2 * rounding) : 1e-6)) ?? size;
/** The factor that multiplies cosine and sine. @param {Rotary} rotary */
export const attention = ({ scaling }) => scaling?.attention ?? (scaling?.type === "YaRN" ? 0.1 * Math.max(Math.log(scaling.factor ?? 1), 0) + 1 : 1);

/** The base whose powers are the frequencies before any are divided or left out. @param {Rotary} rotary */
export const plainBase = ({ head_dim: head, base, scaling }) => (scaling?.type === "NTK" ? base * (scaling.factor ?? 1) ** (head / (head - 2)) : base);
/** Radians per position of each pair. @param {Rotary} rotary */
export function speeds({ head_dim: head, base, scaling }) {
  const { type = "", factor = 1, part = 1 } = scaling ?? {};
  const own = plainBase({ head_dim: head, base, scaling });
  const turning = type === "Proportional" ? Math.trunc(part * head / 2) : Infinity;
  const divided = type === "Llama3" || type === "YaRN" ? dividedShare(/** @type {Scaling} */ (scaling), base, head) : null;
  return Float64Array.from({ length: head / 2 }, (_, i) => {
    const plain = i < turning ? own ** (-2 * i / head) : 0;
    return divided ? plain * (1 - divided[i] + divided[i] / factor) : type === "Linear" ? plain / factor : plain;
  });
}

/** How far each pair's frequency is divided, from 0 to 1. @param {Scaling} scaling @param {number} base @param {number} head */
function dividedShare({ type, original = 1, high = 1, truncate }, base, head) {
  if (type === "Llama3") return Float64Array.from({ length: head / 2 }, (_, i) => 1 - Math.min(Math.max((original * base ** (-2 * i / head) / (2 * Math.PI) - 1) / Math.max(high - 1, 1e-9), 0), 1));
  let [first, last] = [32, 1].map((beta) => head * Math.log(original / (2 * Math.PI * beta)) / (2 * Math.log(base)));
  if (truncate) [first, last] = [Math.floor(first), Math.ceil(last)];
  [first, last] = [Math.max(first, 0), Math.min(last, head - 1)];
  return Float64Array.from({ length: head / 2 }, (_, i) => Math.min(Math.max((i - first) / (last !== first ? last - first : 0.001), 0), 1));
}

/** Encodings whose pairs may turn by `turns`, the simplest first. If the rows say little about slow pairs, `rank` gives the distance of frequencies from the rows. @param {{ turns: Float64Array, weight: Float64Array }} measured @param {number} amplitude @param {Rank | null} rank @returns {Rotary[]} */
export function explained({ turns, weight }, amplitude, rank) {
  const seen = [...turns.keys()].filter((i) => weight[i] > 0 && turns[i] > 0);
  if (!seen.length) return [];
  const head = 2 * turns.length;
  const found = straight(seen, turns, weight, head).filter(({ base }) => base > 1);
  if (turns.length <= 2) return found;
  const bases = [...new Set(seen.filter((i) => i > 0).slice(0, FAST).map((i) => {
    const near = nearBases(-Math.log(turns[i]) * head / (2 * i));
    return near.find((base) => Math.abs(base / near[near.length - 1] - 1) < (BASES.includes(base) ? 1e-2 : 1e-3)) ?? 0;
  }).filter((base) => base > 1))];
  const turning = seen[seen.length - 1] + 1;
  const parts = [...(turning < turns.length ? [turning / turns.length] : []), ...(rank ? PARTS : [])];
  const near = nearBases(lineOf(seen, weight, turns, 0).tilt * head / 2).filter((base) => base > 1);
  for (const base of new Set([...bases, ...near])) for (const part of parts) found.push({ head_dim: head, base, scaling: { type: "Proportional", part } });
  return [...found, ...ramps(turns, weight, bases, turning - 1, amplitude, rank)];
}

/** One line through all logarithms: a base, perhaps with linear or NTK scaling. @param {number[]} seen @param {Float64Array} turns @param {Float64Array} weight @param {number} head @returns {Rotary[]} */
function straight(seen, turns, weight, head) {
  const [{ level, tilt }, { tilt: slope }] = [lineOf(seen, weight, turns), lineOf(seen, weight, turns, 0)];
  const rounds = slope ? nearBases(slope * head / 2, CLOSE) : [10_000];
  const exact = rounds[rounds.length - 1];
  /** @param {number} base @param {Scaling | null} [scaling] @returns {Rotary} */
  const kind = (base, scaling = null) => ({ head_dim: head, base, scaling });
  const whole = Math.round(exact);
  const plain = rounds.slice(0, -1).filter((base) => base !== whole || digitsOf(base, 3).includes(base)).map((base) => kind(base));
  const short = plain.filter(({ base }) => BASES.includes(base) || digitsOf(base, 1).includes(base));
  const scaled = ntk(exact, head);
  const usual = scaled.filter(({ scaling }) => FACTORS.includes(scaling?.factor ?? 0));
  const found = [...new Set([...short, ...usual, ...plain, ...scaled]), kind(whole), ...digitsOf(exact, 7).slice(4).map((base) => kind(base)), kind(exact)];
  const factor = exp(-level);
  const isFew = head <= 2 * FEW;
  for (const base of tilt ? nearBases(tilt * head / 2) : [10_000]) {
    for (const near of digitsOf(factor, isFew ? 1 : 4)) if (Math.abs(near - 1) > 1e-4 && !(isFew && Math.abs(near / factor - 1) > 1e-3)) found.push(kind(base, { type: "Linear", factor: near }));
  }
  return found;
}

/** Known bases that a round factor of NTK scaling turns into the `exact` one. @param {number} exact @param {number} head @returns {Rotary[]} */
const ntk = (exact, head) => BASES.flatMap((base) => {
  const stretch = (exact / base) ** ((head - 2) / head);
  return digitsOf(stretch, 2).filter((factor) => factor > 1 && Math.abs(stretch / factor - 1) < 1e-3).map((factor) => ({ head_dim: head, base, scaling: { type: "NTK", factor } }));
});

/** Fast pairs kept and slow ones divided, as in Llama 3 and YaRN: the best fits. @param {Float64Array} turns @param {Float64Array} weight @param {number[]} bases @param {number} last @param {number} amplitude @param {Rank | null} rank @returns {Rotary[]} */
function ramps(turns, weight, bases, last, amplitude, rank) {
  const head = 2 * turns.length;
  const told = bases.map((base) => base ** (-2 * last / head) / turns[last]).filter((value) => value > 1.01).flatMap((value) => digitsOf(value, 1));
  /** @type {{ miss: number, rotary: Rotary }[]} */ const tries = [];
  for (const base of bases) {
    const plain = speeds({ head_dim: head, base, scaling: null });
    const shares = RAMPS.map((ramp) => ({ ramp, divided: dividedShare(ramp, base, head) }));
    for (const factor of new Set([...told, ...FACTORS])) {
      for (const { ramp, divided } of shares) {
        const made = plain.map((speed, i) => speed * (1 - divided[i] + divided[i] / factor));
        const miss = rank ? rank(made) : turns.reduce((sum, turn, i) => (turn > 0 ? sum + weight[i] * Math.log(made[i] / turn) ** 2 : sum), 0);
        tries.push({ miss, rotary: { head_dim: head, base, scaling: { ...ramp, factor } } });
      }
    }
  }
  return tries.sort((one, other) => one.miss - other.miss).slice(0, BEST).map(({ rotary }) => {
    const isUsual = rotary.scaling?.type !== "YaRN" || Math.abs(attention(rotary) - amplitude) < 1e-3;
    return isUsual ? rotary : { ...rotary, scaling: { .../** @type {Scaling} */ (rotary.scaling), attention: digitsOf(amplitude, 4)[4] } };
  });
}

/** What the angles of a position and a speed are after `rounding`, and on the other side of a close decision: code computes in float32 what it then rounds. @param {Rounding} rounding @param {number} position @param {number} speed @returns {[number, number]} */
export function roundedAngles({ format, what }, position, speed) {
  const to = ROUNDED[format];
  const where = what.includes("positions") ? to(position) : position;
  const ends = [speed * (1 - 2 ** -23), speed * (1 + 2 ** -23)];
  const [one, other] = ends.map((end) => where * (what.includes("frequencies") ? to(end) : end));
  if (what.includes("angles")) return [to(one), to(other)];
  return what.includes("frequencies") ? [one, other] : [(one + other) / 2, (one + other) / 2];
}

/** A number from `low` to `high` with the fewest digits, of these the one nearest the middle. @param {number} low @param {number} high */
export function roundest(low, high) {
  for (let digits = 0; digits < 17; digits++) {
    const unit = 10 ** (Math.floor(Math.log10(high)) - digits);
    for (const count of [even((low + high) / (2 * unit)), Math.ceil(low / unit)]) {
      const number = Number((count * unit).toExponential(digits));
      if (low <= number && number <= high) return number;
    }
  }
  return low;
}

/** Known bases and those of up to three digits near one that rounding disturbs. @param {number} base */
export function around(base) {
  const power = 10 ** Math.floor(Math.log(base) / Math.log(10) - 2);
  const near = Array.from({ length: 1010 }, (_, k) => Number(((90 + k) * power).toPrecision(3))).filter((one) => Math.abs(one / base - 1) < WIDE);
  /** How many digits `one` has. @param {number} one */
  const digits = (one) => one.toExponential(2).replace(/\.?0*e.*/, "").length;
  near.sort((one, other) => digits(one) - digits(other) || Math.abs(one - base) - Math.abs(other - base));
  return [...new Set([...BASES.filter((one) => Math.abs(one / base - 1) < CLOSE), ...near])];
}
