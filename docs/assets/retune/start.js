/**
 * Retune the clocks: the mixing desk of a trained model. A worker answers; the page draws.
 */

import { dial, pairColor } from "../clocks/dial.js";
import { numeral } from "../maths/numerals.js";
import { setText } from "../site/text.js";
import { BACK, LAST, LETTERS, MOST, OFFSETS, PAIRS, PRESETS, TASKS, TEXTS, TRAINED, fromSearch, heard, letters, lookBack, looked, nearest, plain, scored, share, speeds, told, toSearch } from "./desk.js";

const [PAUSE, GROWTH] = [400, 100]; // ms without a change until the address and the sentence follow; ms for four more letters
const NAMES = { trained: "As trained", linear: "Linear", ntk: "NTK", yarn: "YaRN", llama3: "Llama 3’s limits", longrope: "LongRoPE’s list" };

const tick = (/** @type {number} */ at) => `<text x="${4 * at}" y="90">${at}</text>`;
const letter = (/** @type {number} */ speed) => numeral(2 * Math.PI / speed, speed > 0.1 ? 1 : 0);
const clock = (/** @type {number} */ pair) => `clock of ${letter(plain[pair])} letters`;
const channel = (/** @type {number} */ pair) => `<div class="rt-channel"><span></span>
<div class="rt-fader"><input type="range" min="0" max="${LAST}" aria-orientation="vertical" aria-label="${clock(pair)}, speed" data-pair="${pair}"><i hidden></i></div>
<span></span><button type="button" aria-label="mute ${clock(pair)}" data-mute="${pair}">mute</button></div>`;
const preset = (/** @type {string[]} */ [name, words]) => `<button type="button" data-preset="${name}">${words}</button>`;
const curve = (/** @type {{ name: string }} */ { name }, /** @type {number} */ index) => `<option value="${index}">${name}</option>`;
const task = (/** @type {[string, unknown]} */ [words]) => `<li><b></b>${words}</li>`;

/** The parts of the desk, from top to bottom. @param {{ name: string }[]} curves */
const html = (curves) => [`
<div class="rt-top"><div><div class="rt-legend"><span>${TRAINED} letters, as in training</span><span>Green: here it names the letter ${BACK} back. Struck: another.</span></div><div class="rt-ticker" role="img" aria-label="The text and its answers">${letters(0).map((one) => `<span>${LETTERS[one]}</span>`).join("")}</div>
<div class="rt-row"><label for="rt-length">Length</label><input id="rt-length" type="range" min="${TRAINED}" max="${MOST}" step="2"><output aria-live="off"></output></div>
<div class="rt-row" role="group" aria-label="Presets"><span>Presets</span>${Object.entries(NAMES).map(preset).join("")}</div>
<p class="rt-sentence" role="status">Loading the model …</p></div>
<div><p class="rt-share"><b>–</b>
<span></span></p>
<svg class="rt-looks" viewBox="-4 0 140 100" role="img" aria-label="Where the heads look" fill="none"><path d="M0 80H132M0 14H132M${4 * BACK} 80V14" stroke="var(--fig-grid)"/><path stroke="var(--fig-1)" stroke-width="3"/><path stroke="currentColor" stroke-width="1.5" stroke-dasharray="4 2"/>
<g fill="currentColor" font-size="8" text-anchor="middle">${[0, BACK, 6, 12, 24].map(tick).join("")}<text x="132" y="99" text-anchor="end">letters back</text><text x="132" y="24" text-anchor="end">top: 100% of the attention</text><text x="132" y="36" text-anchor="end">line: head 1, dashes: head 2</text></g></svg></div></div>
<p class="rt-ends"><span>fast clocks</span><span>letters for one turn</span><span>slow clocks</span></p>`,
`<div class="rt-desk"></div>`,
`<div class="rt-row"><label><input id="rt-follow" type="checkbox" checked> A fader takes others along: down the slower clocks, up the faster ones</label></div>
<ol class="rt-tasks" aria-label="Tasks">${TASKS.map(task).join("")}</ol>
<div class="rt-row"><label for="rt-curve">Lay a real model’s curve over the desk</label><select id="rt-curve"><option value="">none</option>${curves.map(curve).join("")}</select>
<button type="button">Save as a picture</button></div>`];

