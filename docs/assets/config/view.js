/**
 * The answer on the page. A config's texts enter it as text, never as HTML.
 */

import { chart } from "./chart.js";
import { Refused } from "./checks.js";
import { dependsOnLength } from "./scalings.js";
import { headerText } from "./header.js";
import { Unreadable, parsed } from "./json.js";
import { EXAMPLES } from "./known.js";
import { numeral } from "./shown.js";
import { odd } from "./odd.js";
import { planned } from "./plan.js";
import { differences } from "./programs.js";
import { python } from "./python.js";
import { axialFacts, chartWords, facts, fated, libraries, pairs, partWords, planFacts, stillWords, trainedLength, verdict } from "./words.js";

/** @import { Part, Text, Turn } from "./plan.js" */
/** @import { Rotary } from "./scalings.js" */

/** The text of an example, with all digits of its numbers that float32 held. @param {string} name */
export const textOf = (name) => EXAMPLES[name].replace(/\d+\.\d*[1-9]\d*/g, (short) => `${Math.fround(Number(short))}`);

/** The header of a GGUF file as a config. @param {Blob} file */
export const headerOf = (file) => headerText(file);

const MOST_ROWS = 1024;

/**
 * An element with text and children.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * The answer about a text: a sentence, and further parts; or a sentence about a mistake in the text.
 * @param {string} text
 * @param {number | null} length of a text for the model
 * @param {number} width of the chart
 * @returns {{ said: string, isError: boolean, parts: Node[], isByLength: boolean }}
 */
export function answer(text, length, width) {
  try {
    if (!text.trim()) throw new Unreadable("not a config (there is no text)");
    const plan = planned(parsed(text));
    const encodings = new Map([...plan.turns].map(([kind, { rotary }]) => [kind, rotary]));
    const sections = [...encodings.keys()].map((kind) => section(plan, "", kind, { length, width }));
    const parts = plan.parts.flatMap((part) => partSections(part, { length, width }));
    const inner = plan.parts.flatMap((part) => ("plan" in part ? [...part.plan.turns.values()] : []));
    const isByLength = [...plan.turns.values(), ...inner].some(({ rotary }) => dependsOnLength(rotary));
    const said = [encodings.size ? verdict(encodings, length) : "", ...stillWords(plan), ...plan.parts.map(partWords)].filter(Boolean).join(" ");
    const turnsBack = [...plan.turns.values()].some(({ rule, axes }) => rule === "unknown" && !axes.length);
    const own = encodings.size ? [...(turnsBack ? [] : [code(encodings)]), ...sections] : [];
    const other = encodings.size && !turnsBack ? [layouts(encodings)] : [];
    return { said, isError: false, isByLength, parts: [oddities(odd(plan)), ...programs(differences(plan)), ...own, ...parts, ...other] };
  } catch (error) {
    if (![Refused, Unreadable].some((kind) => error instanceof kind)) throw error;
    const isRefused = error instanceof Refused;
    return { said: /** @type {Error} */ (error).message + (isRefused ? "." : ""), isError: true, isByLength: false, parts: isRefused ? [advice()] : [] };
  }
}

/** @param {string} title @param {...Node} children */
const titled = (title, ...children) => element("section", { class: "we-match", "aria-label": title }, element("p", {}, element("strong", {}, title)), ...children);

function advice() {
  const link = element("a", { href: "#keys" }, "What each key means");
  return element("p", {}, "These are the words of ", element("code", {}, "posenc.rotary.Plan"), ". ", link, ".");
}

/** @param {string[]} sentences */
function oddities(sentences) {
  const items = sentences.map((sentence) => element("li", {}, sentence));
  return items.length ? titled("Worth a look", element("ul", {}, ...items)) : titled("Nothing is odd");
}

/** What other programs compute. @param {string[]} sentences */
function programs(sentences) {
  const items = sentences.map((sentence) => element("li", {}, sentence));
  return items.length ? [titled("Programs differ", element("ul", {}, ...items))] : [];
}

/** @param {Map<string | null, Rotary>} encodings */
function code(encodings) {
  const text = element("code", { tabindex: "0" }, python(encodings));
  const copy = element("button", { type: "button", class: "we-copy" }, "Copy");
  return titled("In Python", element("pre", {}, text), copy);
}

/** @param {Text} plan @param {string} part its name before those of its layers @param {string | null} kind @param {{ length: number | null, width: number }} options */
function section(plan, part, kind, { length, width }) {
  const { rotary } = /** @type {Turn} */ (plan.turns.get(kind));
  const list = pairs(rotary, length);
  const title = [part, kind ?? (part ? "" : "Every layer")].filter(Boolean).join(": ");
  const entries = [...facts(rotary, length, plan.full.has("qk_rope_head_dim")), ...planFacts(plan, kind)];
  return titled(title, factList(entries), ...charted(rotary, list, width, "in positions"), numbers(rotary, list, title));
}

