/**
 * Random integers, the same as those of `scripts/experiments/generator.py`.
 */

const SKIPPED = 16; // draws after which states that began alike have nothing in common

/**
 * A function that draws an integer below its argument: xorshift with 32 bits (Marsaglia 2003).
 * @param {number} state from 1 to 2 ** 32 - 1
 * @returns {(below: number) => number}
 */
export function xorshift(state) {
  if (!(state > 0 && state < 2 ** 32)) throw new RangeError(`state must be between 1 and 2**32 - 1, got ${state}`);
  let x = state;
  const draw = (/** @type {number} */ below) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return Math.floor((x >>> 0) * below / 2 ** 32);
  };
  for (let skipped = 0; skipped < SKIPPED; skipped++) draw(1);
  return draw;
}

/**
 * `items` in a random order.
 * @template T
 * @param {T[]} items
 * @param {(below: number) => number} draw
 */
export function shuffled(items, draw) {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = draw(last + 1);
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}
