/**
 * The conventions and slips that make a table whose rows are positions.
 * As in `posenc/identification/_tables.py`.
 */

import { finding, general, series } from "./findings.js";
import { ANY_BASE, BASES, CONVENTIONS, DEFAULT, EXPONENTS, FALLING, FROM_ONE, MISSING, RELATIVE, SWAPPED } from "./known.js";
import { asGood, even, headOf, lineOf, measured, picked as column, spread, tables, wrapped } from "./measure.js";
import { ROUGH, amplitude, errorAt, isRounded, longestRun, picked, spreadOf, stepOf, unitRows } from "./rows.js";
import { digitsOf, nearBases, roundest } from "./rules.js";

/** @import { Convention, Mistaken, Rows, Values } from "./rows.js" */
/** @typedef {{ convention: Convention, unit: Float64Array, error: number, isExact: boolean, libraries: string[], mistake: Mistaken | null }} Candidate `unit` has its values in the sampled rows, at amplitude 1; isExact: these, rounded as the table's are, make the table */
/** @typedef {{ convention: Convention, error: number, libraries: string[], mistakes: string[], isMeant: boolean, findings: import("./findings.js").Finding[], firstRow: number, zeroRows: number, close: number }} TableMatch as in Python, mistakes by their codes; isMeant: the convention is what was meant, and the mistakes made the table; `close` is the largest difference in the first rows */

const [SOME, FEW] = [64, 8]; // rows that candidates are compared with, and that reject most of them
export const CLOSE = 1000; // first rows, where float32 angles are exact enough
const SAME = 1e-9; // tables that differ by less are the same
const [NEAR, ROUGH_SIZE] = [1e-5, 1e-2]; // largest relative change when an amplitude is rounded, and where the rounder one fits better
const [STILL, GROWN] = [1e-12, 0.1]; // radians per row: below it, a phase does not determine the position; a frequency that grows is as near to its guess
const TURNS = 50; // turns of the slowest pair: the first row lies at most so far from position 0
const UNIT = 0.05; // rounded values may shift a scale of 1 by so much
const STEP = 1e-6; // of the logarithm of a base; a value that rises by less per unit of it tells nothing
const LARGEST = 1e9; // base that is tried for a mistake, or for rounded values
const EXACT = 1e-6; // beyond the rounding of values nothing explains a table better
const SHORT = 5; // characters of a base that no other slip explains better
const HARDLY = 1e-8; // more that a shorter base may be off than one with more digits
const [SHIFTED, MOST] = [3, 5]; // the largest freq_shift that is tried, and how many matches
const NUMBERS = /** @type {const} */ (["start", "angle_scale", "base", "freq_shift"]);

/** Some rows. @param {Rows} rows @param {number} count */
export const sample = (rows, count) => picked(rows, spread(rows.places.length, count));

/** Conventions and slips that make `rows` to within `slack`, best match first: a better fit comes before a library. @param {Rows} rows @param {number} slack @returns {TableMatch[]} */
export function matches(rows, slack) {
  const samples = [sample(rows, FEW), sample(rows, SOME)];
  /** @type {Candidate[]} */ let found = [];
  for (const { kind, names } of librariesAt(rows.width)) {
    const candidate = within(kind, samples, slack);
    if (candidate) add(found, { ...candidate, libraries: names });
  }
  found.push(...others(rows, samples, slack, found));
  if (!found.some(({ libraries }) => libraries.length)) found = explained(found, samples, slack);
  if (found.some(({ isExact }) => isExact)) found = found.filter(({ isExact }) => isExact);
  const best = Math.min(...found.map(({ error }) => error));
  const ranked = found.map((candidate) => ({ candidate, rank: [Number(!asGood(candidate.error, best, rows.rounding)), Number(!candidate.libraries.length), Number(!candidate.mistake), ...complexity(candidate.convention), candidate.error] }));
  ranked.sort((one, other) => before(one.rank, other.rank));
  return ranked.slice(0, MOST).map(({ candidate }) => answer(candidate, samples[1], rows)).filter(({ beyond }) => beyond <= slack).map(({ match }) => match);
}

