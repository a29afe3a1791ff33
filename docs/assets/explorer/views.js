/**
 * The views: each draws a model and a mark, and finds the place under a point.
 *
 * Lines, axes and marks are SVG in CSS pixels with CSS variables as colours, so that they follow
 * the scheme; the matrix is a canvas below its SVG.
 */

import { arc, hand } from "../clocks/outlines.js";
import { encode, law } from "../maths/encoding.js";
import { numeral } from "../maths/numerals.js";
import { SIGNED } from "../maths/signed.js";
import { lengthNumeral } from "./model.js";
import {
  AXIS, BROKEN, DASHED, DOTS, END, FINE, INK, INNER, ITALIC, LEFT, MIDDLE, ROUND, SOLID, SPOTTED, SQUARE, axes, between,
  chain, curve, dots, label, legend, line, outline, path, pen, px, ring, scale, spread, straight, ticks, upright,
} from "./shapes.js";

/** @import { Model, Mark } from "./model.js" */
/**
 * @typedef {object} View
 * @property {string} kind
 * @property {string} title
 * @property {"dimension" | "pair" | "position"} across the left and right arrow keys change this
 * @property {boolean} [down] whether the up and down arrow keys change the position
 * @property {number} [most] greatest number of pairs in the view, which it spreads evenly over all
 * @property {(model: Model, size: Size) => Shape[]} frame axes
 * @property {(model: Model, size: Size) => number} [framed] changes the axes too, like size, width and length
 * @property {(model: Model, size: Size) => Shape[]} data
 * @property {(mark: Mark, model: Model, size: Size) => Shape[]} marks
 * @property {(x: number, y: number, model: Model, size: Size) => [position: number, dimension: number]} at
 */
/** @typedef {{ width: number, height: number }} Size */
/** @import { Scale, Attributes, Shape } from "./shapes.js" */

const BOTTOM = 36;
const ROTATIONS = 4;
/** From the fastest to the slowest. */
const HANDS = Array.from({ length: 8 }, (_, index) => ({ ...ROUND, stroke: `var(--fig-p${index})`, "stroke-width": 3 }));

// The matrix

/** Place of the matrix in its view. @param {Size} size */
export function matrixBox({ width, height }) {
  return { left: LEFT, top: 6, right: width - 62, bottom: height - BOTTOM };
}

/** @param {number} end @param {Scale} place @param {number} pixels @returns {[number, string][]} */
function middles(end, place, pixels) {
  return ticks(end, Math.max(2, pixels)).map((value) => [place(value + 0.5), String(value)]);
}

/** Which of `count` cells between two ends has the point `at`, or is nearest to it. @param {number} at @param {number} start @param {number} end @param {number} count */
const cell = (at, start, end, count) => between(Math.floor((at - start) / (end - start) * count), 0, count - 1);

/** @param {Model} model @param {Size} size */
function cells({ state }, size) {
  const box = matrixBox(size);
  return {
    box,
    x: scale(0, state.d_model, box.left, box.right),
    y: scale(0, state.length, box.top, box.bottom),
  };
}

const HALF = { ...INK, fill: "none", "stroke-opacity": ".5" };
const FAINT = { ...INNER, "stroke-opacity": ".7" };
const THERE = { ...INNER, ...DASHED };

