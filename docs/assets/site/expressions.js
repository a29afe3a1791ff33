/**
 * A button in the header shows the expression behind each number, next to it, and the claims that the build checks.
 */

const button = document.createElement("button");
button.className = "md-header__button expressions-toggle";
button.textContent = "ƒ";
button.title = button.ariaLabel = "Show the expression behind every number";

/**
 * Show or hide the expressions of the page.
 * @param {boolean} shown
 */
function show(shown) {
  button.ariaPressed = `${shown}`;
  for (const code of document.querySelectorAll("code.expression")) code.remove();
  if (!shown) return;
  for (const data of document.querySelectorAll("data")) {
    const code = document.createElement("code");
    code.className = "expression";
    // A claim is an empty <data> without a title.
    code.textContent = data.title.replace(/ = [^=]*$/, "") || `${data.value} holds`;
    data.after(code);
  }
}

/** @returns {boolean} whether the reader wants to see the expressions, on every page of this visit */
function wanted() {
  return sessionStorage.posencExpressions === "shown";
}

button.addEventListener("click", () => {
  sessionStorage.posencExpressions = wanted() ? "hidden" : "shown";
  show(wanted());
});

const header = document.querySelector(".md-header__inner");
const search = /** @type {HTMLElement | null} */ (document.querySelector(".md-search"));
header?.insertBefore(button, header.querySelector(".md-header__button[for=__search]"));
if (search) {
  search.ariaLabel = "Search"; // Material gives it no name for screen readers
  // Material waits for a key, but a reader may also paste or speak.
  search.oninput = ({ target }) => target?.dispatchEvent(new Event("keyup"));
}
show(wanted());
