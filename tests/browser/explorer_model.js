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
