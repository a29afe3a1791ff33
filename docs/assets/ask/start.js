/**
 * An exercise that answers: the reader gives a number or chooses, and hears whether it is right, which
 * slip it is, or that it is wrong.
 *
 * The list at the start of the exercise's fold has the answers. Numbers: the right one first, then
 * those of slips. Choices: the right ones in bold, the others in italics.
 */

/** @typedef {{ value: number, within: number, isShare: boolean, about: string }} Known a number, and how near to it counts */

/** The answer of an item of the list. @param {Element} item */
const answer = (item) => /** @type {HTMLDataElement} */ (item.querySelector("data, strong, em"));

/** What an item says behind its answer and a colon, as HTML. @param {Element} item */
function about(item) {
  const rest = /** @type {Element} */ (item.cloneNode(true));
  answer(rest).remove();
  return rest.innerHTML.replace(/^[^:<]*:\s*/, "").replace(/^[a-z]/, (letter) => letter.toUpperCase());
}

/** @param {Element} item @param {number} share of the value that counts as equal @returns {Known} */
function known(item, share) {
  const { textContent, value: exact } = answer(item);
  const isShare = /%/.test(textContent ?? "");
  const value = +exact;
  const shown = 0.51 * 10 ** -((/[.](\d+)/.exec(textContent ?? "")?.[1].length ?? 0) + (isShare ? 2 : 0));
  return { value, within: Number.isInteger(value) ? 0 : Math.max(shown, Math.abs(value) * share), isShare, about: about(item) };
}

/**
 * The number that the reader wrote, such as 60,611.5 or 62,83 or 3/8 or 25 %; NaN for anything else.
 * @param {string} text @param {boolean} isShare whether the answer is shown in per cent
 */
export function parsed(text, isShare) {
  const plain = text.replace(/\s/g, "").replace("−", "-").replace(/^(-?(?:0|\d+(?=,\d{1,2}$|,\d{4}))),/, "$1.").replaceAll(",", "");
  const [, top, below = "1", per] = /^([-+\d.e]+)(?:\/([\d.]+))?(%?)$/i.exec(plain) ?? [];
  const value = Number(top ?? NaN) / +below;
  return per || isShare && Math.abs(value) > 1 ? value / 100 : value;
}

/** @param {Known[]} all the right number, then those of slips @param {string} text */
export function judged(all, text) {
  const given = parsed(text, all[0].isShare);
  if (Number.isNaN(given)) return "Write a number, such as 12.5.";
  /** @param {Known} one */
  const away = ({ value }) => Math.abs(given - value);
  const [near] = all.filter((one) => away(one) <= one.within).sort((one, other) => away(one) - away(other));
  if (near) return `<b>${near === all[0] ? "Right" : "Not quite"}.</b> ${near.about}`;
  const { value } = all[0];
  return `<b>${away(all[0]) <= Math.abs(value) / 20 ? "Nearly" : "Not yet"}.</b> It is too ${given < value ? "small" : "large"}.`;
}

/** @param {HTMLElement} host */
export function start(host) {
  const fold = /** @type {HTMLDetailsElement} */ (host.querySelector("details"));
  const items = [.../** @type {Element} */ (fold.querySelector("ul")).children];
  const form = /** @type {HTMLFormElement} */ (host.querySelector("form"));
  const verdict = /** @type {HTMLOutputElement} */ (form.querySelector("output"));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const numbers = items.filter((item) => answer(item)?.matches("data")).map((item) => known(item, +(host.dataset.within ?? 0.005)));
    verdict.innerHTML = judged(numbers, form.querySelector("input")?.value ?? "");
  });
  form.addEventListener("click", ({ target }) => {
    const chosen = /** @type {Element} */ (target).closest("button");
    if (chosen?.type !== "button") return;
    for (const other of form.querySelectorAll("button")) other.setAttribute("aria-pressed", `${other === chosen}`);
    const item = items[+chosen.value];
    verdict.innerHTML = `<b>${answer(item).matches("strong") ? "Right" : "Not so"}.</b> ${about(item)}`;
  });
  form.inert = false;
}
