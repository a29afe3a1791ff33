/** Recognises tables of grids, whose rows are points. As in `posenc/identification/_points.py` and `posenc/grids.py`. */

import { finding } from "./findings.js";
import { DEFAULT, GRID, GRIDS } from "./known.js";
import { asGood, columns, largest } from "./measure.js";
import { amplitude, errorAt } from "./rows.js";
import { matches as tables } from "./tables.js";

/** @import { Convention, Values } from "./rows.js" */
/** @typedef {{ axis: Partial<Convention>, axes: string, blocks: string, spacing: number[], normalized: boolean, class_rows: number, listed: string }} Grid */
/** @typedef {{ convention: Grid, error: number, libraries: string[], mistakes: string[], isMeant: boolean, findings: import("./findings.js").Finding[], firstRow: number, zeroRows: number, close: number, points: number[] }} GridMatch */

const SIZES = [16, 32, 64, 128]; // of the grids that models stretch

/** Every grid of a library, by its name; one more is by no library. @type {[string, Grid][]} */
const known = Object.entries({ ...GRIDS, "": { axis: {} } }).map(([name, options]) => [name, { ...GRID, ...options }]);

/** The grid that makes the table, which begins with `zeros` rows of zeros. @param {{ values: Values, width: number }} table @param {number} zeros @param {import("./measure.js").Limits} limits @param {number[]} [points] height and width; otherwise every factorisation is tried @returns {GridMatch[]} */
export function matches({ values, width }, zeros, limits, points) {
  const { slack, error: rounding } = limits;
  const filled = values.subarray(zeros * width);
  const count = filled.length / width;
  const limit = 2 * slack * largest(filled);
  const along = width % 4 ? count : period(filled, width, limit);
  if (along === count || (points && points[1] !== along) || period(filled, along * width, limit, width) * along !== count) return [];
  const fits = known.flatMap(([name, grid]) => {
    const byColumns = grid.listed === "columns";
    const [height, across] = byColumns ? [along, count / along] : [count / along, along];
    return fitting(filled, { height, across, width, byColumns }, grid, name, limits);
  }).filter((match) => match.error <= slack);
  if (!fits.length) return [];
  const best = Math.min(...fits.map((match) => match.error));
  /** @param {GridMatch} match */
  const rank = (match) => 2 * Number(!asGood(match.error, best, rounding)) + Number(!match.libraries.length) + match.points[0] / count / 2;
  const found = fits.filter((match) => limits.isGiven || rank(match) < 2).sort((one, other) => rank(one) - rank(other));
  const [first] = found;
  const names = [...new Set(found.flatMap((match) => match.libraries))].sort();
  const [height, across] = first.points;
  const told = [finding("grid", { height, width: across })];
  const isTurned = found.some((match) => match.points.join() !== first.points.join() && asGood(match.error, best));
  if (height !== across && (!points || isTurned)) told.push(finding("grid-turned", { height: across, width: height }));
  return [{ ...first, convention: { ...first.convention, class_rows: zeros }, libraries: names, findings: told }];
}

/** After how many rows, which begin `step` values apart, the columns that change first repeat; all rows if never. @param {Values} values @param {number} step @param {number} limit @param {number} [width] */
function period(values, step, limit, width = step) {
  const count = values.length / step;
  /** @param {number} row @param {number} other @param {number} j */
  const isNear = (row, other, j) => Math.abs(values[row * step + j] - values[other * step + j]) <= limit;
  const moving = Array.from({ length: width }, (_, j) => j).filter((j) => count > 1 && !isNear(0, 1, j));
  for (let rows = 1; moving.length && rows < count - 1; rows++) if (count % rows === 0 && moving.every((j) => isNear(rows, 0, j) && isNear(rows + 1, 1, j))) return rows;
  return count;
}

/** Codes of a grid's columns, those of y first. @param {Grid} grid @param {number} width */
function codes({ axis, axes, blocks }, width) {
  const half = width / 2;
  const ofY = [...columns({ ...DEFAULT, ...axis }, half)];
  const ofX = ofY.map((code) => code + half);
  const [one, other] = axes === "yx" ? [ofY, ofX] : [ofX, ofY];
  const quarter = half / 2;
  if (blocks === "kinds") return [...one.slice(0, quarter), ...other.slice(0, quarter), ...one.slice(quarter), ...other.slice(quarter)];
  if (blocks === "pairs") return Array.from({ length: quarter }, (_, i) => [one[2 * i], one[2 * i + 1], other[2 * i], other[2 * i + 1]]).flat();
  return [...one, ...other];
}

/** @typedef {{ height: number, across: number, width: number, byColumns: boolean }} Shape */

