/**
 * Live parts: the module that an element names in `data-live` is loaded when the page has one.
 * @module site/live
 */

/** @typedef {{ start(host: HTMLElement): () => void }} Live `start` gives back what stops it */

/** @type {Map<HTMLElement, () => void>} */
const running = new Map();

/** A figure's controls are loaded as the reader comes near. */
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    load(/** @type {HTMLElement} */ (target));
  }
}, { rootMargin: "100%" });

/** @param {HTMLElement} host */
function load(host) {
  import(`../${host.dataset.live}.js`).then((/** @type {Live} */ live) => {
    if (host.isConnected) running.set(host, live.start(host));
  }).catch((error) => {
    running.delete(host);
    host.append("This part could not be loaded. Load the page again to retry.");
    console.warn(error);
  });
}

/** Start the live parts of the page, and stop those of the page before. */
function start() {
  near.disconnect();
  for (const [host, stop] of running) {
    if (!host.isConnected) { stop(); running.delete(host); }
  }
  for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
    if (running.has(host)) continue;
    running.set(host, () => {});
    if (host.dataset.live?.startsWith("sliders/")) near.observe(host);
    else load(host);
  }
}

if (window.document$) window.document$.subscribe(start);
else start();
