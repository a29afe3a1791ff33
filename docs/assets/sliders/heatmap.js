/**
 * Heatmaps that sliders change.
 */

/**
 * Paint `values` up to 1, row after row, as the pixels of an SVG image.
 * @param {Element} image
 * @param {ArrayLike<number>} values
 * @param {number} width
 * @param {Uint32Array} colours
 * @param {number} least value of the first colour
 */
export function paint(image, values, width, colours, least) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height: values.length / width });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const pixels = context.createImageData(width, canvas.height);
  new Uint32Array(pixels.data.buffer)
    .set(Array.from(values, (value) => colours[Math.min(255, Math.floor((value - least) / (1 - least) * 256))]));
  context.putImageData(pixels, 0, 0);
  /** @type {SVGImageElement} */ (image).href.baseVal = canvas.toDataURL();
}
