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
  const parts = copies(host);
  const texts = parts.filter((part) => part.textContent);
  const outlines = parts.filter((part) => !part.textContent);
  const speeds = [...frequencies(2 * KEY.length)];
  const lengths = KEY.map((pair) => Math.hypot(...pair));
  const starts = KEY.map(([first, second]) => Math.atan2(second, first));

  addSliders(host, {
    key: { values: range(0, 200), value: 2 },
    offset: { values: range(0, 60), value: 3 },
  }, ({ key, offset }) => {
    const products = speeds.map((speed, pair) => {
      const [asks, answers] = [speed * (key + offset), speed * key + starts[pair]];
      const between = Math.atan2(Math.sin(asks - answers), Math.cos(asks - answers));
      /** @param {number} angle @param {number} reach @returns {[number, number]} */
      const point = (angle, reach) => [x(APART * pair + reach * Math.sin(angle)), y(reach * Math.cos(angle))];
      const centre = point(0, 0);
      const wedge = range(0, 60).map((step) => point(answers + between * step / 60, 0.5));
      /** @param {number} angle @param {number} length */
      const arrow = (angle, length) => {
        const [tip, left, right] = [point(angle, length), point(angle - 0.14, 0.8 * length), point(angle + 0.14, 0.8 * length)];
        return path([centre, tip, left, tip, right]);
      };
      const shade = path([centre, ...wedge]);
      const drawn = [`${shade}z`, `${shade}L${centre}`, arrow(asks, 1), arrow(answers, lengths[pair])];
      [pair, ...range(0, 2).map((part) => KEY.length + 3 * pair + part)].forEach((place, index) => {
        outlines[place].querySelector("path")?.setAttribute("d", drawn[index]);
      });
      return lengths[pair] * Math.cos(between);
    });
    const score = products.reduce((sum, product) => sum + product);
    [...products, score].forEach((value, index) => {
      /** @type {Element} */ (texts[index].querySelector("text")).textContent = numeral(value, 2);
    });
    return `With the query at p = ${numeral(key + offset)} and the key at q = ${numeral(key)}, the products are `
      + `${products.slice(0, -1).map((value) => numeral(value, 2)).join(", ")} and ${numeral(products[3], 2)}. The score is ${numeral(score, 2)}.`;
  });
}
