/**
 * Sliders for the length of the text and the factor, in the figure of the arcs that clocks meet.
 */

import { TURN, arc, fresh, hand } from "../clocks/outlines.js";
import { numeral } from "../maths/numerals.js";
import { rotaryFrequencies } from "../maths/rotary.js";
import { axes, copies } from "./drawing.js";
import { addSliders } from "./panel.js";

/** @import { Scaling } from "../config/scalings.js" */

const WIDTH = 96;
const TRAINED = 4096;
const PAIRS = Array.from({ length: 8 }, (_, k) => 5 + 6 * k);
const ROWS = [0, -4.2, -7.5, -10.8];
const APART = 2.6; // from one dial to the next
const HAND = 0.7;
const FACTORS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64];

/** The scalings of the rows. @param {number} factor @returns {(Scaling | null)[]} */
const scalings = (factor) => [
  null,
  { type: "Linear", factor },
  { type: "NTK", factor },
  { type: "YaRN", factor, original_max_position_embeddings: TRAINED, beta_fast: 32, beta_slow: 1, truncate: true, mscale: 1, mscale_all_dim: 0, attention_factor: null },
];

/** Frequencies of all pairs in each row. @param {number} factor */
const rows = (factor) => scalings(factor).map((scaling) => rotaryFrequencies(scaling, 10_000, WIDTH));

/** How far apart neighbours are, up to a factor. @param {Float64Array} speeds */
const step = (speeds) => Math.hypot(...speeds.map((speed) => Math.sin(speed / 2)));

/**
 * The dials, row by row: where the hand stands, and the arc that is new.
 * @param {Float64Array[]} speeds @param {number} times
 */
function dials(speeds, times) {
  return speeds.flatMap((own, row) => PAIRS.map((pair, column) => {
    const [met, end] = [(TRAINED - 1) * speeds[0][pair], (TRAINED - 1) * times * own[pair]];
    return { place: [APART * column, ROWS[row]], row, end, beyond: fresh(met, end) ? arc(met, Math.min(end, TURN)) : [] };
  }));
}

/** @param {HTMLElement} host */
export function start(host) {
  const { draw, group } = axes(host);
  const parts = copies(host);
  const words = parts.filter((part) => part.textContent);
  const lines = parts.filter((part) => !part.textContent);
  const hands = lines.splice(-PAIRS.length * ROWS.length);
  // The published figure has lines for some arcs; the others come behind them.
  const drawn = dials(rows(32), 32).flatMap(({ beyond }, index) => (beyond.length ? [index] : []));
  const missing = hands.map((_, index) => index).filter((index) => !drawn.includes(index));
  group.innerHTML = missing.map(() => '<path fill="none" stroke="var(--fig-new)" stroke-width="3.4"/>').join("");
  const arcs = new Map([...drawn, ...missing].map((index, at) => [index, [...lines, ...group.children][at]]));

  addSliders(host, {
    times: { values: FACTORS, value: 32 },
    factor: { values: FACTORS, value: 32 },
  }, ({ times, factor }) => {
    const speeds = rows(factor);
    const counts = ROWS.map(() => 0);
    dials(speeds, times).forEach(({ place, row, end, beyond }, index) => {
      draw(/** @type {Element} */ (arcs.get(index)), beyond, ...place);
      draw(hands[index], hand(end, HAND), ...place);
      if (beyond.length) counts[row] += 1;
    });
    const shares = speeds.slice(1).map((own) => `${Math.round(100 * step(own) / step(speeds[0]))}%`);
    words.forEach((part, row) => {
      /** @type {Element} */ (part.querySelector("text")).textContent = `neighbours ${shares[row]} as far apart`;
    });
    const [trained, linear, ntk, yarn] = counts;
    return `In a text ${numeral(times)} times as long, ${trained} of these ${PAIRS.length} clocks reach new angles. `
      + `Slowed by a factor of ${numeral(factor)} it is ${linear} with linear scaling, ${ntk} with NTK and ${yarn} with YaRN, `
      + `and neighbours are ${shares[0]}, ${shares[1]} and ${shares[2]} as far apart as before.`;
  });
}
