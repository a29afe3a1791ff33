/**
 * Sliders for factor, base and trained length, in the figure of the wavelengths that scalings give.
 */

import { numeral } from "../maths/numerals.js";
import { rotaryFrequencies } from "../maths/rotary.js";
import { copies, path, scales } from "./drawing.js";
import { addSliders, powers } from "./panel.js";

/** @typedef {import("../config/scalings.js").Scaling} Scaling */

const WIDTH = 96;
const PAIRS = WIDTH / 2;
const FACTORS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64];
const BASES = powers(10, 8, 24, 48).map((base) => Number(base.toPrecision(2)));
const LENGTHS = powers(2, 1, 9, 17);

/**
 * The scalings of the panels, in their order. LongRoPE has no rule, so its panel keeps the published divisors.
 * @param {number} factor @param {number} length
 * @returns {(Scaling | null)[]}
 */
const scalings = (factor, length) => [
  { type: "Linear", factor },
  { type: "NTK", factor },
  { type: "NTK", factor: Math.max(1, factor / 8) }, // dynamic, in a text of an eighth of the full length
  { type: "YaRN", factor, original_max_position_embeddings: length, beta_fast: 32, beta_slow: 1, truncate: true, mscale: 1, mscale_all_dim: 0, attention_factor: null },
  { type: "Llama3", factor, low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: length },
  null,
];

/** @param {HTMLElement} host */
export function start(host) {
  const marked = /** @type {NodeListOf<HTMLElement>} */ (host.querySelectorAll("[data-scales]"));
  const panels = [...marked].map(scales);
  const lines = copies(host).map((copy) => /** @type {Element} */ (copy.querySelector("path")));
  // How far LongRoPE lifts each pair, in the units of the drawing.
  const [before, after] = lines.slice(-3).map((line) => [...(line.getAttribute("d") ?? "").matchAll(/[ML] *[-\d.]+[ ,]+([-\d.]+)/g)].map(([, y]) => Number(y)));
  const lifts = after.map((y, pair) => y - before[pair]);

  addSliders(host, {
    factor: { values: FACTORS, value: 32 },
    base: { values: BASES, value: 10_000 },
    length: { values: LENGTHS, value: 4096 },
  }, ({ factor, base, length }) => {
    /** Wavelength of each pair. @param {Scaling | null} scaling */
    const waves = (scaling) => Array.from(rotaryFrequencies(scaling, base, WIDTH), (speed) => 2 * Math.PI / speed);
    const plain = waves(null);
    const scaled = scalings(factor, length).map((scaling) => (scaling ? waves(scaling) : null));
    panels.forEach(({ x, y }, panel) => {
      const [old, made, trained] = lines.slice(3 * panel, 3 * panel + 3);
      const ys = scaled[panel]?.map(y) ?? plain.map((wave, pair) => y(wave) + lifts[pair]);
      old.setAttribute("d", path(plain.map((wave, pair) => [x(pair), y(wave)])));
      made.setAttribute("d", path(ys.map((each, pair) => [x(pair), each])));
      trained.setAttribute("d", path([0, PAIRS - 1].map((pair) => [x(pair), y(length)])));
    });
    const unseen = plain.map((wave) => wave > length);
    const count = unseen.filter(Boolean).length;
    /** Pairs with unseen angles that are slowed by the whole factor. @param {number} panel */
    const slowed = (panel) => unseen.filter((is, pair) => is && (scaled[panel]?.[pair] ?? 0) > plain[pair] * factor * 0.9999).length;
    /** Pairs that keep their speed. @param {number} panel */
    const kept = (panel) => plain.filter((wave, pair) => (scaled[panel]?.[pair] ?? 0) < wave * 1.0001).length;
    const before = `With base ${numeral(base)}, ${count} of ${PAIRS} pairs ${count === 1 ? "does" : "do"} not finish a turn within ${numeral(length)} steps. `;
    if (factor === 1) return `${before}Factor 1 changes nothing.`;
    return before
      + (count ? `Factor ${numeral(factor)} slows ${count === 1 ? "it" : "all of these"} fully with linear scaling, ${slowed(1)} with NTK, ${slowed(3)} with YaRN and ${slowed(4)} with Llama 3. ` : "")
      + `YaRN keeps the speed of ${kept(3)} pairs, Llama 3 of ${kept(4)}.`;
  });
}
