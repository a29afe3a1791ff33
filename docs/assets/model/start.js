/**
 * Controls of the live model, and the text. The model and everything that shows its answers load
 * when this part of the page is in sight; if the reader wants less motion or data, when the reader
 * comes to the controls; and at once for an address with a state.
 */

import { DEFAULTS, MODELS, MOST, SCALINGS, fromSearch, shown, hasEncoding, hasScaling, toSearch } from "./state.js";
import { setText } from "../site/text.js";

/** @import { State } from "./state.js" */
/** @typedef {{ model: HTMLSelectElement, scaling: HTMLSelectElement, off: HTMLInputElement, length: HTMLInputElement, text: HTMLTextAreaElement }} Controls */

/** @param {Record<string, string>} names @param {string} chosen */
const options = (names, chosen) => Object.entries(names).map(([value, name]) => `<option value="${value}"${value === chosen ? " selected" : ""}>${name}</option>`).join("");

const HTML = `
<div class="lm-outcome"></div>
<div class="lm-controls" role="group" aria-label="Model and text">
<div><label for="lm-model">Encoding</label><select id="lm-model" data-control="model">${options(MODELS, DEFAULTS.model)}</select></div>
<div><label for="lm-scaling">Scaling of RoPE</label><select id="lm-scaling" data-control="scaling">${options(SCALINGS, DEFAULTS.scaling)}</select></div>
<div class="lm-off"><input type="checkbox" id="lm-off" data-control="off"><label for="lm-off">Switch the encoding off</label></div>
<div class="lm-length"><label for="lm-length">Length</label><input type="range" id="lm-length" min="1" max="${MOST}" data-control="length"><output for="lm-length"></output></div>
<div class="lm-text"><label for="lm-text">Text, letters from a to p</label><textarea id="lm-text" rows="2" maxlength="${2 * MOST}" spellcheck="false" autocomplete="off" autocapitalize="off" data-control="text"></textarea></div>
<div class="lm-buttons"><button type="button" data-press="new">New text</button><button type="button" data-press="shuffle">Shuffle all but the last letter</button><button type="button" data-press="reset">Reset</button></div>
</div>
<div class="lm-note" role="status" hidden></div>
<p class="lm-sentence scripted">Press <em>New text</em>, or touch any control: then the model loads, 150 kB. Nothing that you type leaves the page.</p>
<div class="lm-said" role="status"></div>
<div class="lm-more"></div>`;

/** Show `state` in the controls, except its text. @param {Controls} controls @param {State} state */
export function showControls({ model, scaling, off, length }, state) {
  if (model.value !== state.model) model.value = state.model;
  if (scaling.value !== state.scaling) scaling.value = state.scaling;
  scaling.disabled = !hasScaling(state);
  off.checked = state.off && hasEncoding(state);
  off.disabled = !hasEncoding(state);
  if (length.valueAsNumber !== state.length) length.valueAsNumber = state.length;
  setText(/** @type {Element} */ (length.nextElementSibling), String(state.length));
}

/** Show the text of `state` in its field, unless the reader is typing there. The browser lays out the page at once. @param {Controls} controls @param {State} state */
export function showText({ text }, state) {
  const letters = shown(state);
  if (text.value !== letters && document.activeElement !== text) text.value = letters;
}

/** Whether the reader lets parts of a page start by themselves. */
const mayStart = () => !matchMedia("(prefers-reduced-motion: reduce)").matches && !(/** @type {any} */ (navigator).connection?.saveData);

/** Call `open` once the page has loaded, `host` is in sight, and the browser has nothing else to do. @param {HTMLElement} host @param {() => void} open */
function whenSeen(host, open) {
  const idle = globalThis.requestIdleCallback ?? setTimeout; // Safari has no idle callbacks
  const seen = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    seen.disconnect();
    idle(open);
  });
  const watch = () => seen.observe(host);
  if (document.readyState === "complete") watch();
  else addEventListener("load", watch, { once: true });
}

/** Add the part to `host`. @param {HTMLElement} host */
export function start(host) {
  const panel = document.createElement("div");
  panel.className = "lm-panel";
  panel.innerHTML = HTML;
  host.append(panel);
  /** @param {string} name @returns {any} */
  const control = (name) => panel.querySelector(`[data-control=${name}]`);
  const controls = { model: control("model"), scaling: control("scaling"), off: control("off"), length: control("length"), text: control("text") };
  const note = /** @type {HTMLElement} */ (panel.querySelector(".lm-note"));
  const { state, notes } = fromSearch(location.search);
  showControls(controls, state);
  showText(controls, state);
  let isReady = false;
  let failures = 0;
  /** @type {Promise<void> | null} */
  let opening = null;
  const open = () => opening ??= load();

  async function load() {
    note.hidden = true;
    try {
      // Browsers cache a failed import, so a retry adds a query string; the file has its modules in itself.
      const { opened } = await import(failures ? `./input.js?${failures}` : "./input.js");
      opened(host, controls);
      isReady = true;
    } catch (error) {
      opening = null;
      failures += 1;
      note.hidden = false;
      note.innerHTML = "This part could not be loaded. <button type=\"button\">Try again</button>";
      note.querySelector("button")?.addEventListener("click", open);
      console.warn(error);
    }
  }

  for (const intent of ["pointermove", "focusin", "input"]) panel.addEventListener(intent, open, { once: true });
  panel.addEventListener("click", async ({ target }) => {
    const { press } = /** @type {HTMLElement} */ (target).dataset;
    if (!press || isReady) return;
    await open();
    if (isReady) /** @type {HTMLElement} */ (target).click(); // now the button has its listener
  });
  if (location.search) open();
  else if (mayStart()) whenSeen(host, open);
  if (!location.hash && (notes.length || toSearch(state))) host.scrollIntoView();
}
