/**
 * Figures: a page shows SVG. The button of a figure that has more to show than its picture loads
 * plots.js, which draws an interactive figure over it.
 */

/** @type {Promise<typeof import("./plots.js")> | undefined} */
let plots;
let failures = 0;

/** plots.js, loaded once a visit. Browsers cache a failed import, so a retry adds a query string. */
function loadPlots() {
  plots ??= import(failures ? `./plots.js?${failures}` : "./plots.js").catch((error) => {
    plots = undefined;
    failures += 1;
    throw error;
  });
  return /** @type {NonNullable<typeof plots>} */ (plots);
}

/** Let the button make `figure` interactive, and bring its picture back. @param {HTMLElement} figure */
function equip(figure) {
  const stage = /** @type {HTMLElement} */ (figure.querySelector(".pf-stage"));
  const button = /** @type {HTMLButtonElement} */ (figure.querySelector(".pf-links button"));
  button.hidden = false;
  button.addEventListener("click", async () => {
    const before = figure.dataset.state;
    if (before === "loading") return;
    figure.dataset.state = "loading";
    try {
      const { clear, plot } = await loadPlots();
      await (before === "live" ? clear(stage) : plot(figure, stage));
      figure.dataset.state = before === "live" ? "still" : "live";
      button.textContent = before === "live" ? "Make interactive" : "Back to the static figure";
    } catch (error) {
      figure.dataset.state = "still";
      button.textContent = "Could not load; try again";
      console.warn(error);
    }
  });
}

/** @param {() => void} task that can wait until the browser is idle */
const whenIdle = (task) => (window.requestIdleCallback ?? setTimeout)(task);

for (const stage of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf-stage"))) {
  whenIdle(() => { stage.style.contentVisibility = "visible"; });
}
for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf[data-bundle]"))) equip(figure);
