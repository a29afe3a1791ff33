/**
 * One name for each option of a config.json, as in `posenc/rotary/_config_names.py`.
 */

import { positive, truthy } from "./checks.js";
import { INNER, NAMES } from "./known.js";

/** @typedef {import("./json.js").Config} Config */

/** The entries that are not null. @param {Config} config @returns {Config} */
export const withoutNulls = (config) => new Map([...config].filter(([, value]) => value !== null));

/**
 * The config of the language model, with what only the outer config says, without nulls.
 * @param {Config} config
 * @returns {Config}
 */
export function flat(config) {
  let merged = withoutNulls(config);
  for (const name of INNER) {
    const inner = merged.get(name);
    merged.delete(name);
    if (!(inner instanceof Map)) continue;
    const own = flat(inner);
    const hasWidth = own.has("hidden_size") && own.has("num_attention_heads");
    if (hasWidth) for (const width of ["head_dim", ...NAMES.head_dim]) merged.delete(width); // Music Flamingo's is of the sounds
    merged = new Map([...merged, ...own]);
  }
  for (const [name, others] of Object.entries(NAMES)) {
    const found = [name, ...others].find((other) => merged.has(other));
    if (found) merged.set(name, merged.get(found));
  }
  if (merged.has("rope_ratio")) { // ChatGLM
    const ratio = positive("rope_ratio", merged.get("rope_ratio"));
    if (!merged.has("rope_theta")) merged.set("rope_theta", 10_000 * ratio);
  }
  if (truthy(merged.get("rotary_scaling_factor"))) { // Nomic
    merged.set("rope_scaling", new Map([["type", "dynamic"], ["factor", merged.get("rotary_scaling_factor")]]));
    merged.set("max_position_embeddings", merged.get("max_trained_positions") ?? 2048n);
  }
  return merged;
}
