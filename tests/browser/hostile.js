/**
 * Hostile files, texts and states, each from a seed and its number, so that one command repeats it.
 * @module hostile
 */

/** @typedef {{ name: string, bytes: Uint8Array<ArrayBuffer> }} Made a file, or a text in UTF-8 */

const HTML = ["<img src=x onerror=window.executed=1>", "<script>window.executed=1</script>", "\"><svg onload=executed=1>", "</textarea><b>b", "javascript:executed=1"];
const NAMES = [...HTML, "pe", "cos", "sin", "__proto__", "constructor", "toString", "a\nb", "\x1b[31m", "\u202egnp", "é", "", "\0", "x".repeat(3000), "__metadata__"];
const SIZES = [0, 1, 2, 3, 4, 6, 8, 64, -1, 2 ** 31, 2 ** 40, 2 ** 53, 1e30, 1.5];

/** Choices that depend on nothing but the seed and the number (mulberry32). @param {number} seed @param {number} number */
function chooser(seed, number) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (/** @type {number} */ most) => Math.floor(next() * most);
  return {
    below,
    /** @template T @param {T[]} list */
    pick: (list) => list[below(list.length)],
    /** Whether something of this chance happens. @param {number} chance */
    is: (chance) => next() < chance,
    /** @template T @param {number} most @param {() => T} make @returns {T[]} */
    some: (most, make) => Array.from({ length: below(most + 1) }, make),
  };
}

/** @typedef {ReturnType<typeof chooser>} Chooser */

const encode = (/** @type {string} */ text) => new TextEncoder().encode(text);

/** @param {(Uint8Array | number[])[]} parts */
const joined = (parts) => Uint8Array.from(parts.flatMap((part) => [...part]));

/** @param {number} size @param {number | bigint} value */
function little(size, value) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt.asUintN(64, BigInt(Math.floor(Number(value)))), true);
  return new Uint8Array(view.buffer, 0, size);
}

/** Six rows of the paper's table, with a number in it that does not fit. @param {Chooser} choose */
function table(choose) {
  const values = Float64Array.from({ length: 24 }, (_, at) => {
    const angle = Math.floor(at / 4) * 100 ** -Math.floor((at % 4) / 2);
    return at % 2 ? Math.cos(angle) : Math.sin(angle);
  });
  if (choose.is(0.3)) values[choose.below(24)] = choose.pick([NaN, Infinity, 1e308, -1e200, 5e-324, 0, 3]);
  return new Uint8Array(values.buffer);
}

/** @param {Chooser} choose @param {number[]} usual */
const shape = (choose, usual) => choose.pick([usual, usual, choose.some(5, () => choose.pick(SIZES)), Array(choose.pick([65, 30_000])).fill(1)]);

/** A file of NumPy. @param {Chooser} choose */
function npy(choose) {
  const isPlain = choose.is(0.6);
  const kinds = isPlain ? ["<f8"] : ["<f8", "<f4", ">f8", "<f2", "<i8", "<u8", "|b1", "|O", "<c16", "<c8", "|V2", "<U3", "constructor", "toString", "__proto__", "f8 or more", HTML[0]];
  const axes = (isPlain ? [6, 4] : shape(choose, [6, 4])).map(String).join(", ");
  const order = isPlain ? "False" : choose.pick(["False", "True", "None"]);
  const text = `{'descr': '${choose.pick(kinds)}', 'fortran_order': ${order}, 'shape': (${axes}${isPlain ? ")" : choose.pick([")", ",)", "", ") "])}, }${choose.pick(["\n", "", "'".repeat(400)])}`;
  const version = isPlain ? 1 : choose.pick([1, 2, 3, 4, 255]);
  const length = Math.max(0, text.length + (isPlain ? 0 : choose.pick([0, 0, 0, 1, -9, 1e6])));
  return joined([[0x93, ...encode("NUMPY"), version, 0], little(version === 1 ? 2 : 4, length), encode(text), table(choose)]);
}

/** @param {Uint8Array} bytes */
function checksum(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 && 0xedb88320);
  }
  return ~sum;
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
const deflated = async (bytes) => new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());

