/**
 * Which encoding is this? Takes the table that a reader pastes, drops or chooses, and shows the answer.
 *
 * The table goes to this page's worker and nowhere else.
 */

/** @typedef {import("./worker.js").Question} Question */
/** @typedef {import("./worker.js").Answer} Answer */

const EXAMPLES = ["The paper’s", "tensor2tensor’s", "A doubled exponent", "Separate exponents for cosines"];

const HTML = `
<div class="we-input">
<label for="we-text">Your table, one row per line</label>
<textarea id="we-text" rows="9" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="we-hint" placeholder="Paste numbers here, or drop a file"></textarea>
<div class="we-hint" id="we-hint">CSV, or the output of <code>print</code>; or drop a <code>.npy</code> or CSV file. Nothing leaves your browser.</div>
<div class="we-row"><button type="button" class="we-ask">Identify</button><label class="we-choose">Choose a file<input type="file" accept=".npy,.csv,.tsv,.txt"></label><button type="button" class="we-clear">Clear</button></div>
<div class="we-row" role="group" aria-label="Examples"><span>Try an example</span>${EXAMPLES.map((text, index) => `<button type="button" data-example="${index}">${text}</button>`).join("")}</div>
</div>
<div class="we-said" role="status"></div>
<div class="we-answer"></div>`;

/**
 * Add the form to `host`; the result removes it.
 * @param {HTMLElement} host
 * @returns {() => void}
 */
export function start(host) {
  host.innerHTML = HTML;
  /** @template {HTMLElement} E @param {string} selector @returns {E} */
  const part = (selector) => /** @type {E} */ (host.querySelector(selector));
  const text = /** @type {HTMLTextAreaElement} */ (part("textarea"));
  const chosen = /** @type {HTMLInputElement} */ (part("input"));
  const [status, matches] = [part(".we-said"), part(".we-answer")];
  /** @type {Worker | null} */
  let worker = null;
  /** @type {Question & { name: string }} */
  let asked = { id: 0, name: "" };

  /** The worker; the first call starts it. */
  function ready() {
    if (worker) return worker;
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => { answered(data).catch(failed); });
    worker.addEventListener("error", failed);
    return worker;
  }

  /** @param {unknown} error */
  function failed(error) {
    worker?.terminate();
    worker = null;
    say("This part could not be loaded. Press the button again to try again.", true);
    console.warn(error);
  }

  /** @param {string} sentence @param {boolean} [isError] */
  function say(sentence, isError = false) {
    status.textContent = sentence;
    status.classList.toggle("is-error", isError);
  }

  /** @param {Omit<Question, "id">} question @param {string} name the first words of the answer */
  function ask(question, name) {
    asked = { ...question, id: asked.id + 1, name };
    matches.replaceChildren();
    say("Looking at the table …");
    ready().postMessage({ ...question, id: asked.id });
  }

  /** @param {Answer} answer */
  async function answered(answer) {
    const words = await import("./words.js");
    if (answer.id !== asked.id) return; // the reader has given another table since
    if (answer.text !== undefined) text.value = answer.text;
    if (answer.error !== undefined) { say(`${asked.name}: ${answer.error}`, true); return; }
    say(`${asked.name}, ${words.summary(answer)}`);
    matches.innerHTML = words.details(answer);
  }

  /** @param {File | undefined} file */
  function read(file) {
    if (!file) return;
    text.value = "";
    ask({ file }, file.name);
  }

  const stopping = new AbortController();
  const { signal } = stopping;
  for (const intent of ["pointerenter", "focusin", "dragenter"]) host.addEventListener(intent, ready, { signal });
  host.addEventListener("click", (event) => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (!button) return;
    const { example } = button.dataset;
    if (example !== undefined) ask({ example: Number(example) }, EXAMPLES[Number(example)]);
    if (button.matches(".we-ask")) ask({ text: text.value }, "Your table");
    if (button.matches(".we-copy")) copied(button);
    if (button.matches(".we-clear")) {
      asked = { id: asked.id + 1, name: "" };
      text.value = "";
      matches.replaceChildren();
      say("");
      text.focus();
    }
  }, { signal });

  /** @param {Element} button right after the code */
  async function copied(button) {
    try {
      await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
      button.textContent = "Copied";
    } catch {
      button.textContent = "Could not copy: select the lines above";
    }
  }

  text.addEventListener("paste", () => setTimeout(() => ask({ text: text.value }, "Your table")), { signal });
  chosen.addEventListener("change", () => {
    read(chosen.files?.[0]);
    chosen.value = ""; // so that choosing a changed file of the same name counts as a change
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
    const { files, getData } = /** @type {DataTransfer} */ (event.dataTransfer);
    if (files.length) { read(files[0]); return; }
    text.value = getData.call(event.dataTransfer, "text/plain");
    ask({ text: text.value }, "Your table");
  }, { signal });

  return () => {
    stopping.abort();
    worker?.terminate();
    host.replaceChildren(); // the theme may keep the page in memory: remove the table from it
  };
}
