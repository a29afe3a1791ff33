/**
 * Runs the model of the desk: eight texts of 256 letters for each setting of the speeds.
 *
 * What a place sees does not depend on later letters, so one pass answers for all lengths.
 */

import { attention, runModel } from "../model/forward.js";
import { xorshift } from "../model/generator.js";
import { loaded } from "../model/load.js";
import { BACK, MOST, OFFSETS, TEXTS } from "./desk.js";

const VOCABULARY = 16;
let newest = 0;

/** The letters of a text, as numbers. @param {number} text */
const letters = (text) => {
  const draw = xorshift(text + 1);
  return Array.from({ length: MOST }, () => draw(VOCABULARY));
};

/** Answer text after text, until another question comes. @param {{ id: number, speeds: Float64Array }} question */
async function answer({ id, speeds }) {
  newest = id;
  const model = await loaded("desk");
  const looks = new Float64Array(MOST * 2 * OFFSETS);
  /** @type {Uint8Array[]} */
  const rights = [];
  for (let text = 0; text < TEXTS; text++) {
    await new Promise((done) => { setTimeout(done); }); // so that waiting questions come in
    if (id !== newest) return;
    const tokens = letters(text);
    const { logits, layers } = runModel(model, tokens, { speeds });
    rights.push(Uint8Array.from(tokens, (_, place) => {
      const own = logits.subarray(place * VOCABULARY, (place + 1) * VOCABULARY);
      return Number(own.indexOf(Math.max(...own)) === tokens[place - BACK]);
    }));
    for (let query = 0; query < MOST; query++) {
      for (const head of [0, 1]) {
        const row = attention(layers[0].weights, query, head);
        for (let back = 0; back < Math.min(OFFSETS, query + 1); back++) looks[(2 * query + head) * OFFSETS + back] += row[query - back];
      }
    }
    postMessage({ id, known: { rights, looks }, tokens: letters(0) });
  }
}

addEventListener("message", ({ data }) => answer(data).catch((error) => postMessage({ id: data.id, error: String(error) })));