/** The conventions of libraries at such a width, the simplest first. @param {number} width */
export function librariesAt(width) {
  const odd = width % 2;
  /** @type {Map<string, { kind: Convention, names: string[] }>} */ const known = new Map();
  for (const [name, options] of Object.entries(CONVENTIONS)) {
    const kind = { ...DEFAULT, ...options, amplitude: 1, amplitude_power: 0 };
    if (RELATIVE.includes(name) || (odd && (kind.odd === "error" || kind.odd === "overflow"))) continue;
    if (!odd) kind.odd = "error";
    const key = JSON.stringify(kind);
    known.set(key, { kind, names: [...(known.get(key)?.names ?? []), name] });
  }
  return [...known.values()].sort((one, other) => before(complexity(one.kind), complexity(other.kind)));
}

/** @param {Convention | Mistaken} made @param {Rows} some @returns {Candidate | null} */
function tried(made, some) {
  const found = unitRows(made, some);
  if (!found) return null;
  const { unit, room } = found;
  const isMistake = "meant" in made;
  return { convention: isMistake ? made.meant : made, unit, error: errorAt(some.values, amplitude(some.values, unit), unit, room), isExact: isRounded(some, unit, room), libraries: [], mistake: isMistake ? made : null };
}

/** What `made` makes, if it fits all samples to within `slack` and as well as `best`. @param {Convention | Mistaken} made @param {Rows[]} samples @param {number} slack @param {number} [best] */
function within(made, samples, slack, best = Infinity) {
  /** @type {Candidate | null} */ let found = null;
  for (const rows of samples) {
    found = tried(made, rows);
    if (!found || found.error > slack || !asGood(found.error, best, rows.rounding)) return null;
  }
  return found;
}

/** Fitted kinds within `slack` that differ from the `known` ones, their numbers rounded. @param {Rows} rows @param {Rows[]} samples @param {number} slack @param {Candidate[]} known */
function others(rows, samples, slack, known) {
  /** @type {Candidate[]} */ const found = [];
  for (const kind of fitted(rows, slack)) {
    const first = tried(kind, samples[1]);
    if (!first || !(first.error <= slack) || known.some((other) => covers(other, first, rows))) continue;
    const candidate = rounded(first, samples, slack);
    const shift = candidate.convention.freq_shift;
    if (Number(shift.toFixed(3)) === shift) add(found, candidate); // no code has another
  }
  found.sort((one, other) => before(complexity(one.convention), complexity(other.convention)));
  return found.filter((candidate, place) => ![...known, ...found.slice(0, place)].some((other) => covers(other, candidate, rows)));
}

/** Conventions that the columns of `rows` follow, with base, scale and start as measured. @param {Rows} rows @param {number} slack @returns {Convention[]} */
function fitted(rows, slack) {
  const run = longestRun(rows);
  const isRough = rows.rounding > ROUGH;
  return tables(run).flatMap((reading) => {
    const found = line(reading.parts, slack, isRough);
    if (!found || !reading.kind) return [];
    const kinds = withBase({ ...reading.kind, angle_scale: found.scale, start: found.start - run.places[0] }, found.slope, rows.width, reading.parts.pairs);
    const some = sample(rows, SOME);
    return kinds.flatMap((kind) => {
      if (!isRough || Math.abs(found.scale) !== 1 || !(kind.base > 1 && kind.base < LARGEST)) return [kind];
      return [kind, ...unrounded({ ...kind, start: even(kind.start) }, some)];
    });
  });
}

/** `kind` with the roundest base that makes the rows if its values are rounded, if any does. @param {Convention} kind @param {Rows} some @returns {Convention[]} */
function unrounded(kind, some) {
  const [unit, more] = [kind.base, kind.base * Math.exp(STEP)].map((base) => unitRows({ ...kind, base }, some)?.unit);
  if (!unit || !more) return [];
  let [low, high] = [-Infinity, Infinity]; // of the logarithm of the base, less that of `kind`
  for (let at = 0; at < unit.length; at++) {
    const [apart, rise] = [some.values[at] - unit[at], (more[at] - unit[at]) / STEP];
    if (Math.abs(rise) <= STEP) continue;
    const width = stepOf(some.rounding, some.values[at]) / Math.abs(rise);
    [low, high] = [Math.max(low, apart / rise - width), Math.min(high, apart / rise + width)];
  }
  if (!(low <= high) || low === -Infinity) return []; // or no value tells the base
  const base = roundest(kind.base * Math.exp(low), kind.base * Math.exp(high));
  const isByChance = (high - low) * 10 ** digitsIn(base) > 1; // such a base may be anywhere
  return kind.freq_shift === 0 || !isByChance ? [{ ...kind, base }] : [];
}