const frame = () => new Promise(requestAnimationFrame);

/** @param {HTMLElement} host */
export async function start(host) {
  /** @type {(selector: string) => any} */
  const part = (selector) => host.querySelector(selector);
  const all = (/** @type {string} */ selector) => /** @type {any[]} */ ([...host.querySelectorAll(selector)]);

  // The numbers of real models stand in a table of the page; LongRoPE's preset is its last column.
  const [head, ...rows] = /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll(".rt-curves tr")]);
  const curves = Array.from(head.cells).slice(1).map(({ textContent: name }, column) => {
    const divisors = rows.map(({ cells: found }) => Number(found[column + 1].querySelector("data")?.value));
    return { name, steps: nearest(divisors, Math.max(...divisors)) };
  });
  const presets = { ...PRESETS, longrope: curves[curves.length - 1].steps };

  const state = fromSearch(location.search);
  const grows = !location.search && !matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (grows) state.length = TRAINED;
  let [origin, isMoved, asked, answered, pause, cursor, growing] = [-1, false, 0, 0, 0, -1, 0];
  let [drawing, left, next] = [0, 0, 0]; // the frame, parts that do not show the state yet, and the one after them
  /** @type {import("./desk.js").Known | null} */
  let known = null;
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" }); // loads the model while the page builds the desk

  const [above, desk, below] = html(curves); // one in a frame, so that the page can answer in between
  host.innerHTML = above + desk;
  await frame();
  /** @type {ReturnType<typeof dial>[]} */
  const dials = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    part(".rt-desk").insertAdjacentHTML("beforeend", channel(pair));
    dials[pair] = dial({ name: clock(pair), color: pairColor(pair, PAIRS) });
    part(".rt-desk").lastElementChild.firstElementChild.after(dials[pair].element);
    if (pair % 4 === 3) await frame();
  }
  host.insertAdjacentHTML("beforeend", below);
  const [cells, channels, faders, length] = [all(".rt-ticker span"), all(".rt-channel"), all("[data-pair]"), part("#rt-length")];

  /** Whether the last answer is complete, and that to the last question. */
  const isWhole = () => answered === asked && known?.texts === TEXTS && !growing;

  /** Four of the channels. @param {number} from */
  const drawChannels = (from) => () => dials.slice(from, from + 4).forEach(({ update }, at) => {
    const [pair, end] = [from + at, state.length];
    const own = speeds(state)[pair];
    update({ angle: own * (cursor < 0 || cursor >= end ? end - 1 : cursor), met: plain[pair] * TRAINED, reach: own * end });
    const [times, isMute] = [numeral(own / plain[pair], 2), state.mutes[pair]];
    faders[pair].value = String(LAST - state.steps[pair]);
    faders[pair].setAttribute("aria-valuetext", isMute ? "muted" : `${times} times the trained speed`);
    setText(channels[pair].children[3], isMute ? "still" : `${times}×`);
    setText(channels[pair].firstElementChild, isMute ? "–" : letter(own));
    channels[pair].lastElementChild.setAttribute("aria-pressed", String(isMute));
  });

  function drawText() {
    length.value = String(state.length);
    length.setAttribute("aria-valuetext", `${state.length} letters`);
    setText(length.nextElementSibling, String(state.length));
    cells.forEach((cell, place) => {
      const kind = place >= state.length ? "is-out" : !known || place < BACK ? "" : known.verdicts[place] ? "is-right" : "is-wrong";
      if (cell.className !== kind) cell.className = kind;
    });
  }

  function drawAnswer() {
    if (!known) return;
    const right = share(known, state.length);
    const [percent, rest] = scored(known, state.length);
    setText(part(".rt-share b"), percent);
    setText(part(".rt-share span"), rest);
    const points = Array.from(lookBack(known, state.length), (weight, at) => `${4 * (at % OFFSETS)},${(80 - 66 * weight).toFixed(1)}`);
    [1, 2].forEach((head) => part(`.rt-looks path:nth-of-type(${head + 1})`).setAttribute("d", `M${points.slice((head - 1) * OFFSETS, head * OFFSETS).join("L")}`));
    if (isWhole()) TASKS.forEach(([, holds], index) => {
      if (holds({ state, share: right, origin })) setText(part(`.rt-tasks li:nth-child(${index + 1}) b`), "✓");
    });
  }

  const parts = [drawText, ...[0, 4, 8, 12].map(drawChannels), drawAnswer];

  /** Draw one part in each frame: all at once would keep a slow phone busy. */
  function draw() {
    parts[next]();
    next = (next + 1) % parts.length;
    drawing = --left ? requestAnimationFrame(draw) : 0;
  }

  function show() {
    left = parts.length;
    drawing ||= requestAnimationFrame(draw);
    clearTimeout(pause);
    pause = setTimeout(rest, PAUSE);
  }

  /** Tell what the desk shows, and keep it in the address. */
  function rest() {
    if (!known || !isWhole()) return;
    part(".rt-ticker").setAttribute("aria-label", heard(known, state.length));
    part(".rt-looks").setAttribute("aria-label", looked(known, state.length));
    setText(part(".rt-sentence"), `${scored(known, state.length).join(" ")}. ${told(known, state)}`);
    if (isMoved) history.replaceState(null, "", toSearch(state) + location.hash);
  }

  function ask() {
    isMoved = true;
    const [first] = state.steps;
    if (first % LAST === 0 && state.steps.every((step) => step === first)) origin = first;
    all("[data-preset]").forEach((button) => button.setAttribute("aria-pressed", String(!state.mutes.includes(true) && String(presets[/** @type {keyof typeof presets} */ (button.dataset.preset)]) === String(state.steps))));
    worker.postMessage({ id: ++asked, speeds: speeds(state) });
    show();
  }

  let failures = 0; // browsers cache a failed import, so a retry adds a query string
  const save = () => import(failures ? `./card.js?${failures}` : "./card.js")
    .then((card) => card.save(host, part(".rt-share").textContent))
    .catch((error) => {
      failures += 1;
      setText(part(".rt-sentence"), `Could not make the picture: ${error.message}.`);
    });

  const still = () => { clearInterval(growing); growing = 0; };

  worker.addEventListener("message", ({ data }) => {
    if (data.error) setText(part(".rt-sentence"), "The model could not be loaded. Reload the page.");
    if (data.id !== asked || data.error) return;
    if (!known) setText(part(".rt-sentence"), grows ? `It was trained on ${TRAINED} letters. Now the text grows to ${MOST}.` : `Reading ${TEXTS} texts …`);
    if (!known && grows && !isMoved) growing = setInterval(() => {
      state.length = Math.min(MOST, state.length + 4);
      if (state.length === MOST) still();
      show();
    }, GROWTH);
    [known, answered] = [data.known, data.id];
    show();
  });

  host.addEventListener("input", ({ target }) => {
    const { id, value, dataset } = /** @type {HTMLInputElement} */ (target);
    if (id === "rt-length") {
      [state.length, isMoved] = [Number(value), true];
      show();
    } else if (id === "rt-curve") {
      all(".rt-fader i").forEach((ghost, pair) => {
        ghost.hidden = !value;
        ghost.style.setProperty("--at", String((curves[Number(value)].steps[pair]) / LAST));
      });
    } else if (dataset.pair) {
      const pair = Number(dataset.pair);
      const to = LAST - Number(value);
      state.steps = state.steps.map((step, other) => other === pair ? to : !part("#rt-follow").checked ? step : other < pair ? Math.min(step, to) : Math.max(step, to));
      ask();
    }
  });
  host.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement} */ (target).closest("button");
    if (!button) return;
    const { mute, preset } = button.dataset;
    if (mute) state.mutes[Number(mute)] = !state.mutes[Number(mute)];
    if (preset) Object.assign(state, { steps: [...presets[/** @type {keyof typeof presets} */ (preset)]], mutes: Array(PAIRS).fill(false) });
    if (!mute && !preset) return save();
    if (preset) origin = -1;
    ask();
  });
  for (const way of ["pointermove", "pointerleave"]) part(".rt-ticker").addEventListener(way, (/** @type {PointerEvent} */ { target }) => { cursor = cells.indexOf(/** @type {HTMLElement} */ (target)); show(); });
  for (const touch of ["pointerdown", "keydown"]) host.addEventListener(touch, still);
  ask();
  isMoved = false;
}
