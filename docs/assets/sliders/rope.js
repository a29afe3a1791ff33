/**
 * Sliders for the position of a key and the offset of the query, in the figure of a head's pairs.
 */

import { arrow, between, wedge } from "../clocks/outlines.js";
import { frequencies } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies } from "./drawing.js";
import { addSliders, range } from "./panel.js";

const KEY = [[-0.3, 0.7], [0.5, 0.6], [0.8, -0.3], [0.2, 0.7]]; // the query is [1, 0] in each pair
const APART = 2.6; // from one dial to the next

/** @param {HTMLElement} host */
export function start(host) {
  const { draw } = axes(host);
  const parts = copies(host); // the shades, then wedge, query and key of each pair, then the texts
  const speeds = [...frequencies(2 * KEY.length)];

  addSliders(host, {
    key: { values: range(0, 200), value: 2 },
    offset: { values: range(0, 60), value: 3 },
  }, ({ key, offset }) => {
    const products = speeds.map((speed, pair) => {
      const [first, second] = KEY[pair];
      const length = Math.hypot(first, second);
      const [asks, answers] = [speed * (key + offset), speed * key + Math.atan2(second, first)];
      const gap = between(answers, asks);
      const edge = wedge(answers, answers + gap, 0.5, 20);
      draw(parts[pair], edge.slice(0, -1), APART * pair);
      [edge, arrow(asks), arrow(answers, length)].forEach((outline, index) => draw(parts[KEY.length + 3 * pair + index], outline, APART * pair));
      return length * Math.cos(gap);
    });
    const said = [...products, products.reduce((sum, product) => sum + product)].map((value) => numeral(value, 2));
    said.forEach((value, index) => {
      /** @type {Element} */ (parts[4 * KEY.length + index].querySelector("text")).textContent = value;
    });
    return `With the query at p = ${key + offset} and the key at q = ${key}, the products are `
      + `${said.slice(0, 3).join(", ")} and ${said[3]}. The score is ${said[4]}.`;
  });
}
