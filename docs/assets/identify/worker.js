/**
 * Reads and identifies tables in a worker, so that the page stays responsive.
 */

import { identify, made } from "./match.js";
import { EXPONENTS } from "./known.js";
import { fromFile, fromText } from "./parse.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {{ id: number, file?: File, text?: string, example?: number }} Question */
/** @typedef {{ id: number, error?: string, text?: string, length: number, width: number, dtype: string, matches: Match[], isRough: boolean }} Answer */

const ROUGH = 0.01; // tolerance for tables in bfloat16 or printed with few digits
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
    const { values, width, length, dtype } = file ? await fromFile(file) : fromText(sample ?? text ?? "");
    const matches = identify(values, width);
    const isRough = !matches.length;
    return { id, text: sample, length, width, dtype, isRough, matches: isRough ? identify(values, width, ROUGH) : matches };
  } catch (error) {
    return { id, error: /** @type {Error} */ (error).message, length: 0, width: 0, dtype: "", isRough: false, matches: [] };
  }
}

addEventListener("message", (event) => { answer(event.data).then((reply) => postMessage(reply)); });
