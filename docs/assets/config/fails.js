/**
 * Why transformers makes no model of a config, though its keys say how the model would turn; see
 * `posenc/plans/_fails.py`.
 */

import { TYPES } from "./known.js";
import { has, hasOneSet, isKnown, isOf, keyed, looksForSets, mrope, WITH_LENGTH } from "./models.js";
import { called, readAs } from "./scalings.js";
import { listed, shown } from "./shown.js";
import { truthy } from "./checks.js";
import { hasNoWindow, typesOf } from "./types.js";

/** @import { Config } from "./json.js" */

const ORIGINAL = "original_max_position_embeddings";
const SIZES = ["max_position_embeddings", "hidden_size", "num_attention_heads", "num_hidden_layers"];
const wants = keyed(TYPES["wants in a set"]);
const others = keyed(TYPES["other rope types"]);
const scaled = TYPES["rope types"].split(" ");

/** A sentence for each reason. @param {Config} given with the sets that nothing reads @param {Config} own @param {Config} full @param {Map<string | null, Config>} sets @param {Set<string>} nulls @returns {string[]} */
export function fails(given, own, full, sets, nulls) {
  const model = given.get("model_type");
  if (!isKnown(model) || isOf("code of their own", model)) return [];
  const found = [...ofTypes(own, sets, model), ...ofSets(given, model), ...ofValues(given), ...ofNulls(full, nulls, model)];
  return found.map((why) => `transformers ${TYPES.version} fails with this file: ${why}.`);
}

/** The rope type that a set names. @param {Config} set */
const named = (set) => (set.has("rope_type") ? set.get("rope_type") : set.get("type") ?? null);

/** Rope types that the code does not have, and what it wants for those that it has. @param {Config} own @param {Map<string | null, Config>} sets @param {any} model @returns {string[]} */
function ofTypes(own, sets, model) {
  const known = others.get(model)?.split(" ") ?? ["default", ...scaled];
  const kinds = new Set([...sets.values()].map(named));
  const found = [...kinds].filter((kind) => kind !== null && !known.includes(kind)).map((kind) => `the code of ${model} has no rope type ${kind}`);
  for (const set of setsOf(own)) {
    const kind = named(set);
    if (readAs(set, model) === "yarn" && known.includes("yarn") && !set.has("factor")) found.push("yarn must have a factor");
    const more = scaled.includes(kind) ? [ORIGINAL, "partial_rotary_factor"] : [];
    if (kind === "su" && known.includes("su") && !set.has(ORIGINAL)) found.push(`su must have ${ORIGINAL} in its set`);
    const keys = ["rope_type", ...(set.has("rope_type") ? [] : ["type"]), ...(sets.has("compress") ? [] : ["rope_theta", ...more])];
    for (const key of keys) if (set.get(key) === null && !(key === ORIGINAL && own.has(key))) found.push(`${key} must not be null`);
    const sections = set.get("mrope_section");
    if (set.has("mrope_section") && mrope.get(model)?.startsWith("sections in turn") && !(Array.isArray(sections) && sections.length > 2)) found.push("mrope_section must have three numbers");
    const lacking = (wants.get(model)?.split(" ") ?? []).filter((key) => (set.get(key) ?? null) === null && !(key === ORIGINAL && WITH_LENGTH.includes(kind)));
    found.push(...lacking.map((key) => `the code of ${model} wants ${key} in a set`));
  }
  return found;
}

/** The set or sets that count. @param {Config} own */
const counting = (own) => (truthy(own.get("rope_scaling")) ? own.get("rope_scaling") : own.get("rope_parameters"));

/** The sets of rope parameters that count, with their nulls. @param {Config} own @returns {Config[]} */
function setsOf(own) {
  const given = counting(own);
  if (!(given instanceof Map)) return [];
  const inner = [...given.values()].filter((one) => one instanceof Map);
  return inner.length ? inner : [given];
}

/** One set where the code wants one for each type of layers, or the other way round. @param {Config} given @param {any} model @returns {string[]} */
function ofSets(given, model) {
  const found = hasOneSet(given) && isOf("fails with one set", model) ? [`the code of ${model} wants a set for each type of layers, not one`] : [];
  const sets = counting(given);
  if (isOf("fails with one set", model) && sets instanceof Map && [...sets.values()].some((one) => one instanceof Map)) {
    const lacking = [...new Set(typesOf(given))].filter((one) => !sets.has(one));
    found.push(...lacking.map((one) => `the code of ${model} wants a set for ${one}`));
  }
  if (!looksForSets(given) || !(sets instanceof Map) || sets.has("rope_type")) return found;
  const types = typesOf(given);
  const isNamed = (types.length ? types : ["full_attention"]).some((layer) => sets.get(layer) instanceof Map);
  return isNamed ? [...found, `the code of ${model} wants one set, not one for each type of layers`] : found;
}

/** Sizes that are no integers, and types of layers that are unknown or too few. @param {Config} given @returns {string[]} */
function ofValues(given) {
  const found = [...SIZES, "head_dim"].filter((key) => ["string", "number"].includes(typeof given.get(key))).map((key) => `${called(given, given.get(key), key)} must be an integer, got ${shown(given.get(key))}`);
  if (Array.isArray(given.get("rope_theta")) && given.get("model_type") !== "step3p5" && !isOf("fails with one set", given.get("model_type"))) found.push("rope_theta must be a number, got a list");
  const window = given.get("sliding_window");
  if (["string", "number", "boolean"].includes(typeof window) && !isOf("without windows", given.get("model_type"))) found.push(`sliding_window must be an integer, got ${shown(window)}`);
  const used = given.get("use_sliding_window");
  if (typeof used === "string" && isOf("windows if used", given.get("model_type"))) found.push(`use_sliding_window must be true or false, got ${shown(used)}`);
  if (hasNoWindow(given)) found.push("layers with a window must have a sliding_window");
  const [types, count] = [given.get("layer_types") ?? given.get("unread layer_types"), given.get("num_hidden_layers")];
  if (typeof types === "string") found.push("layer_types must be a list");
  if (!Array.isArray(types)) return found;
  if (types.some((one) => typeof one !== "string")) return [...found, `layer_types must be a list of strings, got ${shown(types)}`];
  const strange = [...new Set(types)].filter((one) => !isOf("names of layers", one));
  if (strange.length) found.push(`layer_types must not name ${listed(strange)}`);
  else if (typeof count === "bigint" && Number(count) !== types.length) found.push(`layer_types must name ${count} layers, got ${types.length}`);
  return found;
}

/** Keys that must not be null, and the base where no set has one. @param {Config} full @param {Set<string>} nulls @param {any} model @returns {string[]} */
function ofNulls(full, nulls, model) {
  if (has(TYPES.outer, model)) return []; // its code has the keys of texts in text_config
  const table = TYPES["fails with null"];
  const isNamed = setsOf(full).some((set) => set.has("rope_theta")) || isOf("takes null as base", model);
  const hasLength = setsOf(full).some((set) => WITH_LENGTH.includes(named(set)));
  const keys = [...SIZES, ...Object.keys(table), ...(isNamed ? [] : ["rope_theta"]), ...(hasLength ? [ORIGINAL] : [])];
  return keys.filter((key) => nulls.has(key) && (!table[key] || has(table[key], model))).map((key) => `${key} must not be null`);
}
