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

/** Live parts grow after the browser has gone where the address leads: go there again, until the reader moves. */
const growing = new ResizeObserver(() => document.querySelector(":target")?.scrollIntoView());
for (const move of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  addEventListener(move, () => growing.disconnect(), { once: true, passive: true });
}
const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));

/** @param {HTMLElement} host */
function load(host) {
  import(`../${host.dataset.live}.js`).then((/** @type {Live} */ live) => live.start(host)).catch((error) => {
    host.querySelector(".sliders-panel")?.remove();
    host.append("This part could not be loaded. Reload the page.");
    console.warn(error);
  });
}

for (const host of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
  if (host.matches(".sliders")) {
    near.observe(host);
    continue;
  }
  load(host);
  if (visit?.type === "navigate" && !host.matches(".ask")) growing.observe(host); // after Back and a reload, the browser knows the place
}

addEventListener("load", () => import("./read.js")); // its marks can wait
