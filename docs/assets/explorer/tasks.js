/**
 * The tasks that the page lists above the explorer: each ticks itself off, and its lesson takes its place.
 */

/** @import { Model } from "./model.js" */

/** Whether a model does each task. @type {((model: Model) => boolean)[]} */
export const TASKS = [
  ({ state, similarities }) => state.d_model === 8 && Math.abs(state.offset) === similarities.findIndex((value, away) => similarities[away + 1] > value),
  ({ finished, pairs }) => finished === pairs,
  ({ state, similarities }) => state.d_model === 128 && similarities[1] < 0.82, // a distance above 0.3
];

/** Tick off what `model` does; the result is for screen readers. @param {Model} model */
export function ticked(model) {
  const open = [...document.querySelectorAll(".ex-tasks li")].filter((item, index) => item.className === "" && TASKS[index](model));
  for (const item of open) item.className = "ex-done";
  return open.map((item) => `Done: ${item.textContent} `).join("");
}
