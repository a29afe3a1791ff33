/**
 * The matrix as the trace of clocks: the reader moves through the places, and the hands turn.
 */

import { dial, pairColor } from "../clocks/dial.js";
import { frequencies } from "../maths/encoding.js";

const PAIRS = [4, 12, 20, 28, 36, 44, 52, 60]; // each in the middle of an eighth of the columns

/** @param {HTMLElement} host */
export function start(host) {
  const [row, picture, control] = /** @type {HTMLElement[]} */ ([...host.children]);
  const range = /** @type {HTMLInputElement} */ (control.querySelector("input"));
  const said = /** @type {HTMLElement} */ (control.querySelector("span"));
  const speeds = frequencies(128);
  const clocks = PAIRS.map((pair, index) => dial({ name: `Clock ${pair}`, color: pairColor(index, PAIRS.length) }));
  row.append(...clocks.map(({ element }) => element));

  function show() {
    const place = Number(range.value);
    said.textContent = range.value;
    picture.style.setProperty("--rows", String(place + 1));
    clocks.forEach(({ update }, index) => update({ angle: place * speeds[PAIRS[index]], trace: 4 * speeds[PAIRS[index]] }));
  }

  range.addEventListener("input", show);
  picture.addEventListener("pointermove", ({ clientY }) => {
    const { top, height } = picture.getBoundingClientRect();
    range.value = String(Math.floor((clientY - top) * 50 / height));
    show();
  });
  show();
}
