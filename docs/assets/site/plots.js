/**
 * Plots: Plotly draws the data of a figure over its SVG, in the colours of the page.
 */

/** @typedef {{data: object[], layout: Record<string, any>}} Content */

const live = new Map(); // plot element -> its content, with colours still as var(--name)
const loading = new Map(); // bundle file -> promise of Plotly
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** Plotly, from a bundle on this site, loaded once a visit. @param {string} file @returns {Promise<any>} */
function plotly(file) {
  if (!loading.has(file)) {
    loading.set(file, new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(`../vendor/${file}`, import.meta.url).href;
      script.onload = () => resolve(window.Plotly);
      script.onerror = () => { loading.delete(file); reject(new Error(`cannot load ${file}`)); };
      document.head.append(script);
    }));
  }
  return loading.get(file);
}

/**
 * A copy of `value` with every `var(--name)` replaced by its colour in the present scheme.
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

/** Compute the matrix for traces whose JSON gives only its size, which is smaller. @param {Content} content */
async function complete({ data }) {
  for (const trace of /** @type {any[]} */ (data)) {
    if (!trace.meta?.matrix) continue;
    const { length, d_model: width, base, columns } = trace.meta.matrix;
    const { positionalEncoding } = await import("../maths/encoding.js");
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
  layout.uirevision = "kept"; // switching the scheme keeps the zoom
  if (reducedMotion.matches) layout.transition = { duration: 0 };
  layout.modebar = { bgcolor: "#0000", color: style.getPropertyValue("--md-default-fg-color--light"), activecolor: layout.font.color };
  const axes = Object.keys(layout).filter((key) => key.startsWith("yaxis"));
  let rows = new Set(axes.map((key) => `${layout[key].domain}`)).size; // of panels
  if (plot.clientWidth < 480) { // on phones, 3-D scenes stand below each other
    rows ||= scenes(layout).length;
    scenes(layout).forEach((key, row, { length }) => {
      layout[key].domain = { x: [0, 1], y: [1 - (row + 1) / length, 1 - row / length] };
    });
  }
  plot.parentElement?.style.setProperty("--rows", `${rows}`); // the stylesheet gives each row a height
  return Plotly.react(plot, data, layout, {
    displaylogo: false, responsive: true, modeBarButtonsToRemove: ["select2d", "lasso2d"],
  });
}

/** The names of the 3-D scenes in `layout`. @param {Record<string, any>} layout */
const scenes = (layout) => Object.keys(layout).filter((key) => key.startsWith("scene"));

/**
 * If the layout says so, turn all scenes of `plot` when the reader turns one.
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

/** Draw the data of `figure` over its SVG. @param {HTMLElement} figure @param {HTMLElement} stage */
export async function plot(figure, stage) {
  const data = /** @type {HTMLAnchorElement} */ (figure.querySelector(".pf-links a:is([href$='.csv'], [href$='.json'])"));
  const [Plotly, content] = await Promise.all([
    plotly(figure.dataset.bundle ?? ""),
    fetch(data.href.replace(/csv$/, "json")).then((answer) => {
      if (!answer.ok) throw new Error(`${answer.status} for ${answer.url}`);
      return answer.json();
    }),
  ]);
  await complete(content);
  const place = document.createElement("div");
  place.className = "pf-plot";
  place.setAttribute("role", "group");
  place.setAttribute("aria-label", `Interactive figure: ${stage.querySelector("svg > title")?.textContent}`);
  stage.append(place);
  stage.classList.add("is-live");
  try {
    await draw(Plotly, place, content);
    shareCamera(Plotly, place, content);
    live.set(place, { Plotly, content });
  } catch (error) {
    clear(stage);
    throw error;
  }
}

/** Remove the plot of a figure and show its SVG again. @param {HTMLElement} stage */
export function clear(stage) {
  const place = stage.querySelector(".pf-plot");
  live.get(place)?.Plotly.purge(place);
  live.delete(place);
  place?.remove();
  stage.classList.remove("is-live");
}

function redraw() {
  for (const [place, { Plotly, content }] of live) draw(Plotly, place, content);
}

new MutationObserver(redraw).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw); // embed pages have no toggle
