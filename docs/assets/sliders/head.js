/**
 * Sliders for k and the gain of a head that looks back, in its attention map.
 */

import { distance } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { VIRIDIS } from "../maths/viridis.js";
import { copies } from "./drawing.js";
import { paint } from "./heatmap.js";
import { addSliders, range } from "./panel.js";

const LENGTH = 64;
const WIDTH = 512;
const POSITIONS = range(0, LENGTH - 1);
const GAINS = range(0, 40, 0.5);
const OFFSETS = range(0, 16);

/** @param {HTMLElement} host */
export function start(host) {
  const [blurred, sharp, title] = copies(host);
  // At gain 1, how far the score of a position `lag` away from the target lies below the target's.
  const below = range(0, LENGTH + 16).map((lag) => distance(lag, WIDTH) ** 2 / 2 / Math.sqrt(WIDTH));

  /** The weights of each position. @param {number} gain @param {number} k */
  function weights(gain, k) {
    return POSITIONS.map((p) => {
      const row = POSITIONS.map((q) => Math.exp(-gain * below[Math.abs(p - q - k)]));
      const sum = row.reduce((before, each) => before + each);
      return row.map((each) => each / sum);
    });
  }

  addSliders(host, {
    offset: { values: OFFSETS, value: 3 },
    gain: { values: GAINS, value: 10 },
  }, ({ offset, gain }) => {
    const rows = weights(gain, offset);
    paint(blurred, weights(1, offset).flat(), LENGTH, VIRIDIS, 0);
    paint(sharp, rows.flat(), LENGTH, VIRIDIS, 0);
    const text = numeral(gain, gain % 1 ? 1 : 0);
    /** @type {Element} */ (title.firstElementChild).textContent = `gain ${text}`;
    const least = Math.min(...rows.slice(offset).map((row, p) => row[p]));
    const target = offset ? `position p\u00a0−\u00a0${offset}` : "itself";
    return `At gain ${text}, the least weight that a position p\u00a0≥\u00a0${offset} gives to ${target} is `
      + `${numeral(least, 4)}. An equal share would be ${numeral(1 / LENGTH, 4)}.`;
  });
}
