/**
 * Reads tables in NumPy's format and from text, and explains what is wrong with them.
 * Rules and messages are those of `posenc/reading/_files.py` and `posenc/reading/_texts.py`.
 */

/** @import { Values } from "./rows.js" */
/** @typedef {{ shape: number[], dtype: string, values: Values, sines?: Values }} Held an array of any number of axes; `sines` are imaginary parts */

export const LARGEST = 50e6; // bytes; a page can hold several copies of that

export const MOST_AXES = 64; // of an array of NumPy

/** NumPy's dtypes, by the names of DataView. @type {Record<string, string>} */
const DTYPES = {
  __proto__: /** @type {any} */ (null), // so that "constructor" is none
  f2: "Float16", f4: "Float32", f8: "Float64",
  i1: "Int8", i2: "Int16", i4: "Int32", i8: "BigInt64",
  u1: "Uint8", u2: "Uint16", u4: "Uint32", u8: "BigUint64",
};

/** The float16 of these bits. @param {number} bits */
function half(bits) {
  const [sign, exponent, part] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return part ? NaN : sign * Infinity;
  return sign * (exponent ? (1 + part / 1024) * 2 ** (exponent - 15) : part * 2 ** -24);
}

/** @param {bigint} integer */
function exact(integer) {
  if (integer > 2n ** 53n || integer < -(2n ** 53n)) throw new Error(`table given as integers must lie within ±2**53, got ${integer}`);
  return Number(integer);
}

/** A function that reads the number at a byte; not every browser has `getFloat16`. @param {DataView} view @param {string} name one of DTYPES @param {boolean} little @returns {(at: number) => number} */
function numberReader(view, name, little) {
  if (name === "Float16") return (at) => half(view.getUint16(at, little));
  /** @type {(at: number, little: boolean) => any} */ const read = /** @type {any} */ (view)[`get${name}`].bind(view);
  return name.startsWith("Big") ? (at) => exact(read(at, little)) : (at) => read(at, little);
}

/** @param {number} count */
const grouped = (count) => count.toLocaleString("en");

/** @param {number} size @param {string} [how] @returns {never} */
export function tooLarge(size, how = "") {
  throw new Error(`${how}larger than ${LARGEST / 1e6} MB, the most that this page takes: got ${grouped(Math.ceil(size / 1e6))} MB`);
}

