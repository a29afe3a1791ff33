/**
 * What multiplies scores and queries; see `posenc/plans/_scores.py` and `posenc/plans/_queries.py`.
 */

import { finite, integer, positive, truthy } from "./checks.js";
import { TYPES } from "./known.js";
import { keyed } from "./models.js";
import { either } from "./scalings.js";
import { numeral } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Rotary } from "./scalings.js" */
/** @typedef {{ factor: number, scale: number | null, why: string }} Score what the scores are multiplied by, beside the usual and in all */

const rules = keyed(TYPES.scores);
const queries = keyed(TYPES.queries);
const stillQueries = keyed(TYPES["queries that stay"]);

/** @param {Config} own @param {Config} full @param {Config} parameters @param {Rotary} rotary @returns {Score | null} null if it is not known */
export function scoreOf(own, full, parameters, rotary) {
  const model = own.get("model_type");
  const rule = rules.get(model) ?? "head";
  const isLatent = full.has("qk_rope_head_dim");
  const width = isLatent ? latentWidth(full, model, rotary) : rotary.head_dim;
  if (rule === "own") return null;
  if (isLatent) return latent(parameters, width, rule);
  const head = rotary.head_dim;
  const given = (/** @type {number} */ scale, /** @type {string} */ why) => ({ factor: scale * Math.sqrt(head), scale, why });
  if (rule === "one") return given(1, "1");
  if (rule === "attention_multiplier") return given(finite(rule, either(full, rule, TYPES.multipliers[model] ?? 1)), rule);
  if (rule === "query_pre_attn_scalar") {
    const number = positive(rule, either(full, rule, TYPES.scalars[model] ?? 256));
    return given(number ** -0.5, `${rule}^-½ = 1/√${plain(number)}`);
  }
  return rule === "half head" ? given((head / 2) ** -0.5, `1/√(${head} / 2)`) : given(head ** -0.5, `1/√${head}`);
}

/** @param {number} value */
const plain = (value) => numeral(value, 6).replaceAll(",", "");

/** The width of a query of which a part turns apart. @param {Config} full @param {any} model @param {Rotary} rotary @returns {number | null} */
function latentWidth(full, model, rotary) {
  const passing = either(full, "qk_nope_head_dim", TYPES.passing[model] === undefined ? undefined : BigInt(TYPES.passing[model]));
  return passing === undefined ? null : Number(integer("qk_nope_head_dim", passing, 0n)) + rotary.head_dim;
}

/** The factor grows with `mscale_all_dim`. @param {Config} parameters @param {number | null} width @param {string} rule @returns {Score} */
function latent(parameters, width, rule) {
  const kind = parameters.get("rope_type") ?? parameters.get("type") ?? "default";
  const usual = width === null ? null : width ** -0.5;
  const why = width === null ? "1/√(width of a query)" : `1/√${width}`;
  const all = parameters.get("mscale_all_dim");
  if (rule === "plain" || kind === "default" || !truthy(all) || !parameters.has("factor")) return { factor: 1, scale: usual, why };
  const stretch = positive("factor", parameters.get("factor"));
  const number = finite("mscale_all_dim", all);
  const factor = stretch <= 1 ? 1 : (0.1 * number * Math.log(stretch) + 1) ** 2;
  return { factor, scale: usual && usual * factor, why: `${why} · (0.1 · ${plain(number)} · ln ${plain(stretch)} + 1)²` };
}

/** What else multiplies a query at position p; null if nothing does. @param {Config} own @param {Config} parameters @returns {string | null} */
export function queryOf(own, parameters) {
  const model = own.get("model_type");
  if (["ministral3", "mistral4"].includes(model)) {
    return llama4(parameters.get("llama_4_scaling_beta"), parameters.get("original_max_position_embeddings") ?? null);
  }
  if (queries.has(model)) return queries.get(model) ?? null;
  if (model === "falcon_h1" && Number(own.get("key_multiplier") ?? 1) !== 1) return `key times ${numeral(finite("key_multiplier", own.get("key_multiplier")), 5)} (key_multiplier)`;
  if (model !== "qwen" || !truthy(own.get("use_logn_attn"))) return null;
  const length = numeral(positive("seq_length", either(own, "seq_length", 8192)), 6);
  return `query at position p times ln(p + 1) / ln ${length} if p + 1 > ${length}`;
}

/** The factor of Ministral 3 and Mistral 4, which a config names after Llama 4. @param {any} beta @param {any} original @returns {string | null} */
export function llama4(beta, original) {
  if (!truthy(beta)) return null;
  const number = finite("beta", beta);
  const length = positive("original_max_position_embeddings", original);
  return `query at position p times 1 + ${plain(number)} ln(1 + floor(p / ${numeral(length, 6)}))`;
}

/** The temperature of Llama 4 and others, in their layers without positions. @param {Config} own @returns {string | null} */
export function temperature(own) {
  const fixed = stillQueries.get(own.get("model_type"));
  if (fixed) return fixed;
  if (!["llama4", "llama4_text"].includes(own.get("model_type"))) return null;
  if (!truthy(either(own, "attn_temperature_tuning", true))) return null;
  const scale = finite("attn_scale", either(own, "attn_scale", 0.1));
  const floor = positive("floor_scale", either(own, "floor_scale", 8192));
  return `query at position p times 1 + ${plain(scale)} ln(1 + floor((p + 1) / ${numeral(floor, 6)}))`;
}
