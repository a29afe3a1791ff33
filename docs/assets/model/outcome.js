/**
 * The outcome of a pass: the answers, how sure the model is of them, and where its heads look.
 */

import { HEADS, LENGTH, VOCABULARY, speeds } from "./encodings.js";
import { attention, inCommon, runModel } from "./forward.js";
import { hasScaling, LETTERS, shown } from "./state.js";

/** @import { State } from "./state.js" */
/** @import { Model } from "./weights.js" */
/** @typedef {{ right: number, asked: number }} Count */
/** @typedef {{ layer: number, head: number, weights: Float64Array, back: number, share: number }} Look `share` of the weight falls on the keys `back` places before; the weights are the layer's */
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

/** How many positions a text of an outcome begins with that a known outcome has too. @param {{ state: State, tokens: number[] }} one @param {Outcome} known */
export const shared = ({ state, tokens }, known) => (alike(state, known.state) ? inCommon(known.tokens, tokens) : 0);

/** How many positions a pass of `state` must compute, if an outcome is known. @param {State} state @param {Outcome} known */
export const unknown = (state, known) => state.length - shared({ state, tokens: read(state) }, known);

/**
 * The outcome of `state`; what it has in common with an earlier one is not computed again.
 * @param {Model} model @param {State} state @param {Outcome | null} [before] perhaps of another model
 * @returns {Outcome}
 */
export function outcome(model, state, before = null) {
  const tokens = read(state);
  const { length } = tokens;
  const scaled = factor(state) ? speeds(model.run.base, state.scaling, factor(state)) : undefined;
  const kept = before ? shared({ state, tokens }, before) : 0;
  const earlier = kept ? before : null;
  const pass = runModel(model, tokens, { speeds: scaled, isOff: state.off }, earlier?.pass);
  const { logits, layers } = pass;
  const answers = earlier ? earlier.answers.slice(0, kept) : [];
  const sure = new Float64Array(length);
  if (earlier) sure.set(earlier.sure.subarray(0, kept));
  for (let place = kept; place < length; place++) {
    const own = logits.subarray(place * VOCABULARY, (place + 1) * VOCABULARY);
    const most = Math.max(...own);
    sure[place] = 1 / own.reduce((sum, logit) => sum + Math.exp(logit - most), 0);
    answers.push(own.indexOf(most));
  }
  const looks = layers.flatMap(({ weights }, layer) => Array.from({ length: HEADS }, (_, head) => ({ layer, head, weights, ...favourite(weights, head, length) })));
  const count = (/** @type {number} */ first, /** @type {number} */ end) => {
    const asked = tokens.map((_, place) => place).slice(Math.max(first, BACK), end);
    return { asked: asked.length, right: asked.filter((place) => answers[place] === tokens[place - BACK]).length };
  };
  return { state, tokens, answers, sure, looks, pass, within: count(0, LENGTH), beyond: count(LENGTH, length) };
}

/** The distance on which most of a head's weight falls. @param {Float64Array} weights @param {number} head @param {number} length */
function favourite(weights, head, length) {
  const sums = new Float64Array(length + 1);
  for (let query = 0; query < length; query++) {
    const row = attention(weights, query, head);
    for (let key = 0; key <= query; key++) sums[query - key] += row[key];
  }
  const most = Math.max(...sums);
  return { back: sums.indexOf(most), share: length ? most / length : 0 };
}
