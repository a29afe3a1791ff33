/**
 * The views on their stages: fitted to them, drawn, and changed in place.
 * @module explorer/stages
 */

import { painter } from "./painter.js";
import { matrixBox } from "./views.js";

/** @typedef {import("./model.js").Model} Model */
/** @typedef {import("./model.js").Mark} Mark */
/** @typedef {import("./views.js").View} View */
/** @typedef {import("./views.js").Size} Size */
/** @typedef {import("./shapes.js").Shape} Shape */
/** @typedef {import("./shapes.js").Attributes} Attributes */
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
      marks(mark ? view.marks(mark, model, size) : []);
    },
  };
}

/**
 * What fills `svg`. Its elements stay and take new values where they can: neither parsed nor, but
 * for few attributes, styled anew.
 * @param {SVGSVGElement} svg
 * @returns {(shapes: Shape[]) => void}
 */
function layer(svg) {
  /** @type {{ element: Element, tag: string, attributes: Attributes, content: string }[]} */
  const drawn = [];
  return (shapes) => {
    while (drawn.length > shapes.length) drawn.pop()?.element.remove();
    shapes.forEach(([tag, attributes, content = ""], index) => {
      let now = drawn[index];
      if (now?.tag !== tag) {
        const element = document.createElementNS(svg.namespaceURI, tag);
        if (now) now.element.replaceWith(element);
        else svg.append(element);
        drawn[index] = now = { element, tag, attributes: {}, content: "" };
      }
      const { element, attributes: before } = now;
      for (const name in before) if (!(name in attributes)) element.removeAttribute(name);
      for (const name in attributes) if (attributes[name] !== before[name]) element.setAttribute(name, String(attributes[name]));
      now.attributes = attributes;
      if (content === now.content) return;
      if (element.firstChild instanceof Text) element.firstChild.data = content;
      else element.innerHTML = content;
      now.content = content;
    });
  };
}
