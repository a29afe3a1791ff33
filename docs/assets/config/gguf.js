/**
 * The metadata of a GGUF file, as llama.cpp reads them; see `posenc/plans/_gguf.py`.
 */

import { WIDEST, finite, integer, positive, refuse, truthy } from "./checks.js";
import { TYPES } from "./known.js";
import { isOf, keyed } from "./models.js";
import { attentionFactor, either, frequencies, scalingOf } from "./scalings.js";
import { llama4 } from "./scores.js";
import { numeral, shown } from "./shown.js";
import { positions } from "./types.js";

/** @import { Config } from "./json.js" */
/** @import { Layers } from "./layers.js" */
/** @import { Turn, Text } from "./plan.js" */
/** @import { Scaling } from "./scalings.js" */
/** @import { Score } from "./scores.js" */

const kinds = keyed(TYPES.gguf);
const encodings = keyed(TYPES["gguf encodings"]);
const attention = keyed(TYPES["gguf intervals of attention"]);
const periods = keyed(TYPES["gguf windows"]);

/** @param {Config} config @returns {Text & { noted: string[], differ: string[] }} */
export function ggufPlan(config) {
  const name = config.get("general.architecture");
  if (typeof name !== "string") refuse(`general.architecture must be a string, got ${shown(name)}`);
  const own = new Map([...config].map(([key, value]) => [key.startsWith(`${name}.`) ? key.slice(name.length + 1) : key, value]));
  const kind = kinds.get(name);
  const plan = { model: name, own, full: own, given: own, query: null, differ: [] };
  if (kind === "none") return { ...plan, turns: new Map(), groups: [layersOf(own, null, encodings.get(name) ?? "none")], noted: [] };
  if (own.has("rope.global.freq_base") || own.has("rope.local.freq_base")) refuse(`config must have rope.freq_base where general.architecture is ${shown(name)}, got the keys of Ollama's own files`);
  const noted = [
    ...(kind === undefined ? [`${name} is not known to posenc: the layout is not known.`] : []),
    ...(own.has("rope.freq_base") ? [] : ["rope.freq_base is missing. The usual 10,000 is used."]),
  ];
  const read = byWindow(own, name, turnOf(own, name, kind), noted);
  const [all, with_] = [numbered(own), attending(own, name)];
  const bare = all?.filter((i) => !with_?.includes(i)) ?? [];
  if (bare.length) read.groups.push(layersOf(own, null, "none", { name: "layers without attention", layers: bare }));
  return { ...plan, ...read, noted };
}

/** @param {Config} own @param {string | null} kind @param {string} encoding @param {Partial<Layers>} [more] @returns {Layers} */
const layersOf = (own, kind, encoding, more) => ({ name: kind ?? "all layers", layers: numbered(own), kind, encoding, window: null, ...more });

/** @param {Config} own */
function numbered(own) {
  const count = own.get("block_count");
  return typeof count === "bigint" && count > 0n && count < 10_000n ? Array.from({ length: Number(count) }, (_, i) => i) : null;
}

/** The layers that have heads of keys, or one in a number of layers, if the file says so. @param {Config} own @param {string} name @returns {number[] | null} */
function attending(own, name) {
  const layers = numbered(own);
  if (!layers) return null;
  const heads = ["attention.head_count_kv", "attention.head_count"].map((key) => own.get(key)).find((one) => Array.isArray(one) && one.length >= layers.length);
  if (heads) return layers.filter((i) => truthy(heads[i]));
  const usual = attention.get(name);
  const step = positions(either(own, "full_attention_interval", BigInt(usual ?? 0)));
  return usual && step ? layers.filter((i) => (i + 1) % step === 0) : layers;
}

/** @param {Config} own @param {string} name @param {string | undefined} kind @returns {Turn} */
function turnOf(own, name, kind) {
  const head = headOf(own);
  const width = count(own, "rope.dimension_count", BigInt(head));
  const isShared = kind?.startsWith("sections") ?? false;
  const sections = isShared ? sectionsOf(own) : [];
  if (isShared && !sections.length) refuse("rope.dimension_sections must be there, got none");
  const scaling = scaling_(own, name);
  const layout = kind === undefined ? null : kind === "interleaved" ? "interleaved" : "halves";
  const base = positive("rope.freq_base", own.get("rope.freq_base") ?? 10_000);
  const rotary = { head_dim: isOf("gguf separate", name) ? width : head, rotary_dim: width, base, layout, scaling };
  frequencies(rotary);
  return {
    rotary, sections, axes: sections.length ? ["time", "y", "x"] : [], rule: sections.length ? kind ?? null : null, note: layout === "interleaved" ? TYPES.sentences.rows : null,
    score: scoreOf(own, name, scaling, head), query: temperature(own), parameters: new Map(),
  };
}

