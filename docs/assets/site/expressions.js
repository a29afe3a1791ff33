/**
 * A button in the header shows the expression behind each number, next to it, and the claims that the build checks.
 */

const button = document.createElement("button");
button.className = "md-header__button expressions-toggle";
button.textContent = "ƒ";
button.title = button.ariaLabel = "Show the expression behind every number";

/** Show or hide the expressions, as the reader wants them on every page of this visit. */
function show() {
  const isShown = sessionStorage.posencExpressions === "shown";
  button.ariaPressed = `${isShown}`;
  for (const code of document.querySelectorAll("code.expression")) code.remove();
  if (!isShown) return;
  for (const data of document.querySelectorAll("data")) {
    const code = document.createElement("code");
    code.className = "expression";
    // A claim is an empty <data> without a title.
    code.textContent = data.title.replace(/ = [^=]*$/, "") || `${data.value} holds${({ tried: " in the cases tried", proved: " in the cases tried, and is proved" })[data.dataset.kind ?? ""] ?? ""}`;
    data.after(code);
  }
}

button.addEventListener("click", () => {
  sessionStorage.posencExpressions = button.ariaPressed === "true" ? "hidden" : "shown";
  show();
});
// The stylesheet shows the value of the number that has the focus.
addEventListener("keydown", ({ key }) => {
  if (key === "Escape" && document.activeElement?.matches("data")) /** @type {HTMLElement} */ (document.activeElement).blur();
});
// The way back may bring a page from the browser's cache as the reader left it.
addEventListener("pageshow", ({ persisted }) => { if (persisted) show(); });

const header = document.querySelector(".md-header__inner");
const search = /** @type {HTMLElement | null} */ (document.querySelector(".md-search"));
header?.insertBefore(button, header.querySelector(".md-header__button[for=__search]"));
if (search) {
  search.ariaLabel = "Search"; // Material gives it no name for screen readers
  // Material waits for a key, but a reader may also paste or speak.
  search.oninput = ({ target }) => target?.dispatchEvent(new Event("keyup"));
}
show();
