/**
 * A map of each head's attention: a row for each query, a column for each key.
 */

import { VIRIDIS } from "../maths/viridis.js";
import { LENGTH } from "./encodings.js";
import { attention } from "./forward.js";
import { shared } from "./outcome.js";
import { MOST } from "./state.js";
import { setText } from "../site/text.js";
import { caption } from "./words.js";

/** @import { Outcome, Look } from "./outcome.js" */
/** @typedef {{ figure: HTMLElement, canvas: HTMLCanvasElement, words: HTMLElement, square: HTMLElement, arrow: HTMLElement }} Drawn */

const STEP = 8; // positions by which a map grows: each change of its size takes longer than everything else
const COLOURS = new Int32Array(VIRIDIS.buffer); // signed: engines treat them as integers, unlike unsigned ones
const IMAGE = new ImageData(MOST, MOST); // shared, as new memory takes longer than the pixels
const PIXELS = new Int32Array(IMAGE.data.buffer);

/** Rows and columns of a map of `length` positions; the last ones may be empty. @param {number} length */
export const side = (length) => Math.ceil(length / STEP) * STEP;

/** The result draws an outcome into `host`. @param {HTMLElement} host */
export function maps(host) {
  /** @type {Drawn[]} */
  const drawn = [];
  /** @type {Outcome | null} */
  let last = null;
  return (/** @type {Outcome} */ outcome, /** @type {number} */ marked) => {
    const { looks, tokens: { length } } = outcome;
    host.hidden = !length;
    if (!length) return;
    while (drawn.length < looks.length) drawn.push(added(host, drawn.length));
    drawn.forEach(({ figure }, index) => { figure.hidden = index >= looks.length; });
    const first = last ? shared(outcome, last) : 0;
    looks.forEach((look, index) => {
      const { canvas, words, square, arrow } = drawn[index];
      arrow.style.setProperty("--at", String((marked + 0.5) / side(length)));
      if (outcome === last) return;
      paint(canvas, look, first, length);
      setText(words, caption(look, looks.length / 2));
      square.style.width = square.style.height = `${Math.min(100, 100 * LENGTH / side(length))}%`;
    });
    last = outcome;
  };
}

/** @param {HTMLElement} host @param {number} index @returns {Drawn} */
function added(host, index) {
  const figure = document.createElement("figure");
  figure.innerHTML = `<div class="lm-frame"><canvas role="img" aria-labelledby="lm-map-${index}"></canvas><i class="lm-square"></i><i class="lm-arrow"></i></div><figcaption id="lm-map-${index}"></figcaption>`;
  host.append(figure);
  const [frame, words] = /** @type {HTMLElement[]} */ ([...figure.children]);
  const [canvas, square, arrow] = /** @type {[HTMLCanvasElement, HTMLElement, HTMLElement]} */ ([...frame.children]);
  return { figure, words, canvas, square, arrow };
}

/**
 * One pixel for each weight; those of later keys stay transparent.
 * @param {HTMLCanvasElement} canvas @param {Look} look @param {number} first row that changed @param {number} length
 */
function paint(canvas, { weights, head }, first, length) {
  const end = side(length);
  const from = canvas.width === end ? first : 0;
  if (canvas.width !== end) canvas.width = canvas.height = end;
  for (let query = from; query < length; query++) {
    const row = attention(weights, query, head);
    for (let key = 0; key <= query; key++) PIXELS[query * MOST + key] = COLOURS[(255 * row[key] + 0.5) | 0];
  }
  PIXELS.fill(0, length * MOST, end * MOST);
  canvas.getContext("2d")?.putImageData(IMAGE, 0, 0, 0, from, end, end - from);
}
