/**
 * Recognises the rotary caches of a text with images in it: Qwen2-VL, Qwen3-VL.
 *
 * As in `posenc/identification/_mixed_caches.py`.
 */

import { answer, sizeOf } from "./axial.js";
import { rowsOf } from "./caches.js";
import { readings } from "./cut.js";
import { finding } from "./findings.js";
import { IN_ORDER, IN_TURN } from "./known.js";
import { asGood } from "./rows.js";
import { sections } from "./rules.js";
import { simplest } from "./scaled.js";
import { frequencies } from "./turning.js";

/** @typedef {import("./shapes.js").Flat} Flat */
/** @typedef {import("./turning.js").Parts} Parts */
/** @typedef {import("./rules.js").Axial} Axial */

const FURTHEST = 8192; // positions that are tried where a row jumps
const JUMPS = 64; // rows that may jump
const SNAPPED = 2e-3; // largest relative error of the size
const TEXTS = [16, 8, 4]; // first rows, which are text and show base and scaling

/** The cache that a table is, or that cosines and sines are, if it begins with a text. @param {Flat[]} held @param {number} slack */
export function matches(held, slack) {
  for (const reading of readings(held, slack)) {
    const { form, parts } = reading;
    const size = sizeOf(parts);
    const text = ofText(parts, size, slack);
    const found = (text ? encodings(text, form) : []).flatMap((rotary) => {
      const points = walk(parts, rotary, size, slack);
      const hasImage = points?.some((point) => point.some((place) => place !== point[0]));
      return points && hasImage ? [answer(held, reading, rotary, points, size, [finding("mixed")])] : [];
    });
    const best = Math.min(...found.map(({ error }) => error));
    const match = found.find(({ error }) => error <= slack && asGood(error, best)); // models with as many pairs deal slow ones out in different ways
    if (match) return [match];
  }
  return [];
}

/** The encoding of the first rows, if they are positions 0, 1, 2, ... of a text. @param {Parts} parts @param {number} size @param {number} slack */
function ofText(parts, size, slack) {
  const { cosines, sines, positions, pairs } = parts;
  const isAt0 = [...Array(pairs).keys()].every((i) => Math.max(cosines ? Math.abs(cosines[i] / size - 1) : 0, sines ? Math.abs(sines[i] / size) : 0) <= slack + SNAPPED);
  if (!(size > 0) || !isAt0) return null;
  for (const count of TEXTS) {
    if (count > positions.length) continue;
    const head = rowsOf(parts, [...Array(count).keys()]);
    const found = simplest(head, frequencies(head, size), size);
    if (found && found.error <= slack) return found.rotary;
  }
  return null;
}

/** @param {import("./scaled.js").Rotary} text @param {string} form @returns {Axial[]} */
function encodings(text, form) {
  const pairs = text.head_dim / 2;
  const layout = form === "interleaved" ? "interleaved" : "halves";
  return [...IN_ORDER, ...IN_TURN].flatMap((parts, place) => {
    const whole = parts.reduce((sum, part) => sum + part, 0);
    const counts = parts.map((part) => Math.floor(part * pairs / whole));
    const isWhole = counts.reduce((sum, count) => sum + count, 0) === pairs;
    return isWhole ? [sections(text, counts, layout, place >= IN_ORDER.length).rotary] : [];
  });
}

/**
 * Time, height and width of each row, null if a row follows none of the ways to go on.
 *
 * A coordinate stays, grows by one or returns to its value at the start of the image; or all three
 * continue after the largest value so far. Where all three are equal, an image may begin.
 * @param {Parts} parts
 * @param {Axial} rotary
 * @param {number} size
 * @param {number} slack
 */
function walk({ cosines, sines, positions, pairs }, { axes, turns }, size, slack) {
  const own = [0, 1, 2].map((axis) => [...axes.keys()].filter((i) => axes[i] === axis));
  const points = [[0, 0, 0]];
  let [most, start, jumps, begun] = [0, 0, 0, [0, 0]];

  /** The best of `tries`, null if all miss. @param {number} row @param {Iterable<number>} tries @param {number} axis */
  function closest(row, tries, axis) {
    let [least, best] = [Infinity, 0];
    for (const place of tries) {
      let miss = 0;
      for (const i of own[axis]) {
        const [at, angle] = [row * pairs + i, place * turns[i]];
        if (cosines) miss = Math.max(miss, Math.abs(Math.cos(angle) - cosines[at] / size));
        if (sines) miss = Math.max(miss, Math.abs(Math.sin(angle) - sines[at] / size));
        if (miss >= least) break;
      }
      if (miss < least) [least, best] = [miss, place];
    }
    return least <= slack ? best : null;
  }

  for (let row = 1; row < positions.length; row++) {
    const last = points[row - 1];
    if (last.every((place) => place === last[0])) begun = [begun[1], last[0]];
    if (Math.min(...last) === most) start = most;
    const point = last.map((place, axis) => {
      const found = closest(row, [most + 1, place + 1, place, ...begun, start], axis);
      return found ?? (jumps++ < JUMPS ? closest(row, Array(FURTHEST).keys(), axis) : null);
    });
    if (point.some((place) => place === null)) return null;
    const told = /** @type {number[]} */ (point);
    points.push(told);
    most = Math.max(most, ...told);
  }
  return points;
}
