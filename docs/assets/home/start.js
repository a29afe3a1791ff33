/**
 * The matrix on Home: the reader points at a number, or moves to it with the keys, and reads it.
 */

import { encode, wavelengths } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";

const LENGTH = 50;
const D_MODEL = 128;

/**
 * Where a key leads from `cell`; undefined for other keys.
 * @param {number[]} cell position and dimension
 * @param {KeyboardEvent} event
 */
function moved([position, dimension], { key, shiftKey }) {
  const far = shiftKey ? 10 : 1;
  return {
    ArrowUp: [position - far, dimension], ArrowDown: [position + far, dimension],
    ArrowLeft: [position, dimension - far], ArrowRight: [position, dimension + far],
    Home: [position, 0], End: [position, D_MODEL - 1],
  }[key];
}

/** @param {number} value @param {number} count */
const within = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));

/** @param {number} position @param {number} dimension */
function sentence(position, dimension) {
  const pair = Math.floor(dimension / 2);
  const turn = numeral(wavelengths(D_MODEL)[pair], 2);
  const value = numeral(encode(position, D_MODEL)[dimension], 4);
  const kind = dimension % 2 ? "cosine" : "sine";
  return Object.entries({
    position, dimension: `${dimension}, the ${kind} of clock ${pair}`, wavelength: `${turn} positions`, value,
  }).map(([label, words]) => `<span><b>${label}</b> ${words}</span>`).join(" ");
}

/**
 * Make the picture in `host` answer.
 * @param {HTMLElement} host
 */
export function start(host) {
  const picture = /** @type {HTMLElement} */ (host.querySelector(".hero-picture"));
  const reading = /** @type {HTMLElement} */ (host.querySelector(".hero-reading"));
  const still = reading.innerHTML;
  const mark = document.createElement("i");
  /** @type {number[] | null} */
  let cell = null;

  /** @param {number[] | null} to @param {"polite" | "off"} live whether screen readers hear of it */
  function read(to, live) {
    if (!to && !cell) return; // or a number of the caption would lose the focus
    cell = to && [within(to[0], LENGTH), within(to[1], D_MODEL)];
    mark.hidden = !cell;
    reading.setAttribute("aria-live", live);
    reading.innerHTML = cell ? sentence(cell[0], cell[1]) : still;
    if (cell) Object.assign(mark.style, { top: `${cell[0] * 100 / LENGTH}%`, left: `${cell[1] * 100 / D_MODEL}%` });
  }

  /** @param {PointerEvent} event */
  function point({ clientX, clientY }) {
    const { left, top, width, height } = picture.getBoundingClientRect();
    read([(clientY - top) * LENGTH / height, (clientX - left) * D_MODEL / width], "off");
  }

  picture.append(mark);
  mark.hidden = true;
  picture.tabIndex = 0;
  picture.setAttribute("role", "application");
  picture.setAttribute("aria-label", "The encoding matrix; the arrow keys read its numbers");
  picture.addEventListener("pointermove", point);
  picture.addEventListener("pointerdown", point);
  picture.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType === "mouse") read(null, "off"); });
  picture.addEventListener("blur", () => read(null, "off"));
  picture.addEventListener("keydown", (event) => {
    const next = moved(cell ?? [-1, 0], event);
    if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    read(next, "polite");
  });
}
