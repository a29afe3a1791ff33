/**
 * The views: each draws a model and a mark, and says what lies under a point.
 *
 * Lines, axes and marks are SVG in CSS pixels, with colours named (`var(--fig-1)`), so that
 * they follow the scheme by themselves; the matrix is a canvas beneath its SVG.
 * @module explorer-views
 */

import { encode, law } from "./encoding.js";
import { shownLength } from "./explorer-model.js";
import { shown } from "./numerals.js";
import { VIRIDIS } from "./viridis.js";

/** @typedef {import("./explorer-model.js").Model} Model */
/** @typedef {import("./explorer-model.js").Mark} Mark */
/**
 * @typedef {object} View
 * @property {string} kind
 * @property {string} title
 * @property {"dimension" | "pair" | "position"} across what the left and right arrow keys change
 * @property {boolean} [down] whether the up and down arrow keys change the position
 * @property {number} [most] how many pairs it shows at most
 * @property {(width: number) => number} height
 * @property {(model: Model, size: Size) => string} frame axes
 * @property {(model: Model, size: Size) => number} [framed] what they depend on, besides size, width and length
 * @property {(model: Model, size: Size) => string} data
 * @property {(mark: Mark, model: Model, size: Size) => string} marks
 * @property {(x: number, y: number, model: Model, size: Size) => [position: number, dimension: number]} at
 */
/** @typedef {{ width: number, height: number }} Size */
/** @typedef {(value: number) => number} Scale */

const LEFT = 50;
const BOTTOM = 36;
const HANDS = 8;
const ROTATIONS = 4;

/** @param {number} value a length in pixels, to a tenth */
const px = (value) => Math.round(value * 10) / 10;

/** @param {number} value @param {number} least @param {number} most */
const between = (value, least, most) => Math.min(most, Math.max(least, value));

/**
 * @param {number} from @param {number} to values
 * @param {number} start @param {number} end pixels
 * @returns {Scale}
 */
function scale(from, to, start, end) {
  return (value) => start + (value - from) / (to - from) * (end - start);
}

/**
 * Round whole numbers from 0 to below `end`, about `count` of them.
 * @param {number} end
 * @param {number} count
 */
function ticks(end, count) {
  const rough = end / count;
  const decade = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((size) => size >= rough) ?? 1;
  return Array.from({ length: Math.ceil(end / step) }, (_, index) => index * step);
}

/**
 * @param {number} x @param {number} y
 * @param {string} text
 * @param {string} [rest] further attributes
 */
function label(x, y, text, rest = "") {
  return `<text x="${px(x)}" y="${px(y)}" ${rest}>${text}</text>`;
}

const MIDDLE = 'text-anchor="middle"';
const END = 'text-anchor="end"';

/**
 * Two axes with ticks and titles.
 * @param {[number, string][]} xs pixels and labels
 * @param {[number, string][]} ys
 * @param {string} xTitle
 * @param {string} yTitle
 * @param {{ left: number, right: number, top: number, bottom: number, rules?: boolean }} box
 */
function axes(xs, ys, xTitle, yTitle, { left, right, top, bottom, rules = false }) {
  const lines = rules ? ys.map(([y]) => `M${left},${px(y)}H${right}`).join("") : "";
  const marks = xs.map(([x]) => `M${px(x)},${bottom}v4`).join("") + ys.map(([y]) => `M${left},${px(y)}h-4`).join("");
  return `<path d="${lines}" stroke="var(--fig-grid)"/>`
    + `<path d="${marks}M${left},${top}V${bottom}H${right}" stroke="currentColor" fill="none" stroke-width=".7"/>`
    + xs.map(([x, text]) => label(x, bottom + 15, text, MIDDLE)).join("")
    + ys.map(([y, text]) => label(left - 7, y + 4, text, END)).join("")
    + label((left + right) / 2, bottom + 31, xTitle, MIDDLE)
    + label(0, 0, yTitle, `${MIDDLE} transform="translate(11,${(top + bottom) / 2})rotate(-90)"`);
}

