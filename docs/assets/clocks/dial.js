/**
 * A dial: a hand that starts upright and turns clockwise, the angles met in training, and the new ones.
 *
 * The caller computes the angles with the functions of maths/; a picture of them is all that is made here.
 */

import { numeral } from "../maths/numerals.js";
import { TURN, arc, between, fresh, hand, wedge } from "./outlines.js";

/**
 * @typedef {object} Shown angles in radians, clockwise from the top
 * @property {number} angle of the hand, with whole turns
 * @property {number} [other] of a second hand; the wedge between the two is filled
 * @property {number} [trace] the last part of the hand's way that stays visible
 * @property {number} [met] all angles up to this one were met in training
 * @property {number} [reach] the text reaches the angles up to this one
 * @property {string} [words] what screen readers hear, instead of the dial's own words
 */

const HAND = 0.78;

/** The colour of pair `pair` of `count`, from fast to slow. @param {number} pair @param {number} count */
export const pairColor = (pair, count) => `var(--fig-p${Math.round(pair * 7 / Math.max(count - 1, 1))})`;

/** @param {import("./outlines.js").Point[]} points */
const path = (points) => points.length ? `M${points.map(([across, up]) => `${across.toFixed(3)},${(-up).toFixed(3)}`).join("L")}` : "";

/** @param {number} angle */
const share = (angle) => `${Math.round(100 * Math.min(angle / TURN, 1))}%`;

/** The state in words. @param {Shown} shown */
function worded({ angle, other, met, reach }) {
  const words = [`${numeral(angle / TURN, 2)} turns from the top`];
  if (other !== undefined) words.push(`the other hand ${numeral(other / TURN, 2)} turns`);
  if (met !== undefined) words.push(`${share(met)} of the circle met in training`);
  if (met !== undefined && reach !== undefined) words.push(fresh(met, reach) ? `up to ${share(reach)} at this length` : "no new angle at this length");
  return words.join(", ");
}

/**
 * A dial, and the function that shows a state on it.
 * @param {{ name: string, color?: string }} options `name` begins what screen readers hear
 * @returns {{ element: SVGSVGElement, update: (shown: Shown) => void }}
 */
export function dial({ name, color = "var(--fig-p0)" }) {
  const holder = document.createElement("div");
  holder.innerHTML = `<svg class="clocks-dial" viewBox="-1.15 -1.15 2.3 2.3" role="img"><g fill="none" stroke-linecap="round"><circle r="1" stroke="var(--fig-grid)" stroke-width=".05"/>
<path stroke="var(--fig-before)" stroke-width=".09"/><path stroke="var(--fig-new)" stroke-width=".2" stroke-linecap="butt"/>
<path fill="${color}" fill-opacity=".25"/><path stroke="${color}" stroke-width=".07" stroke-opacity=".5"/>
<path stroke="${color}" stroke-width=".1"/><path stroke="${color}" stroke-width=".14"/></g><circle r=".08" fill="${color}"/></svg>`;
  const element = /** @type {SVGSVGElement} */ (holder.firstElementChild);
  const paths = [...element.querySelectorAll("path")];
  return {
    element,
    update(shown) {
      const { angle, other, trace = 0, met = 0, reach = met } = shown;
      const drawn = [
        met ? arc(0, Math.min(met, TURN)) : [],
        fresh(met, reach) ? arc(met, Math.min(reach, TURN)) : [],
        other === undefined ? [] : wedge(angle, angle + between(angle, other)),
        trace ? arc(angle - Math.min(trace, angle, TURN), angle, HAND) : [],
        other === undefined ? [] : hand(other, HAND),
        hand(angle, HAND),
      ];
      drawn.map(path).forEach((d, index) => { if (paths[index].getAttribute("d") !== d) paths[index].setAttribute("d", d); });
      element.setAttribute("aria-label", `${name}: ${shown.words ?? worded(shown)}`);
    },
  };
}
