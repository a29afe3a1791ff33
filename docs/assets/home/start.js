/**
 * Words that the reader moves, and what attention answers to each, without the clocks of the places or with them.
 */

import { dial, pairColor } from "../clocks/dial.js";
import { frequencies } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { answers, D_MODEL } from "./head.js";

const WORDS = ["dog", "bites", "man"];

/** The hue shows the first number of an answer, the lightness the second. @param {number[]} answer */
const color = ([first, second]) => `oklch(${0.15 + 0.148 * second} .13 ${110 + 250 * first})`;

/** @param {string} word */
const card = (word) => `<div role="listitem" data-word="${word}"><span class="card"><button aria-label="Move ${word} left">←</button><b>${word}</b><button aria-label="Move ${word} right">→</button></span>
<i class="chip" role="img"></i><span class="answer" aria-hidden="true"></span></div>`;

/** The clocks of a place. @param {number} place */
function wall(place) {
  const element = document.createElement("span");
  frequencies(D_MODEL).forEach((speed, pair, { length }) => {
    const clock = dial({ name: `Place ${place}, ${pair ? "slow" : "fast"} clock`, color: pairColor(pair, length) });
    clock.update({ angle: place * speed, trace: place * speed });
    element.append(clock.element);
  });
  return element;
}

/** @param {HTMLElement} host */
export function start(host) {
  host.innerHTML = `<div class="cards" role="list">${WORDS.map(card).join("")}</div><div class="walls"></div>
<label><input type="checkbox" role="switch"> Give each place its clocks</label>
<p role="status">Each colour shows two numbers: attention’s answer to the word above it.</p>`;
  const [list, walls, , status] = /** @type {HTMLElement[]} */ ([...host.children]);
  const clocks = /** @type {HTMLInputElement} */ (host.querySelector("input"));
  walls.append(...WORDS.map((_, place) => wall(place)));

  function show(said = "") {
    const items = /** @type {HTMLElement[]} */ ([...list.children]);
    answers(items.map(({ dataset }) => dataset.word ?? ""), clocks.checked).forEach((answer, place) => {
      const [, chip, text] = /** @type {HTMLElement[]} */ ([...items[place].children]);
      const numbers = answer.map((number) => numeral(number, 2));
      chip.style.background = color(answer);
      chip.setAttribute("aria-label", `The answer to ${items[place].dataset.word}: ${numbers.join(" and ")}`);
      text.textContent = numbers.join(", ");
      items[place].querySelectorAll("button").forEach((button, side) => {
        button.setAttribute("aria-disabled", String(place === side * (items.length - 1)));
      });
    });
    if (said) status.textContent = said;
  }

  /** Change places with the neighbour; how far the word went, in pixels. @param {HTMLElement} item @param {number} step -1 or 1 */
  function move(item, step) {
    const other = step < 0 ? item.previousElementSibling : item.nextElementSibling;
    if (!other) return 0;
    const before = item.offsetLeft;
    other.remove(); // not the word itself, which keeps the focus and the pointer
    if (step < 0) item.after(other); else item.before(other);
    const way = item.offsetLeft - before;
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      other.animate([{ transform: `translateX(${way}px)` }, {}], 200);
      if (!item.style.translate) item.animate([{ transform: `translateX(${-way}px)` }, {}], 200);
    }
    const order = [...list.children].map((one) => /** @type {HTMLElement} */ (one).dataset.word).join(" ");
    show(clocks.checked
      ? `Now “${order}”, and every answer has changed: attention can tell the orders apart.`
      : `Now “${order}”, and each word kept its answer: attention cannot see order.`);
    if (item.querySelector("[aria-disabled=true]:focus")) /** @type {HTMLElement} */ (item.querySelector("[aria-disabled=false]")).focus();
    return way;
  }

  list.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (button) move(/** @type {HTMLElement} */ (button.closest("[data-word]")), button.nextElementSibling ? -1 : 1);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    move(/** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest("[data-word]")), step);
  });
  list.addEventListener("pointerdown", (event) => {
    const item = /** @type {HTMLElement} */ (/** @type {Element} */ (event.target).closest("[data-word]"));
    if (!item || /** @type {Element} */ (event.target).closest("button")) return;
    let from = event.clientX;
    item.setPointerCapture(event.pointerId);
    item.onpointermove = ({ clientX }) => {
      item.style.translate = `${clientX - from}px`;
      if (Math.abs(clientX - from) > item.offsetWidth / 2) from += move(item, Math.sign(clientX - from));
      item.style.translate = `${clientX - from}px`;
    };
    item.onlostpointercapture = () => {
      item.onpointermove = null;
      item.style.translate = "";
    };
  });
  clocks.addEventListener("change", () => show(clocks.checked
    ? "Now each place has its clocks, and every answer has changed."
    : "Without clocks, each word has its first answer again."));
  show();
}
