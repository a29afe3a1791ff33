/**
 * The params.json of Mistral and of Meta; see `posenc/plans/_params.py`.
 */

import { WIDEST, flag, integer, positive, refuse, truthy } from "./checks.js";
import { SOURCES, TYPES } from "./known.js";
import { sentence } from "./programs.js";
import { either, frequencies, scalingOf } from "./scalings.js";
import { llama4, temperature } from "./scores.js";
import { shown } from "./shown.js";
import { oddNumbers, positions } from "./types.js";

/** @import { Config } from "./json.js" */
/** @import { Layers } from "./layers.js" */
/** @import { Text } from "./plan.js" */
/** @import { Scaling } from "./scalings.js" */

const MOST = 9_999n; // layers

/** The keys of a table that the config has. @param {Config} config @param {string} table */
const keysOf = (config, table) => TYPES[table].split(" ").filter((/** @type {string} */ key) => config.has(key));

/** Whether the config is a params.json. @param {Config} config */
export const isParams = (config) => config.has("dim") && config.has("n_heads") && !config.has("model_type");

/** @param {Config} config @returns {Text & { noted: string[], differ: string[] }} */
export function paramsPlan(config) {
  const others = keysOf(config, "params of others");
  if (others.length) refuse(`config must have the keys of Mistral's or Meta's params.json, got ${others.join(", ")} of another program`);
  const [isMeta, isFourth] = ["params of meta", "params of llama 4"].map((table) => keysOf(config, table).length > 0);
  const head = headOf(config);
  const { scaling, noted } = isMeta ? ofMeta(config, isFourth) : ofMistral(config);
  const isBare = !config.has("rope_theta") && !isFourth;
  const differ = isBare && isMeta ? [sentence("base", 10_000, [["llama-models", 500_000, SOURCES["llama-models"]]])] : [];
  const isApart = config.has("qk_rope_head_dim");
  const isMore = config.get("vision_encoder") instanceof Map || config.has("multimodal");
  const { "no base": base, "scores of params": latent, encoder } = TYPES.sentences;
  noted.push(...(isBare ? [base] : []), ...(isApart ? [latent] : []), ...(isMore ? [encoder] : []));
  if (!Array.isArray(config.get("sliding_window"))) noted.push(...oddNumbers(config, "sliding_window", "attention_chunk_size"));
  const rotary = { head_dim: head, rotary_dim: head, base: positive("rope_theta", either(config, "rope_theta", isFourth ? 500_000 : 10_000)), layout: "interleaved", scaling };
  frequencies(rotary);
  const score = isApart ? null : { factor: 1, scale: 1 / Math.sqrt(head), why: `1/√${head}` };
  const turn = { rotary, score, query: temperatureOf(config), axes: [], sections: [], rule: null, note: null, parameters: new Map() };
  const own = { model: null, own: config, full: config, given: config, noted, differ, turns: new Map([[null, turn]]) };
  return { ...own, ...(isFourth ? byPeriod(config) : { groups: byWindow(config), query: null }) };
}

/** @param {Config} config */
function headOf(config) {
  const key = ["qk_rope_head_dim", "head_dim"].find((one) => (config.get(one) ?? null) !== null);
  if (key) return Number(integer(key, config.get(key), 2n, WIDEST));
  const heads = integer("n_heads", config.get("n_heads"), 1n);
  return Number(integer("dim", config.get("dim"), 2n * heads) / heads);
}

/** @param {string} type @param {Record<string, any>} options */
const scaled = (type, options) => scalingOf(new Map([["rope_type", type], ...Object.entries(options)]), new Map(), true);

/** @param {Config} config @param {boolean} isFourth @returns {{ scaling: Scaling | null, noted: string[] }} */
function ofMeta(config, isFourth) {
  if (!flag("use_scaled_rope", either(config, "use_scaled_rope", false))) return { scaling: null, noted: [] };
  const made = (/** @type {any} */ factor, /** @type {any} */ high) => scaled("llama3", { factor, low_freq_factor: 1, high_freq_factor: high, original_max_position_embeddings: 8192 });
  const [factor, high] = [config.get("rope_scaling_factor"), config.get("rope_high_freq_factor")];
  if (isFourth) return { scaling: made(truthy(factor) ? factor : 16, truthy(high) ? high : 1), noted: [] };
  return { scaling: made(config.has("rope_scaling_factor") ? factor : 8, 4), noted: config.has("rope_scaling_factor") ? [] : [TYPES.sentences["fixed factor"]] };
}

