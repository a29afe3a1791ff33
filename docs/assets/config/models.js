/**
 * What the type of a model decides, whatever the other keys say; see `posenc/plans/_models.py`.
 */

import { integer, refuse, truthy } from "./checks.js";
import { DEFAULTS, INNER, INTERLEAVED, SIGNS, TYPES } from "./known.js";
import { parsed } from "./json.js";
import { numeral, shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Rotary } from "./scalings.js" */

/** A table with an entry for each of the names that stand in one key. @param {Iterable<[string, any]>} entries @returns {Map<string, any>} */
export const spread = (entries) => new Map([...entries].flatMap(([names, value]) => names.split(" ").map((name) => [name, value])));

/** Each of the names, with the key that holds it. @param {Record<string, string>} table @returns {Map<string, string>} */
export const keyed = (table) => new Map(Object.entries(table).flatMap(([key, names]) => names.split(" ").map((name) => [name, key])));

/** Whether a list of names has `model`. @param {string} names @param {any} model */
export const has = (names, model) => names.split(" ").includes(model);

/** Whether a table of models.json names `model`. @param {string} table @param {any} model */
export const isOf = (table, model) => has(TYPES[table], model);

export const defaults = spread(parsed(DEFAULTS));
const encodings = keyed(TYPES.encodings);
const turning = keyed(TYPES["turn if rotary"]);
export const mrope = keyed(TYPES.mrope);
const flatTypes = keyed(TYPES.flat);
const texts = keyed(TYPES.parts.text_config);
export const WITH_LENGTH = ["llama3", "longrope", "yarn"];
const leftOut = new Map(Object.entries(TYPES["left out"]));

/** Whether the layout of this type of model is known. @param {any} model */
export const isKnown = (model) => defaults.has(model) || has(INTERLEAVED, model) || isOf("halves", model) || turning.has(model);

/** Whether the code of this type of model reads `key`; code of its own may read all. @param {any} model @param {string} key */
export const isRead = (model, key) => !Object.hasOwn(TYPES.reads, key) || !isKnown(model) || isOf("code of their own", model) || has(TYPES.reads[key], model);

/** Whether there is a language model. @param {Config} config */
export const hasText = (config) => INNER.slice(1).some((name) => config.get(name) instanceof Map) || config.has("num_hidden_layers") || config.has("hidden_size");

/** With a `model_type` in each inner config whose outer type decides it. @param {Config} config @returns {Config} */
export function completed(config) {
  const model = config.get("model_type") ?? namedAlone(config);
  const whole = new Map([...config].map(([name, part]) => {
    const given = part instanceof Map ? part.get("model_type") ?? "" : "none";
    const types = TYPES.parts[name] && keyed(TYPES.parts[name]);
    const type = types?.get(model);
    const outer = INNER.includes(name) ? null : types?.get(given); // a whole type's name
    const own = type && ["", config.get("model_type")].includes(given) ? type : outer;
    return [name, own ? new Map([...part, ["model_type", own]]) : part];
  }));
  if (model !== null && (config.get("model_type") ?? null) === null) whole.set("model_type", model);
  const type = flatTypes.get(model);
  if (type && !(config.get("text_config") instanceof Map)) whole.set("model_type", type);
  return whole;
}

/** The config with the type of its text, if the keys of texts stand outside of a text_config. @param {Config} config @returns {Config} */
export function asText(config) {
  const model = config.get("model_type");
  const inner = texts.get(model);
  const isInside = INNER.slice(1).some((key) => config.get(key) instanceof Map);
  if (!inner || isInside || isOf("reads flat files", model) || encodings.has(model)) return config;
  if (!config.has("hidden_size") && !isKnown(model)) refuse(`text_config must be there where model_type is ${shown(model)}, got none`);
  return new Map([...config, ["model_type", inner]]);
}

const parts = new Map(Object.entries(TYPES.parts).map(([key, types]) => [key, keyed(types)]));

/** The key with the config of the text, where transformers reads the keys of texts only there. @param {Config} config @returns {string | undefined} */
export const insideOf = (config) => INNER.find((key) => parts.get(key)?.has(config.get("model_type")) && config.get(key) instanceof Map);

/** Whether the code of this type of model reads no `text_config`. @param {any} model */
export const hasNoInner = (model) => isKnown(model) && !isOf("code of their own", model) && !has(TYPES.outer, model);

