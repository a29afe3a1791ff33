/**
 * The live models, from their files. The address holds for a worker of another folder too, which has this code in it.
 */

import { unpacked } from "./weights.js";

/** @import { Model } from "./weights.js" */

/** @type {Map<string, Promise<Model>>} */
const models = new Map();

/** The model `name`, whose file is requested once, or again if it did not come. @param {string} name */
export function loaded(name) {
  const known = models.get(name);
  if (known) return known;
  const model = fetched(name);
  model.catch(() => models.delete(name));
  models.set(name, model);
  return model;
}

/** @param {string} name */
async function fetched(name) {
  const response = await fetch(new URL(`../model/weights/${name}.safetensors`, import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return unpacked(await response.arrayBuffer());
}