/**
 * A line through `count` points; where several share a pixel, from the least to the greatest of
 * them. A polyline: new points change its shape alone, a new path would change its style too.
 * @param {number} count
 * @param {Scale} x of an index
 * @param {(index: number) => number} y in pixels
 * @param {number} series 1 to 5
 * @param {string} [rest] further attributes
 */
function line(count, x, y, series, rest = "") {
  const wide = Math.abs(x(count - 1) - x(0));
  const group = count > 2 * wide ? Math.ceil(count / wide) : 1;
  let points = "";
  for (let first = 0; first < count; first += group) {
    let least = Infinity;
    let most = -Infinity;
    for (let index = first; index < Math.min(count, first + group); index++) {
      const at = y(index);
      if (at < least) least = at;
      if (at > most) most = at;
    }
    if (least > most) continue; // no number
    const left = px(x(first));
    points += `${left},${px(least)} `;
    if (most - least > 0.1) points += `${left},${px(most)} `;
  }
  return `<polyline points="${points}" ${pen(series)} ${rest}/>`;
}

/** @param {number} series 1 to 5 */
const pen = (series) => `fill="none" stroke="var(--fig-${series})" stroke-width="1.6" stroke-linejoin="round"`;

/**
 * @param {string} path
 * @param {number} series 1 to 5
 * @param {string} [rest] further attributes
 */
function stroke(path, series, rest = "") {
  return `<path d="${path}" ${pen(series)} ${rest}/>`;
}

/**
 * A thin frame that is seen on every colour of the matrix.
 * @param {number} left @param {number} top @param {number} width @param {number} height
 * @param {string} [rest] further attributes
 */
function outline(left, top, width, height, rest = "") {
  const [right, bottom] = [left + width, top + height];
  const points = [[left, top], [right, top], [right, bottom], [left, bottom]].map(([x, y]) => `${px(x)},${px(y)}`).join(" ");
  return `<polygon points="${points}" fill="none" stroke="#000" stroke-width="3" stroke-opacity=".55"/>`
    + `<polygon points="${points}" fill="none" stroke="#fff" stroke-width="1.4" ${rest}/>`;
}

/**
 * Names of lines, side by side, each after a piece of its line.
 * @param {[name: string, series: number, dash: string][]} lines
 */
function legend(lines) {
  let x = LEFT;
  return lines.map(([name, series, dash]) => {
    const at = x;
    x += 34 + 6.4 * name.length;
    return stroke(`M${at},9h20`, series, dash) + label(at + 25, 13, name);
  }).join("");
}

const DASHED = 'stroke-dasharray="6 3"';
const DOTTED = 'stroke-dasharray="2 2.5"';

// The matrix

const COLOURS = new Int32Array(VIRIDIS.buffer); // signed: integers to the engine, which others are not

/** @param {number} index of a colour */
const css = (index) => `#${[0, 8, 16].map((bits) => (VIRIDIS[index] >> bits & 255).toString(16).padStart(2, "0")).join("")}`;

/** Where the matrix stands in its view. @param {Size} size */
export function matrixBox({ width, height }) {
  return { left: LEFT, top: 6, right: width - 62, bottom: height - BOTTOM };
}

/**
 * A painter of the matrix on `canvas`, at most a pixel of the screen for one of the canvas: one
 * for a cell, or for the nearest pair and position where there are more of them.
 *
 * Every pair is turned from position to position: fast, and for the eye, since after 4096 turns
 * the values are right to some 1e-12.
 * @param {HTMLCanvasElement} canvas
 * @returns {(model: Model, box: { left: number, right: number, top: number, bottom: number }) => void}
 */
