/**
 * Measures how fast each pair of a rotary cache turns, from its cosines, its sines, or both.
 *
 * As in `posenc/identification/_turning.py`.
 */

/** @typedef {import("./rows.js").Values} Values */
/** @typedef {{ cosines: Values | null, sines: Values | null, positions: Float64Array, pairs: number }} Parts rows at increasing positions, of which the first are 0, 1, 2, ... */

const WINDOW = 64; // rows for each measurement
const FIRST = 8; // rows that tell the amplitude of sines
const DIRECT = 0.5; // radians: below it, one angle says how fast a pair turns

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {number} value */
const clipped = (value) => Math.min(Math.max(value, -1), 1);

/** The factor of all cosines and sines. @param {Parts} parts */
export function amplitude({ cosines, sines, positions, pairs }) {
  if (cosines) return median([...cosines.subarray(0, pairs)]); // cos 0 is 1
  const held = /** @type {Values} */ (sines);
  const fastest = Array.from({ length: Math.min(FIRST, positions.length) }, (_, row) => held[row * pairs]);
  let [both, product] = [0, 0];
  for (let row = 1; row < fastest.length - 1; row++) {
    both += fastest[row] ** 2;
    product += (fastest[row + 1] + fastest[row - 1]) * fastest[row];
  }
  const turn = Math.acos(clipped(both ? product / (2 * both) : 1));
  const wave = fastest.map((_, row) => Math.sin(row * turn));
  const power = wave.reduce((sum, value) => sum + value * value, 0);
  return power ? wave.reduce((sum, value, row) => sum + value * fastest[row], 0) / power : 0;
}

/** Radians per position of each pair, and how much the rows say about each. @param {Parts} parts @param {number} size the amplitude */
export function frequencies(parts, size) {
  const { positions, pairs } = parts;
  const [turns, weight] = [new Float64Array(pairs), new Float64Array(pairs)];
  let row = positions.findIndex((position) => position >= 1);
  while (row > 0 && row < positions.length) {
    const far = positions.findIndex((position) => position >= 2 * positions[row]);
    const end = far < 0 ? positions.length : far;
    for (let i = 0; i < pairs; i++) refine(parts, turns, weight, i, row, Math.min(end, row + WINDOW), size);
    row = end;
  }
  return { turns: turns.map(Math.abs), weight: weight.map((power, i) => power * turns[i] ** 2) };
}

/** Improve `turns[i]` from the rows `from` to `to`. @param {Parts} parts @param {Float64Array} turns @param {Float64Array} weight @param {number} i @param {number} from @param {number} to @param {number} size */
function refine({ cosines, sines, positions, pairs }, turns, weight, i, from, to, size) {
  const held = /** @type {Values} */ (cosines ?? sines);
  const wave = cosines ? Math.cos : Math.sin;
  const first = positions[from];
  const isSlow = !(cosines && sines) && Math.abs(turns[i]) * first < DIRECT;
  if (isSlow) turns[i] = direct(held, positions, pairs, i, from, to, size, cosines !== null);
  const turn = turns[i];
  let [power, product, real, imaginary, sum] = [0, 0, 0, 0, 0];
  for (let row = from; row < to; row++) {
    const position = positions[row];
    const [sine, cosine] = [Math.sin(position * turn), Math.cos(position * turn)];
    const at = row * pairs + i;
    if (cosines && sines) {
      real += cosines[at] * cosine + sines[at] * sine;
      imaginary += sines[at] * cosine - cosines[at] * sine;
      sum += position;
      power += position * position;
    } else {
      const slope = cosines ? -position * sine : position * cosine;
      power += slope * slope;
      product += (held[at] / size - wave(position * turn)) * slope;
    }
  }
  weight[i] = power;
  if (cosines && sines) turns[i] = turn + Math.atan2(imaginary, real) / (sum / (to - from));
  else if (!isSlow) turns[i] = turn + (power > 0 ? product / power : product);
}

/** How fast a slow pair turns, from its angles in all rows: rounding leaves ones where cosines hardly turn. @param {Values} held @param {Float64Array} positions @param {number} pairs @param {number} i @param {number} from @param {number} to @param {number} size @param {boolean} isCosine */
function direct(held, positions, pairs, i, from, to, size, isCosine) {
  if (!isCosine) return Math.asin(clipped(held[from * pairs + i] / size)) / positions[from];
  let [squares, powers] = [0, 0];
  for (let row = from; row < to; row++) {
    squares += (Math.acos(clipped(held[row * pairs + i] / size)) * positions[row]) ** 2;
    powers += positions[row] ** 4;
  }
  return Math.sqrt(squares / powers);
}
