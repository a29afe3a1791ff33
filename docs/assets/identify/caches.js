/**
 * Recognises the tables of cosines and sines that rotary code keeps.
 *
 * As in `posenc/identification/_caches.py` and `_jumps.py`.
 */

import { finding, series } from "./findings.js";
import { float32Error, largest, sample } from "./rows.js";
import { attention, missed, simplest, snapped, speeds } from "./scaled.js";
import { amplitude, frequencies } from "./turning.js";

/** @typedef {import("./rows.js").Values} Values */
/** @typedef {import("./turning.js").Parts} Parts */
/** @typedef {import("./shapes.js").Flat} Flat */
/** @typedef {{ rotary: import("./scaled.js").Rotary, part: string, form: string, amplitude: number, start: number }} Cache */
/** @typedef {{ held: Flat[], part: string, form: string, parts: Parts }} Reading the tables, cosines first if there are two, and how to read their columns */
/** @typedef {{ convention: Cache, error: number, libraries: string[], mistakes: string[], isMeant: boolean, findings: import("./findings.js").Finding[], firstRow: number, zeroRows: number }} CacheMatch */

const SOME = 64; // rows to compare candidates on
const FEWEST = 4; // rows from which speeds can be measured
const FIRST = 8; // rows that must follow each other
const MOST = 256; // rows that may jump
const FURTHEST = 1 << 17; // positions to try
const PAIRS = 12; // pairs that tell a position

/**
 * The rotary cache that a table is, or that cosines and sines are.
 * @param {Flat[]} held one table, or cosines and sines
 * @param {number} slack
 * @returns {CacheMatch[]}
 */
export function matches(held, slack) {
  const length = held[0].values.length / held[0].width;
  if (length < FEWEST) return [];
  const exchanged = held.length === 2 && isSine(held[0], slack);
  for (const reading of readings(exchanged ? [held[1], held[0]] : held, length, slack)) {
    const size = amplitude(reading.parts);
    if (!(size > 0)) continue;
    const found = match(reading, size, slack) ?? jumping(reading, size, slack);
    if (found) return [exchanged ? { ...found, findings: [...found.findings, finding("exchanged")] } : found];
  }
  return [];
}

/** Ways to read the columns. @param {Flat[]} held @param {number} length @param {number} slack @returns {Reading[]} */
function readings(held, length, slack) {
  const positions = Float64Array.from({ length }, (_, row) => row);
  /** @param {string} part @param {{ form: string, once: Flat[] }} read @param {(Flat | null)[]} both */
  const reading = (part, { form, once: [{ width }] }, [cosines, sines]) => ({
    held, part, form, parts: { cosines: cosines && cosines.values, sines: sines && sines.values, positions, pairs: width },
  });
  if (held.length === 2) {
    const read = once(held, slack);
    return [reading("both", read, read.once)];
  }
  const found = [];
  const whole = once(held, slack);
  const first = whole.once[0].values.subarray(0, whole.once[0].width);
  if (isSine(whole.once[0], slack)) found.push(reading("sin", whole, [null, whole.once[0]]));
  else if (Math.max(...first) - Math.min(...first) <= 2 * slack * Math.abs(first[0])) found.push(reading("cos", whole, [whole.once[0], null]));
  const { width } = held[0];
  if (width % 2) return found;
  const read = once([0, width / 2].map((from) => picked(held[0], width / 2, (j) => from + j)), slack);
  const [one, other] = read.once;
  if (isSine(one, slack)) found.push(reading("sin|cos", read, [other, one]));
  else if (isSine(other, slack)) found.push(reading("cos|sin", read, [one, other]));
  return found;
}

/** Some columns of a table. @param {Flat} flat @param {number} count @param {(j: number) => number} column @returns {Flat} */
export function picked({ values, width }, count, column) {
  const length = values.length / width;
  const out = new /** @type {Float64ArrayConstructor} */ (values.constructor)(length * count);
  for (let row = 0, at = 0; row < length; row++) for (let j = 0; j < count; j++, at++) out[at] = values[row * width + column(j)];
  return { values: out, width: count };
}

/** Whether the table holds sines from position 0 on: its first row is 0. @param {Flat} flat @param {number} slack */
function isSine({ values, width }, slack) {
  const most = largest(values);
  return values.subarray(0, width).every((value) => Math.abs(value) <= slack * most);
}

/** Each pair once, and how often the tables have it; the columns of a pair differ by `slack`, or in the mean if `isLoose`. @param {Flat[]} parts @param {number} slack @param {boolean} [isLoose] */
export function once(parts, slack, isLoose = false) {
  const [{ width }] = parts;
  const heads = parts.map(({ values }) => values.subarray(0, SOME * width));
  const limit = slack * Math.max(...heads.map(largest));
  /** @param {(j: number) => number} one @param {(j: number) => number} other */
  const isTwice = (one, other) => {
    let [sum, most, count] = [0, 0, 0];
    for (const head of heads) {
      for (let row = 0; row < head.length; row += width) {
        for (let j = 0; j < width / 2; j++, count++) {
          const apart = Math.abs(head[row + one(j)] - head[row + other(j)]);
          [sum, most] = [sum + apart, Math.max(most, apart)];
        }
      }
    }
    return width % 2 === 0 && (isLoose ? sum / count : most) <= limit;
  };
  /** @type {[string, (j: number) => number, (j: number) => number][]} */
  const forms = [["halves", (j) => j, (j) => width / 2 + j], ["interleaved", (j) => 2 * j, (j) => 2 * j + 1]];
  const form = forms.find(([, one, other]) => isTwice(one, other));
  return form ? { form: form[0], once: parts.map((part) => picked(part, width / 2, form[1])) } : { form: "once", once: parts };
}