export function painter(canvas) {
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
  let image = context.createImageData(1, 1);
  let painted = "";
  return ({ state: { d_model: width, length }, shape, frequencies }, { left, right, top, bottom }) => {
    const pairs = Math.min(width, Math.round((right - left) * devicePixelRatio)) >> 1;
    const height = Math.min(length, Math.round((bottom - top) * devicePixelRatio));
    const wanted = `${shape} ${pairs} ${height}`;
    if (wanted === painted) return;
    painted = wanted;
    if (image.width !== 2 * pairs || image.height !== height) {
      Object.assign(canvas, { width: 2 * pairs, height });
      image = context.createImageData(2 * pairs, height);
    }
    const pixels = new Int32Array(image.data.buffer);
    const frequency = Float64Array.from({ length: pairs }, (_, i) => frequencies[Math.floor((i + 0.5) * width / 2 / pairs)]);
    const sines = new Float64Array(pairs);
    const cosines = new Float64Array(pairs).fill(1);
    /** @type {Map<number, [Float64Array, Float64Array]>} */
    const turns = new Map();
    for (let y = 0, at = 0, position = 0; y < height; y++) {
      const next = Math.floor((y + 0.5) * length / height);
      const steps = next - position;
      const turn = turns.get(steps) ?? [frequency.map((w) => Math.sin(w * steps)), frequency.map((w) => Math.cos(w * steps))];
      turns.set(steps, turn);
      position = next;
      const [across, along] = turn;
      for (let i = 0; i < pairs; i++) {
        const sine = sines[i] * along[i] + cosines[i] * across[i];
        const cosine = cosines[i] * along[i] - sines[i] * across[i];
        sines[i] = sine;
        cosines[i] = cosine;
        pixels[at++] = COLOURS[(sine * 127.5 + 128) | 0];
        pixels[at++] = COLOURS[(cosine * 127.5 + 128) | 0];
      }
    }
    context.putImageData(image, 0, 0);
  };
}

/** @param {number} end @param {Scale} place @param {number} pixels @returns {[number, string][]} */
function middles(end, place, pixels) {
  return ticks(end, Math.max(2, pixels)).map((value) => [place(value + 0.5), String(value)]);
}

/** @param {Model} model @param {Size} size */
function cells({ state }, size) {
  const box = matrixBox(size);
  return {
    box,
    x: scale(0, state.d_model, box.left, box.right),
    y: scale(0, state.length, box.top, box.bottom),
  };
}

/** @type {View} */
const matrix = {
  kind: "matrix", title: "The matrix", across: "dimension", down: true,
  height: (width) => (width < 500 ? 270 : 350),
  frame(model, size) {
    const { box, x, y } = cells(model, size);
    const bar = box.right + 34;
    const stops = Array.from({ length: 17 }, (_, step) => `<stop offset="${step / 16}" stop-color="${css(Math.round(255 * (1 - step / 16)))}"/>`);
    return axes(middles(model.state.d_model, x, size.width / 70), middles(model.state.length, y, size.height / 40), "dimension", "position", box)
      + `<linearGradient id="ex-viridis" x2="0" y2="1">${stops.join("")}</linearGradient>`
      + `<rect x="${px(bar)}" y="${box.top}" width="9" height="${px(box.bottom - box.top)}" fill="url(#ex-viridis)"/>`
      + [1, 0, -1].map((value) => label(bar + 13, scale(1, -1, box.top + 8, box.bottom)(value), shown(value))).join("");
  },
  data(model, size) {
    const { box, y } = cells(model, size);
    const { position, offset, length } = model.state;
    const tall = Math.max(2, y(1) - y(0));
    const there = position + offset;
    const row = (/** @type {number} */ p, rest = "") => outline(box.left, (y(p) + y(p + 1) - tall) / 2, box.right - box.left, tall, rest);
    const name = (/** @type {number} */ at, /** @type {string} */ text) => label(box.right + 4, at + 4, text, 'font-style="italic"');
    const middle = y(position + 0.5);
    const inside = there >= 0 && there < length && offset !== 0;
    const apart = middle + Math.sign(offset) * Math.max(12, Math.abs(y(there + 0.5) - middle));
    return (inside ? row(there, DASHED) + name(apart, "p + k") : "") + row(position) + name(middle, "p");
  },
  marks({ position, dimension }, model, size) {
    const { box, x, y } = cells(model, size);
    const tall = Math.max(2, y(1) - y(0));
    const across = outline(box.left, (y(position) + y(position + 1) - tall) / 2, box.right - box.left, tall, 'stroke-opacity=".7"');
    if (dimension < 0) return across;
    const wide = Math.max(3, x(2) - x(0));
    const pair = dimension >> 1;
    return across + outline((x(2 * pair) + x(2 * pair + 2) - wide) / 2, box.top, wide, box.bottom - box.top, 'stroke-opacity=".7"');
  },
  at(left, top, model, size) {
    const { box } = cells(model, size);
    const { d_model: width, length } = model.state;
    return [
      between(Math.floor((top - box.top) / (box.bottom - box.top) * length), 0, length - 1),
      between(Math.floor((left - box.left) / (box.right - box.left) * width), 0, width - 1),
    ];
  },
};

