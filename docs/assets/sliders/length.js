/**
 * A slider for the length, in the figure of the clocks above a ruler.
 */

import { TURN, arc, hand } from "../clocks/outlines.js";
import { wavelengths } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

const PAIRS = 256;
const EACH = 32; // pairs from one drawn clock to the next
const [RADIUS, HEIGHT, BAR, START] = [0.21, 0.5, 0.1, 0.55]; // as in scripts/figures/pairs_within_length.py
const LENGTHS = [50, ...powers(2, 8, 24, 128)].sort((a, b) => a - b);

/** @param {HTMLElement} host */
export function start(host) {
  const { draw } = axes(host);
  const parts = copies(host);
  const waves = wavelengths(2 * PAIRS);
  const drawn = waves.filter((_, pair) => pair % EACH === 0);
  /** @param {number} longest @returns {number} pairs up to that wavelength */
  const upTo = (longest) => waves.filter((wave) => wave <= longest).length;

  addSliders(host, { length: { values: LENGTHS, value: 512 } }, ({ length }) => {
    drawn.forEach((wave, k) => {
      const angle = TURN * length / wave;
      draw(parts[k], arc(0, Math.min(angle, TURN), RADIUS), Math.log10(wave), HEIGHT);
      draw(parts[drawn.length + k], hand(angle, RADIUS), Math.log10(wave), HEIGHT);
    });
    draw(parts[2 * drawn.length], [[START, BAR], [Math.log10(length), BAR]]);
    /** @type {Element} */ (parts[2 * drawn.length + 1].querySelector("text")).textContent = `a text of ${numeral(length)} steps`;
    const barely = PAIRS - upTo(20 * Math.PI * length);
    return `Within ${numeral(length)} steps, ${upTo(length)} of the ${PAIRS} pairs at base 10,000 finish a turn. `
      + `${barely} barely move: they turn by less than a tenth of a radian.`;
  });
}
