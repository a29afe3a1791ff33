/**
 * What the site's own modules compute for the test vectors.
 * @module vectors
 */

/**
 * Frequencies and attention factor of each encoding at its length.
 * @param {{ folder: string, given: [any, number | null][] }} question
 */
export async function turns({ folder, given }) {
  const { attentionFactor, frequencies } = await import(`${folder}config/scalings.js`);
  return given.map(([rotary, length]) => [[...frequencies(rotary, length)], attentionFactor(rotary, length)]);
}

/**
 * What a function of docs/assets/maths/ returns for each list of arguments, which may name a format of low precision.
 * @param {{ folder: string, module: string, name: string, given: any[][] }} question
 */
export async function results({ folder, module, name, given }) {
  const { [name]: called, FORMATS = {} } = await import(`${folder}maths/${module}.js`);
  const found = given.map((all) => called(...all.map((one) => FORMATS[one] ?? one)));
  return found.map((one) => (ArrayBuffer.isView(one) ? Array.from(/** @type {Float64Array} */ (one)) : one));
}