// The highlighted row

/** @param {Model} model @param {Size} size */
function rowScales(model, size) {
  const { left, right } = matrixBox(size);
  const box = { left, right, top: 24, bottom: size.height - BOTTOM, rules: true };
  return { box, x: scale(-0.5, model.state.d_model - 0.5, left, right), y: scale(1.05, -1.05, box.top, box.bottom) };
}

/** @type {View} */
const row = {
  kind: "row", title: "The highlighted row", across: "dimension",
  height: () => 190,
  frame(model, size) {
    const { box, x, y } = rowScales(model, size);
    const bottom = middles(model.state.d_model, (value) => x(value - 0.5), size.width / 70);
    return axes(bottom, [-1, 0, 1].map((value) => [y(value), shown(value)]), "dimension", "value", box)
      + legend([["sine", 1, ""], ["cosine", 2, DASHED]]);
  },
  data(model, size) {
    const { x, y } = rowScales(model, size);
    const { pairs, row: values } = model;
    const few = pairs <= 64;
    return [0, 1].map((part) => {
      const through = line(pairs, (i) => x(2 * i + part), (i) => y(values[2 * i + part]), part + 1, part ? DASHED : "");
      const dots = few ? Array.from({ length: pairs }, (_, i) => `M${px(x(2 * i + part))},${px(y(values[2 * i + part]))}h0`).join("") : "";
      return through + stroke(dots, part + 1, 'style="stroke-width:4.5;stroke-linecap:round"');
    }).join("");
  },
  marks({ dimension }, model, size) {
    if (dimension < 0) return "";
    const { box, x, y } = rowScales(model, size);
    const first = dimension & ~1;
    return `<path d="M${px(x(dimension))},${box.top}V${box.bottom}" stroke="currentColor"/>`
      + [first, first + 1].map((j) => `<circle cx="${px(x(j))}" cy="${px(y(model.row[j]))}" r="5" fill="none" stroke="currentColor" stroke-width="1.5"/>`).join("");
  },
  at(left, top, model, size) {
    const { box } = rowScales(model, size);
    const width = model.state.d_model;
    return [model.state.position, between(Math.floor((left - box.left) / (box.right - box.left) * width), 0, width - 1)];
  },
};

// Wavelengths by pair

/** @param {Model} model @param {Size} size */
function pairScales({ pairs }, { width, height }) {
  const box = { left: LEFT, right: width - 10, top: 24, bottom: height - BOTTOM, rules: true };
  const log = scale(0, 7, box.bottom, box.top);
  return {
    box,
    x: scale(-0.5, pairs - 0.5, box.left, box.right),
    y: (/** @type {number} */ length) => log(Math.log10(length)),
  };
}

const DECADES = ["1", "10", "100", "1k", "10k", "100k", "1M", "10M"];

