/**
 * Live parts: `data-live="explorer/start"` on an element loads explorer/start.js for it.
 */

/** @typedef {{ start(host: HTMLElement): () => void }} Live `start` returns a function that stops the part */

/** @type {Map<HTMLElement, () => void>} */
const running = new Map();

/** Sliders load when the reader scrolls near them. */
const near = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    load(/** @type {HTMLElement} */ (target));
  }
}, { rootMargin: "100%" });

/** Wait for the stylesheets that instant navigation has added: a live part may measure its place. */
async function styled() {
  for (const link of /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]"))) {
    if (!link.sheet) await new Promise((done) => { link.onload = link.onerror = done; });
  }
}

/** @param {HTMLElement} host */
function load(host) {
  import(`../${host.dataset.live}.js`).then(async (/** @type {Live} */ live) => {
    await styled();
    if (host.isConnected) running.set(host, live.start(host));
  }).catch((error) => {
    running.delete(host);
    host.querySelector(".sliders-panel")?.remove();
    host.append("This part could not be loaded. Reload the page.");
    console.warn(error);
  });
}

/** Start the live parts of this page, and stop those of the page that the reader left. */
function start() {
  near.disconnect();
  for (const [host, stop] of running) {
    if (!host.isConnected) { stop(); running.delete(host); }
  }
  for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
    if (running.has(host)) continue;
    running.set(host, () => {});
    if (host.matches(".sliders")) near.observe(host);
    else load(host);
  }
}

if (window.document$) window.document$.subscribe(start);
else start();
