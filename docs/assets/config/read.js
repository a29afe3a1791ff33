/**
 * The rotary encodings that a config.json describes, as `Rotary.from_config` reads it; see
 * `posenc/rotary/_config.py`.
 */

import { WIDEST, flag, integer, positive, refuse, truthy } from "./checks.js";
import { AXIAL, INNER, INTERLEAVED, NAMES, OTHERS, PARTS, SIGNS, UNSET } from "./known.js";
import { defaults, has, hasNoInner, insideOf, isRead, spread } from "./models.js";
import { called, either, frequencies, kindOf, scalingOf } from "./scalings.js";
import { float, number, shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Rotary, Scaling } from "./scalings.js" */
/** @typedef {Map<string | null, Config>} Sets parameters of each layer type that has its own, or of all layers under null */
/** @typedef {{ head_dim: any, base: any, rotary_dim: any, layout: string, scaling: Scaling | null }} Options */

const others = spread(Object.entries(OTHERS));

/**
 * What a flat config says itself, what it says with the defaults of its type, and its sets of parameters.
 * @param {Config} flattened
 */
export function understood(flattened) {
  const own = new Map(flattened);
  const full = withoutNulls(new Map([...(defaults.get(own.get("model_type")) ?? []), ...own]));
  for (const name of UNSET) if (own.get(name) === null && name !== "sliding_window") own.delete(name);
  refuseOtherEncodings(own);
  if (truthy(own.get("rope_scaling"))) full.delete("rope_parameters"); // one set of parameters replaces the other
  return { own, full, sets: setsOf(full) };
}

/**
 * The encoding of each layer type that rotates; null stands for all layers.
 * @param {Config} full
 * @param {Sets} sets
 * @returns {Map<string | null, Rotary>}
 */
export function encodingsOf(full, sets) {
  const options = [...sets].map(([kind, given]) => /** @type {const} */ ([kind, optionsOf(full, given, kind)]));
  return new Map(options.map(([kind, given]) => [kind, rotary(given)]));
}

/** @param {Options} options @returns {Rotary} */
function rotary({ head_dim: head, base, rotary_dim: turned, layout, scaling }) {
  const [all, width] = [integer("head_dim", head, 2n, WIDEST), integer("rotary_dim", turned, 2n)];
  if (width % 2n || width > all) refuse(`rotary_dim must be even and at most head_dim = ${all}, got ${width}`);
  const made = { head_dim: Number(all), base, rotary_dim: Number(width), layout, scaling };
  frequencies(made);
  return made;
}

/** @param {Config} config */
function refuseOtherEncodings(config) {
  const model = config.get("model_type");
  const kind = either(config, "position_embedding_type", "rope");
  // Kimi Linear has the signs of multi-head latent attention, and rotates nothing.
  const rotates = model !== "kimi_linear" && SIGNS.some((name) => config.has(name));
  // ModernBERT's config says "absolute" beside its bases; Granite 4's "nope" means it.
  const isRotary = typeof kind === "string" && /^(rope|rotary)/.test(kind);
  const other = !isRotary && (kind === "nope" || !rotates);
  const width = either(config, "hidden_size", 4096n);
  // Of Baichuan's models only those with 7 billion weights rotate, as vLLM decides too.
  const alibi = model === "baichuan" && !(["number", "bigint"].includes(typeof width) && Number(width) === 4096);
  if (others.has(model) && !rotates) {
    refuse(`config must be of a model with a rotary encoding, got ${shown(model)}, which has ${others.get(model)}`);
  }
  if (truthy(config.get("alibi")) || alibi || other) {
    refuse(`config must be of a model with a rotary encoding, got ${other ? shown(kind) : "alibi"}`);
  }
  if (has(AXIAL, model) || truthy(config.get("position_encoding_2d"))) { // the first ChatGLM
    refuse(`config must be of a model with one coordinate (posenc.rotary.axes has encodings of several), got ${has(AXIAL, model) ? shown(model) : "position_encoding_2d"}`);
  }
  if (model && !defaults.has(model) && !rotates) {
    refuse(`config must have rope_theta, rope_scaling or rope_parameters, or a model_type known to rotate, got model_type ${shown(model)}`);
  }
}

