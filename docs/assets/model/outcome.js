/**
 * The outcome of a pass: the answers, how sure the model is of them, and where its heads look.
 */

import { HEADS, LENGTH, VOCABULARY, speeds } from "./encodings.js";
import { inCommon, runModel } from "./forward.js";
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
 * @property {import("./forward.js").Pass} pass
 */

export const BACK = 3; // each place asks for the token as many places before it

/** @param {State} state */
const read = (state) => Array.from(shown(state), (letter) => LETTERS.indexOf(letter));

/** The length of the text as a multiple of that in training, if a scaling uses it; else 0. @param {State} state */
const factor = (state) => (hasScaling(state) && state.scaling !== "trained" ? Math.max(1, state.length / LENGTH) : 0);

/** Whether the options of two states make the same pass of the same text. @param {State} one @param {State} other */
function alike(one, other) {
  const same = one.model === other.model && one.off === other.off && factor(one) === factor(other);
  return same && (!factor(one) || one.scaling === other.scaling);
}

/** How many positions a pass of `state` must compute, if an outcome is known. @param {State} state @param {Outcome} known */
export function unknown(state, known) {
  return state.length - (alike(state, known.state) ? inCommon(known.tokens, read(state)) : 0);
}

/**
 * The outcome of `state`; what it has in common with an earlier one is not computed again.
 * @param {Model} model @param {State} state @param {Outcome | null} [before] perhaps of another model
 * @returns {Outcome}
 */
export function outcome(model, state, before = null) {
  const tokens = read(state);
  const { length } = tokens;
  const scaled = factor(state) ? speeds(model.run.base, state.scaling, factor(state)) : undefined;
  const earlier = before && alike(state, before.state) ? before.pass : undefined;
  const pass = runModel(model, tokens, { speeds: scaled, isOff: state.off }, earlier);
  const { logits, layers } = pass;
  const sure = new Float64Array(length);
  const answers = tokens.map((_, place) => {
    const own = logits.subarray(place * VOCABULARY, (place + 1) * VOCABULARY);
    const most = Math.max(...own);
    sure[place] = 1 / own.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    return own.indexOf(most);
  });
  const looks = layers.flatMap(({ weights: all }, layer) => Array.from({ length: HEADS }, (_, head) => {
    const own = all.subarray(head * length * length, (head + 1) * length * length);
    return { layer, head, weights: own, ...favourite(own, length) };
  }));
  const count = (/** @type {number} */ first, /** @type {number} */ end) => {
    const asked = tokens.map((_, place) => place).slice(Math.max(first, BACK), end);
    return { asked: asked.length, right: asked.filter((place) => answers[place] === tokens[place - BACK]).length };
  };
  return { state, tokens, answers, sure, looks, pass, within: count(0, LENGTH), beyond: count(LENGTH, length) };
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
