/**
 * A slider for the length, in the figure that counts the pairs that a text uses.
 */

import { wavelengths } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

const PAIRS = 256;
const LENGTHS = [50, ...powers(2, 8, 24, 128)].sort((a, b) => a - b);

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y, group } = axes(host);
  const waves = wavelengths(2 * PAIRS);
  /** @param {number} longest @returns {number} pairs up to that wavelength */
  const upTo = (longest) => waves.filter((wave) => wave <= longest).length;
  addSliders(host, { length: { values: LENGTHS, value: 512 } }, ({ length }) => {
    const finished = upTo(length);
    const moving = upTo(20 * Math.PI * length); // a tenth of a radian or more
    const at = x(length);
    const side = at < 250 ? 9 : -9;
    const parts = /** @type {[number, number, string, string][]} */ ([
      [0, finished, "finish a turn", 'stroke="var(--fig-2)" stroke-width="6"'],
      [finished, moving, "turn, less than once", 'stroke="var(--fig-2)" stroke-width="2"'],
      [moving, PAIRS, "barely move", 'stroke="currentColor" stroke-width="2" stroke-dasharray="2 2"'],
    ]).filter(([from, to]) => to > from);
    group.innerHTML = parts.map(([from, to, , look]) => `<path d="M${at},${y(from)}V${y(to)}" ${look}/>`).join("")
      + parts.map(([from, to, text]) => `<text x="${at + side}" y="${y((from + to) / 2) + 3}" class="sliders-halo"`
        + `${side < 0 ? ' text-anchor="end"' : ""}>${to - from} ${text}</text>`).join("");
    return `Within ${numeral(length)} steps, ${finished} of the ${PAIRS} pairs at base 10,000 finish a turn. `
      + `${PAIRS - moving} barely move: they turn by less than a tenth of a radian.`;
  });
}
