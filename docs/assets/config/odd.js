/**
 * Oddities of a config that can be read: values that are missing, disagree, or are not read.
 */

import { rotaryFrequencies } from "../maths/rotary.js";
import { truthy } from "./checks.js";
import { fails } from "./fails.js";
import { KINDS, NAMES, SIGNS, TYPES } from "./known.js";
import { isKnown, isOf, isUnread, isUntyped, layoutOf, looksForSets, mrope, readsAlpha, unreadKeys, unreadLayers } from "./models.js";
import { ignoresPart } from "./read.js";
import { called, kindOf, readAs } from "./scalings.js";
import { listed, numeral } from "./shown.js";
import { oddNumbers, positions, typesOf } from "./types.js";

/** @import { Config } from "./json.js" */
/** @import { Plan, Turn } from "./plan.js" */
/** @typedef {Turn & { own: Config, full: Config, kind: string | null }} Given a set of parameters, and the whole config with and without defaults */

const ORIGINAL = "original_max_position_embeddings";
const MOST = "max_position_embeddings";
const PART = "partial_rotary_factor";
/** Sentences on what is odd, each once. @param {Plan} plan */
export function odd({ model, own, full, given, nulls = new Set(), turns: used, every: turns = used, groups, noted, faults, differ }) {
  if (differ) return noted;
  if (!turns.size) return [...new Set([...noted, ...(groups.length ? ofStill(own, groups) : []), ...faults])];
  const sets = new Map([...turns].map(([kind, { parameters }]) => [kind, parameters]));
  const found = [...noted, ...ofModel(own), ...ofUnread(given, model, sets, full), ...fails(given, own, full, sets, nulls), ...ofNames(given, own, full, sets), ...ofBases(own, full), ...ofExchange(sets), ...ofInterleave(own), ...ofWindows(own), ...ofChunks(own), ...ofHeads(own, full)];
  for (const [kind, turn] of turns) {
    const one = { own, full, kind, ...turn };
    const mine = [...ofTypes(one), ...ofLengths(one), ...ofAttention(one), ...ofSections(one)];
    found.push(...mine.map((sentence) => (kind === null ? sentence : `${kind}: ${sentence}`)));
  }
  return [...new Set([...found, ...faults])];
}

/** Keys of a rotary encoding where nothing turns. @param {Config} own @param {{ encoding: string }[]} groups @returns {string[]} */
export function ofStill(own, [{ encoding }]) {
  const keys = ["rope_theta", "rope_parameters", "rope_scaling"].filter((key) => truthy(own.get(key)));
  const [given, model] = [own.get("position_embedding_type"), own.get("model_type") || "this model"];
  const isOther = ["alibi", "rotary", "rope", "relative_key", "relative_key_query"].includes(given);
  const code = truthy(own.get("auto_map")) ? " auto_map names code of its own, which may read it." : "";
  const found = isOther ? [`position_embedding_type ${given} is not read by the code of ${model} in transformers ${TYPES.version}.${code}`] : [];
  const verb = keys.length === 1 ? "is" : "are";
  if (keys.length) found.push(`${listed(keys)} ${verb} there, but the code of ${model} turns nothing: it has ${TYPES.words[encoding]}.`);
  return found;
}

/** @param {Config} own @returns {string[]} */
function ofModel(own) {
  const model = own.get("model_type");
  if (isKnown(model)) return [];
  const fault = model ? `${model} is not known to posenc` : "is missing";
  const key = ["rope_interleave", "position_embedding_type"].find((one) => own.has(one)) ?? "";
  const layout = layoutOf(own) === null ? "the layout is not known" : `${called(own, own.get(key), key)} sets the layout`;
  const isNamed = typesOf(own).length || truthy(own.get("no_rope_layers"));
  const every = isNamed ? "" : " All layers are taken to turn.";
  return [`model_type ${fault}. No defaults are known, and ${layout}.${every}`];
}

const KNOWN = new Set([...SIGNS, ...Object.keys(NAMES), ...TYPES["rope keys"].split(" "), ...Object.keys(TYPES.reads), ...Object.values(NAMES).flat()]);

