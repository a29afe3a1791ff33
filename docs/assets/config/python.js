/**
 * The Python that makes the same encodings.
 */

/** @import { Rotary } from "./scalings.js" */

/** Options of scalings that stand without a name. */
const UNNAMED = ["factor", "partial_rotary_factor", "short_factor", "long_factor"];
const OPEN = "layout = None  # halves or interleaved: the config does not say";
const LONG = 60; // characters of an option that gets a line
/** Values that need not be written. @type {Record<string, Record<string, any>>} */
export const USUAL = {
  Proportional: { factor: 1 },
  Llama3: { low_freq_factor: 1, high_freq_factor: 4, original_max_position_embeddings: 8192 },
  YaRN: { beta_fast: 32, beta_slow: 1, truncate: true, mscale: 1, mscale_all_dim: 0, attention_factor: null },
  LongRoPE: { factor: 1, attention_factor: null, short_mscale: null, long_mscale: null },
};

/** @param {any} value @returns {string} */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return JSON.stringify(value);
  return Number.isInteger(value) && value < 1e15 ? String(value).replace(/\B(?=(\d{3})+$)/g, value < 10_000 ? "" : "_") : String(value);
}

/** @param {NonNullable<Rotary["scaling"]>} scaling */
function scalingCall({ type, ...options }) {
  const usual = USUAL[type] ?? {};
  const isUnnamed = (/** @type {string} */ name) => UNNAMED.includes(name) && !(type === "LongRoPE" && name === "factor");
  const given = Object.entries(options).filter(([name, value]) => !Object.hasOwn(usual, name) || usual[name] !== value);
  const parts = given.map(([name, value]) => (isUnnamed(name) ? written(value) : `${name}=${written(value)}`));
  return parts.some((part) => part.length > LONG) ? `${type}(\n    ${parts.join(",\n    ")},\n)` : `${type}(${parts.join(", ")})`;
}

/** @param {Rotary} rotary */
function call({ head_dim: head, base, rotary_dim: width, layout, scaling }) {
  const parts = [
    written(head),
    base === 10_000 ? "" : `base=${written(base)}`,
    width === head ? "" : `rotary_dim=${written(width)}`,
    layout === "halves" ? "" : layout === null ? "layout=layout" : `layout="${layout}"`,
    scaling ? `scaling=${scalingCall(scaling)}` : "",
  ];
  return `Rotary(${parts.filter(Boolean).join(", ")})`;
}

/** @param {Map<string | null, Rotary>} encodings */
export function python(encodings) {
  const types = [...new Set([...encodings.values()].flatMap(({ scaling }) => (scaling ? [scaling.type] : [])))].sort();
  const isOpen = [...encodings.values()].some(({ layout }) => layout === null);
  const lines = ["from posenc import Rotary", ...(types.length ? [`from posenc.rotary import ${types.join(", ")}`] : []), ...(isOpen ? ["", OPEN] : [""])];
  const only = encodings.get(null);
  if (only) return [...lines, `rotary = ${call(only)}`].join("\n");
  const entries = [...encodings].map(([kind, rotary]) => `    ${JSON.stringify(kind)}: ${call(rotary)},`);
  return [...lines, "rotary = {", ...entries, "}"].join("\n");
}