/** The `chosen` rows. @param {Parts} parts @param {number[]} chosen @returns {Parts} */
export function rowsOf({ cosines, sines, positions, pairs }, chosen) {
  /** @param {Values | null} values */
  const some = (values) => values && Float64Array.from({ length: chosen.length * pairs }, (_, at) => values[chosen[Math.floor(at / pairs)] * pairs + (at % pairs)]);
  return { cosines: some(cosines), sines: some(sines), positions: Float64Array.from(chosen, (row) => positions[row]), pairs };
}

/** @param {Reading} reading @param {number} size @param {number} slack @returns {CacheMatch | null} */
function match({ held, part, form, parts }, size, slack) {
  const { positions } = parts;
  const measured = frequencies(parts, size);
  const fastest = Math.max(...measured.turns);
  if (!(fastest > 0 && fastest <= Math.PI)) return null;
  const last = positions[positions.length - 1];
  const limit = slack + (last >= positions.length ? float32Error(last, parts.pairs, slack) : 0); // float32 angles, where rows jump
  const places = Float64Array.from(positions, (_, row) => row);
  const some = sample({ places, values: places, width: 1 }, SOME);
  const best = simplest(rowsOf(parts, [...some.places]), measured, size);
  if (!best || best.error > limit) return null;
  const rest = { part, form, amplitude: snapped(size / attention(best.rotary)), start: 0 };
  const error = largest(missed(held, { ...rest, rotary: best.rotary }, positions));
  return error <= limit ? answer(best.rotary, rest, error, []) : null;
}

/** A match. @param {import("./scaled.js").Rotary} rotary @param {{ part: string, form: string, amplitude: number, start: number }} rest @param {number} error @param {import("./findings.js").Finding[]} findings @returns {CacheMatch} */
export function answer(rotary, rest, error, findings) {
  const layout = rest.form === "interleaved" ? "interleaved" : "halves";
  return { convention: { rotary: { ...rotary, layout }, ...rest }, error, libraries: [], mistakes: [], isMeant: false, findings, firstRow: 0, zeroRows: 0 };
}

/** A cache whose first rows follow each other, and whose others jump. @param {Reading} reading @param {number} size @param {number} slack */
function jumping(reading, size, slack) {
  const { parts } = reading;
  const { positions, pairs, cosines, sines } = parts;
  if (positions.length <= FIRST) return null;
  const head = rowsOf(parts, [...Array(FIRST).keys()]);
  const measured = frequencies(head, size);
  const best = simplest(head, measured, size);
  if (!best) return null;
  const made = speeds(best.rotary);
  const fast = [...measured.turns.keys()].sort((i, j) => measured.turns[j] - measured.turns[i]).slice(0, PAIRS);
  const turns = fast.map((i) => (measured.turns[i] > 0 ? made[i] : 0));
  const both = [cosines, sines].filter((part) => part !== null);
  const count = both.length * fast.length;
  /** @type {Float64Array[]} */
  const held = Array.from(positions, (_, row) => Float64Array.from({ length: count }, (__, k) => both[Math.floor(k / fast.length)][row * pairs + fast[k % fast.length]] / size));
  const waves = new Float64Array(count);
  /** @param {number} position */
  const place = (position) => turns.forEach((turn, k) => {
    const angle = position * turn;
    if (cosines) waves[k] = Math.cos(angle);
    if (sines) waves[count - fast.length + k] = Math.sin(angle);
  });
  const odd = [...positions.keys()].filter((row) => {
    place(positions[row]);
    return held[row].some((value, k) => Math.abs(value - waves[k]) > 2 * slack);
  });
  if (!odd.length || odd[0] < FIRST || odd.length > MOST) return null;
  const found = Float64Array.from(positions);
  const nearest = odd.map(() => Infinity);
  for (let position = 0; position < FURTHEST; position++) {
    place(position);
    for (let k = 0; k < odd.length; k++) {
      const values = held[odd[k]];
      let sum = 0;
      for (let at = 0; at < count && sum < nearest[k]; at++) sum += (values[at] - waves[at]) ** 2;
      if (sum < nearest[k]) [nearest[k], found[odd[k]]] = [sum, position];
    }
  }
  if (found.some((position, row) => row > 0 && position <= found[row - 1])) return null;
  const placed = match({ ...reading, parts: { ...parts, positions: found } }, size, slack);
  const words = series(odd.map((row) => `row ${row} is position ${found[row]}`));
  return placed && { ...placed, findings: [finding("jumps", { list: words })] };
}
