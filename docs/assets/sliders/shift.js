/**
 * Sliders for position and offset: the hands of two walls, the angles between them, and the matrix.
 */

import { frequencies } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { shiftMatrix } from "../maths/rotation.js";
import { SIGNED } from "../maths/signed.js";
import { axes, copies, path } from "./drawing.js";
import { paint } from "./heatmap.js";
import { addSliders, range } from "./panel.js";

const WIDTH = 8;
const PAIRS = range(0, WIDTH / 2 - 1);
const [ACROSS, DOWN] = [3, -2.3]; // from wall to wall, and from pair to pair, in radii
const STEPS = range(0, 60); // along the arc of a wedge

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y } = axes(host);
  const parts = copies(host);
  const clocks = 2 * PAIRS.length;
  const [shades, wedges, hands] = [[0, 1], [1, 2], [2, 4]].map(([from, to]) => parts.slice(from * clocks, to * clocks));
  const [image, ...texts] = [parts.find((part) => part.matches("image")), ...parts.filter((part) => part.textContent)];
  const speeds = frequencies(WIDTH);

  /** The points at these angles, clockwise from the top. @param {number} wall @param {number} pair @param {number[]} angles @param {number} radius */
  const points = (wall, pair, angles, radius) => angles.map((angle) => /** @type {[number, number]} */ (
    [x(ACROSS * wall + radius * Math.sin(angle)), y(DOWN * pair + radius * Math.cos(angle))]));
  /** @param {Element} part @param {string} d */
  const draw = (part, d) => part.firstElementChild?.setAttribute("d", d);

  addSliders(host, {
    position: { values: range(0, 50), value: 20 },
    offset: { values: range(-10, 10), value: 3 },
  }, ({ position, offset }) => {
    [0, position].forEach((p, wall) => PAIRS.forEach((pair) => {
      const clock = PAIRS.length * wall + pair;
      const [first, turn] = [p * speeds[pair], offset * speeds[pair] % (2 * Math.PI)];
      const centre = points(wall, pair, [0], 0);
      const wedge = [...centre, ...points(wall, pair, STEPS.map((step) => first + turn * step / 60), 0.8)];
      draw(shades[clock], `${path(wedge)}z`);
      draw(wedges[clock], path([...wedge, ...centre]));
      [first, first + turn].forEach((angle, hand) => draw(hands[2 * clock + hand], path([...centre, ...points(wall, pair, [angle], 1)])));
    }));
    paint(/** @type {Element} */ (image), shiftMatrix(offset, WIDTH), WIDTH, SIGNED, -1);
    const [at, there] = [numeral(position), numeral(position + offset)];
    const words = ["p = 0", `p + k = ${numeral(offset)}`, `p = ${at}`, `p + k = ${there}`, `M for k = ${numeral(offset)}`];
    texts.forEach((text, index) => { /** @type {Element} */ (text.firstElementChild).textContent = words[index]; });
    const turns = [...speeds].map((speed) => numeral(speed * offset, 3));
    return `From position ${at} to ${there} the hands turn by ${turns.slice(0, 3).join(", ")} and ${turns[3]} radians, as from 0 to ${numeral(offset)}.`;
  });
}
