/** The answer in words: a sentence about the table, and each match in a list and in Python. */

import { DEFAULT, GRID, TRANSPOSED, WORDS } from "./known.js";

/** @import { Convention } from "./rows.js" */
/** @import { Grid } from "./grids.js" */
/** @import { Cache } from "./caches.js" */
/** @import { Rotary, Scaling } from "./rules.js" */
/** @import { Match, Identification } from "./match.js" */
/** @import { Near } from "./nearest.js" */
/** @import { Finding } from "./findings.js" */
/** @typedef {[string, string][]} Entries names and descriptions */

const MOST = 3; // matches
const PARTS = /** @type {Record<string, string>} */ ({ cos: "cosines", sin: "sines", "cos|sin": "cosines, then sines", "sin|cos": "sines, then cosines", both: "cosines and sines" });
const FORMS = /** @type {Record<string, string>} */ ({ once: "each pair once", halves: "each pair twice, in halves (rotate_half)", interleaved: "each pair twice, side by side (interleaved)" });

/** @param {number} value */
const number = (value) => (value || 0).toLocaleString("en", { maximumSignificantDigits: 7 }).replace("-", "−");
/** `value` with two digits and a power of ten. @param {number} value */
function power(value) {
  const [digits, exponent] = value.toExponential(1).split("e");
  return value ? `${digits} × 10<sup>${Number(exponent)}</sup>`.replace("-", "−") : "0";
}
/** @param {Finding[]} found */
const joined = (found) => found.map(({ words }) => words).join("; ");
/** @param {string[]} codes of mistakes */
const slips = (codes) => codes.map((code) => WORDS[code]).join("; ");
/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/** @param {string} name of the table in its file @param {number[]} shape @param {string} dtype @param {Identification} found */
export function summary(name, shape, dtype, found) {
  const kind = dtype === "text" ? "" : `, ${dtype}`;
  const whose = name ? `${name}, ` : "";
  return `${whose}${shape.map(number).join(" × ")}${kind}: ${verdict(found)}.`;
}

/** @param {Identification} found */
function verdict({ matches: [best], nearest, findings, tolerance }) {
  if (best) return [whose(best), ...amplitude(best), ...[...best.findings.filter((one) => !isRounding(one)), ...findings].map(({ words }) => words)].join("; ");
  const more = "python -m posenc identify looks for more kinds";
  if (nearest && nearest.error <= tolerance) return `made from the table ${named(nearest.libraries)}: ${joined(nearest.findings)}`;
  if (nearest) return `no encoding that this page knows makes this table exactly; the nearest is ${titled(nearest)}: ${joined(nearest.findings)}; ${more}`;
  return findings.length ? joined(findings) : `nothing that this page knows makes such a table; ${more}`;
}
/** The amplitude, if it is not 1. @param {Match} best */
const amplitude = ({ convention }) => ("amplitude" in convention && convention.amplitude !== 1 ? [`its amplitude is ${number(convention.amplitude)}`] : []);
/** What the table is, with its slips and roundings. @param {Match} best */
function whose({ convention, mistakes, libraries, findings }) {
  const kind = "rotary" in convention ? cache(convention) : "";
  if (mistakes.length && !kind) return slips(mistakes);
  const what = kind || (libraries.length ? named(libraries) : "a convention fits, but no library that we ran has it");
  const roundings = findings.filter(isRounding).map(({ words }) => words);
  const base = kind && !roundings.length ? `, base ${number(/** @type {Cache} */ (convention).rotary.base)}` : "";
  return [...(mistakes.length ? [slips(mistakes)] : []), ...roundings, what + base].join("; ");
}
/** @param {Finding} one */
const isRounding = ({ code }) => ["beside", "rounded"].includes(code);
/** @param {Cache} kind */
const cache = (kind) => `a rotary cache: ${PARTS[kind.part]}, ${FORMS[kind.form]}`;
/** @param {string[]} names */
const named = ([first, ...others]) => (others.length < 2 ? `as in ${[first, ...others].join(" and ")}` : `as in ${first} and ${others.length} others`);
/** @param {Near} near */
const titled = ({ libraries }) => (libraries.length ? `the table ${named(libraries)}` : "a convention of no library");

/** The question which of several tables to take. @param {string[]} names */
export function choice(names) {
  const buttons = names.map((name, place) => `<button type="button" aria-pressed="false" data-table="${place}">${escaped(name)}</button>`).join("");
  return { said: `${number(names.length)} tables: choose one.`, choice: `<div class="we-row" role="group" aria-label="Tables">${buttons}</div>` };
}