/** Keys that the code of the type does not read, and those that nobody knows. @param {Config} given @param {any} model @param {Map<string | null, Config>} sets @param {Config} full @returns {string[]} */
function ofKeys(given, model, sets, full) {
  const unread = (/** @type {string} */ key) => `${key} is not read by the code of ${model}.`;
  const found = unreadKeys(given).filter((key) => key !== "rope_theta" || Number(given.get(key)) !== Number(full.get(key) ?? 10_000)).map((key) => unread(called(given, given.get(key), key)));
  for (const [key, value] of given) {
    const name = key.replace(/^unread /, "");
    const isCounted = name === "rotary_dim" && full.has("partial_rotary_factor");
    const isUsual = name === "layer_types" ? Array.isArray(value) && value.every((one) => one === "full_attention") : name === "position_embedding_type" && value !== "nope";
    const isSame = Object.entries(NAMES).some(([one, all]) => all.includes(name) && given.has(one) && String(given.get(one)) === String(value));
    if (key !== name && truthy(value) && !isCounted && !isUsual && !isSame) found.push(unread(name));
  }
  const ignoring = [...sets.values()].find((parameters) => ignoresPart(full, parameters));
  const part = ignoring?.get(PART) ?? full.get(PART) ?? null;
  if (ignoring && part !== null && !(isNumber(part) && Number(part) === 1)) found.push(unread(called(given, given.get(PART), PART)));
  const unknown = [...given].filter(([key, value]) => /^(rope|rotary)/.test(key) && !KNOWN.has(key) && truthy(value));
  return [...found, ...unknown.map(([key]) => `${key} is not read: posenc does not know this key.`)];
}

/** Sets that the code of the type does not read. @param {Config} given @param {any} model @param {Map<string | null, Config>} sets @param {Config} full @returns {string[]} */
function ofUnread(given, model, sets, full) {
  const found = isUnread(given) ? [`rope_parameters is not read: the code of ${model} reads a set for each type of layers, not one.`] : [];
  found.push(...ofKeys(given, model, sets, full));
  if (isUntyped(given)) found.push(`rope_scaling is not read: it has type, and the code of ${model} wants rope_type.`);
  if (!looksForSets(given)) found.push(...unreadLayers(given).map((key) => `In ${key}, sets for types of layers are not read: the code of ${model} reads one set.`));
  return found;
}

/** @param {any} value */
const isNumber = (value) => ["number", "bigint"].includes(typeof value);

/** A base outside of the set that counts, and another one in it or in the type's default set. @param {Config} own @param {Config} full @returns {string[]} */
function ofBases(own, full) {
  const set = truthy(own.get("rope_scaling")) ? own.get("rope_scaling") : own.get("rope_parameters");
  const [outer, inner] = [own.get("rope_theta"), set instanceof Map ? set.get("rope_theta") : null];
  const fallback = full.get("rope_parameters");
  const inside = fallback instanceof Map ? [fallback, ...fallback.values()].filter((one) => one instanceof Map && one.has("rope_theta")) : [];
  const isElsewhere = inside.length && inside.every((one) => Number(one.get("rope_theta")) !== Number(outer));
  if (isNumber(outer) && !truthy(set) && isElsewhere) return [`rope_theta is not read: without a set, the code of ${own.get("model_type")} takes its default one.`];
  if (!isNumber(outer) || !isNumber(inner) || Number(outer) === Number(inner)) return [];
  if (full.has("compress_rope_theta")) return ["In the set, rope_theta is not read: the code of deepseek_v4 takes rope_theta and compress_rope_theta outside."];
  return [`There are two bases: rope_theta is ${numeral(outer)} outside and ${numeral(inner)} inside the set. ${numeral(inner)} counts; transformers 4 takes the outer one.`];
}

/** A base of the window that is larger than the global one. @param {Map<string | null, Config>} sets @returns {string[]} */
function ofExchange(sets) {
  const [globally, locally] = ["full_attention", "sliding_attention"].map((kind) => sets.get(kind)?.get("rope_theta"));
  if (!isNumber(globally) || !isNumber(locally) || !(Number(locally) > Number(globally))) return [];
  return [`Layers with a window have the larger base, ${numeral(locally)}, and layers with full attention ${numeral(globally)}. Perhaps the two sets are exchanged.`];
}

/** @param {Config} own @returns {string[]} */
function ofInterleave(own) {
  const [given, layout, model] = [own.get("rope_interleave"), layoutOf(own), own.get("model_type")];
  const found = truthy(own.get("rope_interleaved")) && layout === "halves" ? [`rope_interleaved is not read: the code of ${model} turns halves.`] : [];
  if (given === undefined || layout === null || truthy(given) === (layout === "interleaved")) return found;
  return [...found, `rope_interleave is not read: the code of ${model} turns ${layout}.`];
}

