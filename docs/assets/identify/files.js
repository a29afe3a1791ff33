/** Reads the tables in a file, and explains what is wrong with it. */

import { PICKLE, npz, safetensors } from "./archives.js";
import { LARGEST, fromText, npy, tooLarge } from "./parse.js";
import { given } from "./shapes.js";

/** @import { Named } from "./archives.js" */

/** The arrays in a file that may be tables; throws an error with a message of one line if there is none. @param {Blob} file @returns {Promise<Named[]>} */
export async function fromFile(file) {
  if (!file.size) throw new Error("the file is empty");
  if (file.size > LARGEST) tooLarge(file.size);
  const buffer = await file.arrayBuffer();
  const start = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(10, buffer.byteLength)));
  if (start.startsWith("\x93NUMPY")) return [{ name: "", held: npy(buffer) }];
  if (start.startsWith("PK")) return tables(await npz(buffer));
  if (/^\{["}]/.test(start.slice(8))) return tables(safetensors(buffer));
  if (start.startsWith("\x80")) throw new Error(PICKLE);
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(buffer);
  } catch {
    throw new Error("neither in NumPy's format nor text");
  }
  return [{ name: "", held: fromText(text) }];
}

/** Whether an array holds position numbers or the like, which count only in a file that has nothing else. @param {Named} one */
const isCount = ({ held: { shape, dtype, values } }) => /int/.test(dtype) && (shape.length < 2 || values.some((value) => Math.abs(value) > 1));
/** A name with a star in the place of one "cos" or "sin", and which of the two stood there. @param {string} name */
const spellings = (name) => [...name.matchAll(/cos(in)?|sin|Cos(in)?|Sin|COS(IN)?|SIN/g)].map(({ 0: part, index }) => ({ key: `${name.slice(0, index)}*${name.slice(index + part.length)}`, kind: part.slice(0, 3).toLowerCase() }));

/** Those of several arrays that are tables; two of one shape whose names differ by cos and sin are one. As in `posenc/reading/_names.py`. @param {Named[]} all @returns {Named[]} */
function tables(all) {
  /** @type {Named[]} */ const found = [];
  /** @type {unknown} */ let refused = new Error("table must have two axes, got no array");
  const others = all.filter((one) => !isCount(one));
  for (const { name, held } of others.length ? others : all) {
    try {
      given(held);
    } catch (error) { // weights and masks beside the table
      refused = error;
      continue;
    }
    const mine = held.sines ? [] : spellings(name);
    /** Which of the two the other one is, if the names say so. @param {Named} other */
    const kindOf = (other) => (other.held.sines ? undefined : spellings(other.name).find(({ key, kind }) => mine.some((own) => own.key === key && own.kind !== kind))?.kind);
    const place = found.findIndex((other) => `${other.held.shape}` === `${held.shape}` && kindOf(other));
    if (place < 0) { found.push({ name, held }); continue; }
    const other = found[place];
    const [cosines, sines] = kindOf(other) === "cos" ? [other.held, held] : [held, other.held];
    found[place] = { name: `${other.name} and ${name}`, held: { ...cosines, sines: sines.values } };
  }
  if (!found.length) throw refused;
  return found;
}
