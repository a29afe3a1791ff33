/**
 * What the modules of the live model compute.
 * @module live_model
 */

/** @typedef {{ folder: string, name: string }} Place the folder of the modules, the name of the model */

/** @param {Place} place */
async function model({ folder, name }) {
  const { unpacked } = await import(`${folder}weights.js`);
  const response = await fetch(`${folder}weights/${name}.safetensors`);
  return unpacked(await response.arrayBuffer());
}

/**
 * The logits, and the attention of all layers, for each text; every other one with the encoding switched off.
 * @param {Place & { texts: number[][] }} asked
 */
export async function passes({ texts, ...place }) {
  const { runModel } = await import(`${place.folder}forward.js`);
  const found = await model(place);
  return texts.map((tokens, number) => {
    const { logits, layers } = runModel(found, tokens, { isOff: number % 2 > 0 });
    return { logits: [...logits], weights: layers.flatMap((/** @type {{ weights: Float64Array }} */ { weights }) => [...weights]) };
  });
}

/**
 * The parts of the outcome of each state that differ in any bit if the pass continues from the one before.
 * @param {Place & { states: { [name: string]: unknown }[] }} asked
 */
export async function edits({ states, ...place }) {
  const { outcome, unknown } = await import(`${place.folder}outcome.js`);
  const { DEFAULTS } = await import(`${place.folder}state.js`);
  const found = await model(place);
  /** @type {any} */
  let known = null;
  let computed = 0;
  const differences = [];
  for (const given of states) {
    const state = { ...DEFAULTS, model: place.name, ...given };
    if (known) computed += unknown(state, known);
    known = outcome(found, state, known);
    const fresh = outcome(found, state);
    const differ = Object.keys(fresh).filter((part) => JSON.stringify(known[part]) !== JSON.stringify(fresh[part]));
    if (differ.length) differences.push({ state, differ });
  }
  return { differences, computed };
}

/** What the panel shows: its controls, the letters, the answers with their verdicts. */
export function shown() {
  /** @param {string} name @returns {any} */
  const control = (name) => document.querySelector(`[data-control=${name}]`);
  const cells = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".lm-strip .lm-cell")]).filter((cell) => !cell.hidden);
  /** @param {number} line */
  const letters = (line) => cells.map((cell) => cell.children[line].textContent).join("");
  const verdict = (/** @type {HTMLElement} */ { classList, textContent }) => (classList.contains("is-right") ? "+" : classList.contains("is-wrong") ? "-" : textContent ? "." : "");
  return {
    model: control("model").value, scaling: control("scaling").value, off: control("off").checked,
    length: control("length").valueAsNumber, field: control("text").value,
    text: letters(0), answers: letters(1), verdicts: cells.map(verdict).join(""),
  };
}

/** The pixels of the map of each head, row after row. */
export function pixels() {
  const maps = /** @type {NodeListOf<HTMLCanvasElement>} */ (document.querySelectorAll(".lm-maps figure:not([hidden]) canvas"));
  return Array.from(maps, (canvas) => {
    const { width } = canvas;
    const { data } = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).getImageData(0, 0, width, width);
    return { width, data: btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join("")) }; // a list takes seconds
  });
}

/** The height of each grid of cells, and of what is in it. */
export function heights() {
  return Array.from(document.querySelectorAll(".lm-strip .lm-grid"), (grid) => {
    const cells = Array.from(grid.querySelectorAll(":scope > :not([hidden])"), (cell) => cell.getBoundingClientRect().bottom);
    const { top, height } = grid.getBoundingClientRect();
    return [height, Math.max(top, ...cells) - top];
  });
}
