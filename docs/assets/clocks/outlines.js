/**
 * Outlines of a dial around 0, as in scripts/figures/_clocks.py: angles are clockwise from the top, and heights grow upwards.
 */

/** @typedef {[across: number, up: number]} Point */

export const TURN = 2 * Math.PI;

/** The point at an angle. @param {number} angle @param {number} radius @returns {Point} */
const point = (angle, radius) => [radius * Math.sin(angle), radius * Math.cos(angle)];

/** From the centre to the tip. @param {number} angle @param {number} [length] */
export const hand = (angle, length = 1) => [point(0, 0), point(angle, length)];

/** A hand with a head. @param {number} angle @param {number} [length] */
export function arrow(angle, length = 1) {
  const [centre, tip] = hand(angle, length);
  return [centre, tip, point(angle - 0.14, 0.8 * length), tip, point(angle + 0.14, 0.8 * length)];
}

/** @param {number} start @param {number} end @param {number} [radius] @param {number} [steps] */
export const arc = (start, end, radius = 1, steps = 60) => Array.from({ length: steps + 1 }, (_, step) => point(start + (end - start) * step / steps, radius));

/** Centre, arc, and back to the centre. @param {number} start @param {number} end @param {number} [radius] @param {number} [steps] */
export const wedge = (start, end, radius = 0.5, steps = 60) => [point(0, 0), ...arc(start, end, radius, steps), point(0, 0)];

/** The turn from one angle to another, the short way round. @param {number} from @param {number} to */
export const between = (from, to) => Math.atan2(Math.sin(to - from), Math.cos(to - from));

/** Whether a text that reaches the angle `reach` meets angles beyond `met`. @param {number} met @param {number} reach */
export const fresh = (met, reach) => met < TURN && reach > met * (1 + 1e-9);
