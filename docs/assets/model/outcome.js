/**
 * What a pass says: the answers, how sure the model is of them, and where its heads look.
 */

import { HEADS, LENGTH, VOCABULARY, speeds } from "./encodings.js";
import { runModel } from "./forward.js";
import { hasScaling, LETTERS, shown } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./weights.js").Model} Model */
/** @typedef {{ right: number, asked: number }} Count */
/** @typedef {{ layer: number, head: number, weights: Float64Array, back: number, share: number }} Look `share` of the weight falls on the keys `back` places before; `weights` has a row of keys for each query */
/**
 * @typedef {object} Outcome
 * @property {State} state
 * @property {number[]} tokens
 * @property {number[]} answers
 * @property {Float64Array} sure probability of each answer
 * @property {Count} within of the places up to the length of the texts in training
 * @property {Count} beyond
 * @property {Look[]} looks
 */

export const BACK = 3; // each place asks for the token as many places before it

/** @param {Model} model @param {State} state @returns {Outcome} */
export function outcome(model, state) {
  const tokens = Array.from(shown(state), (letter) => LETTERS.indexOf(letter));
  const { length } = tokens;
  const scaled = hasScaling(state) ? speeds(model.run.base, state.scaling, Math.max(1, length / LENGTH)) : undefined;
  const { logits, weights } = runModel(model, tokens, { speeds: scaled, isOff: state.off });
  const sure = new Float64Array(length);
  const answers = tokens.map((_, place) => {
    const own = logits.subarray(place * VOCABULARY, (place + 1) * VOCABULARY);
    const most = Math.max(...own);
    sure[place] = 1 / own.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    return own.indexOf(most);
  });
  const looks = weights.flatMap((all, layer) => Array.from({ length: HEADS }, (_, head) => {
    const own = all.subarray(head * length * length, (head + 1) * length * length);
    return { layer, head, weights: own, ...favourite(own, length) };
  }));
  const count = (/** @type {number} */ first, /** @type {number} */ end) => {
    const asked = tokens.map((_, place) => place).slice(Math.max(first, BACK), end);
    return { asked: asked.length, right: asked.filter((place) => answers[place] === tokens[place - BACK]).length };
  };
  return { state, tokens, answers, sure, looks, within: count(0, LENGTH), beyond: count(LENGTH, length) };
}

/** The distance on which most of a head's weight falls. @param {Float64Array} weights @param {number} length */
function favourite(weights, length) {
  const shares = new Float64Array(length + 1);
  for (let query = 0; query < length; query++) {
    for (let key = 0; key <= query; key++) shares[query - key] += weights[query * length + key] / length;
  }
  const share = Math.max(...shares);
  return { back: shares.indexOf(share), share };
}
