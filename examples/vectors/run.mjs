// Runs posenc-vectors in Node.js: node run.mjs FOLDER
//
// rotary.mjs and tables.mjs compute the outputs; put your own code in their place. A case passes if
// each of its right outputs is within the tolerance, and each mutant, the output of a slip, is not.

import { readFileSync } from "node:fs";
import { rotated } from "./rotary.mjs";
import * as tables from "./tables.mjs";

/** The file of cases, and the numbers in float64 and float32, each as one long row. */
export function load(folder) {
  const held = JSON.parse(readFileSync(`${folder}/cases.json`, "utf8"));
  const { buffer } = new Uint8Array(readFileSync(`${folder}/arrays.safetensors`));
  const begin = 8 + Number(new DataView(buffer).getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, begin - 8)));
  const rows = Object.entries(header).map(([name, { dtype, data_offsets: [first, last] }]) => {
    const part = buffer.slice(begin + first, begin + last);
    return [name, dtype === "F64" ? new Float64Array(part) : new Float32Array(part)];
  });
  return [held, Object.fromEntries(rows)];
}

/** The rows of an array at a place: where it begins, and its two axes. */
function part(row, [begin, height, width]) {
  return Array.from({ length: height }, (_, i) => [...row.subarray(begin + i * width, begin + (i + 1) * width)]);
}

export function outputs(one, q, k) {
  return one.kind === "rotary" || one.kind === "axial" ? rotated(one, q, k) : tables[one.kind](one);
}

/** Whether each row is within its tolerance. */
function agrees(mine, expected, tolerance, relative) {
  return expected.every((row, i) => row.every((value, j) => {
    const allowed = tolerance[i] * (relative ? Math.abs(value) : 1);
    return Math.abs(mine[i][j] - value) <= allowed;
  }));
}

/** What is wrong with a case, in words. */
export function wrong(one, held, rows, compute = outputs) {
  const given = one.input ? [one.input.q, one.input.k].map((place) => part(rows.float64, place)) : [];
  const mine = compute(one, ...given);
  const found = [];
  for (const [name, place] of Object.entries(one.output)) {
    const expected = part(rows.float64, place);
    if (!agrees(mine[name], expected, one.tolerance.float64[name], held.relative.includes(name))) found.push(`${name} is wrong`);
  }
  for (const { output, values, words } of one.mutants) {
    const slipped = part(rows.float32, values);
    if (agrees(mine[output], slipped, one.tolerance.float32[output], held.relative.includes(output))) found.push(`accepts a mutant: ${words}`);
  }
  return found;
}

const [held, rows] = load(process.argv[2]);
let failed = 0;
for (const one of held.cases) {
  const found = wrong(one, held, rows);
  failed += found.length > 0 ? 1 : 0;
  console.log(found.length ? `FAIL ${one.name}: ${found.join("; ")}` : `pass ${one.name}`);
}
const mutants = held.cases.reduce((sum, one) => sum + one.mutants.length, 0);
console.log(`${held.cases.length} cases, ${mutants} mutants, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
