/**
 * Heatmaps that sliders change.
 */

import { SIGNED } from "../maths/signed.js";
import { VIRIDIS } from "../maths/viridis.js";

/**
 * Paint `values`, row after row, as the pixels of an SVG image.
 * @param {Element} image
 * @param {ArrayLike<number>} values
 * @param {number} width
 * @param {number} least value of the first colour
 * @param {number} most value of the last colour
 */
export function paint(image, values, width, least, most) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height: values.length / width });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const colours = least === -most ? SIGNED : VIRIDIS;
  const pixels = context.createImageData(width, canvas.height);
  new Uint32Array(pixels.data.buffer)
    .set(Array.from(values, (value) => colours[Math.min(255, Math.floor((value - least) / (most - least) * 256))]));
  context.putImageData(pixels, 0, 0);
  /** @type {SVGImageElement} */ (image).href.baseVal = canvas.toDataURL();
}
