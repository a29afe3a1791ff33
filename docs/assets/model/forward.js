/**
 * The forward pass of the trained models, as in `scripts/experiments/forward.py`.
 *
 * It knows causal models with a residual path: what a place sees does not depend on later tokens, so a
 * pass keeps the rows of an earlier one up to the first token that changed. Vectors are rows, in one array
 * after the other.
 */

import { HEADS, HEAD_WIDTH, VOCABULARY, WIDTH, addedRow, addedScores, speeds } from "./encodings.js";

/** @import { Model } from "./weights.js" */
/** @typedef {{ speeds?: Float64Array, isOff?: boolean }} Changes other rotary frequencies, or no encoding at all */
/** @typedef {{ cosine: Float64Array, sine: Float64Array }} Turns of (position, pair) */
/** @typedef {{ keys: Float64Array, values: Float64Array, weights: Float64Array }} Layer keys and values of each position; attention of each query: for each head, the weights of the keys up to the query */
/** @typedef {{ tokens: number[], logits: Float64Array, layers: Layer[] }} Pass */

const EPSILON = 1e-6;

/**
 * The logits of the next answer at each place of `tokens`, and the attention of each layer.
 * @param {Model} model
 * @param {number[]} tokens
 * @param {Changes} [changes]
 * @param {Pass} [before] an earlier pass of the same model with the same changes
 * @returns {Pass}
 */
export function runModel(model, tokens, { speeds: chosen, isOff = false } = {}, before) {
  const { arrays, run } = model;
  if (!run.causal || !run.residual) throw new RangeError("the model must be causal and have a residual path");
  const { length } = tokens;
  const kept = before ? inCommon(before.tokens, tokens) : 0;
  const turns = run.encoding === "rope" && !isOff ? turned(chosen ?? speeds(run.base, "trained", 1), kept, length) : null;
  const scores = isOff ? null : addedScores(model, length);
  const x = input(model, tokens, kept, isOff);
  const layers = [];
  for (let layer = 0; layer < run.layers; layer++) {
    const own = (/** @type {string} */ name) => arrays[`${layer}.${name}`];
    const normed = rmsNorm(x, own("attention_norm"));
    const [query, key, value] = ["query", "key", "value"].map((name) => times(normed, own(name), WIDTH, WIDTH));
    if (turns) { turn(query, turns); turn(key, turns); }
    const known = before?.layers[layer];
    const keys = continued(known?.keys, kept * WIDTH, key);
    const values = continued(known?.values, kept * WIDTH, value);
    const weights = continued(known?.weights, begin(kept, 0), attended(query, keys, scores, kept, length));
    add(x, times(brought(weights, values, kept, length), own("mix"), WIDTH, WIDTH));
    const hidden = own("widen").length / WIDTH;
    const wide = times(rmsNorm(x, own("dense_norm")), own("widen"), WIDTH, hidden);
    for (let j = 0; j < wide.length; j++) if (wide[j] < 0) wide[j] = 0;
    add(x, times(wide, own("narrow"), hidden, WIDTH));
    layers.push({ keys, values, weights });
  }
  const last = times(rmsNorm(x, arrays.norm), arrays.unembedding, WIDTH, VOCABULARY);
  return { tokens, logits: continued(before?.logits, kept * VOCABULARY, last), layers };
}

/** How many tokens `some` and `others` begin with in common. @param {number[]} some @param {number[]} others */
export function inCommon(some, others) {
  const first = others.findIndex((token, p) => token !== some[p]);
  return first < 0 ? others.length : first;
}

/** Where the weights of a query and head begin. @param {number} query @param {number} head */
const begin = (query, head) => (query + 1) * (HEADS * query / 2 + head);

/** The weights of a query and head: one for each key up to the query. @param {Float64Array} weights of a layer @param {number} query @param {number} head */
export const attention = (weights, query, head) => weights.subarray(begin(query, head), begin(query, head) + query + 1);

/** The first `kept` numbers of `before`, then `more`; shares memory with `before` where nothing comes after it. @param {Float64Array | undefined} before @param {number} kept @param {Float64Array} more */
function continued(before, kept, more) {
  if (before && !more.length) return before.subarray(0, kept);
  const all = new Float64Array(kept + more.length);
  if (before) all.set(before.subarray(0, kept));
  all.set(more, kept);
  return all;
}

/** The scaled embeddings of `tokens` from position `first` on, plus the rows of the encoding. @param {Model} model @param {number[]} tokens @param {number} first @param {boolean} isOff */
function input(model, tokens, first, isOff) {
  const { arrays: { embedding }, run } = model;
  const x = new Float64Array((tokens.length - first) * WIDTH);
  const scale = run.scaled ? Math.sqrt(WIDTH) : 1;
  for (let p = first; p < tokens.length; p++) {
    const added = isOff ? null : addedRow(model, p);
    const from = tokens[p] * WIDTH;
    for (let j = 0; j < WIDTH; j++) x[(p - first) * WIDTH + j] = embedding[from + j] * scale + (added ? added[j] : 0);
  }
  return x;
}

/** @param {Float64Array} x @param {Float64Array} more */
function add(x, more) {
  for (let j = 0; j < x.length; j++) x[j] += more[j];
}

