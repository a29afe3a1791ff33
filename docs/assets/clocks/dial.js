/**
 * A dial: a hand that starts upright and turns clockwise, the angles met in training, and the new ones.
 *
 * The caller computes the angles with the functions of maths/; a picture of them is all that is made here.
 */

import { numeral } from "../maths/numerals.js";

/**
 * @typedef {object} Shown angles in radians, clockwise from the top
 * @property {number} angle of the hand, with whole turns
 * @property {number} [other] of a second hand; the wedge between the two is filled
 * @property {number} [trace] the last part of the hand's way that stays visible
 * @property {number} [met] all angles up to this one were met in training
 * @property {number} [reach] the text reaches the angles up to this one
 * @property {string} [words] what screen readers hear, instead of the dial's own words
 */

const TURN = 2 * Math.PI;
const HAND = 0.78;

/** The colour of pair `pair` of `count`, from fast to slow. @param {number} pair @param {number} count */
export const pairColor = (pair, count) => `var(--fig-p${Math.round(pair * 7 / Math.max(count - 1, 1))})`;

/** @param {number} angle @param {number} radius */
const point = (angle, radius) => `${(radius * Math.sin(angle)).toFixed(3)} ${(-radius * Math.cos(angle)).toFixed(3)}`;

/** A path along the circle; empty unless `end` is beyond `start`. @param {number} start @param {number} end @param {number} radius */
function arc(start, end, radius) {
  if (!(end > start)) return "";
  const middle = start + Math.min(end - start, TURN) / 2; // an arc of SVG cannot be a whole circle
  const last = start + Math.min(end - start, TURN);
  return `M${point(start, radius)}A${radius} ${radius} 0 0 1 ${point(middle, radius)}A${radius} ${radius} 0 0 1 ${point(last, radius)}`;
}

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

/** Whether a text that reaches the angle `reach` meets angles beyond `met`. @param {number} met @param {number} reach */
export const fresh = (met, reach) => met < TURN && reach > met * (1 + 1e-9);

/**
 * A dial, and the function that shows a state on it.
 * @param {{ name: string, color?: string }} options `name` begins what screen readers hear
 * @returns {{ element: SVGSVGElement, update: (shown: Shown) => void }}
 */
export function dial({ name, color = "var(--fig-p0)" }) {
  const element = /** @type {SVGSVGElement} */ (new DOMParser().parseFromString("<svg></svg>", "text/html").body.firstElementChild);
  element.setAttribute("viewBox", "-1.15 -1.15 2.3 2.3");
  element.setAttribute("class", "clocks-dial");
  element.setAttribute("role", "img");
  element.innerHTML = `<g fill="none" stroke-linecap="round"><circle r="1" stroke="var(--fig-grid)" stroke-width=".05"/>
<path stroke="var(--fig-before)" stroke-width=".09"/><path stroke="var(--fig-new)" stroke-width=".2" stroke-linecap="butt"/>
<path fill="${color}" fill-opacity=".25"/><path stroke="${color}" stroke-width=".07" stroke-opacity=".5"/>
<path stroke="${color}" stroke-width=".1"/><path stroke="${color}" stroke-width=".14"/></g><circle r=".08" fill="${color}"/>`;
  const paths = [...element.querySelectorAll("path")];
  return {
    element,
    update(shown) {
      const { angle, other, trace = 0, met = 0, reach = met } = shown;
      const hand = (/** @type {number} */ to) => `M0 0L${point(to, HAND)}`;
      // The wedge is the short way from one hand to the other.
      const between = other === undefined ? 0 : Math.atan2(Math.sin(other - angle), Math.cos(other - angle));
      const wedge = arc(...(between < 0 ? /** @type {const} */ ([angle + between, angle]) : /** @type {const} */ ([angle, angle + between])), 0.5);
      const drawn = [
        arc(0, met, 1), fresh(met, reach) ? arc(met, Math.min(reach, TURN), 1) : "", wedge && `${wedge}L0 0Z`,
        arc(angle - Math.min(trace, angle), angle, HAND), other === undefined ? "" : hand(other), hand(angle),
      ];
      drawn.forEach((path, index) => { if (paths[index].getAttribute("d") !== path) paths[index].setAttribute("d", path); });
      element.setAttribute("aria-label", `${name}: ${shown.words ?? worded(shown)}`);
    },
  };
}
