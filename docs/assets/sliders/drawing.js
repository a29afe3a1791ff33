/**
 * Drawing in a static figure: copies of its parts, and the scales of its axes.
 */

/** @typedef {(value: number) => number} Scale */

/** Copies of the parts that Python marked as `redrawn`, each inserted after its original. @param {HTMLElement} host */
export function copies(host) {
  return [...host.querySelectorAll(".redrawn")].map((part) => {
    const copy = /** @type {Element} */ (part.cloneNode(true));
    copy.setAttribute("class", "redrawing");
    copy.querySelector("defs")?.remove(); // both use those of the original
    part.after(copy);
    return copy;
  });
}

/**
 * The scales of the first marked axes in `host`, a group to draw more into, and a function that draws an outline around a centre.
 * @param {Element} host
 */
export function axes(host) {
  const element = /** @type {HTMLElement} */ (host.querySelector("[data-scales]"));
  const { x, y } = scales(element);
  element.insertAdjacentHTML("beforeend", '<g class="redrawing" fill="currentColor" font-size="9"></g>');
  /** @param {Element} part a path, or a part that has one @param {number[][]} points @param {number} [left] @param {number} [up] */
  const draw = (part, points, left = 0, up = 0) => (part.matches("path") ? part : part.querySelector("path"))
    ?.setAttribute("d", points.length ? path(points.map(([across, above]) => [x(left + across), y(up + above)])) : "");
  return { x, y, draw, group: /** @type {Element} */ (element.lastElementChild) };
}

/** The scales of marked axes. @param {HTMLElement} element @returns {{ x: Scale, y: Scale }} */
export function scales(element) {
  const parts = (element.dataset.scales ?? "").split(" ");
  const [x, y] = [0, 3].map((at) => /** @type {Scale} */ ((value) => {
    const along = parts[at] === "log" ? Math.log10(value) : value;
    return Math.round(100 * (Number(parts[at + 1]) + Number(parts[at + 2]) * along)) / 100;
  }));
  return { x, y };
}

/** The path through `points`. @param {[number, number][]} points */
export const path = (points) => `M${points.join("L")}`;