/** Each row of `x` over the root of its mean square, times `gain`. @param {Float64Array} x @param {Float64Array} gain */
function rmsNorm(x, gain) {
  const normed = new Float64Array(x.length);
  for (let at = 0; at < x.length; at += WIDTH) {
    let sum = 0;
    for (let j = 0; j < WIDTH; j++) sum += x[at + j] * x[at + j];
    const factor = 1 / Math.sqrt(sum / WIDTH + EPSILON);
    for (let j = 0; j < WIDTH; j++) normed[at + j] = x[at + j] * factor * gain[j];
  }
  return normed;
}

/**
 * The product of `x`, rows of `inner` numbers, and `matrix`, `inner` rows of `width` numbers.
 *
 * Two rows and four columns at a time, because loading the numbers takes longer than multiplying them.
 * @param {Float64Array} x @param {Float64Array} matrix @param {number} inner @param {number} width a multiple of 4
 */
function times(x, matrix, inner, width) {
  const rows = x.length / inner;
  const out = new Float64Array(rows * width);
  for (let i = 0; i < rows; i += 2) {
    const next = Math.min(i + 1, rows - 1); // the last row of an odd number is computed twice
    const here = i * inner;
    const below = next * inner;
    for (let j = 0; j < width; j += 4) {
      let a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0;
      for (let k = 0, at = j; k < inner; k++, at += width) {
        const one = x[here + k], two = x[below + k];
        const m = matrix[at], n = matrix[at + 1], o = matrix[at + 2], p = matrix[at + 3];
        a += one * m; b += one * n; c += one * o; d += one * p;
        e += two * m; f += two * n; g += two * o; h += two * p;
      }
      const to = i * width + j, under = next * width + j;
      out[to] = a; out[to + 1] = b; out[to + 2] = c; out[to + 3] = d;
      out[under] = e; out[under + 1] = f; out[under + 2] = g; out[under + 3] = h;
    }
  }
  return out;
}

/** Cosine and sine of each position from `first` on and each pair. @param {Float64Array} chosen @param {number} first @param {number} end @returns {Turns} */
function turned(chosen, first, end) {
  const pairs = chosen.length;
  const angles = Float64Array.from({ length: (end - first) * pairs }, (_, at) => (first + Math.floor(at / pairs)) * chosen[at % pairs]);
  return { cosine: angles.map(Math.cos), sine: angles.map(Math.sin) };
}

/** Turn the heads of each row; features i and i + HEAD_WIDTH / 2 of a head are a pair. @param {Float64Array} x @param {Turns} turns */
function turn(x, { cosine, sine }) {
  const pairs = HEAD_WIDTH / 2;
  for (let at = 0; at < x.length; at += HEAD_WIDTH) {
    const row = Math.floor(at / WIDTH) * pairs;
    for (let i = 0; i < pairs; i++) {
      const first = x[at + i];
      const second = x[at + i + pairs];
      x[at + i] = first * cosine[row + i] - second * sine[row + i];
      x[at + i + pairs] = first * sine[row + i] + second * cosine[row + i];
    }
  }
}

/**
 * The weights of each query from position `first` on, and each head.
 * @param {Float64Array} query of the positions from `first` on
 * @param {Float64Array} key of all positions @param {Float64Array | null} scores by head and distance @param {number} first @param {number} length
 */
function attended(query, key, scores, first, length) {
  const start = begin(first, 0);
  const weights = new Float64Array(begin(length, 0) - start);
  const scale = 1 / Math.sqrt(HEAD_WIDTH);
  for (let p = first; p < length; p++) {
    for (let head = 0; head < HEADS; head++) {
      const row = begin(p, head) - start;
      const asking = (p - first) * WIDTH + head * HEAD_WIDTH;
      let most = -Infinity;
      let sum = 0;
      for (let s = 0; s <= p; s++) {
        const asked = s * WIDTH + head * HEAD_WIDTH;
        let product = 0;
        for (let j = 0; j < HEAD_WIDTH; j++) product += query[asking + j] * key[asked + j];
        const score = product * scale + (scores ? scores[head * length + p - s] : 0);
        weights[row + s] = score;
        if (score > most) most = score;
      }
      for (let s = 0; s <= p; s++) sum += weights[row + s] = Math.exp(weights[row + s] - most);
      for (let s = 0; s <= p; s++) weights[row + s] /= sum;
    }
  }
  return weights;
}

/** What the heads bring to each position from `first` on. @param {Float64Array} weights @param {Float64Array} value @param {number} first @param {number} length */
function brought(weights, value, first, length) {
  const out = new Float64Array((length - first) * WIDTH);
  for (let head = 0; head < HEADS; head++) {
    for (let p = first; p < length; p++) {
      const to = (p - first) * WIDTH + head * HEAD_WIDTH;
      const row = begin(p, head);
      for (let s = 0; s <= p; s++) {
        const weight = weights[row + s];
        const from = s * WIDTH + head * HEAD_WIDTH;
        for (let j = 0; j < HEAD_WIDTH; j++) out[to + j] += weight * value[from + j];
      }
    }
  }
  return out;
}
