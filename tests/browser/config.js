/**
 * What the modules of the page "What does my config say?" answer.
 * @module config
 */

/** @typedef {{ folder: string, texts: string[] }} Texts */

/** Modules of the page. @param {string} folder @param {...string} names @returns {Promise<any>} */
const modules = async (folder, ...names) => Object.assign({}, ...await Promise.all(names.map((name) => import(`${folder}${name}.js`))));

/** What `make` returns, or the words of its error. @param {() => any} make */
function tried(make) {
  try {
    return make();
  } catch (error) {
    const { message, constructor: { name } } = /** @type {Error} */ (error);
    return ["Refused", "Unreadable"].includes(name) ? message : `${name}: ${message}`;
  }
}

/**
 * Of each text the groups of layers, as a plan has them, what is odd, and where programs differ; or the errors.
 * @param {Texts} question
 */
export async function answers({ folder, texts }) {
  const { parsed, planned, odd, differences } = await modules(folder, "json", "plan", "odd", "programs");
  /** @param {any} plan */
  const groups = ({ groups: all, turns }) => all.map((/** @type {any} */ { name, layers, encoding, window, chunk = null, note: told = null, kind }) => {
    const group = { name, layers, encoding, window, chunk, note: told };
    if (encoding !== "rotary") return group;
    const { rotary, axes, sections, rule, score, query, note } = turns.get(kind);
    return { ...group, ...rotary, note: note ?? told, axes, sections, rule, score, query };
  });
  /** @param {any} part */
  const ofPart = ({ name, plan, encoding, ...axial }) => {
    if (plan) return groups(plan).map((/** @type {any} */ one, /** @type {number} */ i, /** @type {any[]} */ all) => ({ ...one, name: all.length > 1 ? `${name}: ${one.name}` : name }));
    const group = { name, layers: null, encoding: encoding ?? "rotary", window: null, chunk: null, note: null, query: null };
    if (encoding) return [group];
    const { rotary, ...others } = axial;
    return [{ ...group, ...others, ...rotary }];
  };
  return texts.map((text) => {
    const plan = tried(() => planned(parsed(text)));
    if (typeof plan === "string") return [plan, plan, plan];
    return [() => [...groups(plan), ...plan.parts.flatMap(ofPart)], () => odd(plan), () => differences(plan)].map(tried);
  });
}

/** The Python for each config, or the error. @param {Texts} question */
export async function code({ folder, texts }) {
  const { parsed, planned, python } = await modules(folder, "json", "plan", "python");
  /** @param {any} plan */
  const encodings = ({ turns }) => new Map([...turns].map(([kind, { rotary }]) => [kind, rotary]));
  return texts.map((text) => tried(() => python(encodings(planned(parsed(text))))));
}

/** The header of a GGUF file as a config in JSON. @param {{ folder: string, file: string }} question the file in base64 */
export async function header({ folder, file }) {
  const { headerText } = await modules(folder, "header");
  const content = await (await fetch(`data:;base64,${file}`)).blob();
  return headerText(content);
}

/** Each value of JSON as Python shows it, or the error. @param {Texts} question */
export async function values({ folder, texts }) {
  const { parsed, shown } = await modules(folder, "json", "shown");
  return texts.map((text) => tried(() => shown(parsed(text))));
}

/** The names and texts in the list of facts about the first type of layer. */
export function facts() {
  const rows = document.querySelector(".we-match dl")?.children ?? [];
  return Object.fromEntries(Array.from(rows, (row) => [...row.children].map((part) => part.textContent)));
}

/** The rows of the first table, as texts. */
export function rows() {
  const table = document.querySelector(".we-match table");
  return Array.from(table?.querySelectorAll("tr") ?? [], (row) => Array.from(row.children, (cell) => cell.textContent));
}

/** Paste a text as a reader does, where the browser would put it into the field unless the page does. @param {string} text */
export function paste(text) {
  const field = /** @type {HTMLTextAreaElement} */ (document.querySelector(".we textarea"));
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
  if (field.dispatchEvent(event)) field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
}
