/**
 * The answer in words: a sentence about the table, and each match in a list and in Python.
 */

import { DEFAULT, GRID, TRANSPOSED, WORDS } from "./known.js";
import { called } from "./python.js";

/** @typedef {import("./rows.js").Convention} Convention */
/** @typedef {import("./grids.js").Grid} Grid */
/** @typedef {import("./caches.js").Cache} Cache */
/** @typedef {import("./axial.js").AxialCache} AxialCache */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./match.js").Identification} Identification */
/** @typedef {import("./tables.js").TableMatch} TableMatch */
/** @typedef {import("./nearest.js").Near} Near */
/** @typedef {import("./findings.js").Finding} Finding */
/** @typedef {[string, string][]} Entries names and descriptions */

const MOST = 3; // matches
const ODD = /** @type {Record<string, string>} */ ({
  truncate: "the last column is dropped",
  ceil: "the last column is dropped, and the frequencies are those of width <i>d</i> + 1",
  pad: "the last column holds zeros, and the frequencies are those of width <i>d</i> − 1",
});
const PARTS = /** @type {Record<string, string>} */ ({
  cos: "cosines", sin: "sines", "cos|sin": "cosines, then sines", "sin|cos": "sines, then cosines", both: "cosines and sines",
});
const FORMS = /** @type {Record<string, string>} */ ({
  once: "each pair once", halves: "each pair twice, in halves (rotate_half)", interleaved: "each pair twice, side by side (interleaved)",
});

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
  if (best) return [whose(best), ...amplitude(best), ...[...best.findings, ...findings].map(({ words }) => words)].join("; ");
  if (nearest && nearest.error <= tolerance) return `made from ${titled(nearest)}: ${joined(nearest.findings)}`;
  if (nearest) return `no known encoding makes this table exactly; the nearest is ${titled(nearest)}: ${joined(nearest.findings)}`;
  return findings.length ? joined(findings) : "no convention and no known mistake makes such a table";
}

/** The amplitude, if it is not 1. @param {Match} best */
const amplitude = ({ convention }) => ("amplitude" in convention && convention.amplitude !== 1 ? [`its amplitude is ${number(convention.amplitude)}`] : []);

/** @param {Match} best */
function whose(best) {
  if (best.mistakes.length) return slips(best.mistakes);
  if ("rotary" in best.convention) return cache(best.convention);
  return best.libraries.length ? named(best.libraries) : "a convention fits, but no library that we ran has it";
}

/** @param {Cache | AxialCache} kind */
const cache = (kind) => `a rotary cache${isOfPoints(kind) ? " of points" : ""}: ${PARTS[kind.part]}, ${FORMS[kind.form]}`;

/** @param {Cache | AxialCache} kind @returns {kind is AxialCache} */
const isOfPoints = (kind) => "coordinates" in kind;

/** @param {string[]} names */
function named([first, ...others]) {
  return others.length < 2 ? `as in ${[first, ...others].join(" and ")}` : `as in ${first} and ${others.length} others`;
}

/** @param {Near} near */
const titled = ({ convention, libraries }) => ("rotary" in convention ? cache(convention) : libraries.length ? `the table ${named(libraries)}` : "a convention of no library");

/** The question which of several tables to take. @param {string[]} names */
export function choice(names) {
  const buttons = names.map((name, place) => `<button type="button" aria-pressed="false" data-table="${place}">${escaped(name)}</button>`).join("");
  return { said: `${number(names.length)} tables: choose one.`, choice: `<div class="we-row" role="group" aria-label="Tables">${buttons}</div>` };
}

/** @param {Identification} found @param {number} width */
export function details({ matches, nearest, rowsUsed, rowsIgnored }, width) {
  const check = `<p><a href="#if-nothing-fits">What to check</a></p>`;
  if (!matches.length) return (nearest ? closest(nearest, width) : "") + check;
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
  const entries = list([
    ["What differs", joined(findings)],
    ["As in", codes(libraries)],
    ...described(convention, width),
    ["Largest difference", `${power(error)} of the amplitude, typically ${power(typical)}`],
  ]);
  return `<section class="we-match" aria-label="Nearest"><p><strong>Nearest, but no match</strong></p>${entries}</section>`;
}

