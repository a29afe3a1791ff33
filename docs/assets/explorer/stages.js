/**
 * A stage is the element that shows a view: three layers of SVG, and a canvas for the matrix.
 */

import { SIGNED } from "../maths/signed.js";
import { write } from "./changes.js";
import { matrixBox } from "./views.js";

/** @import { Model, Mark } from "./model.js" */
/** @import { View, Size } from "./views.js" */
/** @import { Shape, Attributes } from "./shapes.js" */
/**
 * @typedef {object} Stage
 * @property {View} view
 * @property {HTMLElement} element
 * @property {Size} size
 * @property {(box: Size) => void} fit
 * @property {(model: Model, mark: Mark | null) => void} draw
 */

const COLOURS = new Int32Array(SIGNED.buffer); // signed: engines treat them as integers, unlike unsigned ones

/** @param {View} view @param {HTMLElement} element @returns {Stage} */
export function stage(view, element) {
  const canvas = element.querySelector("canvas");
  const [frame, data, marks] = Array.from(element.querySelectorAll("svg"), layer); // a change in one does not touch the others
  const paint = canvas && painter(canvas, /** @type {Element} */ (element.previousElementSibling));
  const size = { width: 0, height: 0 };
  let framed = "";
  return {
    view, element, size,
    fit(box) {
      Object.assign(size, { width: box.width, height: box.height });
    },
    draw(model, mark) {
      if (!size.width) return;
      paint?.(model, matrixBox(size));
      const wanted = `${size.width} ${model.state.d_model} ${model.state.length} ${view.framed?.(model, size)}`;
      if (wanted !== framed) frame(view.frame(model, size));
      framed = wanted;
      data(view.data(model, size));
      marks(mark ? view.marks(mark, model, size) : []);
    },
  };
}

/**
 * A function that shows shapes in `svg`. It changes the elements of the last shapes where it can,
 * so that the browser parses nothing and computes few styles.
 * @param {SVGSVGElement} svg
 * @returns {(shapes: Shape[]) => void}
 */
function layer(svg) {
  /** @type {{ element: Element, tag: string, style?: Attributes, place: Attributes, content: string }[]} */
  const drawn = [];
  return (shapes) => {
    while (drawn.length > shapes.length) drawn.pop()?.element.remove();
    shapes.forEach(([tag, place, style, content = ""], index) => {
      let now = drawn[index];
      if (now?.tag !== tag || now.style !== style) {
        const element = document.createElementNS(svg.namespaceURI, tag);
        for (const name in style) element.setAttribute(name, String(style[name]));
        if (now) now.element.replaceWith(element);
        else svg.append(element);
        drawn[index] = now = { element, tag, style, place: {}, content: "" };
      }
      const { element, place: before } = now;
      for (const name in place) if (place[name] !== before[name]) element.setAttribute(name, String(place[name]));
      now.place = place;
      if (content === now.content) return;
      if (element.firstChild instanceof Text) element.firstChild.data = content;
      else element.innerHTML = content;
      now.content = content;
    });
  };
}

/**
 * A function that paints the matrix on `canvas`, one pixel for each cell. A matrix with more cells
 * than the screen has pixels shows the nearest pair and position.
 *
 * It rotates every pair from position to position, which is fast; after 4096 positions the error is
 * about 1e-12.
 * @param {HTMLCanvasElement} canvas
 * @param {Element} title where it says so if the fastest waves do not show
 * @returns {(model: Model, box: { left: number, right: number, top: number, bottom: number }) => void}
 */
function painter(canvas, title) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  let image = context.createImageData(1, 1);
  let painted = "";
  return ({ state: { d_model: width, length }, shape, frequencies }, { left, right, top, bottom }) => {
    const pairs = Math.min(width, Math.round((right - left) * devicePixelRatio)) >> 1;
    const height = Math.min(length, Math.round((bottom - top) * devicePixelRatio));
    const wanted = `${shape} ${pairs} ${height}`;
    if (wanted === painted) return;
    painted = wanted;
    const step = length / height;
    const few = `, one position in ${Math.round(step)}: waves below ${Math.round(2 * step)} look longer`;
    write(title, step > Math.PI ? `The matrix${few}` : "The matrix"); // the shortest wave has 2π positions, and needs two of them to show
    if (image.width !== 2 * pairs || image.height !== height) {
      Object.assign(canvas, { width: 2 * pairs, height });
      image = context.createImageData(2 * pairs, height);
    }
    const pixels = new Int32Array(image.data.buffer);
    const positions = Array.from({ length: height }, (_, y) => Math.floor((y + 0.5) * length / height));
    const steps = positions.map((position, y) => position - (positions[y - 1] ?? 0)); // after the first, of two lengths
    const least = Math.floor(length / height);
    for (let i = 0; i < pairs; i++) {
      const w = frequencies[Math.floor((i + 0.5) * width / 2 / pairs)];
      const [acrossShort, acrossLong] = [Math.sin(w * least), Math.sin(w * (least + 1))];
      const [alongShort, alongLong] = [Math.cos(w * least), Math.cos(w * (least + 1))];
      let [sine, cosine] = [Math.sin(w * steps[0]), Math.cos(w * steps[0])];
      for (let y = 0, at = 2 * i; ; at += 2 * pairs) {
        pixels[at] = COLOURS[(sine * 127.5 + 128) | 0];
        pixels[at + 1] = COLOURS[(cosine * 127.5 + 128) | 0];
        y += 1;
        if (y === height) break;
        const isLong = steps[y] > least;
        const across = isLong ? acrossLong : acrossShort;
        const along = isLong ? alongLong : alongShort;
        const turned = sine * along + cosine * across;
        cosine = cosine * along - sine * across;
        sine = turned;
      }
    }
    context.putImageData(image, 0, 0);
  };
}
