/**
 * A slider and a play button for the position, in the figure of the clock hands.
 */

import { TURN, hand } from "../clocks/outlines.js";
import { frequencies } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { axes, copies } from "./drawing.js";
import { addSliders, range } from "./panel.js";

const COLUMN = 18.5; // of the last clocks, which move
const APART = 2.5; // from one clock to the next below
const DRAWN = 1000; // the position of these clocks in the static figure
const POSITIONS = range(0, 1200);
const STEP = 120; // ms for each position

/** @param {HTMLElement} host */
export function start(host) {
  const { x, y, draw } = axes(host);
  const [label, ring, ...hands] = copies(host); // Matplotlib draws the position below the hands
  const speeds = [...frequencies(8)];
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let timer = 0;

  addSliders(host, { position: { values: POSITIONS, value: DRAWN } }, ({ position }) => {
    ring.querySelector("path")?.style.setProperty("stroke", position === DRAWN ? "" : "var(--fig-grid)");
    hands.forEach((part, pair) => {
      const drawn = hand(position * speeds[pair]);
      draw(part, drawn, COLUMN, -APART * pair);
      const tip = part.querySelector("use");
      tip?.setAttribute("x", String(x(COLUMN + drawn[1][0])));
      tip?.setAttribute("y", String(y(drawn[1][1] - APART * pair)));
    });
    /** @type {Element} */ (label.querySelector("text")).textContent = numeral(position, 0);
    const turns = speeds.map((speed, pair) => `pair ${pair} has turned ${numeral(position * speed / TURN, 2)} times`);
    return `At position ${numeral(position, 0)}, ${turns.slice(0, 3).join(", ")} and ${turns[3]}.`;
  });

  const slider = /** @type {HTMLInputElement} */ (host.querySelector("#slider-position"));
  const play = document.createElement("button");
  play.type = "button";
  play.className = "sliders-play";
  play.textContent = "Play";
  slider.closest(".sliders-panel")?.querySelector(":scope > button")?.before(play);

  function pause() {
    clearInterval(timer);
    timer = 0;
    play.textContent = "Play";
  }

  function turn() {
    if (still.matches || slider.valueAsNumber === POSITIONS.length - 1) return pause();
    move(slider.valueAsNumber + 1);
  }

  /** @param {number} position */
  function move(position) {
    slider.value = String(position);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }

  play.hidden = still.matches;
  play.addEventListener("click", () => {
    if (timer) return pause();
    if ([DRAWN, POSITIONS.length - 1].includes(slider.valueAsNumber)) move(0);
    play.textContent = "Pause";
    timer = setInterval(turn, STEP);
  });
  for (const touch of ["pointerdown", "keydown"]) {
    host.addEventListener(touch, ({ target }) => { if (target !== play) pause(); });
  }
}