/** @param {[string, string][]} entries without those that have no text */
function factList(entries) {
  const rows = entries.filter(([, text]) => text).map(([name, text]) => element("div", {}, element("dt", {}, name), element("dd", {}, text)));
  return element("dl", {}, ...rows);
}

/** A legend and a chart. @param {Rotary} rotary @param {import("./words.js").Pair[]} list @param {number} width @param {string} unit */
function charted(rotary, list, width, unit) {
  const drawing = chart(list, chartWords(rotary, list), { width, trained: trainedLength(rotary), names: rotary.scaling && shortNames(rotary) });
  const change = rotary.scaling ? ", before the scaling (dashed) and after (solid)" : "";
  return [element("p", {}, `Wavelength of each pair ${unit}${change}`), drawing];
}

/** The sections of another part of the model. @param {Part} part @param {{ length: number | null, width: number }} options */
function partSections(part, options) {
  if ("plan" in part) return [...part.plan.turns.keys()].map((kind) => section(part.plan, part.name, kind, options));
  if ("encoding" in part) return [];
  const { rotary, sections } = part;
  const drawings = (part.rule === "blocks" ? [...new Set(sections)] : []).flatMap((count) => {
    const axis = { ...rotary, head_dim: 2 * count, rotary_dim: 2 * count };
    return charted(axis, pairs(axis, null), options.width, `of an axis of ${numeral(2 * count)} features, in positions`);
  });
  return [titled(part.name, factList(axialFacts(part)), ...drawings)];
}

/** @param {Rotary} rotary */
const shortNames = (rotary) => ({ kept: "kept", between: fated(rotary, "between").replace("on the ", ""), divided: "divided", still: "not turned" });

/** @param {Rotary} rotary @param {import("./words.js").Pair[]} list @param {string} title */
function numbers(rotary, list, title) {
  const isScaled = rotary.scaling !== null;
  const names = ["Pair", "Features", "Radians per position", "Wavelength", ...(isScaled ? ["Without scaling", "Slower by", "The pair is"] : [])];
  const rows = list.slice(0, MOST_ROWS).map((pair, i) => {
    const scaled = isScaled ? [numeral(pair.before, 6), numeral(pair.stretch, 5), fated(rotary, pair.fate)] : [];
    const cells = [pair.features.join(", "), numeral(pair.frequency, 6), numeral(pair.wavelength, 6), ...scaled];
    return element("tr", {}, element("th", { scope: "row" }, String(i)), ...cells.map((cell) => element("td", {}, cell)));
  });
  const count = list.length > MOST_ROWS ? `The first ${numeral(MOST_ROWS)} of ${numeral(list.length)} pairs` : `All pairs in numbers (${list.length})`;
  return fold(count, tabled(names, rows, `Pairs, ${title}`, "numbers"));
}

/** @param {string} title @param {Node} content */
const fold = (title, content) => element("details", {}, element("summary", {}, title), content);

/** @param {string[]} names @param {HTMLTableRowElement[]} rows @param {string} label @param {string} kind */
function tabled(names, rows, label, kind) {
  const head = element("thead", {}, element("tr", {}, ...names.map((name) => element("th", { scope: "col" }, name))));
  const table = element("table", { class: kind }, head, element("tbody", {}, ...rows));
  return element("div", { class: "table-scroll", tabindex: "0", role: "group", "aria-label": label }, table);
}

/** Which layout the calls of libraries take. @param {Map<string | null, Rotary>} encodings */
function layouts(encodings) {
  const [{ layout }] = encodings.values();
  if (layout === null) return element("p", {}, "The config does not say which features are a pair. The code that was published with the model does.");
  const { same, other } = libraries(layout);
  const rows = [...same, ...other].map((row) => {
    const [project, version, call, held] = row;
    const isSame = same.includes(row);
    return element("tr", {}, element("td", {}, project), ...[version, call].map((text) => element("td", {}, element("code", {}, text))), element("td", {}, held), element("td", {}, isSame ? "as they are" : "after rows have moved"));
  });
  const sentence = `The pairs are ${layout === "halves" ? "in halves" : layout}, and the weights are made for that. Of the ${same.length + other.length} calls that we ran, ${same.length} take such weights as they are. The others need the rows of the query and key matrices in another order: `;
  const link = element("a", { href: "../port-weights/" }, "Port weights");
  return titled("Other libraries", element("p", {}, sentence, link, ". A converter may have moved them already."),
    fold("Library by library", tabled(["Library", "Version", "Call", "Layout", "Takes the weights"], rows, "Layouts of libraries", "words")));
}
