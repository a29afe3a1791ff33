/**
 * The explorer: controls, views that answer to them and to each other, and an address for it all.
 * @module explorer/start
 */

import { model, reading, sentence } from "./model.js";
import {
  DEFAULTS, NAMES, PRESETS, admitted, changed, fromSearch, limits, python, toSearch, understood,
} from "./state.js";
import { stage } from "./stages.js";
import { VIEWS } from "./views.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Name} Name */
/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./views.js").View} View */
/** @typedef {{ element: Element, draw(model: Model, mark: Mark | null): void }} Part a view or words, and the drawing of it */

/**
 * Each control: what it is called, and how its slider's steps and its values translate.
 * @type {Record<Name, { text: string, step: number, slider(value: number): number, value(slider: number): number }>}
 */
const CONTROLS = {
  base: {
    text: "base <i>n</i>", step: 1,
    slider: (base) => Math.round(100 * Math.log10(base)),
    value: (slider) => Number((10 ** (slider / 100)).toPrecision(3)),
  },
  d_model: {
    text: "width <i>d</i>", step: 1,
    slider: (width) => Math.round(16 * Math.log2(width)),
    value: (slider) => 2 * Math.round(2 ** (slider / 16 - 1)),
  },
  length: {
    text: "length <i>L</i>", step: 1,
    slider: (length) => Math.round(16 * Math.log2(length)),
    value: (slider) => Math.round(2 ** (slider / 16)),
  },
  position: { text: "position <i>p</i>", step: 1, slider: Number, value: Number },
  offset: { text: "offset <i>k</i>", step: 1, slider: Number, value: Number },
};
const TITLES = { base: "base", d_model: "width, d_model", length: "length", position: "position", offset: "offset" };
const FIELDS = /** @type {const} */ (["position", "dimension", "pair", "wavelength", "value"]);
const SHARE = 3; // ms of a frame in which drawing is begun; layout and paint, which come after it, take longer
const SETTLED = 250; // ms after which a change gets its address and is read out
const SAME_MOVE = 1500; // ms within which changes of one control share a step of the history

const HTML = `
<div class="ex-presets" role="group" aria-label="Presets"><span>Start from</span>${PRESETS.map(([text], index) => `<button type="button" data-preset="${index}">${text}</button>`).join("")}<button type="button" data-reset>Reset</button></div>
<div class="ex-note" role="status" hidden></div>
<div class="ex-panel">
<div class="ex-controls" role="group" aria-label="What to encode">${NAMES.map((name) => `
<div><div class="ex-control"><label for="ex-${name}">${CONTROLS[name].text}</label>
<input id="ex-${name}" type="number" inputmode="${name === "offset" ? "text" : "decimal"}" step="${{ base: "any", d_model: 2 }[/** @type {string} */ (name)] ?? 1}" data-field="${name}">
<input type="range" aria-label="${TITLES[name]}, slider" step="1" data-slider="${name}"></div></div>`).join("")}
</div>
<dl class="ex-reading">${FIELDS.map((field) => `<div><dt>${field}</dt><dd data-reading="${field}">–</dd></div>`).join("")}</dl>
</div>
<div class="ex-views">${VIEWS.map(({ kind, title }) => `
<figure class="ex-view ex-${kind}"><figcaption id="ex-title-${kind}">${title}</figcaption>
<div class="ex-stage" tabindex="0" role="application" aria-labelledby="ex-title-${kind}" aria-describedby="ex-keys" data-view="${kind}">${kind === "matrix" ? "<canvas></canvas>" : ""}${'<svg aria-hidden="true" font-size="11" fill="currentColor"></svg>'.repeat(3)}</div></figure>`).join("")}
</div>
<p class="ex-sentence"></p>
<div class="ex-keys" id="ex-keys">Point at a view, or focus one and press the arrow keys (with Shift, ten at a time; Home and End go to the ends). A click or Enter highlights the position that is marked.</div>
<div class="ex-take"><pre><code tabindex="0"></code></pre>
<div><button type="button" data-copy="python">Copy as Python</button><button type="button" data-copy="link">Copy the link</button></div>
<div><span>Matrix</span><button type="button" data-take="npy">.npy</button><button type="button" data-take="csv">CSV</button><span>View</span><button type="button" data-take="png">PNG</button><button type="button" data-take="svg">SVG</button></div></div>
<div class="ex-said" role="status"></div>`;