/** A zip archive; its members may overlap, claim other sizes, or be compressed in an unknown way. @param {Chooser} choose */
async function zip(choose) {
  const [members, list] = [/** @type {Uint8Array[]} */ ([]), /** @type {Uint8Array[]} */ ([])];
  let at = 0;
  let [from, many] = [0, choose.pick([1, 1, 2, 3])];
  for (let left = many; left > 0; left--) {
    const [plain, isPacked] = [choose.is(0.1) ? new Uint8Array(choose.pick([0, 3e5])) : npy(choose), choose.is(0.5)];
    const bytes = isPacked ? await deflated(plain) : plain;
    const size = plain.length + (choose.is(0.8) ? 0 : choose.pick([1, -1, 4e7, 5e9]));
    const name = encode(choose.pick(NAMES) + choose.pick([".npy", ".npy", "", "/data.pkl"]));
    const about = joined([little(2, choose.is(0.05) ? 12 : isPacked ? 8 : 0), little(4, 0), little(4, checksum(plain) + Number(choose.is(0.1))), little(4, bytes.length), little(4, size), little(2, name.length), little(2, 0)]);
    const member = joined([[0x50, 0x4b, 3, 4, 20, 0, 0, 0], about, name, bytes]);
    if (choose.is(0.9)) from = at; // else the member lies over the one before
    members.push(member);
    for (let copy = choose.is(0.03) ? 3000 : 1; copy > 0; copy--) {
      list.push(joined([[0x50, 0x4b, 1, 2, 20, 0, 20, 0, 0, 0], about, little(6, 0), little(4, 0), little(4, from + choose.pick([0, 0, 0, 0, 5])), name]));
      many += copy > 1 ? 1 : 0;
    }
    at += member.length;
  }
  const listed = joined(list);
  return joined([...members, listed, [0x50, 0x4b, 5, 6, 0, 0, 0, 0], little(2, many), little(2, many), little(4, listed.length), little(4, at), little(2, 0)]);
}

/** A file of safetensors. @param {Chooser} choose */
function safetensors(choose) {
  const entry = () => choose.pick([...Array(9).fill({ dtype: "F64", shape: [6, 4], data_offsets: [0, 192] }), null, 1, "x", [], {}, { dtype: "F64", shape: [6, 4] }, ...Array(9).fill({
    dtype: choose.pick(["F64", "F64", "F32", "BF16", "F16", "I64", "U8", "F8_E4M3", "constructor", "toString", "__proto__", 3, null, ["F64"], HTML[1]]),
    shape: choose.pick([shape(choose, [6, 4]), [6, 4], [3, 8], [192], null, "64", [[6], 4], ["6", 4]]),
    data_offsets: choose.pick([[0, 192], [0, 192], [0, 96], [0, 48], [192, 0], [0, 2 ** 53], [-8, 184], [8, 200], null, [0], "ab", [0, 192, 1]]),
  })]);
  const entries = choose.some(3, () => [choose.pick(NAMES), entry()]);
  const many = choose.is(0.02) ? Array.from({ length: 4000 }, (_, at) => [`${at}`, entry()]) : [];
  const text = choose.pick([JSON.stringify(Object.fromEntries([...entries, ...many])), `{"__proto__": ${JSON.stringify(entry())}}`, "{\"a\":".repeat(20_000), "{\"a\": 1"]);
  return joined([little(8, text.length + choose.pick([0, 0, 0, 0, 0, 1, -2, 2 ** 40])), encode(text), table(choose)]);
}

/** A table as text. @param {Chooser} choose */
function text(choose) {
  const cells = ["1", "-0.5", "1e999", "nan", "1_0", "0x1", "1j", "", "a", "\0", "\"1\n2\"", "1.2.3", "#", "...", "…", "[", "]", ...HTML, `${"1".repeat(60_000)}x`, "\u2028", "array(", "tensor([", "1e"];
  const cell = () => (choose.is(0.7) ? String(choose.below(100) / 50 - 1) : choose.pick(cells));
  const [mark, end] = [choose.pick([",", ";", "\t", " ", ", "]), choose.pick(["\n", "\n", "\r\n", "\r", "],["])];
  const width = choose.pick([1, 2, 4, 4, 8]);
  const rows = choose.some(8, () => Array.from({ length: choose.is(0.9) ? width : width + 1 }, cell).join(mark)).join(end);
  const deep = choose.pick([1, 2, 3, 65, 30_000]);
  return choose.pick([rows, rows, rows, `[[${rows}]]`, `${"[".repeat(deep)}1 2${"]".repeat(deep)}`, "[".repeat(deep), "]".repeat(deep), `1,${"1,".repeat(30_000)}2`]);
}