/** @type {View} */
const wavelengths = {
  kind: "wavelengths", title: "Wavelengths against the length", across: "pair",
  height: () => 240,
  frame(model, size) {
    const { box, x, y } = pairScales(model, size);
    const bottom = middles(model.pairs, (value) => x(value - 0.5), size.width / 70);
    return axes(bottom, DECADES.map((text, power) => [y(10 ** power), text]), "pair", "positions", box);
  },
  data(model, size) {
    const { box, x, y } = pairScales(model, size);
    const { wavelengths: lengths, finished, pairs, state } = model;
    const dots = (/** @type {number} */ from, /** @type {number} */ to) => Array.from(lengths.slice(from, to), (length, i) => `M${px(x(from + i))},${px(y(length))}h0`).join("");
    const at = y(state.length);
    return stroke(dots(0, finished), 1, 'style="stroke-width:6;stroke-linecap:round"')
      + stroke(dots(finished, pairs), 2, 'style="stroke-width:4;stroke-linecap:square"')
      + `<path d="M${box.left},${px(at)}H${box.right}" stroke="currentColor" ${DASHED}/>`
      + label(box.right, at + 13, `length ${shown(state.length)}`, END)
      + stroke(`M${LEFT + 4},9h0`, 1, 'style="stroke-width:7;stroke-linecap:round"') + label(LEFT + 13, 13, `finish a turn: ${finished}`)
      + stroke(`M${LEFT + 134},9h0`, 2, 'style="stroke-width:5;stroke-linecap:square"') + label(LEFT + 143, 13, `do not: ${pairs - finished}`);
  },
  marks({ dimension }, model, size) {
    if (dimension < 0) return "";
    const { box, x, y } = pairScales(model, size);
    const pair = dimension >> 1;
    return `<path d="M${px(x(pair))},${box.top}V${box.bottom}" stroke="currentColor"/>`
      + `<circle cx="${px(x(pair))}" cy="${px(y(model.wavelengths[pair]))}" r="6" fill="none" stroke="currentColor" stroke-width="1.5"/>`;
  },
  at(left, top, model, size) {
    const { box } = pairScales(model, size);
    const pair = Math.floor((left - box.left) / (box.right - box.left) * model.pairs);
    return [model.state.position, 2 * between(pair, 0, model.pairs - 1)];
  },
};

// Similarity and distance to the highlighted position

/** @param {Model} model @param {Size} size */
function profileScales({ state, similarities }, { width, height }) {
  const box = { left: LEFT, right: width - 10, top: 24, bottom: height - BOTTOM, rules: true };
  const lowest = similarities.some((value) => value < -0.5) ? -1 : -0.5;
  return {
    box, lowest,
    x: scale(0, state.length - 1, box.left, box.right),
    y: scale(1.02, lowest, box.top, box.bottom),
  };
}

/** @param {number} similarity over d / 2 @returns {number} distance over its greatest value */
const distance = (similarity) => Math.sqrt(Math.max(0, (1 - similarity) / 2));