/** @param {Match} match @param {number} width @param {number} place @param {string} rows */
function section(match, width, place, rows) {
  const { convention, libraries, mistakes, findings } = match;
  const title = place ? "Also within the tolerance" : "Best match";
  const along = mistakes.includes(TRANSPOSED);
  /** @type {Entries} */
  const entries = [
    ["Mistake", slips(mistakes)],
    ["Note", joined(findings)],
    ["As in", codes(libraries)],
    ...described(convention, width, match.isMeant),
    ["Rows", along ? "" : rows],
    ["Largest difference", `${power(match.error)} of the amplitude`],
  ];
  if (along) for (const entry of entries) if (entry[0] === "First row") entry[0] = "First column";
  const told = table(match);
  return `<section class="we-match" aria-label="${title}"><p><strong>${title}</strong></p>
${list(entries)}
<pre><code tabindex="0">${python(match, width)}</code></pre><button type="button" class="we-copy">Copy</button>
<p>${told ? advice(told, width) : ""}</p></section>`;
}

/** `match` if it is a convention of one axis. @param {Match} match */
const table = (match) => ("order" in match.convention ? /** @type {TableMatch} */ (match) : null);

/** @param {Match["convention"]} kind @param {number} width @param {boolean} [isMeant] @returns {Entries} */
function described(kind, width, isMeant) {
  if ("coordinates" in kind) return ofPoints(kind);
  if ("rotary" in kind) return rotary(kind);
  if ("axis" in kind) return grid(kind, width);
  return [
    [isMeant ? "What was meant" : "Columns", columns(kind)],
    ["Frequency of pair <i>i</i>", frequency(kind, width)],
    ["Base", width < 4 ? "cannot be seen: a table of this width has one frequency" : number(kind.base)],
    ["Scale", number(kind.angle_scale)],
    ["First row", `position ${number(kind.start)}`],
    ["Amplitude", number(kind.amplitude)],
    ["Odd width", width % 2 ? ODD[kind.odd] : ""],
  ];
}

/** @param {Cache} cache @returns {Entries} */
function rotary({ rotary: { head_dim: head, base, scaling }, part, form, amplitude, start }) {
  const { type, factor, original, truncate, attention } = scaling ?? {};
  const own = type === "LongRoPE" ? "each pair divided by a number of its own, in the form of LongRoPE" : type;
  const more = [["factor", factor], ["first trained on", original], ["attention factor", attention]].filter(([, value]) => value !== undefined);
  const text = [own, ...more.map(([name, value]) => `${name} ${number(Number(value))}`), truncate === false ? "not truncated" : ""];
  return [
    ["Holds", `${PARTS[part]}, ${FORMS[form]}`],
    ["Features turned", number(head)],
    ["Base", number(base)],
    ["Scaling", text.filter(Boolean).join(", ") || "none"],
    ["First row", `position ${number(start)}`],
    ["Amplitude", number(amplitude)],
  ];
}

/** @param {AxialCache} cache @returns {Entries} */
const ofPoints = ({ rotary: { made_by: call, axes }, part, form, amplitude }) => [
  ["Holds", `${PARTS[part]}, ${FORMS[form]}`],
  ["Encoding", `<code>${call}</code>`],
  ["Features turned", `${number(2 * axes.length)}, by ${Math.max(...axes) + 1} coordinates`],
  ["Amplitude", number(amplitude)],
];

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
function columns({ arrangement, order }) {
  const [first, second] = order === "sin_first" ? ["sine", "cosine"] : ["cosine", "sine"];
  return arrangement === "interleaved" ? `${first} and ${second} alternate, ${first} first` : `all ${first}s, then all ${second}s`;
}

/** @param {Convention} kind @param {number} width */
function frequency({ base, freq_shift, spread, angle_scale, odd }, width) {
  const isOdd = width % 2 === 1;
  if (width < 3 || width === 3 && odd === "pad") return `${number(angle_scale)} ${angle_scale === 1 ? "radian" : "radians"} per position`;
  const scale = angle_scale === 1 ? "" : `${number(angle_scale)} · `;
  const isKnown = base === DEFAULT.base && angle_scale === 1;
  const whose = !isKnown || isOdd ? "" : freq_shift === 1 ? ", as in tensor2tensor" : freq_shift ? "" : ", as in the paper";
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
  if (value && typeof value === "object") return call("Convention", value, DEFAULT);
  return JSON.stringify(value);
}

