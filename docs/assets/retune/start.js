/**
 * Retune the clocks: the mixing desk of a trained model. A worker answers; the page draws.
 */

import { dial, pairColor } from "../clocks/dial.js";
import { fresh } from "../clocks/outlines.js";
import { numeral } from "../maths/numerals.js";
import { MOST, OFFSETS, PAIRS, PRESETS, TASKS, TEXTS, TRAINED, BACK, fromSearch, lookBack, nearest, peaks, plain, share, speeds, toSearch, turning } from "./desk.js";

/** @typedef {import("./desk.js").Known} Known */

const [PAUSE, GROWTH] = [400, 60]; // ms without a change until the address and the sentence follow; ms for two more letters
const LETTERS = "abcdefghijklmnop";
const NAMES = { trained: "As trained", linear: "Linear", ntk: "NTK", yarn: "YaRN", llama3: "Llama 3’s limits", longrope: "LongRoPE’s list" };

/** Write a text that changed into its node, as in model/text.js, whose folder has styles that this page does not need. @param {any} element @param {string} text */
const setText = (element, text) => { if (element.textContent !== text) (element.firstChild ?? element.appendChild(new Text())).data = text; };

const channel = (/** @type {number} */ pair) => `<div class="rt-channel"><span>${numeral(2 * Math.PI / plain[pair], plain[pair] > 0.1 ? 1 : 0)}</span>
<div class="rt-fader"><input type="range" min="0" max="15" aria-orientation="vertical" aria-label="pair ${pair}, speed" data-pair="${pair}"><i hidden></i></div>
<output></output><button type="button" aria-label="mute pair ${pair}" data-mute="${pair}">mute</button></div>`;

const tick = (/** @type {number} */ at) => `<text x="${4 * at}" y="91">${at}</text>`;
const task = (/** @type {[string, unknown]} */ [words]) => `<li>${words} <b></b></li>`;
const preset = (/** @type {string[]} */ [name, words]) => `<button type="button" data-preset="${name}">${words}</button>`;

const HTML = `
<div class="rt-top"><div><div class="rt-bracket">${TRAINED} letters, as in training</div><div class="rt-ticker" role="img" aria-label="The text and its answers"></div>
<div class="rt-row"><label for="rt-length">Length</label><input id="rt-length" type="range" min="${TRAINED}" max="${MOST}" step="2"><output></output></div>
<p class="rt-sentence" role="status">Loading the model …</p></div>
<div><p class="rt-share"><b>–</b> <span></span></p>
<svg class="rt-looks" viewBox="-4 -8 140 104" role="img" aria-label="Where the heads look" fill="none"><path d="M0 80H132" stroke="var(--fig-grid)"/><path stroke="var(--fig-1)" stroke-width="3"/><path stroke="var(--fig-2)" stroke-width="2" stroke-dasharray="4 2"/>
<g fill="currentColor" font-size="7" text-anchor="middle">${[0, 3, 6, 12, 24].map(tick).join("")}<text x="132" y="-1" text-anchor="end">attention, by letters back</text></g></svg></div></div>
<p class="rt-ends"><span>fast clocks: letters for one turn</span><span>slow clocks</span></p>
<div class="rt-desk">${Array.from({ length: PAIRS }, (_, pair) => channel(pair)).join("")}</div>
<div class="rt-row" role="group" aria-label="Presets">${Object.entries(NAMES).map(preset).join("")}<input id="rt-follow" type="checkbox"><label for="rt-follow">Slower clocks follow a fader</label></div>
<div class="rt-row" role="group" aria-label="Curves of real models"><span>Lay over the desk</span></div>
<ol class="rt-tasks" aria-label="Tasks">${TASKS.map(task).join("")}</ol>
<div class="rt-row"><button type="button" data-card>Save as a picture</button></div>`;

