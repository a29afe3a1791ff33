/** The rotary encoding of a cache, where roundings happened, and where its rows lie. As in `posenc/identification/_caches.py`. */

import { finding, general, grouped } from "./findings.js";
import { BASES, FACTORS, ROUNDINGS } from "./known.js";
import { ROUNDED, amplitudeOf, apart, asGood, caches, columns, formOf, fromZero, headOf, measured, once, roomOf, rowOff, spread, tables, wrapped } from "./measure.js";
import { CLOSE, rotary } from "./tables.js";
import { WIDE, around, attention, begins, beside, explained, plainBase, roundedAngles, snapped, speeds } from "./rules.js";

/** @import { Flat, Limits, Parts, Reading, Waves } from "./measure.js" */
/** @import { Rotary, Rounding } from "./rules.js" */
/** @import { Match } from "./match.js" */
/** @typedef {{ rotary: Rotary, part: string, form: string, amplitude: number, start: number }} Cache */
/** @typedef {(frequencies: Float64Array) => Float64Array | null} Where the positions of the rows, null if they cannot have these frequencies */
/** @typedef {(held: Flat[], reading: Reading, limits: Limits) => Match | null} Step */

const [SOME, HEAD] = [64, 64]; // rows that candidates are compared with, and whose angles rounding leaves small
const LEAST = 4; // pairs: a base and a rounding explain any fewer
const FEWEST = 4; // rows from which the pairs' speeds can be measured
const FURTHEST = 1 << 17; // positions that the first row may be
const FASTEST = 16; // fastest pairs, which tell the first position
const NEAR = 0.02; // largest relative error of a measured turn
const APART = 0.25; // radians: largest difference of a phase
const ROOM = 4; // times the tolerance: waves are measured less exactly than they are made
const RISE = 1.05; // through noise, a pair may seem faster than the one before
const CHANCE = 1e-3; // largest probability that a far position fits by chance

/** @param {number} length */
export const count = (length) => Float64Array.from({ length }, (_, row) => row);

/** The rotary cache that one table is, or that cosines and sines are; a step that rounds looks for other tables too. @param {Flat[]} held @param {Limits} limits @param {Step} step @returns {Match[]} */
export function matches(held, limits, step) {
  const [one, other] = held;
  /** @type {[Flat[], (match: Match) => Match][]} */ const ways = [[held, (match) => match]];
  if (other) {
    const forms = held.map((part) => formOf([part], limits.slack));
    if (forms[0] !== forms[1] && !forms.includes("once")) {
      const found = matches(held.flatMap((part, k) => once([part], forms[k])), limits, step);
      if (found.length) return found.map((match) => ({ ...match, mistakes: ["two-layouts", ...match.mistakes] }));
    }
    ways.push([[other, one], (match) => ({ ...match, findings: [...match.findings, finding("exchanged")] })]);
    ways.push([[one, { ...other, values: other.values.map((value) => -value) }], (match) => ({ ...match, mistakes: ["sine-sign"] })]);
  }
  for (const [given, back] of ways) {
    const own = other || step === counted || one.width % 2 ? [] : tables(one);
    for (const reading of [...own, ...caches(given, limits.slack)]) {
      const match = step(given, reading, limits);
      if (match) return [back(match)];
    }
  }
  return [];
}

/** The cache whose rows are successive positions. @type {Step} */
export function counted(held, reading, limits) {
  const { parts } = reading;
  if (parts.rows < FEWEST) return null;
  const zero = fromZero(parts, limits.slack);
  if (zero && Math.max(...zero.turns) <= Math.PI) {
    const places = count(parts.rows);
    const match = fitted(held, reading, zero, () => places, limits, false);
    if (match) return match;
  }
  const waves = measured(parts);
  return waves && follows(parts, waves, limits.slack) ? fitted(held, reading, waves, starting(parts, waves), limits, true) : null;
}

