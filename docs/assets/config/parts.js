/**
 * Encoders of images and sounds: pairs that several coordinates turn, or no pairs at all; see `posenc/plans/_vision.py`.
 */

import { integer, positive, refuse, truthy } from "./checks.js";
import { INNER, NAMES, TYPES } from "./known.js";
import { completed, keyed, spread } from "./models.js";
import { shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Rotary } from "./scalings.js" */
/** @import { Score } from "./scores.js" */
/** @typedef {{ axes: string[], sections: number[], rule: string, note: string | null, rotary: Rotary, score: Score | null }} Axial how coordinates turn the pairs of an encoder */
/** @typedef {{ rule: string, layout: string, axes: string[], base: number, width: number, heads: number, note: string | null }} How */

/** @type {Map<string, How>} */
const axial = spread(TYPES.axial.map((/** @type {any} */ how) => [how.types, how]));
const encodings = keyed(TYPES.encodings);

/** Whether the config is that of an encoder whose pairs take several coordinates. @param {any} model */
export const isAxial = (model) => axial.has(model);

/** The configs of encoders, by their keys. @param {Config} config @returns {Map<string, Config>} */
export function partsOf(config) {
  return new Map([...config].flatMap(([key, part]) => {
    if (!(part instanceof Map)) return [];
    if (INNER.slice(1).includes(key)) return [...partsOf(completed(part))];
    const encodes = truthy(part.get("model_type")) || part.has("rope_parameters");
    return key.endsWith("_config") && key !== "slice_config" && !INNER.includes(key) && encodes ? [[key.slice(0, -"_config".length), part]] : [];
  }));
}

/** What an encoder does in place of turning, or how coordinates turn its pairs. @param {Config} part @returns {{ encoding: string } | Axial} */
export function encoderOf(part) {
  const model = part.get("model_type") ?? null;
  const encoding = encodings.get(model);
  if (encoding) return { encoding };
  const how = axial.get(model);
  if (!how) return refuse(`posenc does not know how ${model ?? "None"} encodes positions`);
  const head = headOf(part, how);
  const given = part.get("rope_parameters");
  const parameters = truthy(given) ? given : new Map();
  if (!(parameters instanceof Map)) refuse(`rope_parameters must be a dict, got ${shown(parameters)}`);
  const base = parameters.has("rope_theta") ? parameters.get("rope_theta") : part.has("rope_theta") ? part.get("rope_theta") : how.base;
  const { axes, rule, note, layout } = how;
  const sections = axes.map(() => Math.floor(Math.floor(head / 2) / axes.length));
  const turned = 2 * sections.reduce((sum, count) => sum + count, 0);
  return {
    axes, sections, rule, note,
    rotary: { head_dim: head, rotary_dim: turned, base: positive("rope_theta", base), layout, scaling: null },
    score: rule === "unknown" ? null : { factor: 1, scale: head ** -0.5, why: `1/√${head}` },
  };
}

/** @param {Config} part @param {How} how */
function headOf(part, how) {
  if (truthy(part.get("head_dim"))) return Number(integer("head_dim", part.get("head_dim"), 4n));
  const width = first(part, ["embed_dim", "hidden_size", ...NAMES.hidden_size], how.width);
  const heads = first(part, ["num_attention_heads", ...NAMES.num_attention_heads], how.heads);
  return Number(integer("hidden_size", width, heads) / heads);
}

/** @param {Config} part @param {string[]} names @param {number} usual */
function first(part, names, usual) {
  const value = names.map((name) => part.get(name) ?? null).find((one) => one !== null) ?? BigInt(usual);
  return integer(names[names.length - 1], value, 1n);
}