/** @param {Config} own */
function headOf(own) {
  if (own.has("attention.key_length")) return count(own, "attention.key_length", 0n);
  const given = own.get("attention.head_count") ?? null;
  // a number for each layer, 0 without attention
  const heads = Array.isArray(given) && given.length ? given.map((one) => integer("attention.head_count", one, 0n)).reduce((most, one) => (one > most ? one : most)) : given;
  const width = count(own, "embedding_length", null);
  const head = Math.floor(width / Number(integer("attention.head_count", heads, 1n)));
  return Number(integer("embedding_length // attention.head_count", BigInt(head), 2n));
}

/** @param {Config} own @param {string} key @param {bigint | null} usual */
function count(own, key, usual) {
  const value = own.has(key) ? own.get(key) : usual;
  if (value === null) refuse(`${key} must be there, got metadata without it`);
  return Number(integer(key, value, 2n, WIDEST));
}

/** @param {Config} own @returns {number[]} */
function sectionsOf(own) {
  const given = own.get("rope.dimension_sections") ?? null;
  if (given === null) return [];
  if (!Array.isArray(given)) refuse(`rope.dimension_sections must be a list of numbers, got ${shown(given)}`);
  return given.map((one) => Number(integer("rope.dimension_sections", one, 0n))).slice(0, 3);
}

/** The scaling that the keys name, or that tensors with a number for each pair hold. @param {Config} own @param {string} name @returns {Scaling | null} */
function scaling_(own, name) {
  const length = own.get("rope.scaling.original_context_length") ?? own.get("context_length") ?? null;
  const kind = own.get("rope.scaling.type") ?? "linear";
  const given = [own.get("rope.scaling.factor"), own.get("rope.scale_linear")].find((one) => one !== undefined);
  const factor = truthy(given) ? given : 1;
  const [short, long, divisors] = ["factors_short", "factors_long", "freqs"].map((what) => own.get(`rope_${what}.weight`) ?? null);
  const made = (/** @type {string} */ type, /** @type {Record<string, any>} */ options) => scalingOf(new Map([["rope_type", type], ...Object.entries(options)]), new Map(), true);
  const lists = (/** @type {any} */ one, /** @type {any} */ two, /** @type {any} */ most, /** @type {any} */ warm) => made("longrope", {
    short_factor: one, long_factor: two, original_max_position_embeddings: most, factor: 1, attention_factor: warm });
  if (short !== null && long !== null) return lists(short, long, length, own.get("rope.scaling.attn_factor") ?? 1);
  if (divisors !== null) return lists(divisors, divisors, own.get("context_length") ?? 1, 1);
  if (kind === "yarn") {
    const ends = { beta_fast: own.get("rope.scaling.yarn_beta_fast") ?? 32, beta_slow: own.get("rope.scaling.yarn_beta_slow") ?? 1 };
    return made("yarn", { factor, original_max_position_embeddings: length, ...ends, attention_factor: warmth(own, name, factor) });
  }
  if (kind === "longrope") refuse("rope_factors_short and rope_factors_long must be there for longrope");
  if (kind !== "none" && kind !== "linear") refuse(`rope.scaling.type must be none, linear, yarn or longrope, got ${shown(kind)}`);
  return kind === "none" || Number(factor) === 1 ? null : made("linear", { factor });
}

/** `mscale_all_dim`, of which DeepSeek's files hold a tenth. @param {Config} own @param {string} name */
function every(own, name) {
  const key = "rope.scaling.yarn_log_multiplier";
  return finite(key, own.get(key) ?? 0) / (isOf("gguf separate", name) ? 0.1 : 1);
}

