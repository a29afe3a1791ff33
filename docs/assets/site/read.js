/**
 * A page whose end the reader has seen gets a mark in the navigation. Only the reader's browser knows it.
 */

const { __md_get, __md_set } = /** @type {any} */ (window); // the theme's, which keep the choice of the scheme
const read = new Set(__md_get("read") ?? []);

/** Mark the links to pages that were read. */
export function mark() {
  for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".md-nav--primary a, .md-content ol a"))) {
    link.classList.toggle("is-read", read.has(link.pathname) && !link.hash);
  }
}

new IntersectionObserver(([{ isIntersecting }], observer) => {
  if (!isIntersecting) return;
  observer.disconnect();
  __md_set("read", [...read.add(location.pathname)]);
  mark();
}).observe(/** @type {Element} */ (document.querySelector(".md-footer")));
mark();
