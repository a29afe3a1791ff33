/**
 * Heatmaps that the sliders change.
 * @module sliders/heatmap
 */

import { VIRIDIS } from "../maths/viridis.js";

/**
 * Give an SVG's image one pixel for each of `values`, row after row.
 * @param {Element} image
 * @param {ArrayLike<number>} values
 * @param {number} width
 * @param {number} least the value of the first colour
 * @param {number} most and of the last
 */
export function paint(image, values, width, least, most) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height: values.length / width });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  const pixels = context.createImageData(width, canvas.height);
  new Uint32Array(pixels.data.buffer)
    .set(Array.from(values, (value) => VIRIDIS[Math.min(255, Math.floor((value - least) / (most - least) * 256))]));
  context.putImageData(pixels, 0, 0);
  /** @type {SVGImageElement} */ (image).href.baseVal = canvas.toDataURL();
}
