/**
 * The answer in words: a sentence about the table, and each match in a list and in Python.
 */

import { DEFAULT, TRANSPOSED } from "./known.js";

/** @typedef {import("./match.js").Convention} Convention */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./worker.js").Answer} Answer */

const MOST = 3; // matches, as many as the command prints
const ROUGHLY = ", but only to 0.01 of the amplitude, as from bfloat16 or few digits";
const ODD = /** @type {Record<string, string>} */ ({
  truncate: "the last column is dropped",
  ceil: "the last column is dropped, and the frequencies are those of width <i>d</i> + 1",
  pad: "the last column holds zeros, and the frequencies are those of width <i>d</i> − 1",
});

/** @param {number} value */
const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: 7 }).replace("-", "−");

/** `value` with two digits and a power of ten. @param {number} value */
function power(value) {
  const [digits, exponent] = value.toExponential(1).split("e");
  return value ? `${digits} × 10<sup>${Number(exponent)}</sup>`.replace("-", "−") : "0";
}

/** @param {Answer} answer */
export function summary({ length, width, dtype, matches: [best], isRough }) {
  const kind = dtype === "text" ? "" : `, ${dtype}`;
  return `${number(length)} × ${number(width)}${kind}: ${verdict(best)}${best && isRough ? ROUGHLY : ""}.`;
}

/** @param {Match | undefined} best */
function verdict(best) {
  if (!best) return "no convention and no known mistake makes such a table";
  if (best.mistakes.length) return best.mistakes.join("; ");
  const [first, ...others] = best.libraries;
  if (!first) return "a convention fits, though none of a library that was run";
  if (others.length < 2) return `as in ${best.libraries.join(" and ")}`;
  return `as in ${first} and ${others.length} others`;
}

/** @param {Answer} answer */
export function details({ width, matches }) {
  if (!matches.length) return `<p><a href="#if-nothing-fits">What to check</a></p>`;
  return matches.slice(0, MOST).map((match, place) => section(match, width, place)).join("");
}

/** @param {Match} match @param {number} width @param {number} place */
function section(match, width, place) {
  const { convention: kind, libraries, mistakes, isMeant } = match;
  const title = place ? "Also within the tolerance" : "Best match";
  const rows = [
    ["Mistake", mistakes.join("; ")],
    ["As in", libraries.map((name) => `<code>${name}</code>`).join(", ")],
    [isMeant ? "What was meant" : "Columns", columns(kind)],
    ["Frequency of pair <i>i</i>", frequency(kind, width)],
    ["Base", number(kind.base)],
    ["Scale", number(kind.angle_scale)],
    ["First row", `position ${number(kind.start)}`],
    ["Amplitude", number(kind.amplitude)],
    ["Odd width", width % 2 ? ODD[kind.odd] : ""],
    ["Largest difference", `${power(match.error)} of the amplitude`],
  ];
  return `<section class="we-match" aria-label="${title}"><p><strong>${title}</strong></p>
<dl>${rows.filter(([, text]) => text).map(([name, text]) => `<div><dt>${name}</dt><dd>${text}</dd></div>`).join("")}</dl>
<pre><code tabindex="0">${python(match, width)}</code></pre><button type="button" class="we-copy">Copy</button>
<p>${advice(match)}</p></section>`;
}

/** @param {Convention} kind */
function columns({ arrangement, order }) {
  const [first, second] = order === "sin_first" ? ["sine", "cosine"] : ["cosine", "sine"];
  return arrangement === "interleaved" ? `${first} and ${second} alternate, ${first} first` : `all ${first}s, then all ${second}s`;
}

/** @param {Convention} kind @param {number} width */
function frequency({ base, freq_shift, spread, angle_scale }, width) {
  if (width < 4) return `${number(angle_scale)}`;
  const scale = angle_scale === 1 ? "" : `${number(angle_scale)} · `;
  const whose = base !== DEFAULT.base || angle_scale !== 1 ? "" : freq_shift ? ", as in tensor2tensor" : ", as in the paper";
  return `${scale}${number(base)}<sup>−2<i>i</i>/${spread ?? (freq_shift ? "(<i>d</i> − 2)" : "<i>d</i>")}</sup> radians per position${whose}`;
}

/** `kind` as a Python call. @param {Partial<Convention>} kind */
function call(kind) {
  const names = /** @type {(keyof Convention)[]} */ (Object.keys(DEFAULT));
  const given = names.filter((name) => kind[name] !== undefined && kind[name] !== DEFAULT[name]);
  return `Convention(${given.map((name) => `${name}=${JSON.stringify(kind[name])}`).join(", ")})`;
}

/** The same frequencies in the paper's layout, if moving columns and changing signs is enough. @param {Match} match @param {number} width */
function paper({ convention: kind, isMeant }, width) {
  const isCut = width % 2 === 1 && kind.odd !== "pad" && kind.order === "cos_first";
  const target = { ...kind, arrangement: DEFAULT.arrangement, order: DEFAULT.order, amplitude: 1, angle_scale: Math.abs(kind.angle_scale) };
  return isMeant || isCut || call(target) === call(kind) ? null : target;
}

/** @param {Match} match @param {number} width */
function python(match, width) {
  const { convention: kind, mistakes } = match;
  const target = paper(match, width);
  const table = mistakes.includes(TRANSPOSED) ? "table.T" : "table";
  const lines = [`from posenc import Convention${target ? ", convert" : ""}`, "", `${match.isMeant ? "meant" : "found"} = ${call(kind)}`];
  if (target) lines.push(`alternating = convert(${table}, found, ${call(target)})`);
  return lines.join("\n");
}

/** @param {Match} match */
function advice({ convention: kind, libraries, mistakes, isMeant }) {
  const { base, freq_shift, angle_scale } = kind;
  const port = `<a href="../port-weights/">Port weights</a>`;
  if (isMeant) return `No convention makes this table. Weights trained with it need exactly this table: ${port}.`;
  const isPapers = base === DEFAULT.base && freq_shift === 0 && Math.abs(angle_scale) === 1;
  const sentence = mistakes.length ? "Weights trained with this table need exactly this table"
    : isPapers ? "Its frequencies are the paper’s: moving columns converts one layout to the other"
      : "Its frequencies are not the paper’s: moving columns cannot turn it into the paper’s table";
  return `${sentence}. ${port} shows how.${libraries.length ? " The versions that were run are in <a href=\"../conventions/#every-library-that-was-run\">What libraries compute</a>." : ""}`;
}