/** @param {Chooser} choose @param {Uint8Array<ArrayBuffer>} bytes with some of them replaced, cut off or put twice */
function mutated(choose, bytes) {
  if (choose.is(0.7) || !bytes.length) return bytes;
  const at = choose.below(bytes.length);
  const [before, after] = [bytes.slice(0, at), bytes.slice(at)];
  const noise = Uint8Array.from(choose.some(5, () => choose.below(256)));
  return choose.pick([() => joined([before, noise, after.slice(noise.length)]), () => before, () => joined([before, after.slice(0, 50), after])])();
}

/** A file for "Which encoding is this?" @param {number} seed @param {number} number @returns {Promise<Made>} */
async function file(seed, number) {
  const choose = chooser(seed, number);
  const pickle = [0x80, 2, ...encode("cposix\nsystem\nX\x03\0\0\0ls qR.")];
  const kind = choose.pick(["npy", "npy", "npz", "npz", "safetensors", "safetensors", "csv", "csv", "pt", "bin"]);
  const made = { npy: () => npy(choose), npz: () => zip(choose), safetensors: () => safetensors(choose), csv: () => encode(text(choose)), pt: () => Uint8Array.from(pickle), bin: () => Uint8Array.from(choose.some(60, () => choose.below(256))) };
  const bytes = mutated(choose, await made[/** @type {"npy"} */ (kind)]());
  return { name: `${choose.pick(NAMES)}.${kind}`, bytes };
}

const KEYS = ["model_type", "rope_theta", "rope_parameters", "rope_scaling", "partial_rotary_factor", "rotary_dim", "qk_rope_head_dim", "head_dim", "hidden_size", "num_attention_heads", "max_position_embeddings", "rope_interleave", "layer_types", "local_rope_theta", "compress_rope_theta", "per_layer_config", "text_config", "attn_config", "factor", "rope_type", "type", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings", "short_factor", "long_factor", "mscale", "mscale_all_dim", "beta_fast", "beta_slow", "truncate", "attention_factor", "alpha", "rope_ratio", "rotary_scaling_factor", "use_dynamic_ntk", "seq_length", "rope_position_scale", "global_head_dim", "position_embedding_type", "alibi", "partial_rotary_factors", "full_attention", "0", "__proto__", "constructor", "toString", ...HTML];
const TYPES = ["yarn", "linear", "dynamic", "llama3", "longrope", "su", "proportional", "ntk", "default", "mrope", "toString"];
const MODELS = ["llama", "deepseek_v3", "gemma3", "olmo3", "baichuan", "chatglm", "phi3", "kimi_linear", "step3p5", "constructor", "__proto__", ...HTML];

/** A JSON value. @param {Chooser} choose @param {number} [level] @returns {string} */
function json(choose, level = 0) {
  const inner = () => json(choose, level + 1);
  const kinds = [
    () => choose.pick(["0", "1", "2", "4", "64", "128", "4096", "-1", "131072", "1048578", "9".repeat(400), "9".repeat(5000), "1e999", "-1e400", "0.5", "1.0", "1e308", "5e-324", "10000.0", "NaN", "-Infinity", "-0", "1E5", "01", "1.", "+1"]),
    () => choose.pick(["null", "true", "false", "None", "True", "undefined", "\"", "'a'"]),
    () => JSON.stringify(choose.pick([...TYPES, ...MODELS, ...NAMES])),
    () => `[${choose.pick([choose.some(4, inner), Array(choose.pick([2, 32, 64])).fill("1.0"), ["\"full_attention\"", "\"sliding_attention\""]]).join(",")}]`,
    () => object(choose, level + 1),
  ];
  return (level > 3 ? kinds[choose.below(3)] : choose.pick(kinds))();
}

/** @param {Chooser} choose @param {number} level @param {string[]} [given] @returns {string} */
function object(choose, level, given = []) {
  const entries = choose.some(level ? 4 : choose.pick([1, 2, 6]), () => {
    const key = choose.pick(KEYS);
    const value = /^(rope_)?type$/.test(key) && choose.is(0.8) ? JSON.stringify(choose.pick(TYPES)) : key === "model_type" && choose.is(0.8) ? JSON.stringify(choose.pick(MODELS)) : json(choose, level);
    return `${JSON.stringify(key)}: ${value}`;
  });
  return `{${[...given, ...entries].join(choose.pick([", ", ",\n", ", ", ", ", ", "]))}}`;
}

/** A config. @param {number} seed @param {number} number @returns {Made} */
function config(seed, number) {
  const choose = chooser(seed, number);
  const usual = choose.is(0.7) ? ["\"head_dim\": 64", "\"rope_theta\": 10000.0", "\"max_position_embeddings\": 4096"] : [];
  if (choose.is(0.5)) usual.push(`"rope_scaling": {"rope_type": "${choose.pick(TYPES)}", "factor": ${json(choose, 4)}, ${object(choose, 3).slice(1)}`.replace(/, \}$/, "}"));
  const whole = object(choose, 0, usual);
  const deep = choose.pick([50, 199, 300, 100_000]);
  const given = choose.pick([...Array(20).fill(whole), json(choose), `LlamaConfig ${whole}`, "[".repeat(deep), `${"{\"text_config\":".repeat(deep)}${whole}${"}".repeat(deep)}`, `{"a": "${"\\u00".repeat(choose.pick([1, 9000]))}`, `{"head_dim": ${"1".repeat(60_000)}x}`]);
  return { name: `${choose.pick(NAMES)}.json`, bytes: mutated(choose, encode(given)) };
}

