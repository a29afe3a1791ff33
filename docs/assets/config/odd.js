/**
 * Oddities of a config that can be read: values that are missing, disagree, or are not read.
 */

import { rotaryFrequencies } from "../maths/rotary.js";
import { truthy } from "./checks.js";
import { KINDS } from "./known.js";
import { isKnown, understood } from "./read.js";
import { kindOf, readAs } from "./scalings.js";
import { listed, numeral } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Rotary } from "./scalings.js" */
/** @typedef {{ own: Config, full: Config, parameters: Config, kind: string | null, rotary: Rotary }} Given a set of parameters, and the whole config with and without defaults */

// Where models in transformers 5.23 have layers without positions, though config.json need not say so.
const IN_FULL_ATTENTION = ["afmoe", "cohere2", "cohere2_moe", "exaone4", "exaone4_5_text", "exaone_moe", "flint", "kolibri1"];
const AT_INTERVALS = ["llama4", "llama4_text", "mistral_large4_text", "smollm3"];
const ORIGINAL = "original_max_position_embeddings";
const MOST = "max_position_embeddings";
const EVERYWHERE = ["llama_4_scaling_beta", "rope_theta", "rope_type", "type", "partial_rotary_factor", "mrope_section", "mrope_interleaved"];
/** @type {Record<string, string[]>} */
const READ = {
  none: [],
  linear: ["factor"],
  ntk: ["factor"],
  dynamic: ["factor", "alpha"],
  llama3: ["factor", "low_freq_factor", "high_freq_factor", ORIGINAL],
  yarn: ["factor", ORIGINAL, "beta_fast", "beta_slow", "mscale", "mscale_all_dim", "attention_factor", "truncate"],
  longrope: ["factor", ORIGINAL, "short_factor", "long_factor", "attention_factor", "short_mscale", "long_mscale"],
  proportional: ["factor"],
};

/** Sentences on what is odd, each once. @param {Config} config @param {Map<string | null, Rotary>} encodings */
export function odd(config, encodings) {
  const { own, full, sets } = understood(config);
  const found = [...ofModel(own), ...ofNames(own, full, sets), ...ofLayers(own), ...ofChunks(own), ...ofHeads(own, full)];
  for (const [kind, parameters] of sets) {
    const rotary = /** @type {Rotary} */ (encodings.get(kind));
    const given = { own, full, parameters, kind, rotary };
    const mine = [...ofTypes(given), ...ofLengths(given), ...ofAttention(given), ...ofSections(given)];
    found.push(...mine.map((sentence) => (kind === null ? sentence : `${kind}: ${sentence}`)));
  }
  return [...new Set(found)];
}

/** @param {Config} own @returns {string[]} */
function ofModel(own) {
  const model = own.get("model_type");
  if (isKnown(model)) return [];
  const fault = model ? `${model} is not known to posenc` : "is missing";
  const layout = own.has("rope_interleave") ? "rope_interleave sets the layout" : "the layout is taken to be halves";
  return [`model_type ${fault}. No defaults are known, and ${layout}.`];
}

/** Names that are missing or there twice. @param {Config} own @param {Config} full @param {Map<string | null, Config>} sets @returns {string[]} */
function ofNames(own, full, sets) {
  const found = [];
  const [scaling, parameters] = ["rope_scaling", "rope_parameters"].map((name) => /** @type {Config | undefined} */ (own.get(name)));
  const read = scaling?.size ? scaling : parameters; // the one that counts
  const inside = read ? [read, ...read.values()].filter((one) => one instanceof Map) : [];
  const model = own.get("model_type");
  if (!own.has("rope_theta") && !inside.some((one) => one.has("rope_theta"))) {
    const isDefault = full.has("rope_theta") || (full.has("rope_parameters") && !read?.size);
    found.push(isDefault ? `rope_theta is missing. The default of ${model} in transformers 5.23 is used.` : "rope_theta is missing. The usual 10,000 is used.");
  }
  if (scaling && parameters) {
    const names = [...new Map([...scaling, ...parameters]).keys()].filter((name) => String(parameters.get(name)) !== String(scaling.get(name)));
    const counts = names.length ? `They disagree on ${listed(names)}: only ${scaling.size ? "rope_scaling" : "rope_parameters"} is read.` : "They do not disagree.";
    found.push(`rope_scaling and rope_parameters are both there. ${counts}`);
  }
  const without = [...(read ?? [])].filter(([name, value]) => value === null && !sets.has(name)).map(([name]) => name);
  if (inside.length > 1 && without.length) found.push(`Layers of type ${listed(without)} have no positions.`);
  return found;
}

