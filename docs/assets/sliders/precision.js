/**
 * A slider for the position, in the figure of rounding errors.
 */

import { rough } from "../maths/errors.js";
import { numeral } from "../maths/numerals.js";
import { FORMATS, precisionError } from "../maths/precision.js";
import { axes } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

const WIDTH = 64;

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y, group } = axes(host);
  const names = Object.keys(FORMATS);
  const values = powers(10, 40, 0, 190);
  addSliders(host, { position: { values, value: 562 } }, ({ position }) => {
    const [low, last] = [false, true].map((castLast) => names.map((name) => precisionError(position, WIDTH, FORMATS[name], castLast)));
    const at = x(position);
    const ring = (/** @type {number} */ error, /** @type {number} */ k, /** @type {string} */ fill) => (error
      ? `<circle cx="${at}" cy="${y(error)}" r="4" stroke="var(--fig-${k + 1})" stroke-width="1.5" fill="${fill}"/>` : "");
    group.innerHTML = `<path d="M${at},${y(5)}V${y(8e-9)}" stroke="currentColor" stroke-width=".7"/>`
      + low.map((error, k) => ring(error, k, `var(--fig-${k + 1})`)).join("")
      + last.map((error, k) => ring(error, k, "var(--md-default-bg-color)")).join("");
    const said = low.map((error, k) => `${rough(error)} in ${names[k]}`).join(", ");
    return `At position ${numeral(position)} the largest error is ${said}. `
      + `Cast last, it is ${last.map(rough).join(", ")}.`;
  });
}