/** @type {View} */
const profile = {
  kind: "profile", title: "Similarity and distance to the highlighted position", across: "position",
  height: () => 240,
  framed: (model, size) => profileScales(model, size).lowest,
  frame(model, size) {
    const { box, lowest, x, y } = profileScales(model, size);
    const values = [-1, -0.5, 0, 0.5, 1].filter((value) => value >= lowest);
    return axes(ticks(model.state.length, size.width / 70).map((p) => [x(p), String(p)]), values.map((value) => [y(value), shown(value, value % 1 ? 1 : 0)]), "position", "share of the greatest", box)
      + legend([["similarity", 1, ""], ["distance", 2, DASHED], ["law", 3, DOTTED]]);
  },
  data(model, size) {
    const { box, lowest, x, y } = profileScales(model, size);
    const { state: { position, length, base }, similarities } = model;
    const at = (/** @type {number} */ p) => similarities[Math.abs(p - position)];
    const laws = base === 1 ? [] : [-1, 1]; // to the left and to the right
    return line(length, x, (p) => y(distance(at(p))), 2, DASHED)
      + line(length, x, (p) => y(at(p)), 1)
      + laws.map((step) => line(step < 0 ? position : length - 1 - position, (k) => x(position + step * (k + 1)), (k) => {
        const value = law(k + 1, base);
        return value >= lowest && value <= 1 ? y(value) : NaN;
      }, 3, 'style="stroke-width:2.2;stroke-dasharray:2 2.5"')).join("")
      + `<path d="M${px(x(position))},${box.top}V${box.bottom}" stroke="currentColor" stroke-opacity=".5"/>`
      + label(x(position) + (x(position) > box.right - 20 ? -10 : 4), box.bottom - 5, "p", 'font-style="italic"');
  },
  marks({ position }, model, size) {
    const { box, x, y } = profileScales(model, size);
    const alike = model.similarities[Math.abs(position - model.state.position)];
    return `<path d="M${px(x(position))},${box.top}V${box.bottom}" stroke="currentColor"/>`
      + [alike, distance(alike)].map((value) => `<circle cx="${px(x(position))}" cy="${px(y(value))}" r="5" fill="none" stroke="currentColor" stroke-width="1.5"/>`).join("");
  },
  at(left, top, model, size) {
    const { box } = profileScales(model, size);
    const last = model.state.length - 1;
    return [between(Math.round((left - box.left) / (box.right - box.left) * last), 0, last), -1];
  },
};

// Clock hands, of the highlighted position and turned by the offset

/**
 * Places for `count` clocks, `columns` side by side.
 * @param {number} count
 * @param {number} columns
 * @param {Size} size
 * @param {number} below room for words under each
 */
function places(count, columns, { width, height }, below) {
  const rows = Math.ceil(count / columns);
  const [wide, tall] = [width / columns, height / rows];
  const radius = Math.min(wide / 2 - 8, (tall - below) / 2 - 4);
  return Array.from({ length: count }, (_, i) => ({
    x: wide * (i % columns + 0.5), y: tall * Math.floor(i / columns) + radius + 4, radius,
  }));
}

/** @typedef {{ x: number, y: number, radius: number }} Place */

/** @param {Place} place @param {number} sine @param {number} cosine @param {string} rest */
function hand({ x, y, radius }, sine, cosine, rest) {
  const reach = radius * 0.9;
  return `<path d="M${px(x)},${px(y)}L${px(x + reach * sine)},${px(y - reach * cosine)}" fill="none" stroke-linecap="round" ${rest}/>`;
}

/** @param {Place} place @param {string} rest */
function face({ x, y, radius }, rest) {
  return `<circle cx="${px(x)}" cy="${px(y)}" r="${px(radius)}" fill="none" ${rest}/>`;
}

const FACE = 'stroke="currentColor" stroke-opacity=".35"';
const RING = 'stroke="currentColor" stroke-width="2"';

/**
 * The pair of the clock that is nearest to a point.
 * @param {Place[]} spots
 * @param {number} x @param {number} y
 */
function nearest(spots, x, y) {
  const far = spots.map((spot) => Math.hypot(spot.x - x, spot.y - y));
  return far.indexOf(Math.min(...far));
}

/** @param {Model} model @param {Size} size */
function clockPlaces({ pairs }, size) {
  return places(Math.min(HANDS, pairs), 4, size, 30);
}

