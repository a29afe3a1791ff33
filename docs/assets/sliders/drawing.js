/**
 * Drawing into a published figure: copies of its parts, and its scales.
 * @module sliders/drawing
 */

/** @typedef {(value: number) => number} Scale */

/**
 * A copy of each part of the drawings in `host` that is to be redrawn, beside it.
 * @param {HTMLElement} host
 */
export function redrawn(host) {
  return [...host.querySelectorAll(".redrawn")].map((part) => {
    const copy = /** @type {Element} */ (part.cloneNode(true));
    copy.setAttribute("class", "redrawing");
    copy.querySelector("defs")?.remove(); // those of the original serve both
    part.after(copy);
    return copy;
  });
}

/**
 * The scales of the axes of the first drawing in `host`, and a group for more lines.
 * @param {Element} host
 * @returns {{ x: Scale, y: Scale, group: Element }}
 */
export function axes(host) {
  const element = /** @type {SVGElement} */ (host.querySelector("[data-scales]"));
  const said = (element.dataset.scales ?? "").split(" ");
  const [x, y] = [0, 3].map((at) => /** @type {Scale} */ ((value) => {
    const along = said[at] === "log" ? Math.log10(value) : value;
    return Math.round(100 * (Number(said[at + 1]) + Number(said[at + 2]) * along)) / 100;
  }));
  element.insertAdjacentHTML("beforeend", '<g class="redrawing" fill="currentColor" font-size="9"></g>');
  return { x, y, group: /** @type {Element} */ (element.lastElementChild) };
}

/**
 * The path through `points`.
 * @param {[number, number][]} points
 */
export const path = (points) => `M${points.join("L")}`;
