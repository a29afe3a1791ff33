/**
 * What does my config say? Takes the config that a reader pastes, drops or chooses, and shows what it says.
 *
 * The config goes to no server and into no address. All other modules load when the reader comes here.
 */

const EXAMPLES = ["Llama 3.1 8B", "Qwen 3", "Qwen 3 with YaRN", "DeepSeek-V3", "gpt-oss", "Phi-3.5-mini", "Gemma 3 4B"];
const LARGEST = 2e6; // bytes

const HTML = `
<div class="we-input">
<label for="cf-text">Your config.json</label>
<textarea id="cf-text" rows="12" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="cf-hint" placeholder="Paste a config here, or drop a file"></textarea>
<div class="we-hint" id="cf-hint">JSON, or what <code>print(model.config)</code> prints. Nothing leaves your browser.</div>
<div class="we-row"><button type="button" class="we-ask">Read</button><label class="we-choose">Choose a file<input type="file" accept=".json,.txt"></label><button type="button" class="we-clear">Clear</button></div>
<div class="we-row" role="group" aria-label="Examples"><span>Try an example</span>${EXAMPLES.map((name) => `<button type="button" data-example="${name}">${name}</button>`).join("")}</div>
</div>
<div class="we-said" role="status"></div>
<div class="cf-length" hidden><div class="we-row"><label for="cf-length">Length of the text, in positions</label><input type="number" id="cf-length" min="1" step="1" inputmode="numeric" placeholder="as trained"></div></div>
<div class="we-answer"></div>`;

/**
 * Add the form to `host`; the result removes it.
 * @param {HTMLElement} host
 * @returns {() => void}
 */
export function start(host) {
  host.innerHTML = HTML;
  /** @param {string} selector @returns {any} */
  const part = (selector) => host.querySelector(selector);
  /** @type {{ text: HTMLTextAreaElement, file: HTMLInputElement, length: HTMLInputElement, byLength: HTMLElement, said: HTMLElement, answer: HTMLElement }} */
  const parts = { text: part("textarea"), file: part("[type=file]"), length: part("#cf-length"), byLength: part(".cf-length"), said: part(".we-said"), answer: part(".we-answer") };
  const stopping = new AbortController();
  const { signal } = stopping;
  let asked = 0;
  let name = "";

  const loaded = () => import("./view.js");

  /** @param {string} sentence @param {boolean} [isError] */
  function say(sentence, isError = false) {
    parts.said.textContent = sentence;
    parts.said.classList.toggle("is-error", isError);
  }

  /** Put the example and the length into the address; a reader's own config stays out of it. */
  function address() {
    const query = new URLSearchParams();
    if (EXAMPLES.includes(name)) query.set("example", name);
    if (EXAMPLES.includes(name) && length()) query.set("length", parts.length.value);
    const search = String(query) ? `?${query}` : "";
    if (search !== location.search) history.replaceState({ x: scrollX, y: scrollY }, "", location.pathname + search + location.hash); // the theme expects where the page was scrolled
  }

  /** What the reader chose, or null for a text no longer than those of the training. */
  const length = () => (parts.length.validity.valid && parts.length.value ? Number(parts.length.value) : null);

  /** Show what the text in the field says. @param {string} called */
  async function read(called) {
    const mine = ++asked;
    name = called;
    try {
      const view = await loaded();
      if (mine !== asked || signal.aborted) return;
      const { said, isError, parts: made, isByLength } = view.answer(parts.text.value, length(), Math.max(280, Math.min(700, parts.answer.clientWidth)));
      parts.byLength.hidden = !isByLength;
      parts.answer.replaceChildren(...made);
      say(`${called}: ${said}`, isError);
      address();
    } catch (error) {
      failed(error);
    }
  }

  /** @param {unknown} error */
  function failed(error) {
    parts.answer.replaceChildren();
    say("This part could not be loaded. Press the button again to try again.", true);
    console.warn(error);
  }

  /** @param {string} example */
  async function show(example) {
    const mine = ++asked;
    try {
      const { EXAMPLES: texts } = await loaded();
      if (mine !== asked || signal.aborted) return;
      parts.text.value = texts[example];
      await read(example);
    } catch (error) {
      failed(error);
    }
  }

  /** @param {File | undefined} file */
  async function open(file) {
    if (!file) return;
    const mine = ++asked;
    parts.length.value = "";
    if (file.size > LARGEST) {
      parts.answer.replaceChildren();
      say(`${file.name}: larger than 2 MB, the most that this page takes: got ${(file.size / 1e6).toFixed(0)} MB`, true);
      return;
    }
    const text = await file.text();
    if (mine !== asked) return;
    parts.text.value = text;
    read(file.name);
  }

  /** The reader's own text. */
  function own() {
    parts.length.value = "";
    read("Your config");
  }

  function clear() {
    asked++;
    name = "";
    parts.text.value = parts.length.value = "";
    parts.byLength.hidden = true;
    parts.answer.replaceChildren();
    say("");
    address();
    parts.text.focus();
  }

  /** @param {Element} button right after the code */
  async function copied(button) {
    try {
      await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not copy: select the lines above";
    }
  }

  for (const intent of ["pointerenter", "focusin", "dragenter"]) host.addEventListener(intent, () => { loaded().catch(() => {}); }, { signal });
  host.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    const { example } = button.dataset;
    if (example !== undefined) { parts.length.value = ""; show(example); }
    if (button.matches(".we-ask")) own();
    if (button.matches(".we-copy")) copied(button);
    if (button.matches(".we-clear")) clear();
  }, { signal });
  parts.text.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (/^\s*(\w+ )?\{[^]*\}\s*$/.test(pasted)) { // a whole config replaces the one before
      event.preventDefault();
      parts.text.value = pasted;
    }
    setTimeout(own);
  }, { signal });
  parts.length.addEventListener("change", () => read(name), { signal });
  parts.file.addEventListener("change", () => {
    open(parts.file.files?.[0]);
    parts.file.value = ""; // so that choosing a changed file of the same name counts as a change
  }, { signal });
  host.addEventListener("dragover", (event) => {
    event.preventDefault();
    host.classList.add("is-over");
  }, { signal });
  host.addEventListener("dragleave", (event) => {
    if (!host.contains(/** @type {Node | null} */ (event.relatedTarget))) host.classList.remove("is-over");
  }, { signal });
  host.addEventListener("drop", (event) => {
    event.preventDefault();
    host.classList.remove("is-over");
    const data = /** @type {DataTransfer} */ (event.dataTransfer);
    if (data.files.length) { open(data.files[0]); return; }
    parts.text.value = data.getData("text/plain");
    own();
  }, { signal });

  const wanted = new URLSearchParams(location.search);
  const example = wanted.get("example");
  if (example !== null && !EXAMPLES.includes(example)) say(`example must be one of ${EXAMPLES.join(", ")}, got “${example.slice(0, 24)}”.`, true);
  else if (example !== null) {
    parts.length.value = wanted.get("length") ?? "";
    show(example);
  }

  return () => {
    stopping.abort();
    host.replaceChildren(); // the theme may keep the page in memory: remove the config from it
  };
}
