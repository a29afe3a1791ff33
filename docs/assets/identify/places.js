/**
 * Positions that the points of a grid may have along time, height and width.
 *
 * As in `posenc/identification/_axial_positions.py`.
 */

import { rowsOf } from "./caches.js";
import { line } from "./lattice.js";
import { frequencies } from "./turning.js";
import { measured } from "./waves.js";

/** @typedef {import("./turning.js").Parts} Parts */
/** @typedef {import("./rules.js").Rule} Rule */
/** @typedef {(rule: Rule, own: number[]) => Iterable<number[][]>} Way positions along the axis of each coordinate */

const SIZES = [16, 32]; // of the images that a model was trained on, to which others are stretched
const STARTS = 4096; // first positions that are tried
const ROWS = 4; // rows that tell the first position

/** How far each pair turns from point to point along an axis, 0 where that is not known. @param {Parts} parts @param {number} size @param {number[]} sizes @param {number} axis */
export function turnsAlong(parts, size, sizes, axis) {
  const held = rowsOf(parts, line(sizes, axis));
  const along = { ...held, cosines: held.cosines?.map((value) => value / size) ?? null, sines: held.sines?.map((value) => value / size) ?? null, positions: Float64Array.from({ length: sizes[axis] }, (_, row) => row) };
  const waves = measured(along);
  if (waves) return { along, turns: waves.turns.map((turn, i) => (waves.fast.includes(i) ? Math.abs(turn) : 0)) };
  const { turns, weight } = frequencies(along, 1);
  return { along, turns: turns.map((turn, i) => (weight[i] > 0 ? turn : 0)) };
}

/** Ways to place the points, the usual ones first. @param {Parts} parts @param {number} size @param {number[]} sizes @returns {Way[]} */
export function waysOf(parts, size, sizes) {
  /** @param {number} length @param {(k: number) => number} position */
  const places = (length, position) => Array.from({ length }, (_, k) => position(k));
  /** @type {Map<number, ReturnType<typeof turnsAlong>>} */
  const known = new Map();
  /** @param {number} axis */
  const turned = (axis) => {
    const found = known.get(axis) ?? turnsAlong(parts, size, sizes, axis);
    known.set(axis, found);
    return found;
  };

  /** From 0, or between -1 and 1. @type {Way} */
  function* counted({ points }, own) {
    const lengths = own.map((axis) => sizes[axis]);
    if (points === "centres") yield lengths.map((n) => places(n, (k) => (2 * k + 1) / n - 1));
    else if (points === "ends") yield lengths.map((n) => places(n, (k) => (n > 1 ? k * (2 / (n - 1)) - 1 : -1)));
    else yield lengths.map((n) => places(n, (k) => k));
  }

  /** In other steps than 1: those measured, or those of a stretched image. @type {Way} */
  function* stepped({ points, rotary: { axes, turns: exact } }, own) {
    if (points !== "whole") return;
    yield own.map((axis, coordinate) => {
      const { turns } = turned(axis);
      const fastest = axes.indexOf(coordinate);
      const step = Number((turns[fastest] / exact[fastest]).toPrecision(6));
      return places(sizes[axis], (k) => step * k);
    });
    for (const whole of SIZES) yield own.map((axis) => places(sizes[axis], (k) => whole / sizes[axis] * k));
  }

  /** From a later position: each coordinate begins where its first point fits best. @type {Way} */
  function* later({ points, rotary: { axes, turns } }, own) {
    if (points !== "whole") return;
    const firsts = own.map((axis, coordinate) => firstPlace(turned(axis).along, turns, [...axes.keys()].filter((i) => axes[i] === coordinate)));
    for (const first of new Set([firsts[firsts.length - 1], firsts[0]])) { // with only one value, time says little
      yield own.map((axis, coordinate) => places(sizes[axis], (k) => (coordinate ? firsts[coordinate] : first) + k));
    }
  }

  return [counted, stepped, later];
}

/** The whole position of the first point that `turns` explain best. @param {Parts} along @param {Float64Array} turns @param {number[]} mine */
function firstPlace({ cosines, sines, positions, pairs }, turns, mine) {
  let [least, first] = [Infinity, 0];
  for (let place = 0; place < STARTS; place++) {
    let apart = 0;
    for (let row = 0; row < Math.min(ROWS, positions.length); row++) {
      for (const i of mine) {
        const angle = (place + row) * turns[i];
        if (cosines) apart += Math.abs(Math.cos(angle) - cosines[row * pairs + i]);
        if (sines) apart += Math.abs(Math.sin(angle) - sines[row * pairs + i]);
      }
    }
    if (apart < least) [least, first] = [apart, place];
  }
  return first;
}