/** The same frequencies in the paper's layout, if moving columns and changing signs is enough. @param {TableMatch} match @param {number} width */
function paper({ convention: kind, isMeant }, width) {
  const isCut = width % 2 === 1 && kind.odd !== "pad" && kind.order === "cos_first";
  const target = { ...kind, arrangement: DEFAULT.arrangement, order: DEFAULT.order, amplitude: 1, angle_scale: Math.abs(kind.angle_scale) };
  return isMeant || isCut || JSON.stringify(target) === JSON.stringify(kind) ? null : target;
}

/** @param {Match} match @param {number} width */
function python(match, width) {
  const told = table(match);
  if ("rotary" in match.convention) return cached(match.convention);
  if ("axis" in match.convention) return ["from posenc import Convention, Grid", "", `found = ${call("Grid", match.convention, GRID)}`].join("\n");
  if (!told) return "";
  const { convention: kind, mistakes } = told;
  const target = paper(told, width);
  const name = mistakes.includes(TRANSPOSED) ? "table.T" : told.zeroRows ? `table[${told.zeroRows}:]` : "table";
  const lines = [`from posenc import Convention${target ? ", convert" : ""}`, "", `${match.isMeant ? "meant" : "found"} = ${call("Convention", kind, DEFAULT)}`];
  if (target) lines.push(`alternating = convert(${name}, found, ${call("Convention", target, DEFAULT)})`);
  return lines.join("\n");
}

/** @param {Cache | AxialCache} cache */
function cached(cache) {
  const code = isOfPoints(cache) ? cache.rotary.made_by : called(cache.rotary);
  const scaling = /scaling=(\w+)/.exec(code);
  return [
    ...(code.includes("Rotary(") ? ["from posenc import Rotary"] : []),
    ...(isOfPoints(cache) || scaling ? [`from posenc.rotary import ${[scaling?.[1], isOfPoints(cache) && "axes"].filter(Boolean).join(", ")}`] : []),
    "", `found = ${code}`,
  ].join("\n");
}

/** @param {TableMatch} match @param {number} width */
function advice({ convention: kind, libraries, mistakes, isMeant }, width) {
  const { base, freq_shift, angle_scale } = kind;
  const port = `<a href="../port-weights/">Port weights</a>`;
  if (isMeant) return `No convention makes this table. Weights trained with it need exactly this table. ${port} shows how to carry it.`;
  const isPapers = base === DEFAULT.base && freq_shift === 0 && Math.abs(angle_scale) === 1;
  const sentence = mistakes.length ? `Weights trained with this table need exactly this table. ${port} shows how to carry it.`
    : isPapers ? `Its frequencies are the paper’s. ${toThePapers(kind, port, width)}`
      : `Its frequencies are not the paper’s, so moving columns cannot turn it into the paper’s table. ${port} shows how to carry the table itself.`;
  return `${sentence}${libraries.length ? " The versions that were run are in <a href=\"../conventions/#every-library-that-was-run\">What libraries compute</a>." : ""}`;
}

/**
 * What turns a table with the paper's frequencies into the paper's columns.
 * @param {Convention} kind
 * @param {string} port
 * @param {number} width
 */
function toThePapers({ arrangement, order, angle_scale, amplitude }, port, width) {
  const steps = [
    arrangement === DEFAULT.arrangement && order === DEFAULT.order ? "" : "move columns",
    angle_scale < 0 ? "change the signs of the sines" : "",
    amplitude === 1 ? "" : `divide all values by ${number(amplitude)}`,
  ].filter(Boolean);
  if (!steps.length) return `${width % 2 ? "Apart from the last one, its" : "Its"} columns are the paper’s too.`;
  return `To get the paper’s columns, ${steps.join(" and ")}: ${port} shows how.`;
}
