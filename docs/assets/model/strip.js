/**
 * The text and the answers, a cell for each position.
 */

import { LENGTH } from "./encodings.js";
import { BACK } from "./outcome.js";
import { LETTERS, MOST } from "./state.js";

/** @import { Outcome } from "./outcome.js" */
/** @typedef {{ cell: HTMLElement, letter: Text, answer: Text, kind: string, bar: number }} Cell `kind` and `bar` are drawn */

const ROW = 16; // cells of a row on a phone, half of a row elsewhere; letters come and go without a change of rows
const STEPS = 20; // a bar has one of as many lengths, so that a small change draws nothing

/**
 * Fill the two grids, for positions as in training and for those beyond; the result draws an outcome.
 * @param {HTMLElement} within @param {HTMLElement} beyond
 */
export function strip(within, beyond) {
  const cells = Array.from({ length: MOST }, (_, place) => added(place < LENGTH ? within : beyond, place));
  let shown = 0;
  return (/** @type {Outcome} */ { tokens, answers, sure }, /** @type {number} */ marked) => {
    const { length } = tokens;
    const end = Math.min(MOST, Math.ceil(length / ROW) * ROW);
    for (let place = Math.min(shown, end); place < Math.max(shown, end); place++) cells[place].cell.hidden = place >= end;
    if (shown !== end) {
      size(within, Math.min(end, LENGTH));
      size(beyond, Math.max(0, end - LENGTH));
    }
    shown = end;
    for (let place = length; place < end; place++) show(cells[place], "", "", "lm-cell", 0);
    for (let place = 0; place < length; place++) {
      const verdict = place < BACK ? "" : answers[place] === tokens[place - BACK] ? " is-right" : " is-wrong";
      const mark = place === marked ? " is-marked" : place === marked - BACK ? " is-asked" : "";
      show(cells[place], LETTERS[tokens[place]], LETTERS[answers[place]], `lm-cell${verdict}${mark}`, Math.round(STEPS * sure[place]));
    }
  };
}

/** Tell a grid its height, so that a cell lays out nothing but the grid. @param {HTMLElement} grid @param {number} count of cells */
function size({ style }, count) {
  style.setProperty("--rows", String(Math.ceil(count / (2 * ROW))));
  style.setProperty("--short-rows", String(Math.ceil(count / ROW)));
}

/** @param {HTMLElement} grid @param {number} place @returns {Cell} */
function added(grid, place) {
  const cell = document.createElement("span");
  const [letter, answer] = [new Text(), new Text()];
  for (const text of [letter, answer]) cell.appendChild(document.createElement("span")).append(text);
  cell.dataset.place = String(place);
  cell.hidden = true;
  grid.append(cell);
  return { cell, letter, answer, kind: "", bar: -1 };
}

/** Write only what changed. @param {Cell} one @param {string} letter @param {string} answer @param {string} kind @param {number} bar */
function show(one, letter, answer, kind, bar) {
  if (one.letter.data !== letter) one.letter.data = letter;
  if (one.answer.data !== answer) one.answer.data = answer;
  if (one.kind !== kind) one.cell.className = one.kind = kind;
  if (one.bar !== bar) one.cell.style.backgroundSize = `${100 * (one.bar = bar) / STEPS}% 4px`;
}