/** @param {Identification} found @param {number} width */
export function details({ matches, nearest, rowsUsed, rowsIgnored }, width) {
  if (!matches.length) return `${nearest ? closest(nearest, width) : ""}<p><a href="#if-nothing-fits">What to check</a></p>`;
  const ignored = rowsIgnored.length ? `, ${number(rowsIgnored.length)} of zeros left out` : "";
  const rows = `${number(rowsUsed)} compared${ignored}`;
  return matches.slice(0, MOST).map((match, place) => section(match, width, place, rows)).join("");
}
/** @param {Entries} entries */
const list = (entries) => `<dl>${entries.filter(([, text]) => text).map(([name, text]) => `<div><dt>${name}</dt><dd>${text}</dd></div>`).join("")}</dl>`;
/** @param {string[]} names */
const codes = (names) => names.map((name) => `<code>${name}</code>`).join(", ");

/** @param {Near} near @param {number} width */
function closest({ convention, libraries, error, typical, findings }, width) {
  const size = `${power(error)} of the amplitude, typically ${power(typical)}`;
  const entries = list([["What differs", joined(findings)], ["As in", codes(libraries)], ...described(convention, width), ["Largest difference", size]]);
  return `<section class="we-match" aria-label="Nearest"><p><strong>Nearest, but no match</strong></p>${entries}</section>`;
}

/** @param {Match} match @param {number} width @param {number} place @param {string} rows */
function section(match, width, place, rows) {
  const { convention, libraries, mistakes, findings } = match;
  const title = place ? "Also within the tolerance" : "Best match";
  const along = mistakes.includes(TRANSPOSED);
  /** @type {Entries} */ const entries = [
    ["Mistake", slips(mistakes)],
    ["Note", joined(findings)],
    ["As in", codes(libraries)],
    ...described(convention, width, match.isMeant),
    ["Rows", along ? "" : rows],
    ["Largest difference", `${power(match.error)} of the amplitude`],
  ];
  if (along) for (const entry of entries) if (entry[0] === "First row") entry[0] = "First column";
  return `<section class="we-match" aria-label="${title}"><p><strong>${title}</strong></p>
${list(entries)}
<pre><code tabindex="0">${python(match)}</code></pre><button type="button" class="we-copy">Copy</button>
<p>${"order" in convention ? advice(convention, match, width) : ""}</p></section>`;
}

/** @param {Match["convention"]} kind @param {number} width @param {boolean} [isMeant] @returns {Entries} */
function described(kind, width, isMeant) {
  if ("rotary" in kind) return rotary(kind);
  if ("axis" in kind) return grid(kind, width);
  return [
    [isMeant ? "What was meant" : "Columns", columns(kind)],
    ["Frequency of pair <i>i</i>", frequency(kind, width)],
    ["Base", width < 4 ? "cannot be seen: a table of this width has one frequency" : number(kind.base)],
    ["Scale", number(kind.angle_scale)],
    ["First row", `position ${number(kind.start)}`],
    ["Amplitude", number(kind.amplitude)],
  ];
}

/** @param {Cache} cache @returns {Entries} */
function rotary({ rotary: { head_dim: head, base, scaling }, part, form, amplitude, start }) {
  return [
    ["Holds", `${PARTS[part]}, ${FORMS[form]}`],
    ["Features turned", number(head)],
    ["Base", number(base)],
    ["Scaling", scaling ? `<code>${scalingCall(scaling)}</code>` : "none"],
    ["First row", `position ${number(start)}`],
    ["Amplitude", number(amplitude)],
  ];
}

/** @param {Grid} grid @param {number} width @returns {Entries} */
function grid({ axis, axes, blocks, spacing, normalized, class_rows: zeros }, width) {
  const kind = { ...DEFAULT, ...axis };
  const order = { axes: "one axis, then the other", kinds: "the sines of both, then the cosines", pairs: "both in turn, pair by pair" }[blocks] ?? "";
  return [
    ["Axes", `${axes === "yx" ? "y before x" : "x before y"}, ${order}`],
    ["Each axis", columns(kind)],
    ["Frequency of pair <i>i</i>", `${frequency(kind, width / 2)}, where <i>d</i> = ${number(width / 2)}`],
    ["First point", `position ${number(kind.start)}`],
    ["Spacing", normalized ? "the last point is at 2π" : `${number(spacing[0])} along y, ${number(spacing[1])} along x`],
    ["Rows before", zeros ? `${number(zeros)} of zeros, for a class token` : ""],
    ["Amplitude", number(kind.amplitude)],
  ];
}

/** @param {Convention} kind */
function columns({ layout, order }) {
  const [first, second] = order === "sin_first" ? ["sine", "cosine"] : ["cosine", "sine"];
  return layout === "interleaved" ? `${first} and ${second} alternate, ${first} first` : `all ${first}s, then all ${second}s`;
}

