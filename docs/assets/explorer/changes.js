/**
 * Shows a change: the controls at once, with as many of the visible parts as there is time for; the
 * next frames draw the rest. Once the reader pauses, everything is drawn, the state goes into the
 * address, and screen readers hear about it.
 */

import { FIELDS, model, reading, sentence } from "./model.js";
import { CONTROLS, NAMES, fromSearch, limits, toSearch } from "./state.js";
import { ticked } from "./tasks.js";

/** @import { State } from "./state.js" */
/** @import { Mark, Model } from "./model.js" */
/** @import { Explorer, Part } from "./start.js" */

const SHARE = 5; // ms, after which no other part is begun before the next frame, so that the browser has time to lay out and paint
export const PAUSE = 250; // ms without a change
const SAME_MOVE = 1500; // ms within which changes of one control share a step of the history

/** The model of the present state. @param {Explorer} explorer @returns {Model} */
export function current(explorer) {
  return explorer.model = model(explorer.state, explorer.model);
}

/**
 * Fires the event "drawn" on the host once everything in the window shows the state.
 * @param {Explorer} explorer
 * @param {Iterable<Part>} parts
 * @param {number} [share] ms
 */
function draw(explorer, parts, share = Infinity) {
  const began = performance.now();
  const { mark, readings, waiting } = explorer;
  const known = current(explorer);
  showControls(explorer, parts === explorer.parts);
  const read = mark && reading(mark, known);
  for (const name of FIELDS) write(readings[name], read ? read[name] : name === "value" ? "point at a view" : "–");
  for (const part of parts) {
    part.draw(known, mark);
    waiting.delete(part);
    if (performance.now() - began > share) break;
  }
  if (waiting.size) drawSoon(explorer);
  else explorer.host.dispatchEvent(new Event("drawn"));
}

/** @param {Explorer} explorer */
export const drawAll = (explorer) => draw(explorer, explorer.parts);

/** @param {Explorer} explorer */
export const drawVisible = (explorer) => draw(explorer, explorer.visible);

/**
 * Draw in the next frame what waits by then, or in the frame after it if the state is still `drawn`.
 * @param {Explorer} explorer
 * @param {State} [drawn] a state that has had its share of the next frame
 */
function drawSoon(explorer, drawn) {
  explorer.frame ||= requestAnimationFrame(() => {
    explorer.frame = 0;
    if (!explorer.waiting.size) return;
    if (explorer.state === drawn) drawSoon(explorer);
    else draw(explorer, explorer.waiting, SHARE);
  });
}

/**
 * Once the reader pauses, draw everything, each part in a task of its own, so that the next input
 * waits for one part at most; then call `then`.
 * @param {Explorer} explorer
 * @param {() => void} [then]
 */
function settle(explorer, then = () => {}) {
  const parts = [...explorer.parts];
  const next = () => {
    const part = parts.shift();
    if (!part) return then();
    draw(explorer, [part]);
    explorer.pause = setTimeout(next);
  };
  clearTimeout(explorer.pause);
  explorer.pause = setTimeout(() => {
    showControls(explorer, true);
    next();
  }, PAUSE);
}

/**
 * Show the state in the controls.
 * @param {Explorer} explorer
 * @param {boolean} all also where only the limits changed, which can wait until the reader pauses
 */
export function showControls({ state, fields, sliders, displayed }, all) {
  for (const name of NAMES) {
    const [least, most] = limits(name, state);
    const value = String(state[name]);
    const wanted = `${value} ${least} ${most}`;
    if (wanted === displayed[name] || !all && displayed[name]?.startsWith(`${value} `)) continue;
    displayed[name] = wanted;
    const [field, slider] = [fields[name], sliders[name]];
    const { slider: place } = CONTROLS[name];
    if (field.max !== String(most) || field.min !== String(least)) {
      Object.assign(field, { min: least, max: most });
      Object.assign(slider, { min: place(least), max: place(most) });
    }
    if (document.activeElement !== field) field.value = value; // else the reader is typing
    if (slider.valueAsNumber !== place(state[name])) slider.valueAsNumber = place(state[name]);
    slider.setAttribute("aria-valuetext", value);
  }
}

