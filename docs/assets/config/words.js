/**
 * A rotary encoding in words and numbers: what happens to each pair, and what stands where.
 */

import { attentionFactor, frequencies, unscaled } from "./scalings.js";
import { LIBRARIES, TYPES } from "./known.js";
import { extremes, listed, numeral } from "./shown.js";
import { USUAL } from "./python.js";

/** @import { Layers } from "./layers.js" */
/** @import { Axial } from "./parts.js" */
/** @import { Part, Text, Turn } from "./plan.js" */
/** @import { Rotary } from "./scalings.js" */
/** @typedef {"kept" | "between" | "divided" | "still"} Fate what the scaling does to a pair */
/** @typedef {{ frequency: number, wavelength: number, before: number, stretch: number, fate: Fate, features: (number | string)[] }} Pair wavelengths in positions */

/** Words for some types of scalings. @type {Record<string, string>} */
const TITLES = { Linear: "linear", DynamicNTK: "dynamic NTK", SteppedNTK: "NTK in steps", Proportional: "proportional", Llama3: "Llama 3" };
/** Words for names of options. @type {Record<string, string>} */
const NAMES = { original_max_position_embeddings: "original length", max_position_embeddings: "longest length", partial_rotary_factor: "part that turns" };

/** @param {Rotary} rotary @param {number | null} length @returns {Pair[]} */
export function pairs(rotary, length) {
  const before = unscaled(rotary);
  const half = before.length;
  return [...frequencies(rotary, length)].map((frequency, i) => {
    const stretch = before[i] / frequency;
    return {
      frequency, wavelength: 2 * Math.PI / frequency, before: 2 * Math.PI / before[i], stretch, fate: fate(rotary, stretch),
      features: { halves: [i, i + half], interleaved: [2 * i, 2 * i + 1] }[rotary.layout ?? ""] ?? ["not known"],
    };
  });
}

/** @param {Rotary} rotary @param {number} stretch @returns {Fate} */
function fate({ scaling }, stretch) {
  if (!scaling || Math.abs(stretch - 1) < 1e-9) return "kept";
  if (!Number.isFinite(stretch)) return "still";
  return "factor" in scaling && scaling.type !== "LongRoPE" && Math.abs(stretch / scaling.factor - 1) < 1e-9 ? "divided" : "between";
}

/** What the page calls a fate. @param {Rotary} rotary @param {Fate} fate */
export function fated({ scaling }, fate) {
  const ramps = scaling?.type === "YaRN" || scaling?.type === "Llama3";
  const factor = scaling && "factor" in scaling ? numeral(scaling.factor) : "";
  return { kept: "kept", divided: `divided by ${factor}`, still: "not turned", between: ramps ? "on the ramp" : "slowed" }[fate];
}

/** How many pairs have which fate: 29 of 64 pairs kept, 6 on the ramp, 29 divided by 8. @param {Rotary} rotary @param {Pair[]} list */
export function fates(rotary, list) {
  /** @type {Fate[]} */
  const order = ["kept", "between", "divided", "still"];
  const counts = order.map((one) => ({ one, count: list.filter(({ fate: mine }) => mine === one).length })).filter(({ count }) => count);
  const stretches = list.filter(({ fate: mine }) => mine === "between").map(({ stretch }) => stretch);
  const range = rotary.scaling && stretches.length && fated(rotary, "between") === "slowed" ? ` by ${span(stretches)}` : "";
  const [first, ...others] = counts.map(({ one, count }) => ({ count, words: fated(rotary, one) + (one === "between" ? range : "") }));
  return [`${first.count} of ${list.length} pairs ${first.words}`, ...others.map(({ count, words }) => `${count} ${words}`)].join(", ");
}

/** @param {number[]} values */
function span(values) {
  const [least, most] = extremes(values).map((value) => numeral(value, 4));
  return least === most ? least : `${least} to ${most}`;
}

/** The scaling with its options. @param {Rotary} rotary */
export function scalingWords({ scaling }) {
  if (!scaling) return "none";
  const { type, ...options } = scaling;
  const given = Object.entries(options).filter(([name, value]) => typeof value === "number" && !(type === "YaRN" && USUAL.YaRN[name] === value));
  const words = given.map(([name, value]) => `${NAMES[name] ?? name} ${numeral(/** @type {number} */ (value))}`);
  const isExact = scaling.type === "YaRN" && !scaling.truncate;
  return [TITLES[type] ?? type, ...words, isExact ? "ends of the ramp not rounded (truncate false)" : ""].filter(Boolean).join(", ");
}