/** What llama.cpp multiplies cosine and sine by with YaRN. @param {Config} own @param {string} name @param {any} factor */
function warmth(own, name, factor) {
  const stretch = Math.log(Math.max(positive("rope.scaling.factor", factor), 1)) / 10;
  const all = every(own, name);
  const scale = name === "deepseek2" && all !== 1 && all ? all : 1;
  return positive("attn_factor", own.get("rope.scaling.attn_factor") ?? 1) * (scale * stretch + 1) / (all * stretch + 1);
}

/** @param {Config} own @param {string} name @param {Scaling | null} scaling @param {number} head @returns {Score | null} */
function scoreOf(own, name, scaling, head) {
  const given = own.get("attention.scale");
  if (truthy(given)) {
    const scale = positive("attention.scale", given);
    return { factor: scale * Math.sqrt(head), scale, why: "attention.scale" };
  }
  if (isOf("gguf separate", name)) {
    const width = count(own, "attention.key_length_mla", BigInt(head));
    const all = every(own, name);
    const isWarm = scaling?.type === "YaRN" && all !== 0 && scaling.factor !== 1;
    const factor = isWarm ? (attentionFactor({ scaling }) * (0.1 * all * Math.log(scaling.factor) + 1)) ** 2 : 1;
    return { factor, scale: factor / Math.sqrt(width), why: `${numeral(factor, 4)}/√${width}` };
  }
  return isOf("gguf own scores", name) ? null : { factor: 1, scale: 1 / Math.sqrt(head), why: `1/√${head}` };
}

/** @param {Config} own */
function temperature(own) {
  const scale = own.get("attention.temperature_scale");
  const length = own.get("attention.temperature_length") ?? own.get("rope.scaling.original_context_length");
  return scale && length ? llama4(scale, length) : null;
}

const PATTERN = "attention.sliding_window_pattern";

/** For each layer whether it has a window; null if neither the file nor the architecture says so. @param {Config} own @param {string} name @param {number[] | null} layers @returns {boolean[] | null} */
function flagsOf(own, name, layers) {
  const given = either(own, PATTERN, BigInt(periods.get(name) ?? 0));
  if (layers && Array.isArray(given) && given.length >= layers.length) return layers.map((i) => truthy(given[i]));
  const period = positions(given);
  return layers && period !== null ? layers.map((i) => i % period < period - 1) : null;
}

/** One group, or those with and without a window, and those that do not turn. @param {Config} own @param {string} name @param {Turn} turn @param {string[]} noted */
function byWindow(own, name, turn, noted) {
  const window = positions(own.get("attention.sliding_window"));
  const [near, far] = ["layers with a window", "layers with full attention"];
  if (isOf("gguf intervals", name)) {
    const groups = [["other layers", "rotary"], ["one layer in 4", "none"]].map(([kind, encoding]) => layersOf(own, kind, encoding, { layers: null }));
    return { turns: new Map([["other layers", { ...turn, query: null }]]), groups, query: turn.query };
  }
  const base = own.get("rope.freq_base_swa") ?? TYPES["gguf bases of windows"][name] ?? null;
  const isUnknown = base === null && !periods.has(name) && !own.has(PATTERN);
  if (window !== null && isUnknown) noted.push(TYPES.sentences["window of gguf"]);
  if (window === null || isUnknown) return { turns: new Map([[null, turn]]), groups: [layersOf(own, null, "rotary", { layers: attending(own, name) })] };
  const flags = flagsOf(own, name, numbered(own));
  const layersIn = (/** @type {boolean} */ isNear) => flags && (attending(own, name)?.filter((i) => flags[i] === isNear) ?? null);
  const isStill = isOf("gguf full layers stay", name);
  const groups = [layersOf(own, near, "rotary", { layers: layersIn(true), window }), layersOf(own, far, isStill ? "none" : "rotary", { layers: layersIn(false) })];
  if (isStill) return { turns: new Map([[near, turn]]), groups };
  const { rotary } = turn;
  const head = count(own, "attention.key_length_swa", BigInt(rotary.head_dim));
  const width = Math.min(count(own, "rope.dimension_count_swa", BigInt(rotary.rotary_dim)), head);
  const scaling = isOf("gguf windows scaled", name) ? rotary.scaling : null;
  const local = { ...rotary, base: base === null ? rotary.base : positive("rope.freq_base_swa", base), scaling, head_dim: head, rotary_dim: width };
  return { turns: new Map([[near, { ...turn, rotary: local }], [far, turn]]), groups };
}
