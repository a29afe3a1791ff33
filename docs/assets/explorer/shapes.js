/**
 * The shapes in the views: SVG elements as data.
 */

/** @typedef {(value: number) => number} Scale */
/** @typedef {Record<string, string | number>} Attributes */
/**
 * An element of SVG. A drawing changes only `place` and `content` (text or markup) of the elements
 * that are there; another `style` makes a new element, so each style is one object, made once.
 * Shapes with the same tag and style have the same attributes in `place`.
 * @typedef {[tag: string, place: Attributes, style?: Attributes, content?: string]} Shape
 */

export const LEFT = 50;

/** @param {number} value pixels, rounded to a tenth */
export const px = (value) => Math.round(value * 10) / 10;

/** @type {string[]} */
const numerals = [];

/** `px(value)` as text. A line has many points, and looking a number up takes less time than writing it. @param {number} value */
function written(value) {
  const tenths = Math.round(value * 10);
  return numerals[tenths] ??= String(tenths / 10);
}

/** @param {number} value @param {number} least @param {number} most */
export const between = (value, least, most) => Math.min(most, Math.max(least, value));

/** @param {number} from @param {number} to values @param {number} start @param {number} end pixels @returns {Scale} */
export function scale(from, to, start, end) {
  return (value) => start + (value - from) / (to - from) * (end - start);
}

/**
 * Up to `count` of the pairs, evenly over all of them, each with its place on a scale from 0 to 7.
 * @param {number} pairs @param {number} [count]
 * @returns {[pair: number, place: number][]}
 */
export function spread(pairs, count = pairs) {
  const last = Math.min(pairs, count) - 1;
  return Array.from({ length: last + 1 }, (_, index) => [Math.round(index * (pairs - 1) / (last || 1)), Math.round(index * 7 / (last || 1))]);
}

/** Round whole numbers from 0 to below `end`, about `count` of them. @param {number} end @param {number} count */
export function ticks(end, count) {
  const rough = end / count;
  const decade = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((size) => size >= rough) ?? 1;
  return Array.from({ length: Math.ceil(end / step) }, (_, index) => index * step);
}

/** @param {number} x @param {number} y @param {string} text @param {Attributes} [style] @returns {Shape} */
export function label(x, y, text, style) {
  return ["text", { x: px(x), y: px(y) }, style, text];
}

export const MIDDLE = { "text-anchor": "middle" };
export const END = { "text-anchor": "end" };
export const ITALIC = { "font-style": "italic" };
export const INK = { stroke: "currentColor" };
export const FINE = { ...MIDDLE, "fill-opacity": ".8" };

/**
 * A straight line. Its ends are attributes without style, so the browser need not compute styles when they change.
 * @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2
 * @param {Attributes} style
 * @returns {Shape}
 */
export function straight(x1, y1, x2, y2, style) {
  return ["line", { x1: px(x1), y1: px(y1), x2: px(x2), y2: px(y2) }, style];
}

/** Points as SVG writes them. @param {number[][]} points */
const listed = (points) => points.map(([x, y]) => `${px(x)},${px(y)}`).join(" ");

/** Straight lines from point to point. @param {number[][]} points @param {Attributes} style @returns {Shape} */
export const chain = (points, style) => ["polyline", { points: listed(points) }, style];

/**
 * A curve as `count` straight lines, or as no line.
 * @param {number} count
 * @param {(part: number) => number} along the curve's parameter, from the part of the way, 0 to 1
 * @param {Scale} x of the parameter
 * @param {Scale} y of the parameter
 * @param {Attributes} style
 * @returns {Shape}
 */
export function curve(count, along, x, y, style) {
  let points = "";
  for (let step = 0; count && step <= count; step++) {
    const at = along(step / count);
    points += `${written(x(at))},${written(y(at))} `;
  }
  return ["polyline", { points }, style];
}

/** @param {string} d @param {Attributes} style @returns {Shape} */
export function path(d, style) {
  return ["path", { d }, style];
}

const GRID = { stroke: "var(--fig-grid)" };
export const AXIS = { ...INK, fill: "none", "stroke-width": 0.7 };
const UPWARDS = { ...MIDDLE, transform: "rotate(-90)" };

/**
 * Two axes with ticks and titles.
 * @param {[number, string][]} xs pixels and labels
 * @param {[number, string][]} ys
 * @param {string} xTitle
 * @param {string} yTitle
 * @param {{ left: number, right: number, top: number, bottom: number, rules?: boolean }} box
 * @returns {Shape[]}
 */
export function axes(xs, ys, xTitle, yTitle, { left, right, top, bottom, rules = false }) {
  const lines = rules ? ys.map(([y]) => `M${left},${px(y)}H${right}`).join("") : "";
  const marks = xs.map(([x]) => `M${px(x)},${bottom}v4`).join("") + ys.map(([y]) => `M${left},${px(y)}h-4`).join("");
  return [
    path(lines, GRID),
    path(`${marks}M${left},${top}V${bottom}H${right}`, AXIS),
    ...xs.map(([x, text]) => label(x, bottom + 15, text, MIDDLE)),
    ...ys.map(([y, text]) => label(left - 7, y + 4, text, END)),
    label((left + right) / 2, bottom + 31, xTitle, MIDDLE),
    label((top + bottom) / -2, 11, yTitle, UPWARDS),
  ];
}

const WIDTH = 1.6; // pixels of a line

/**
 * A function that draws a line through `count` points, on a scale that only rises, or only falls.
 * Where a pixel has more than two points, those within the width of the line become a stroke from the least value to the greatest.
 * @param {number} count
 * @param {Scale} x of an index
 * @param {(index: number) => number} value of an index
 * @returns {(y: Scale, style: Attributes) => Shape}
 */
