/**
 * The plan of a config's positions: its encodings, and the layers that have each; see `posenc/plans`.
 */

import { Refused, refuse } from "./checks.js";
import { diffusersPlan, isDiffusers } from "./diffusers.js";
import { ggufPlan } from "./gguf.js";
import { TYPES } from "./known.js";
import { every, layersOf } from "./layers.js";
import { asRead, asText, completed, encodingOf, hasText, isKnown, layoutOf, nullsOf, ofType, ofWhole, otherArchitecture, refuseUnknown, sectionsOf } from "./models.js";
import { ofStill } from "./odd.js";
import { isParams, paramsPlan } from "./params.js";
import { encoderOf, isAxial, partsOf } from "./parts.js";
import { encodingsOf, flat, understood } from "./read.js";
import { queryOf, scoreOf, temperature } from "./scores.js";
import { shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Layers } from "./layers.js" */
/** @import { Shared } from "./models.js" */
/** @import { Axial } from "./parts.js" */
/** @import { Rotary } from "./scalings.js" */
/** @import { Score } from "./scores.js" */
/** @typedef {Shared & { rotary: Rotary, score: Score | null, query: string | null, parameters: Config }} Turn what one set of parameters does */
/**
 * @typedef {object} Text the plan of the language model, or of another part
 * @property {any} model its type
 * @property {Config} own what the config says itself
 * @property {Config} full with the defaults of its type
 * @property {Config} given with the sets that nothing reads
 * @property {Set<string>} [nulls] keys that are null
 * @property {Map<string | null, Turn>} turns by layer type, null for all layers; empty if nothing turns
 * @property {Map<string | null, Turn>} [every] `turns`, also those that no layer has
 * @property {Layers[]} groups
 * @property {string | null} query what multiplies queries besides, in all layers or in those that stay
 */
/** @typedef {Text & { parts: Part[], noted: string[], faults: string[], differ?: string[] }} Plan with its encoders, oddities of the file as a whole, and parts that are not read; `differ` of other files than config.json of transformers says where programs differ, and `noted` all that is odd */

/** @typedef {{ name: string } & ({ plan: Text } | { encoding: string } | Axial)} Part an encoder, or another part of the model */

/** @param {any} config @returns {Plan} */
export function planned(config) {
  if (!(config instanceof Map)) refuse(`config must be a dict, got ${shown(config)}`);
  if (config.has("general.architecture")) return { ...ggufPlan(config), parts: [], faults: [] };
  if (isDiffusers(config)) {
    const { how, ...read } = diffusersPlan(config);
    return { ...NO_TEXT, ...read, parts: [{ name: "all layers", ...how }], faults: [], differ: [] };
  }
  if (isParams(config)) return { ...paramsPlan(config), parts: [], faults: [] };
  const whole = completed(config);
  const outer = config.get("model_type") ?? null;
  if (outer !== null && typeof outer !== "string") refuse(`model_type must be a string, got ${shown(outer)}`);
  const others = { ...(outer === null ? TYPES["other files"] : {}), ...TYPES["other files of known types"] };
  const other = !config.has("hidden_size") && Object.keys(others).find((key) => config.has(key));
  if (other) refuse(`config must be the config.json of a model, got the file of ${others[other]}, with ${other}`);
  const given = partsOf(whole);
  const isText = !given.size || hasText(whole);
  const alone = flat(whole).get("model_type");
  /** @type {Part[]} */
  const parts = isText && isAxial(alone) ? [{ name: "all layers", ...encoderOf(flat(whole)) }] : [];
  const text = isText && !parts.length ? ofText(asText(whole)) : NO_TEXT;
  const faults = [];
  for (const [name, part] of given) {
    try {
      const made = ofPart(part);
      parts.push({ name, ...made });
      if ("encoding" in made) faults.push(...ofStill(part, [made]).map((words) => [name, words]));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      faults.push([name, `${name} is not read: ${error.message}.`]);
    }
  }
  if (!parts.length && !text.groups.length) refuse(faults.map(([, words]) => words).join(" "));
  return { ...text, parts, noted: [...ofType(config), ...otherArchitecture(whole), ...ofWhole(whole)], faults: faults.map(([name, words]) => `${name}: ${words}`) };
}

/** @type {Text} */
const NO_TEXT = { model: null, own: new Map(), full: new Map(), given: new Map(), turns: new Map(), groups: [], query: null };

/** @param {Config} part @returns {{ plan: Text } | { encoding: string } | Axial} */
function ofPart(part) {
  const model = flat(part).get("model_type");
  if (model !== undefined && typeof model !== "string") refuse(`model_type must be a string, got ${shown(model)}`);
  return encodingOf(part) === null && isKnown(model) ? { plan: ofText(part) } : encoderOf(part);
}

/** The language model, or a model that has only one part. @param {Config} whole @returns {Text} */
function ofText(whole) {
  const given = flat(whole);
  const model = given.get("model_type");
  if (model !== undefined && typeof model !== "string") refuse(`model_type must be a string, got ${shown(model)}`);
  const encoding = encodingOf(given);
  if (encoding !== null) {
    const still = { name: "all layers", layers: every(given), kind: null, encoding, window: null };
    return { model, own: given, full: given, given, turns: new Map(), groups: [still], query: null };
  }
  refuseUnknown(asRead(given));
  const { own, full, sets } = understood(asRead(given));
  const turns = new Map([...encodingsOf(full, sets)].map(([kind, made]) => {
    const rotary = { ...made, layout: layoutOf(own) };
    const parameters = /** @type {Config} */ (sets.get(kind));
    const more = { score: scoreOf(own, full, parameters, rotary), query: queryOf(own, parameters), parameters };
    return /** @type {[string | null, Turn]} */ ([kind, { rotary, ...more, ...sectionsOf(own, parameters, rotary) }]);
  }));
  const groups = layersOf(own, sets);
  const used = new Set(groups.filter((one) => one.encoding === "rotary").map(({ kind }) => kind));
  const kept = new Map([...turns].filter(([kind]) => used.has(kind)));
  return { model, own, full, given, nulls: nullsOf(whole), turns: kept, every: turns, groups, query: temperature(own) };
}
