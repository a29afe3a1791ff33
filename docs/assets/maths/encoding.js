/**
 * The encoding, computed in the browser; functions have the package's names, in camel case.
 *
 * A plain `Math.sin(p * w)` is wrong by 5e-13 at position 4096. As in `posenc/_phase.py`, a
 * frequency carries 106 bits (high + low) and the product's rounding error is recovered
 * exactly (Dekker 1971).
 */

/** @typedef {{ high: Float64Array, low: Float64Array }} Exact radians per position, as the sum of two float64 */

const BITS = 192; // after the point of a fixed-point number in a BigInt
const BIG = BigInt(BITS);
const ONE = 1n << BIG;
const SPLIT = 2 ** 27 + 1;
const EULER_GAMMA = 0.5772156649015329;

/** @type {Map<string, Exact>} */
const known = new Map();

/** @param {bigint} a @param {bigint} b */
const times = (a, b) => (a * b) >> BIG;

/** @param {bigint} number in fixed point @param {number} exponent */
function power(number, exponent) {
  let result = ONE;
  for (let square = number, rest = exponent; rest; rest >>= 1, square = times(square, square)) {
    if (rest & 1) result = times(result, square);
  }
  return result;
}

/**
 * `base ** (-2 i / dModel)` for each pair i, to 106 bits; `base` is within 2 ** ±40.
 * @param {number} dModel
 * @param {number} base
 * @param {number} [pairs] if 1, `dModel` does not matter
 * @returns {Exact}
 */
export function exactFrequencies(dModel, base, pairs = dModel / 2) {
  const key = `${dModel} ${base} ${pairs}`;
  const found = known.get(key);
  if (found) return found;
  const exact = { high: new Float64Array(pairs), low: new Float64Array(pairs) };
  const ratio = pairs > 1 ? root(dModel, base) : ONE;
  for (let i = 0, value = ONE; i < pairs; i++, value = times(value, ratio)) {
    const high = Number(value);
    exact.high[i] = high / 2 ** BITS;
    exact.low[i] = Number(value - BigInt(high)) / 2 ** BITS;
  }
  if (known.size > 31) known.clear();
  known.set(key, exact);
  return exact;
}

/** `base ** (-2 / dModel)` in fixed point. @param {number} dModel @param {number} base */
function root(dModel, base) {
  const one = BigInt(base * 2 ** 100); // a whole number, as a float64 has 53 bits
  const target = (1n << (BIG + 200n)) / (one * one); // base ** -2
  let ratio = BigInt(base ** (-2 / dModel) * 2 ** BITS);
  for (let step = 0; step < 2; step++) { // Newton's method: from 53 bits to 106, then beyond what we keep
    const ahead = (target << BIG) / power(ratio, dModel) - ONE;
    ratio += times(ratio, ahead) / BigInt(dModel);
  }
  return ratio;
}

/** `value` as two parts of half the bits. @param {number} value */
export function split(value) {
  const big = value * SPLIT;
  const head = big - (big - value);
  return [head, value - head];
}

/**
 * Write the sine and cosine of every pair at `position` to `out`, from index `at`.
 * @param {Float64Array} out
 * @param {number} at
 * @param {number} position
 * @param {Exact} exact
 */
export function fill(out, at, position, { high, low }) {
  const [pHead, pTail] = split(position);
  for (let i = 0; i < high.length; i++) {
    const wBig = high[i] * SPLIT;
    const wHead = wBig - (wBig - high[i]);
    const wTail = high[i] - wHead;
    const phase = position * high[i];
    // The rounding error of the phase, plus the low bits of the frequency: below 1e-12.
    const rest = pHead * wHead - phase + pHead * wTail + pTail * wHead + pTail * wTail
      + position * low[i];
    const sine = Math.sin(phase);
    const cosine = Math.cos(phase);
    out[at + 2 * i] = sine + cosine * rest;
    out[at + 2 * i + 1] = cosine - sine * rest;
  }
}

/**
 * Angular frequency of each pair, in radians per position.
 * @param {number} dModel even
 * @param {number} [base] at least 1
 */
export function frequencies(dModel, base = 10_000) {
  return exactFrequencies(dModel, base).high.slice();
}

/** Positions that each pair needs for one turn. @param {number} dModel @param {number} [base] */
export function wavelengths(dModel, base = 10_000) {
  return exactFrequencies(dModel, base).high.map((frequency) => 2 * Math.PI / frequency);
}

/**
 * The vector of one position: sines at even indices, cosines at odd ones.
 * @param {number} position any real number to 2 ** 24
 * @param {number} dModel
 * @param {number} [base]
 */
export function encode(position, dModel, base = 10_000) {
  const out = new Float64Array(dModel);
  fill(out, 0, position, exactFrequencies(dModel, base));
  return out;
}

/**
 * The vectors of the positions 0 to `length - 1`, one after the other.
 * @param {number} length
 * @param {number} dModel
 * @param {number} [base]
 */
export function positionalEncoding(length, dModel, base = 10_000) {
  const out = new Float64Array(length * dModel);
  const exact = exactFrequencies(dModel, base);
  for (let position = 0; position < length; position++) fill(out, position * dModel, position, exact);
  return out;
}

/**
 * Dot product of two encodings `offset` positions apart.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} [base]
 */
export function similarity(offset, dModel, base = 10_000) {
  return encode(offset, dModel, base).reduce((sum, value, j) => (j % 2 ? sum + value : sum), 0);
}

/**
 * The law of similarity, over d / 2, for offsets well above 1 and well below the base.
 * @param {number} offset
 * @param {number} base
 */
export function law(offset, base) {
  return 1 - (EULER_GAMMA + Math.log(Math.abs(offset))) / Math.log(base);
}

/**
 * Euclidean distance of two encodings `offset` positions apart, from the chord of each pair's turn.
 * @param {number} offset
 * @param {number} dModel
 * @param {number} [base]
 */
export function distance(offset, dModel, base = 10_000) {
  const halves = encode(offset / 2, dModel, base);
  return 2 * Math.sqrt(halves.reduce((sum, value, j) => (j % 2 ? sum : sum + value * value), 0));
}
