/**
 * Runs the models in a worker: on a slow processor, a pass takes longer than a frame.
 */

import { loaded } from "./load.js";
import { outcome } from "./outcome.js";

/** @typedef {{ id: number, state: import("./state.js").State }} Question */
/** @typedef {{ id: number, outcome?: import("./outcome.js").Outcome, model?: import("./weights.js").Model, error?: string }} Answer `model` when it answers for the first time */

let newest = 0;
/** @type {import("./outcome.js").Outcome | null} */
let known = null;
const sent = new Set();

/** @param {Question} question @returns {Promise<Answer | null>} null if another question has come since */
async function answer({ id, state }) {
  newest = id;
  try {
    const model = await loaded(state.model);
    await new Promise((done) => { setTimeout(done); }); // so that waiting questions come in
    if (id !== newest) return null;
    known = outcome(model, state, known);
    const isNew = !sent.has(model);
    sent.add(model);
    return { id, outcome: known, ...(isNew ? { model } : {}) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

addEventListener("message", async ({ data }) => {
  const reply = await answer(data);
  if (reply) postMessage(reply);
});
