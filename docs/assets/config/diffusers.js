/**
 * The config.json of a transformer in diffusers: axes of images and videos; see `posenc/plans/_diffusers.py`.
 */

import { WIDEST, integer, positive, refuse, truthy } from "./checks.js";
import { TYPES } from "./known.js";
import { isOf, keyed, spread } from "./models.js";
import { either } from "./scalings.js";
import { numeral, shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Axial } from "./parts.js" */
/** @typedef {{ axes: string[], widths: number[] | string, key: string | null, base: number, base_key: string | null, layout: string, rule: string, head_dim: number | null, note: string | null }} Family */

/** @type {Map<string, Family>} */
const families = spread(TYPES.diffusers.map((/** @type {any} */ one) => [one.classes, one]));
const encodings = keyed(TYPES["diffusers encodings"]);
const reasons = keyed(TYPES["diffusers refused"]);
/** @type {string[]} */
const KEYS = TYPES["diffusers keys"].split(" ");

/** @param {Config} config */
const listOf = (config) => KEYS.find((key) => Array.isArray(config.get(key)));

/** Whether the config is of diffusers. @param {Config} config */
export const isDiffusers = (config) => config.has("_class_name") || listOf(config) !== undefined;

/** What stands in place of turning, or how coordinates turn the pairs. @param {Config} config @returns {{ model: string | null, noted: string[], how: { encoding: string } | Axial }} */
export function diffusersPlan(config) {
  const name = config.get("_class_name") ?? null;
  if (name === null) return { model: null, noted: [TYPES.sentences.nameless], how: unnamed(config) };
  if (typeof name !== "string") refuse(`_class_name must be a string, got ${shown(name)}`);
  const reason = reasons.get(name);
  if (reason) refuse(`_class_name must be one whose pairs turn by known frequencies, got ${shown(name)}: ${reason}`);
  const isAdded = isOf("diffusers adds or turns", name) && !truthy(config.get("use_rotary_positional_embeddings"));
  const encoding = isAdded ? "sinusoidal" : encodings.get(name);
  if (encoding) return { model: name, noted: [], how: { encoding } };
  const family = families.get(name);
  if (!family) return refuse(`_class_name must be a class of diffusers 0.42 whose axes are known here, got ${shown(name)}`);
  return { model: name, ...turned(family, config) };
}

/** @param {string[]} axes @param {number[]} widths @param {number} head @param {number | null} base @param {{ layout: string | null, rule: string, note: string | null }} more @returns {Axial} */
const made = (axes, widths, head, base, { layout, rule, note }) => ({
  axes: axes.length === widths.length ? axes : widths.map((_, i) => `axis ${i}`), sections: widths.map((width) => width / 2), rule, note, score: null,
  rotary: { head_dim: head, rotary_dim: total(widths), base: /** @type {number} */ (base), layout, scaling: null },
});

/** @param {number[]} widths */
const total = (widths) => widths.reduce((sum, width) => sum + width, 0);

/** Axes of a config without a class: their widths only. @param {Config} config */
function unnamed(config) {
  const key = listOf(config);
  if (key === undefined) return refuse("_class_name must be a class of diffusers, got None");
  const widths = widthsOf(key, config.get(key));
  const base = config.has("rope_theta") ? config.get("rope_theta") : config.get("theta") ?? null;
  return made([], widths, total(widths), base === null ? null : positive("rope_theta", base), { layout: null, rule: "unknown", note: null });
}

/** @param {string} key @param {any} given @returns {number[]} */
function widthsOf(key, given) {
  if (!Array.isArray(given)) refuse(`${key} must be a list of numbers, got ${shown(given)}`);
  const widths = given.map((one) => Number(integer(key, one, 0n, WIDEST)));
  if (!widths.some(Boolean) || widths.some((one) => one % 2)) refuse(`${key} must hold even numbers, got ${shown(given)}`);
  return widths;
}

