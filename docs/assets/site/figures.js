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

/** In each state: the text of the button, and what a screen reader says after the figure's title. */
const STATES = {
  ready: ["Make interactive", "becomes interactive when focused"],
  live: ["Back to the static figure", "interactive"],
  still: ["Make interactive", "static"], // only the button changes it
};

/** Let the reader make `figure` interactive. @param {HTMLElement} figure */
function equip(figure) {
  const stage = /** @type {HTMLElement} */ (figure.querySelector(".pf-stage"));
  const button = /** @type {HTMLButtonElement} */ (figure.querySelector(".pf-links button"));
  const title = figure.querySelector("title")?.textContent;
  const now = figure.dataset; // `state` is one of STATES, or "loading"

  /** @param {keyof typeof STATES} next */
  function become(next) {
    const [text, words] = STATES[next];
    now.state = next;
    button.textContent = text;
    stage.ariaLabel = `${title}; ${words}`;
  }

  async function enliven() {
    const before = /** @type {keyof typeof STATES} */ (now.state);
    now.state = "loading";
    try {
      await (await loadPlots()).plot(figure, stage);
      become("live");
    } catch (error) {
      become(before);
      button.textContent = "Could not load; try again";
      console.warn(error);
    }
  }

  const enlivenOnce = () => { if (now.state === "ready") enliven(); };

  button.hidden = false;
  stage.role = "group";
  if (figure.closest("[data-live]")) become("still"); // sliders use the SVG: only the button makes a plot
  else {
    become("ready");
    stage.tabIndex = 0;
    stage.onfocus = stage.onclick = enlivenOnce;
    stage.onpointerenter = ({ pointerType }) => {
      if (pointerType !== "touch") enlivenOnce(); // a finger may only scroll; a tap fires a click
    };
  }
  button.addEventListener("click", async () => {
    if (now.state === "live") {
      become("still");
      (await loadPlots()).clear(stage);
    } else if (now.state !== "loading") enliven();
  });
}

/** @param {() => void} task that can wait until the browser is idle */
const whenIdle = (task) => (window.requestIdleCallback ?? setTimeout)(task);

for (const stage of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf-stage"))) {
  whenIdle(() => { stage.style.contentVisibility = "visible"; });
}
for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf[data-bundle]"))) equip(figure);