/** @param {Config} config @returns {Sets} */
function setsOf(config) {
  const given = new Map([...mapping(config, "rope_parameters"), ...mapping(config, "rope_scaling")]);
  const base = either(config, "rope_theta", 10_000);
  let nested = [...given].filter(([, own]) => own instanceof Map);
  if (Array.isArray(base) && !nested.length) return byLayer(config, given, base);
  if (config.has("compress_rope_theta") && !nested.some(([kind]) => ["main", "compress"].includes(kind))) { // DeepSeek-V4
    const flat = new Map([...given].filter(([key, own]) => key !== "rope_theta" && !(own instanceof Map)));
    const one = kindOf(flat) === "yarn" ? [["attention_factor", 1]] : [];
    const compress = withBase(new Map([.../** @type {[string, any][]} */ (one), ...flat]), config.get("compress_rope_theta"));
    return new Map([["main", withBase(new Map(), base)], ["compress", compress]]);
  }
  if (config.has("local_rope_theta")) {
    // ModernBERT scales both types of layers; other models scale full attention only.
    const scaled = String(config.get("model_type")).startsWith("modernbert") ? given : new Map();
    if (!nested.length) nested = [["full_attention", given], ["sliding_attention", scaled]];
    nested = [...new Map([["full_attention", new Map()], ["sliding_attention", new Map()], ...nested])];
  }
  const local = either(config, "local_rope_theta", base);
  const named = either(config, "rope_parameters", new Map());
  if (!nested.length && !given.size && [...named.keys()].some((kind) => kind.endsWith("_attention"))) {
    refuse(`rope_parameters must have a set for one type of layers, got ${shown(named)}`);
  }
  if (!nested.length) return new Map([[null, withBase(given, base)]]);
  return new Map(nested.map(([kind, own]) => [kind, withBase(own, kind === "sliding_attention" ? local : base)]));
}

/** @param {Config} config @param {string} name */
function mapping(config, name) {
  const value = either(config, name, new Map());
  if (!(value instanceof Map)) refuse(`${name} must be a dict, got ${shown(value)}`);
  return withoutNulls(value);
}

/** @param {Config} parameters @param {any} base @returns {Config} */
const withBase = (parameters, base) => new Map([["rope_theta", base], ...withoutNulls(parameters)]);

/** Step-3.5 has a base and a part for each layer and scales full attention only. @param {Config} config @param {Config} given @param {any[]} bases */
function byLayer(config, given, bases) {
  const types = layerTypes(config);
  if (!types.length) refuse("config must have layer_types where rope_theta is a list");
  const parts = either(config, "partial_rotary_factors", types.map(() => 1));
  if (!Array.isArray(parts)) refuse(`partial_rotary_factors must be a list, got ${shown(parts)}`);
  for (const [key, values] of /** @type {[string, any[]][]} */ ([[called(config, bases, "rope_theta"), bases], ["partial_rotary_factors", parts]])) {
    if (values.length < types.length) refuse(`${key} must have a number for each of the ${types.length} layer_types, got ${shown(values)}`);
    const numbers = values.map((value) => positive(key, value));
    if (types.some((kind, i) => numbers[i] !== numbers[types.indexOf(kind)])) refuse(`${key} must have one number for all layers of a type, got ${shown(values)}`);
  }
  return new Map(types.map((kind, i) => {
    const scaled = kind === "full_attention" ? given : [];
    return [kind, new Map([["rope_theta", bases[i]], ["partial_rotary_factor", parts[i]], ...scaled])];
  }));
}

/** @param {Config} config @param {Config} parameters @param {string | null} kind @returns {Options} */
function optionsOf(config, parameters, kind) {
  const [head, width] = widths(config, parameters, kind);
  const isProportional = kindOf(parameters) === "proportional"; // the scaling holds the part that turns
  return {
    head_dim: head,
    base: baseOf(config, parameters.get("rope_theta")),
    rotary_dim: isProportional ? head : width,
    layout: layout(config),
    scaling: scalingOf(parameters, config, kind !== null),
  };
}