/** The keys that are null in the config of the language model. @param {Config} config @returns {Set<string>} */
export function nullsOf(config) {
  let found = new Set([...config].filter(([, value]) => value === null && !insideOf(config)).map(([key]) => key));
  for (const name of INNER.slice(1)) {
    const inner = config.get(name);
    if (inner instanceof Map) found = new Set([...[...found].filter((key) => !inner.has(key)), ...nullsOf(inner)]);
  }
  return found;
}

/** What stands in place of turning; null if the model turns, or if its type is not known. @param {Config} own @returns {string | null} */
export function encodingOf(own) {
  const model = own.get("model_type");
  const given = own.get("position_embedding_type") ?? own.get("position_embeddings_type");
  if (turning.has(model) && given !== "rotary") return turning.get(model) ?? null;
  if (model === "zamba2" && !truthy(own.get("use_mem_rope"))) return "none";
  if (model === "granitemoehybrid" && given !== "rope") return "none";
  if (model === "hf_olmo" && !truthy(own.get("rope")) && !truthy(own.get("alibi"))) return "learned";
  const width = own.get("hidden_size") ?? 4096n;
  const alibi = model === "baichuan" && !(["number", "bigint"].includes(typeof width) && Number(width) === 4096); // as vLLM decides
  if (truthy(own.get("alibi")) || alibi) return "alibi";
  if (model === "esm" && given === "absolute") return "learned";
  return given === "nope" ? "none" : encodings.get(model) ?? null;
}

/** By the position_embedding_type of TensorRT-LLM. @type {Record<string, string>} */
const LAYOUT_KEYS = { rope_gpt_neox: "halves", rope_gptj: "interleaved" };

/** Which features are a pair; null if neither the type nor a key says so. @param {Config} own @returns {string | null} */
export function layoutOf(own) {
  const model = own.get("model_type");
  const isMine = isKnown(model);
  if (own.has("rope_interleave") && (isOf("reads rope_interleave", model) || !isMine)) return truthy(own.get("rope_interleave")) ? "interleaved" : "halves";
  if (!isMine) return LAYOUT_KEYS[own.get("position_embedding_type")] ?? null;
  return has(INTERLEAVED, model) ? "interleaved" : "halves";
}

/** Whether the code of the type does not read the set under rope_parameters. @param {Config} own */
export function isUnread(own) {
  const given = own.get("rope_parameters");
  const isFlat = given instanceof Map && given.size > 0 && !hasSets(given);
  return isFlat && isOf("a flat set is not read", own.get("model_type"));
}

/** The keys with sets for types of layers, of which the code has one. @param {Config} own @returns {string[]} */
export function unreadLayers(own) {
  const model = own.get("model_type");
  if (!isKnown(model) || isOf("reads sets of layers", model)) return [];
  return ["rope_scaling", "rope_parameters"].filter((key) => hasSets(own.get(key)));
}

const keysNotRead = keyed(TYPES["keys not read"]);

/** Keys that the code of the type does not read, and that say something. @param {Config} own @returns {string[]} */
export function unreadKeys(own) {
  const model = own.get("model_type");
  const unread = (keysNotRead.get(model)?.split(" ") ?? []).filter((/** @type {string} */ key) => own.get(key) !== defaults.get(model)?.get(key));
  return unread.filter((/** @type {string} */ key) => truthy(own.get(key)));
}

/** Whether `rope_scaling` has a `type` where the code of the type wants `rope_type`. @param {Config} own */
export function isUntyped(own) {
  const given = own.get("rope_scaling");
  return isOf("wants rope_type", own.get("model_type")) && given instanceof Map && given.has("type") && !given.has("rope_type");
}

/** Whether sets for types of layers stand in a set. @param {any} given */
const hasSets = (given) => given instanceof Map && [...given.values()].some((one) => one instanceof Map);

/** Whether `alpha` stretches the base once, at every length: for Hunyuan and unknown types. @param {any} model */
export const readsAlpha = (model) => !defaults.has(model) || model.startsWith("hunyuan");

/** Whether the config has one set of rope parameters, not one for each type of layers. @param {Config} own */
export function hasOneSet(own) {
  const keys = /^modernbert(-decoder)?$/.test(String(own.get("model_type"))) ? ["rope_parameters"] : ["rope_parameters", "rope_scaling"]; // theirs goes into both sets
  return keys.some((key) => truthy(own.get(key)) && !hasSets(own.get(key)));
}

/** Whether transformers takes sets of layers for such, though the code of the type has one. @param {Config} own */
export const looksForSets = (own) => isOf("fails with sets", own.get("model_type"));

