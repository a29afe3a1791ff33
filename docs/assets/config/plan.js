/**
 * The plan of a config's positions: its encodings, and the layers that have each; see `posenc/plans`.
 */

import { refuse } from "./checks.js";
import { every, layersOf } from "./layers.js";
import { asRead, completed, encodingOf, layoutOf, otherArchitecture, otherParts, refuseOtherFiles, refuseOtherTurns, refuseUnknown, sectionsOf } from "./models.js";
import { encodingsOf, flat, understood } from "./read.js";
import { queryOf, scoreOf, temperature } from "./scores.js";
import { shown } from "./shown.js";

/** @import { Config } from "./json.js" */
/** @import { Layers } from "./layers.js" */
/** @import { Shared } from "./models.js" */
/** @import { Rotary } from "./scalings.js" */
/** @import { Score } from "./scores.js" */
/** @typedef {Shared & { rotary: Rotary, score: Score | null, query: string | null, parameters: Config }} Turn what one set of parameters does */
/**
 * @typedef {object} Plan
 * @property {any} model its type
 * @property {Config} own what the config says itself
 * @property {Config} full with the defaults of its type
 * @property {Config} given with the sets that nothing reads
 * @property {Map<string | null, Turn>} turns by layer type, null for all layers; empty if nothing turns
 * @property {Layers[]} groups
 * @property {string | null} query what multiplies queries besides, in all layers or in those that stay
 * @property {string[]} noted oddities of the file as a whole
 */

/** @param {any} config @returns {Plan} */
export function planned(config) {
  if (!(config instanceof Map)) refuse(`config must be a dict, got ${shown(config)}`);
  refuseOtherFiles(config);
  const whole = completed(config);
  const outer = whole.get("model_type") ?? null;
  if (outer !== null && typeof outer !== "string") refuse(`model_type must be a string, got ${shown(outer)}`);
  const parts = otherParts(whole, true);
  const noted = [...otherArchitecture(whole), ...parts.map((name) => `${name} is not read here. The command python -m posenc config FILE reads it.`)];
  const given = flat(whole);
  const model = given.get("model_type");
  if (model !== undefined && typeof model !== "string") refuse(`model_type must be a string, got ${shown(model)}`);
  const encoding = encodingOf(given);
  if (encoding !== null) {
    const still = { name: "all layers", layers: every(given), kind: null, encoding, window: null };
    return { model, own: given, full: given, given, turns: new Map(), groups: [still], query: null, noted };
  }
  refuseOtherTurns(model);
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
  return { model, own, full, given, turns: kept, groups, query: temperature(own), noted };
}
