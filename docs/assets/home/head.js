/**
 * The attention head of scripts/numbers/quantities/attention.py, whose weights were chosen by hand.
 */

import { positionalEncoding } from "../maths/encoding.js";

export const D_MODEL = 4;
/** @type {Record<string, number[]>} */
const EMBEDDINGS = { dog: [1, 0, 2, 0], bites: [0, 2, 0, 1], man: [2, 1, 0, -1] };

/**
 * The two numbers that attention answers to each word.
 * @param {string[]} words
 * @param {boolean} encoded whether each word is added to the encoding of its place
 */
export function answers(words, encoded) {
  const places = positionalEncoding(words.length, D_MODEL);
  const sums = words.map((word, p) => EMBEDDINGS[word].map((number, j) => number + (encoded ? places[D_MODEL * p + j] : 0)));
  return sums.map(([first, second]) => { // the query is a vector's first half, the key its second
    const weights = sums.map(([, , third, fourth]) => Math.exp((first * third + second * fourth) / Math.SQRT2));
    const total = weights.reduce((sum, weight) => sum + weight);
    /** @param {(sum: number[]) => number} value */
    const mean = (value) => sums.reduce((sum, one, q) => sum + weights[q] * value(one), 0) / total;
    return [mean(([a, , c]) => a - c), mean(([, b, c, d]) => b + c + d)];
  });
}