/** Pair i turns by `scale * exp(-slope * i)` radians per row; row 0 is position `start`. @param {import("./measure.js").Parts} parts @param {number} slack @param {boolean} isRough */
function line(parts, slack, isRough) {
  const { pairs } = parts;
  const head = headOf(parts, SOME);
  const [cosines, sines] = [/** @type {Values} */ (head.cosines), /** @type {Values} */ (head.sines)];
  let [low, high, sum] = [Infinity, 0, 0];
  for (let at = 0; at < cosines.length; at++) {
    const length = Math.hypot(cosines[at], sines[at]);
    [low, high, sum] = [Math.min(low, length), Math.max(high, length), sum + length];
  }
  const waves = cosines.length && high - low <= 4 * slack * sum / cosines.length ? measured(parts) : null;
  const seen = waves ? [...waves.turns.keys()].filter((i) => waves.turns[i] ** 2) : [];
  if (!waves || !seen.length) return null;
  const turns = unwound(waves.turns);
  const weight = turns.map((turn) => turn ** 2);
  const { level, tilt } = lineOf(seen, weight, turns);
  const sense = Math.sign(turns.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one), 0));
  let [scale, slope] = [sense * Math.exp(level), tilt];
  if (isRough && Math.abs(Math.abs(scale) - 1) < UNIT) [scale, slope] = [sense, lineOf(seen, weight, turns, 0).tilt]; // rounded values leave the scale open
  const exact = turns.map((_, i) => scale * Math.exp(-slope * i));
  if (!scale || !exact.every(Number.isFinite)) return null;
  const phases = exact.map((frequency, i) => {
    let [real, imaginary] = [0, 0];
    for (let row = 0; row < head.rows; row++) {
      const [c, s, cosine, sine] = [cosines[row * pairs + i], sines[row * pairs + i], Math.cos(row * frequency), Math.sin(row * frequency)];
      [real, imaginary] = [real + c * cosine + s * sine, imaginary + s * cosine - c * sine];
    }
    return Math.atan2(imaginary, real);
  });
  return { scale, slope, start: firstPosition(phases, exact) };
}

/** `turns` with the whole turns that grow from pair to pair by a factor, as octaves do. @param {Float64Array} turns */
function unwound(turns) {
  const found = turns.slice();
  for (let i = 2; found[1] > found[0] && found[0] > 0 && i < found.length; i++) {
    const guess = found[i - 1] ** 2 / found[i - 2];
    if (guess > 1e15 || Math.abs(wrapped(guess - found[i])) > GROWN) return turns;
    found[i] = guess - wrapped(guess - found[i]);
  }
  return found;
}

/** Position of the first row, estimated from the slowest pair, refined by faster ones; several numbers of whole turns are tried. @param {Float64Array} phases @param {Float64Array} exact */
function firstPosition(phases, exact) {
  const fast = [...exact.keys()].filter((i) => Math.abs(exact[i]) > STILL).sort((i, j) => Math.abs(exact[i]) - Math.abs(exact[j]));
  if (!fast.length) return 0;
  const found = Array.from({ length: 2 * TURNS + 1 }, (_, k) => (k % 2 ? -(k + 1) : k) / 2) // 0, -1, 1, -2, ...
    .map((turn) => fast.slice(1).reduce((at, i) => at + wrapped(phases[i] - exact[i] * at) / exact[i], (phases[fast[0]] + 2 * Math.PI * turn) / exact[fast[0]]));
  const left = found.map((at) => fast.reduce((most, i) => Math.max(most, Math.abs(wrapped(phases[i] - exact[i] * at))), 0));
  const least = Math.min(...left);
  return found[left.findIndex((rest) => asGood(rest, least))];
}

/** `kind` with the base that gives the slope, for freq_shift 0 and 1; or with the paper's base and any freq_shift. @param {Convention} kind @param {number} slope @param {number} width @param {number} pairs @returns {Convention[]} */
function withBase(kind, slope, width, pairs) {
  if (pairs === 1) return [kind]; // one pair does not determine a base
  const half = spreadOf(kind, width) / 2;
  const found = [0, 1].map((shift) => ({ shift, exponent: slope * (half - shift) })).filter(({ exponent }) => Math.abs(exponent) < 700)
    .map(({ shift, exponent }) => ({ ...kind, freq_shift: shift, base: Math.exp(exponent) }));
  const other = half - Math.log(kind.base) / slope; // the slope gives either the base or the shift
  return slope > 0 && Math.abs(other) < SHIFTED && Math.min(Math.abs(other), Math.abs(other - 1)) > 0.005 ? [...found, { ...kind, freq_shift: other }] : found;
}