/** @type {View} */
const matrix = {
  kind: "matrix", title: "The matrix", across: "dimension", down: true,
  frame(model, size) {
    const { box, x, y } = cells(model, size);
    const bar = box.right + 34;
    const stops = Array.from({ length: 17 }, (_, step) => `<stop offset="${step / 16}" stop-color="#${[0, 8, 16, 24].map((bits) => (SIGNED[Math.round(255 * (1 - step / 16))] >> bits & 255).toString(16).padStart(2, "0")).join("")}"/>`);
    return [
      ...axes(middles(model.state.d_model, x, size.width / 70), middles(model.state.length, y, size.height / 40), "dimension", "position", box),
      ["linearGradient", { id: "ex-signed", x2: 0, y2: 1 }, undefined, stops.join("")],
      ["rect", { x: px(bar), y: box.top, width: 9, height: px(box.bottom - box.top), fill: "url(#ex-signed)" }],
      ...[1, 0, -1].map((value) => label(bar + 13, scale(1, -1, box.top + 8, box.bottom)(value), numeral(value))),
      ...spread(model.pairs, HANDS.length).map(([pair, colour]) => upright(x(2 * pair + 1), { top: 1, bottom: 3 }, HANDS[colour])),
    ];
  },
  data(model, size) {
    const { box, y } = cells(model, size);
    const { position, offset, length } = model.state;
    const tall = Math.max(2, y(1) - y(0));
    const there = position + offset;
    const row = (/** @type {number} */ p, /** @type {Attributes} */ inner) => outline(box.left, y(p + 0.5) - tall / 2, box.right - box.left, tall, inner);
    const name = (/** @type {number} */ at, /** @type {string} */ text) => label(box.right + 4, at + 4, text, ITALIC);
    const middle = y(position + 0.5);
    const inside = there >= 0 && there < length && offset !== 0;
    const apart = middle + Math.sign(offset) * Math.max(12, Math.abs(y(there + 0.5) - middle));
    return [...(inside ? [...row(there, THERE), name(apart, "p + k")] : []), ...row(position, INNER), name(middle, "p")];
  },
  marks({ position, dimension }, model, size) {
    const { box, x, y } = cells(model, size);
    const tall = Math.max(2, y(1) - y(0));
    const across = outline(box.left, y(position + 0.5) - tall / 2, box.right - box.left, tall, FAINT);
    if (dimension < 0) return across;
    const wide = Math.max(3, x(2) - x(0));
    const pair = dimension >> 1;
    return [...across, ...outline(x(2 * pair + 1) - wide / 2, box.top, wide, box.bottom - box.top, FAINT)];
  },
  at(left, top, model, size) {
    const { box } = cells(model, size);
    return [cell(top, box.top, box.bottom, model.state.length), cell(left, box.left, box.right, model.state.d_model)];
  },
};

// The highlighted row

/** @param {Model} model @param {Size} size */
function rowScales(model, size) {
  const { left, right } = matrixBox(size);
  const box = { left, right, top: 10, bottom: size.height - BOTTOM, rules: true };
  return { box, x: scale(-0.5, model.state.d_model - 0.5, left, right), y: scale(1.05, -1.05, box.top, box.bottom) };
}

const SPOTS = [1, 2].map((series) => ({ ...pen(series), ...ROUND, "stroke-width": 4.5 }));
const NAMES = [1, 2].map((series) => ({ fill: `var(--fig-${series})` }));