/** How many features turn: with proportional scaling, only those of the first pairs. @param {Rotary} rotary */
function turning({ rotary_dim: width, scaling }) {
  return scaling?.type === "Proportional" ? 2 * Math.trunc(scaling.partial_rotary_factor * width / 2) : width;
}

/** One sentence about an encoding. @param {Rotary} rotary @param {number | null} length */
export function summary(rotary, length) {
  const { head_dim: head, base, scaling } = rotary;
  const width = turning(rotary);
  const turned = width === head ? `${numeral(head)} features` : `${numeral(width)} of ${numeral(head)} features`;
  const scaled = scaling ? `${TITLES[scaling.type] ?? scaling.type} scaling, ${fates(rotary, pairs(rotary, length))}` : "no scaling";
  return `${turned} turn, base ${numeral(base)}, ${scaled}`;
}

/** @param {Rotary} rotary */
export function trainedLength({ scaling }) {
  if (!scaling) return null;
  if ("original_max_position_embeddings" in scaling) return scaling.original_max_position_embeddings;
  return scaling.type === "DynamicNTK" || scaling.type === "SteppedNTK" ? scaling.max_position_embeddings : null;
}

/** Names and descriptions. @param {Rotary} rotary @param {number | null} length @param {boolean} isApart whether the turned features form a separate tensor @returns {[string, string][]} */
export function facts(rotary, length, isApart) {
  const { head_dim: head, base, rotary_dim: width, layout, scaling } = rotary;
  const list = pairs(rotary, length);
  const moving = list.filter(({ frequency }) => frequency);
  const some = turning(rotary) === width ? `the first ${numeral(width)} of ${numeral(head)}` : `${numeral(turning(rotary))} of ${numeral(head)}, in the first pairs`;
  const attention = attentionFactor(rotary, length);
  const trained = trainedLength(rotary);
  const unseen = trained === null ? 0 : list.filter(({ before }) => before > trained).length;
  const first = layout === "halves" ? `i and i + ${numeral(width / 2)}` : "2i and 2i + 1";
  const apart = isApart ? ", in a tensor apart from the rest of the head" : "";
  return [
    ["Features turned", turning(rotary) === head ? `all ${numeral(head)}${apart}` : some],
    ["Base", numeral(base)],
    ["Scaling", scalingWords(rotary)],
    ["Pairs", scaling ? fates(rotary, list) : numeral(list.length)],
    ["Wavelengths", moving.length ? `${numeral(moving[0].wavelength, 4)} to ${numeral(moving[moving.length - 1].wavelength, 6)} positions` : "no pair turns"],
    ["Longer than trained", trained === null ? "" : `${unseen} of ${list.length} pairs had a wavelength of more than ${numeral(trained)} positions before the scaling`],
    ["Attention factor", attention === 1 ? "1" : `${numeral(attention)}; scores grow by its square, ${numeral(attention ** 2)}`],
    ["Layout", layout === null ? "not known" : `${layout}: features ${first} are a pair`],
  ];
}

/** What the plan adds to the facts about one set. @param {Text} plan @param {string | null} kind @returns {[string, string][]} */
export function planFacts({ groups, turns, query }, kind) {
  const { axes, sections, rule, score, query: own, note } = /** @type {Turn} */ (turns.get(kind));
  const how = { sections: ", in blocks", "sections in turn": ", interleaved: pair by pair in turn", ernie: ", y and x in turn, then time" }[rule ?? ""] ?? ", by a rule that is not known";
  const mine = groups.filter((one) => one.kind === kind && one.encoding === "rotary");
  const layers = mine.filter((one) => one.layers || one.window || one.chunk || one.note || one.name !== (kind ?? "all layers")).map((one) => counted(one, mine.length > 1));
  const scale = score?.scale === null || !score ? "" : ` = ${numeral(score.scale, 5)}`;
  const factor = !score || Math.abs(score.factor - 1) < 1e-9 ? "" : `, ${numeral(score.factor, 4)} times the usual`;
  return [
    ["Layers", layers.join("; ")],
    ["Axes", sections.length ? `${axes.join(", ")}: ${sections.join(", ")} pairs${how}` : ""],
    ["Scores", score ? `q·k times ${score.why}${scale}${factor}` : "what multiplies them is not known"],
    ["Also", note ?? ""],
    ["Queries", own ?? (query ? `in layers that do not turn: ${query}` : "")],
  ];
}

