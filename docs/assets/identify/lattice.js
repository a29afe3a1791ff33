/**
 * Finds the grid of points that rows run through, and the axis that each pair follows.
 *
 * As in `posenc/identification/_lattice.py`.
 */

/** @typedef {import("./shapes.js").Flat} Flat */
/** @typedef {{ before: number, sizes: number[] }} Lattice `before` equal rows, then rows through a grid of `sizes` points, the last axis fastest */

/** The grid through which the rows run; changes up to `limit` do not count. @param {Flat} flat @param {number} limit @returns {Lattice | null} */
export function lattice({ values, width }, limit) {
  const count = values.length / width;
  /** @param {number} row @param {number} other @param {number} column */
  const differs = (row, other, column) => Math.abs(values[row * width + column] - values[other * width + column]) > limit;
  const columns = [...Array(width).keys()];

  /** After how many rows the columns that change first are back. @param {number} first @param {number} step @param {number} length */
  function period(first, step, length) {
    const moving = columns.filter((column) => differs(first + step, first, column));
    /** @param {number} k @param {number} other */
    const isBack = (k, other) => moving.every((column) => !differs(first + k * step, first + other * step, column));
    for (let k = 1; k < length; k++) { // mirrored points have equal cosines
      if (length % k === 0 && isBack(k, 0) && (k + 1 >= length || isBack(k + 1, 1))) return k;
    }
    return length;
  }

  let before = 0;
  while (before + 1 < count && !columns.some((column) => differs(before + 1, before, column))) before++;
  const rows = count - before;
  const x = rows > 1 ? period(before, 1, rows) : rows;
  if (x === rows) return null;
  const y = period(before, x, rows / x);
  return { before, sizes: [rows / (x * y), y, x] };
}

/** Rows of the grid along an axis, from its first point. @param {number[]} sizes @param {number} axis */
export function line(sizes, axis) {
  const step = sizes.slice(axis + 1).reduce((product, size) => product * size, 1);
  return Array.from({ length: sizes[axis] }, (_, k) => k * step);
}

/**
 * The axis that each pair follows, -1 where it is constant; null if a pair follows two axes.
 * @param {import("./turning.js").Parts} parts
 * @param {number[]} sizes
 * @param {number} limit
 */
export function axesOf({ cosines, sines, pairs }, sizes, limit) {
  const axes = Array(pairs).fill(-1);
  for (const axis of sizes.keys()) {
    const rows = line(sizes, axis);
    for (let i = 0; i < pairs; i++) {
      if (![cosines, sines].some((part) => part && rows.some((row) => Math.abs(part[row * pairs + i] - part[i]) > limit))) continue;
      if (axes[i] >= 0) return null;
      axes[i] = axis;
    }
  }
  return axes;
}
