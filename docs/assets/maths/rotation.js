/**
 * The matrix that shifts a position.
 */

import { encode } from "./encoding.js";

/**
 * Rotation by `offset` positions, row after row: `shiftMatrix(k)` times the vector of p gives that of p + k.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} [base]
 */
export function shiftMatrix(offset, dModel, base = 10_000) {
  const out = new Float64Array(dModel * dModel);
  const turned = encode(offset, dModel, base);
  for (let j = 0; j < dModel; j += 2) {
    const [sine, cosine] = [turned[j], turned[j + 1]];
    out.set([cosine, sine], j * dModel + j);
    out.set([-sine, cosine], (j + 1) * dModel + j);
  }
  return out;
}
