/**
 * Functions with which tests read and operate the figures of a page.
 * @module figures
 */

/** @typedef {HTMLElement & { layout: any, data: any[], _fullData: any[] }} Plot */

const PLOTS = () => /** @type {NodeListOf<Plot>} */ (document.querySelectorAll(".pf-plot"));

/** The parts of the plot that lie outside the figure's stage. @param {Element} figure */
export function stray(figure) {
  const stage = /** @type {Element} */ (figure.querySelector(".pf-stage")).getBoundingClientRect();
  return [...figure.querySelectorAll(".pf-plot :is(.main-svg, text)")].filter((e) => {
    const box = e.getBoundingClientRect();
    return box.bottom > stage.bottom + 2 || box.top < stage.top - 2 || box.right > stage.right + 2;
  }).map((e) => (e.textContent ?? "").slice(0, 40));
}

/**
 * Pairs of names that lie on each other: titles, the legend, axis titles, and Plotly's buttons.
 * @param {Element} figure
 */
function crowded(figure) {
  const kinds = ".annotation-text, .legend, .ytick > text, .xtitle, .x2title, .ytitle, .y2title, .cbtitle text, .cbaxis text, .modebar-group";
  const named = [...figure.querySelectorAll(kinds)].flatMap((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const name = (element.textContent || String(element.getAttribute("class"))).slice(0, 40);
    return right > left && bottom > top ? [{ name, left, right, top, bottom }] : [];
  });
  const apart = 1; // boxes of letters are higher than the letters
  return named.flatMap((one, index) => named.slice(index + 1).flatMap((other) => (
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > apart
    && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3 * apart
      ? [`${one.name} / ${other.name}`] : []
  )));
}

/** The pairs of each figure, by its id. */
export function allCrowded() {
  return Object.fromEntries(Array.from(document.querySelectorAll(".pf[data-bundle]"), (figure) => [figure.id, crowded(figure)]));
}

export function breakPlotly() {
  window.Plotly.react = () => Promise.reject(new Error("planted"));
}

/** The data that Plotly drew. @param {Plot} plot */
function drawn(plot) {
  /** @type {(value: any) => any} */
  const plain = (value) => ArrayBuffer.isView(value) || Array.isArray(value)
    ? Array.from(/** @type {any} */ (value), plain) : value;
  return plot._fullData.map((trace) => {
    const { name, type } = trace;
    const axes = ["x", "y", "z"].filter((axis) => trace[axis] !== undefined);
    return { name, type, ...Object.fromEntries(axes.map((axis) => [axis, plain(trace[axis])])) };
  });
}

/** The hover text of a point of each trace that has one, and its template. @param {Plot} plot */
function hoverTexts(plot) {
  /** @param {any[]} axis @param {number} index */
  const place = (axis, index) => typeof axis[index] === "string" ? index : axis[index];
  return plot._fullData.flatMap((trace, index) => {
    if (trace.hoverinfo === "skip" || trace.visible !== true || !trace.x || trace.scene) return [];
    const point = trace.z ? { xval: place(trace.x, 1), yval: place(trace.y, 0) }
      : { pointNumber: Math.min(1, trace.x.length - 1) };
    window.Plotly.Fx.hover(plot, [{ curveNumber: index, ...point }], trace.xaxis + trace.yaxis);
    const text = Array.from(plot.querySelectorAll(".hovertext"), (e) => e.textContent).join(" ");
    window.Plotly.Fx.unhover(plot);
    return [[text, trace.hovertemplate]];
  });
}

/** The name, the link to the data, the data and the hover texts of each interactive figure. */
export function plotted() {
  return Array.from(document.querySelectorAll(".pf[data-bundle]"), (figure) => {
    const plot = /** @type {Plot} */ (figure.querySelector(".pf-plot"));
    const link = figure.querySelector(".pf-links a:is([href$='.csv'], [href$='.json'])")?.getAttribute("href");
    return { name: figure.id, link, drawn: drawn(plot), hover: hoverTexts(plot) };
  });
}

/** The colours of the static figures and of the plots. */
export function colours() {
  /** @param {string} selector @param {"color" | "stroke" | "fill"} property */
  const styles = (selector, property) =>
    Array.from(document.querySelectorAll(selector), (e) => getComputedStyle(e)[property]);
  const plots = [...PLOTS()];
  return {
    scheme: document.body.dataset.mdColorScheme,
    text: styles(".pf-stage > svg", "color"),
    lines: styles(".pf-stage > svg path[style*='--fig-1']", "stroke"),
    grid: [
      ...styles(".pf-stage > svg path[style*='--fig-grid']", "stroke"),
      ...plots.flatMap(({ layout }) => layout.xaxis?.gridcolor ?? []),
    ],
    fonts: plots.map((plot) => plot.layout.font.color),
    ticks: styles(".pf-plot .xtick text, .pf-plot .cbaxis text", "fill"),
    ink: styles(".pf-plot", "color"),
    traces: plots.flatMap((plot) => plot.data.map((trace) => trace.line?.color ?? trace.marker?.color)
      .filter((color) => typeof color === "string" && color !== "white")), // white lies on a picture
  };
}

/** Whether all plots have the colours of the page's scheme. */
export function recoloured() {
  return [...PLOTS()].every((plot) => plot.layout.font.color === getComputedStyle(plot).color);
}

/** Whether all plots that show are as wide as their place. */
export function fitted() {
  return [...PLOTS()].every((plot) => !plot.clientWidth || /** @type {any} */ (plot)._fullLayout.width === plot.clientWidth);
}