/** Without the set that the code of the type does not read. @param {Config} own @returns {Config} */
export function asRead(own) {
  refuseAnotherNtk(own);
  const read = new Map(own);
  for (const key of [...unreadKeys(own), ...(isUnread(own) ? ["rope_parameters"] : []), ...(isUntyped(own) ? ["rope_scaling"] : [])]) read.delete(key);
  for (const key of unreadLayers(own)) read.set(key, new Map([...own.get(key)].filter(([, one]) => one !== null && !(one instanceof Map))));
  const isLayered = hasSets(read.get("rope_parameters")) || (isOf("reads sets of layers", own.get("model_type")) && truthy(own.get("rope_parameters")));
  if (isLayered && truthy(read.get("rope_scaling"))) refuse("rope_scaling must not be there beside rope_parameters where types of layers have sets, got both");
  if (turning.has(own.get("model_type")) && !read.has("rope_theta")) read.set("rope_theta", 10_000);
  const given = truthy(read.get("rope_scaling")) || truthy(read.get("rope_parameters"));
  if (own.get("model_type") === "neomme" && read.has("rope_theta") && !given) { // its sets take the outer base
    const sets = [...defaults.get("neomme").get("rope_parameters")];
    read.set("rope_parameters", new Map(sets.map(([kind, one]) => [kind, new Map([...one, ["rope_theta", read.get("rope_theta")]])])));
  }
  return read;
}

/** GTE's code multiplies the base by the factor, and divides all by its power 2 / width. @param {Config} own */
function refuseAnotherNtk(own) {
  const [model, given] = [own.get("model_type"), truthy(own.get("rope_scaling")) ? own.get("rope_scaling") : own.get("rope_parameters")];
  if (!isOf("another ntk", model) || !(given instanceof Map)) return;
  const kind = given.has("rope_type") ? given.get("rope_type") : given.get("type");
  const isOne = ["number", "bigint"].includes(typeof given.get("factor")) && Number(given.get("factor")) === 1;
  if (kind === "ntk" && !isOne) refuse(`rope type must be one that slows pairs as the code of ${model} does, got 'ntk', which slows pair 0 there, too`);
}

/** Refuse a type of which nothing is known where nothing turns. @param {Config} own */
export function refuseUnknown(own) {
  const [model, given] = [own.get("model_type"), own.get("rope_parameters")];
  if (given instanceof Map && given.get("rope_type") === "axial") refuse(`model_type must be one whose axes posenc knows, got ${shown(model ?? null)}`);
  if (own.get("use_mla") === false && truthy(own.get("qk_rope_head_dim"))) refuse("use_mla must be true where there is a qk_rope_head_dim, got False");
  if (!isKnown(model) && !mayTurn(own)) refuse(`config must have rope_theta or another key about rotation, or a model_type that posenc knows, got model_type ${shown(model ?? null)}`);
}

/** Whether a key is about rotation; a set of options may also have the width of a head alone. @param {Config} own */
function mayTurn(own) {
  if (SIGNS.some((sign) => own.has(sign))) return true;
  const isAlone = own.has("head_dim") && !own.has("hidden_size") && !own.has("num_attention_heads");
  const names = [...own.keys(), String(own.get("position_embedding_type") ?? "")];
  return !truthy(own.get("model_type")) && (isAlone || names.some((one) => /^(rope|rotary)/.test(one)));
}

/** @typedef {{ axes: string[], sections: number[], rule: string | null, note: string | null }} Shared how several coordinates share the pairs (M-RoPE) */

/** @param {Config} own @param {Config} parameters @param {Rotary} rotary @returns {Shared} */
export function sectionsOf(own, parameters, rotary) {
  const usual = mrope.get(own.get("model_type"));
  const given = parameters.get("mrope_section") ?? parameters.get("xdrope_section");
  const words = usual?.split(" ") ?? [];
  const { "one number": one, "two axes": two, backwards } = TYPES.sentences;
  if (isOf("turns the other way", own.get("model_type"))) return { axes: [], sections: [], rule: "unknown", note: backwards };
  const isOne = !usual && isKnown(own.get("model_type")); // the code has one coordinate
  if (isOne || given === undefined && !/\d/.test(usual ?? "")) return { axes: [], sections: [], rule: null, note: null };
  const counts = given ?? words.filter((word) => /^\d+$/.test(word)).map(BigInt);
  if (!Array.isArray(counts)) refuse(`mrope_section must be a list of numbers, got ${shown(counts)}`);
  let sections = counts.map((count) => Number(integer("mrope_section", count, 0n)));
  let rule = words.filter((word) => !/^\d+$/.test(word)).join(" ") || "sections";
  if (!usual && truthy(parameters.get("mrope_interleaved"))) rule = "sections in turn";
  const note = rule === "unknown" ? `${one}; ${two}` : one;
  if (sections.reduce((sum, count) => sum + count, 0) !== rotary.rotary_dim / 2) rule = "unknown";
  if (rule === "ernie" && given !== undefined) sections = [...sections.slice(2), ...sections.slice(0, 2)]; // the file has y, x and time
  return { axes: sections.length === 3 ? ["time", "y", "x"] : sections.map((_, i) => `axis ${i}`), sections, rule, note };
}

