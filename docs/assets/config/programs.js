/**
 * Where programs compute something else from the same config.json, in sentences; see `posenc/plans/_programs.py`.
 */

import { SOURCES, TYPES } from "./known.js";
import { truthy } from "./checks.js";
import { attentionFactor, frequencies, kindOf } from "./scalings.js";
import { numeral } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Plan } from "./plan.js" */
/** @import { Rotary } from "./scalings.js" */
/** @typedef {[string, number | string | null, string]} Other a program, its value (null: it refuses the file), and the source */

const BEFORE = "vLLM at 926c71f6, before it read mscale and attention_factor";
const OLD = "vLLM at 17d618b0";
const MLX = SOURCES["mlx-lm"];

/** A sentence for each number that programs do not agree on. @param {Plan} plan @returns {string[]} */
export function differences({ own, full, turns: used, every: turns = used, differ }) {
  if (differ) return differ;
  return [...turns].flatMap(([kind, { rotary, parameters }]) => {
    const known = [...ofTypes(parameters), ...ofYarn(own, full, parameters, rotary), ...ofNtk(parameters, rotary), ...ofProportional(rotary), ...ofLongrope(full, parameters, rotary)];
    const ignored = kind === null ? ofKeys(own, parameters, rotary) : [];
    const found = ignored.length ? [...ignored, ...withoutMlx(known)] : known;
    const layers = kind === null ? "" : `${kind}: `;
    return found.map((one) => layers + sentence(...one));
  });
}

/** @param {string} what @param {number | string} here @param {Other[]} others */
export function sentence(what, here, others) {
  const elsewhere = others.map(([name, value, source]) => `${name} ${told(value)} (${source})`).join("; ");
  return `${what}: ${told(here)} here; ${elsewhere}`;
}

/** @param {number | string | null} value */
const told = (value) => (value === null ? "refuses the file" : typeof value === "string" ? value : numeral(value, 5));

/** @typedef {[string, number | string, Other[]]} Difference what, here, and elsewhere */

/** mlx-lm reads no scaling in a file whose keys it ignores. @param {Difference[]} known @returns {Difference[]} */
const withoutMlx = (known) => known.map(([what, here, others]) => /** @type {Difference} */ ([what, here, others.filter(([name]) => name !== "mlx-lm")])).filter(([, , others]) => others.length);

/** What mlx-lm takes if its class for this model does not read `rope_parameters`. @param {Config} own @param {Config} parameters @param {Rotary} rotary @returns {Difference[]} */
function ofKeys(own, parameters, { base, scaling }) {
  const [found] = Object.entries(TYPES["mlx-lm bases"]).find(([, names]) => names.split(" ").includes(own.get("model_type"))) ?? [];
  if (found === undefined || own.has("rope_theta") || truthy(own.get("rope_scaling")) || !(own.get("rope_parameters") instanceof Map)) return [];
  const [number, source] = [found === "none" ? null : Number(found), SOURCES["mlx-lm, keys"]];
  /** @type {Difference[]} */
  const differ = number !== base ? [["base", base, [["mlx-lm 0.32.2", number, source]]]] : [];
  if (scaling && number !== null) differ.push(["scaling", kindOf(parameters) ?? "default", [["mlx-lm 0.32.2", "none", source]]]);
  return differ;
}

/** @param {Config} parameters @returns {Difference[]} */
function ofTypes(parameters) {
  const [named, other] = [parameters.get("rope_type"), parameters.get("type")];
  if (typeof named !== "string" || typeof other !== "string" || named === other) return [];
  /** @type {Other[]} */
  const others = [["mlx-lm", other, MLX]];
  if (!["longrope su", "default mrope"].includes(`${named} ${other}`)) others.push(["vLLM 0.33.0", null, SOURCES["vLLM, types"]]);
  return [["rope type", named, others]];
}

/** `g(mscale) / g(mscale_all_dim)` with 1 and 0 for those that are missing. @param {number} factor @param {any} scale @param {any} all */
function warmth(factor, scale, all) {
  const stretch = Math.log(factor) / 10;
  return factor <= 1 ? 1 : (Number(scale ?? 1) * stretch + 1) / (Number(all ?? 0) * stretch + 1);
}