/** The base, which all layers share except those without positions: they have 0 (Granite). @param {Config} config @param {unknown} given */
function baseOf(config, given) {
  const base = positive(called(config, given, "rope_theta", "local_rope_theta", "compress_rope_theta"), given);
  const bases = either(config, "layer_rope_theta", []);
  if (!Array.isArray(bases)) refuse(`layer_rope_theta must be a list, got ${shown(bases)}`);
  const other = bases.find((own) => ![0, base].includes(typeof own === "bigint" ? Number(own) : own));
  if (other !== undefined) refuse(`layer_rope_theta must hold 0 or the base ${float(base)}, got ${shown(other)}`);
  return base;
}

/** @param {Config} config */
function layout(config) {
  const given = either(config, "rope_interleave", has(INTERLEAVED, config.get("model_type")));
  return flag(called(config, given, "rope_interleave"), given) ? "interleaved" : "halves";
}

/** Width of a head and of its part that rotates. @param {Config} config @param {Config} parameters @param {string | null} kind @returns {any[]} */
function widths(config, parameters, kind) {
  const apart = config.get("qk_rope_head_dim"); // these features form a separate tensor
  if (apart !== undefined) {
    if (integer("qk_rope_head_dim", apart, 2n, WIDEST) % 2n) refuse(`qk_rope_head_dim must be even, got ${apart}`);
    return [apart, apart];
  }
  const all = headDim(config, kind);
  const name = called(config, all, "head_dim");
  const head = integer(name, all, 2n, WIDEST);
  const part = either(parameters, "partial_rotary_factor", config.get("partial_rotary_factor"));
  if (part === undefined && config.has("rotary_dim")) return [head, config.get("rotary_dim")];
  if (part === undefined || ignoresPart(config, parameters)) {
    if (head % 2n) refuse(`${name} must be even, got ${head}`);
    return [head, head];
  }
  const key = called(config, part, "partial_rotary_factor");
  if (positive(key, part) > 1) refuse(`${key} must be at most 1, got ${shown(part)}`);
  const model = config.get("model_type");
  if (part < 1 && kindOf(parameters) !== "proportional" && turnsWholeHeads(model)) {
    refuse(`${key} must be 1 for model_type ${shown(model)}, whose code turns whole heads, got ${shown(part)}`);
  }
  const width = typeof part === "bigint" ? head * part : BigInt(Math.floor(Number(head) * part));
  if (width % 2n && kindOf(parameters) !== "proportional") {
    refuse(`head_dim * ${key} must be even, got ${head} * ${number(part)} = ${width}`);
  }
  return [head, width];
}

/** Whether the code of this model type turns each head as a whole. @param {any} model */
const turnsWholeHeads = (model) => defaults.has(model) && !has(PARTS, model) && !defaults.get(model).has("partial_rotary_factor");

/** Whether the code turns whole heads, and no scaling computes fewer frequencies. @param {Config} config @param {Config} parameters */
export const ignoresPart = (config, parameters) => ["default", "mrope", "ernie_3d"].includes(kindOf(parameters)) && turnsWholeHeads(config.get("model_type"));

/** @param {Config} config @param {string | null} kind @returns {bigint} */
function headDim(config, kind) {
  const special = { full_attention: "global_head_dim", sliding_attention: "swa_head_dim" }[kind ?? ""] ?? "";
  if (config.has(special)) return sizeOf(config, special); // Gemma 4, MiMo-V2
  const types = layerTypes(config);
  for (const [layer, own] of mapping(config, "per_layer_config")) {
    const isMine = /^\d+$/.test(layer) && types[Number(layer)] === kind; // transformers writes "05"
    if (isMine && own instanceof Map && own.has("head_dim")) return sizeOf(own, "head_dim");
  }
  if (config.has("head_dim")) return sizeOf(config, "head_dim");
  if (!config.has("hidden_size") || !config.has("num_attention_heads")) refuse("config must have head_dim, or hidden_size and num_attention_heads");
  const [width, heads] = ["hidden_size", "num_attention_heads"].map((name) => sizeOf(config, name));
  const times = config.get("model_type") === "zamba2" ? 2n : 1n; // its heads see two vectors in one
  return integer("hidden_size // num_attention_heads", times * width / heads, 2n);
}