export function line(count, x, value) {
  const wide = Math.abs(x(count - 1) - x(0));
  const group = count > 2 * wide ? Math.min(count, Math.floor(count / wide * WIDTH)) : 1;
  const strokes = new Float64Array(3 * Math.ceil(count / group)); // the place, the least value and the greatest of each
  for (let first = 0, at = 0; first < count; first += group, at += 3) {
    const end = Math.min(count, first + group);
    let least = value(first);
    let most = least;
    for (let index = first + 1; index < end; index++) {
      const one = value(index);
      if (one < least) least = one;
      if (one > most) most = one;
    }
    strokes[at] = x((first + end - 1) / 2);
    strokes[at + 1] = least;
    strokes[at + 2] = most;
  }
  return (y, style) => ["polyline", { points: straightened(strokes, y) }, style];
}

const SLACK = 0.1; // pixels

/**
 * The points of `strokes`, without those that lie within SLACK of the straight line between the points that are left. A stroke
 * that is shorter than SLACK is a point.
 * @param {Float64Array} strokes
 * @param {Scale} y
 */
function straightened(strokes, y) {
  let points = "";
  let [fromX, fromY, lastX, lastY] = [NaN, NaN, NaN, NaN];
  let [least, most] = [0, 0]; // between these slopes, a line from the last point in `points` is near enough to those after it
  const add = (/** @type {number} */ left, /** @type {number} */ top) => {
    const slope = (top - fromY) / (left - fromX);
    if (!(slope >= least && slope <= most)) {
      if (!Number.isNaN(lastX)) points += `${written(lastX)},${written(lastY)} `;
      [fromX, fromY] = [lastX, lastY];
      [least, most] = [-Infinity, Infinity];
    }
    const wide = left - fromX;
    least = Math.max(least, (top - SLACK - fromY) / wide);
    most = Math.min(most, (top + SLACK - fromY) / wide);
    [lastX, lastY] = [left, top];
  };
  for (let at = 0; at < strokes.length; at += 3) {
    const [one, other] = [y(strokes[at + 1]), y(strokes[at + 2])];
    if (Math.abs(other - one) > SLACK) {
      add(strokes[at], one);
      add(strokes[at], other);
    } else add(strokes[at], (one + other) / 2);
  }
  return `${points}${written(lastX)},${written(lastY)}`;
}

/** @param {number} series 1 to 5 @returns {Attributes} */
export const pen = (series) => ({ fill: "none", stroke: `var(--fig-${series})`, "stroke-width": WIDTH, "stroke-linejoin": "round" });

export const DASHED = { "stroke-dasharray": "6 3" };
export const DOTS = { "stroke-dasharray": "0 1" };
export const SOLID = pen(1);
export const BROKEN = { ...pen(2), ...DASHED };
export const SPOTTED = { ...pen(3), "stroke-dasharray": "2 2.5", "stroke-width": 2.2 };

const OUTER = { fill: "none", stroke: "#000", "stroke-width": 3, "stroke-opacity": ".55" };
export const INNER = { fill: "none", stroke: "#fff", "stroke-width": 1.4 };

/**
 * A thin frame that is visible on every colour of the matrix.
 * @param {number} left @param {number} top @param {number} width @param {number} height
 * @param {Attributes} inner style of the inner of its two lines
 * @returns {Shape[]}
 */
export function outline(left, top, width, height, inner) {
  const [right, bottom] = [left + width, top + height];
  const points = listed([[left, top], [right, top], [right, bottom], [left, bottom]]);
  return [
    ["polygon", { points }, OUTER],
    ["polygon", { points }, inner],
  ];
}

/** The names of lines, each after a sample of its line. @param {[name: string, pen: Attributes][]} lines */
export function legend(lines) {
  let x = LEFT;
  return lines.flatMap(([name, drawn]) => {
    const at = x;
    x += 30 + 6 * name.length;
    return [straight(at, 9, at + 20, 9, drawn), label(at + 25, 13, name)];
  });
}

export const ROUND = { "stroke-linecap": "round" };
export const SQUARE = { "stroke-linecap": "square" };

/** A line from the top of a box to its bottom. @param {number} x @param {{ top: number, bottom: number }} box @param {Attributes} [style] */
export const upright = (x, { top, bottom }, style = INK) => straight(x, top, x, bottom, style);

const RING = { fill: "none", ...INK, "stroke-width": 1.5 };

/** @param {number} x @param {number} y @param {number} r @param {Attributes} [style] @returns {Shape} */
export function ring(x, y, r, style = RING) {
  return ["circle", { cx: px(x), cy: px(y), r: px(r) }, style];
}

/**
 * Dots at the indices `from` to below `end`, which must lie on a straight line at equal steps, as
 * wavelengths on a logarithmic axis do. One line draws them all: its dashes have length 0 and caps.
 * @param {number} from
 * @param {number} end
 * @param {Scale} x of an index
 * @param {Scale} y of an index
 * @param {Attributes} style with DOTS
 * @returns {Shape[]}
 */
export function dots(from, end, x, y, style) {
  const steps = end - 1 - from;
  if (steps < 0) return [];
  const [top, bottom] = [y(from), y(end - 1)];
  // A tenth of a step longer, and some of a pixel, so that rounding does not lose the last dot, or the only one.
  const ends = straight(x(from), top, x(end - 0.9) + 0.05, bottom + (bottom - top) / (10 * steps || 1), style);
  ends[1].pathLength = steps + 0.1;
  return [ends];
}
