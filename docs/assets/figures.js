/**
 * Figures: the SVG is there at once; when the reader shows intent (pointer, focus, tap or
 * the button), Plotly is loaded once and draws the same data over it, in the page's colours.
 * @module figures
 */

/** @typedef {{data: object[], layout: Record<string, any>}} Content */

const live = new Map(); // plot element -> content as shipped, colours still named
const loading = new Map(); // bundle file -> promise of Plotly
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/**
 * Plotly from the site's own bundle, loaded once a visit.
 * @param {string} file
 * @returns {Promise<any>}
 */
function plotly(file) {
  if (!loading.has(file)) {
    loading.set(file, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(`vendor/${file}`, import.meta.url).href;
      script.onload = () => { keepStyles(); resolve(window.Plotly); };
      script.onerror = () => { loading.delete(file); reject(new Error(`cannot load ${file}`)); };
      document.head.append(script);
    }));
  }
  return loading.get(file);
}

/** Plotly puts its rules into the head, which instant navigation clears: keep them elsewhere. */
function keepStyles() {
  const rules = [...document.querySelectorAll("style[id^='plotly.js-style']")]
    .flatMap((style) => [.../** @type {HTMLStyleElement} */ (style).sheet?.cssRules ?? []]);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.map((rule) => rule.cssText).join(""));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

/**
 * A copy of `value` with every `var(--name)` replaced by its value in the page's scheme.
 * @param {any} value
 * @param {CSSStyleDeclaration} style
 * @returns {any}
 */
function resolved(value, style) {
  if (typeof value === "string") {
    const name = /^var\((--[\w-]+)\)$/.exec(value);
    return name ? style.getPropertyValue(name[1]).trim() : value;
  }
  if (Array.isArray(value)) return value.map((item) => resolved(item, style));
  if (value && typeof value === "object" && !ArrayBuffer.isView(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item, style)]));
  }
  return value;
}

/**
 * Compute the encoding for the traces that ask for it instead of shipping it.
 * @param {Content} content
 */
async function complete({ data }) {
  for (const trace of /** @type {any[]} */ (data)) {
    if (!trace.meta?.matrix) continue;
    const { length, d_model: width, base, columns } = trace.meta.matrix;
    const { positionalEncoding } = await import("./encoding.js");
    const values = positionalEncoding(length, width, base);
    trace.z = Array.from({ length }, (_, position) => {
      const row = values.subarray(position * width, (position + 1) * width);
      return Float32Array.from(columns ? columns.map((/** @type {number} */ column) => row[column]) : row);
    });
  }
}

/**
 * Draw `content` in `plot`, in the colours and the fonts of the page.
 * @param {any} Plotly
 * @param {HTMLElement} plot
 * @param {Content} content
 */
function draw(Plotly, plot, content) {
  const style = getComputedStyle(document.body);
  const { data, layout } = resolved(content, style);
  layout.font = { family: style.fontFamily, size: 12, color: getComputedStyle(plot).color };
  layout.hoverlabel = { font: { family: style.fontFamily } };
  layout.autosize = true;
  layout.uirevision = "kept"; // a change of scheme keeps the reader's zoom
  if (reducedMotion.matches) layout.transition = { duration: 0 };
  if (plot.clientWidth < 480) { // a row of scenes becomes a column
    scenes(layout).forEach((key, row, { length }) => {
      layout[key].domain = { x: [0, 1], y: [1 - (row + 1) / length, 1 - row / length] };
    });
  }
  return Plotly.react(plot, data, layout, {
    displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"],
  });
}

/**
 * The names of the 3-D scenes in `layout`.
 * @param {Record<string, any>} layout
 */
const scenes = (layout) => Object.keys(layout).filter((key) => key.startsWith("scene"));

/**
 * Turn all scenes of `plot` when the reader turns one, if its layout asks for that.
 * @param {any} Plotly
 * @param {any} plot
 * @param {Content} content
 */
function shareCamera(Plotly, plot, { layout }) {
  if (!layout.meta?.sharedCamera) return;
  const cameras = scenes(layout).map((key) => `${key}.camera`);
  let following = false;
  plot.on("plotly_relayout", async (/** @type {Record<string, any>} */ change) => {
    const turned = cameras.find((key) => key in change);
    if (following || !turned) return;
    following = true;
    await Plotly.relayout(plot, Object.fromEntries(cameras.map((key) => [key, change[turned]])));
    following = false;
  });
}

/**
 * Make `figure` interactive.
 * @param {HTMLElement} figure
 */
async function enliven(figure) {
  if (figure.dataset.state) return;
  figure.dataset.state = "loading";
  const stage = /** @type {HTMLElement} */ (figure.querySelector(".pf-stage"));
  const button = /** @type {HTMLButtonElement} */ (figure.querySelector(".pf-links button"));
  const data = /** @type {HTMLAnchorElement} */ (figure.querySelector(".pf-links a:is([href$='.csv'], [href$='.json'])"));
  try {
    const [Plotly, content] = await Promise.all([
      plotly(figure.dataset.bundle ?? ""),
      fetch(data.href.replace(/csv$/, "json")).then((answer) => {
        if (!answer.ok) throw new Error(`${answer.status} for ${answer.url}`);
        return answer.json();
      }),
    ]);
    await complete(content);
    if (!figure.isConnected || figure.dataset.state !== "loading") return;
    const plot = document.createElement("div");
    plot.className = "pf-plot";
    plot.setAttribute("role", "group");
    plot.setAttribute("aria-label", `Interactive figure: ${stage.querySelector("svg > title")?.textContent}`);
    stage.append(plot);
    stage.classList.add("is-live");
    await draw(Plotly, plot, content);
    shareCamera(Plotly, plot, content);
    live.set(plot, { Plotly, content });
    figure.dataset.state = "live";
    button.textContent = "Back to the static figure";
  } catch (error) {
    stage.classList.remove("is-live");
    stage.querySelector(".pf-plot")?.remove();
    delete figure.dataset.state;
    button.textContent = "Could not load; try again";
    console.warn(error);
  }
}

/**
 * Give `figure` its SVG back.
 * @param {HTMLElement} figure
 */
function still(figure) {
  const plot = /** @type {HTMLElement} */ (figure.querySelector(".pf-plot"));
  live.get(plot).Plotly.purge(plot);
  live.delete(plot);
  plot.remove();
  figure.querySelector(".pf-stage")?.classList.remove("is-live");
  figure.dataset.state = "still"; // the button alone makes it live again
  /** @type {HTMLButtonElement} */ (figure.querySelector(".pf-links button")).textContent = "Make interactive";
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

/** Prepare the figures of the page, and let go of the plots of the page before. */
function start() {
  for (const [plot, { Plotly }] of live) {
    if (!plot.isConnected) { Plotly.purge(plot); live.delete(plot); }
  }
  for (const stage of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf-stage"))) {
    whenIdle(() => { stage.style.contentVisibility = "visible"; });
  }
  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pf[data-bundle]:not([data-ready])"))) {
    figure.dataset.ready = "";
    const stage = /** @type {HTMLElement} */ (figure.querySelector(".pf-stage"));
    const button = /** @type {HTMLButtonElement} */ (figure.querySelector(".pf-links button"));
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

new MutationObserver(() => {
  for (const [plot, { Plotly, content }] of live) draw(Plotly, plot, content);
}).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });

// Material tells of each page, the first and those that come by instant navigation.
if (window.document$) window.document$.subscribe(start);
else start();