/** Layers that have no positions. @param {Config} own @returns {string[]} */
function ofLayers(own) {
  const model = own.get("model_type");
  const name = own.has("layer_rope_theta") ? "layer_rope_theta" : "no_rope_layers"; // a base or a flag for each layer
  const flags = [own.get(name)].find(Array.isArray) ?? [];
  const without = flags.filter((flag) => !truthy(flag)).length;
  let which = "";
  if (without) which = `${name}: ${without} of ${flags.length} layers have`;
  else if (!flags.length && AT_INTERVALS.includes(model)) which = `One layer in ${numeral(own.get("no_rope_layer_interval") ?? 4)} has`;
  else if (own.has("sliding_window") && IN_FULL_ATTENTION.includes(model)) which = "Layers with full attention have";
  return which ? [`${which} no positions. The answer is for the others.`] : [];
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
  if (missing.length) return [`There is no ${missing.join(" and no ")}. The default of ${own.get("model_type")} in transformers 5.23 is used.`];
  const [head, width, heads] = ["head_dim", ...sizes].map((name) => own.get(name));
  if ([head, width, heads].some((value) => typeof value !== "bigint") || head * heads === width) return [];
  return [`head_dim is ${numeral(head)}, while hidden_size / num_attention_heads is ${numeral(Number(width) / Number(heads))}. head_dim counts.`];
}

/** @param {Given} given @returns {string[]} */
function ofTypes({ parameters, kind: layers }) {
  const found = [];
  const [kind, other] = [kindOf(parameters), parameters.get("type")];
  const read = readAs(parameters);
  if (parameters.has("rope_type") && other !== undefined && other !== kind) found.push(`rope_type is ${kind} and type is ${other}. rope_type counts.`);
  if (read !== kind) found.push(`The rope type is ${kind}, but there is a short_factor: it is read as ${read}.`);
  const known = [...EVERYWHERE, ...READ[KINDS[read]]];
  const unread = [...parameters.keys()].filter((name) => !known.includes(name) || (name === "truncate" && layers));
  const isNamed = parameters.has("rope_type") || other !== undefined;
  if (unread.length && isNamed) found.push(`Not read for rope type ${kind}: ${listed(unread)}.`);
  if (unread.length && !isNamed) found.push(`There is no rope type, so nothing is scaled. Not read: ${listed(unread)}.`);
  return found;
}

/** Lengths and factor that are missing or disagree. @param {Given} given @returns {string[]} */
function ofLengths({ full, parameters, kind, rotary: { scaling } }) {
  if (!scaling || !(ORIGINAL in scaling)) return [];
  const found = [];
  const { factor, [ORIGINAL]: original } = scaling;
  const [outer, inner] = [full.get(ORIGINAL), parameters.get(ORIGINAL)];
  const most = full.has(MOST) ? Number(full.get(MOST)) : null;
  if (inner === undefined && (outer === undefined || kind !== null)) {
    found.push(`${ORIGINAL} is missing. ${MOST} is used in its place: ${numeral(original)}.`);
  }
  if (inner !== undefined && outer !== undefined && Number(inner) !== Number(outer)) {
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

/** @param {Given} given @returns {string[]} */
function ofAttention({ own, parameters, rotary: { base, rotary_dim: width, scaling } }) {
  if (scaling?.type !== "YaRN") return [];
  const { mscale, mscale_all_dim: all, factor, beta_fast: fast, beta_slow: slow } = scaling;
  const found = [];
  const named = ["mscale", "mscale_all_dim"].filter((name) => truthy(parameters.get(name)));
  if (named.length === 1) found.push(`Only ${named[0]} is set. transformers uses mscale and mscale_all_dim only together, and so does posenc.`);
  if (fast < slow) {
    const isReversed = rotaryFrequencies(scaling, base, width)[0] < 1; // the frequency of pair 0, if nothing divides it
    found.push(`beta_fast is ${numeral(fast)}, below beta_slow, ${numeral(slow)}. ${isReversed ? "The ramp is reversed: it divides fast pairs and keeps slow ones." : "No pair is on the ramp."}`);
  }
  if (own.get("model_type") === "deepseek_v3" && all && scaling.attention_factor === null) {
    const scale = (0.1 * all * Math.log(factor) + 1) ** 2;
    if (mscale === all) found.push("mscale and mscale_all_dim are equal, so the attention factor is 1.");
    found.push(`transformers 5.23.0 multiplies the scores of DeepSeek-V3 by ${numeral(scale)}.`);
  }
  return found;
}

/** @param {Given} given @returns {string[]} */
function ofSections({ parameters, rotary }) {
  const sections = parameters.get("mrope_section");
  if (!Array.isArray(sections)) return [];
  const [sum, pairs] = [sections.reduce((total, part) => total + Number(part), 0), rotary.rotary_dim / 2];
  const whole = sum === pairs ? "" : ` They add up to ${numeral(sum)}, while there are ${numeral(pairs)} pairs.`;
  return [`mrope_section shares the pairs among three coordinates. In a text all three are the same number, so nothing changes.${whole}`];
}
