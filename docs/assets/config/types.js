/**
 * The type of each layer and its window, also where the file leaves them to the type of the model; see
 * `posenc/plans/_types.py`.
 */

import { TYPES } from "./known.js";
import { isOf, keyed } from "./models.js";
import { layerTypes } from "./read.js";
import { numeral, shown } from "./shown.js";
import { truthy } from "./checks.js";

/** @import { Config } from "./json.js" */

const rules = keyed(TYPES["layer types"]);
const windows = keyed(TYPES.windows);
const BOTH = ["full_attention", "sliding_attention"];
/** @type {Record<string, string>} */
const COMPRESSED = { 0: "sliding_attention", 4: "compressed_sparse_attention", 128: "heavily_compressed_attention" };

/** How many layers there are, if the config says so. @param {Config} own @returns {number | null} */
export function count(own) {
  const given = ["num_layers_per_stack", "num_hidden_layers", "n_layer", "n_layers", "num_layers"].map((key) => own.get(key) ?? null).find((value) => value !== null);
  return typeof given === "bigint" && given > 0n && given < 10_000n ? Number(given) : null;
}

/** The type of each layer; empty if neither the file nor the type of the model says. @param {Config} own @returns {string[]} */
export function typesOf(own) {
  const blocks = own.get("layers_block_type"); // Zamba 2
  const types = layerTypes(own);
  const given = types.length || !Array.isArray(blocks) || !blocks.every((one) => typeof one === "string") ? types : blocks;
  if (given.length && isOf("last layer is full", own.get("model_type"))) return [...given.slice(0, -1), BOTH[0]]; // whatever the file says
  const number = count(own);
  if (given.length || number === null) return given;
  const parts = own.get("block_configs"); // Nemotron NAS
  if (Array.isArray(parts) && parts.length === number) return parts.map((one) => (isWithout(one) ? "no_attention" : BOTH[0]));
  const names = own.has("compress_ratios") ? COMPRESSED : BOTH;
  const marks = own.get("hybrid_layer_pattern") ?? own.get("compress_ratios"); // MiMo-V2, DeepSeek-V4
  if (Array.isArray(marks) && marks.length >= number && marks.every((one) => typeof one === "bigint" && String(one) in names)) {
    return marks.slice(0, number).map((one) => /** @type {any} */ (names)[String(one)]);
  }
  const mixed = own.get("attn_type_list"); // MiniMax-Text-01
  if (Array.isArray(mixed) && mixed.length >= number && !mixed.every(truthy)) return mixed.slice(0, number).map((one) => (truthy(one) ? BOTH[0] : "linear_attention"));
  const attending = own.get("full_attn_idxs"); // LFM2
  if (Array.isArray(attending)) return Array.from({ length: number }, (_, i) => (attending.some((one) => Number(one) === i) ? BOTH[0] : "conv"));
  if (own.get("model_type") === "deepseek_v4") return Array.from({ length: number }, (_, i) => COMPRESSED[i > 1 && i % 2 ? 4 : 128]);
  return byRule(own, number);
}

/** Whether a block of Nemotron NAS has no attention, or a linear map in its place. @param {any} block */
function isWithout(block) {
  const own = block instanceof Map ? block.get("attention") : null;
  return own instanceof Map && ["no_op", "replace_with_linear"].some((key) => truthy(own.get(key)));
}

/** The types of layers, without their numbers if the config does not count the layers. @param {Config} own */
export function kindsOf(own) {
  const types = typesOf(own);
  return [...new Set(types.length ? types : byRule(own, 60))];
}

/** A type that returns after a period, and another one between; or one from a layer on. @param {Config} own @param {number} number @returns {string[]} */
function byRule(own, number) {
  const rule = rules.get(own.get("model_type"));
  if (!rule) return [];
  const [usual, other, period, place, key] = rule.split(" ");
  const given = own.has(key) ? own.get(key) : BigInt(period);
  const isWithout = (usual + other).includes("sliding") && windowOf(own) === null && !isOf("windows on both sides", own.get("model_type"));
  if (typeof given !== "bigint" || given < 1n || isWithout) return [];
  const step = Number(given);
  const first = place === "first" ? 0 : step - 1;
  const isOther = (/** @type {number} */ i) => (place === "after" ? i >= step : i % step === first || place === "both" && i === number - 1);
  return Array.from({ length: number }, (_, i) => (isOther(i) ? other : usual));
}

