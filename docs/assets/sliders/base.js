/**
 * Why 10,000: the reader's base in the figure of the similarity's law.
 * @module sliders/base
 */

import { law, similarity } from "../maths/encoding.js";
import { shown } from "../maths/numerals.js";
import { axes, path, redrawn } from "./drawing.js";
import { answering, powers } from "./panel.js";

const WIDTH = 512;
const OFFSETS = powers(10, 24, 0, 72);
const BASES = powers(10, 20, 40, 140).map((base) => Number(base.toPrecision(3)));

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y } = axes(host);
  const [line, dots, name] = redrawn(host);
  /** @param {number} offset @param {number} base */
  const share = (offset, base) => similarity(offset, WIDTH, base) / (WIDTH / 2);
  return answering(host, { base: { text: "base <i>n</i>", values: BASES, value: 10_000 } }, ({ base }) => {
    line.firstElementChild?.setAttribute("d", path([1, 1000].map((offset) => [x(offset), y(law(offset, base))])));
    dots.querySelectorAll("use").forEach((dot, index) => dot.setAttribute("y", String(y(share(OFFSETS[index], base)))));
    /** @type {Element} */ (name.firstElementChild).textContent = `base ${shown(base)}`;
    return `At base ${shown(base)}, the law takes ${shown(Math.LN10 / Math.log(base), 2)} of the full similarity for every `
      + `tenfold offset. At offset 100 it leaves ${shown(law(100, base), 3)}; exact is ${shown(share(100, base), 3)}.`;
  });
}