/** @type {View} */
const row = {
  kind: "row", title: "The highlighted row", across: "dimension",
  frame(model, size) {
    const { box, x, y } = rowScales(model, size);
    const bottom = middles(model.state.d_model, (value) => x(value - 0.5), size.width / 70);
    return [
      ...axes(bottom, [-1, 0, 1].map((value) => [y(value), numeral(value)]), "dimension", "value", box),
    ];
  },
  data(model, size) {
    const { box, x, y } = rowScales(model, size);
    const { pairs, row: values } = model;
    const [sine, cosine] = values.subarray(-2);
    const [middle, apart] = [y((sine + cosine) / 2) + 4, Math.max(7, Math.abs(y(sine) - y(cosine)) / 2) * (sine > cosine ? 1 : -1)];
    return [SOLID, BROKEN].flatMap((drawn, part) => {
      const across = (/** @type {number} */ i) => x(2 * i + part);
      const value = (/** @type {number} */ i) => values[2 * i + part];
      const spots = pairs > 64 ? "" : Array.from({ length: pairs }, (_, i) => `M${px(across(i))},${px(y(value(i)))}h0`).join("");
      return [
        line(pairs, across, value)(y, drawn), path(spots, SPOTS[part]),
        label(box.right + 5, middle + (part ? apart : -apart), part ? "cosine" : "sine", NAMES[part]),
      ];
    });
  },
  marks({ dimension }, model, size) {
    if (dimension < 0) return [];
    const { box, x, y } = rowScales(model, size);
    const first = dimension & ~1;
    return [upright(x(dimension), box), ...[first, first + 1].map((j) => ring(x(j), y(model.row[j]), 5))];
  },
  at(left, top, model, size) {
    const { box } = rowScales(model, size);
    return [model.state.position, cell(left, box.left, box.right, model.state.d_model)];
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

const FINISHED = { ...pen(1), ...ROUND, ...DOTS, "stroke-width": 6 };
const UNFINISHED = { ...pen(2), ...SQUARE, ...DOTS, "stroke-width": 4 };
const LENGTH = { ...INK, ...DASHED };
const DECADES = ["1", "10", "100", "1k", "10k", "100k", "1M", "10M"];

/** @type {View} */
const wavelengths = {
  kind: "wavelengths", title: "Wavelengths against the length", across: "pair",
  frame(model, size) {
    const { box, x, y } = pairScales(model, size);
    const bottom = middles(model.pairs, (value) => x(value - 0.5), size.width / 70);
    return axes(bottom, DECADES.map((text, power) => [y(10 ** power), text]), "pair", "positions", box);
  },
  data(model, size) {
    const { box, x, y } = pairScales(model, size);
    const { wavelengths: lengths, finished, pairs, state } = model;
    const at = y(state.length);
    return [
      ...dots(0, finished, x, (i) => y(lengths[i]), FINISHED),
      ...dots(finished, pairs, x, (i) => y(lengths[i]), UNFINISHED),
      straight(box.left, at, box.right, at, LENGTH),
      label(box.right, at - 5, `do not: ${pairs - finished}`, END),
      label(box.right, at + 13, `length ${numeral(state.length)}, finish a turn: ${finished}`, END),
    ];
  },
  marks({ dimension }, model, size) {
    if (dimension < 0) return [];
    const { box, x, y } = pairScales(model, size);
    const pair = dimension >> 1;
    return [upright(x(pair), box), ring(x(pair), y(model.wavelengths[pair]), 6)];
  },
  at(left, top, model, size) {
    const { box } = pairScales(model, size);
    return [model.state.position, 2 * cell(left, box.left, box.right, model.pairs)];
  },
};

// Similarity and distance to the highlighted position

/** @param {Model} model @param {Size} size */
function profileScales({ state, lowest }, { width, height }) {
  const box = { left: LEFT, right: width - 10, top: 24, bottom: height - BOTTOM, rules: true };
  return {
    box,
    x: scale(0, state.length - 1, box.left, box.right),
    y: scale(1.02, lowest, box.top, box.bottom),
  };
}

/** Straight lines that draw the law, between offsets of equal ratios, so that it falls equally far along each: they stay within a tenth of a pixel of it. */
const CHORDS = 48;

/** @param {number} similarity divided by d / 2 @returns {number} distance divided by the greatest possible */
const distance = (similarity) => Math.sqrt(Math.max(0, (1 - similarity) / 2));

/** @type {View} */
const profile = {
  kind: "profile", title: "Similarity and distance to the highlighted position", across: "position",
  framed: ({ lowest }) => lowest,
  frame(model, size) {
    const { box, x, y } = profileScales(model, size);
    const { lowest } = model;
    const values = [-1, -0.5, 0, 0.5, 1].filter((value) => value >= lowest);
    return [
      ...axes(ticks(model.state.length, size.width / 70).map((p) => [x(p), String(p)]), values.map((value) => [y(value), numeral(value, value % 1 ? 1 : 0)]), "position", "share of the maximum", box),
    ];
  },
  data(model, size) {
    const { box, x, y } = profileScales(model, size);
    const { state: { position, length, base, offset }, similarities, lowest } = model;
    const [there, near] = [position + offset, similarities[Math.abs(offset)]];
    const alike = line(length, x, (p) => similarities[Math.abs(p - position)]);
    const lies = base ** (law(1, base) - lowest); // the furthest offset whose law lies in the view; NaN for base 1
    return [
      alike((value) => y(distance(value)), BROKEN),
      alike(y, SOLID),
      // the law to the left of the position, and to the right
      ...[-1, 1].map((side) => {
        const most = Math.min(lies, side < 0 ? position : length - 1 - position);
        return curve(most >= 1 ? CHORDS : 0, (part) => most ** part, (away) => x(position + side * away), (away) => y(law(away, base)), SPOTTED);
      }),
      upright(x(position), box, HALF),
      label(x(position) + (x(position) > box.right - 20 ? -10 : 4), box.bottom - 5, "p", ITALIC),
      ...legend([[`similarity ${numeral(near, 2)}`, SOLID], [`distance ${numeral(distance(near), 2)}`, BROKEN], ["law", SPOTTED]]),
      ...(there >= 0 && there < length ? [near, distance(near)].map((value) => ring(x(there), y(value), 3.5)) : []),
    ];
  },
  marks({ position }, model, size) {
    const { box, x, y } = profileScales(model, size);
    const alike = model.similarities[Math.abs(position - model.state.position)];
    return [upright(x(position), box), ...[alike, distance(alike)].map((value) => ring(x(position), y(value), 5))];
  },
  at(left, top, model, size) {
    const { box } = profileScales(model, size);
    const { length } = model.state;
    const half = (box.right - box.left) / (length - 1) / 2;
    return [cell(left, box.left - half, box.right + half, length), -1];
  },
};

// Clock hands of the highlighted position, and their rotation by the offset

/** @typedef {{ pair: number, colour: number, x: number, y: number, radius: number }} Place */

/**
 * Places for the clocks of some pairs, `columns` side by side.
 * @param {[pair: number, colour: number][]} pairs
 * @param {number} columns
 * @param {Size} size
 * @param {number} below room for text under each
 * @returns {Place[]}
 */
function places(pairs, columns, { width, height }, below) {
  const rows = Math.ceil(pairs.length / columns);
  const [wide, tall] = [width / columns, height / rows];
  const radius = Math.min(wide / 2 - 8, (tall - below) / 2 - 4);
  return pairs.map(([pair, colour], i) => ({
    pair, colour, x: wide * (i % columns + 0.5), y: tall * Math.floor(i / columns) + radius + 4, radius,
  }));
}

/** @param {Float64Array} row @param {number} pair */
const angleOf = (row, pair) => Math.atan2(row[2 * pair], row[2 * pair + 1]);

/** The hand of a pair. @param {Place} place @param {Float64Array} row @param {Attributes} style */
function pointing({ pair, x, y, radius }, row, style) {
  const [, [across, up]] = hand(angleOf(row, pair), radius * 0.9);
  return straight(x, y, x + across, y - up, style);
}

const HAND = { ...pen(1), ...ROUND, "stroke-width": 3 };
const TURNED = { ...pen(2), ...ROUND, "stroke-width": 3, "stroke-dasharray": "6 5" };
const POINTED = { ...ROUND, ...INK, "stroke-width": 1.3, "stroke-dasharray": "3 2" };

/**
 * The position, and the dimension of the pair whose clock is nearest to a point.
 * @param {Place[]} spots
 * @param {number} x @param {number} y
 * @param {Model} model
 * @returns {[number, number]}
 */
function nearest(spots, x, y, { state }) {
  const far = spots.map((spot) => Math.hypot(spot.x - x, spot.y - y));
  return [state.position, 2 * spots[far.indexOf(Math.min(...far))].pair];
}

/** @param {Model} model @param {Size} size */
const clockPlaces = ({ pairs }, size) => places(spread(pairs, HANDS.length), 4, size, 30);

/** @type {View} */
const clocks = {
  kind: "clocks", title: "Clock hands, from fast to slow", across: "pair", most: HANDS.length,
  frame(model, size) {
    return clockPlaces(model, size).flatMap(({ pair, x, y, radius }) => [
      ring(x, y, radius, HALF),
      label(x, y + radius + 14, `pair ${pair}`, MIDDLE),
    ]);
  },
  data(model, size) {
    return clockPlaces(model, size).flatMap((spot) => [
      label(spot.x, spot.y + spot.radius + 27, `λ ${lengthNumeral(model.wavelengths[spot.pair])}`, FINE),
      pointing(spot, model.row, HANDS[spot.colour]),
    ]);
  },
  marks({ position, dimension }, model, size) {
    const { state } = model;
    const there = position === state.position ? null : encode(position, state.d_model, state.base);
    return clockPlaces(model, size).flatMap((spot) => [
      ...(spot.pair === dimension >> 1 ? [ring(spot.x, spot.y, spot.radius)] : []),
      ...(there ? [pointing(spot, there, POINTED)] : []),
    ]);
  },
  at: (x, y, model, size) => nearest(clockPlaces(model, size), x, y, model),
};

/** @param {Model} model @param {Size} size */
function rotationPlaces({ pairs }, { width, height }) {
  const spots = places(spread(pairs, ROTATIONS), 4, { width, height: height - 20 }, 78);
  return spots.map((spot) => ({ ...spot, y: spot.y + 20 }));
}

const ARC = pen(3);

/** @type {View} */
const rotation = {
  kind: "rotation", title: "Rotation by k, from fast to slow", across: "pair", most: ROTATIONS,
  frame(model, size) {
    return [...legend([["p", SOLID], ["p + k", BROKEN]]), ...rotationPlaces(model, size).flatMap(({ pair, x, y, radius }) => [
      ring(x, y, radius, HALF),
      label(x, y + radius + 14, `pair ${pair}`, MIDDLE),
      path(`M${px(x - 33)},${px(y + radius + 34)}h-4v31h4M${px(x + 33)},${px(y + radius + 34)}h4v31h-4`, AXIS),
    ])];
  },
  data(model, size) {
    const { state: { offset, position, d_model: width, base }, row, frequencies } = model;
    const after = encode(position + offset, width, base);
    return rotationPlaces(model, size).flatMap((spot) => {
      const angle = offset * frequencies[spot.pair];
      const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
      const reach = spot.radius * 0.45;
      const start = angleOf(row, spot.pair);
      const turn = angle % (2 * Math.PI);
      const chords = Math.abs(angle) < 0.02 ? 0 : Math.ceil(5 * Math.abs(turn));
      const top = spot.y + spot.radius + 46;
      const numbers = [[cosine, sine], [-sine, cosine]];
      return [
        chain(chords ? arc(start, start + turn, reach, chords).map(([across, up]) => [spot.x + across, spot.y - up]) : [], ARC),
        label(spot.x, top - 18, `${numeral(angle, 2)} rad`, FINE),
        pointing(spot, after, TURNED),
        pointing(spot, row, HAND),
        ...numbers.flatMap((values, below) => values.map((value, column) => label(spot.x - 3 + 34 * column, top + 15 * below, numeral(value, 2), END))),
      ];
    });
  },
  marks({ dimension }, model, size) {
    return rotationPlaces(model, size).filter(({ pair }) => pair === dimension >> 1).map(({ x, y, radius }) => ring(x, y, radius));
  },
  at: (x, y, model, size) => nearest(rotationPlaces(model, size), x, y, model),
};

export const VIEWS = [matrix, clocks, row, profile, wavelengths, rotation];