/** Round numbers near the measured `number`, the roundest first. @param {typeof NUMBERS[number]} name @param {number} number */
function rounder(name, number) {
  if (name === "start") return [even(number), Number(number.toFixed(2))];
  if (name === "freq_shift") return [2, 3].map((digits) => Number(number.toFixed(digits)));
  const known = [...Object.values(CONVENTIONS).map((kind) => ({ ...DEFAULT, ...kind })[name]), ...(name === "base" ? BASES : [])];
  const close = known.filter((value) => Math.abs(number / value - 1) < 0.01);
  const turns = name === "angle_scale" ? [even(number / Math.PI) * Math.PI] : name === "base" && number < 1 ? [2 ** even(Math.log2(number))] : [];
  return [...new Set([...close, ...digitsOf(number, 3), ...turns])].filter(Boolean);
}

/** `candidate` with the roundest numbers that fit as well, within `slack`. @param {Candidate} candidate @param {Rows[]} samples @param {number} slack */
function rounded(candidate, samples, slack) {
  const exact = tried(candidate.convention, { ...samples[1], far: 0 });
  if (exact && asGood(exact.error, 0, samples[1].rounding)) [candidate, samples] = [exact, samples.map((rows) => ({ ...rows, far: 0 }))]; // no angle is rounded
  const { error: limit, convention: { angle_scale: old, start } } = candidate;
  const { places } = samples[1];
  const middle = (places[0] + places[places.length - 1]) / 2;
  const both = rounder("angle_scale", old).map((scale) => ({ angle_scale: scale, start: even((start + middle) * old / scale - middle) })); // each needs both
  for (const options of [() => both, ...NUMBERS.map((name) => () => rounder(name, candidate.convention[name]).map((number) => ({ [name]: number })))]) {
    const { convention } = candidate;
    for (const option of options()) {
      const trial = within({ ...convention, ...option }, samples, slack, limit);
      if (trial && trial.isExact >= candidate.isExact) { candidate = trial; break; }
    }
  }
  const { base } = candidate.convention;
  const shorter = (base > 1 ? [even(base), ...digitsOf(base, 7).slice(4)] : []).map((one) => tried({ ...candidate.convention, base: one }, samples[1]));
  return shorter.find((near) => near && near.isExact >= candidate.isExact && near.error <= 1.1 * limit + HARDLY) ?? candidate;
}

/** Largest difference of the values. @param {Candidate} one @param {Candidate} other */
const apart = (one, other) => one.unit.reduce((most, value, at) => Math.max(most, Math.abs(value - other.unit[at])), 0);

/** Append `candidate`, or add its libraries to the candidate with the same values. @param {Candidate[]} found @param {Candidate} candidate */
function add(found, candidate) {
  const place = found.findIndex((old) => apart(old, candidate) < SAME);
  if (place < 0) { found.push(candidate); return; }
  const old = found[place];
  const first = before(complexity(candidate.convention), complexity(old.convention)) < 0 ? candidate : old;
  found[place] = { ...first, libraries: [...new Set([...old.libraries, ...candidate.libraries])].sort() };
}

/** Whether `one` explains the rows as well as `other` does, so that `other` adds nothing. @param {Candidate} one @param {Candidate} other @param {Rows} some */
const covers = (one, other, { rounding }) => one.isExact >= other.isExact && asGood(one.error, other.error, rounding) && apart(one, other) <= 2 * (one.error + other.error) + SAME;

/** How many characters the significant digits of `number` take, with their point. @param {number} number */
const digitsIn = (number) => number.toExponential(12).split("e")[0].replace(/0+$/, "").length;

/** Sort key: significant digits, then the number of options that differ from the paper's. @param {Convention} kind */
function complexity(kind) {
  const digits = [kind.base, kind.angle_scale / Math.PI, kind.angle_scale, kind.start, kind.freq_shift].map(digitsIn);
  const names = /** @type {(keyof Convention)[]} */ (Object.keys(DEFAULT));
  return [digits[0] + Math.min(digits[1], digits[2]) + digits[3] + digits[4], names.filter((name) => kind[name] !== DEFAULT[name]).length];
}

/** Compares two lists of numbers; below 0 if `one` comes first. @param {number[]} one @param {number[]} other */
function before(one, other) {
  const place = one.findIndex((value, k) => value !== other[k]);
  return place < 0 ? 0 : one[place] - other[place];
}

