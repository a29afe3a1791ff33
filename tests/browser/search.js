/**
 * The search as a reader uses it.
 * @module search
 */

/** Type `query` into the open search, and wait for its results. @param {string} query */
async function answer(query) {
  const field = /** @type {HTMLInputElement} */ (document.querySelector(".md-search__input"));
  const results = /** @type {Element} */ (document.querySelector(".md-search-result"));
  const shown = new Promise((resolve) => {
    const observer = new MutationObserver(() => (observer.disconnect(), resolve(undefined)));
    observer.observe(results, { childList: true, subtree: true });
  });
  field.value = query;
  field.dispatchEvent(new KeyboardEvent("keyup"));
  await shown;
}

/**
 * For each of the queries, the pages that the search shows, with their links, sections and marks.
 * @param {string[]} queries
 */
export async function found(queries) {
  const pages = [];
  for (const query of queries) {
    await answer(query);
    pages.push([...document.querySelectorAll(".md-search-result__item")].map((item) => ({
      links: [...item.querySelectorAll("a")].map(({ href }) => href),
      marked: [...item.querySelectorAll("mark")].map(({ textContent }) => textContent),
      sections: [...item.querySelectorAll("a:has(h2)")].map((link) => ({
        href: /** @type {HTMLAnchorElement} */ (link).href,
        text: link.querySelector("article > p:not(.md-search-result__terms)")?.textContent ?? "",
      })),
    })));
  }
  return pages;
}
