/**
 * Functions with which tests read and operate the explorer.
 * @module explorer
 */

/** @typedef {[number, number][]} Points */

/** @type {(e: Element, ...names: string[]) => number[]} */
const numbers = (e, ...names) => names.map((name) => Number(e.getAttribute(name)));

/** Go to another state without loading the page anew: follow a link of the page to itself. @param {string} query */
export function become(query) {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  const link = Object.assign(document.createElement("a"), { href: query });
  document.body.append(link);
  link.click();
  link.remove();
  scrollTo(0, 0);
}

/** Draw all views and words now, as before printing, instead of in the next frames. */
export function drawAll() {
  dispatchEvent(new Event("beforeprint"));
}

/** Each field's number. */
export function state() {
  drawAll();
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-field]"));
  return Object.fromEntries(Array.from(fields, (e) => [e.dataset.field, Number(e.value)]));
}

/** What the fields, the call in the code and the address say. */
export function said() {
  const all = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-field]"));
  const fields = Object.fromEntries(Array.from(all, (e) => [e.dataset.field, e.value]));
  const code = document.querySelector(".ex-take code")?.textContent?.match(/positional_encoding\([^)]*\)/)?.[0];
  return { fields, code, address: location.href };
}

/** Each reading's text. */
export function readings() {
  drawAll();
  const all = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-reading]"));
  return Object.fromEntries(Array.from(all, (e) => [e.dataset.reading, e.textContent]));
}

/** The views that show a mark. */
export function marked() {
  drawAll();
  const views = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-view]"));
  return [...views].filter((view) => view.querySelector("svg:last-of-type")?.childElementCount)
    .map((view) => view.dataset.view);
}

/** Width and height of the matrix's picture, and the colours of some of its rows. */
export function cells() {
  drawAll();
  const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(".ex-matrix canvas"));
  const { width, height } = canvas;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const { data } = context.getImageData(0, 0, width, height);
  const step = Math.max(1, Math.floor(height / 5));
  const rows = [];
  for (let y = 0; y < height; y += step) rows.push([...data.subarray(4 * y * width, 4 * (y + 1) * width)]);
  return [width, height, rows];
}

/**
 * The ticks of a view's axis, and for each of its lines the points and its dash pattern.
 * @param {string} kind
 */
export function points(kind) {
  drawAll();
  const [frame, data] = document.querySelectorAll(`[data-view=${kind}] svg`);
  /** @param {string | null} text */
  const parsed = (text) => (text?.match(/-?[\d.]+/g) ?? []).map(Number);
  const ticks = Array.from(frame.querySelectorAll("text[text-anchor=end]"),
    (e) => [e.textContent, numbers(e, "y")[0] - 4]);
  /** The dashes of a line: one at each unit of its length. @type {(e: Element) => Points} */
  const dashes = (e) => {
    const [x1, y1, x2, y2] = numbers(e, "x1", "y1", "x2", "y2");
    const steps = Number(e.getAttribute("pathLength"));
    return Array.from({ length: Math.floor(steps) + 1 },
      (_, i) => [x1 + (x2 - x1) * i / (steps || 1), y1 + (y2 - y1) * i / (steps || 1)]);
  };
  /** @type {Record<string, (e: Element) => number[][]>} */
  const shapes = {
    line: dashes,
    path: (e) => (e.getAttribute("d")?.match(/M[^Mh]*/g) ?? []).map(parsed),
    polyline: (e) => (e.getAttribute("points") ?? "").split(" ").filter(Boolean).map(parsed),
  };
  const lines = Array.from(data.querySelectorAll("line, path, polyline"), (e) => shapes[e.tagName](e));
  return [ticks, lines];
}

/** How the lines of the view of wavelengths are drawn. */
export function strokes() {
  drawAll();
  const [, data] = document.querySelectorAll("[data-view=wavelengths] svg");
  return Array.from(data.querySelectorAll("line"), (e) => {
    const { strokeDasharray, strokeLinecap } = getComputedStyle(e);
    return { colour: e.getAttribute("stroke"), dashes: strokeDasharray, ends: strokeLinecap };
  });
}