/** @param {Config} own @param {Config} full @param {Config} parameters @param {Rotary} rotary @returns {Difference[]} */
function ofYarn(own, full, parameters, rotary) {
  const { scaling } = rotary;
  if (scaling?.type !== "YaRN" || parameters.has("short_factor")) return [];
  if (own.get("model_type") === "deepseek_v4") return []; // vLLM has code of its own for it, with the factor 1
  const [scale, all, given] = ["mscale", "mscale_all_dim", "attn_factor"].map((key) => parameters.get(key));
  if (![scale, all, given].every((value) => ["undefined", "number", "bigint", "boolean"].includes(typeof value))) return [];
  const single = warmth(scaling.factor, scale, all);
  const factor = Number(given ?? 1);
  const isLatent = full.has("qk_rope_head_dim"); // DeepSeek's code in vLLM, for all of these models
  /** @type {Other[]} */
  const others = isLatent ? [["vLLM at 00d678e1", single * factor, SOURCES["vLLM, deepseek"]]] : [];
  if (!isLatent && kindOf(parameters) === "yarn") {
    const isScaled = truthy(parameters.get("apply_yarn_scaling") ?? true);
    others.push([BEFORE, (isScaled ? warmth(scaling.factor, undefined, undefined) : 1) * factor, SOURCES["vLLM, yarn"]], ["mlx-lm", single, MLX]);
    if (parameters.has("factor") && !["ministral3", "mistral4"].includes(own.get("model_type"))) others.push(["llama.cpp since #17945", warmth(scaling.factor, undefined, undefined), SOURCES["llama.cpp"]]);
  }
  const here = attentionFactor(rotary);
  const unlike = others.filter(([, value]) => Number.isFinite(value) && Math.abs(Number(value) - here) > 1e-9);
  /** @type {Difference[]} */
  const found = unlike.length ? [["attention factor", here, unlike]] : [];
  if (scaling.truncate || isLatent) return found;
  const [exact, rounded] = [scaling.truncate, true].map((truncate) => [...frequencies({ ...rotary, scaling: { ...scaling, truncate } })]);
  const pair = furthest(exact, rounded);
  if (exact[pair] !== rounded[pair]) found.push([`frequency of pair ${pair}`, exact[pair], [["mlx-lm", rounded[pair], MLX], ["llama.cpp at 00bdaa10", rounded[pair], SOURCES.ggml]]]);
  return found;
}

/** The pair whose two frequencies are the furthest apart. @param {number[]} one @param {number[]} two */
function furthest(one, two) {
  const apart = one.map((value, i) => Math.abs(Math.log(value / two[i])));
  return apart.indexOf(apart.reduce((most, value) => Math.max(most, value)));
}

/** @param {Rotary} rotary @returns {Difference[]} */
function ofProportional({ scaling }) {
  if (scaling?.type !== "Proportional" || scaling.factor === 1) return [];
  return [["frequency of pair 0", 1 / scaling.factor, [["vLLM 0.33.0", 1, SOURCES["vLLM, proportional"]], ["SGLang 0.5.23", 1, SOURCES["SGLang, proportional"]]]]];
}

/** @param {Config} parameters @param {Rotary} rotary @returns {Difference[]} */
function ofNtk(parameters, { scaling, rotary_dim: width }) {
  if (scaling?.type !== "NTK" || kindOf(parameters) !== "ntk") return [];
  const power = parameters.get("mixed_b");
  const first = scaling.factor ** -((2 / width) ** (["number", "bigint", "boolean"].includes(typeof power) ? Number(power) : 1));
  return first === 1 ? [] : [["frequency of pair 0", 1, [["vLLM at 03587f55", first, SOURCES["vLLM, ntk"]]]]];
}

/** @param {Config} full @param {Config} parameters @param {Rotary} rotary @returns {Difference[]} */
function ofLongrope(full, parameters, rotary) {
  const { scaling } = rotary;
  if (scaling?.type !== "LongRoPE") return [];
  const original = scaling.original_max_position_embeddings;
  const isRefused = kindOf(parameters) === "su" && full.get("model_type") !== "phi3"; // else mlx-lm and SGLang have no such type
  const [short, long] = [null, 2 * original].map((length) => [...frequencies(rotary, length)]);
  const pair = furthest(short, long);
  /** @type {Difference[]} */
  const found = [];
  if (short[pair] !== long[pair]) {
    found.push([`frequency of pair ${pair} in a text of at most ${numeral(original)} positions`, short[pair], [
      [`${OLD}, if it serves longer texts`, long[pair], SOURCES["vLLM, longrope"]], ["mlx-lm", isRefused ? null : long[pair], MLX]]]);
  }
  const most = full.get("max_position_embeddings");
  if (!["number", "bigint"].includes(typeof most) || !(most > 0) || original <= 1) return found;
  const ratio = Number(most) / original;
  const made = ratio <= 1 ? 1 : Math.sqrt(1 + Math.log(ratio) / Math.log(original));
  const here = attentionFactor(rotary);
  /** @type {Other[]} */
  let unlike = scaling.short_mscale === null ? [[OLD, made, SOURCES["vLLM, longrope"]]] : [];
  const isMoe = full.get("model_type") === "phimoe"; // mlx-lm reads long_mscale only there
  if (unlike.length && !isRefused) unlike.push(["SGLang 0.5.23", made, SOURCES["SGLang, longrope"]]);
  if (!unlike.length && !isMoe && scaling.attention_factor === null) unlike.push(["transformers 5.24", made, SOURCES.transformers]);
  if (!isRefused) unlike.push(["mlx-lm", (isMoe && scaling.long_mscale) || made, MLX]);
  unlike = unlike.filter(([, value]) => Math.abs(Number(value) - here) > 1e-9);
  if (unlike.length) found.push(["attention factor", here, unlike]);
  return found;
}
