/**
 * The search as a reader uses it.
 * @module search
 */

/** Resolves when the list of results changes and `isDone`. @param {() => boolean} isDone */
function changed(isDone) {
  const results = /** @type {Element} */ (document.querySelector(".md-search-result"));
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      if (!isDone()) return;
      observer.disconnect();
      resolve(undefined);
    });
    observer.observe(results, { childList: true, subtree: true });
  });
}

/** Whether the search has its index: until then, it says neither a number of results nor that it waits for a query. */
function isReady() {
  const { translations } = JSON.parse(document.querySelector("#__config")?.textContent ?? "");
  const said = document.querySelector(".md-search-result__meta")?.textContent ?? "";
  const texts = ["placeholder", "none", "one", "other"].map((name) => translations[`search.result.${name}`]);
  return texts.includes(said.replace(/^(?!1 )\d+/, "#"));
}

/** Type `query` into the open search, and wait for its results. @param {string} query */
async function answer(query) {
  // An answer to the empty query may come later than one that is typed before the index is there.
  if (!isReady()) await changed(isReady);
  const field = /** @type {HTMLInputElement} */ (document.querySelector(".md-search__input"));
  const shown = changed(() => true);
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