/** The key of the base, which few types call otherwise. @param {any} model */
const keyOfBase = (model) => (/^gpt_neox/.test(model) ? "rotary_emb_base" : /^modernbert/.test(model) ? "global_rope_theta" : "rope_theta");

/** Names that are missing or there twice. @param {Config} given @param {Config} own @param {Config} full @param {Map<string | null, Config>} sets @returns {string[]} */
function ofNames(given, own, full, sets) {
  const found = [];
  const [scaling, parameters] = ["rope_scaling", "rope_parameters"].map((name) => own.get(name)).map((one) => (one instanceof Map ? one : null));
  const read = scaling?.size ? scaling : parameters; // the one that counts
  const inside = read ? [read, ...read.values()].filter((one) => one instanceof Map) : [];
  const model = own.get("model_type");
  if (!given.has("rope_theta") && !inside.some((one) => one.has("rope_theta"))) {
    const isDefault = full.has("rope_theta") || (full.get("rope_parameters")?.size && !read?.size);
    const usual = isDefault ? `The default of ${model} in transformers ${TYPES.version} is used.` : "The usual 10,000 is used.";
    found.push(`${keyOfBase(model)} is missing. ${usual}`);
  }
  if (scaling && parameters) {
    const names = [...new Map([...scaling, ...parameters]).keys()].filter((name) => String(parameters.get(name) ?? null) !== String(scaling.get(name) ?? null));
    const counts = names.length ? `They disagree on ${listed(names)}: only ${scaling.size ? "rope_scaling" : "rope_parameters"} is read.` : "They do not disagree.";
    found.push(`rope_scaling and rope_parameters are both there. ${counts}`);
  }
  const without = [...(read ?? [])].filter(([name, value]) => value === null && !sets.has(name)).map(([name]) => name);
  if (inside.length > 1 && without.length) found.push(`Layers of type ${listed(without)} have no positions.`);
  const bare = [...new Set(typesOf(own))].filter((one) => !sets.has(one) && !without.includes(one) && !isOf("without attention", one));
  const isShared = [...sets.keys()].some((one) => one === null || one === "compress");
  if (bare.length && !isShared) found.push(`No set is for layers of type ${listed(bare)}: they are taken to have no positions.`);
  return found;
}

/** @param {Config} own @returns {string[]} */
function ofWindows(own) {
  const isUnused = isOf("windows if used", own.get("model_type")) && !truthy(own.get("use_sliding_window"));
  const isUnread = isOf("without windows", own.get("model_type")) && positions(own.get("sliding_window")) !== null;
  const unread = isUnread ? [`sliding_window is not read by the code of ${own.get("model_type")}.`] : [];
  const [window, ...others] = ["sliding_window", "attention_window_size", "attention_chunk_size"].map((key) => oddNumbers(own, key));
  return [...(isUnused ? [] : window), ...unread, ...others.flat()];
}

/** @param {Config} own @returns {string[]} */
function ofChunks(own) {
  if (!own.has("dual_chunk_attention_config")) return [];
  return ["dual_chunk_attention_config is there. Programs that read it count positions within chunks; the answer is for those that do not."];
}

/** @param {Config} own @param {Config} full @returns {string[]} */
function ofHeads(own, full) {
  if (full.has("qk_rope_head_dim")) return [];
  const sizes = ["hidden_size", "num_attention_heads"];
  const missing = full.has("head_dim") ? [] : sizes.filter((name) => !own.has(name));
  if (missing.length) return [`There is no ${missing.join(" and no ")}. The default of ${own.get("model_type")} in transformers ${TYPES.version} is used.`];
  const [head, width, heads] = ["head_dim", ...sizes].map((name) => own.get(name));
  if ([head, width, heads].some((value) => typeof value !== "bigint") || !heads || head * heads === width) return [];
  return [`head_dim is ${numeral(head)}, while hidden_size / num_attention_heads is ${numeral(Number(width) / Number(heads))}. head_dim counts.`];
}

/** @param {Given} given @returns {string[]} */
function ofTypes({ own, parameters, kind: layers }) {
  const found = [];
  const model = own.get("model_type");
  const [kind, other] = [kindOf(parameters), parameters.get("type")];
  const read = readAs(parameters, model);
  if (parameters.has("rope_type") && typeof other === "string" && other !== kind) found.push(`rope_type is ${kind} and type is ${other}. rope_type counts.`);
  if (read !== kind) found.push(`The rope type is ${kind}. It is read as ${read}, as in early files of Phi-3.`);
  const axes = mrope.has(model) || !isKnown(model) ? ["mrope_section", "xdrope_section", "mrope_interleaved"] : [];
  const known = new Set([...TYPES["read in every set"], ...TYPES["read by type"][KINDS[read]], ...axes]);
  if (layers) known.delete("truncate");
  if (!readsAlpha(model)) known.delete("alpha");
  const unread = [...parameters.keys()].filter((name) => !known.has(name));
  const isNamed = parameters.has("rope_type") || other !== undefined;
  if (unread.length && isNamed) found.push(`Not read for rope type ${kind}: ${listed(unread)}.`);
  if (unread.length && !isNamed) found.push(`There is no rope type, so nothing is scaled. Not read: ${listed(unread)}.`);
  return found;
}

