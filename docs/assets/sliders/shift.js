/**
 * Sliders for position and offset: the hands of two walls, the angles between them, and the matrix.
 */

import { hand, wedge } from "../clocks/outlines.js";
import { frequencies } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { shiftMatrix } from "../maths/rotation.js";
import { SIGNED } from "../maths/signed.js";
import { axes, copies } from "./drawing.js";
import { paint } from "./heatmap.js";
import { addSliders, range } from "./panel.js";

const WIDTH = 8;
const PAIRS = range(0, WIDTH / 2 - 1);
const [ACROSS, DOWN] = [3, -2.3]; // from wall to wall, and from pair to pair, in radii

/** @param {HTMLElement} host */
export function start(host) {
  const { draw } = axes(host);
  const parts = copies(host);
  const clocks = 2 * PAIRS.length;
  const [shades, wedges, hands] = [[0, 1], [1, 2], [2, 4]].map(([from, to]) => parts.slice(from * clocks, to * clocks));
  const [image, ...texts] = [parts.find((part) => part.matches("image")), ...parts.filter((part) => part.textContent)];
  const speeds = frequencies(WIDTH);

  addSliders(host, {
    position: { values: range(0, 50), value: 20 },
    offset: { values: range(-10, 10), value: 3 },
  }, ({ position, offset }) => {
    [0, position].forEach((p, wall) => PAIRS.forEach((pair) => {
      const clock = PAIRS.length * wall + pair;
      const [first, turn] = [p * speeds[pair], offset * speeds[pair] % (2 * Math.PI)];
      const edge = wedge(first, first + turn, 0.8);
      draw(shades[clock], edge.slice(0, -1), ACROSS * wall, DOWN * pair);
      draw(wedges[clock], edge, ACROSS * wall, DOWN * pair);
      [first, first + turn].forEach((angle, which) => draw(hands[2 * clock + which], hand(angle), ACROSS * wall, DOWN * pair));
    }));
    paint(/** @type {Element} */ (image), shiftMatrix(offset, WIDTH), WIDTH, SIGNED, -1);
    const [at, there] = [numeral(position), numeral(position + offset)];
    const words = ["p = 0", `p + k = ${numeral(offset)}`, `p = ${at}`, `p + k = ${there}`, `M for k = ${numeral(offset)}`];
    texts.forEach((text, index) => { /** @type {Element} */ (text.firstElementChild).textContent = words[index]; });
    const turns = [...speeds].map((speed) => numeral(speed * offset, 3));
    return `From position ${at} to ${there} the hands turn by ${turns.slice(0, 3).join(", ")} and ${turns[3]} radians, as from 0 to ${numeral(offset)}.`;
  });
}
