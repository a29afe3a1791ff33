/**
 * What the explorer computes for its views.
 * @module explorer_model
 */

/** @param {{ folder: string, state: import("../../docs/assets/explorer/state.js").State }} question */
export async function profile({ folder, state }) {
  const { model } = await import(`${folder}model.js`);
  const { similarities, lowest } = model(state);
  return { similarities: [...similarities], lowest };
}

/** Which tasks are done in each state. @param {{ folder: string, states: import("../../docs/assets/explorer/state.js").State[] }} question */
export async function tasks({ folder, states }) {
  const [{ model }, { TASKS }] = await Promise.all([import(`${folder}model.js`), import(`${folder}tasks.js`)]);
  return states.map((state) => TASKS.map((/** @type {Function} */ does) => does(model(state))));
}
