/**
 * The matrix as pixels, in the colours of the heatmaps.
 * @module explorer/painter
 */

import { VIRIDIS } from "../maths/viridis.js";

/** @typedef {import("./model.js").Model} Model */

const COLOURS = new Int32Array(VIRIDIS.buffer); // signed: integers to the engine, which others are not

/** As CSS writes it. @param {number} index */
export const colour = (index) => `#${[0, 8, 16].map((bits) => (VIRIDIS[index] >> bits & 255).toString(16).padStart(2, "0")).join("")}`;

/**
 * A painter of the matrix on `canvas`, at most a pixel of the screen for one of the canvas: one
 * for a cell, or for the nearest pair and position where there are more of them.
 *
 * Every pair is turned from position to position: fast, and for the eye, since after 4096 turns
 * the values are right to some 1e-12.
 * @param {HTMLCanvasElement} canvas
 * @returns {(model: Model, box: { left: number, right: number, top: number, bottom: number }) => void}
 */
export function painter(canvas) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  let image = context.createImageData(1, 1);
  let painted = "";
  return ({ state: { d_model: width, length }, shape, frequencies }, { left, right, top, bottom }) => {
    const pairs = Math.min(width, Math.round((right - left) * devicePixelRatio)) >> 1;
    const height = Math.min(length, Math.round((bottom - top) * devicePixelRatio));
    const wanted = `${shape} ${pairs} ${height}`;
    if (wanted === painted) return;
    painted = wanted;
    if (image.width !== 2 * pairs || image.height !== height) {
      Object.assign(canvas, { width: 2 * pairs, height });
      image = context.createImageData(2 * pairs, height);
    }
    const pixels = new Int32Array(image.data.buffer);
    const frequency = Float64Array.from({ length: pairs }, (_, i) => frequencies[Math.floor((i + 0.5) * width / 2 / pairs)]);
    const sines = new Float64Array(pairs);
    const cosines = new Float64Array(pairs).fill(1);
    /** @type {Map<number, [Float64Array, Float64Array]>} */
    const turns = new Map();
    for (let y = 0, at = 0, position = 0; y < height; y++) {
      const next = Math.floor((y + 0.5) * length / height);
      const steps = next - position;
      const turn = turns.get(steps) ?? [frequency.map((w) => Math.sin(w * steps)), frequency.map((w) => Math.cos(w * steps))];
      turns.set(steps, turn);
      position = next;
      const [across, along] = turn;
      for (let i = 0; i < pairs; i++) {
        const sine = sines[i] * along[i] + cosines[i] * across[i];
        const cosine = cosines[i] * along[i] - sines[i] * across[i];
        sines[i] = sine;
        cosines[i] = cosine;
        pixels[at++] = COLOURS[(sine * 127.5 + 128) | 0];
        pixels[at++] = COLOURS[(cosine * 127.5 + 128) | 0];
      }
    }
    context.putImageData(image, 0, 0);
  };
}
