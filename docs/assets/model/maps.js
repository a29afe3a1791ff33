/**
 * A map of each head's attention: a row for each query, a column for each key.
 */

import { VIRIDIS } from "../maths/viridis.js";
import { LENGTH } from "./encodings.js";
import { MOST } from "./state.js";
import { setText } from "./text.js";
import { caption } from "./words.js";

/** @typedef {import("./outcome.js").Outcome} Outcome */
/** @typedef {import("./outcome.js").Look} Look */
/** @typedef {{ figure: HTMLElement, canvas: HTMLCanvasElement, words: HTMLElement, square: HTMLElement, arrow: HTMLElement, of: Float64Array | null }} Drawn */

const STEP = 16; // pixels
const IMAGE = new ImageData(MOST, MOST); // shared, as new memory takes longer than the pixels
const PIXELS = new Uint32Array(IMAGE.data.buffer);

/** The result draws an outcome into `host`. @param {HTMLElement} host */
export function maps(host) {
  /** @type {Drawn[]} */
  const drawn = [];
  return (/** @type {Outcome} */ { looks, tokens: { length } }, /** @type {number} */ marked) => {
    host.hidden = !length;
    if (!length) return;
    while (drawn.length < looks.length) drawn.push(added(host, drawn.length));
    drawn.forEach(({ figure }, index) => { figure.hidden = index >= looks.length; });
    looks.forEach((look, index) => {
      const one = drawn[index];
      one.arrow.style.top = `${100 * (marked + 0.5) / length}%`;
      if (one.of === look.weights) return;
      one.of = look.weights;
      paint(one.canvas, look, length);
      setText(one.words, caption(look, looks.length / 2));
      one.square.style.width = one.square.style.height = `${Math.min(100, 100 * LENGTH / length)}%`;
      one.canvas.style.width = one.canvas.style.height = `${100 * one.canvas.width / length}%`; // the frame clips the rest
    });
  };
}

/** @param {HTMLElement} host @param {number} index @returns {Drawn} */
function added(host, index) {
  const figure = document.createElement("figure");
  figure.innerHTML = `<div class="lm-frame"><canvas role="img" aria-labelledby="lm-map-${index}"></canvas><i class="lm-square"></i><i class="lm-arrow" aria-hidden="true">◂</i></div><figcaption id="lm-map-${index}"></figcaption>`;
  host.append(figure);
  const [frame, words] = /** @type {HTMLElement[]} */ ([...figure.children]);
  const [canvas, square, arrow] = /** @type {[HTMLCanvasElement, HTMLElement, HTMLElement]} */ ([...frame.children]);
  return { figure, words, canvas, square, arrow, of: null };
}

/** One pixel for each weight; those of later keys stay transparent. The canvas grows in steps, because each change of its size takes long. @param {HTMLCanvasElement} canvas @param {Look} look @param {number} length */
function paint(canvas, { weights }, length) {
  const side = Math.ceil(length / STEP) * STEP;
  if (canvas.width !== side) canvas.width = canvas.height = side;
  for (let query = 0; query < length; query++) {
    for (let key = 0; key <= query; key++) PIXELS[query * MOST + key] = VIRIDIS[Math.round(255 * weights[query * length + key])];
  }
  canvas.getContext("2d")?.putImageData(IMAGE, 0, 0, 0, 0, length, length);
}
