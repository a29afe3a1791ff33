/**
 * An outcome in words: sentences, captions, and a table.
 */

import { attention } from "./forward.js";
import { BACK } from "./outcome.js";
import { hasEncoding, hasScaling, LETTERS, MODELS, SCALINGS } from "./state.js";

/** @import { Outcome, Look, Count } from "./outcome.js" */

/** @param {number} share */
export const percent = (share) => `${Math.round(100 * share)}%`;

/** @param {Count} count */
const of = ({ right, asked }) => `${right} of ${asked}`;

/** The options in words. @param {Outcome} outcome */
function name({ state }) {
  if (!hasEncoding(state)) return state.model === "none" ? "No encoding" : "No encoding, two layers";
  if (state.off) return `${MODELS[state.model]}, switched off`;
  return MODELS[state.model] + (hasScaling(state) ? `, ${SCALINGS[state.scaling].replace(/^[AB]/, (letter) => letter.toLowerCase())}` : "");
}

/** @param {Outcome} outcome */
export function summary(outcome) {
  const { within, beyond, sure, tokens } = outcome;
  if (!tokens.length) return "Type letters from a to p, or press New text.";
  const asked = within.asked + beyond.asked;
  if (!asked) return `The text is too short: nothing is asked before position ${BACK}.`;
  const right = within.right + beyond.right;
  const mean = sure.subarray(BACK).reduce((sum, share) => sum + share, 0) / asked;
  const parts = beyond.asked ? `: ${of(within)} within the trained length, ${of(beyond)} beyond it` : "";
  return `${name(outcome)}: ${of({ right, asked })} answers are right (${percent(right / asked)})${parts}. The mean probability of its answers is ${percent(mean)}.`;
}

/** @param {Look} look @param {number} layers */
export function caption({ layer, head, back, share }, layers) {
  const which = layers > 1 ? `Layer ${layer + 1}, head ${head + 1}` : `Head ${head + 1}`;
  return `${which}: ${percent(share)} of its weight falls ${distance(back)}`;
}

/** @param {number} back */
const distance = (back) => (back ? `${back} back` : "on the position itself");

/** What happens at the position `place`. @param {Outcome} outcome @param {number} place */
export function reading({ tokens, answers, sure, looks }, place) {
  if (!tokens.length) return "";
  const asked = place - BACK;
  const said = `the model says ${LETTERS[answers[place]]} with ${percent(sure[place])}`;
  const judged = asked < 0 ? `nothing is asked, ${said}`
    : `asked for ${LETTERS[tokens[asked]]}, ${said}, ${answers[place] === tokens[asked] ? "right" : "wrong"}`;
  const seen = looks.map(({ layer, head, weights }) => {
    const row = attention(weights, place, head);
    const most = Math.max(...row);
    const which = looks.length > 2 ? `head ${head + 1} of layer ${layer + 1}` : `head ${head + 1}`;
    return `${which} looks most at position ${row.indexOf(most)} (${percent(most)})`;
  });
  return `Position ${place}, letter ${LETTERS[tokens[place]]}: ${judged}; ${seen.join(", ")}.`;
}

/** What a shuffle did to the last answer. @param {Outcome} before @param {Outcome} after */
export function compared(before, after) {
  const [one, other] = [before, after].map(({ answers, sure }) => ({ letter: LETTERS[answers[answers.length - 1]], sure: sure[sure.length - 1] }));
  const same = one.letter === other.letter && Math.abs(one.sure - other.sure) < 1e-9;
  if (after.tokens.every((token, place) => token === before.tokens[place])) return "The shuffle left the text as it was. Try it on a text with more different letters.";
  if (same) return `All letters but the last are shuffled. The last answer stays “${one.letter}” (probability ${percent(one.sure)}). If no shuffle changes it, the model does not see their order.`;
  return `All letters but the last are shuffled. The last answer was “${one.letter}” (probability ${percent(one.sure)}), and is “${other.letter}” (${percent(other.sure)}).`;
}

/** The rows of the table of all positions. @param {Outcome} outcome */
export function rows({ tokens, answers, sure }) {
  return tokens.map((token, place) => {
    const asked = place < BACK ? "–" : LETTERS[tokens[place - BACK]];
    const verdict = place < BACK ? "–" : asked === LETTERS[answers[place]] ? "right" : "wrong";
    const cells = [LETTERS[token], asked, LETTERS[answers[place]], percent(sure[place]), verdict];
    const texts = cells.map((text) => `<td>${text}</td>`).join("");
    return `<tr><th scope="row">${place}</th>${texts}</tr>`;
  }).join("");
}
