/**
 * A slider for the base, in the figure of the law of similarity.
 */

import { law, similarity } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies, path } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

const WIDTH = 512;
const OFFSETS = powers(10, 24, 0, 72);
const OTHERS = [1000, 10_000, 1_000_000]; // whose lines stay
const ROOM = 12; // between two names
const BASES = powers(10, 20, 40, 140).map((base) => Number(base.toPrecision(3)));

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y } = axes(host);
  const [line, dots, name] = copies(host);
  /** @param {number} offset @param {number} base */
  const share = (offset, base) => similarity(offset, WIDTH, base) / (WIDTH / 2);
  const place = Number(name.querySelector("text")?.getAttribute("y"));
  const below = place - y(law(1000, 100_000)); // from the end of a line to the foot of its name
  const lowest = y(law(1000, 1000)) + below; // of these places
  const others = OTHERS.map((other) => y(law(1000, other)) + below);
  addSliders(host, { base: { values: BASES, value: 100_000 } }, ({ base }) => {
    line.firstElementChild?.setAttribute("d", path([1, 1000].map((offset) => [x(offset), y(law(offset, base))])));
    dots.querySelectorAll("use").forEach((dot, index) => dot.setAttribute("y", String(y(share(OFFSETS[index], base)))));
    const text = /** @type {Element} */ (name.querySelector("text"));
    text.textContent = `base ${numeral(base)}`;
    text.setAttribute("y", String(free(Math.min(y(law(1000, base)) + below, lowest), others)));
    return `At base ${numeral(base)}, the law takes ${numeral(Math.LN10 / Math.log(base), 2)} of the full similarity for every `
      + `tenfold offset. At offset 100 it leaves ${numeral(law(100, base), 3)}; the exact value is ${numeral(share(100, base), 3)}.`;
  });
}

/**
 * The place next to `place` that no name at the places `others` covers.
 * @param {number} place @param {number[]} others
 */
function free(place, others) {
  const near = others.find((other) => Math.abs(place - other) < ROOM);
  return near === undefined ? place : near + (place < near ? -ROOM : ROOM);
}
