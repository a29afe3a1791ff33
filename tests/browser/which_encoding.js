/// <reference path="globals.d.ts" />
/**
 * What a reader does on the page "Which encoding is this?", and what the page answers.
 * @module which_encoding
 */

/** @param {string} encoded */
const bytes = (encoded) => Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0));

/**
 * The answer of the page's modules to an array, also as HTML; of complex numbers, the real parts come first.
 * @param {{ folder: string, encoded: string, is32: boolean, isComplex: boolean, shape: number[], tolerance: number | null }} table
 */
export async function identified({ folder, encoded, is32, isComplex, shape, tolerance }) {
  const [{ identify }, { given }, { details }] = await Promise.all(["match", "shapes", "words"].map((name) => import(`${folder}${name}.js`)));
  const { buffer } = bytes(encoded);
  const all = is32 ? new Float32Array(buffer) : new Float64Array(buffer);
  const half = all.length / 2;
  const parts = isComplex ? { values: all.subarray(0, half), sines: all.subarray(half) } : { values: all };
  const found = identify(given({ shape, ...parts }), tolerance);
  return { ...found, details: details(found, shape[shape.length - 1]) };
}

/**
 * What the worker of the page answers to a file.
 * @param {{ folder: string, encoded: string, table: number | null }} question `table` is the one to take of several
 */
export async function asked({ folder, encoded, table }) {
  const scope = /** @type {any} */ (globalThis);
  // Node.js keeps a module, which listens only once.
  scope.addEventListener ??= (/** @type {string} */ _, /** @type {Function} */ listener) => { scope.heard = listener; };
  await import(`${folder}worker.js`);
  const file = new File([bytes(encoded)], "");
  return new Promise((done) => {
    scope.postMessage = done;
    scope.heard({ data: { id: 1, file, table: table ?? undefined } });
  });
}

/** Drop a file, or else a text. @param {[string | null, string, string]} given name, content, text */
export function drop([name, encoded, text]) {
  const data = new DataTransfer();
  if (name) data.items.add(new File([bytes(encoded)], name));
  else data.setData("text/plain", text);
  for (const type of ["dragenter", "dragover", "drop"]) {
    const options = { dataTransfer: data, bubbles: true, cancelable: true };
    document.querySelector(".we-hint")?.dispatchEvent(new DragEvent(type, options));
  }
}

/**
 * Drag data into the text field; whether the page, and not the browser, takes it.
 * @param {{ type: string, isOwn: boolean }} given its type, and whether it comes from the field itself
 */
export function drag({ type, isOwn }) {
  const field = /** @type {Element} */ (document.querySelector(".we textarea"));
  const data = new DataTransfer();
  data.setData(type, "1 2 3");
  const heard = (/** @type {string} */ name) => field.dispatchEvent(new DragEvent(name, { dataTransfer: data, bubbles: true, cancelable: true }));
  if (isOwn) heard("dragstart");
  const taken = [heard("dragover"), heard("drop")].map((goesOn) => !goesOn);
  if (isOwn) heard("dragend");
  return taken;
}

/** The limit for files, and the refusal of a larger one, which the page must not read. @param {{ folder: string }} question */
export async function refusal({ folder }) {
  const [{ LARGEST }, { fromFile }] = await Promise.all([import(`${folder}parse.js`), import(`${folder}files.js`)]);
  const file = new File(["1"], "pe.npy");
  Object.defineProperty(file, "size", { value: LARGEST + 1 });
  file.arrayBuffer = () => { throw new Error("it was read"); };
  return [LARGEST, await fromFile(file).catch((/** @type {Error} */ error) => error.message)];
}

/** Hold the next question to the worker; `release` asks it, and comes back once the page has dealt with the answer. */
export function holdQuestion() {
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = /** @this {Worker} @param {unknown} message */ function (message) {
    window.release = () => new Promise((done) => {
      this.addEventListener("message", () => setTimeout(done), { once: true }); // the page's listeners come first
      Reflect.apply(postMessage, this, [message]);
    });
  };
}

/** The label or the text of what is in focus. */
export function named() {
  const { labels, textContent } = /** @type {HTMLInputElement} */ (document.activeElement);
  return labels?.[0]?.textContent ?? textContent;
}
