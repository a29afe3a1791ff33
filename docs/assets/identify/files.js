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

/** Those of several arrays that are tables; two whose names differ by cos and sin are one. As in `posenc/identification/_report.py`. @param {Named[]} all @returns {Named[]} */
function tables(all) {
  /** @type {Named[]} */
  const found = [];
  /** @type {unknown} */
  let refused = new Error("table must have two axes, got no array");
  /** @type {Map<string, Named>} */
  const waiting = new Map();
  const others = all.filter((one) => !isCount(one));
  for (const { name, held } of others.length ? others : all) {
    try {
      given(held);
    } catch (error) { // weights and masks beside the table
      refused = error;
      continue;
    }
    const key = name.replace(/cos(in)?|sin/g, "*");
    const other = waiting.get(key);
    if (other && `${other.held.shape}` === `${held.shape}` && !held.sines) {
      const [cosines, sines] = name.includes("cos") ? [held, other.held] : [other.held, held];
      found[found.indexOf(other)] = { name: `${other.name} and ${name}`, held: { ...cosines, sines: sines.values } };
      waiting.delete(key);
      continue;
    }
    found.push({ name, held });
    if (key !== name && !held.sines) waiting.set(key, found[found.length - 1]);
  }
  if (!found.length) throw refused;
  return found;
}
