/**
 * The scaling that a config names, as in `posenc/rotary/_config_scalings.py`, and the frequencies
 * and the attention factor that it gives, as in `posenc/rotary`, within some 1e-14.
 */

import { isLong, rotaryFrequencies, turning } from "../maths/rotary.js";
import { finite, flag, positive, positives, refuse, truthy } from "./checks.js";
import { KINDS, NAMES } from "./known.js";
import { defaults, readsAlpha } from "./models.js";
import { float, shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/**
 * A scaling; the names are those of a config.
 * @typedef {{ type: "Linear" | "NTK", factor: number }
 *   | { type: "DynamicNTK", factor: number, max_position_embeddings: number }
 *   | { type: "SteppedNTK", max_position_embeddings: number }
 *   | { type: "Proportional", partial_rotary_factor: number, factor: number }
 *   | { type: "Llama3", factor: number, low_freq_factor: number, high_freq_factor: number, original_max_position_embeddings: number }
 *   | YaRN | LongRoPE} Scaling
 */
/** @typedef {{ type: "YaRN", factor: number, original_max_position_embeddings: number, beta_fast: number, beta_slow: number, truncate: boolean, mscale: number, mscale_all_dim: number, attention_factor: number | null }} YaRN */
/** @typedef {{ type: "LongRoPE", short_factor: number[], long_factor: number[], original_max_position_embeddings: number, factor: number, attention_factor: number | null, short_mscale: number | null, long_mscale: number | null }} LongRoPE */

const ORIGINAL = "original_max_position_embeddings";
const MOST = "max_position_embeddings";

/** The value of `name`, or else `usual`. @param {Config} config @param {string} name @param {any} [usual] */
export const either = (config, name, usual) => (config.has(name) ? config.get(name) : usual);

/** The key that has `value` in a config: one of `names`, or what the model calls it. @param {Config} config @param {any} value @param {...string} names */
export const called = (config, value, ...names) => (
  names.flatMap((name) => [...(NAMES[name] ?? []), name]).find((key) => Object.is(config.get(key), value)) ?? names[0]);

/** The rope type that parameters name. @param {Config} parameters */
export const kindOf = (parameters) => parameters.get("rope_type") ?? parameters.get("type") ?? "default";

/** The rope type to use: early configs of Phi-3 call LongRoPE "yarn". @param {Config} parameters @param {any} model */
export function readAs(parameters, model) {
  const kind = kindOf(parameters);
  const isUnknown = !defaults.has(model) && parameters.has("short_factor");
  return kind === "yarn" && (["phi3", "phi4_multimodal"].includes(model) || isUnknown) ? "longrope" : kind;
}

/**
 * The scaling of one set of parameters; `nested` sets belong to a layer type.
 * @param {Config} parameters
 * @param {Config} config
 * @param {boolean} nested
 * @returns {Scaling | null}
 */
export function scalingOf(parameters, config, nested) {
  if (!parameters.has("rope_type") && !parameters.has("type")) return unnamed(config);
  const kind = kindOf(parameters);
  if (typeof kind !== "string" || !Object.hasOwn(KINDS, kind)) {
    const known = Object.keys(KINDS).map((name) => shown(name)).join(", ");
    refuse(`rope type must be one of ${known}, got ${shown(kind)}`);
  }
  const given = new Map(parameters);
  if (nested) given.set("truncate", true); // transformers 5.24 reads it beside such sets, not in them
  else if (config.has(ORIGINAL)) given.set(ORIGINAL, config.get(ORIGINAL));
  return MAKERS[KINDS[readAs(parameters, config.get("model_type"))]](given, config);
}

/** The scalings that a config.json sets under other names than a rope type. @param {Config} config @returns {Scaling | null} */
function unnamed(config) {
  if (truthy(config.get("use_dynamic_ntk"))) { // Qwen 1
    return { type: "SteppedNTK", [MOST]: longest(config.has("seq_length") ? new Map([...config, [MOST, config.get("seq_length")]]) : config) };
  }
  const scale = either(config, "rope_position_scale", 1); // Phi-3 small multiplies positions by it
  return [1, 1n, true].includes(scale) ? null : { type: "Linear", factor: 1 / positive("rope_position_scale", scale) };
}

/** @type {Record<string, (parameters: Config, config: Config) => Scaling | null>} */
const MAKERS = {
  none: () => null,
  linear: (parameters) => ({ type: "Linear", factor: positive("factor", required(parameters, "factor")) }),
  ntk: (parameters) => ({ type: "NTK", factor: positive("factor", required(parameters, "factor")) }),
  dynamic(parameters, config) {
    const alpha = parameters.get("alpha");
    if (truthy(alpha) && readsAlpha(config.get("model_type"))) return { type: "NTK", factor: positive("alpha", alpha) };
    const [factor, most] = [required(parameters, "factor"), longest(config)];
    return { type: "DynamicNTK", factor: positive("factor", factor), [MOST]: most };
  },
  llama3,
  yarn,
  longrope,
  proportional(parameters, config) {
    const factor = positive("factor", parameters.get("factor") ?? 1);
    const part = finite("partial_rotary_factor", either(parameters, "partial_rotary_factor", config.get("partial_rotary_factor") ?? 1));
    if (part < 0 || part > 1) refuse(`partial_rotary_factor must be between 0 and 1, got ${shown(part)}`);
    return { type: "Proportional", partial_rotary_factor: part, factor };
  },
};

/** @param {Config} parameters @param {Config} config @returns {Scaling} */
function llama3(parameters, config) {
  const given = ["factor", "low_freq_factor", "high_freq_factor"].map((name) => [name, required(parameters, name)]);
  given.push([ORIGINAL, original(parameters, config)]);
  const [factor, low, high, length] = given.map(([name, value]) => positive(name, value));
  if (high < low) refuse(`high_freq_factor must be at least low_freq_factor = ${shown(low)}, got ${shown(high)}`);
  return { type: "Llama3", factor, low_freq_factor: low, high_freq_factor: high, [ORIGINAL]: length };
}

/** @param {Config} parameters @param {Config} config @returns {YaRN} */
function yarn(parameters, config) {
  const both = ["mscale", "mscale_all_dim"].every((name) => truthy(parameters.get(name))); // else transformers uses neither
  const given = [["factor", factorOf(parameters, config)], [ORIGINAL, original(parameters, config)]];
  for (const [name, usual] of [["beta_fast", 32], ["beta_slow", 1]]) {
    const value = parameters.get(/** @type {string} */ (name));
    given.push([name, truthy(value) ? value : usual]);
  }
  const [factor, length, fast, slow] = given.map(([name, value]) => positive(name, value));
  const [above, below] = [["mscale", 1], ["mscale_all_dim", 0]].map(([name, usual]) => finite(String(name), both ? parameters.get(String(name)) : usual));
  const attention = parameters.get("attention_factor") ?? null;
  return {
    type: "YaRN", factor, [ORIGINAL]: length, beta_fast: fast, beta_slow: slow, mscale: above, mscale_all_dim: below,
    attention_factor: attention === null ? null : positive("attention_factor", attention),
    truncate: flag("truncate", parameters.get("truncate") ?? true),
  };
}

/** @param {Config} parameters @param {Config} config @returns {LongRoPE} */
function longrope(parameters, config) {
  const [short, long] = ["short_factor", "long_factor"].map((name) => required(parameters, name));
  const [length, factor] = [original(parameters, config), factorOf(parameters, config)];
  const numbers = { [ORIGINAL]: positive(ORIGINAL, length), factor: positive("factor", factor) };
  const lists = { short_factor: positives("short_factor", short), long_factor: positives("long_factor", long) };
  const [attention, shortScale, longScale] = ["attention_factor", "short_mscale", "long_mscale"].map((name) => {
    const value = parameters.get(name) ?? null;
    return value === null ? null : positive(name, value);
  });
  return { type: "LongRoPE", ...lists, original_max_position_embeddings: numbers[ORIGINAL], factor: numbers.factor, attention_factor: attention, short_mscale: shortScale, long_mscale: longScale };
}

/** @param {Config} parameters @param {string} name */
function required(parameters, name) {
  if (!parameters.has(name)) refuse(`config must have ${name} where the rope type is ${shown(parameters.get("rope_type") ?? parameters.get("type") ?? null)}`);
  return parameters.get(name);
}

/** @param {Config} config */
function longest(config) {
  const most = config.get(MOST);
  if (most === undefined) refuse(`config must have ${MOST} for its rope type`);
  return positive(called(config, most, MOST), most);
}

/** @param {Config} parameters @param {Config} config */
const original = (parameters, config) => (parameters.has(ORIGINAL) ? parameters.get(ORIGINAL) : longest(config));

/** `factor`; if it is missing, the longest length divided by the original one. @param {Config} parameters @param {Config} config */
function factorOf(parameters, config) {
  if (parameters.has("factor")) return parameters.get("factor");
  return longest(config) / positive(ORIGINAL, original(parameters, config));
}

/** @typedef {{ head_dim: number, base: number, rotary_dim: number, layout: string | null, scaling: Scaling | null }} Rotary */

/**
 * Radians per position of each pair, in a text of `length` positions; without `length`, in a text no longer than those of the training.
 * @param {Rotary} rotary
 * @param {number | null} [length]
 */
export function frequencies({ base, rotary_dim: width, scaling }, length = null) {
  check(scaling, base, width);
  const found = rotaryFrequencies(scaling, base, width, length);
  for (const [i, frequency] of found.entries()) {
    const isStill = scaling?.type === "Proportional" && i >= turning(scaling.partial_rotary_factor, width);
    if (!Number.isFinite(frequency) || (!frequency && !isStill)) refuse(`base and scaling must keep frequencies within float64, got ${float(frequency)}`);
  }
  for (const long of [null, Infinity]) {
    const gives = attentionFactor({ scaling }, long);
    if (!(gives > 0 && gives < Infinity)) refuse(`scaling must give a finite attention factor greater than 0, got ${float(Number(gives.toPrecision(3)))}`);
  }
  return found;
}

/** Refuse a base or a width that the scaling cannot have. @param {Scaling | null} scaling @param {number} base @param {number} width */
function check(scaling, base, width) {
  if (scaling?.type.endsWith("NTK") && width < 4) refuse(`rotary_dim must be at least 4 with NTK scaling, got ${width}`);
  if (scaling?.type === "YaRN" && base <= 1) refuse(`base must be greater than 1 with YaRN, got ${float(base)}`);
  if (scaling?.type !== "LongRoPE") return;
  for (const name of /** @type {const} */ (["short_factor", "long_factor"])) {
    if (scaling[name].length !== width / 2) refuse(`${name} must have ${width / 2} numbers, got ${scaling[name].length}`);
  }
}

/** The same without the scaling. @param {Rotary} rotary */
export const unscaled = (rotary) => frequencies({ ...rotary, scaling: null });

/**
 * The number that multiplies cosine and sine.
 * @param {Pick<Rotary, "scaling">} rotary
 * @param {number | null} [length]
 */
export function attentionFactor({ scaling }, length = null) {
  if (scaling?.type === "YaRN") {
    const { factor, mscale, mscale_all_dim: all, attention_factor: given } = scaling;
    if (given !== null) return given;
    const warmth = Math.log(factor) / 10;
    return factor <= 1 ? 1 : (mscale * warmth + 1) / (all * warmth + 1);
  }
  if (scaling?.type === "LongRoPE") {
    const { factor, original_max_position_embeddings: original, attention_factor: attention } = scaling;
    const given = (isLong(scaling, length) ? scaling.long_mscale : scaling.short_mscale) ?? attention;
    if (given !== null) return given;
    return factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
  }
  return 1;
}

/** Whether frequencies or attention factor depend on the length of the text. @param {Rotary} rotary */
export const dependsOnLength = ({ scaling }) => ["DynamicNTK", "SteppedNTK", "LongRoPE"].includes(scaling?.type ?? "");
