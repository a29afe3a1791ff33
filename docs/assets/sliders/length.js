/**
 * A slider for the length, in the figure of the clocks above a ruler.
 */

import { wavelengths } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies, path } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

const PAIRS = 256;
const EACH = 32; // pairs from one drawn clock to the next
const [RADIUS, HEIGHT, BAR, START] = [0.21, 0.5, 0.1, 0.55]; // as in scripts/figures/pairs_within_length.py
const POINTS = 60;
const LENGTHS = [50, ...powers(2, 8, 24, 128)].sort((a, b) => a - b);

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y } = axes(host);
  const parts = copies(host);
  const waves = wavelengths(2 * PAIRS);
  const drawn = waves.filter((_, pair) => pair % EACH === 0);
  /** @param {number} longest @returns {number} pairs up to that wavelength */
  const upTo = (longest) => waves.filter((wave) => wave <= longest).length;
  /** @param {number} part @param {[number, number][]} points in tenfold lengths */
  const draw = (part, points) => parts[part].querySelector("path")
    ?.setAttribute("d", path(points.map(([across, up]) => [x(across), y(up)])));

  addSliders(host, { length: { values: LENGTHS, value: 512 } }, ({ length }) => {
    drawn.forEach((wave, k) => {
      const [centre, angle] = [Math.log10(wave), 2 * Math.PI * length / wave];
      /** @param {number} turned @returns {[number, number]} */
      const point = (turned) => [centre + RADIUS * Math.sin(turned), HEIGHT + RADIUS * Math.cos(turned)];
      const way = Math.min(angle, 2 * Math.PI) / POINTS;
      draw(k, Array.from({ length: POINTS + 1 }, (_, step) => point(way * step)));
      draw(drawn.length + k, [[centre, HEIGHT], point(angle)]);
    });
    draw(2 * drawn.length, [[START, BAR], [Math.log10(length), BAR]]);
    /** @type {Element} */ (parts[2 * drawn.length + 1].querySelector("text")).textContent = `a text of ${numeral(length)} steps`;
    const barely = PAIRS - upTo(20 * Math.PI * length);
    return `Within ${numeral(length)} steps, ${upTo(length)} of the ${PAIRS} pairs at base 10,000 finish a turn. `
      + `${barely} barely move: they turn by less than a tenth of a radian.`;
  });
}