/** Where the values of the point (y, x) begin. @param {Shape} shape @param {number} y @param {number} x */
const place = ({ height, across, width, byColumns }, y, x) => (byColumns ? x * height + y : y * across + x) * width;

/** The grid as the library has it, or else with the base and the spacing of the table. @param {Values} values @param {Shape} shape @param {Grid} grid @param {string} name @param {import("./measure.js").Limits} limits */
function fitting(values, shape, grid, name, limits) {
  const as = compared(values, shape, grid);
  const known = as.error <= limits.slack ? [{ ...as, libraries: name ? [name] : [] }] : [];
  if (grid.normalized || as.error <= (limits.isGiven ? limits.slack : limits.exact)) return known;
  const fit = fitted(values, shape, grid, limits);
  const { height, across } = shape;
  const tries = fit ? [fit] : SIZES.map((size) => ({ ...grid, spacing: [size / height, size / across] }));
  return [...known, ...tries.map((other) => compared(values, shape, other))];
}

/** Positions along an axis. @param {Grid} grid @param {number} size @param {number} step */
function along({ axis, normalized }, size, step) {
  const start = axis.start ?? DEFAULT.start;
  const last = start + size - 1;
  return Float64Array.from({ length: size }, (_, k) => (normalized ? ((start + k) * step) / (last * step + 1e-6) * (2 * Math.PI) : (start + k) * step));
}

/** The points of a grid at amplitude 1, in the order of `shape`. @param {Grid} grid @param {Shape} shape */
function points(grid, shape) {
  const { height, across, width } = shape;
  const half = width / 2;
  const { base, freq_shift: shift, angle_scale: scale } = { ...DEFAULT, ...grid.axis };
  const [ys, xs] = [along(grid, height, grid.spacing[0]), along(grid, across, grid.spacing[1])];
  const columns = codes(grid, width).map((code) => ({ of: Number(code >= half), wave: code % 2 ? Math.cos : Math.sin, turn: scale * base ** (-((code % half) >> 1) / (half / 2 - shift)) }));
  const out = new Float64Array(height * across * width);
  for (let y = 0; y < height; y++) for (let x = 0; x < across; x++) columns.forEach(({ of, wave, turn }, j) => { out[place(shape, y, x) + j] = wave([ys[y], xs[x]][of] * turn); });
  return out;
}

/** @param {Values} values @param {Shape} shape @param {Grid} grid @returns {GridMatch} */
function compared(values, shape, grid) {
  const unit = points(grid, shape);
  const size = amplitude(values, unit);
  const axis = size === 1 ? grid.axis : { ...grid.axis, amplitude: size };
  return { convention: { ...grid, axis }, error: errorAt(values, size, unit), libraries: [], mistakes: [], isMeant: false, findings: [], firstRow: 0, zeroRows: 0, close: 0, points: [shape.height, shape.across] };
}

/** The grid with the base, start and spacing of the lines along both axes. @param {Values} values @param {Shape} shape @param {Grid} grid @param {import("./measure.js").Limits} limits @returns {Grid | null} */
function fitted(values, shape, grid, { slack, far, error }) {
  const { height, across, width } = shape;
  const half = width / 2;
  const at = new Int32Array(width);
  codes(grid, width).forEach((code, j) => { at[code] = j; });
  /** @type {Convention[]} */ const lines = [];
  for (const [axis, size] of [height, across].entries()) {
    const line = new Float64Array(size * half);
    for (let k = 0; k < size; k++) {
      const from = axis ? place(shape, 0, k) : place(shape, k, 0);
      for (let j = 0; j < half; j++) line[k * half + j] = values[from + at[axis * half + j]];
    }
    const rows = { places: Float64Array.from({ length: size }, (_, k) => k), values: line, width: half, far, rounding: error };
    const plain = tables(rows, slack).find(({ convention: { layout, order } }) => layout === "interleaved" && order === "sin_first");
    if (!plain) return null;
    lines.push(plain.convention);
  }
  const [y, x] = lines;
  if (y.base !== x.base || y.start !== x.start || y.freq_shift !== x.freq_shift) return null;
  if (y.angle_scale <= 0 || x.angle_scale <= 0) return null; // a spacing is positive
  const axis = { ...grid.axis, base: y.base, start: y.start, freq_shift: y.freq_shift };
  return { ...grid, axis, spacing: [round(y.angle_scale, height), round(x.angle_scale, across)] };
}

/** `step`, or the share of a round size that it may be. @param {number} step @param {number} count */
function round(step, count) {
  const size = Number((step * count).toFixed(2));
  return Math.abs(size / count - step) <= 1e-6 * step ? size / count : step;
}
