/**
 * A trained model, from a file in safetensors' format: the length of a JSON header, the header, the numbers.
 *
 * As in `scripts/experiments/weights.py`, which says what the header holds.
 */

/** @typedef {"none" | "sinusoidal" | "learned" | "rope" | "alibi" | "t5"} Encoding */
/** @typedef {{ encoding: Encoding, base: number, layers: number, scaled: boolean, causal: boolean, residual: boolean }} Run options of the training that the forward pass needs */
/** @typedef {{ run: Run, arrays: Record<string, Float64Array> }} Model arrays row after row */
/** @typedef {{ dtype: string, shape: number[], data_offsets: [number, number] }} Entry */

/**
 * The model in the file `content`. Its numbers become float64, in which the pass computes.
 * @param {ArrayBuffer} content
 * @returns {Model}
 */
export function unpacked(content) {
  const begin = 8 + new DataView(content).getUint32(0, true); // the other four bytes of the length are zero
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(content, 8, begin - 8)));
  const { __metadata__: about, ...entries } = header;
  /** @type {Model["arrays"]} */
  const arrays = {};
  for (const [name, entry] of Object.entries(entries)) {
    const { dtype, data_offsets: [first, last] } = /** @type {Entry} */ (entry);
    if (dtype === "F32") arrays[name] = Float64Array.from(new Float32Array(content, begin + first, (last - first) / 4));
    else if (dtype === "BF16") { // the upper halves of float32 numbers
      const halves = Uint32Array.from(new Uint16Array(content, begin + first, (last - first) / 2), (half) => half << 16);
      arrays[name] = Float64Array.from(new Float32Array(halves.buffer));
    } else throw new TypeError(`${name} must hold float32 or bfloat16 numbers, got ${dtype}`);
  }
  return { run: JSON.parse(about.run), arrays };
}
