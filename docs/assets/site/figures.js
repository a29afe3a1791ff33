/**
 * Figures: a page shows SVG. When the reader points at a figure, focuses or taps it, or presses
 * its button, plots.js loads and draws an interactive one over it.
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

/** @param {HTMLElement} figure */
const parts = (figure) => ({
  stage: /** @type {HTMLElement} */ (figure.querySelector(".pf-stage")),
  button: /** @type {HTMLButtonElement} */ (figure.querySelector(".pf-links button")),
});

/**
 * Make `figure` interactive.
 * @param {HTMLElement} figure
 */
async function enliven(figure) {
  if (figure.dataset.state) return;
  figure.dataset.state = "loading";
  const { stage, button } = parts(figure);
  try {
    await (await loadPlots()).plot(figure, stage);
    figure.dataset.state = "live";
    button.textContent = "Back to the static figure";
  } catch (error) {
    delete figure.dataset.state;
    button.textContent = "Could not load; try again";
    console.warn(error);
  }
}

/**
 * Show the SVG of `figure` again.
 * @param {HTMLElement} figure
 */
async function reset(figure) {
  const { stage, button } = parts(figure);
  figure.dataset.state = "still"; // until the reader presses the button
  button.textContent = "Make interactive";
  (await loadPlots()).clear(stage);
}

/**
 * Make `figure` interactive as soon as the reader points at it or focuses it.
 * @param {HTMLElement} figure
 * @param {HTMLElement} stage
 */
function enlivenOnIntent(figure, stage) {
  stage.tabIndex = 0;
  stage.setAttribute("role", "group");
  stage.setAttribute("aria-label", "Figure; becomes interactive when focused");
  for (const intent of ["focusin", "click"]) stage.addEventListener(intent, () => enliven(figure));
  stage.addEventListener("pointerenter", ({ pointerType }) => {
    if (pointerType !== "touch") enliven(figure); // a finger may only scroll; a tap fires a click
  });
}

/** @param {() => void} task that can wait until the browser is idle */
const whenIdle = (task) => (window.requestIdleCallback ?? setTimeout)(task);

for (const stage of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf-stage"))) {
  whenIdle(() => { stage.style.contentVisibility = "visible"; });
}
for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf[data-bundle]"))) {
  const { stage, button } = parts(figure);
  button.hidden = false;
  if (figure.closest("[data-live]")) figure.dataset.state = "still"; // sliders use the SVG: only the button makes a plot
  else enlivenOnIntent(figure, stage);
  button.addEventListener("click", () => {
    if (figure.dataset.state === "loading") return;
    if (figure.dataset.state === "live") reset(figure);
    else { delete figure.dataset.state; enliven(figure); }
  });
}