/** Sets only a text that changed, as the browser would lay out the same one again. @param {Element} element @param {string} text */
export function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Draw the views that come into sight or change their width. @param {Explorer} explorer */
export function watch(explorer) {
  const { host, stages, parts, visible, waiting } = explorer;
  const panel = /** @type {HTMLElement} */ (host.querySelector(".ex-panel"));
  /** @type {IntersectionObserver | undefined} */
  let sight;
  const sizes = new ResizeObserver((entries) => {
    let changed = false;
    for (const { target, contentRect } of entries) {
      const resized = stages.find(({ element }) => element === target);
      if (contentRect.width === resized?.size.width) continue;
      resized?.fit(contentRect);
      changed = true;
    }
    if (changed) drawVisible(explorer);
    sight?.disconnect();
    const { top } = getComputedStyle(panel); // "auto" where the panel scrolls; elsewhere it covers views
    sight = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const part = /** @type {Part} */ (parts.find(({ element }) => element === target));
        if (isIntersecting && !visible.has(part)) waiting.add(part);
        visible[isIntersecting ? "add" : "delete"](part);
      }
      drawSoon(explorer);
    }, { rootMargin: `${-parseFloat(top) - panel.offsetHeight || 0}px 0px 0px` });
    for (const { element } of parts) sight.observe(element);
  });
  for (const { element } of stages) sizes.observe(element);
}

/** @param {Explorer} explorer @param {State} state @param {string} by the control or button that the reader used */
export function become(explorer, state, by) {
  explorer.state = state;
  point(explorer, explorer.mark);
  settle(explorer, () => {
    say(explorer, ticked(explorer.model) + sentence(explorer.model));
    record(explorer, by);
  });
}

/** Give the state its address. @param {Explorer} explorer @param {string} by */
function record(explorer, by) {
  const { state, last } = explorer;
  const search = toSearch(state);
  if (search === location.search) return;
  const again = by === last.by && performance.now() - last.at < SAME_MOVE;
  explorer.last = { by, at: performance.now() };
  history[again ? "replaceState" : "pushState"](null, "", location.pathname + search);
}

/** Take the state from the address, and call `then` once it is drawn. @param {Explorer} explorer @param {() => void} [then] */
export function follow(explorer, then) {
  const { state, notes } = fromSearch(location.search);
  Object.assign(explorer, { state, last: { by: "", at: -Infinity } });
  for (const name of NAMES) explorer.fields[name].value = String(state[name]);
  note(explorer, notes.join(" "));
  point(explorer, null);
  settle(explorer, then);
}

/**
 * Mark a place in a view, or none, and draw. Chromium looks for what is under the pointer before it calls for a frame,
 * which lays out the page: drawn at once, it is laid out only once. Further changes wait for the next frame.
 * @param {Explorer} explorer
 * @param {Mark | null} mark
 */
export function point(explorer, mark) {
  const { parts, visible, waiting, frame } = explorer;
  explorer.mark = mark && inside(mark, explorer.state);
  for (const part of parts) if (visible.has(part)) waiting.add(part);
  drawSoon(explorer, explorer.state);
  if (!frame) draw(explorer, waiting, SHARE);
}

/** `mark` moved into the matrix. @param {Mark} mark @param {State} state @returns {Mark} */
export function inside({ view, position, dimension }, { length, d_model: width }) {
  return { view, position: Math.max(0, Math.min(length - 1, position)), dimension: Math.min(width - 1, dimension) };
}

/** Tell screen readers. @param {Explorer} explorer @param {string} text */
export function say({ host }, text) {
  /** @type {Element} */ (host.querySelector(".ex-said")).textContent = text;
}

/** Tell everyone, or remove the last note. @param {Explorer} explorer @param {string} text */
export function note({ host }, text) {
  const element = /** @type {HTMLElement} */ (host.querySelector(".ex-note"));
  if (element.hidden && !text) return;
  element.hidden = !text;
  element.textContent = text;
}