/** Whether the fast pairs of the first rows turn forwards as `waves` say. @param {Parts} parts @param {Waves} waves @param {number} slack */
function follows(parts, waves, slack) {
  const turns = [...waves.turns].filter((_, i) => waves.told[i]);
  const size = amplitudeOf(waves);
  if (!(size > 0) || waves.turns.some((turn) => turn < -slack) || turns.some((turn, k) => k > 0 && turn > RISE * turns[k - 1])) return false;
  return apart(waves, parts) <= ROOM * slack * size;
}

/** A function that gives the positions of successive rows from the frequencies. @param {Parts} parts @param {Waves} waves @returns {Where} */
function starting({ rows }, { turns, phases, told }) {
  const fast = [...turns.keys()].sort((i, j) => turns[j] - turns[i]).filter((i) => told[i]).slice(0, FASTEST);
  /** @type {Map<string, Float64Array | null>} */ const known = new Map();
  return (exact) => {
    const key = fast.map((i) => exact[i]).join();
    if (!known.has(key)) {
      const slow = [...fast].sort((i, j) => exact[i] - exact[j]);
      const most = fast.length && fast.every((i) => Math.abs(exact[i] / turns[i] - 1) <= NEAR) ? FURTHEST * exact[slow[0]] / (2 * Math.PI) : -1;
      let [least, first] = [Infinity, -1];
      for (let turn = 0; turn <= most; turn++) { // the slowest pair tells the position up to whole turns, faster pairs refine it
        const place = Math.round(slow.reduce((at, i) => at + wrapped(phases[i] - exact[i] * at) / exact[i], (phases[slow[0]] + 2 * Math.PI * turn) / exact[slow[0]]));
        const miss = fast.map((i) => Math.abs(wrapped(place * exact[i] - phases[i])));
        const sum = Math.max(...miss) < APART && place >= 0 && place < FURTHEST ? miss.reduce((one, other) => one + other, 0) : Infinity;
        if (sum < least) [least, first] = [sum, place];
      }
      known.set(key, first < 0 ? null : count(rows).map((at) => first + at));
    }
    return known.get(key) ?? null;
  };
}

/** The simplest encoding among those that fit `parts` best, and its error. @param {Parts} parts @param {Waves} waves @param {Where} where @param {Limits} limits @param {boolean} isRanked @returns {{ rotary: Rotary, error: number } | null} */
function simplest(parts, waves, where, limits, isRanked) {
  const chosen = spread(parts.rows, SOME);
  const amplitude = amplitudeOf(waves);
  /** @param {Float64Array} frequencies @param {number} step @param {number} factor */
  const missed = (frequencies, step, factor) => {
    const every = where(frequencies);
    if (!every) return Infinity;
    let most = 0;
    for (let k = 0; k < chosen.length; k += step) {
      const place = every[chosen[k]];
      most = Math.max(most, rowOff(parts, chosen[k], factor, (i) => place * frequencies[i], limits.far ? (i) => roomOf(limits.far, place, frequencies[i]) : null));
    }
    return most;
  };
  const turns = waves.turns.map(Math.abs);
  const tried = explained({ turns, weight: waves.weight }, amplitude, isRanked ? (exact) => missed(exact, 8, amplitude) : null).map((found) => {
    const { scaling } = found;
    const usual = scaling?.type === "YaRN" ? { ...found, scaling: { ...scaling, attention: undefined } } : found; // rounded values show its usual attention roughly
    const rotary = snapped(amplitude / attention(usual), limits.error) === 1 ? usual : found;
    const factor = attention(rotary);
    return { rotary, error: missed(speeds(rotary), 1, factor * snapped(amplitude / factor, limits.error)) };
  });
  const best = Math.min(...tried.map(({ error }) => error));
  const found = tried.find(({ error }) => asGood(error, best, limits.error)) ?? null;
  return found && isIdle(found.rotary) ? { ...found, rotary: { ...found.rotary, scaling: null } } : found;
}
/** Whether a scaling changes nothing. @param {Rotary} rotary */
const isIdle = (rotary) => attention(rotary) === 1 && speeds({ ...rotary, scaling: null }).every((speed, i) => Math.abs(speeds(rotary)[i] / speed - 1) < 1e-9);
/** The simplest cache at the positions that `where` tells. @param {Flat[]} held @param {Reading} reading @param {Waves} waves @param {Where} where @param {Limits} limits @param {boolean} isRanked @returns {Match | null} */
function fitted(held, reading, waves, where, limits, isRanked) {
  const best = simplest(reading.parts, waves, where, limits, isRanked);
  const places = best && where(speeds(best.rotary));
  if (!best || !places || best.error > limits.slack) return null;
  const match = compared(held, reading, best.rotary, amplitudeOf(waves), places, limits);
  const pairs = Math.min(FASTEST, waves.told.filter(Boolean).length);
  return match && places[0] * (match.error / Math.PI) ** pairs <= CHANCE ? match : null;
}

