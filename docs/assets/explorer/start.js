/**
 * The explorer: controls, views that follow them and each other, and an address for every state.
 */

import { drawAll, drawVisible, follow, say, watch, write } from "./changes.js";
import { answerPointer, listen } from "./input.js";
import { FIELDS, model, sentence } from "./model.js";
import { stage } from "./stages.js";
import { CONTROLS, DEFAULTS, NAMES, PRESETS, python } from "./state.js";
import { VIEWS } from "./views.js";

/** @import { State, Name } from "./state.js" */
/** @import { Model, Mark } from "./model.js" */
/** @import { Stage } from "./stages.js" */
/** @typedef {{ element: Element, draw(model: Model, mark: Mark | null): void }} Part a view, or words that depend on the state */
/**
 * @typedef {object} Explorer
 * @property {HTMLElement} host
 * @property {State} state
 * @property {Mark | null} mark
 * @property {Model} model of the state that was drawn last
 * @property {Record<Name, HTMLInputElement>} fields
 * @property {Record<Name, HTMLInputElement>} sliders
 * @property {Partial<Record<Name, string>>} displayed value and limits in each control
 * @property {Record<typeof FIELDS[number], Element>} readings
 * @property {Stage[]} stages
 * @property {Part[]} parts the stages, then the words
 * @property {Set<Part>} visible
 * @property {Set<Part>} waiting parts that do not show the state yet, the longest waiting first
 * @property {number} frame requested animation frame, or 0
 * @property {number} pause timer until the reader has paused
 * @property {number} telling timer until a marked place is read out
 * @property {{ by: string, at: number }} last step of the history
 */

/** Steps of the number fields, where not 1. @type {Record<string, string | number>} */
const STEPS = { base: "any", d_model: 2 };

const presets = PRESETS.map(([text], index) => `<button type="button" data-preset="${index}">${text}</button>`).join("");

const controls = NAMES.map((name) => `
<div><div class="ex-control"><label for="ex-${name}">${CONTROLS[name].label}</label>
<input id="ex-${name}" type="number" inputmode="${name === "offset" ? "text" : "decimal"}" step="${STEPS[name] ?? 1}" data-field="${name}">
<input type="range" aria-label="${CONTROLS[name].title}, slider" step="1" data-slider="${name}"></div></div>`).join("");

const readings = FIELDS.map((field) => `<div><dt>${field}</dt><dd data-reading="${field}">–</dd></div>`).join("");

const layers = '<svg aria-hidden="true" font-size="11" fill="currentColor"></svg>'.repeat(3);

const views = VIEWS.map(({ kind, title }) => `
<figure class="ex-view ex-${kind}"><figcaption id="ex-title-${kind}">${title}</figcaption>
<div class="ex-stage" tabindex="0" role="application" aria-labelledby="ex-title-${kind}" aria-describedby="ex-keys" data-view="${kind}">${kind === "matrix" ? "<canvas></canvas>" : ""}${layers}</div></figure>`).join("");

const HTML = `
<div class="ex-presets" role="group" aria-label="Presets"><span>Start from</span>${presets}</div>
<div class="ex-panel">
<div class="ex-controls" role="group" aria-label="What to encode">${controls}
</div>
<dl class="ex-reading">${readings}</dl>
<div class="ex-note" role="status" hidden></div>
</div>
<div class="ex-views">${views}
</div>
<p class="ex-sentence"></p>
<div class="ex-keys" id="ex-keys">Point at a view, or focus one and press the arrow keys (with Shift, ten at a time; Home and End go to the ends). A click, a drag or Enter moves <i>p</i> there; a finger’s tap on the similarity only marks.</div>
<div class="ex-take"><pre><code tabindex="0"></code></pre>
<div><button type="button" data-copy="python">Copy as Python</button><button type="button" data-copy="link">Copy the link</button></div>
<div><span>Matrix</span><button type="button" data-take="npy">.npy</button><button type="button" data-take="csv">CSV</button><span>View</span><button type="button" data-take="png">PNG</button><button type="button" data-take="svg">SVG</button></div></div>
<div class="ex-said" role="status"></div>`;

/** Start the explorer in `host`. @param {HTMLElement} host */
export function start(host) {
  const explorer = opened(host);
  const { stages } = explorer;
  listen(explorer);
  for (const one of stages) answerPointer(explorer, one);
  addEventListener("beforeprint", () => drawAll(explorer));
  addEventListener("popstate", () => follow(explorer, () => say(explorer, sentence(explorer.model))));
  watch(explorer);
  follow(explorer);
  drawVisible(explorer);
}

/** @param {HTMLElement} host @returns {Explorer} */
function opened(host) {
  host.innerHTML = HTML;
  /** @param {string} selector @returns {HTMLElement} */
  const one = (selector) => /** @type {HTMLElement} */ (host.querySelector(selector));
  /** @type {<K extends string>(names: readonly K[], data: string) => Record<K, any>} */
  const each = (names, data) => /** @type {any} */ (Object.fromEntries(names.map((name) => [name, one(`[data-${data}=${name}]`)])));
  const stages = VIEWS.map((view) => stage(view, one(`[data-view=${view.kind}]`)));
  /** @type {Part[]} */
  const words = [
    { element: one(".ex-sentence"), draw(current) { write(this.element, sentence(current)); } },
    { element: one("code"), draw(current) { write(this.element, python(current.state)); } },
  ];
  return {
    host, stages,
    parts: [...stages, ...words],
    visible: new Set(words), // until the observer says otherwise, so that they never change in sight
    waiting: new Set(),
    state: DEFAULTS, mark: null, model: model(DEFAULTS),
    fields: each(NAMES, "field"), sliders: each(NAMES, "slider"), displayed: {}, readings: each(FIELDS, "reading"),
    frame: 0, pause: 0, telling: 0, last: { by: "", at: -Infinity },
  };
}
