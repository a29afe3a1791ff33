/**
 * Which layers turn, and which stay; see `posenc/plans/_layers.py`.
 */

import { integer, truthy } from "./checks.js";
import { isOf } from "./models.js";
import { bothSides, chunkIn, count, kindsOf, typesOf, windowIn, windowOf } from "./types.js";

/** @import { Config } from "./json.js" */
/** @import { Sets } from "./read.js" */
/** @typedef {{ name: string, layers: number[] | null, kind: string | null, encoding: string, window: number | null, chunk?: number | null, note?: string | null }} Layers layers of one kind, by numbers from 0, and their set */

/** The numbers below a count. @param {number} count */
const upTo = (count) => Array.from({ length: count }, (_, i) => i);

/** The numbers of all layers, if the config says how many there are. @param {Config} own @returns {number[] | null} */
export function every(own) {
  const types = typesOf(own);
  if (types.length) return upTo(types.length);
  const attending = own.get("attn_layer_indices"); // Bamba
  if (Array.isArray(attending)) return attending.filter((one) => typeof one === "bigint").map(Number);
  const number = count(own);
  return number === null ? null : upTo(number);
}

/** The layers of each kind, in the order of the sets. @param {Config} own @param {Sets} sets @returns {Layers[]} */
export function layersOf(own, sets) {
  const types = typesOf(own);
  const of = (/** @type {string} */ one) => types.flatMap((other, i) => (other === one ? [i] : []));
  const groups = [...sets.keys()].flatMap((kind) => split(own, sets, kind, types, of));
  const taken = new Set(groups.flatMap(({ layers }) => layers ?? []));
  for (const one of new Set(types)) {
    const layers = of(one).filter((i) => !taken.has(i));
    const encoding = isOf("without attention", one) ? "recurrent" : "none";
    if (layers.length) groups.push({ name: one, layers, kind: null, encoding, window: null });
  }
  return groups;
}

/**
 * @param {Config} own
 * @param {Sets} sets
 * @param {string | null} kind
 * @param {string[]} types
 * @param {(type: string) => number[]} of
 * @returns {Layers[]}
 */
function split(own, sets, kind, types, of) {
  const present = kindsOf(own).filter((one) => belongs(one, kind, sets));
  const group = { name: kind ?? "all layers", layers: kind === null ? every(own) : null, kind, encoding: "rotary", window: windowIn(own, kind ?? ""), chunk: chunkIn(own, kind ?? ""), note: bothSides(own, kind ?? "") };
  const isNamed = sets.has("compress") || types.some((one) => sets.has(one));
  if (!present.length) return types.length && isNamed ? [] : staying(own, kind, group);
  return present.flatMap((one) => {
    const name = kind === null || kind === one ? one : `${one} (${kind})`;
    return staying(own, one, { ...group, name, layers: types.length ? of(one) : null, window: windowIn(own, one), chunk: chunkIn(own, one), note: bothSides(own, one) });
  });
}

/** Whether layers of type `one` have the set that `kind` names. @param {string} one @param {string | null} kind @param {Sets} sets */
function belongs(one, kind, sets) {
  if (isOf("without attention", one)) return false;
  if (sets.has(one) || kind === null) return one === kind || (kind === null && !sets.has(one));
  return sets.has("compress") && kind === (one === "sliding_attention" ? "main" : "compress"); // DeepSeek-V4
}

/** The group, and those of its layers whose code does not turn them. @param {Config} own @param {string | null} kind @param {Layers} group @returns {Layers[]} */
function staying(own, kind, group) {
  const model = own.get("model_type");
  const still = { ...group, encoding: "none", window: null, chunk: null, note: null };
  if (isOf("full layers stay", model) && windowOf(own) !== null) {
    if (kind === null) return [{ ...group, name: "layers with a window", layers: null }, { ...still, name: "layers with full attention", layers: null }];
    return [kind === "full_attention" ? still : group];
  }
  const turning = flagsOf(own);
  const layers = group.layers ?? (turning && upTo(turning.length));
  if (!turning || !layers) return [group, ...(isOf("intervals", model) ? [{ ...still, name: "one layer in 4", layers: null }] : [])];
  const turns = (/** @type {number} */ i) => turning[i] ?? true;
  return [
    { ...group, layers: layers.filter(turns) },
    { ...still, name: `${group.name}, some`, layers: layers.filter((i) => !turns(i)) },
  ].filter((one) => one.layers.length);
}

/** For each layer whether it turns; null if the config and the type do not say. @param {Config} own @returns {boolean[] | null} */
function flagsOf(own) {
  for (const key of ["layer_rope_theta", "no_rope_layers"]) {
    const flags = own.get(key);
    if (Array.isArray(flags) && flags.length) return flags.map(truthy);
  }
  const numbers = every(own);
  const across = own.get("cross_attention_layers"); // Llama 3.2 with vision: they look at an image
  if (own.get("model_type") === "mllama_text_model" && Array.isArray(across) && numbers) return numbers.map((i) => !across.some((one) => Number(one) === i));
  if (!isOf("intervals", own.get("model_type")) || !numbers) return null;
  const step = Number(integer("no_rope_layer_interval", own.get("no_rope_layer_interval") ?? 4n, 1n));
  return numbers.map((i) => (i + 1) % step !== 0);
}