/** The query of an address with a state, and what a reader may type. @param {number} seed @param {number} number @returns {Made} */
function query(seed, number) {
  const choose = chooser(seed, number);
  const names = ["base", "d_model", "length", "position", "offset", "model", "scaling", "off", "seed", "text", "example", "q", "h", "__proto__", "constructor"];
  const values = [...NAMES, "0", "1", "-1", "50", "128", "1e999", "1e-9", "NaN", "0x10", "1".repeat(60_000), `${"1".repeat(60_000)}x`, "rope", "t5", "ntk", "abcp", "zzz", "Llama 3.1 8B", "İ", "%", "%ff", "+", "a".repeat(500), "sin cos", "*:^~", "a*", "+a -b ~2"];
  const pairs = choose.some(5, () => `${choose.pick(names)}=${choose.is(0.8) ? encodeURIComponent(choose.pick(values)) : choose.pick(["%", "%E0%A4", "<b>", "&&=", "="])}`);
  return { name: choose.pick(["", "#", "#__proto__", "#%", "#<img src=x onerror=window.executed=1>", "#if-nothing-fits"]), bytes: encode(pairs.join("&")) };
}

const KINDS = { file, config, query };

/** @param {string} kind @param {number} seed @param {number} number @returns {Promise<Made>} */
const make = async (kind, seed, number) => KINDS[/** @type {"file"} */ (kind)](seed, number);

/** A case in base64, to be saved. @param {{ kind: string, seed: number, number: number }} given */
export async function content({ kind, seed, number }) {
  const { name, bytes } = await make(kind, seed, number);
  return [name, btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))];
}