/** The array in a file of NumPy's `np.save`, formats 1.0 to 3.0. @param {ArrayBuffer} buffer @returns {Held} */
export function npy(buffer) {
  const view = new DataView(buffer);
  const isFirst = buffer.byteLength > 12 && view.getUint8(6) === 1;
  const start = isFirst ? 10 : 12;
  const begin = buffer.byteLength > 12 ? start + (isFirst ? view.getUint16(8, true) : view.getUint32(8, true)) : Infinity;
  const header = begin <= buffer.byteLength ? new TextDecoder().decode(new Uint8Array(buffer, start, begin - start)) : "";
  const [order, listed] = [/'fortran_order': *(True|False)/.exec(header), /'shape': *\(([\d, ]*)\)/.exec(header)];
  const shape = (listed?.[1].match(/\d+/g) ?? []).map(Number);
  if (!order || !listed || view.getUint8(6) > 3 || shape.length > MOST_AXES) throw new Error("not in NumPy's format, or cut off in its header");
  const [, byteOrder, kind] = /'descr': *'([<>|=]?)([^']+)'/.exec(header) ?? ["", "", "several fields"];
  if (kind.startsWith("O")) throw new Error("holds Python objects, not numbers");
  const isComplex = kind === "c8" || kind === "c16";
  const name = DTYPES[isComplex ? `f${Number(kind.slice(1)) / 2}` : kind];
  if (!name) {
    const hint = kind === "V2" ? ": bfloat16 has to be saved as float32" : "";
    throw new Error(`table must hold real numbers that float64 can hold, got dtype ${kind}${hint}`);
  }
  const size = Number(kind.slice(1));
  const count = shape.reduce((product, axis) => product * axis, 1);
  const [held, needed] = [buffer.byteLength - begin, count * size];
  if (held < needed) throw new Error(`truncated: holds ${grouped(held)} of ${grouped(needed)} bytes`);
  const kept = /Float(16|32)/.test(name) ? Float32Array : Float64Array;
  const [values, sines] = [new kept(count), isComplex ? new kept(count) : null];
  const read = numberReader(view, name, byteOrder !== ">");
  const steps = strides(shape, order[1] === "True");
  const index = shape.map(() => 0);
  for (let k = 0, at = 0; k < count; k++) {
    values[k] = read(begin + at * size);
    if (sines) sines[k] = read(begin + at * size + size / 2);
    for (let axis = shape.length - 1; axis >= 0; axis--) { // go on to the next value, row by row
      at += steps[axis];
      if (++index[axis] < shape[axis]) break;
      at -= steps[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  const dtype = isComplex ? `complex${size * 8}` : name.replace("Big", "").toLowerCase();
  return { shape, dtype, values, ...(sines && { sines }) };
}

/** Numbers that stand one after another. @param {ArrayBuffer} buffer @param {string} kind one of the names in DTYPES @param {number} from the first byte @param {number} count @returns {Values} */
export function numbers(buffer, kind, from, count) {
  const read = numberReader(new DataView(buffer), DTYPES[kind], true);
  const size = Number(kind.slice(1));
  const values = new (/f[24]/.test(kind) ? Float32Array : Float64Array)(count);
  for (let k = 0; k < count; k++) values[k] = read(from + k * size);
  return values;
}

/** Distance in the file between neighbours along each axis. @param {number[]} shape @param {boolean} isFortran */
function strides(shape, isFortran) {
  const before = shape.map((_, axis) => (isFortran ? shape.slice(0, axis) : shape.slice(axis + 1)));
  return before.map((axes) => axes.reduce((product, axis) => product * axis, 1));
}

/** The table in a text: CSV or the output of Python's print, with spaces, tabs, commas or semicolons between numbers. @param {string} text @returns {Held} */
export function fromText(text) {
  if (text.length > LARGEST) tooLarge(text.length);
  const clean = text.replace(/^\ufeff/, "").trim();
  if (!clean) throw new Error("not a table of numbers (there is no text)");
  if (/\.\.\.|…/.test(clean)) {
    const all = /\btensor\(/.test(clean) ? "torch.set_printoptions(threshold=math.inf)" : "np.set_printoptions(threshold=np.inf)";
    throw new Error(`not a whole table (“...” stands for values left out): ${all} prints all, np.save("pe.npy", table) is shorter`);
  }
  return clean.includes("[") ? nested(clean) : lines(clean);
}

/** @param {string} reason @returns {never} */
function noTable(reason) {
  throw new Error(`not a table of numbers (${reason})`);
}

/** @param {string} cell @param {number} place the line or row, for a message */
function number(cell, place) {
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(cell);
  if (special) return special[2].toLowerCase() === "nan" ? NaN : Number(`${special[1]}Infinity`);
  return isNumber(cell) ? Number(cell) : noTable(`row ${place} holds '${cell.length > 24 ? `${cell.slice(0, 24)}…` : cell}', which is no number`);
}

/** @param {string} cell */
const isNumber = (cell) => /^[+-]?((\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?|nan|inf|infinity)$/i.test(cell);

/** Whether the cells name columns, or count them as pandas does; the first may be the index's. @param {string[]} cells */
function areNames(cells) {
  const corner = Number(!isNumber(cells[0]));
  const others = cells.slice(corner);
  if (!others.some(isNumber)) return corner > 0;
  return others.length > 2 - corner && others.every((cell, i) => cell === String(i));
}

/** Each line is a row; the first may hold names. As in `posenc/reading/_texts.py`. @param {string} text @returns {Held} */
function lines(text) {
  const kept = text.split(/\r?\n|\r/).map((line, place) => ({ place: place + 1, content: line.replace(/#.*/, "").trim() }))
    .filter(({ content }) => content);
  if (!kept.length) noTable("there is no text");
  const told = kept[Math.min(1, kept.length - 1)].content;
  const mark = [";", ",", "\t"].find((sign) => told.includes(sign)) ?? /\s+/;
  const rows = kept.map(({ place, content }) => ({
    place, cells: content.split(mark).map((cell) => (mark === ";" ? cell.trim().replace(",", ".") : cell.trim())),
  }));
  const isNamed = areNames(rows[0].cells);
  if (isNamed) rows.shift();
  if (!rows.length) noTable("there are only names");
  const { place: first, cells: { length: width } } = rows[0];
  const skipped = Number(isNamed && rows.length > 2 && [0, 1].some((from) => rows.every(({ cells }, row) => Number(cells[0]) === from + row))); // pandas writes an index
  const values = new Float64Array(rows.length * (width - skipped));
  let at = 0;
  for (const { place, cells } of rows) {
    const wrong = cells.find((cell) => !isNumber(cell));
    if (wrong !== undefined) noTable(`line ${place} holds '${wrong.length > 24 ? `${wrong.slice(0, 24)}…` : wrong}', which is no number`);
    if (cells.length !== width) {
      const count = cells.length === 1 ? "1 value" : `${cells.length} values`;
      const cut = place === rows[rows.length - 1].place && cells.length < width ? ": the file is cut off" : "";
      noTable(`line ${place} has ${count}, line ${first} has ${width}${cut}`);
    }
    for (const cell of cells.slice(skipped)) values[at++] = number(cell, place);
  }
  return { shape: [rows.length, width - skipped], dtype: "text", values };
}

/** Rows in brackets, as Python prints arrays, tensors and lists. @param {string} text @returns {Held} */
function nested(text) {
  const body = text.slice(text.indexOf("["), text.lastIndexOf("]") + 1);
  /** @type {number[][]} */ const [values, shape, counts] = [[], [], []]; // counts: items so far in each open bracket
  for (const token of body.match(/[[\]]|[^\s,;[\]]+/g) ?? []) {
    if (token === "[") {
      if (counts.length) counts[counts.length - 1]++;
      if (counts.push(0) > MOST_AXES) noTable(`more than ${MOST_AXES} brackets inside each other`);
    } else if (token === "]") {
      const [count, axis] = [counts.pop() ?? 0, counts.length];
      shape[axis] ??= count;
      if (shape[axis] !== count) {
        const place = Math.floor(values.length / (shape[axis] || 1)) + 1;
        noTable(`the number of columns changed from ${shape[axis]} to ${count} at row ${place}`);
      }
    } else {
      counts[counts.length - 1]++;
      values.push(number(token, Math.floor(values.length / (shape[shape.length - 1] || Infinity))));
    }
  }
  if (counts.length || values.length !== shape.reduce((product, axis) => product * axis, 1)) noTable("the brackets do not match");
  return { shape, dtype: "text", values: Float64Array.from(values) };
}
