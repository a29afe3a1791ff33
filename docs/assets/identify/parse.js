/**
 * Reads tables from files and from pasted text, and explains what is wrong with them.
 *
 * Rules and messages are those of `posenc/_files.py` and `posenc.identify`.
 */

/** @typedef {import("./rows.js").Values} Values */
/** @typedef {{ values: Values, width: number, length: number, dtype: string }} Table */
/** @typedef {{ shape: number[], dtype: string, values: Values }} Held an array of any number of axes */

export const LARGEST = 50e6; // bytes; a page can hold several copies of that

/** NumPy's dtypes, by the names of DataView. @type {Record<string, string>} */
const DTYPES = {
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

/**
 * A function that reads the number at a byte; not every browser has `getFloat16`.
 * @param {DataView} view
 * @param {string} name one of DTYPES
 * @param {boolean} little
 * @returns {(at: number) => number}
 */
function numberReader(view, name, little) {
  if (name === "Float16") return (at) => half(view.getUint16(at, little));
  /** @type {(at: number, little: boolean) => any} */
  const read = /** @type {any} */ (view)[`get${name}`].bind(view);
  return name.startsWith("Big") ? (at) => exact(read(at, little)) : (at) => read(at, little);
}

/** A shape as Python writes it. @param {number[]} shape */
const written = (shape) => `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;

/** @param {number} count */
const grouped = (count) => count.toLocaleString("en");

/**
 * The table in a file; throws an error with a message of one line if there is none.
 * @param {Blob} file
 * @returns {Promise<Table>}
 */
export async function fromFile(file) {
  if (!file.size) throw new Error("the file is empty");
  if (file.size > LARGEST) tooLarge(file.size);
  const buffer = await file.arrayBuffer();
  const start = String.fromCharCode(...new Uint8Array(buffer, 0, Math.min(10, buffer.byteLength)));
  if (start.startsWith("\x93NUMPY")) return table(npy(buffer));
  if (start.startsWith("PK") || start.slice(8) === '{"') {
    throw new Error("this page reads one table: save it alone, np.save(\"pe.npy\", table), or give the whole file to python -m posenc identify");
  }
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(buffer);
  } catch {
    throw new Error("neither in NumPy's format nor text");
  }
  return fromText(text);
}

/** @param {number} size @returns {never} */
function tooLarge(size) {
  throw new Error(`larger than ${LARGEST / 1e6} MB, the most that this page takes: got ${grouped(Math.ceil(size / 1e6))} MB`);
}

/**
 * The array in a file of NumPy's `np.save`, formats 1.0 to 3.0.
 * @param {ArrayBuffer} buffer
 * @returns {Held}
 */
function npy(buffer) {
  const view = new DataView(buffer);
  const isFirst = buffer.byteLength > 12 && view.getUint8(6) === 1;
  const start = isFirst ? 10 : 12;
  const begin = buffer.byteLength > 12 ? start + (isFirst ? view.getUint16(8, true) : view.getUint32(8, true)) : Infinity;
  const header = begin <= buffer.byteLength ? new TextDecoder().decode(new Uint8Array(buffer, start, begin - start)) : "";
  const [order, listed] = [/'fortran_order': *(True|False)/.exec(header), /'shape': *\(([\d, ]*)\)/.exec(header)];
  if (!order || !listed || view.getUint8(6) > 3) throw new Error("not in NumPy's format, or cut off in its header");
  const shape = (listed[1].match(/\d+/g) ?? []).map(Number);
  const [, byteOrder, kind] = /'descr': *'([<>|=]?)([^']+)'/.exec(header) ?? ["", "", "several fields"];
  if (kind.startsWith("O")) throw new Error("holds Python objects, not numbers");
  const name = DTYPES[kind];
  if (!name) {
    const hint = kind === "V2" ? ": bfloat16 has to be saved as float32" : "";
    throw new Error(`table must hold real numbers that float64 can hold, got dtype ${kind}${hint}`);
  }
  const size = Number(kind.slice(1));
  const count = shape.reduce((product, axis) => product * axis, 1);
  const [held, needed] = [buffer.byteLength - begin, count * size];
  if (held < needed) throw new Error(`truncated: holds ${grouped(held)} of ${grouped(needed)} bytes`);
  const values = new (/Float(16|32)/.test(name) ? Float32Array : Float64Array)(count);
  const read = numberReader(view, name, byteOrder !== ">");
  const steps = strides(shape, order[1] === "True");
  const index = shape.map(() => 0);
  for (let k = 0, at = 0; k < count; k++) {
    values[k] = read(begin + at * size);
    for (let axis = shape.length - 1; axis >= 0; axis--) { // go on to the next value, row by row
      at += steps[axis];
      if (++index[axis] < shape[axis]) break;
      at -= steps[axis] * shape[axis];
      index[axis] = 0;
    }
  }
  return { shape, dtype: name.replace("Big", "").toLowerCase(), values };
}

/** Distance in the file between neighbours along each axis. @param {number[]} shape @param {boolean} isFortran */
function strides(shape, isFortran) {
  const before = shape.map((_, axis) => (isFortran ? shape.slice(0, axis) : shape.slice(axis + 1)));
  return before.map((axes) => axes.reduce((product, axis) => product * axis, 1));
}

/**
 * The table in a text: CSV or the output of Python's print, with spaces, tabs, commas or semicolons between numbers.
 * @param {string} text
 * @returns {Table}
 */
export function fromText(text) {
  if (text.length > LARGEST) tooLarge(text.length);
  const clean = text.replace(/^\ufeff/, "").trim();
  if (!clean) throw new Error("not a table of numbers (there is no text)");
  if (/\.\.\.|…/.test(clean)) {
    throw new Error("not a whole table (“...” stands for values left out): np.set_printoptions(threshold=np.inf) prints all, np.save(\"pe.npy\", table) is shorter");
  }
  return table(clean.includes("[") ? nested(clean) : lines(clean));
}

/** @param {string} reason @returns {never} */
function noTable(reason) {
  throw new Error(`not a table of numbers (${reason})`);
}

/** @param {string} cell @param {number} row @param {number} column */
function number(cell, row, column) {
  const isPlain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(cell);
  if (isPlain) return Number(cell);
  const special = /^([+-]?)(nan|inf|infinity)$/i.exec(cell);
  if (special) return special[2].toLowerCase() === "nan" ? NaN : Number(`${special[1]}Infinity`);
  return noTable(`could not convert string '${cell.length > 24 ? `${cell.slice(0, 24)}…` : cell}' to float64 at row ${row}, column ${column}.`);
}

/**
 * Each line is a row; the first may hold names.
 * @param {string} text
 * @returns {Held}
 */
function lines(text) {
  const first = text.slice(0, (`${text}\n`).indexOf("\n"));
  const mark = [";", ",", "\t"].find((sign) => first.includes(sign)) ?? " ";
  const rows = text.split(/\r?\n|\r/).filter((line) => line.trim()).map((line) => {
    const cells = mark === " " ? line.trim().split(/\s+/) : line.trim().split(mark).map((cell) => cell.trim());
    return mark === ";" ? cells.map((cell) => cell.replace(",", ".")) : cells;
  });
  const isNamed = rows[0].some((cell) => !/^[+-]?(\.?\d|nan$|inf)/i.test(cell));
  if (isNamed) rows.shift();
  if (!rows.length) noTable("there is a line of names alone");
  const width = rows[0].length;
  const skipped = Number(isNamed && rows.length > 2 && rows.every((cells, row) => Number(cells[0]) === row)); // pandas writes an index
  const values = new Float64Array(rows.length * (width - skipped));
  let at = 0;
  rows.forEach((cells, row) => {
    if (cells.length !== width) noTable(`the number of columns changed from ${width} to ${cells.length} at row ${row + 1}`);
    for (let column = skipped; column < width; column++) values[at++] = number(cells[column], row, column + 1);
  });
  return { shape: [rows.length, width - skipped], dtype: "text", values };
}

/**
 * Rows in brackets, as Python prints arrays, tensors and lists.
 * @param {string} text
 * @returns {Held}
 */
function nested(text) {
  const body = text.slice(text.indexOf("["), text.lastIndexOf("]") + 1);
  /** @type {number[][]} */
  const [values, shape, counts] = [[], [], []]; // counts: items so far in each open bracket
  for (const token of body.match(/[[\]]|[^\s,;[\]]+/g) ?? []) {
    if (token === "[") {
      if (counts.length) counts[counts.length - 1]++;
      counts.push(0);
    } else if (token === "]") {
      const [count, axis] = [counts.pop() ?? 0, counts.length];
      shape[axis] ??= count;
      if (shape[axis] !== count) {
        const place = Math.floor(values.length / (shape[axis] || 1)) + 1;
        noTable(`the number of columns changed from ${shape[axis]} to ${count} at row ${place}`);
      }
    } else {
      counts[counts.length - 1]++;
      values.push(number(token, Math.floor(values.length / (shape[shape.length - 1] || Infinity)), counts[counts.length - 1]));
    }
  }
  if (counts.length || values.length !== shape.reduce((product, axis) => product * axis, 1)) noTable("the brackets do not match");
  return { shape, dtype: "text", values: Float64Array.from(values) };
}

/** The array as a table of finite numbers. @param {Held} held @returns {Table} */
function table({ shape, dtype, values }) {
  const axes = shape.length > 2 ? shape.filter((axis) => axis !== 1) : shape; // such as (1, length, d_model)
  if (axes.length !== 2) throw new Error(`a table must have two axes, got shape ${written(shape)}`);
  const [length, width] = axes;
  if (length < 1 || width < 2) throw new Error(`table must have two axes, at least one row and two columns, got shape ${written(axes)}`);
  const worst = values.find((value) => !Number.isFinite(value));
  if (worst !== undefined) throw new Error(`table must be finite, got ${String(worst).replace("Infinity", "inf").toLowerCase()}`);
  return { values, width, length, dtype };
}
