/**
 * What an exercise says to each answer that a reader may give.
 * @module asks
 */

/**
 * Whether it asks for a number, and what it says: to each number of its list, to one far away and
 * to a word; or to each choice, with whether that is right.
 * @param {Element} host
 */
export function told(host) {
  const form = /** @type {HTMLFormElement} */ (host.querySelector("form"));
  const output = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
  const items = [.../** @type {Element} */ (host.querySelector("details ul")).children];
  const field = form.querySelector("input");
  /** @param {HTMLElement | null} button */
  const after = (button) => {
    button?.click();
    return output.innerText.trim();
  };
  if (!field) {
    const buttons = form.querySelectorAll("button");
    if (buttons.length !== items.length) throw new Error(`${buttons.length} buttons for ${items.length} choices`);
    return [false, items.map((item, at) => [item.querySelector("strong, em")?.matches("strong"), after(buttons[at])])];
  }
  const numbers = items.map((item) => /** @type {HTMLDataElement} */ (item.querySelector("data")));
  const given = [...numbers.map((number) => number.textContent ?? ""), String(17.3 * Number(numbers[0].value) + 1e4), "many"];
  return [true, given.map((text) => {
    field.value = text;
    return after(form.querySelector("button"));
  })];
}