/** How many positions a query sees in layers with a window; null if the model has none. @param {Config} own @returns {number | null} */
export function windowOf(own) {
  const model = own.get("model_type");
  if (isOf("without windows", model)) return null;
  if (isOf("windows if used", model) && !truthy(own.get("use_sliding_window"))) return null;
  const before = own.get("sliding_window_size"); // the keys before the query
  if (model === "mimo_v2_flash" && typeof before === "bigint") return Number(before) + 1;
  const usual = own.has("sliding_window") ? null : windows.get(model);
  const found = own.get("sliding_window") ?? own.get("attention_window_size") ?? (usual ? BigInt(usual) : null);
  return positions(found);
}

/** Whether the config has no window for its layers with one, or for those of its type. @param {Config} own */
export function hasNoWindow(own) {
  const model = own.get("model_type");
  const isUnused = isOf("windows if used", model) && !truthy(own.get("use_sliding_window"));
  const isFree = isOf("without windows", model) || isOf("windows may be null", model);
  const rule = isUnused ? "" : rules.get(model) ?? "";
  const isEarly = rule.endsWith("max_window_layers") && !truthy(own.get("layer_types")) && areBefore(own, rule.split(" ")[2]);
  const usual = isEarly ? "" : rule;
  const isNear = (truthy(own.get("layer_types")) ? own.get("layer_types") : usual).includes(BOTH[1]);
  return isNear && !isFree && (isUnused || own.get("sliding_window") === null);
}

/** Whether all layers come before those with a window. @param {Config} own @param {string} usual */
function areBefore(own, usual) {
  const [first, layers] = [own.has("max_window_layers") ? own.get("max_window_layers") : BigInt(usual), count(own)];
  return layers !== null && typeof first === "bigint" && layers <= Number(first);
}

/** A number of positions; null if the value is none. @param {any} value */
export const positions = (value) => (typeof value === "bigint" && value > 0n ? Number(value) : null);

/** Sentences about values that are no numbers of positions, such as -1. @param {Config} config @param {...string} keys */
export const oddNumbers = (config, ...keys) => keys.map((key) => [key, config.get(key) ?? null]).filter(([, given]) => given !== null && positions(given) === null)
  .map(([key, given]) => `${key} is ${shown(given)}, which is no number of positions: the plan leaves it out.`);

/** The chunk of layers that attend within chunks: those of Llama 4 that turn. @param {Config} own @param {string} kind */
export function chunkIn(own, kind) {
  const isFourth = own.get("model_type") === "llama4_text";
  const chunk = own.has("attention_chunk_size") ? own.get("attention_chunk_size") : isFourth ? 8192n : null;
  return kind.includes("chunked") || (!kind && isFourth) ? positions(chunk) : null;
}

/** The window of layers of one type, where it leads back from the query. @param {Config} own @param {string} kind */
export function windowIn(own, kind) {
  const model = own.get("model_type");
  const isNear = kind.includes("sliding") || isOf("windows in every layer", model);
  return isNear && !isOf("windows on both sides", model) ? windowOf(own) : null;
}

/** What a reader has to know about a window: it has two sides, or is not all that is seen. @param {Config} own @param {string} kind */
export function noteOf(own, kind) {
  if (kind.includes("compressed")) return "a query also sees the text before its window, compressed"; // DeepSeek-V4
  const model = own.get("model_type");
  const isNear = kind.includes("sliding") || isOf("windows in every layer", model);
  if (!isNear || !isOf("windows on both sides", model)) return null;
  const width = own.get("local_attention") ?? 128n; // ModernBERT
  const isKnown = typeof width === "bigint" && String(model).startsWith("modernbert");
  return isKnown ? `a query sees ${numeral(width / 2n)} positions on each side` : "the window reaches to both sides of a query";
}