const MOST_LAYERS = 12; // numbers in a fact

/** The count and the numbers of layers. @param {Layers} group @param {boolean} isNamed whether the name is told, too */
function counted({ name, layers, window, chunk, note }, isNamed) {
  const isAll = layers?.length === (layers?.at(-1) ?? 0) + 1;
  const numbers = layers && !isAll ? `: ${layers.slice(0, MOST_LAYERS).join(", ")}${layers.length > MOST_LAYERS ? ", …" : ""}` : "";
  const told = isNamed || !layers ? ` ${name}` : "";
  const sees = window ? `, with a window of ${numeral(window)} positions` : chunk ? `, within chunks of ${numeral(chunk)} positions` : note ? `; ${note}` : "";
  return `${layers?.length ?? ""}${told}${numbers}${sees}`.trim();
}

/** A sentence about each kind of layers that do not turn. @param {Text} plan */
export const stillWords = ({ model, groups, turns }) => groups.filter((one) => one.encoding !== "rotary").map((one) => {
  if (!turns.size) return `Nothing turns in ${model ?? "this model"}: it has ${TYPES.words[one.encoding]}.`;
  return `Not turned: ${counted({ ...one, window: null, chunk: null, note: null }, true)}: ${TYPES.words[one.encoding]}.`;
});

/** @param {number | null} base */
const based = (base) => (base === null ? "not known" : numeral(base));

/** What a part of the model besides its text does, in a sentence. @param {Part} part */
export function partWords(part) {
  if ("plan" in part) return `${part.name}: ${part.plan.turns.size ? verdict(new Map([...part.plan.turns].map(([kind, { rotary }]) => [kind, rotary])), null) : stillWords(part.plan).join(" ")}`;
  if ("encoding" in part) return `${part.name}: ${TYPES.words[part.encoding]}.`;
  const { rotary: { head_dim: head, rotary_dim: width, base }, axes } = part;
  const turned = width === head ? head : `${width} of ${head}`;
  return `${part.name}: ${turned} features turn by ${listed(axes)}, base ${based(base)}.`;
}

/** @param {Axial} part @returns {[string, string][]} */
export function axialFacts({ axes, sections, rule, note, score, rotary: { head_dim: head, rotary_dim: width, base, layout } }) {
  /** @type {Record<string, string>} */
  const known = { blocks: ", in blocks", unknown: "" };
  const how = known[rule] ?? `, by the rule ${rule}`;
  return [
    ["Features turned", width === head ? `all ${numeral(head)}` : `${numeral(width)} of ${numeral(head)}`],
    ["Axes", `${axes.join(", ")}: ${sections.map((count) => 2 * count).join(", ")} features${how}`],
    ["Base", based(base)],
    ["Layout", layout ?? "not known"],
    ["Scores", score ? `q·k times ${score.why} = ${numeral(score.scale ?? 0, 5)}` : "what multiplies them is not known"],
    ["Also", note ?? ""],
  ];
}

/** The calls of libraries that take `layout`, and those that take the other. @param {string} layout @returns {{ same: string[][], other: string[][] }} */
export function libraries(layout) {
  const isSame = (/** @type {string[]} */ [, , , held]) => held.split(" or ").some((one) => one.startsWith(layout));
  return { same: LIBRARIES.filter(isSame), other: LIBRARIES.filter((row) => !isSame(row)) };
}

/** What the chart shows, for those who do not see it. @param {Rotary} rotary @param {Pair[]} list */
export function chartWords(rotary, list) {
  const [first, last] = [list[0], list[list.length - 1]];
  const straight = `${list.length} wavelengths on a logarithmic axis. Without a scaling they rise in a straight line from ${numeral(first.before, 4)} to ${numeral(last.before, 6)} positions.`;
  return rotary.scaling ? `${straight} With it: ${fates(rotary, list)}.` : straight;
}

/** @param {Map<string | null, Rotary>} encodings @param {number | null} length */
export function verdict(encodings, length) {
  const only = encodings.get(null);
  if (only) return `${summary(only, length)}.`;
  const kinds = [...encodings].map(([kind, rotary]) => `${kind}: ${summary(rotary, length)}`);
  return `${encodings.size} types of layers. ${kinds.join("; ")}.`;
}

