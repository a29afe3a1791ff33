/** Reads and identifies tables in a worker, so that the page stays responsive. */

import { fromFile } from "./files.js";
import { DEFAULT, EXPONENTS } from "./known.js";
import { identify } from "./match.js";
import { fromText } from "./parse.js";
import { unitRows } from "./rows.js";
import { given } from "./shapes.js";
import { choice, details, summary } from "./words.js";

/** @typedef {{ id: number, file?: File, table?: number, text?: string, example?: number }} Question `table` is the one to take of several in the file */
/** @typedef {{ id: number, error?: string, text?: string, said?: string, details?: string, choice?: string }} Answer `said` is a sentence; `details` and a `choice` of tables are in HTML */

const [LENGTH, WIDTH] = [20, 8];
const [doubled, own] = Object.keys(EXPONENTS);

/** What the page's example buttons show, in their order. */
const EXAMPLES = [DEFAULT, { ...DEFAULT, layout: "halves", freq_shift: 1 }, { meant: DEFAULT, mistakes: [doubled] }, { meant: DEFAULT, mistakes: [own] }];

/** The rows of an example, as a reader would paste them. @param {number} example */
function printed(example) {
  const places = Float64Array.from({ length: LENGTH }, (_, row) => row);
  const { unit: values } = /** @type {{ unit: Float64Array }} */ (unitRows(EXAMPLES[example], { places, values: places, width: WIDTH, far: 0, rounding: 0 }));
  const rows = Array.from({ length: LENGTH }, (_, row) => [...values.subarray(row * WIDTH, (row + 1) * WIDTH)]);
  return rows.map((row) => row.map((value) => value.toFixed(6).padStart(9)).join(" ")).join("\n");
}

/** @param {Question} question @returns {Promise<Answer>} */
async function answer({ id, file, table, text, example }) {
  try {
    const sample = example === undefined ? undefined : printed(example);
    const all = file ? await fromFile(file) : [{ name: "", held: fromText(sample ?? text ?? "") }];
    if (all.length > 1 && table === undefined) return { id, ...choice(all.map(({ name }) => name)) };
    const { name, held } = all[table ?? 0];
    const shape = held.shape.length > 2 ? held.shape.filter((axis) => axis !== 1) : held.shape;
    const found = identify(given(held));
    return { id, text: sample, said: summary(name, shape, held.dtype, found), details: details(found, shape[shape.length - 1]) };
  } catch (error) {
    return { id, error: /** @type {Error} */ (error).message };
  }
}

addEventListener("message", (event) => { answer(event.data).then((reply) => postMessage(reply)); });
