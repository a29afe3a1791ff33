/**
 * A form that takes what a reader pastes, drops or chooses: its text field, its file field and its buttons.
 */

/**
 * @typedef {object} Actions
 * @property {() => void} prepare the reader comes to the form
 * @property {() => void} take the text in the field, which the reader pasted, dropped or wants to be read
 * @property {(file: File) => void} open
 * @property {(example: string) => void} show
 * @property {() => void} clear
 */

/** Call an action for everything that the reader does in `host`. @param {HTMLElement} host @param {Actions} actions */
export function listen(host, { prepare, take, open, show, clear }) {
  const field = /** @type {HTMLTextAreaElement} */ (host.querySelector("textarea"));
  const chosen = /** @type {HTMLInputElement} */ (host.querySelector("[type=file]"));
  for (const intent of ["pointerenter", "focusin", "dragenter"]) host.addEventListener(intent, prepare);
  host.addEventListener("click", ({ target }) => {
    const button = /** @type {Element} */ (target).closest("button");
    if (!button) return;
    const { example } = button.dataset;
    if (example) show(example);
    if (button.matches(".we-ask")) take();
    if (button.matches(".we-copy")) copy(button);
    if (button.matches(".we-clear")) { clear(); field.focus(); }
  });
  field.addEventListener("paste", () => setTimeout(take));
  chosen.addEventListener("change", () => {
    if (chosen.files?.length) open(chosen.files[0]);
    chosen.value = ""; // so that choosing a changed file of the same name counts as a change
  });
  let isOwn = false; // the reader drags a text that is selected in the field
  field.addEventListener("dragstart", () => { isOwn = true; });
  field.addEventListener("dragend", () => { isOwn = false; });
  /** Whether the form takes what the reader drags: a file, or a text from elsewhere. @param {DataTransfer | null} data */
  const takes = (data) => data?.types.includes("Files") || data?.types.includes("text/plain") && !isOwn;
  host.addEventListener("dragover", (event) => {
    if (!takes(event.dataTransfer)) return;
    event.preventDefault();
    host.classList.add("is-over");
  });
  host.addEventListener("dragleave", ({ relatedTarget }) => {
    if (!host.contains(/** @type {Node | null} */ (relatedTarget))) host.classList.remove("is-over");
  });
  host.addEventListener("drop", (event) => {
    host.classList.remove("is-over");
    const data = /** @type {DataTransfer} */ (event.dataTransfer);
    if (!takes(data)) return;
    event.preventDefault();
    const text = data.getData("text/plain");
    if (data.files.length) open(data.files[0]);
    else if (text) {
      field.value = text;
      take();
    }
  });
}

/** Copy the code before the button. @param {Element} button */
async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? "");
    button.textContent = "Copied";
  } catch {
    button.textContent = "Could not copy: select the lines above";
  }
}
