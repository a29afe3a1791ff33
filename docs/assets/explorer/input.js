/**
 * The reader uses controls, buttons and views, or follows links to other states of the page.
 */

import { PAUSE, become, current, drawAll, inside, note, point, say } from "./changes.js";
import { FIELDS, reading } from "./model.js";
import { between, spread } from "./shapes.js";
import {
  CONTROLS, NAMES, PRESETS, valid, changed, fromSearch, python, toSearch, understood,
} from "./state.js";

/** @import { Name } from "./state.js" */
/** @import { Mark } from "./model.js" */
/** @import { View } from "./views.js" */
/** @import { Stage } from "./stages.js" */
/** @import { Explorer } from "./start.js" */

/** @param {Explorer} explorer */
export function listen(explorer) {
  const { host, fields, sliders } = explorer;
  for (const name of NAMES) {
    sliders[name].addEventListener("input", () => slide(explorer, name));
    fields[name].addEventListener("input", () => take(explorer, name, false));
    fields[name].addEventListener("change", () => take(explorer, name, true));
  }
  // A finger that scrolls the page may first move a slider; then the browser cancels the pointer.
  let before = explorer.state;
  const controls = /** @type {Element} */ (host.querySelector(".ex-controls"));
  controls.addEventListener("pointerdown", () => { before = explorer.state; });
  controls.addEventListener("pointercancel", () => { if (explorer.state !== before) become(explorer, before, "scrolling"); });
  host.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button) press(explorer, button);
  });
  document.addEventListener("click", (event) => followLink(explorer, event));
}

/** @param {Explorer} explorer @param {Name} name */
function slide(explorer, name) {
  const { state, sliders: { [name]: slider } } = explorer;
  const { value, slider: place } = CONTROLS[name];
  let at = slider.valueAsNumber;
  const step = Math.sign(at - place(state[name]));
  // Several steps may give the same value: go on to the next value.
  while (step && valid(name, value(at), state) === state[name] && at > Number(slider.min) && at < Number(slider.max)) at += step;
  note(explorer, "");
  become(explorer, changed(state, name, value(at)), name);
}

/**
 * Take the text of a field; while the reader types (not `done`), only if it is a valid value.
 * @param {Explorer} explorer @param {Name} name @param {boolean} done
 */
function take(explorer, name, done) {
  const { state, fields: { [name]: field } } = explorer;
  const { value, note: problem } = understood(name, field.value, state);
  if (problem && !done) return;
  note(explorer, problem);
  if (done) field.value = String(value);
  become(explorer, changed(state, name, value), name);
}

let failures = 0; // browsers cache a failed import, so a retry adds a query string

/** @param {Explorer} explorer @param {HTMLButtonElement} button */
function press(explorer, button) {
  const { state } = explorer;
  const { preset, copy, take } = button.dataset;
  if (preset) {
    note(explorer, "");
    become(explorer, PRESETS[Number(preset)][1], preset);
  }
  if (copy) copied(explorer, button, copy === "python" ? python(state) : location.origin + location.pathname + toSearch(state));
  if (take) {
    drawAll(explorer);
    import(failures ? `./download.js?${failures}` : "./download.js")
      .then((made) => made.download(take, explorer.host, state))
      .catch((error) => {
        failures += 1;
        note(explorer, `Could not make the file: ${error.message}.`);
      });
  }
}

/** @param {Explorer} explorer @param {HTMLButtonElement} button @param {string} text */
async function copied(explorer, button, text) {
  try {
    await navigator.clipboard.writeText(text);
    note(explorer, "");
    say(explorer, "Copied.");
    const name = button.textContent;
    if (name === "Copied") return; // pressed twice
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = name; }, 2000);
  } catch {
    note(explorer, `Could not copy. Copy it by hand: ${text}`);
  }
}

