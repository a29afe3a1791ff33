/**
 * Sliders under a static figure, and a sentence that describes their result.
 *
 * The page has the panel with a label for each slider, so that nothing moves when this file comes.
 * The static drawing stays as it is: sliders draw copies next to it, and CSS shows the one or the
 * other. So print, the plot and the Reset button have the static one.
 */

/** @typedef {{ values: number[], value: number }} Control steps, and the value in the static figure */
/** @typedef {Record<string, number>} State values by name of the control */

import { numeral } from "../maths/numerals.js";

const SETTLED = 400; // ms without a change, after which screen readers hear the sentence

/**
 * Start the sliders in `host`.
 * @param {HTMLElement} host
 * @param {Record<string, Control>} controls in the order of their labels
 * @param {(state: State) => string} draw draws the state and returns the sentence
 * @param {string} [more] HTML between sliders and sentence
 */
export function addSliders(host, controls, draw, more = "") {
  const names = Object.keys(controls);
  const stages = host.querySelectorAll(".pf-stage");
  const panel = /** @type {HTMLElement} */ (host.querySelector(".sliders-panel"));
  /** @template {Element} [T=HTMLElement] @param {string} selector @returns {T} */
  const one = (selector) => /** @type {T} */ (panel.querySelector(selector));
  panel.querySelectorAll(".sliders-control").forEach((control, index) => {
    const [label, slider] = /** @type {[HTMLLabelElement, HTMLInputElement, ...unknown[]]} */ ([...control.children]);
    label.htmlFor = slider.id = `slider-${names[index]}`;
    slider.max = String(controls[names[index]].values.length - 1);
  });
  one(".sliders-sentence").insertAdjacentHTML("beforebegin", more);
  /** @type {State} */
  const state = {};
  let frame = 0;
  let announcing = 0;
  /** @type {[State, boolean]} the state, and whether it was moved, when a pointer goes down */
  let before = [state, false];

  /** @param {string} name @param {number} step */
  function set(name, step) {
    /** @type {HTMLInputElement} */
    const slider = one(`#slider-${name}`);
    state[name] = controls[name].values[step];
    const text = numeral(state[name], state[name] % 1 ? 1 : 0);
    slider.value = String(step);
    slider.setAttribute("aria-valuetext", text);
    /** @type {Element} */ (slider.nextElementSibling).textContent = text;
  }

  /** @param {(name: string) => number} value @param {boolean} moved */
  function become(value, moved) {
    for (const name of names) set(name, controls[name].values.indexOf(value(name)));
    show(moved);
  }

  const reset = () => become((name) => controls[name].value, false);

  function redraw() {
    frame = 0;
    one(".sliders-sentence").textContent = draw(state);
  }

  /** @param {boolean} moved whether to show the copies instead of the static drawing */
  function show(moved) {
    for (const stage of stages) stage.classList.toggle("is-moved", moved);
    frame ||= requestAnimationFrame(redraw);
    clearTimeout(announcing);
    announcing = setTimeout(() => { one(".sliders-status").textContent = one(".sliders-sentence").textContent; }, SETTLED);
  }

  panel.addEventListener("input", ({ target }) => {
    const slider = /** @type {HTMLInputElement} */ (target);
    set(slider.id.slice("slider-".length), slider.valueAsNumber);
    show(true);
  });
  panel.addEventListener("pointerdown", () => { before = [{ ...state }, stages[0].classList.contains("is-moved")]; });
  panel.addEventListener("pointercancel", () => become((name) => before[0][name], before[1])); // the finger scrolls the page instead
  one(":scope > button").addEventListener("click", reset);
  reset();
  cancelAnimationFrame(frame);
  clearTimeout(announcing); // a screen reader reads the page in its own order first
  redraw();
  panel.classList.add("is-ready");
}

/**
 * Whole numbers from `ratio ** (first / count)` to `ratio ** (last / count)`, without repeats.
 * @param {number} ratio
 * @param {number} count steps from a value to `ratio` times that value
 * @param {number} first @param {number} last
 */
export function powers(ratio, count, first, last) {
  return [...new Set(Array.from({ length: last - first + 1 }, (_, step) => Math.round(ratio ** ((first + step) / count))))];
}

/** Evenly spaced values. @param {number} least @param {number} most @param {number} [by] */
export function range(least, most, by = 1) {
  return Array.from({ length: (most - least) / by + 1 }, (_, step) => least + step * by);
}
