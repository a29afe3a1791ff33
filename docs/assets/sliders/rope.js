/**
 * Sliders for the position of a key and the offset of the query, in the figure of a head's pairs.
 */

import { frequencies } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies, path } from "./drawing.js";
import { addSliders, range } from "./panel.js";

const KEY = [[-0.3, 0.7], [0.5, 0.6], [0.8, -0.3], [0.2, 0.7]]; // the query is [1, 0] in each pair
const APART = 2.6; // from one dial to the next

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y } = axes(host);
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
      const between = Math.atan2(Math.sin(asks - answers), Math.cos(asks - answers));
      /** @param {number} angle @param {number} reach @returns {[number, number]} */
      const point = (angle, reach) => [x(APART * pair + reach * Math.sin(angle)), y(reach * Math.cos(angle))];
      const centre = point(0, 0);
      /** @param {number} angle @param {number} reach */
      const arrow = (angle, reach) => {
        const [tip, left, right] = [0, -0.14, 0.14].map((turn) => point(angle + turn, reach * (turn ? 0.8 : 1)));
        return path([centre, tip, left, tip, right]);
      };
      const shade = path([centre, ...range(0, 20).map((step) => point(answers + between * step / 20, 0.5))]);
      [`${shade}z`, `${shade}L${centre}`, arrow(asks, 1), arrow(answers, length)].forEach((drawn, index) => {
        const place = index ? KEY.length + 3 * pair + index - 1 : pair;
        parts[place].querySelector("path")?.setAttribute("d", drawn);
      });
      return length * Math.cos(between);
    });
    const said = [...products, products.reduce((sum, product) => sum + product)].map((value) => numeral(value, 2));
    said.forEach((value, index) => {
      /** @type {Element} */ (parts[4 * KEY.length + index].querySelector("text")).textContent = value;
    });
    return `With the query at p = ${key + offset} and the key at q = ${key}, the products are `
      + `${said.slice(0, 3).join(", ")} and ${said[3]}. The score is ${said[4]}.`;
  });
}
