/**
 * Shows what the model says. The worker answers for a new text; a few more letters, or fewer, take so
 * little time that the page computes them itself, and draws them in the frame of the reader's move.
 *
 * Once the reader pauses, the state goes into the address, and screen readers hear about it.
 */

import { BACK, outcome, unknown } from "./outcome.js";
import { maps } from "./maps.js";
import { showControls, showText } from "./start.js";
import { DEFAULTS, MODELS, toSearch } from "./state.js";
import { strip } from "./strip.js";
import { setText } from "../site/text.js";
import { compared, reading, rows, summary } from "./words.js";

/** @import { State } from "./state.js" */
/** @import { Controls } from "./start.js" */
/** @import { Outcome } from "./outcome.js" */
/** @import { Model } from "./weights.js" */
/** @import { Answer } from "./worker.js" */
/** @typedef {(outcome: Outcome, marked: number) => void} Draw */
/**
 * @typedef {object} Panel
 * @property {HTMLElement} host
 * @property {Controls} controls
 * @property {<E extends HTMLElement>(selector: string) => E} part
 * @property {Draw[]} drawings the cells, the maps, and the words
 * @property {State} state
 * @property {Worker | null} worker
 * @property {number} asked how many questions there have been
 * @property {number} answered the last question that was answered
 * @property {Outcome | null} known the last answer, perhaps to an earlier state
 * @property {Map<string, Model>} models that have answered
 * @property {Outcome | null} before the answer before a shuffle, until the next one has come
 * @property {number} marked position, or -1 for the last one
 * @property {number} frame requested animation frame, or 0
 * @property {boolean} isStale whether that frame must draw
 * @property {number} pause timer until the reader has paused, or 0
 * @property {number} telling timer until a marked position is read out
 * @property {{ by: string, at: number }} last step of the history
 */

export const PAUSE = 250; // ms without a change
const FEW = 4; // positions that the page computes itself
const SAME_MOVE = 1500; // ms within which changes of one control share a step of the history

const HEADINGS = ["position", "letter", `${BACK} back`, "answer", "probability", "verdict"];

const ANSWERS = `
<div class="lm-strip" tabindex="0" role="application" aria-label="Letters and answers by position" aria-describedby="lm-keys">
<div aria-hidden="true"><div class="lm-title">As long as in training</div><div class="lm-grid"></div></div>
<div aria-hidden="true" class="lm-beyond" hidden><div class="lm-title">Beyond the trained length</div><div class="lm-grid"></div></div></div>`;

const MORE = `
<div class="lm-maps"></div>
<p class="lm-reading"></p>
<p class="lm-scale"><span>weight 0</span><span></span><span>1</span>. Each row of a map is a position that asks, and each column one that it looks at. The dashed square is the trained length.</p>
<p class="lm-keys" id="lm-keys">In the strip, the text stands above and the model’s answers below, wrong ones struck through; the longer a bar, the surer the answer. Point at a position, or focus the text and press the arrow keys.</p>
<details class="lm-table"><summary>All positions as a table</summary><div class="table-scroll" tabindex="0" role="region" aria-label="All positions"><table class="lm-positions"><thead><tr>${HEADINGS.map((text) => `<th scope="col">${text}</th>`).join("")}</tr></thead><tbody></tbody></table></div></details>`;

/** A panel in `host` that shows nothing yet. @param {HTMLElement} host @param {Controls} controls @returns {Panel} */
export function made(host, controls) {
  /** @type {Panel["part"]} */
  const part = (selector) => /** @type {any} */ (host.querySelector(selector));
  part(".lm-outcome").innerHTML = ANSWERS;
  part(".lm-more").innerHTML = MORE;
  const [within, beyond] = /** @type {HTMLElement[]} */ ([...host.querySelectorAll(".lm-strip .lm-grid")]);
  /** @type {Panel} */
  const panel = {
    host, controls, part,
    drawings: [],
    state: DEFAULTS, marked: -1,
    worker: null, asked: 0, answered: 0, known: null, models: new Map(), before: null,
    frame: 0, isStale: false, pause: 0, telling: 0, last: { by: "", at: -Infinity },
  };
  panel.drawings.push(strip(within, beyond), maps(part(".lm-maps")), (known, place) => words(panel, known, place));
  return panel;
}

/** @param {Panel} panel @param {string} selector @param {string} text */
export const write = ({ part }, selector, text) => setText(part(selector), text);

/** Tell the reader, or remove the last note. @param {Panel} panel @param {string} text */
export function tell(panel, text) {
  panel.part(".lm-note").hidden = !text;
  write(panel, ".lm-note", text);
}

/** The worker; the first call starts it. @param {Panel} panel */
function ready(panel) {
  if (panel.worker) return panel.worker;
  const worker = panel.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => answered(panel, data));
  worker.addEventListener("error", (event) => fail(panel, event));
  return worker;
}