/** The faces, hands, arcs and texts of a view with dials. @param {string} kind */
export function dials(kind) {
  drawAll();
  const view = /** @type {Element} */ (document.querySelector(`[data-view=${kind}]`));
  const [frame, data] = view.querySelectorAll("svg");
  return {
    faces: Array.from(frame.querySelectorAll("circle"), (e) => numbers(e, "cx", "cy", "r")),
    hands: Array.from(data.querySelectorAll("line"),
      (e) => [e.getAttribute("stroke"), ...numbers(e, "x1", "y1", "x2", "y2")]),
    arcs: Array.from(data.querySelectorAll("polyline"),
      (e) => (e.getAttribute("points") ?? "").split(" ").filter(Boolean).map((point) => point.split(",").map(Number))),
    texts: Array.from(view.querySelectorAll("text"),
      (e) => [...numbers(e, "x", "y"), (e.textContent ?? "").replace("−", "-")]),
  };
}

/** Everything that shows the state; the order of attributes does not matter. */
export function everything() {
  drawAll();
  /** @param {Element} e */
  const element = (e) => [e.tagName, Array.from(e.attributes, ({ name, value }) => `${name}=${value}`).sort().join(" "), e.textContent];
  const controls = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(".ex-control input"));
  const canvas = /** @type {HTMLCanvasElement} */ (document.querySelector(".ex-matrix canvas"));
  return [
    ...Array.from(document.querySelectorAll(".ex-stage svg *"), element),
    ...Array.from(controls, (e) => [e.value, e.min, e.max]),
    canvas.toDataURL(),
  ];
}

/** From now on, the page never takes the reader to have paused. */
export function neverPause() {
  window.setTimeout = /** @type {any} */ (() => 0);
}

/** From now on, the page takes a frame to be full as soon as it has drawn one part. */
export function hurry() {
  let time = 0;
  performance.now = () => time += 1e6;
}

/** From now on, no time passes for the page. */
export function stopTime() {
  performance.now = () => 0;
}

/** Type a base, and wait until the window shows it. @param {string} base */
export async function enter(base) {
  const host = /** @type {Element} */ (document.querySelector(".ex"));
  const field = /** @type {HTMLInputElement} */ (host.querySelector("[data-field=base]"));
  const drawn = new Promise((done) => host.addEventListener("drawn", done, { once: true }));
  field.value = base;
  field.dispatchEvent(new Event("input"));
  await drawn;
}

/** Move the base's slider. */
function move() {
  const slider = /** @type {HTMLInputElement} */ (document.querySelector("[data-slider=base]"));
  slider.value = String(Number(slider.value) - 10);
  return slider.dispatchEvent(new Event("input"));
}

/**
 * Move the base's slider so many times; the result lists the parts that change at each move, then those in each
 * frame, and "drawn" where the event comes. If the reader `goesOn`, the slider also moves in each frame until each
 * part has been drawn.
 * @param {[moves: number, goesOn: boolean]} given
 */
export async function frames([moves, goesOn]) {
  const host = /** @type {Element} */ (document.querySelector(".ex"));
  const canvas = /** @type {HTMLCanvasElement} */ (host.querySelector(".ex-matrix canvas"));
  const views = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-view]:not([data-view=matrix])"));
  /** @type {[string, () => string | null][]} */
  const parts = [
    ["matrix", () => canvas.toDataURL()],
    ...Array.from(views, (view) => /** @type {[string, () => string]} */ ([view.dataset.view, () => view.innerHTML])),
    ["sentence", () => /** @type {Element} */ (host.querySelector(".ex-sentence")).textContent],
    ["code", () => /** @type {Element} */ (host.querySelector(".ex-take code")).textContent],
  ];
  const look = () => parts.map(([, text]) => text());
  /** @type {string[][]} */
  const found = [];
  let [before, isDrawn] = [look(), false];
  const note = () => {
    const after = look();
    const changed = parts.filter((_, index) => after[index] !== before[index]).map(([name]) => name);
    found.push(isDrawn ? [...changed, "drawn"] : changed);
    before = after;
  };
  host.addEventListener("drawn", () => { isDrawn = true; }, { once: true });
  for (let left = moves; left > 0; left--) {
    move();
    note();
  }
  for (let frame = 0; frame < 40 && !isDrawn; frame++) {
    await new Promise(requestAnimationFrame);
    note();
    if (goesOn && new Set(found.flat()).size < parts.length) move();
  }
  return found;
}
