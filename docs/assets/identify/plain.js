/**
 * Describes sines and cosines whose frequencies no known encoding has: a calendar, Fourier's.
 *
 * As in `posenc/identification/_plain_waves.py`.
 */

import { joined } from "./axial.js";
import { picked } from "./caches.js";
import { finding, general, listed } from "./findings.js";
import { largest } from "./rows.js";
import { amplitudes, measured } from "./waves.js";

/** @typedef {import("./shapes.js").Flat} Flat */

const FEWEST = 8; // rows
const STILL = 0.5; // radians over all rows: any slow change fits a pair that turns less
const SAME = 1e-4; // largest relative difference of two frequencies that count as one
const WHOLE = 0.01; // largest distance of a multiple from a whole number
const MOST = 100; // the largest multiple
const SHOWN = 5;

/** A finding with the frequencies if each column is a wave, otherwise null. @param {Flat[]} held a table, or cosines and sines @param {number} slack */
export function described(held, slack) {
  const [one, other] = held;
  const { width } = one;
  const length = one.values.length / width;
  if (length < FEWEST) return null;
  const half = width / 2;
  const pairs = other ? [held] : width % 2 ? [] : [[0, 1].map((k) => picked(one, half, (j) => k * half + j)), [0, 1].map((k) => picked(one, half, (j) => 2 * j + k))];
  for (const both of [...pairs, [other ? joined(held) : one]]) {
    const turns = turnsOf(both, length, slack);
    if (turns) return finding("waves", { list: frequencies(turns) });
  }
  return null;
}

/** Radians per row if all columns are waves; those of two tables belong together. @param {Flat[]} held @param {number} length @param {number} slack */
function turnsOf([one, other], length, slack) {
  const { width: pairs } = one;
  const waves = measured({ cosines: one.values, sines: other?.values ?? null, positions: new Float64Array(length), pairs });
  if (!waves) return null;
  const far = slack * Math.max(largest(one.values), other ? largest(other.values) : 0);
  let isMoving = false;
  for (let i = 0; i < pairs; i++) {
    const turn = waves.turns[i];
    const moves = Math.abs(turn) * length > STILL;
    if (!moves && turn) return null;
    isMoving ||= moves;
    /** @param {number} row */
    const value = (row) => one.values[row * pairs + i];
    const [size, phase] = [waves.size[i], waves.phases[i]];
    const [a, b] = other ? [size * Math.cos(phase), -size * Math.sin(phase)] : turn ? amplitudes(value, turn, length) : [value(0), 0];
    for (let row = 0; row < length; row++) {
      const [cosine, sine] = [Math.cos(row * turn), Math.sin(row * turn)];
      if (Math.abs(a * cosine + b * sine - value(row)) > far) return null;
      if (other && Math.abs(a * sine - b * cosine - other.values[row * pairs + i]) > far) return null;
    }
  }
  return isMoving ? waves.turns.map(Math.abs) : null;
}

/** The frequencies in words: as multiples of the least one if they are. @param {Float64Array} turns */
function frequencies(turns) {
  /** @type {number[]} */
  const ordered = [];
  for (const turn of turns) if (!ordered.some((known) => Math.abs(turn - known) <= SAME * known)) ordered.push(turn);
  const least = Math.min(...ordered.filter((turn) => turn));
  const times = ordered.map((turn) => turn / least);
  const whole = times.map(Math.round);
  if (whole.length > 2 && whole.every((multiple, k) => multiple <= MOST && Math.abs(times[k] - multiple) <= WHOLE)) {
    return `${general(least, 4)} times ${listed(whole.sort((a, b) => a - b))}`;
  }
  const shown = ordered.slice(0, SHOWN).map((turn) => general(turn, 4)).join(", ");
  return ordered.length > SHOWN ? `${shown} and ${ordered.length - SHOWN} more` : shown;
}