/** Ask what the model says of the state. @param {Panel} panel */
export function ask(panel) {
  const { state, models, known } = panel;
  const model = models.get(state.model);
  const isWaiting = panel.answered < panel.asked;
  const id = panel.asked += 1;
  if (model && known && !isWaiting && unknown(state, known) <= FEW) {
    answered(panel, { id, outcome: outcome(model, state, known) });
    return;
  }
  if (!model) write(panel, ".lm-sentence", `Loading the model: ${MODELS[state.model]} …`);
  ready(panel).postMessage({ id, state });
}

/** @param {Panel} panel @param {Answer} answer */
function answered(panel, { id, outcome: known, model, error }) {
  if (!known) {
    if (id === panel.asked) fail(panel, error);
    return;
  }
  if (model) panel.models.set(known.state.model, model);
  Object.assign(panel, { known, answered: id });
  show(panel);
  if (id !== panel.asked) return; // the next answer is on its way
  if (panel.part(".lm-note button")) tell(panel, "");
  if (panel.before) tell(panel, compared(panel.before, known));
  panel.before = null;
  if (!panel.pause) rest(panel);
}

/** Say that the model did not come, and offer to try again. @param {Panel} panel @param {unknown} error */
function fail(panel, error) {
  panel.worker?.terminate();
  panel.worker = null;
  write(panel, ".lm-sentence", "");
  tell(panel, "The model could not be loaded. ");
  const again = Object.assign(document.createElement("button"), { type: "button", textContent: "Try again" });
  again.addEventListener("click", () => ask(panel));
  panel.part(".lm-note").append(again);
  console.warn(error);
}

/**
 * Draw the last answer, all in one frame: each further frame would take longer than the drawing.
 *
 * Fires the event "drawn" on the host.
 * @param {Panel} panel
 */
export function draw(panel) {
  const { host, known, marked, drawings } = panel;
  panel.isStale = false;
  if (!known) return;
  const end = known.tokens.length - 1;
  for (const drawing of drawings) drawing(known, marked < 0 ? end : Math.min(end, marked));
  if (!host.classList.contains("is-ready")) {
    panel.part(".lm-static").remove();
    host.classList.add("is-ready");
    panel.part(".lm-sentence").classList.remove("scripted"); // from now on it stands on paper too
  }
  host.dispatchEvent(new Event("drawn"));
}

/** @param {Panel} panel @param {Outcome} known @param {number} place */
function words(panel, known, place) {
  panel.part(".lm-beyond").hidden = !known.beyond.asked;
  if (known.state.model === panel.state.model) write(panel, ".lm-sentence", summary(known));
  write(panel, ".lm-reading", reading(known, place));
}

/**
 * Draw at once, or in the next frame if this one already shows an earlier answer. Chromium looks for what is
 * under the pointer before it calls for a frame, which lays out the page: drawn at once, it is laid out only once.
 * @param {Panel} panel
 */
function show(panel) {
  panel.isStale = true;
  if (panel.frame) return;
  draw(panel);
  panel.frame = requestAnimationFrame(() => {
    panel.frame = 0;
    if (panel.isStale) draw(panel);
  });
}

/** Show what can wait until the reader pauses. @param {Panel} panel */
export function rest(panel) {
  const { known, part } = panel;
  showText(panel.controls, panel.state);
  if (!known) return;
  if (/** @type {HTMLDetailsElement} */ (part(".lm-table")).open) part(".lm-table tbody").innerHTML = rows(known);
  write(panel, ".lm-said", summary(known));
}

/** @param {Panel} panel @param {Partial<State>} changes @param {string} by the control that the reader used @param {Outcome | null} [before] a shuffle */
export function become(panel, changes, by, before = null) {
  panel.state = { ...panel.state, ...changes };
  panel.before = before;
  showControls(panel.controls, panel.state);
  clearTimeout(panel.pause);
  panel.pause = setTimeout(() => {
    panel.pause = 0;
    rest(panel);
    record(panel, by);
  }, PAUSE);
  ask(panel);
}

/** Give the state its address. @param {Panel} panel @param {string} by */
function record(panel, by) {
  const search = toSearch(panel.state);
  if (search === location.search || !panel.state.length) return; // no address can name a text without letters
  const again = by === panel.last.by && performance.now() - panel.last.at < SAME_MOVE;
  panel.last = { by, at: performance.now() };
  history[again ? "replaceState" : "pushState"](null, "", `${location.pathname}${search}#live`);
}

/** Mark a position, or with -1 the last one. @param {Panel} panel @param {number} place */
export function point(panel, place) {
  if (place === panel.marked) return;
  panel.marked = place;
  show(panel);
}
