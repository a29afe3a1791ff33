/**
 * What does my config say? Takes the config that a reader pastes, drops or chooses, and shows what it says.
 *
 * The config goes to no server and into no address. All other modules load when the reader comes here.
 */

import { listen } from "../form/form.js";

const EXAMPLES = ["Llama 3.1 8B", "Qwen 3", "Qwen 3 with YaRN", "DeepSeek-V3", "gpt-oss", "Phi-3.5-mini", "Gemma 3 4B"];
const OWN = "Your config";
const LARGEST = 2e6; // bytes

const HTML = `
<div class="we-input">
<label for="cf-text">Your config.json</label>
<textarea id="cf-text" rows="14" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="cf-hint" placeholder="Paste a config here, or drop a file"></textarea>
<div class="we-hint" id="cf-hint">JSON, or what <code>print(model.config)</code> prints; of a GGUF file, its header. Nothing leaves your browser.</div>
<div class="we-row"><button type="button" class="we-ask">Read</button><label class="we-choose">Choose a file<input type="file" accept=".json,.txt,.gguf"></label><button type="button" class="we-clear">Clear</button></div>
<div class="we-row" role="group" aria-label="Examples"><span>Try an example</span>${EXAMPLES.map((name) => `<button type="button" data-example="${name}">${name}</button>`).join("")}</div>
</div>
<div class="we-said" role="status"></div>
<div class="cf-length" hidden><div class="we-row"><label for="cf-length">Length of the text, in positions</label><input type="number" id="cf-length" min="1" inputmode="numeric" placeholder="as trained"></div></div>
<div class="we-answer"></div>`;

/** Add the form to `host`. @param {HTMLElement} host */
export function start(host) {
  host.innerHTML = HTML;
  /** @param {string} selector @returns {any} */
  const part = (selector) => host.querySelector(selector);
  /** @type {{ text: HTMLTextAreaElement, length: HTMLInputElement, byLength: HTMLElement, said: HTMLElement, answer: HTMLElement }} */
  const parts = { text: part("textarea"), length: part("#cf-length"), byLength: part(".cf-length"), said: part(".we-said"), answer: part(".we-answer") };
  let asked = 0;
  let name = "";

  let failures = 0;
  // Browsers cache a failed import, so a retry adds a query string; the file has its modules in itself.
  const loaded = () => import(failures ? `./view.js?${failures}` : "./view.js").catch((error) => {
    failures += 1;
    throw error;
  });

  /** @param {string} sentence @param {boolean} [isError] */
  function say(sentence, isError = false) {
    parts.said.textContent = sentence;
    parts.said.classList.toggle("is-error", isError);
  }

  /** Put the example and the length into the address; a reader's own config stays out of it. */
  function address() {
    const chosen = { example: name, ...(length() ? { length: parts.length.value } : {}) };
    const search = EXAMPLES.includes(name) ? `?${new URLSearchParams(chosen)}` : "";
    if (search !== location.search) history.replaceState(null, "", location.pathname + search + location.hash);
  }

  /** What the reader chose, or null for a text no longer than those of the training. */
  const length = () => (parts.length.validity.valid && parts.length.value ? Number(parts.length.value) : null);

  /** A sentence about an invalid length; an empty text if the length is valid. @param {string} given */
  const wrong = (given) => (given && length() === null ? ` length must be a whole number of at least 1, got “${given.slice(0, 24)}”; none is used.` : "");

  /** Give the view to `act`, unless the reader does something else while it loads. @param {(view: typeof import("./view.js")) => void} act */
  async function show(act) {
    const mine = ++asked;
    try {
      const view = await loaded();
      if (mine === asked) act(view);
    } catch (error) {
      parts.answer.replaceChildren();
      say("This part could not be loaded. Press the button again.", true);
      console.warn(error);
    }
  }

  /** Show what the text in the field says. @param {string} called @param {string} given length */
  function read(called, given) {
    name = called;
    show((view) => {
      const { said, isError, parts: made, isByLength } = view.answer(parts.text.value, length(), Math.max(280, Math.min(700, parts.answer.clientWidth)));
      parts.byLength.hidden = !isByLength;
      parts.answer.replaceChildren(...made);
      const fault = isError ? "" : wrong(given);
      say(`${called}: ${said}${fault}`, isError || fault !== "");
      address();
    });
  }

  /** @param {string} example @param {string} given length */
  function pick(example, given) {
    parts.length.value = given;
    show((view) => {
      parts.text.value = view.textOf(example);
      read(example, given);
    });
  }

  /** @param {File} file */
  async function open(file) {
    const mine = ++asked;
    parts.length.value = "";
    const isGguf = await file.slice(0, 4).text().catch(() => "") === "GGUF";
    if (mine !== asked) return;
    if (!isGguf && file.size > LARGEST) {
      parts.answer.replaceChildren();
      say(`${file.name}: larger than 2 MB, the most that this page takes: got ${Math.ceil(file.size / 1e6)} MB`, true);
      return;
    }
    try {
      const text = isGguf ? await (await loaded()).headerOf(file) : await file.text().catch(() => ""); // a folder has none
      if (mine !== asked) return;
      parts.text.value = text;
      read(file.name, "");
    } catch (error) {
      parts.answer.replaceChildren();
      say(`${file.name}: ${/** @type {Error} */ (error).message}`, true);
    }
  }

  listen(host, {
    prepare: () => { loaded().catch(() => {}); },
    take: () => {
      parts.length.value = "";
      read(OWN, "");
    },
    open,
    show: (example) => pick(example, ""),
    clear: () => {
      asked++;
      name = parts.text.value = parts.length.value = "";
      parts.byLength.hidden = true;
      parts.answer.replaceChildren();
      say("");
      address();
    },
  });
  parts.text.addEventListener("paste", (event) => {
    const pasted = event.clipboardData?.getData("text/plain") ?? "";
    if (!/^\s*(\w+ )?\{[^]*\}\s*$/.test(pasted)) return;
    event.preventDefault(); // a whole config replaces the one before
    parts.text.value = pasted;
  });
  parts.text.addEventListener("input", () => { name = OWN; }); // an edited example is the reader's own
  parts.length.addEventListener("change", () => read(name, parts.length.value));

  const wanted = new URLSearchParams(location.search);
  const example = wanted.get("example");
  if (example !== null && !EXAMPLES.includes(example)) say(`example must be one of ${EXAMPLES.join(", ")}, got “${example.slice(0, 24)}”.`, true);
  else if (example !== null) pick(example, wanted.get("length") ?? "");
}