/** @type {Record<string, (head: number) => number[]>} */
const RULES = {
  wan: (head) => [head - 4 * Math.floor(head / 6), 2 * Math.floor(head / 6), 2 * Math.floor(head / 6)],
  cogvideox: (head) => [Math.floor(head / 4), 3 * Math.floor(head / 8), 3 * Math.floor(head / 8)],
  equal: (head) => [Math.floor(head / 2), Math.floor(head / 2)],
  ltx: (head) => [head],
};

/** @param {Family} family @param {Config} config @returns {{ noted: string[], how: Axial }} */
function turned(family, config) {
  const { key, base_key: named, layout, rule } = family;
  const isGiven = key !== null && config.has(key);
  const noted = key === null || isGiven ? [] : [`${key} is missing. The class's default is used.`];
  let head = headOf(family, config);
  let widths = typeof family.widths === "string" ? RULES[family.widths](head ?? 0) : isGiven ? widthsOf(key, config.get(key)) : family.widths;
  if (rule === "ltx") {
    const all = integer("num_attention_heads", either(config, "num_attention_heads", 32n), 1n) * BigInt(head ?? 0);
    const inner = Number(integer("num_attention_heads * head", all, 6n, WIDEST));
    widths = Array(3).fill(2 * Math.floor(inner / 6));
    head = inner - inner % 6;
  }
  if (widths.some((width) => width % 2)) refuse(`heads must give axes even numbers of features, got [${widths.join(", ")}]`);
  const names = widths.length === family.axes.length ? family.axes : widths.map((_, i) => `axis ${i}`);
  const axes = names.filter((_, i) => widths[i]);
  widths = widths.filter(Boolean); // Bria 3.2 has an axis without pairs
  const width = total(widths);
  if (head !== null && width !== head && rule !== "ltx") noted.push(`${width} features turn, while a head has ${head}.`);
  noted.push(...["rope_theta", "theta"].filter((one) => config.has(one) && one !== named).map((one) => `${one} is not read: the class has a fixed base.`));
  const base = positive(named ?? "base", either(config, named ?? "", family.base));
  const how = made(axes, widths, head === null || width > head ? width : head, base, { layout, rule, note: family.note });
  if (rule === "cosmos") return { noted, how: cosmos(how, config) };
  if (rule !== "ltx" || (config.get("rope_type") ?? "interleaved") !== "split") return { noted, how };
  return { noted, how: { ...how, rule: "unknown", note: `${how.note}; ${TYPES.sentences.heads}`, rotary: { ...how.rotary, layout: "halves" } } };
}

/** Cosmos stretches the base of each axis. @param {Axial} how @param {Config} config @returns {Axial} */
function cosmos(how, config) {
  const scales = either(config, "rope_scale", [2, 1, 1]);
  if (!Array.isArray(scales)) refuse(`rope_scale must be a list of numbers, got ${shown(scales)}`);
  const numbers = scales.map((one) => positive("rope_scale", one));
  if (numbers.every((one) => one === 1)) return { ...how, rule: "blocks" };
  const widths = how.sections.map((count) => 2 * count);
  if (Math.min(...widths) < 4) refuse(`attention_head_dim must be at least 12, got ${total(widths)}`);
  const bases = widths.slice(0, numbers.length).map((width, i) => numeral(how.rotary.base * numbers[i] ** (width / (width - 2)), 5));
  return { ...how, rule: "unknown", note: `each axis has its own base: ${bases.join(", ")}` };
}

/** @param {Family} family @param {Config} config */
function headOf(family, config) {
  const key = ["attention_head_dim", "head_dim"].find((one) => config.has(one));
  if (key) return Number(integer(key, config.get(key), 2n, WIDEST));
  if (!config.has("dim") || !config.has("n_heads")) return family.head_dim;
  const heads = integer("n_heads", config.get("n_heads"), 1n);
  return Number(integer("dim", config.get("dim"), heads) / heads);
}
