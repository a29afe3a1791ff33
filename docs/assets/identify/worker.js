/**
 * Reads and identifies tables in a worker, so that the page stays responsive.
 */

import { fromFile } from "./files.js";
import { EXPONENTS } from "./known.js";
import { identify } from "./match.js";
import { fromText } from "./parse.js";
import { given } from "./shapes.js";
import { made } from "./tables.js";
import { choice, details, summary } from "./words.js";

/** @typedef {{ id: number, file?: File, table?: number, text?: string, example?: number }} Question `table` is the one to take of several in the file */
/** @typedef {{ id: number, error?: string, text?: string, said?: string, details?: string, choice?: string }} Answer `said` is a sentence; `details` and a `choice` of tables are in HTML */

const [LENGTH, WIDTH] = [20, 8];
const [doubled, own] = Object.keys(EXPONENTS);

/** Options and mistakes of the page's example buttons, in their order. @type {[object, string[]][]} */
const EXAMPLES = [[{}, []], [{ arrangement: "halves", freq_shift: 1 }, []], [{}, [doubled]], [{}, [own]]];

/** Rows of numbers, as a reader would paste them. @param {Float64Array} values */
function printed(values) {
  const rows = Array.from({ length: LENGTH }, (_, row) => [...values.subarray(row * WIDTH, (row + 1) * WIDTH)]);
  return rows.map((row) => row.map((value) => value.toFixed(6).padStart(9)).join(" ")).join("\n");
}

/** @param {Question} question @returns {Promise<Answer>} */
async function answer({ id, file, table, text, example }) {
  try {
    const sample = example === undefined ? undefined : printed(made(...EXAMPLES[example], LENGTH, WIDTH));
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
