/**
 * Calls functions of tests/browser/ for tests/node.py: a line of JSON on standard input names a file, a function and its
 * argument, and a line on standard output has what the function returns, or its error.
 */

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";

const { fetch } = globalThis;
/** Node.js fetches no files. @param {string} url @param {RequestInit} options */
globalThis.fetch = async (url, options) => (url.startsWith("file:") ? new Response(await readFile(new URL(url))) : fetch(url, options));

/** JSON has no NaN and no infinities. @param {string} _ @param {unknown} value */
const plain = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? { notFinite: String(value) } : value);

for await (const line of createInterface({ input: process.stdin })) {
  const { file, name, given } = JSON.parse(line);
  /** @type {{ value?: unknown, error?: string }} */
  const answer = {};
  try {
    answer.value = await (await import(file))[name](given);
  } catch (error) {
    answer.error = /** @type {Error} */ (error).stack;
  }
  process.stdout.write(`${JSON.stringify(answer, plain)}\n`);
}
