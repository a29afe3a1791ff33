/**
 * A slider for the base, in the figure of the law of similarity.
 */

import { law, similarity } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies, path } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

const WIDTH = 512;
const OFFSETS = powers(10, 24, 0, 72);
const BASES = powers(10, 20, 40, 140).map((base) => Number(base.toPrecision(3)));

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y } = axes(host);
  const [line, dots, name] = copies(host);
  /** @param {number} offset @param {number} base */
  const share = (offset, base) => similarity(offset, WIDTH, base) / (WIDTH / 2);
  addSliders(host, { base: { values: BASES, value: 10_000 } }, ({ base }) => {
    line.firstElementChild?.setAttribute("d", path([1, 1000].map((offset) => [x(offset), y(law(offset, base))])));
    dots.querySelectorAll("use").forEach((dot, index) => dot.setAttribute("y", String(y(share(OFFSETS[index], base)))));
    /** @type {Element} */ (name.firstElementChild).textContent = `base ${numeral(base)}`;
    return `At base ${numeral(base)}, the law takes ${numeral(Math.LN10 / Math.log(base), 2)} of the full similarity for every `
      + `tenfold offset. At offset 100 it leaves ${numeral(law(100, base), 3)}; the exact value is ${numeral(share(100, base), 3)}.`;
  });
}
