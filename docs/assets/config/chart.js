/**
 * Wavelengths of all pairs before and after a scaling, on a logarithmic axis, as an SVG.
 */

import { extremes, numeral, raised } from "./shown.js";

/** @import { Pair } from "./words.js" */

const HEIGHT = 210;
const EDGE = { left: 44, right: 8, top: 20, bottom: 30 };

const SVG = new DOMParser().parseFromString("<svg></svg>", "text/html").body.firstElementChild?.namespaceURI ?? null;

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  if (text !== undefined) element.textContent = text;
  return element;
}

/**
 * @param {Pair[]} pairs
 * @param {string} words for those who do not see it
 * @param {{ width: number, trained: number | null, names: Record<string, string> | null }} options names of the fates, if there is a scaling
 */
export function chart(pairs, words, { width, trained, names }) {
  const seen = pairs.flatMap(({ before, wavelength }) => [before, wavelength]).filter(Number.isFinite);
  const [least, most] = extremes(trained === null ? seen : [...seen, trained]);
  const [low, high] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  const decades = Math.max(1, high - low);
  const x = (/** @type {number} */ i) => EDGE.left + (i + 0.5) * (width - EDGE.left - EDGE.right) / pairs.length;
  const y = (/** @type {number} */ value) => HEIGHT - EDGE.bottom - (Math.log10(value) - low) / decades * (HEIGHT - EDGE.top - EDGE.bottom);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, role: "img", "aria-label": words, fill: "none", stroke: "currentColor", style: "width: 100%; max-width: 44rem; overflow: visible; font-size: 11px" });
  const text = (/** @type {number} */ left, /** @type {number} */ top, /** @type {string} */ said, anchor = "middle") => (
    svg("text", { x: left, y: top, fill: "currentColor", stroke: "none", "text-anchor": anchor }, said));
  const line = (/** @type {number} */ left, /** @type {number} */ top, /** @type {number} */ right, /** @type {number} */ bottom, /** @type {object} */ looks) => (
    svg("line", { x1: left, y1: top, x2: right, y2: bottom, ...looks }));
  for (let power = low; power <= low + decades; power += Math.ceil(decades / 5)) {
    drawing.append(line(EDGE.left, y(10 ** power), width - EDGE.right, y(10 ** power), { opacity: 0.2 }));
    drawing.append(text(EDGE.left - 6, y(10 ** power) + 4, power < 0 || power > 5 ? `10${raised(power)}` : numeral(10 ** power), "end"));
  }
  for (const { fate, from, to } of names ? runs(pairs) : []) {
    if (from) drawing.append(line(x(from - 0.5), EDGE.top - 6, x(from - 0.5), HEIGHT - EDGE.bottom, { opacity: 0.5 }));
    const name = names?.[fate] ?? "";
    if (x(to) - x(from) > 5 * name.length) drawing.append(text((x(from) + x(to)) / 2, EDGE.top - 9, name));
  }
  if (trained) drawing.append(line(EDGE.left, y(trained), width - EDGE.right, y(trained), { "stroke-dasharray": "2 3" }), text(width - EDGE.right, y(trained) + 12, `trained on ${numeral(trained)}`, "end"));
  const path = (/** @type {"before" | "wavelength"} */ name) => pairs.map((pair, i) => ({ value: pair[name], i })).filter(({ value }) => Number.isFinite(value)).map(({ value, i }) => `${x(i).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  if (names) drawing.append(svg("polyline", { points: path("before"), "stroke-dasharray": "5 4", "stroke-width": 1.5, style: "stroke: var(--fig-before)" }));
  drawing.append(svg("polyline", { points: path("wavelength"), "stroke-width": 2.5, style: "stroke: var(--fig-1)" }));
  const step = Math.ceil(pairs.length / 8);
  for (let i = 0; i < pairs.length; i += step) drawing.append(text(x(i), HEIGHT - EDGE.bottom + 14, String(i)));
  drawing.append(text((EDGE.left + width) / 2, HEIGHT - 2, "pair"));
  return drawing;
}

/** Neighbours with the same fate. @param {Pair[]} pairs */
function runs(pairs) {
  /** @type {{ fate: import("./words.js").Fate, from: number, to: number }[]} */
  const found = [];
  for (const [i, { fate }] of pairs.entries()) {
    const last = found[found.length - 1];
    if (last?.fate === fate) last.to = i;
    else found.push({ fate, from: i, to: i });
  }
  return found;
}