/** Lengths and factor that are missing or disagree. @param {Given} given @returns {string[]} */
function ofLengths({ full, parameters, kind, rotary: { scaling } }) {
  if (!scaling) return ofLonger(full, parameters);
  if (!(ORIGINAL in scaling)) return [];
  const found = [];
  const { factor, [ORIGINAL]: original } = scaling;
  const [outer, inner] = [full.get(ORIGINAL), parameters.get(ORIGINAL)];
  const most = isNumber(full.get(MOST)) ? Number(full.get(MOST)) : null;
  if (inner === undefined && (outer === undefined || kind !== null)) {
    found.push(`${ORIGINAL} is missing. ${MOST} is used in its place: ${numeral(original)}.`);
  }
  if (isNumber(inner) && isNumber(outer) && Number(inner) !== Number(outer)) {
    found.push(`${ORIGINAL} is there twice, ${numeral(outer)} outside and ${numeral(inner)} inside the rope parameters. ${numeral(original)} counts.`);
  }
  if (!parameters.has("factor")) found.push(`factor is missing. ${MOST} / ${ORIGINAL} is used: ${numeral(factor)}.`);
  const long = factor * original;
  if (most && Math.abs(long / most - 1) > 1e-6) {
    const counts = scaling.type === "LongRoPE" ? "Here the factor only sets the attention factor." : `The frequencies follow factor and original length, not ${MOST}.`;
    found.push(`factor × ${ORIGINAL} is ${numeral(factor)} × ${numeral(original)} = ${numeral(long)}, while ${MOST} is ${numeral(most)}. ${counts}`);
  }
  return found;
}

/** An original length below the longest one, though nothing is scaled. @param {Config} full @param {Config} parameters @returns {string[]} */
function ofLonger(full, parameters) {
  const [trained, most] = [parameters.get(ORIGINAL) ?? full.get(ORIGINAL), full.get(MOST)];
  if (!isNumber(trained) || !isNumber(most) || Number(trained) >= Number(most)) return [];
  return [`${ORIGINAL} is ${numeral(trained)} and ${MOST} ${numeral(most)}, but nothing is scaled.`];
}

/** @param {Given} given @returns {string[]} */
function ofAttention({ parameters, rotary: { base, rotary_dim: width, scaling } }) {
  if (scaling?.type !== "YaRN") return [];
  const { beta_fast: fast, beta_slow: slow } = scaling;
  const found = [];
  const named = ["mscale", "mscale_all_dim"].filter((name) => truthy(parameters.get(name)));
  if (named.length === 1) found.push(`Only ${named[0]} is set. transformers uses mscale and mscale_all_dim only together, and so does posenc.`);
  if (fast < slow) {
    const isReversed = rotaryFrequencies(scaling, base, width)[0] < 1; // the frequency of pair 0, if nothing divides it
    found.push(`beta_fast is ${numeral(fast)}, below beta_slow, ${numeral(slow)}. ${isReversed ? "The ramp is reversed: it divides fast pairs and keeps slow ones." : "No pair is on the ramp."}`);
  }
  return found;
}

/** @param {Given} given @returns {string[]} */
function ofSections({ own, parameters, rule, sections, rotary }) {
  const [given, model] = [parameters.get("mrope_interleaved"), own.get("model_type")];
  const isInTurn = rule === "sections in turn";
  const isUnread = mrope.has(model) && given !== undefined && truthy(given) !== isInTurn;
  const found = isUnread ? [`mrope_interleaved is not read: the code of ${model} takes ${isInTurn ? "the pairs in turn" : "blocks of pairs"}.`] : [];
  const [sum, pairs] = [sections.reduce((total, part) => total + part, 0), rotary.rotary_dim / 2];
  return sections.length && sum !== pairs ? [...found, `The sections add up to ${numeral(sum)}, while there are ${numeral(pairs)} pairs.`] : found;
}
