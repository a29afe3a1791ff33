/**
 * The header of a GGUF file as JSON: the metadata of its architecture, and the tensors that divide frequencies; see
 * `posenc/_gguf.py`. The tensors of the weights are not read.
 */

import { Unreadable } from "./json.js";
import { float } from "./shown.js";

const NUMBERS = ["Uint8", "Int8", "Uint16", "Int16", "Uint32", "Int32", "Float32", "bool", "", "", "BigUint64", "BigInt64", "Float64"];
const [TEXT, ARRAY] = [8, 9];
const MOST = 1_000_000; // entries of a header
const LONGEST = 4096; // numbers of a list that is kept
const LARGEST = 2 ** 28; // bytes of a header
const DIVISORS = ["rope_freqs.weight", "rope_factors_short.weight", "rope_factors_long.weight"];
/** @type {Record<number, string>} */
const KINDS = { 0: "Float32", 1: "float16", 28: "Float64", 30: "bfloat16" };

/** @typedef {{ count: number, kind: string | undefined, place: number }} Tensor */

/** The header as a config in JSON. @param {Blob} file @returns {Promise<string>} */
export async function headerText(file) {
  const reader = await opened(file);
  const name = String(reader.metadata.get("general.architecture"));
  const given = [...reader.metadata].filter(([key]) => key === "general.architecture" || key.startsWith(`${name}.`));
  for (const divisor of DIVISORS) {
    const tensor = reader.tensors.get(divisor);
    if (tensor) given.push([divisor, await numbersOf(file, reader, divisor, tensor)]);
  }
  const lines = given.map(([key, value]) => `  ${JSON.stringify(key)}: ${written(value)}`);
  return ["{", lines.join(",\n"), "}"].join("\n");
}

/** @param {any} value @returns {string} */
function written(value) {
  if (Array.isArray(value)) return `[${value.map(written).join(", ")}]`;
  return typeof value === "number" ? float(value).replace("inf", "Infinity").replace("nan", "NaN") : typeof value === "bigint" ? String(value) : JSON.stringify(value);
}

/** A header that was read from as much of the file as it takes. @param {Blob} file */
async function opened(file) {
  for (let size = 2 ** 20; ; size *= 4) {
    try {
      return new Reader(new DataView(await file.slice(0, size).arrayBuffer()));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      if (size >= file.size || size >= LARGEST) throw new Unreadable("not a whole GGUF file: cut off in its header");
    }
  }
}

/** The numbers of a tensor that is not quantized. @param {Blob} file @param {Reader} reader @param {string} name @param {Tensor} tensor */
async function numbersOf(file, { isLittle }, name, { count, kind, place }) {
  if (!kind) throw new Unreadable(`${name} must not be quantized`);
  const size = { Float32: 4, Float64: 8 }[kind] ?? 2;
  const view = new DataView(await file.slice(place, place + Math.min(count, LONGEST) * size).arrayBuffer());
  if (view.byteLength < count * size) throw new Unreadable(`not a whole GGUF file: cut off in ${name}`);
  return Array.from({ length: count }, (_, i) => {
    if (size > 2) return /** @type {any} */ (view)[`get${kind}`](i * size, isLittle);
    const bits = view.getUint16(2 * i, isLittle);
    return kind === "float16" ? half(bits, 10, 15) : half(bits, 7, 127);
  });
}

/** The number that 16 bits hold, `width` of them after the point. @param {number} bits @param {number} width @param {number} bias of the exponent */
function half(bits, width, bias) {
  const [exponent, rest] = [(bits & 0x7FFF) >> width, bits & (2 ** width - 1)];
  const size = exponent ? (1 + rest / 2 ** width) * 2 ** (exponent - bias) : rest / 2 ** width * 2 ** (1 - bias);
  return bits >> 15 ? -size : size;
}

class Reader {
  /** @param {DataView} view */
  constructor(view) {
    this.view = view;
    this.at = 4;
    this.isLittle = true;
    this.isWide = true;
    let version = this.number("Uint32");
    if (version >= 2 ** 16) { // of the other order of bytes
      [this.isLittle, this.at] = [false, 4];
      version = this.number("Uint32");
    }
    if (![1, 2, 3].includes(version)) throw new Unreadable(`must be a GGUF file of version 1, 2 or 3, got version ${version}`);
    this.isWide = version > 1;
    const [tensors, pairs] = [this.length(), this.length()];
    if (Math.max(tensors, pairs) > MOST) throw new Unreadable(`must have at most ${MOST.toLocaleString("en")} entries`);
    /** @type {Map<string, any>} */
    this.metadata = new Map();
    for (let i = 0; i < pairs; i++) {
      const key = this.text();
      const value = this.value(this.number("Uint32"), 0);
      if (value !== undefined) this.metadata.set(key, value);
    }
    /** @type {Map<string, Tensor>} */
    this.tensors = new Map();
    for (let i = 0; i < tensors; i++) {
      const name = this.text();
      const rank = this.number("Uint32");
      if (rank > 8) throw new Unreadable(`not a whole GGUF file: ${name} has ${rank} axes`);
      const axes = Array.from({ length: rank }, () => this.length());
      const kind = KINDS[this.number("Uint32")];
      this.tensors.set(name, { count: axes.reduce((all, one) => all * one, 1), kind, place: Number(this.number("BigUint64")) });
    }
    const alignment = Number(this.metadata.get("general.alignment") ?? 32);
    if (!(Number.isInteger(alignment) && alignment > 0)) throw new Unreadable("general.alignment must be positive");
    const start = Math.ceil(this.at / alignment) * alignment;
    for (const tensor of this.tensors.values()) tensor.place += start;
  }

  /** @param {string} kind @returns {any} */
  number(kind) {
    const size = Number(/\d+$/.exec(kind)) / 8;
    this.skip(size);
    return /** @type {any} */ (this.view)[`get${kind}`](this.at - size, this.isLittle);
  }

  /** @param {number} size */
  skip(size) {
    this.at += size;
    if (this.at > this.view.byteLength) throw new RangeError();
  }

  length() {
    return Number(this.number(this.isWide ? "BigUint64" : "Uint32"));
  }

  text() {
    const size = this.length();
    this.skip(size);
    return new TextDecoder().decode(new Uint8Array(this.view.buffer, this.at - size, size));
  }

  /** A value; undefined in place of a list of texts or a long list, which are skipped. @param {number} kind @param {number} depth @returns {any} */
  value(kind, depth) {
    if (kind === TEXT) return this.text();
    if (kind === ARRAY && depth < 5) return this.list(depth);
    const name = NUMBERS[kind];
    if (!name) throw new Unreadable(`not a whole GGUF file: a value of the unknown type ${kind}`);
    if (name === "bool") return this.number("Uint8") !== 0;
    const value = this.number(name);
    return name.startsWith("Float") ? value : BigInt(value);
  }

  /** @param {number} depth */
  list(depth) {
    const kind = this.number("Uint32");
    const count = this.length();
    if (NUMBERS[kind] && count <= LONGEST) return Array.from({ length: count }, () => this.value(kind, depth));
    if (NUMBERS[kind]) this.skip(count * (Number(/\d+$/.exec(NUMBERS[kind])) || 8) / 8);
    else for (let i = 0; i < count; i++) kind === TEXT ? this.skip(this.length()) : this.value(kind, depth + 1);
  }
}