/**
 * A link to another state of this page changes the state without loading the page again. A link with a
 * hash leads to a place on the page; the browser gives it the query of the present address.
 * @param {Explorer} explorer @param {MouseEvent} event
 */
function followLink(explorer, event) {
  const link = /** @type {Element} */ (event.target).closest("a");
  if (!link?.search || link.hash || link.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const { state, notes } = fromSearch(link.search);
  note(explorer, notes.join(" "));
  become(explorer, state, link.search);
  scrollTo({ top: 0, behavior: "instant" });
  explorer.sliders.base.focus({ preventScroll: true });
}

/** @param {Explorer} explorer @param {Stage} stage */
export function answerPointer(explorer, { view, element, size }) {
  /** @param {MouseEvent} event @returns {Mark} */
  const under = ({ clientX, clientY }) => {
    const { left, top } = element.getBoundingClientRect();
    const [position, dimension] = view.at(clientX - left, clientY - top, current(explorer), size);
    return { view, position, dimension };
  };
  let isTap = false;
  /** A mouse or a pen that is down moves p; a finger may be about to scroll. @param {MouseEvent} event */
  const answer = (event) => (event.buttons === 1 && !isTap ? highlight : point)(explorer, under(event));
  element.addEventListener("pointermove", answer);
  element.addEventListener("pointerdown", (event) => {
    isTap = event.pointerType === "touch";
    answer(event);
  });
  element.addEventListener("pointerleave", ({ pointerType }) => { if (pointerType === "mouse") point(explorer, null); });
  element.addEventListener("click", (event) => {
    // A finger can only read the similarity to p where its tap does not move p.
    (isTap && view.across === "position" ? point : highlight)(explorer, under(event));
  });
  element.addEventListener("blur", () => point(explorer, null));
  element.addEventListener("keydown", (event) => pressKey(explorer, view, event));
}

/** @param {Explorer} explorer @param {View} view @param {KeyboardEvent} event */
function pressKey(explorer, view, event) {
  const { mark, state } = explorer;
  const from = mark?.view === view ? mark
    : { view, position: state.position, dimension: view.across === "position" ? -1 : 0 };
  const next = event.key === "Enter" || event.key === " " ? from : moved(view, from, event, state);
  if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (next === from) { highlight(explorer, from); return; }
  point(explorer, next);
  const read = reading(inside(next, state), current(explorer));
  clearTimeout(explorer.telling);
  explorer.telling = setTimeout(() => say(explorer, FIELDS.map((name) => `${name} ${read[name]}`).join(", ")), PAUSE);
}

/** Mark a place, and make its position the highlighted one. @param {Explorer} explorer @param {Mark} mark */
function highlight(explorer, mark) {
  const { state } = explorer;
  if (mark.position === state.position) { point(explorer, mark); return; }
  explorer.mark = mark;
  become(explorer, changed(state, "position", mark.position), "highlight");
}

/**
 * Where a key moves `mark`; null for other keys.
 * @param {View} view
 * @param {Mark} mark
 * @param {KeyboardEvent} event
 * @param {import("./state.js").State} state
 * @returns {Mark | null}
 */
function moved({ across, down, most }, mark, { key, shiftKey }, { d_model: width }) {
  const far = shiftKey ? 10 : 1;
  const sideways = { ArrowLeft: -far, ArrowRight: far, Home: -Infinity, End: Infinity }[key];
  const downward = down && { ArrowUp: -far, ArrowDown: far }[key];
  if (downward) return { ...mark, position: mark.position + downward };
  if (!sideways) return null;
  if (across === "position") return { ...mark, position: mark.position + sideways };
  if (across === "dimension") return { ...mark, dimension: Math.max(0, mark.dimension + sideways) };
  const pairs = spread(width / 2, most);
  const now = pairs.filter(([pair]) => 2 * pair <= mark.dimension).length - 1;
  return { ...mark, dimension: 2 * pairs[between(now + sideways, 0, pairs.length - 1)][0] };
}