/**
 * Bring the explorer to life in `host`; the result stops it. The event "drawn" tells that all that
 * is in the window shows the state.
 * @param {HTMLElement} host
 * @returns {() => void}
 */
export function start(host) {
  const stopping = new AbortController();
  const { signal } = stopping;
  host.innerHTML = HTML;
  /** @template {Element} [T=HTMLElement] @param {string} selector @returns {T} */
  const one = (selector) => /** @type {T} */ (host.querySelector(selector));
  /** @type {<K extends string>(names: readonly K[], data: string) => Record<K, HTMLInputElement>} */
  const each = (names, data) => /** @type {any} */ (Object.fromEntries(names.map((name) => [name, one(`[data-${data}=${name}]`)])));
  const field = each(NAMES, "field");
  const slider = each(NAMES, "slider");
  const readings = each(FIELDS, "reading");

  /** @type {State} */
  let state = DEFAULTS;
  /** @type {Model | undefined} */
  let known;
  /** @type {Mark | null} */
  let mark = null;
  let frame = 0;
  let settling = 0;
  let telling = 0;
  /** @type {Partial<Record<Name, string>>} what the controls show */
  const controlled = {};
  /** @type {{ by: string, at: number }} */
  let last = { by: "", at: -Infinity };

  const stages = VIEWS.map((view) => stage(view, one(`[data-view=${view.kind}]`)));
  /** @type {Part[]} */
  const words = [
    { element: one(".ex-sentence"), draw(current) { write(this.element, sentence(current)); } },
    { element: one("code"), draw(current) { write(this.element, python(current.state)); } },
  ];
  /** @type {Part[]} */
  const parts = [...stages, ...words];
  /** @type {Set<Part>} what is in the window; the words too until they are known not to be, lest they change under the reader's eyes */
  const seen = new Set(words);
  /** @type {Set<Part>} what does not show the state yet, the longest waiting first */
  const waiting = new Set();

  // Drawing: in each frame the controls and, of what is in sight, as much as a frame has time
  // for; the rest in the frames after it. All of it when the reader pauses.

  /** @param {Iterable<Part>} wanted @param {number} share ms */
  function draw(wanted = waiting, share = SHARE) {
    const began = performance.now();
    cancelAnimationFrame(frame);
    frame = 0;
    known = model(state, known);
    for (const name of NAMES) show(name, wanted === parts);
    const read = mark && reading(mark, known);
    for (const name of FIELDS) write(readings[name], read ? read[name] : name === "value" ? "point at a view" : "–");
    for (const part of wanted) {
      part.draw(known, mark);
      waiting.delete(part);
      if (performance.now() - began > share) break;
    }
    if (waiting.size) soon();
    else host.dispatchEvent(new Event("drawn"));
  }

  const drawAll = () => draw(parts, Infinity);
  const drawSight = () => draw(seen, Infinity);

  /** Only what has changed: the same text again would be laid out again. @param {Element} element @param {string} text */
  function write(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  function later() {
    for (const part of parts) if (seen.has(part)) waiting.add(part);
    soon();
  }

  function soon() {
    frame ||= requestAnimationFrame(() => draw());
  }

  /** Bring a control up to date; new limits alone can wait until the reader pauses. @param {Name} name @param {boolean} all */
  function show(name, all) {
    const { slider: place } = CONTROLS[name];
    const [least, most] = limits(name, state);
    const [number, range] = [field[name], slider[name]];
    const value = String(state[name]);
    const wanted = `${value} ${least} ${most}`;
    if (wanted === controlled[name] || !all && controlled[name]?.startsWith(`${value} `)) return;
    controlled[name] = wanted;
    if (number.max !== String(most) || number.min !== String(least)) {
      Object.assign(number, { min: least, max: most });
      Object.assign(range, { min: place(least), max: place(most) });
    }
    if (document.activeElement !== number) number.value = value; // else the reader is typing
    if (range.valueAsNumber !== place(state[name])) range.valueAsNumber = place(state[name]);
    range.setAttribute("aria-valuetext", value);
  }

  // Changing

  /** @param {State} next @param {string} by what made the change; the same one within a moment makes one step of the history */
  function become(next, by) {
    state = next;
    if (mark) mark = held(mark);
    later();
    clearTimeout(settling);
    settling = setTimeout(() => settle(by), SETTLED);
  }

  /** Give the state its address, and read it out. @param {string} by */
  function settle(by) {
    drawAll();
    say(sentence(model(state, known)));
    const address = location.pathname + toSearch(state);
    if (address === location.pathname + location.search) return;
    const again = by === last.by && performance.now() - last.at < SAME_MOVE;
    last = { by, at: performance.now() };
    const scrolled = { x: scrollX, y: scrollY }; // what the theme expects to find
    if (!again) history.replaceState(scrolled, "");
    history[again ? "replaceState" : "pushState"](scrolled, "", address);
  }

  /** @param {string} text for screen readers */
  function say(text) {
    one(".ex-said").textContent = text;
  }

  /** @param {string[]} lines */
  function note(lines) {
    const element = one(".ex-note");
    if (element.hidden && !lines.length) return;
    element.hidden = !lines.length;
    element.textContent = lines.join(" ");
  }

  /** Take the state from the address. */
  function follow() {
    clearTimeout(settling);
    const { state: asked, notes } = fromSearch(location.search);
    state = asked;
    mark = null;
    for (const name of NAMES) field[name].value = String(state[name]);
    last = { by: "", at: -Infinity };
    note(notes);
    later();
    settling = setTimeout(drawAll, SETTLED);
  }

  /** `mark` moved to where there is something. @param {Mark} moved @returns {Mark} */
  function held({ view, position, dimension }) {
    const most = VIEWS.find(({ kind }) => kind === view)?.most ?? Infinity;
    const width = Math.min(state.d_model, 2 * most);
    return {
      view, position: Math.max(0, Math.min(state.length - 1, position)),
      dimension: dimension < 0 ? -1 : Math.min(width - 1, dimension),
    };
  }

  // Controls

  for (const name of NAMES) {
    const { value } = CONTROLS[name];
    slider[name].addEventListener("input", () => {
      const range = slider[name];
      let at = range.valueAsNumber;
      const step = Math.sign(at - CONTROLS[name].slider(state[name]));
      // Where steps are finer than values, go on to the next value.
      while (step && admitted(name, value(at), state) === state[name] && at > Number(range.min) && at < Number(range.max)) at += step;
      note([]);
      become(changed(state, name, value(at)), name);
    });
    field[name].addEventListener("input", () => {
      const text = field[name].value;
      const taken = understood(name, text, state);
      if (!taken.note) become(changed(state, name, taken.value), name);
    });
    field[name].addEventListener("change", () => {
      const taken = understood(name, field[name].value, state);
      note(taken.note ? [taken.note] : []);
      field[name].value = String(taken.value);
      become(changed(state, name, taken.value), name);
    });
  }

  // A finger that scrolls the page across a slider has moved it before the browser sees that it scrolls.
  let found = state;
  one(".ex-controls").addEventListener("pointerdown", () => { found = state; });
  one(".ex-controls").addEventListener("pointercancel", () => { if (state !== found) become(found, "scrolling"); });

  host.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button) return;
    const { preset: index, copy, take } = button.dataset;
    if (index !== undefined) { note([]); become(PRESETS[Number(index)][1], `preset ${index}`); }
    if (button.hasAttribute("data-reset")) { note([]); become(DEFAULTS, "reset"); }
    if (copy) copied(copy === "python" ? python(state) : location.origin + location.pathname + toSearch(state));
    if (take) {
      drawAll();
      import("./download.js")
        .then((made) => made.download(take, host, state))
        .catch((error) => note([`Could not make the file: ${error.message}.`]));
    }
  }, { signal });

  /** @param {string} text */
  async function copied(text) {
    try {
      await navigator.clipboard.writeText(text);
      say("Copied.");
      note(["Copied."]);
    } catch {
      note([`Could not copy; here it is to be copied by hand: ${text}`]);
    }
  }

  // Pointing

  /** @param {Mark | null} next */
  function point(next) {
    mark = next && held(next);
    later();
  }

  for (const { view, element, size } of stages) {
    /** @param {PointerEvent | MouseEvent} event */
    const under = (event) => {
      const box = element.getBoundingClientRect();
      const [position, dimension] = view.at(event.clientX - box.left, event.clientY - box.top, model(state, known), size);
      return { view: view.kind, position, dimension };
    };
    element.addEventListener("pointermove", (event) => point(under(event)));
    element.addEventListener("pointerdown", (event) => point(under(event)));
    element.addEventListener("pointerleave", (event) => { if (event.pointerType === "mouse") point(null); });
    element.addEventListener("click", (event) => highlight(under(event)));
    element.addEventListener("blur", () => point(null));
    element.addEventListener("keydown", (event) => {
      const from = mark?.view === view.kind ? mark
        : { view: view.kind, position: state.position, dimension: view.across === "position" ? -1 : 0 };
      const next = event.key === "Enter" || event.key === " " ? from : moved(view, from, event);
      if (!next || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      point(next);
      if (next === from) { highlight(from); return; }
      const read = reading(held(next), model(state, known));
      clearTimeout(telling);
      telling = setTimeout(() => say(FIELDS.map((name) => `${name} ${read[name]}`).join(", ")), SETTLED);
    });
  }

  /** Make the marked position the highlighted one. @param {Mark} at */
  function highlight({ position }) {
    if (position !== state.position) become(changed(state, "position", position), "highlight");
  }

  // Around

  const sizes = new ResizeObserver((entries) => {
    for (const { target, contentRect: { width } } of entries) {
      const resized = stages.find(({ element }) => element === target);
      if (width !== resized?.size.width) resized?.fit(width);
    }
    drawSight();
  });
  const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const part = /** @type {Part} */ (parts.find(({ element }) => element === target));
      if (isIntersecting) waiting.add(part);
      seen[isIntersecting ? "add" : "delete"](part);
    }
    soon();
  });
  for (const { element } of stages) sizes.observe(element);
  for (const { element } of parts) sight.observe(element);

  addEventListener("beforeprint", drawAll, { signal });
  addEventListener("popstate", () => { if (host.isConnected) follow(); }, { signal });
  // A link to another state of this page changes the state alone.
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a");
    if (!link || !link.search || link.pathname !== location.pathname || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { state: asked, notes } = fromSearch(link.search);
    note(notes);
    become(asked, link.search);
    host.scrollIntoView({ behavior: "instant", block: "start" });
  }, { signal, capture: true });

  // All in place before the first frame, so that nothing moves under the reader's eyes.
  stages.map(({ element }) => element.clientWidth).forEach((width, index) => stages[index].fit(width));
  for (const part of stages) if (part.element.getBoundingClientRect().top < innerHeight) seen.add(part);
  follow();
  drawSight();
  return () => {
    stopping.abort();
    sizes.disconnect();
    sight.disconnect();
    cancelAnimationFrame(frame);
    clearTimeout(settling);
    clearTimeout(telling);
    host.replaceChildren(); // the theme may hold on to the page that was left: not to this
  };
}

/**
 * Where a key takes `mark`, if anywhere.
 * @param {View} view
 * @param {Mark} mark
 * @param {KeyboardEvent} event
 * @returns {Mark | null}
 */
function moved({ across, down }, mark, { key, shiftKey }) {
  const far = shiftKey ? 10 : 1;
  const sideways = { ArrowLeft: -far, ArrowRight: far, Home: -Infinity, End: Infinity }[key];
  const downward = down ? { ArrowUp: -far, ArrowDown: far }[key] : undefined;
  if (downward) return { ...mark, position: mark.position + downward };
  if (!sideways) return null;
  if (across === "position") return { ...mark, position: mark.position + sideways };
  const next = mark.dimension + (across === "pair" ? 2 : 1) * sideways;
  return { ...mark, dimension: Math.max(0, next) };
}
