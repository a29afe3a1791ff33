/**
 * Recognises a library's table whose columns or rows are in another order, or thinned out.
 *
 * As in `posenc/identification/_order.py`.
 */

import { finding, series } from "./findings.js";
import { columns, largest, picked, sample, unitRows } from "./rows.js";
import { knownAt } from "./tables.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./rows.js").Rows} Rows */
/** @typedef {{ error: number, rows: number[], columns: number[], words: import("./findings.js").Finding }} Found */

const SOME = 128; // rows to compare columns in
const FEW = 48; // rows whose positions are looked for
const PAIRS = 16; // fastest pairs, which tell a row's position
const EVEN = 0.02; // largest relative spread of the rows' squared lengths
const FURTHEST = 1 << 15; // positions to try

/**
 * A library whose columns, or else rows, are those of `rows` in another order.
 * @param {Rows} rows
 * @param {number} slack
 * @param {string[]} [by]
 */
export function moved(rows, slack, by = ["columns", "rows"]) {
  const { places, values, width } = rows;
  if (width % 2 || places.length < 4) return null;
  const squares = Array.from(places, (_, row) => {
    let sum = 0;
    for (let at = row * width; at < (row + 1) * width; at++) sum += values[at] ** 2;
    return sum;
  });
  const mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
  if (Math.max(...squares) - Math.min(...squares) > EVEN * mean) return null; // all rows of a table are equally long
  const amplitude = Math.sqrt(2 * mean / width);
  const unit = { places, values: Float64Array.from(values, (value) => value / amplitude), width };
  for (const look of by) {
    for (const { kind, names } of knownAt(width)) {
      const found = (look === "columns" ? byColumns : byRows)(unit, kind, 2 * slack);
      if (!found) continue;
      const { error, rows: oddRows, columns: oddColumns, words } = found;
      return { convention: { ...kind, amplitude }, error, typical: error, libraries: names, rows: oddRows, columns: oddColumns, findings: [words] };
    }
  }
  return null;
}

/** Columns in another order. @param {Rows} rows @param {Convention} kind @param {number} slack @returns {Found | null} */
function byColumns(rows, kind, slack) {
  const { places, values, width } = sample(rows, SOME);
  const unit = unitRows(kind, places, width);
  if (!unit) return null;
  const order = closest(transposed(values, width), transposed(unit, width), places.length);
  if (new Set(order).size < width) return null;
  const error = largest(Float64Array.from(values, (value, at) => value - unit[at - (at % width) + order[at % width]]));
  if (error > slack) return null;
  const odd = order.flatMap((whose, column) => (whose === column ? [] : [column]));
  return { error, rows: [], columns: odd, words: finding("columns-moved", { list: series(odd.map((column) => `column ${column} is its ${order[column]}`)) }) };
}

/** @param {import("./rows.js").Values} values @param {number} width */
function transposed(values, width) {
  const length = values.length / width;
  return Float64Array.from(values, (_, at) => values[(at % length) * width + Math.floor(at / length)]);
}

/** For each row of `ones` the row of `others` at the least distance. @param {Float64Array} ones @param {Float64Array} others @param {number} width */
function closest(ones, others, width) {
  const found = [];
  for (let here = 0; here < ones.length; here += width) {
    let [least, place] = [Infinity, 0];
    for (let there = 0; there < others.length; there += width) {
      let sum = 0;
      for (let j = 0; j < width && sum < least; j++) sum += (ones[here + j] - others[there + j]) ** 2;
      if (sum < least) [least, place] = [sum, there / width];
    }
    found.push(place);
  }
  return found;
}

/** Rows in another order, or with equal steps between them. @param {Rows} rows @param {Convention} kind @param {number} slack @returns {Found | null} */
function byRows(rows, kind, slack) {
  const { places, width } = rows;
  const last = places.length - 1;
  const count = Math.min(FEW, places.length);
  const few = [...new Set(Array.from({ length: FEW }, (_, k) => (k === FEW - 1 ? last : Math.trunc(k * (last / (FEW - 1))))))];
  const some = picked(rows, few);
  const where = decoded(some, kind);
  const made = /** @type {Float64Array} */ (unitRows({ ...kind, start: 0 }, Float64Array.from(where), width));
  const apart = few.map((_, row) => {
    let most = 0;
    for (let at = row * width; at < (row + 1) * width; at++) most = Math.max(most, Math.abs(made[at] - some.values[at]));
    return most;
  });
  const good = apart.filter((most) => most <= slack);
  if (!count || good.length < 0.9 * few.length) return null;
  const error = Math.max(...good);
  const step = (where[1] - where[0]) / (few[1] - few[0]);
  if (step > 1 && where.every((position, k) => position === where[0] + step * few[k])) {
    return { error, rows: [], columns: [], words: finding("every-nth-row", { step: ordinal(Math.trunc(step)), first: where[0] - kind.start }) };
  }
  const every = decoded(rows, kind).map((position) => position - kind.start);
  const later = every[0] - places[0];
  if (later > 0 && every.every((position, row) => position - places[row] === later)) return { error, rows: [], columns: [], words: finding("from-row", { row: every[0] }) };
  const odd = every.flatMap((position, row) => (position === places[row] ? [] : [row]));
  const words = series(odd.map((row) => `row ${places[row]} is its ${every[row]}`));
  return { error, rows: odd.map((row) => places[row]), columns: [], words: finding("rows-moved", { list: words }) };
}

/** The position of each row by its fastest pairs. @param {Rows} rows @param {Convention} kind */
function decoded({ values, width }, kind) {
  const codes = [...columns(kind, width)];
  const count = 2 * Math.min(PAIRS, width / 2);
  const at = Array.from({ length: count }, (_, code) => codes.indexOf(code));
  const some = Float64Array.from({ length: (values.length / width) * count }, (_, k) => values[Math.floor(k / count) * width + at[k % count]]);
  const plain = { ...kind, arrangement: "interleaved", order: "sin_first", start: 0 };
  return closest(some, waves(plain, width, count, kind.start), count).map((place) => kind.start + place);
}

/** @type {Map<string, Float64Array>} */
const made = new Map();

/** The fastest pairs at every position to try. @param {Convention} kind @param {number} width @param {number} count @param {number} start */
function waves(kind, width, count, start) {
  const key = JSON.stringify([kind, width, start]);
  const held = made.get(key);
  if (held) return held;
  const out = new Float64Array(FURTHEST * count);
  const one = /** @type {Float64Array} */ (unitRows(kind, Float64Array.of(1), width)); // sine and cosine of each pair's speed
  const turns = Array.from({ length: count / 2 }, (_, i) => Math.atan2(one[2 * i], one[2 * i + 1]));
  for (let position = 0, at = 0; position < FURTHEST; position++) {
    for (const turn of turns) {
      out[at++] = Math.sin((start + position) * turn);
      out[at++] = Math.cos((start + position) * turn);
    }
  }
  if (made.size > 7) made.clear();
  made.set(key, out);
  return out;
}

/** @param {number} number */
function ordinal(number) {
  const ending = number % 100 > 10 && number % 100 < 14 ? "" : ["", "st", "nd", "rd"][number % 10] ?? "";
  return `${number}${ending || "th"}`;
}
