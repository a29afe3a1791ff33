/**
 * A head that looks back: the reader's k and gain in its attention map and in the curves of its weight.
 * @module sliders/head
 */

import { distance } from "../maths/encoding.js";
import { shown } from "../maths/numerals.js";
import { axes, path, redrawn } from "./drawing.js";
import { paint } from "./heatmap.js";
import { answering, every } from "./panel.js";

const LENGTH = 64;
const POSITIONS = every(0, LENGTH - 1);
const WIDTHS = [512, 128, 64];
const GAINS = every(0, 40, 0.5);
const OFFSETS = every(0, 16);

/** @param {HTMLElement} host */
export function start(host) {
  const figures = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll(".pf"));
  const { x, y, group } = axes(figures[1]);
  const [blurred, sharp, title, ...curves] = redrawn(host);
  // By how much a score that lies `lag` off the target stays below the target's, at gain 1.
  const below = WIDTHS.map((width) => every(0, LENGTH + 16).map((lag) => distance(lag, width) ** 2 / 2 / Math.sqrt(width)));

  /** Weights by lag, before they are divided by the sum of their row. @param {number} gain @param {number} index of a width */
  const factors = (gain, index) => below[index].map((score) => Math.exp(-gain * score));

  /**
   * The least weight on a target: a row's sum is that of the lags on its two sides.
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

  return answering(host, {
    offset: { text: "look back <i>k</i>", values: OFFSETS, value: 3 },
    gain: { text: "gain <i>g</i>", values: GAINS, value: 10 },
  }, ({ offset, gain }) => {
    map(blurred, 1, offset);
    map(sharp, gain, offset);
    const named = shown(gain, gain % 1 ? 1 : 0);
    /** @type {Element} */ (title.firstElementChild).textContent = `gain ${named}`;
    curves.forEach((curve, index) => {
      curve.firstElementChild?.setAttribute("d", path(GAINS.map((each) => [x(each), y(least(each, offset, index))])));
    });
    const weight = least(gain, offset, 0);
    group.innerHTML = `<path d="M${x(gain)},${y(0)}V${y(weight)}" stroke="var(--fig-1)" stroke-dasharray="2 2"/>`
      + `<circle cx="${x(gain)}" cy="${y(weight)}" r="3.5" fill="var(--fig-1)"/>`;
    const target = offset ? `position p\u00a0−\u00a0${offset}` : "itself";
    return `At gain ${named}, the least weight that a position p\u00a0≥\u00a0${offset} gives to ${target} is `
      + `${shown(weight, 4)}. An equal share would be ${shown(1 / LENGTH, 4)}.`;
  });
}
