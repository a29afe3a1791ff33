/**
 * Rotary frequencies under each scaling, as in `posenc/rotary`, within some 1e-14.
 */

/** @import { Scaling, YaRN } from "../config/scalings.js" */

/** @param {number} value */
const clipped = (value) => Math.min(Math.max(value, 0), 1);

/** `base ** (-2 i / width)` for each pair i. @param {number} logarithm of the base @param {number} width */
const progression = (logarithm, width) => Float64Array.from({ length: width / 2 }, (_, i) => Math.exp(logarithm * -2 * i / width));

/**
 * Radians per position of each pair.
 * @param {Scaling | null} scaling
 * @param {number} base
 * @param {number} width the number of features that turn
 * @param {number | null} [length] of the text
 */
export function rotaryFrequencies(scaling, base, width, length = null) {
  const plain = progression(Math.log(base), width);
  switch (scaling?.type) {
    case "Linear": return plain.map((frequency) => frequency / scaling.factor);
    case "NTK": return stretched(base, width, Math.log(scaling.factor));
    case "DynamicNTK": {
      const trained = scaling.max_position_embeddings;
      return stretched(base, width, Math.log1p(scaling.factor * (Math.max(trained, length ?? 0) / trained - 1)));
    }
    case "SteppedNTK": return stretched(base, width, Math.log(steppedFactor(scaling.max_position_embeddings, length ?? 0)));
    case "Proportional": {
      const count = turning(scaling.partial_rotary_factor, width);
      return plain.map((frequency, i) => (i < count ? frequency / scaling.factor : 0));
    }
    case "Llama3": {
      const { factor, low_freq_factor: low, high_freq_factor: high, original_max_position_embeddings: original } = scaling;
      return plain.map((frequency) => {
        const kept = clipped((original * frequency / (2 * Math.PI) - low) / (high - low));
        return frequency * (kept + (1 - kept) / factor);
      });
    }
    case "YaRN": {
      const [first, last] = ramp(scaling, base, width);
      return plain.map((frequency, i) => {
        const divided = clipped((i - first) / (last - first));
        return frequency * (divided / scaling.factor + (1 - divided));
      });
    }
    case "LongRoPE": {
      const divisors = scaling[isLong(scaling, length) ? "long_factor" : "short_factor"];
      return plain.map((frequency, i) => frequency / divisors[i]);
    }
    default: return plain;
  }
}

/** 1, 3, 7, 15, ... by the length of the text. @param {number} trained @param {number} length */
const steppedFactor = (trained, length) => 2 ** Math.max(1, Math.ceil(Math.log2(2 * length / trained))) - 1;

/** Pairs that turn. @param {number} part @param {number} width */
export const turning = (part, width) => Math.floor(part * width / 2);

/** Whether a text is longer than those of the training. @param {{ original_max_position_embeddings: number }} scaling @param {number | null} length */
export const isLong = (scaling, length) => length !== null && length > scaling.original_max_position_embeddings;

/** The progression of the base times `factor ** (width / (width - 2))`. @param {number} base @param {number} width @param {number} logarithm of the factor */
const stretched = (base, width, logarithm) => progression(Math.log(base) + logarithm * (width / (width - 2)), width);

/** The pairs' numbers at which YaRN's ramp begins and ends. @param {YaRN} scaling @param {number} base @param {number} width */
function ramp({ original_max_position_embeddings: original, beta_fast: fast, beta_slow: slow, truncate }, base, width) {
  const ends = [fast, slow].map((beta) => width * Math.log(original / (2 * Math.PI * beta)) / (2 * Math.log(base)));
  const [begin, end] = truncate ? [Math.floor(ends[0]), Math.ceil(ends[1])] : ends;
  const [first, last] = [Math.max(begin, 0), Math.min(end, width - 1)];
  return [first, first === last ? last + 0.001 : last];
}
