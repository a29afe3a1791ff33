/**
 * Which encoding is this? Takes the table that a reader pastes, drops or chooses, and shows the answer.
 * The table goes to this page's worker and nowhere else.
 */

import { listen } from "../form/form.js";

/** @import { Question, Answer } from "./worker.js" */

const EXAMPLES = ["The paper’s", "tensor2tensor’s", "A doubled exponent", "Separate exponents for cosines"];

const HTML = `
<div class="we-input">
<label for="we-text">Your table, one row per line</label>
<textarea id="we-text" rows="9" wrap="off" spellcheck="false" autocomplete="off" autocapitalize="off" aria-describedby="we-hint" placeholder="Paste numbers here, or drop a file"></textarea>
<div class="we-hint" id="we-hint">CSV, or the output of <code>print</code>; or drop a <code>.npy</code>, <code>.npz</code>, <code>.safetensors</code> or CSV file. Nothing leaves your browser.</div>
<div class="we-row"><button type="button" class="we-ask">Identify</button><label class="we-choose">Choose a file<input type="file" accept=".npy,.npz,.safetensors,.csv,.tsv,.txt"></label><button type="button" class="we-clear">Clear</button></div>
<div class="we-row" role="group" aria-label="Examples"><span>Try an example</span>${EXAMPLES.map((text, index) => `<button type="button" data-example="${index}">${text}</button>`).join("")}</div>
</div>
<div class="we-tables"></div>
<div class="we-said" role="status"></div>
<div class="we-answer"></div>`;

/** Add the form to `host`. @param {HTMLElement} host */
export function start(host) {
  host.innerHTML = HTML;
  /** @template {HTMLElement} E @param {string} selector @returns {E} */
  const part = (selector) => /** @type {E} */ (host.querySelector(selector));
  const text = /** @type {HTMLTextAreaElement} */ (part("textarea"));
  const [tables, status, matches] = [part(".we-tables"), part(".we-said"), part(".we-answer")];
  /** @type {Worker | null} */ let worker = null;
  /** @type {Question & { name: string }} */ let asked = { id: 0, name: "" };

  /** The worker; the first call starts it. */
  function ready() {
    if (worker) return worker;
    worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => answered(data));
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
    if (question.table === undefined) tables.replaceChildren();
    matches.replaceChildren();
    say("Looking at the table …");
    ready().postMessage({ ...question, id: asked.id });
  }

  /** @param {Answer} answer */
  function answered({ id, error, text: sample, said, details = "", choice = "" }) {
    if (id !== asked.id) return; // the reader has given another table since
    if (sample !== undefined) text.value = sample;
    say(error === undefined ? `${asked.name}, ${said}` : `${asked.name}: ${error}`, error !== undefined);
    matches.innerHTML = details;
    if (choice) tables.innerHTML = choice;
  }

  tables.addEventListener("click", ({ target }) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest("[data-table]"));
    if (!button) return;
    for (const one of tables.querySelectorAll("button")) one.ariaPressed = String(one === button);
    ask({ file: asked.file, table: Number(button.dataset.table) }, asked.name);
  });
  listen(host, {
    prepare: ready,
    take: () => ask({ text: text.value }, "Your table"),
    open: (file) => { text.value = ""; ask({ file }, file.name); },
    show: (example) => ask({ example: Number(example) }, EXAMPLES[Number(example)]),
    clear: () => {
      asked = { id: asked.id + 1, name: "" };
      text.value = "";
      tables.replaceChildren();
      matches.replaceChildren();
      say("");
    },
  });
}
