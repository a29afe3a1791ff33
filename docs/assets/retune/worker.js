/**
 * Runs the model of the desk: eight texts of 256 letters for each setting of the speeds.
 *
 * What a place sees does not depend on later letters, so one pass answers for all lengths.
 */

import { attention, runModel } from "../model/forward.js";
import { loaded } from "../model/load.js";
import { BACK, LETTERS, MOST, OFFSETS, TEXTS, letters } from "./desk.js";

const [VOCABULARY, ROW] = [LETTERS.length, 2 * OFFSETS];
let newest = 0;
loaded("desk").catch(() => {}); // the first answer says so

/** Answer text after text, until another question comes. @param {{ id: number, speeds: Float64Array }} question */
async function answer({ id, speeds }) {
  newest = id;
  const model = await loaded("desk");
  const [verdicts, rights, finds, looks] = [new Uint8Array(MOST), new Float64Array(MOST), new Float64Array(MOST), new Float64Array(MOST * ROW)];
  for (let texts = 1; texts <= TEXTS; texts++) {
    await new Promise((done) => { setTimeout(done); }); // so that waiting questions come in
    if (id !== newest) return;
    const tokens = letters(texts - 1);
    const { logits, layers } = runModel(model, tokens, { speeds });
    const sums = new Float64Array(ROW);
    let [right, found] = [0, 0];
    for (let place = 0; place < MOST; place++) {
      const own = logits.subarray(place * VOCABULARY, (place + 1) * VOCABULARY);
      const isRight = Number(own.indexOf(Math.max(...own)) === tokens[place - BACK]);
      if (texts === 1) verdicts[place] = isRight;
      rights[place] += right += isRight;
      const rows = [0, 1].map((head) => attention(layers[0].weights, place, head));
      finds[place] += found += Number(rows.some((row) => row.indexOf(Math.max(...row)) === place - BACK));
      rows.forEach((row, head) => {
        for (let back = 0; back < Math.min(OFFSETS, place + 1); back++) sums[head * OFFSETS + back] += row[place - back];
      });
      for (let at = 0; at < ROW; at++) looks[place * ROW + at] += sums[at];
    }
    postMessage({ id, known: { texts, verdicts, rights, finds, looks } });
  }
}

addEventListener("message", ({ data }) => answer(data).catch((error) => postMessage({ id: data.id, error: String(error) })));
