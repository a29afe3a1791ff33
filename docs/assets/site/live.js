/**
 * Live parts: `data-live="explorer/start"` on an element loads explorer/start.js for it.
 */

/** @typedef {{ start(host: HTMLElement): void }} Live */

/** Sliders load when the reader scrolls near them. */
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    load(/** @type {HTMLElement} */ (target));
  }
}, { rootMargin: "100%" });

/** @param {HTMLElement} host */
function load(host) {
  import(`../${host.dataset.live}.js`).then((/** @type {Live} */ live) => live.start(host)).catch((error) => {
    host.querySelector(".sliders-panel")?.remove();
    host.append("This part could not be loaded. Reload the page.");
    console.warn(error);
  });
}

for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
  if (host.matches(".sliders")) near.observe(host);
  else load(host);
}