/** Codes of the columns of each table: 2i for the sine of pair i, 2i + 1 for its cosine. @param {Reading} reading @param {number} pairs @returns {ArrayLike<number>[]} */
export function codesOf({ part, form, kind }, pairs) {
  if (kind) return [columns(kind, 2 * pairs)];
  const width = form === "once" ? pairs : 2 * pairs;
  /** @param {string} name */
  const own = (name) => Array.from({ length: width }, (_, j) => 2 * (form === "interleaved" ? j >> 1 : j % pairs) + Number(name === "cos"));
  return part === "both" ? [own("cos"), own("sin")] : [String(part).split("|").flatMap(own)];
}

/** Compare all values with the cache, or the table, of `kind` at `places`. @param {Flat[]} held @param {Reading} reading @param {Rotary} kind @param {number} amplitude @param {Float64Array} places @param {Limits} limits @param {Rounding} [rounding] @returns {Match | null} */
function compared(held, reading, kind, amplitude, places, limits, rounding) {
  const factor = attention(kind);
  const size = factor * snapped(amplitude / factor, limits.error);
  const exact = speeds(kind);
  const codes = codesOf(reading, exact.length);
  const waves = [0, 1].map(() => new Float64Array(2 * exact.length));
  let [error, beyond, close] = [0, 0, 0];
  for (let row = 0; row < places.length; row++) {
    for (let i = 0; i < exact.length; i++) {
      const angles = rounding ? roundedAngles(rounding, places[row], exact[i]) : [places[row] * exact[i]];
      angles.forEach((angle, k) => { waves[k][2 * i] = Math.sin(angle); waves[k][2 * i + 1] = Math.cos(angle); });
    }
    for (const [k, { values, width }] of held.entries()) {
      for (let j = 0, at = row * width; j < width; j++, at++) {
        const code = codes[k][j];
        let off = Math.abs(waves[0][code] - values[at] / size);
        if (rounding) off = Math.min(off, Math.abs(waves[1][code] - values[at] / size));
        if (off > error) error = off;
        if (row < CLOSE && off > close) close = off;
        const rest = limits.far && !rounding ? off - roomOf(limits.far, places[row], exact[code >> 1]) : off;
        if (rest > beyond) beyond = rest;
      }
    }
    if (beyond > (rounding ? limits.exact : limits.slack)) return null;
  }
  const [start] = places;
  const convention = maker(reading, kind, size, start);
  if (!convention) return null;
  const notes = rounding ? [finding("rounded", { what: rounding.what.join(" and "), format: rounding.format, base: grouped(kind.base) + alike(rounding, kind) })] : [];
  notes.push(...beside(kind));
  if (start) notes.push(finding("from-row", { row: start }));
  if (reading.kind) notes.push(...rotary(reading.kind, 2 * exact.length));
  if (reading.part && kind.scaling?.type === "NTK") notes.push(...dynamic(kind.scaling.factor ?? 1));
  if (reading.part) notes.push(...begins(kind));
  return { convention, error, libraries: [], mistakes: [], isMeant: false, findings: notes, firstRow: 0, zeroRows: 0, close: close * size };
}

