/**
 * Runs the models in a worker: on a slow processor, a pass takes longer than a frame.
 */

import { loaded } from "./load.js";
import { outcome } from "./outcome.js";

/** @typedef {{ id: number, state: import("./state.js").State }} Question */
/** @typedef {{ id: number, outcome?: import("./outcome.js").Outcome, error?: string }} Answer */

let newest = 0;

/** @param {Question} question @returns {Promise<Answer | null>} null if another question has come since */
async function answer({ id, state }) {
  newest = id;
  try {
    const model = await loaded(state.model);
    await new Promise((done) => { setTimeout(done); }); // so that waiting questions come in
    return id === newest ? { id, outcome: outcome(model, state) } : null;
  } catch (error) {
    return { id, error: String(error) };
  }
}

addEventListener("message", async ({ data }) => {
  const reply = await answer(data);
  if (reply) postMessage(reply);
});
