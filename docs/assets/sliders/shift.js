/**
 * Sliders for position and offset, in the figure of the shift matrices; clock hands show the turn.
 */

import { encode, frequencies } from "../maths/encoding.js";
import { rough } from "../maths/errors.js";
import { numeral } from "../maths/numerals.js";
import { shiftMatrix } from "../maths/rotation.js";
import { copies } from "./drawing.js";
import { paint } from "./heatmap.js";
import { addSliders, range } from "./panel.js";

const WIDTH = 16;
const PAIRS = range(0, WIDTH / 2 - 1);

/** @param {HTMLElement} host */
export function start(host) {
  const parts = copies(host); // image and title of each matrix
  const clocks = PAIRS.map((pair) => `<svg viewBox="-11 -11 22 29"><circle r="10" fill="none" stroke="currentColor" stroke-opacity=".35" stroke-width=".4"/>`
    + `<g></g><text y="15.5" text-anchor="middle" fill="currentColor" font-size="3.6">pair ${pair}</text></svg>`).join("");

  addSliders(host, {
    position: { values: range(0, 50), value: 10 },
    offset: { values: range(-10, 10), value: 2 },
  }, ({ position, offset }) => {
    const [before, after] = [position, position + offset].map((p) => encode(p, WIDTH));
    const matrix = shiftMatrix(offset, WIDTH);
    [matrix, shiftMatrix(-offset, WIDTH)].forEach((values, side) => {
      const [image, title] = parts.slice(2 * side);
      paint(image, values, WIDTH, -1, 1);
      /** @type {Element} */ (title.firstElementChild).textContent = `k = ${numeral(side ? -offset : offset)}`;
    });
    const moved = after.map((_, row) => before.reduce((sum, value, column) => sum + matrix[row * WIDTH + column] * value, 0));
    host.querySelectorAll(".sliders-clocks g").forEach((clock, pair) => {
      clock.innerHTML = hand(after, pair, 'stroke="var(--fig-2)" stroke-dasharray="2 1.2"') + hand(before, pair, 'stroke="var(--fig-1)"');
    });
    const turn = frequencies(WIDTH).map((each) => each * offset);
    const off = Math.max(...moved.map((value, row) => Math.abs(value - after[row])));
    const within = off ? `to within ${rough(off)}` : "exactly";
    return `From position ${position} to ${numeral(position + offset)}, pair 0 turns by ${numeral(turn[0], 2)} radians and pair 7 by `
      + `${numeral(turn[7], 4)}. The first matrix times the row of ${position} gives the row of ${numeral(position + offset)}, `
      + `${within}.`;
  }, `<div class="sliders-clocks" role="img" aria-label="Clock hands of the eight pairs, before and after the shift">${clocks}</div>`
    + '<div class="sliders-key"><span>before, at <i>p</i></span><span>after, at <i>p</i> + <i>k</i></span></div>');
}

/**
 * A hand that points up at angle 0 and turns clockwise.
 * @param {Float64Array} row
 * @param {number} pair
 * @param {string} look
 */
function hand(row, pair, look) {
  const [x, y] = [9 * row[2 * pair], -9 * row[2 * pair + 1]];
  return `<path d="M0,0L${x.toFixed(2)},${y.toFixed(2)}" stroke-width="1.4" ${look}/>`;
}