const SLOW = 30_000; // ms, which a busy machine does not explain
// What engines say of a program's own mistakes; a reader should get the rule and the value instead.
const ENGINE = /is not (a function|iterable|defined)|Cannot (read|set|convert|mix|access)|undefined|\[object|Maximum call|Invalid (array|typed|string)|out of (bounds|memory)|offset (\d+ )?(is|of)|could not be loaded|allocation|BigInt/i;

/** The fault of an answer: a message of the engine, no message, or an element made from a file's texts. @param {Element} shown @param {string} said */
function fault(shown, said) {
  const executed = /** @type {any} */ (window).executed;
  if (executed) return "a script ran";
  if (shown.querySelector("img, script, b, [onload], [onerror]")) return `an element of the file is on the page: ${shown.innerHTML.slice(0, 200)}`;
  if (!said.trim()) return "no message";
  return ENGINE.test(said.replace(/(“|').*?(”|')/g, "")) ? `the engine's words: ${said.slice(0, 200)}` : "";
}

/** Read states of the explorer and of the live model out of addresses, and write them again. @param {{ folder: string, kind: string, seed: number, from: number, to: number }} range */
export async function states({ folder, kind, seed, from, to }) {
  const modules = await Promise.all(["explorer", "model"].map((name) => import(`${folder}${name}/state.js`)));
  const [wrong, counts] = [/** @type {[number, string][]} */ ([]), { answered: 0, refused: 0 }];
  for (let number = from; number < to; number++) {
    const { bytes } = await make(kind, seed, number);
    for (const { fromSearch, toSearch } of modules) {
      const began = performance.now();
      const { state, notes } = fromSearch(`?${new TextDecoder().decode(bytes)}`);
      counts[notes.length ? "refused" : "answered"]++;
      const again = fromSearch(toSearch(state));
      const isSame = JSON.stringify(again) === JSON.stringify({ state, notes: [] });
      const isFinite = Object.values(state).every((value) => typeof value !== "number" || Number.isFinite(value));
      if (!isSame || !isFinite) wrong.push([number, `another state: ${JSON.stringify([state, again])}`]);
      if (performance.now() - began > SLOW) wrong.push([number, "too slow"]);
    }
  }
  return { wrong, counts };
}

/** Choose files in the form of the page, as a reader does. @param {{ kind: string, seed: number, from: number, to: number }} range */
export async function chosen({ kind, seed, from, to }) {
  const field = /** @type {HTMLInputElement} */ (document.querySelector(".we input[type=file]"));
  const [said, shown] = [".we-said", ".we-answer"].map((part) => /** @type {Element} */ (document.querySelector(part)));
  const [wrong, counts] = [/** @type {[number, string][]} */ ([]), { answered: 0, refused: 0 }];
  for (let number = from; number < to; number++) {
    const { name, bytes } = await make(kind, seed, number);
    const data = new DataTransfer();
    data.items.add(new File([bytes], name));
    said.textContent = "";
    field.files = data.files;
    field.dispatchEvent(new Event("change", { bubbles: true }));
    const end = performance.now() + SLOW;
    while (/^$|^Looking/.test(said.textContent ?? "") && performance.now() < end) await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
    const isError = said.classList.contains("is-error");
    counts[isError ? "refused" : "answered"]++;
    const problem = fault(shown, (said.textContent ?? "").replace(name, ""));
    if (problem || said.textContent?.startsWith("Looking")) wrong.push([number, problem || "no answer"]);
  }
  return { wrong, counts };
}

/** Set controls to arbitrary values: sliders keep to their limits, fields and lists say what is wrong. @param {{ kind: string, seed: number, from: number, to: number }} range */
export async function used({ seed, from, to }) {
  const wrong = /** @type {[number, string][]} */ ([]);
  const counts = { answered: 0, refused: 0 };
  for (let number = from; number < to; number++) {
    const choose = chooser(seed, number);
    const controls = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll("[data-live] :is(input:not([type=file]), select, textarea), .sortable input")]).filter((one) => one.offsetParent);
    if (!controls.length) return { wrong: [[number, "no controls"]], counts };
    const control = choose.pick(controls);
    if (control.type === "checkbox") control.click();
    else if (control instanceof HTMLSelectElement) control.value = choose.pick([...control.options]).value;
    else control.value = choose.pick([control.min, control.max, "", "1e999", "-7", "NaN", "x", String(choose.below(5000)), "abcdefgh", ...NAMES]);
    for (const kind of ["input", "change"]) control.dispatchEvent(new Event(kind, { bubbles: true }));
    if (number % 10 === 0) await new Promise(requestAnimationFrame);
    counts.answered++;
    if (/** @type {any} */ (window).executed) wrong.push([number, "a script ran"]);
    const texts = document.querySelector("[data-live]")?.textContent ?? "";
    if (/NaN|undefined|\[object/.test(texts.replace(/“.*?”/gs, ""))) wrong.push([number, `NaN or undefined after ${control.id} = ${control.value.slice(0, 40)}`]);
  }
  return { wrong, counts };
}
