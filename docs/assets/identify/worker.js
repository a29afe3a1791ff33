/**
 * Reads and identifies tables in a worker, so that the page stays responsive.
 */

import { EXPONENTS } from "./known.js";
import { identify } from "./match.js";
import { fromFile, fromText } from "./parse.js";
import { given } from "./shapes.js";
import { made } from "./tables.js";

/** @typedef {import("./match.js").Identification} Identification */
/** @typedef {{ id: number, file?: File, text?: string, example?: number }} Question */
/** @typedef {{ id: number, error?: string, text?: string, shape: number[], dtype: string, found: Identification | null }} Answer */

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
async function answer({ id, file, text, example }) {
  try {
    const sample = example === undefined ? undefined : printed(made(...EXAMPLES[example], LENGTH, WIDTH));
    const held = file ? await fromFile(file) : fromText(sample ?? text ?? "");
    const shape = held.shape.length > 2 ? held.shape.filter((axis) => axis !== 1) : held.shape;
    return { id, text: sample, shape, dtype: held.dtype, found: identify(given(held)) };
  } catch (error) {
    return { id, error: /** @type {Error} */ (error).message, shape: [], dtype: "", found: null };
  }
}

addEventListener("message", (event) => { answer(event.data).then((reply) => postMessage(reply)); });
