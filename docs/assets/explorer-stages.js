/**
 * The views on their stages: fitted to them, drawn, and changed in place.
 * @module explorer-stages
 */

import { matrixBox, painter } from "./explorer-views.js";

/** @typedef {import("./explorer-model.js").Model} Model */
/** @typedef {import("./explorer-model.js").Mark} Mark */
/** @typedef {import("./explorer-views.js").View} View */
/** @typedef {import("./explorer-views.js").Size} Size */
/**
 * @typedef {object} Stage
 * @property {View} view
 * @property {HTMLElement} element
 * @property {Size} size
 * @property {(width: number) => void} fit
 * @property {(model: Model, mark: Mark | null) => void} draw
 */

/**
 * @param {View} view
 * @param {HTMLElement} element
 * @returns {Stage}
 */
export function stage(view, element) {
  const layers = [...element.querySelectorAll("svg")]; // drawings of their own: one is not touched when another changes
  const canvas = element.querySelector("canvas");
  const [frame, data, marks] = layers.map(layer);
  const paint = canvas && painter(canvas);
  const size = { width: 0, height: 0 };
  let framed = "";
  return {
    view, element, size,
    fit(width) {
      Object.assign(size, { width, height: view.height(width) });
      element.style.height = `${size.height}px`;
      for (const svg of layers) for (const name of /** @type {const} */ (["width", "height"])) svg.setAttribute(name, String(size[name]));
      if (!canvas) return;
      const { left, right, top, bottom } = matrixBox(size);
      Object.assign(canvas.style, {
        left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px`,
      });
    },
    draw(model, mark) {
      if (!size.width) return;
      paint?.(model, matrixBox(size));
      const wanted = `${size.width} ${model.state.d_model} ${model.state.length} ${view.framed?.(model, size)}`;
      if (wanted !== framed) frame(view.frame(model, size));
      framed = wanted;
      data(view.data(model, size));
      marks(mark ? view.marks(mark, model, size) : "");
    },
  };
}

const VALUES = /="([^"]*)"|>([^<]+)/g; // of attributes, and texts

/**
 * What fills `svg`. Where new content differs from the last in values alone, the elements stay and
 * take them: neither parsed nor styled anew. Texts are without entities.
 * @param {Element} svg
 * @returns {(content: string) => void}
 */
function layer(svg) {
  let drawn = "";
  let form = "";
  /** @type {string[]} */
  let values = [];
  /** @type {((value: string) => void)[]} */
  let places = [];
  return (content) => {
    if (content === drawn) return;
    drawn = content;
    /** @type {string[]} */
    const next = [];
    const nextForm = content.replace(VALUES, (_, value, text) => {
      next.push(value ?? text);
      return text ? ">text" : "=";
    });
    if (nextForm === form) {
      next.forEach((value, index) => { if (value !== values[index]) places[index](value); });
    } else {
      svg.innerHTML = content;
      places = [...svg.querySelectorAll("*")].flatMap((element) => [
        ...Array.from(element.attributes, ({ name }) => (/** @type {string} */ value) => element.setAttribute(name, value)),
        ...(element.firstChild instanceof Text ? [(/** @type {string} */ value) => { element.textContent = value; }] : []),
      ]);
      form = nextForm;
    }
    values = next;
  };
}