/** @param {Config} config @returns {{ scaling: Scaling | null, noted: string[] }} */
function ofMistral(config) {
  for (const key of ["rope_scaling", "rope_parameters"]) if (truthy(config.get(key))) refuse(`${key} must be absent from a params.json, which has yarn, got ${shown(config.get(key))}`);
  const yarn = config.get("yarn");
  if (!truthy(yarn)) return { scaling: null, noted: [] };
  if (!(yarn instanceof Map)) refuse(`yarn must be a dict, got ${shown(yarn)}`);
  for (const key of ["factor", "original_max_position_embeddings"]) if (!yarn.has(key)) refuse(`yarn must have ${key}, got ${shown(yarn)}`);
  const unread = [...yarn.keys()].filter((key) => !TYPES["yarn of params"].split(" ").includes(key));
  for (const key of ["factor", "original_max_position_embeddings"]) positive(key, yarn.get(key));
  for (const [name, key] of [["beta_fast", "beta"], ["beta_slow", "alpha"]]) positive(name, either(yarn, key, 1));
  const isScaled = flag("apply_scale", either(yarn, "apply_scale", true));
  const [factor, length] = ["factor", "original_max_position_embeddings"].map((key) => yarn.get(key));
  const ends = { beta_fast: either(yarn, "beta", 32), beta_slow: either(yarn, "alpha", 1) };
  const scaling = scaled("yarn", { factor, original_max_position_embeddings: length, ...ends, attention_factor: isScaled ? null : 1 });
  return { scaling, noted: unread.length ? [`Not read in yarn: ${unread.join(", ")}.`] : [] };
}

/** @param {Config} config */
function temperatureOf(config) {
  const given = config.get("llama_4_scaling");
  if (!truthy(given)) return null;
  if (!(given instanceof Map)) refuse(`llama_4_scaling must be a dict, got ${shown(given)}`);
  return llama4(given.get("beta"), given.get("original_max_position_embeddings") ?? null);
}

/** @param {string} name @param {number[] | null} layers @param {Partial<Layers>} [more] @returns {Layers} */
const layersOf = (name, layers, more) => ({ name, layers, kind: null, encoding: "rotary", window: null, ...more });

/** The layers of Llama 4 that turn, within chunks, and those that do not. @param {Config} config */
function byPeriod(config) {
  const count = Number(integer("n_layers", config.get("n_layers") ?? null, 1n, MOST));
  const given = config.get("nope_layer_interval") ?? null;
  const step = given === null ? 0 : Number(integer("nope_layer_interval", given, 1n));
  const layers = Array.from({ length: count }, (_, i) => i);
  const isStill = (/** @type {number} */ i) => step > 0 && (i + 1) % step === 0;
  const turning = layersOf("all layers", layers.filter((i) => !isStill(i)), { chunk: positions(config.get("attention_chunk_size")) });
  const still = layersOf("all layers, some", layers.filter(isStill), { encoding: "none" });
  const query = temperature(new Map([["attn_temperature_tuning", false], ...config, ["model_type", "llama4"]]));
  return { groups: still.layers?.length ? [turning, still] : [turning], query };
}

/** One group, or one for each window where `sliding_window` is a list that repeats. @param {Config} config @returns {Layers[]} */
function byWindow(config) {
  const given = config.get("n_layers") ?? null;
  const layers = given === null ? null : Array.from({ length: Number(integer("n_layers", given, 1n, MOST)) }, (_, i) => i);
  const windows = config.get("sliding_window");
  if (!Array.isArray(windows)) return [layersOf("all layers", layers, { window: positions(windows) })];
  for (const one of windows) if (one !== null) integer("sliding_window", one, 1n);
  const cycle = windows.length ? windows : [null];
  return [...new Set(cycle)].map((window) => layersOf(
    window === null ? "full_attention" : "sliding_attention",
    layers && layers.filter((i) => cycle[i % cycle.length] === window),
    { window: window === null ? null : Number(window) },
  ));
}
