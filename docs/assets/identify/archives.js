/**
 * Reads the arrays in archives of NumPy's `savez` and in safetensors files.
 * An array is unpacked only if it is small enough and the file holds as many bytes as it claims. Rules and messages
 * are those of `posenc/reading/_files.py` and `posenc/reading/_weights.py`.
 */

import { LARGEST, MOST_AXES, npy, numbers, tooLarge } from "./parse.js";

/** @import { Held } from "./parse.js" */
/** @typedef {{ name: string, held: Held }} Named an array and its name in the file */

/** Floats and integers of safetensors, as NumPy names them; BF16 is the upper half of a float32. @type {Record<string, string>} */
const KINDS = { __proto__: /** @type {any} */ (null), F64: "f8", F32: "f4", F16: "f2", BF16: "bf", I64: "i8", I32: "i4", I16: "i2", I8: "i1", U8: "u1" };

/** @typedef {{ name: string, method: number, sum: number, packed: number, size: number, offset: number }} Member of a zip archive */

/** @param {string} reason @returns {never} */
function noArchive(reason) {
  throw new Error(`not a whole .npz archive (${reason})`);
}

/** The members that the central directory of a zip archive lists. @param {DataView} view @returns {Member[]} */
function members(view) {
  let end = view.byteLength - 22; // a comment of up to 65,535 bytes may follow
  while (end >= 0 && end >= view.byteLength - 22 - 65_535 && view.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0 || view.getUint32(end, true) !== 0x06054b50) noArchive("its list of members is missing");
  const found = [];
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    if (at + 46 > end || view.getUint32(at, true) !== 0x02014b50) noArchive("its list of members is cut off");
    const [name, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    found.push({
      name: new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, Math.min(name, end - at - 46))),
      method: view.getUint16(at + 10, true),
      sum: view.getInt32(at + 16, true),
      packed: view.getUint32(at + 20, true),
      size: view.getUint32(at + 24, true),
      offset: view.getUint32(at + 42, true),
    });
    at += 46 + name + extra + comment;
  }
  return found;
}

/** The CRC-32 that a zip archive keeps of a member. @param {ArrayBuffer} buffer */
function checksum(buffer) {
  let sum = -1;
  for (const byte of new Uint8Array(buffer)) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  return ~sum;
}

/** The bytes of a member. @param {DataView} view @param {Member} member */
async function unpacked(view, { name, method, packed, size, offset }) {
  const isThere = offset + 30 <= view.byteLength && view.getUint32(offset, true) === 0x04034b50;
  const from = isThere ? offset + 30 + view.getUint16(offset + 26, true) + view.getUint16(offset + 28, true) : Infinity;
  if (from + packed > view.byteLength) noArchive(`${name} is cut off`);
  const bytes = /** @type {ArrayBuffer} */ (view.buffer).slice(from, from + packed);
  if (method === 0 && packed === size) return bytes;
  if (method !== 8) noArchive(`${name} is compressed by method ${method}`);
  const out = new Uint8Array(size);
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let held = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => noArchive(`${name} is damaged`));
    if (done) break;
    if (held + value.length > size) {
      reader.cancel().catch(() => {});
      noArchive(`${name} unpacks to more than the ${size.toLocaleString("en")} bytes that it names`);
    }
    out.set(value, held);
    held += value.length;
  }
  if (held < size) noArchive(`${name} is cut off`);
  return out.buffer;
}

/** The arrays in an archive of NumPy's `savez`. @param {ArrayBuffer} buffer @returns {Promise<Named[]>} */
export async function npz(buffer) {
  const view = new DataView(buffer);
  const listed = members(view);
  if (listed.some(({ name }) => name.endsWith("/data.pkl"))) throw new Error(PICKLE);
  const size = listed.reduce((sum, member) => sum + member.size, 0);
  if (size > LARGEST) tooLarge(size, "unpacked ");
  if (listed.reduce((sum, member) => sum + member.packed, 0) > buffer.byteLength) noArchive("its members overlap");
  /** @type {Named[]} */ const found = [];
  /** @type {unknown} */ let refused = new Error("table must have two axes, got no array");
  for (const member of listed) {
    const bytes = await unpacked(view, member);
    if (checksum(bytes) !== member.sum) noArchive(`${member.name} is damaged`);
    try {
      found.push({ name: member.name.replace(/\.npy$/, ""), held: npy(bytes) });
    } catch (error) { // an array of strings may stand beside a table
      refused = error;
    }
  }
  if (!found.length) throw refused;
  return found;
}

export const PICKLE = "a PyTorch file, which this page does not unpickle: give it to python -m posenc identify, or save its tensors with safetensors";

/** The arrays in a safetensors file. @param {ArrayBuffer} buffer @returns {Named[]} */
export function safetensors(buffer) {
  /** @param {string} reason @returns {never} */
  const refuse = (reason) => { throw new Error(`not a whole safetensors file (${reason})`); };
  const length = new DataView(buffer).getUint32(0, true);
  const begin = 8 + length;
  if (new DataView(buffer).getUint32(4, true) || begin > buffer.byteLength) refuse("its header is cut off");
  /** @type {Record<string, { dtype: string, shape: number[], data_offsets: number[] }>} */ let listed;
  try {
    listed = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)));
  } catch {
    refuse("its header is no JSON");
  }
  const all = Object.entries(listed).filter(([name]) => name !== "__metadata__");
  const read = all.filter(([, one]) => KINDS[one?.dtype]);
  if (all.length && !read.length) throw new Error(`holds no tensor of ${Object.keys(KINDS).join(", ")}, got ${all[0][0]} of ${String(all[0][1]?.dtype ?? "no dtype").slice(0, 20)}`);
  let used = 0;
  return read.flatMap(([name, { dtype, shape, data_offsets: offsets }]) => {
    const isList = [shape, offsets].every((list) => Array.isArray(list) && list.every((one) => Number.isSafeInteger(one) && one >= 0));
    if (!isList || offsets.length !== 2 || shape.length > MOST_AXES) refuse(`${name} needs two offsets, and a shape of at most ${MOST_AXES} axes`);
    const [from, to] = offsets;
    const kind = KINDS[dtype];
    const count = shape.reduce((product, axis) => product * axis, 1);
    if (to > buffer.byteLength - begin || to - from !== count * (kind === "bf" ? 2 : Number(kind.slice(1)))) refuse(`${name} does not have the bytes of its shape`);
    if ((used += to - from) > buffer.byteLength) refuse("its tensors overlap");
    const bits = 8 * Number(kind.slice(1));
    const type = kind === "bf" ? "bfloat16" : `${{ f: "float", i: "int", u: "uint" }[kind[0]]}${bits}`;
    try {
      const values = kind === "bf" ? widened(new DataView(buffer, begin + from, to - from)) : numbers(buffer, kind, begin + from, count);
      return [{ name, held: { shape, dtype: type, values } }];
    } catch { // integers beyond 2**53 are no table
      return [];
    }
  });
}

/** Floats of which `view` holds the upper halves. @param {DataView} view */
function widened(view) {
  const bits = Uint32Array.from({ length: view.byteLength / 2 }, (_, k) => view.getUint16(2 * k, true) << 16);
  return new Float32Array(bits.buffer);
}