/** What a plan leaves out, and DBRX's base, which transformers looks for in another place. @param {Config} config @returns {string[]} */
export function ofWhole(config) {
  const [model, inner] = [config.get("model_type"), config.get("attn_config")];
  const found = leftOut.has(model) ? [leftOut.get(model)] : [];
  const part = texts.get(model);
  const isFlat = config.has("hidden_size") && !INNER.slice(1).some((key) => config.get(key) instanceof Map);
  if (part && isFlat && !isOf("reads flat files", model)) found.push(`text_config is missing: transformers ${TYPES.version} reads the keys of texts only there, and takes the defaults of ${part}.`);
  found.push(...ofOutside(config, insideOf(config)));
  const base = inner instanceof Map ? inner.get("rope_theta") ?? 10_000 : 10_000;
  const isRead = model !== "dbrx" || !["number", "bigint"].includes(typeof base) || Number(base) === 10_000;
  return isRead ? found : [...found, `transformers ${TYPES.version} does not read rope_theta in attn_config: it takes 10,000. Here ${numeral(base)} counts.`];
}

/** A value as JSON that is the same for equal values. @param {any} value */
const written = (value) => JSON.stringify(value, (_, one) => (one instanceof Map ? Object.fromEntries([...one].sort()) : typeof one === "bigint" ? Number(one) : one));

/** Keys of the text's rotation outside of its config, where transformers does not read them. @param {Config} config @param {string | undefined} name @returns {string[]} */
function ofOutside(config, name) {
  const text = name ? config.get(name) : config;
  return SIGNS.filter((key) => truthy(config.get(key)) && written(text.get(key)) !== written(config.get(key))).flatMap((key) => {
    const given = config.get(key);
    const isOne = given instanceof Map && !(truthy(config.get("rope_scaling")) && truthy(config.get("rope_parameters")));
    const kind = isOne ? given.get("rope_type") ?? given.get("type") : null;
    const found = [`${key} outside of ${name} is not read by transformers ${TYPES.version}.`];
    return [...WITH_LENGTH, "proportional"].includes(kind) ? [...found, `transformers ${TYPES.version} fails with this file: ${key} with ${kind} must stand in ${name}.`] : found;
  });
}

const plain = (/** @type {string} */ name) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The type that the first of `architectures` names, with nothing after it but a task. @param {Config} config @returns {string | null} */
function namedAlone(config) {
  const names = config.get("architectures");
  const name = Array.isArray(names) ? names[0] : null;
  if (typeof name !== "string") return null;
  const known = [...new Set([...defaults.keys(), ...encodings.keys(), ...[INTERLEAVED, TYPES.halves, TYPES.outer].join(" ").split(" ")])].sort();
  const [other] = known.filter((one) => plain(name).startsWith(plain(one))).sort((one, two) => plain(two).length - plain(one).length);
  return other && /^(|model|lmheadmodel|(for|pretrained).*)$/u.test(plain(name).slice(plain(other).length)) ? other : null;
}

/** A model type that is missing, while `architectures` names one. @param {Config} config @returns {string[]} */
export function ofType(config) {
  const named = (config.get("model_type") ?? null) === null ? namedAlone(config) : null;
  return named ? [`model_type is missing. architectures names ${config.get("architectures")[0]}: ${named}.`] : [];
}

/** The type that `architectures` names, if it is another than `model_type`. @param {Config} config @returns {string[]} */
export function otherArchitecture(config) {
  const [other, model] = [namedAlone(config), config.get("model_type")];
  const isNamed = isKnown(model) || has(TYPES.outer, model) || encodings.has(model);
  if (!other || typeof model !== "string" || !model || !isNamed || isOf("code of their own", model)) return [];
  const name = config.get("architectures")[0];
  let own = plain(model);
  for (const ending of ["text", "vision", "moe", "vl", "hf", "unified", "decoder", "encoder"]) if (own.endsWith(ending)) own = own.slice(0, -ending.length);
  if (plain(name).startsWith(own)) return [];
  return [`architectures names ${name}, which is ${other}'s, while model_type is ${model}. model_type counts.`];
}