/** Every combination of slips that can occur together, the fewest first; then those that do not hide the base, with other `bases`. @param {number[]} bases @returns {Mistaken[]} */
function mistaken(bases) {
  const starts = [[], [FROM_ONE]];
  const slips = [[], ...Object.keys(EXPONENTS).map((name) => [name])];
  const sets = [
    ...slips.flatMap((slip) => [[], [SWAPPED]].flatMap((swap) => starts.map((start) => [...slip, ...swap, ...start]))),
    ...Object.keys(MISSING).flatMap((name) => starts.map((start) => [name, ...start])),
  ].filter(({ length }) => length);
  const found = [0, 1].flatMap((shift) => ["interleaved", "halves"].flatMap((layout) => sets.map((mistakes) => ({ meant: { ...DEFAULT, layout, freq_shift: shift }, mistakes }))));
  found.sort((one, other) => one.mistakes.length - other.mistakes.length);
  const open = found.filter(({ mistakes }) => mistakes.some((name) => ANY_BASE.includes(name)));
  return [...found, ...open.flatMap(({ meant, mistakes }) => bases.map((base) => ({ meant: { ...meant, base }, mistakes })))];
}

/** `found` with the first known slip that explains the rows as well. @param {Candidate[]} found @param {Rows[]} samples @param {number} slack */
function explained(found, samples, slack) {
  const some = samples[1];
  if (some.width % 2) return found;
  const best = found.length ? Math.min(...found.map(({ error }) => error)) : slack;
  /** @type {Candidate[]} */ const slips = [];
  for (const slip of mistaken(bases(some))) {
    const made = within(slip, samples, slack, best);
    if (made) slips.push(made);
    if (made && made.error <= 2 * some.rounding + EXACT && digitsIn(slip.meant.base) < SHORT) break;
  }
  const least = Math.min(...slips.map(({ error }) => error));
  const [made] = slips.filter(({ error }) => asGood(error, least, some.rounding)).sort((one, other) => digitsIn(one.convention.base) - digitsIn(other.convention.base));
  const same = made ? found.filter((old) => covers(made, old, some)) : [];
  if (!made || (!BASES.includes(made.convention.base) && same.some((old) => digitsIn(old.convention.base) < digitsIn(made.convention.base)))) return found; // a rounder base needs no slip
  const isNew = !same.length || made.mistake?.mistakes.includes("exponent-sign"); // that is the same as the base's inverse
  return [...(!isNew ? same.map((old) => ({ ...old, mistake: made.mistake })) : [made]), ...found.filter((old) => !same.includes(old))];
}

/** Bases that a slip may have: two usual ones, and what the two fastest sines tell. @param {Rows} some */
function bases(some) {
  const { places, values, width } = longestRun(some);
  const [half, found] = [width >> 1, [1000, 100, ...BASES]];
  for (const columns of width < 4 || places.length < 5 ? [] : [[0, 2], [1, 3], [0, 1], [half, half + 1]]) {
    const turns = columns.map((j) => measured({ cosines: column({ values, width }, 1, () => j).values, sines: null, rows: places.length, pairs: 1 })?.turns[0] ?? 0);
    if (!(turns[0] > 0 && turns[1] > 0)) continue;
    const logarithm = half * Math.abs(Math.log(turns[0] / turns[1]));
    found.push(...nearBases(logarithm).slice(0, -1).filter((base) => base > 2 && base < LARGEST), ...nearBases(logarithm / 2).slice(0, -1).filter((base) => base > 2));
  }
  return [...new Set(found)].filter((base) => base > 1);
}

/** `candidate` as an answer about all rows, and its error beyond what rounded angles explain. @param {Candidate} candidate @param {Rows} some @param {Rows} rows */
function answer(candidate, some, rows) {
  const { convention: kind, mistake: slip, libraries } = candidate;
  const isMeant = slip !== null && kind === slip.meant;
  const { unit, room } = /** @type {{ unit: Float64Array, room: Float64Array | null }} */ (unitRows(isMeant ? slip : kind, rows));
  const size = round(amplitude(some.values, candidate.unit), some, candidate.unit);
  /** @type {TableMatch} */ const match = { convention: { ...kind, amplitude: size }, error: errorAt(rows.values, size, unit), libraries, mistakes: slip?.mistakes ?? [], isMeant, findings: [], firstRow: 0, zeroRows: 0, close: size * errorAt(rows.values, size, unit.subarray(0, CLOSE * rows.width)) };
  return { match: named(match, kind, rows), beyond: errorAt(rows.values, size, unit, room) };
}