/** @param {HTMLElement} host */
export function start(host) {
  host.innerHTML = HTML;
  /** @type {(selector: string) => any} */
  const part = (selector) => host.querySelector(selector);
  const all = (/** @type {string} */ selector) => /** @type {HTMLElement[]} */ ([...host.querySelectorAll(selector)]);
  const [channels, ghosts] = [all(".rt-channel"), all(".rt-fader i")];
  const faders = /** @type {HTMLInputElement[]} */ (all("[data-pair]"));
  const length = part("#rt-length");
  const dials = channels.map((element, pair) => {
    const made = dial({ name: `pair ${pair}`, color: pairColor(pair, PAIRS) });
    element.firstElementChild?.after(made.element);
    return made;
  });
  const cells = Array.from({ length: MOST }, () => document.createElement("span"));
  part(".rt-ticker").append(...cells);

  // The numbers of real models stand in a table of the page; LongRoPE's preset is its last column.
  const [head, ...rows] = /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll(".rt-curves tr")]);
  const curves = Array.from(head.cells).slice(1).map(({ textContent: name }, column) => {
    const divisors = rows.map(({ cells: found }) => Number(found[column + 1].querySelector("data")?.value));
    return { name, steps: nearest(divisors, Math.max(...divisors)) };
  });
  const presets = { ...PRESETS, longrope: curves[curves.length - 1].steps };
  part("[aria-label^=Curves]").insertAdjacentHTML("beforeend", curves.map(({ name }, index) => `<button type="button" aria-pressed="false" data-curve="${index}">${name}</button>`).join(""));

  const state = fromSearch(location.search);
  let [isByHand, isMoved, asked, answered, pause, cursor, growing, frame] = [false, false, 0, 0, 0, -1, 0, 0];
  /** @type {Known | null} */
  let known = null;

  function ask() {
    worker.postMessage({ id: ++asked, speeds: speeds(state) });
    show();
  }

  /** Whether the last answer is complete, and that to the last question. */
  const isWhole = () => answered === asked && known?.rights.length === TEXTS && !growing;

  const show = () => { frame ||= requestAnimationFrame(draw); };

  function draw() {
    frame = 0;
    const { steps, mutes, length: end } = state;
    const own = speeds(state);
    length.value = String(end);
    length.setAttribute("aria-valuetext", `${end} letters`);
    setText(length.nextElementSibling, String(end));
    dials.forEach(({ update }, pair) => {
      update({ angle: own[pair] * (cursor < 0 || cursor >= end ? end - 1 : cursor), met: plain[pair] * TRAINED, reach: own[pair] * end });
      const times = `${numeral(own[pair] / plain[pair], 2)}×`;
      faders[pair].value = String(15 - steps[pair]);
      faders[pair].setAttribute("aria-valuetext", mutes[pair] ? "muted" : `${times} the trained speed`);
      setText(channels[pair].children[3], mutes[pair] ? "still" : times);
      channels[pair].lastElementChild?.setAttribute("aria-pressed", String(mutes[pair]));
    });
    cells.forEach((cell, place) => {
      const kind = place >= end ? "is-out" : !known || place < BACK ? "" : known.rights[0][place] ? "is-right" : "is-wrong";
      if (cell.className !== kind) cell.className = kind;
    });
    if (known) judge(known);
    clearTimeout(pause);
    pause = setTimeout(rest, PAUSE);
  }

  /** @param {Known} answer */
  function judge(answer) {
    const [right, mean] = [share(answer, state.length), lookBack(answer, state.length)];
    setText(part(".rt-share b"), `${Math.round(100 * right)}%`);
    setText(part(".rt-share span"), `right, in ${answer.rights.length} texts of ${state.length} letters`);
    const points = Array.from(mean, (weight, at) => `${4 * (at % OFFSETS)},${(80 - 76 * weight).toFixed(1)}`);
    [1, 2].forEach((head) => part(`.rt-looks path:nth-of-type(${head + 1})`).setAttribute("d", `M${points.slice((head - 1) * OFFSETS, head * OFFSETS).join("L")}`));
    if (!isWhole()) return;
    TASKS.forEach(([, holds], index) => {
      const done = holds({ state, share: right, isByHand });
      if (done) setText(part(`.rt-tasks li:nth-child(${index + 1}) b`), `✓ ${done}`);
    });
  }

  /** Tell what the desk shows, and keep it in the address. */
  function rest() {
    if (!known || !isWhole()) return;
    const reached = speeds(state).filter((speed, pair) => fresh(plain[pair] * TRAINED, speed * state.length)).length;
    const looks = peaks(lookBack(known, state.length));
    const words = `${part(".rt-share").textContent}. ${reached} of ${turning(state)} turning clocks reach new angles. ${looks}`;
    part(".rt-looks").setAttribute("aria-label", `Attention by letters back. ${looks}`);
    part(".rt-ticker").setAttribute("aria-label", `A text and the verdicts: ${part(".rt-share").textContent}`);
    setText(part(".rt-sentence"), words);
    if (isMoved) history.replaceState(null, "", toSearch(state) + location.hash);
  }

  const still = () => { clearInterval(growing); growing = 0; };

  function grow() {
    state.length = Math.min(MOST, state.length + 2);
    if (state.length === MOST) still();
    show();
  }

  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  worker.addEventListener("message", ({ data }) => {
    if (data.error) part(".rt-sentence").textContent = "The model could not be loaded. Reload the page.";
    if (data.id !== asked || data.error) return;
    if (!known) {
      cells.forEach((cell, place) => { cell.textContent = LETTERS[data.tokens[place]]; });
      if (state.length < MOST && !isMoved && !location.search) {
        growing = setInterval(grow, GROWTH);
        part(".rt-sentence").textContent = "Trained on 32 letters. The text grows to 256: make the model read it.";
      }
    }
    [known, answered] = [data.known, data.id];
    show();
  });

  host.addEventListener("input", ({ target }) => {
    const input = /** @type {HTMLInputElement} */ (target);
    const pair = Number(input.dataset.pair);
    if (input.type === "checkbox") return;
    isMoved = true;
    if (input === length) {
      state.length = input.valueAsNumber;
      return show();
    }
    state.steps.fill(15 - input.valueAsNumber, pair, part("#rt-follow").checked ? PAIRS : pair + 1);
    isByHand = true;
    ask();
  });
  host.addEventListener("click", async ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (!button) return;
    const { mute, preset, curve } = button.dataset;
    if (mute) state.mutes[Number(mute)] = !state.mutes[Number(mute)];
    if (preset) Object.assign(state, { steps: [...presets[/** @type {keyof typeof presets} */ (preset)]], mutes: Array(PAIRS).fill(false) });
    if (mute || preset) {
      [isByHand, isMoved] = [Boolean(mute), true];
      ask();
    } else if (curve) {
      const isOn = button.getAttribute("aria-pressed") === "true";
      for (const other of all("[data-curve]")) other.setAttribute("aria-pressed", String(other === button && !isOn));
      ghosts.forEach((ghost, pair) => {
        ghost.hidden = isOn;
        ghost.style.setProperty("--at", String(curves[Number(curve)].steps[pair] / 15));
      });
    } else {
      const { save } = await import("./card.js");
      await save(host, part(".rt-share").textContent);
    }
  });
  part(".rt-ticker").addEventListener("pointermove", (/** @type {PointerEvent} */ { target }) => { cursor = cells.indexOf(/** @type {HTMLElement} */ (target)); show(); });
  part(".rt-ticker").addEventListener("pointerleave", () => { cursor = -1; show(); });
  for (const touch of ["pointerdown", "keydown"]) host.addEventListener(touch, still);

  if (!location.search && !matchMedia("(prefers-reduced-motion: reduce)").matches) state.length = TRAINED;
  ask();
}
