/**
 * Live parts: the module that an element names in `data-live` is loaded when the page has one.
 * @module live
 */

/** @typedef {{ start(host: HTMLElement): () => void }} Live `start` gives back what stops it */

/** @type {Record<string, () => Promise<Live>>} */
const modules = {
  explorer: () => import("./explorer.js"),
  sortable: () => import("./sortable.js"),
  "which-encoding": () => import("./which-encoding.js"),
};

/** @type {Map<HTMLElement, () => void>} */
const running = new Map();

/** Start the live parts of the page, and stop those of the page before. */
function start() {
  for (const [host, stop] of running) {
    if (!host.isConnected) { stop(); running.delete(host); }
  }
  for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
    if (running.has(host)) continue;
    running.set(host, () => {});
    modules[host.dataset.live ?? ""]().then((live) => {
      if (host.isConnected) running.set(host, live.start(host));
    }).catch((error) => {
      running.delete(host);
      host.textContent = "This part could not be loaded. Load the page again to retry.";
      console.warn(error);
    });
  }
}

if (window.document$) window.document$.subscribe(start);
else start();