/** @param {Convention} kind @param {number} width */
function frequency({ base, freq_shift, spread, angle_scale, odd }, width) {
  if (width < 3 || width === 3 && odd === "pad") return `${number(angle_scale)} ${angle_scale === 1 ? "radian" : "radians"} per position`;
  const isOdd = width % 2 === 1;
  const scale = angle_scale === 1 ? "" : `${number(angle_scale)} · `;
  const isKnown = base === DEFAULT.base && angle_scale === 1 && !isOdd;
  const whose = !isKnown ? "" : freq_shift === 1 ? ", as in tensor2tensor" : freq_shift ? "" : ", as in the paper";
  const more = (isOdd ? { pad: -1, ceil: 1 }[String(odd)] ?? 0 : 0) - 2 * freq_shift;
  const over = more ? `(<i>d</i> ${more < 0 ? "−" : "+"} ${number(Math.abs(more))})` : "<i>d</i>";
  return `${scale}${number(base)}<sup>−2<i>i</i>/${spread ?? over}</sup> radians per position${whose}`;
}

/** `kind` as a Python call, with the options that differ from the `usual`. @param {string} name @param {object} kind @param {object} usual */
function call(name, kind, usual) {
  const [given, defaults] = /** @type {Record<string, any>[]} */ ([kind, usual]);
  const names = Object.keys(defaults).filter((option) => given[option] !== undefined && JSON.stringify(given[option]) !== JSON.stringify(defaults[option]));
  return `${name}(${names.map((option) => `${option}=${written(given[option])}`).join(", ")})`;
}
/** A value in Python. @param {any} value @returns {string} */
function written(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `(${value.map(written).join(", ")})`;
  return value && typeof value === "object" ? call("Convention", value, DEFAULT) : JSON.stringify(value);
}

/** @param {Rotary} rotary */
function called({ head_dim: head, base, layout, scaling }) {
  const options = [
    base === 10_000 ? "" : `base=${base < 1e16 ? base : base.toExponential()}`,
    layout === "interleaved" ? 'layout="interleaved"' : "",
    scaling ? `scaling=${scalingCall(scaling)}` : "",
  ];
  return `Rotary(${[head, ...options].filter(Boolean).join(", ")})`;
}

/** @param {Scaling} scaling */
function scalingCall({ type, factor, original, high, truncate, part, attention }) {
  const given = [
    type === "Llama3" && factor === 8 ? "" : part ?? factor,
    high === 1 ? "high_freq_factor=1" : "",
    type === "YaRN" || (type === "Llama3" && original !== 8192) ? `original_max_position_embeddings=${original}` : "",
    truncate === false ? "truncate=False" : "",
    attention === undefined ? "" : `attention_factor=${attention}`,
  ];
  return `${type}(${given.filter((text) => text !== "").join(", ")})`;
}

/** @param {Match} match */
function python({ convention: kind, isMeant }) {
  if ("axis" in kind) return `from posenc import Convention, Grid\n\nfound = ${call("Grid", kind, GRID)}`;
  if ("order" in kind) return `from posenc import Convention\n\n${isMeant ? "meant" : "found"} = ${call("Convention", kind, DEFAULT)}`;
  const code = called(kind.rotary);
  const scaling = /scaling=(\w+)/.exec(code);
  const more = scaling ? `from posenc.rotary import ${scaling[1]}\n` : "";
  return `from posenc import Rotary\n${more}\nfound = ${code}`;
}

/** @param {Convention} kind @param {Match} match @param {number} width */
function advice({ base, freq_shift, angle_scale, layout, order, amplitude: size }, { libraries, mistakes, isMeant }, width) {
  const port = `<a href="../port-weights/">Port weights</a>`;
  const versions = libraries.length ? " The versions that were run are in <a href=\"../conventions/#every-library-that-was-run\">What libraries compute</a>." : "";
  const steps = [
    layout === DEFAULT.layout && order === DEFAULT.order ? "" : "move columns",
    angle_scale < 0 ? "change the signs of the sines" : "",
    size === 1 ? "" : `divide all values by ${number(size)}`,
  ].filter(Boolean);
  if (isMeant) return `No convention makes this table. Weights trained with it need exactly this table. ${port} shows how to carry it.`;
  if (mistakes.length) return `Weights trained with this table need exactly this table. ${port} shows how to carry it.${versions}`;
  if (base !== DEFAULT.base || freq_shift || Math.abs(angle_scale) !== 1) return `Its frequencies are not the paper’s, so moving columns cannot turn it into the paper’s table. ${port} shows how to carry the table itself.${versions}`;
  const columns = steps.length ? `To get the paper’s columns, ${steps.join(" and ")}: ${port} shows how.` : `${width % 2 ? "Apart from the last one, its" : "Its"} columns are the paper’s too.`;
  return `Its frequencies are the paper’s. ${columns}${versions}`;
}