/** @type {View} */
const clocks = {
  kind: "clocks", title: "The clock hands of its first pairs", across: "pair", most: HANDS,
  height: () => 240,
  framed: ({ state }) => state.base,
  frame(model, size) {
    return clockPlaces(model, size).map((spot, i) => face(spot, FACE)
      + label(spot.x, spot.y + spot.radius + 14, `pair ${i}`, MIDDLE)
      + label(spot.x, spot.y + spot.radius + 27, `λ ${shownLength(model.wavelengths[i])}`, `${MIDDLE} fill-opacity=".8"`)).join("");
  },
  data(model, size) {
    return clockPlaces(model, size).map((spot, i) => hand(spot, model.row[2 * i], model.row[2 * i + 1], 'stroke="var(--fig-1)" stroke-width="3"')).join("");
  },
  marks({ position, dimension }, model, size) {
    const { state } = model;
    const there = position === state.position ? null : encode(position, state.d_model, state.base);
    return clockPlaces(model, size).map((spot, i) => (i === dimension >> 1 ? face(spot, RING) : "")
      + (there ? hand(spot, there[2 * i], there[2 * i + 1], 'stroke="currentColor" stroke-width="1.3" stroke-dasharray="3 2"') : "")).join("");
  },
  at(x, y, model, size) {
    return [model.state.position, 2 * nearest(clockPlaces(model, size), x, y)];
  },
};

/** @param {Model} model @param {Size} size */
function rotationPlaces({ pairs }, size) {
  const { width, height } = size;
  const spots = places(Math.min(ROTATIONS, pairs), width < 360 ? 2 : 4, { width, height: height - 20 }, 78);
  return spots.map((spot) => ({ ...spot, y: spot.y + 20 }));
}

/** @type {View} */
const rotation = {
  kind: "rotation", title: "The rotation by k of its first pairs", across: "pair", most: ROTATIONS,
  height: (width) => (width < 360 ? 350 : 240),
  frame(model, size) {
    return legend([["p", 1, ""], ["p + k", 2, DASHED]]) + rotationPlaces(model, size).map((spot, i) => face(spot, FACE)
      + label(spot.x, spot.y + spot.radius + 14, `pair ${i}`, MIDDLE)).join("");
  },
  data(model, size) {
    const { state: { offset }, row: here, turn, frequencies } = model;
    return rotationPlaces(model, size).map((spot, i) => {
      const [s, c] = [here[2 * i], here[2 * i + 1]];
      const [sine, cosine] = [turn[2 * i], turn[2 * i + 1]];
      const angle = offset * frequencies[i];
      const [thereSine, thereCosine] = [s * cosine + c * sine, c * cosine - s * sine];
      const reach = spot.radius * 0.45;
      const [large, sweep] = [Number(Math.abs(angle) % (2 * Math.PI) > Math.PI), Number(angle > 0)];
      const arc = Math.abs(angle) < 0.02 ? "" : `M${px(spot.x + reach * s)},${px(spot.y - reach * c)}A${px(reach)},${px(reach)} 0 ${large} ${sweep} ${px(spot.x + reach * thereSine)},${px(spot.y - reach * thereCosine)}`;
      const top = spot.y + spot.radius + 46;
      const half = 34;
      return stroke(arc, 3) + label(spot.x, top - 18, `${shown(angle, 2)} rad`, `${MIDDLE} fill-opacity=".8"`)
        + hand(spot, thereSine, thereCosine, 'stroke="var(--fig-2)" stroke-width="3" stroke-dasharray="6 5"')
        + hand(spot, s, c, 'stroke="var(--fig-1)" stroke-width="3"')
        + [[cosine, sine], [-sine, cosine]].map((values, below) => values.map((value, column) => label(spot.x - half + 31 + 34 * column, top + 15 * below, shown(value, 2), END)).join("")).join("")
        + `<path d="M${px(spot.x - half + 1)},${px(top - 12)}h-4v31h4M${px(spot.x + half)},${px(top - 12)}h4v31h-4" fill="none" stroke="currentColor" stroke-width=".8"/>`;
    }).join("");
  },
  marks({ dimension }, model, size) {
    const spot = rotationPlaces(model, size)[dimension >> 1];
    return dimension >= 0 && spot ? face(spot, RING) : "";
  },
  at(x, y, model, size) {
    return [model.state.position, 2 * nearest(rotationPlaces(model, size), x, y)];
  },
};

export const VIEWS = [matrix, row, wavelengths, profile, clocks, rotation];
