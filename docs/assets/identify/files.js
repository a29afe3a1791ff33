/**
 * Reads the tables in a file, and explains what is wrong with it.
 */

import { noPickle, npz, safetensors } from "./archives.js";
import { LARGEST, fromText, npy, tooLarge } from "./parse.js";
import { given } from "./shapes.js";

/** @typedef {import("./archives.js").Named} Named */

/**
 * The arrays in a file that may be tables; throws an error with a message of one line if there is none.
 * @param {Blob} file
 * @returns {Promise<Named[]>}
 */
export async function fromFile(file) {
  if (!file.size) throw new Error("the file is empty");
  if (file.size > LARGEST) tooLarge(file.size);
  const buffer = await file.arrayBuffer();
  const start = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(10, buffer.byteLength)));
  if (start.startsWith("\x93NUMPY")) return [{ name: "", held: npy(buffer) }];
  if (start.startsWith("PK")) return tables(await npz(buffer));
  if (/^\{["}]/.test(start.slice(8))) return tables(safetensors(buffer));
  if (start.startsWith("\x80")) noPickle();
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

/** A name with a star in the place of one "cos" or "sin", and which of the two stood there. As in `posenc/identification/_names.py`. @param {string} name */
const spellings = (name) => [...name.matchAll(/cos(in)?|sin/g)].map(({ 0: part, index }) => (
  { key: `${name.slice(0, index)}*${name.slice(index + part.length)}`, kind: part.slice(0, 3) }
));

/** Those of several arrays that are tables; two whose names differ by cos and sin are one. As in `posenc/identification/_report.py`. @param {Named[]} all @returns {Named[]} */
function tables(all) {
  /** @type {Named[]} */
  const found = [];
  /** @type {unknown} */
  let refused = new Error("table must have two axes, got no array");
  /** @type {Map<string, { kind: string, one: Named }>} */
  const waiting = new Map();
  const others = all.filter((one) => !isCount(one));
  for (const { name, held } of others.length ? others : all) {
    try {
      given(held);
    } catch (error) { // weights and masks beside the table
      refused = error;
      continue;
    }
    const one = { name, held };
    const keys = held.sines ? [] : spellings(name);
    const match = keys.find(({ key, kind }) => waiting.has(key) && waiting.get(key)?.kind !== kind);
    const other = match && waiting.get(match.key)?.one;
    if (!match || !other) {
      found.push(one);
      for (const { key, kind } of keys) if (!waiting.has(key)) waiting.set(key, { kind, one });
      continue;
    }
    for (const [key, kept] of waiting) if (kept.one === other) waiting.delete(key);
    if (`${other.held.shape}` === `${held.shape}`) {
      const [cosines, sines] = match.kind === "cos" ? [held, other.held] : [other.held, held];
      found[found.indexOf(other)] = { name: `${other.name} and ${name}`, held: { ...cosines, sines: sines.values } };
    } else found.push(one);
  }
  if (!found.length) throw refused;
  return found;
}
