/**
 * Sliders for k and the gain of a head that looks back, in its attention map and its curves of weight.
 */

import { distance } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies, path } from "./drawing.js";
import { paint } from "./heatmap.js";
import { addSliders, range } from "./panel.js";

const LENGTH = 64;
const POSITIONS = range(0, LENGTH - 1);
const WIDTHS = [512, 128, 64];
const GAINS = range(0, 40, 0.5);
const OFFSETS = range(0, 16);

/** @param {HTMLElement} host */
export function start(host) {
  const figures = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(".pf"));
  const { x, y, group } = axes(figures[1]);
  const [blurred, sharp, title, ...curves] = copies(host);
  // At gain 1, how far the score of a position `lag` away from the target lies below the target's.
  const below = WIDTHS.map((width) => range(0, LENGTH + 16).map((lag) => distance(lag, width) ** 2 / 2 / Math.sqrt(width)));

  /** Weights by lag, not yet divided by the sum of their row. @param {number} gain @param {number} index of a width */
  const factors = (gain, index) => below[index].map((score) => Math.exp(-gain * score));

  /**
   * The least weight on a target. The sum of a row is that of the lags on its two sides.
   * @param {number} gain @param {number} k @param {number} index of a width
   */
  function least(gain, k, index) {
    let sum = 0;
    const upTo = factors(gain, index).map((factor) => { sum += factor; return sum; });
    return 1 / Math.max(...POSITIONS.slice(k).map((p) => upTo[p - k] + upTo[LENGTH - 1 - p + k] - upTo[0]));
  }

  /** @param {Element} image @param {number} gain @param {number} k */
  function map(image, gain, k) {
    const factor = factors(gain, 0);
    paint(image, POSITIONS.flatMap((p) => {
      const row = POSITIONS.map((q) => factor[Math.abs(p - q - k)]);
      const sum = row.reduce((before, each) => before + each);
      return row.map((each) => each / sum);
    }), LENGTH, 0, 1);
  }

  addSliders(host, {
    offset: { values: OFFSETS, value: 3 },
    gain: { values: GAINS, value: 10 },
  }, ({ offset, gain }) => {
    map(blurred, 1, offset);
    map(sharp, gain, offset);
    const text = numeral(gain, gain % 1 ? 1 : 0);
    /** @type {Element} */ (title.firstElementChild).textContent = `gain ${text}`;
    curves.forEach((curve, index) => {
      curve.firstElementChild?.setAttribute("d", path(GAINS.map((each) => [x(each), y(least(each, offset, index))])));
    });
    const weight = least(gain, offset, 0);
    group.innerHTML = `<path d="M${x(gain)},${y(0)}V${y(weight)}" stroke="var(--fig-1)" stroke-dasharray="2 2"/>`
      + `<circle cx="${x(gain)}" cy="${y(weight)}" r="3.5" fill="var(--fig-1)"/>`;
    const target = offset ? `position p\u00a0−\u00a0${offset}` : "itself";
    return `At gain ${text}, the least weight that a position p\u00a0≥\u00a0${offset} gives to ${target} is `
      + `${numeral(weight, 4)}. An equal share would be ${numeral(1 / LENGTH, 4)}.`;
  });
}