/** @param {Config} config @param {string} name */
const sizeOf = (config, name) => integer(called(config, config.get(name), name), config.get(name), 1n);

/** @param {Config} config @returns {string[]} */
export function layerTypes(config) {
  const types = either(config, "layer_types", []);
  if (!Array.isArray(types) || types.some((type) => typeof type !== "string")) refuse(`layer_types must be a list of strings, got ${shown(types)}`);
  return types;
}

/** The entries that are not null. @param {Config} config @returns {Config} */
const withoutNulls = (config) => new Map([...config].filter(([, value]) => value !== null));

/**
 * The config of the language model, completed by the outer config, with nulls only under UNSET, and with one name for
 * each option; as in `posenc/rotary/_config_names.py`.
 * @param {Config} config
 * @returns {Config}
 */
export function flat(config) {
  let merged = new Map([...config].filter(([key, value]) => value !== null || UNSET.includes(key)));
  const only = insideOf(config);
  if (only) merged = new Map([...merged].filter(([key]) => [only, "model_type", "architectures", "auto_map"].includes(key))); // what it says of its text, too
  if (merged.has("text_config") && hasNoInner(merged.get("model_type"))) {
    merged.set("unread text_config", merged.get("text_config"));
    merged.delete("text_config");
  }
  for (const name of INNER) {
    const inner = merged.get(name);
    merged.delete(name);
    if (!(inner instanceof Map)) continue;
    const own = flat(inner);
    if (own.get("model_type") === "") own.delete("model_type"); // transformers writes it into attn_config
    const hasWidth = own.has("hidden_size") && own.has("num_attention_heads");
    if (hasWidth) for (const width of ["head_dim", ...NAMES.head_dim]) merged.delete(width); // of sounds in Music Flamingo
    merged = new Map([...merged, ...own]);
  }
  const hasNames = /^(gpt_neox|modernbert)/.test(String(merged.get("model_type"))); // for base and part
  if (hasNames) for (const name of ["rope_theta", "partial_rotary_factor"]) {
    const value = merged.get(name) ?? null;
    merged.delete(name);
    if (value !== null && !NAMES[name].some((other) => String(merged.get(other)) === String(value))) merged.set(`unread ${name}`, value);
  }
  for (const [name, value] of [...merged]) if (!isRead(merged.get("model_type"), name)) {
    merged.set(`unread ${name}`, value);
    merged.delete(name);
  }
  for (const [name, others] of Object.entries(NAMES)) {
    const found = [name, ...others].find((other) => (merged.get(other) ?? null) !== null);
    if (found) merged.set(name, merged.get(found));
  }
  if (merged.has("rope_ratio")) { // ChatGLM
    const ratio = positive("rope_ratio", merged.get("rope_ratio"));
    if (!merged.has("rope_theta")) merged.set("rope_theta", 10_000 * ratio);
  }
  const factor = merged.get("rotary_scaling_factor"); // Nomic
  if (truthy(factor)) {
    merged.set("rope_scaling", new Map(Object.entries({ type: "dynamic", factor: positive("rotary_scaling_factor", factor) })));
    merged.set("max_position_embeddings", merged.get("max_trained_positions") ?? 2048n);
  }
  return merged.get("model_type") === "deepseek_v4" ? withHead(merged) : merged;
}

/** How much of a head of DeepSeek-V4 turns, and passes; `partial_rotary_factor` comes first. @param {Config} own @returns {Config} */
function withHead(own) {
  const part = own.get("partial_rotary_factor") ?? null;
  if (part === null && (own.get("head_dim") ?? null) === null) return own;
  const head = integer("head_dim", own.get("head_dim") || 512n, 2n);
  let turned = own.has("qk_rope_head_dim") ? own.get("qk_rope_head_dim") : head / 8n;
  if (part !== null) {
    if (positive("partial_rotary_factor", part) > 1) refuse(`partial_rotary_factor must be at most 1, got ${shown(part)}`);
    turned = BigInt(Math.floor(Number(head) * Number(part)));
  }
  turned = integer("qk_rope_head_dim", turned, 2n, head);
  return new Map([...own, ["qk_rope_head_dim", turned], ["qk_nope_head_dim", head - turned]]);
}
