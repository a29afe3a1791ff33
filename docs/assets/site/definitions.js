/**
 * The definitions of the glossary, from its own page.
 */

/** @type {Map<string, Promise<Document>>} pages by address */
const pages = new Map();

/** @param {string} address */
async function load(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/** The definition of a term, as text and formulas. @param {HTMLAnchorElement} link @returns {Promise<ChildNode[]>} */
export async function definition(link) {
  const [address, anchor] = link.href.split("#");
  const page = pages.get(address) ?? load(address);
  pages.set(address, page);
  page.catch(() => pages.delete(address)); // so that the next request loads it again
  const found = /** @type {Element} */ ((await page).getElementById(anchor)?.nextElementSibling?.cloneNode(true));
  for (const inner of found.querySelectorAll("a, data")) {
    const { previousSibling: before, nextSibling: after } = inner;
    const words = before?.textContent?.match(/(; s|S)ee $/);
    if (!words || !before) { inner.replaceWith(...inner.childNodes); continue; }
    before.textContent = String(before.textContent).slice(0, words.index);
    if (words[1] === "S" && after) after.textContent = String(after.textContent).replace(/^\./, "");
    inner.remove();
  }
  return [...document.importNode(found, true).childNodes];
}
