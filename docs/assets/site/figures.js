/**
 * Figures: the SVG is there at once; when the reader shows intent (pointer, focus, tap or
 * the button), what draws interactive ones is loaded.
 * @module site/figures
 */

/** @type {Promise<typeof import("./plots.js")> | undefined} */
let plots;
let failures = 0;

/** The module that draws, loaded once a visit. Browsers cache a failed import, so a retry adds a query string. */
function drawing() {
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
    await (await drawing()).plot(figure, stage);
    figure.dataset.state = "live";
    button.textContent = "Back to the static figure";
  } catch (error) {
    delete figure.dataset.state;
    button.textContent = "Could not load; try again";
    console.warn(error);
  }
}

/**
 * Give `figure` its SVG back.
 * @param {HTMLElement} figure
 */
async function still(figure) {
  const { stage, button } = parts(figure);
  figure.dataset.state = "still"; // the button alone makes it live again
  button.textContent = "Make interactive";
  (await drawing()).clear(stage);
}

/**
 * Make `figure` interactive as soon as the reader turns to it.
 * @param {HTMLElement} figure
 * @param {HTMLElement} stage
 */
function answerToIntent(figure, stage) {
  stage.tabIndex = 0;
  stage.setAttribute("role", "group");
  stage.setAttribute("aria-label", "Figure; becomes interactive when focused");
  for (const intent of ["focusin", "click"]) stage.addEventListener(intent, () => enliven(figure));
  stage.addEventListener("pointerenter", ({ pointerType }) => {
    if (pointerType !== "touch") enliven(figure); // a finger may be scrolling; a tap clicks
  });
}

/** @param {() => void} task to be done when the page has nothing else to do */
const whenIdle = (task) => (window.requestIdleCallback ?? setTimeout)(task);

/** Prepare the figures of the page. */
function start() {
  for (const stage of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf-stage"))) {
    whenIdle(() => { stage.style.contentVisibility = "visible"; });
  }
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf[data-bundle]:not([data-ready])"))) {
    figure.dataset.ready = "";
    const { stage, button } = parts(figure);
    button.hidden = false;
    if (figure.closest("[data-live]")) figure.dataset.state = "still"; // it has controls of its own: the button alone
    else answerToIntent(figure, stage);
    button.addEventListener("click", () => {
      if (figure.dataset.state === "loading") return;
      if (figure.dataset.state === "live") still(figure);
      else { delete figure.dataset.state; enliven(figure); }
    });
  }
}

// Material tells of each page, the first and those that come by instant navigation.
if (window.document$) window.document$.subscribe(start);
else start();
