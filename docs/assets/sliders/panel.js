/**
 * Figures that readers drive: sliders under a static figure, and a sentence that says what is seen.
 *
 * What answers is drawn beside the published drawing, never into it: CSS shows the one or the
 * other, so that print, the plot and the reset have the published one.
 * @module sliders/panel
 */

/** @typedef {{ text: string, values: number[], value: number }} Control its name, its steps, and the published one */
/** @typedef {Record<string, number>} State values by the controls' names */

import { shown } from "../maths/numerals.js";

const SETTLED = 400; // ms after which the sentence is read out

/**
 * Let the figures in `host` answer to `controls`; the result stops it.
 * @param {HTMLElement} host
 * @param {Record<string, Control>} controls
 * @param {(state: State) => string} draw gives back the sentence
 * @param {string} [more] what stands between sliders and sentence
 * @returns {() => void}
 */
export function answering(host, controls, draw, more = "") {
  const names = Object.keys(controls);
  const stages = host.querySelectorAll(".pf-stage");
  const panel = document.createElement("div");
  panel.className = "sliders-panel";
  panel.innerHTML = names.map((name) => `<div class="sliders-control"><label for="slider-${name}">${controls[name].text}</label>
<input id="slider-${name}" type="range" max="${controls[name].values.length - 1}"><span></span></div>`).join("")
    + `${more}<div class="sliders-sentence"></div><button type="button">Reset</button><div class="sliders-status" role="status"></div>`;
  /** @template {Element} [T=HTMLElement] @param {string} selector @returns {T} */
  const one = (selector) => /** @type {T} */ (panel.querySelector(selector));
  /** @type {State} */
  const state = {};
  let frame = 0;
  let telling = 0;
  /** @type {[State, boolean]} what a finger finds */
  let found = [state, false];

  /** @param {string} name @param {number} step */
  function set(name, step) {
    /** @type {HTMLInputElement} */
    const slider = one(`#slider-${name}`);
    state[name] = controls[name].values[step];
    const text = shown(state[name], state[name] % 1 ? 1 : 0);
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

  function say() {
    frame = 0;
    one(".sliders-sentence").textContent = draw(state);
  }

  /** @param {boolean} moved away from what is published */
  function show(moved) {
    for (const stage of stages) stage.classList.toggle("is-moved", moved);
    frame ||= requestAnimationFrame(say);
    clearTimeout(telling);
    telling = setTimeout(() => { one(".sliders-status").textContent = one(".sliders-sentence").textContent; }, SETTLED);
  }

  panel.addEventListener("input", ({ target }) => {
    const slider = /** @type {HTMLInputElement} */ (target);
    set(slider.id.slice("slider-".length), slider.valueAsNumber);
    show(true);
  });
  panel.addEventListener("pointerdown", () => { found = [{ ...state }, stages[0].classList.contains("is-moved")]; });
  panel.addEventListener("pointercancel", () => become((name) => found[0][name], found[1])); // the finger scrolls
  one("button").addEventListener("click", reset);
  stages[0].after(panel);
  reset();
  cancelAnimationFrame(frame);
  clearTimeout(telling); // what has just come is not news
  say();
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(telling);
    for (const part of [panel, ...host.querySelectorAll(".redrawing")]) part.remove(); // the theme may hold on to the page
  };
}

/**
 * Values from `ratio ** (first / count)` to `ratio ** (last / count)`, each once.
 * @param {number} ratio
 * @param {number} count of steps from a value to `ratio` times it
 * @param {number} first @param {number} last
 */
export function powers(ratio, count, first, last) {
  return [...new Set(Array.from({ length: last - first + 1 }, (_, step) => Math.round(ratio ** ((first + step) / count))))];
}

/**
 * Whole numbers, or halves and so on.
 * @param {number} least @param {number} most
 * @param {number} [by]
 */
export function every(least, most, by = 1) {
  return Array.from({ length: (most - least) / by + 1 }, (_, step) => least + step * by);
}