/** A round number near `size` that fits as well; the root of the width counts as round. @param {number} size @param {Rows} some @param {Float64Array} unit */
function round(size, some, unit) {
  const limit = errorAt(some.values, size, unit);
  const near = [Math.sqrt(some.width), Math.sqrt(1 / some.width), ...digitsOf(size, 5)];
  return near.find((one) => {
    const [far, error] = [Math.abs(one / size - 1), errorAt(some.values, one, unit)];
    return (far < NEAR && asGood(error, limit)) || (far < ROUGH_SIZE && error < limit);
  }) ?? size;
}

/** @param {Convention} one @param {Convention} other */
const isSame = (one, other) => (/** @type {(keyof Convention)[]} */ (Object.keys(DEFAULT))).every((name) => one[name] === other[name]);

/** `match` with the place of its rows in the table of a library, and with what else looks the same. @param {TableMatch} match @param {Convention} kind its convention at amplitude 1 @param {Rows} rows @returns {TableMatch} */
function named(match, kind, rows) {
  if (match.mistakes.length) return match;
  if (kind.angle_scale < 0) return falling(match, kind, rows);
  const placed = match.libraries.length ? match : moved(match, kind, rows);
  const more = !placed.libraries.length && kind.base < 1 ? [growing(kind, rows.width)] : [];
  const isAny = !placed.libraries.length && rows.width === 4 && kind.angle_scale !== 1;
  return { ...placed, findings: [...placed.findings, ...rotary(kind, rows.width), ...more, ...(isAny ? [finding("two-pairs")] : [])] };
}

/** Frequencies that grow, as those of Fourier features do, but not by octaves. @param {Convention} kind @param {number} width */
function growing(kind, width) {
  const half = spreadOf(kind, width) / 2 - kind.freq_shift;
  const times = Array.from({ length: (width + 1) >> 1 }, (_, i) => kind.base ** (i && -i / half));
  const isWhole = kind.freq_shift === 1 && Number.isInteger(Math.log2(times[times.length - 1])) && times[1] !== 2;
  return finding("growing", { list: series(times.map((one) => general(one, 4))), end: isWhole ? ": no octaves, since linspace includes its end point" : "" });
}

/** A table whose positions fall, or whose sines are negated. @param {TableMatch} match @param {Convention} kind @param {Rows} rows */
function falling(match, kind, { places }) {
  const [first, last] = [0 - kind.start, 0 - kind.start - places[places.length - 1]];
  if (kind.angle_scale === -1 && first <= 0) return { ...match, mistakes: ["sine-sign"] };
  const isWhole = isSame({ ...kind, start: 0 }, { ...DEFAULT, angle_scale: -1 }) && first === -last;
  return { ...match, libraries: isWhole ? FALLING : match.libraries, findings: [finding("falling", { first: general(first, 12), last: general(last, 12) })] };
}

/** `match` with the library whose table begins earlier, or after rows of zeros. @param {TableMatch} match @param {Convention} kind @param {Rows} rows */
function moved(match, kind, { places: [zeros], width }) {
  const start = kind.start + zeros; // position of the first row that is not zero
  const sorted = [...librariesAt(width)].sort((one, other) => one.kind.start - other.kind.start);
  const whose = sorted.find(({ kind: other }) => start >= other.start && Number.isInteger(start - other.start) && isSame({ ...kind, start: other.start }, other));
  const first = whose ? start - whose.kind.start : 0;
  const findings = zeros ? [finding("after-zeros", { rows: zeros === 1 ? "one row" : `${zeros} rows` })] : [];
  if (first) findings.push(finding("from-row", { row: first }));
  return { ...match, convention: { ...match.convention, start }, libraries: whose?.names ?? [], findings, firstRow: first, zeroRows: zeros };
}

/** Rotary caches with each pair once have the columns of some conventions. @param {Convention} kind @param {number} width */
export function rotary({ layout, order, freq_shift, spread }, width) {
  if (width % 2 || freq_shift || spread || (layout === "interleaved" && order === "sin_first")) return [];
  return [finding("rotary-too", { halves: layout === "interleaved" ? "cosine and sine of each pair" : order === "sin_first" ? "sines, then cosines" : "cosines, then sines" })];
}
