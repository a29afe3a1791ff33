/**
 * The reader uses controls, buttons, the text and the maps, or goes back in the history.
 */

import { side } from "./maps.js";
import { PAUSE, ask, become, draw, made, point, rest, tell, write } from "./panel.js";
import { showControls } from "./start.js";
import { DEFAULTS, MOST_SEED, fromSearch, shown, spelled, withShuffle } from "./state.js";
import { reading } from "./words.js";

/** @import { Panel } from "./panel.js" */
/** @import { Scaling } from "./encodings.js" */
/** @import { State } from "./state.js" */

/** Begin to answer. @param {HTMLElement} host @param {Panel["controls"]} controls */
export function opened(host, controls) {
  const panel = made(host, controls);
  listen(panel);
  begin(panel);
}

/** @param {Panel} panel */
function listen(panel) {
  const { host, controls: { model, scaling, off, length, text }, part } = panel;
  const [stage, maps, table] = [part(".lm-strip"), part(".lm-maps"), part(".lm-table")];
  model.addEventListener("input", () => change(panel, { model: model.value }, "model"));
  scaling.addEventListener("input", () => change(panel, { scaling: /** @type {Scaling} */ (scaling.value) }, "scaling"));
  off.addEventListener("input", () => change(panel, { off: off.checked }, "off"));
  length.addEventListener("input", () => change(panel, { length: length.valueAsNumber }, "length"));
  text.addEventListener("input", () => take(panel));
  text.addEventListener("change", () => take(panel));
  host.addEventListener("click", ({ target }) => press(panel, /** @type {HTMLElement} */ (target).dataset.press));
  for (const element of [stage, maps]) {
    element.addEventListener("pointermove", (event) => point(panel, under(panel, event)));
    element.addEventListener("pointerdown", (event) => point(panel, under(panel, event)));
    element.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType === "mouse") point(panel, -1); });
  }
  stage.addEventListener("keydown", (event) => pressKey(panel, event));
  stage.addEventListener("blur", () => point(panel, -1));
  table.addEventListener("toggle", () => rest(panel));
  addEventListener("beforeprint", () => draw(panel));
  addEventListener("popstate", () => follow(panel));
}

/** Take the state from the address, and from controls that the reader used while the model's modules loaded. @param {Panel} panel */
function begin(panel) {
  const { model, scaling, off, length, text } = panel.controls;
  const { state, notes } = fromSearch(location.search);
  panel.state = {
    ...state, model: model.value, length: length.valueAsNumber,
    scaling: /** @type {Scaling} */ (scaling.value), off: off.disabled ? state.off : off.checked,
  };
  showControls(panel.controls, panel.state);
  tell(panel, notes.join(" "));
  ask(panel);
  if (text.value !== shown(state) && document.activeElement === text) take(panel);
}

/** Take the state from the address. @param {Panel} panel */
function follow(panel) {
  clearTimeout(panel.pause);
  panel.pause = 0;
  const { state, notes } = fromSearch(location.search);
  Object.assign(panel, { state, marked: -1, last: { by: "", at: -Infinity } });
  panel.controls.text.value = shown(state);
  showControls(panel.controls, state);
  tell(panel, notes.join(" "));
  ask(panel);
}

/** A note about an earlier state would now be false. @param {Panel} panel @param {Partial<State>} changes @param {string} by */
function change(panel, changes, by) {
  tell(panel, "");
  become(panel, changes, by);
}

/** Take the text of the field. @param {Panel} panel */
function take(panel) {
  const { controls: { text: field }, state } = panel;
  const { text, note } = spelled(field.value);
  tell(panel, note);
  if (note) field.value = text;
  if (text !== shown(state)) become(panel, { text, length: text.length }, "text");
}

/** @param {Panel} panel @param {string | undefined} kind of the button */
function press(panel, kind) {
  const { state, known } = panel;
  if (!kind) return;
  tell(panel, "");
  if (kind === "new") become(panel, { text: "", seed: state.seed % MOST_SEED + 1, length: state.length || DEFAULTS.length }, "new");
  if (kind === "reset") become(panel, DEFAULTS, "reset");
  if (kind !== "shuffle" || !state.length) return;
  become(panel, withShuffle(state), `shuffle of ${shown(state)}`, known);
}

/** @param {Panel} panel @param {KeyboardEvent} event */
function pressKey(panel, event) {
  const end = panel.state.length - 1;
  const far = event.shiftKey ? 10 : 1;
  const from = panel.marked < 0 ? end : panel.marked;
  const next = { ArrowLeft: from - far, ArrowRight: from + far, Home: 0, End: end }[event.key];
  if (next === undefined || end < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  point(panel, Math.max(0, Math.min(end, next)));
  clearTimeout(panel.telling);
  panel.telling = setTimeout(() => {
    if (panel.known) write(panel, ".lm-said", reading(panel.known, Math.min(panel.marked, panel.known.tokens.length - 1)));
  }, PAUSE);
}

/** The position under the pointer, or -1. @param {Panel} panel @param {PointerEvent} event */
function under({ state: { length } }, { target, clientY }) {
  const element = /** @type {HTMLElement} */ (target);
  const cell = /** @type {HTMLElement | null} */ (element.closest("[data-place]"));
  if (cell) return Number(cell.dataset.place);
  const frame = element.closest(".lm-frame");
  if (!frame) return -1;
  const { top, height } = frame.getBoundingClientRect();
  return Math.max(0, Math.min(length - 1, Math.floor((clientY - top) / height * side(length))));
}