/** The convention or the cache, null if no convention has the scaling. @param {Reading} reading @param {Rotary} rotary @param {number} size @param {number} start @returns {Cache | import("./rows.js").Convention | null} */
function maker({ part, form, kind }, rotary, size, start) {
  const { type = "", factor = 1 } = rotary.scaling ?? {};
  if (kind && !["", "Linear", "NTK"].includes(type)) return null;
  if (kind) return { ...kind, base: plainBase(rotary), angle_scale: type === "Linear" ? 1 / factor : 1, start, amplitude: size };
  return { rotary: { ...rotary, layout: form === "interleaved" ? "interleaved" : "halves" }, part: String(part), form, amplitude: snapped(size / attention(rotary)), start };
}

/** What a dynamic cache of a whole factor leaves after a long text, if that explains `factor`. @param {number} factor */
function dynamic(factor) {
  const config = factor <= 1 || FACTORS.includes(factor) ? undefined : [2, 4, 8].find((one) => Number.isInteger(4 * (factor + one - 1) / one) && (factor + one - 1) / one < 64);
  return config ? [finding("dynamic", { factor: config, times: (factor + config - 1) / config })] : [];
}

/** The whole bases whose frequencies are rounded to the same numbers, in words. @param {Rounding} rounding @param {Rotary} kind */
function alike(rounding, kind) {
  if (!rounding.what.includes("frequencies")) return "";
  const wanted = Array.from(speeds(kind), (speed) => roundedAngles(rounding, 1, speed)[0]);
  const [low, high] = [-WIDE, WIDE].map((far) => {
    let near = 0;
    for (let step = far; Math.abs(step) > 1e-9; step /= 2) {
      const base = kind.base * (1 + near + step);
      if (speeds({ ...kind, base }).every((speed, i) => roundedAngles(rounding, 1, speed).includes(wanted[i]))) near += step;
    }
    return kind.base * (1 + near);
  });
  const [first, last] = Math.ceil(low) < Math.floor(high) ? [grouped(Math.ceil(low)), grouped(Math.floor(high))] : [general(low), general(high)];
  return first === last || (BASES.includes(kind.base) && high / low <= 1.001) ? "" : ` (all from ${first} to ${last} look the same)`;
}

/** The cache or table whose frequencies, positions or angles were rounded. @type {Step} */
export function rounded(held, reading, limits) {
  const { parts } = reading;
  if (parts.pairs < LEAST) return null;
  /** @type {Map<string, Rotary[]>} */ const known = new Map();
  const places = count(parts.rows);
  for (const rounding of ROUNDINGS) {
    if (rounding.what.includes("positions") && places.every((place) => ROUNDED[rounding.format](place) === place)) continue;
    const isPlaced = rounding.what.join() === "positions";
    const head = rounding.what.includes("angles") ? Math.min(HEAD, parts.rows) : parts.rows;
    const waves = fromZero(headOf(parts, head), limits.slack, (isPlaced ? places.map((place) => roundedAngles(rounding, place, 1)[0]) : places).subarray(0, head));
    const amplitude = waves ? amplitudeOf(waves) : 0;
    if (!waves || !(amplitude > 0)) return null;
    const key = `${isPlaced ? rounding.format : ""} ${head}`;
    const kinds = known.get(key) ?? candidates(waves, amplitude);
    known.set(key, kinds);
    for (const rotary of kinds) {
      const match = compared(held, reading, rotary, amplitude, places, limits, rounding);
      if (match) return match;
    }
  }
  return null;
}

/** @param {Waves} waves @param {number} amplitude @returns {Rotary[]} */
function candidates({ turns, weight }, amplitude) {
  const found = explained({ turns: turns.map(Math.abs), weight }, amplitude, null);
  const plain = found.filter(({ scaling }) => !scaling);
  const near = plain.length ? around(plain[plain.length - 1].base).filter((base) => base > 1) : [];
  return [...near.map((base) => ({ head_dim: 2 * turns.length, base, scaling: null })), ...found];
}
