/**
 * Frequencies and attention factor of a rotary encoding, as in `posenc/rotary`, within some 1e-14.
 */

import { refuse } from "./checks.js";
import { float } from "./shown.js";

/** @typedef {import("./scalings.js").Scaling} Scaling */
/** @typedef {import("./scalings.js").YaRN} YaRN */
/** @typedef {{ head_dim: number, base: number, rotary_dim: number, layout: string, scaling: Scaling | null }} Rotary */

/** @param {number} value */
const clipped = (value) => Math.min(Math.max(value, 0), 1);

/** `base ** (-2 i / width)` for each pair i. @param {number} logarithm of the base @param {number} width */
const progression = (logarithm, width) => Float64Array.from({ length: width / 2 }, (_, i) => Math.exp(logarithm * -2 * i / width));

/**
 * Radians per position of each pair, in a text of `length` positions; without it, of at most those of the training.
 * @param {Rotary} rotary
 * @param {number | null} [length]
 */
export function frequencies({ base, rotary_dim: width, scaling }, length = null) {
  const plain = progression(Math.log(base), width);
  const found = scaling ? scaled(scaling, plain, base, width, length) : plain;
  for (const [i, frequency] of found.entries()) {
    const isStill = scaling?.type === "Proportional" && i >= turning(scaling.partial_rotary_factor, width);
    if (!Number.isFinite(frequency) || (!frequency && !isStill)) refuse(`base and scaling must keep frequencies within float64, got ${float(frequency)}`);
  }
  return found;
}

/** The same without the scaling. @param {Rotary} rotary */
export const unscaled = (rotary) => frequencies({ ...rotary, scaling: null });

/** @param {Scaling} scaling @param {Float64Array} plain @param {number} base @param {number} width @param {number | null} length */
function scaled(scaling, plain, base, width, length) {
  switch (scaling.type) {
    case "Linear": return plain.map((frequency) => frequency / scaling.factor);
    case "NTK": return stretched(base, width, Math.log(scaling.factor));
    case "DynamicNTK": {
      const trained = scaling.max_position_embeddings;
      return stretched(base, width, Math.log1p(scaling.factor * (Math.max(trained, length ?? 0) / trained - 1)));
    }
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
      const name = isLong(scaling, length) ? "long_factor" : "short_factor";
      const divisors = scaling[name];
      if (divisors.length !== width / 2) refuse(`${name} must have ${width / 2} numbers, got ${divisors.length}`);
      return plain.map((frequency, i) => frequency / divisors[i]);
    }
  }
}

/** Pairs that turn. @param {number} part @param {number} width */
const turning = (part, width) => Math.floor(part * width / 2);

/** The progression of the base times `factor ** (width / (width - 2))`. @param {number} base @param {number} width @param {number} logarithm of the factor */
function stretched(base, width, logarithm) {
  if (width < 4) refuse(`rotary_dim must be at least 4 with NTK scaling, got ${width}`);
  return progression(Math.log(base) + logarithm * (width / (width - 2)), width);
}

/** The pairs' numbers at which YaRN's ramp begins and ends. @param {YaRN} scaling @param {number} base @param {number} width */
function ramp({ original_max_position_embeddings: original, beta_fast: fast, beta_slow: slow, truncate }, base, width) {
  if (base <= 1) refuse(`base must be greater than 1 with YaRN, got ${float(base)}`);
  const ends = [fast, slow].map((beta) => width * Math.log(original / (2 * Math.PI * beta)) / (2 * Math.log(base)));
  const [begin, end] = truncate ? [Math.floor(ends[0]), Math.ceil(ends[1])] : ends;
  const [first, last] = [Math.max(begin, 0), Math.min(end, width - 1)];
  return [first, first === last ? last + 0.001 : last];
}

/** @param {{ original_max_position_embeddings: number }} scaling @param {number | null} length */
const isLong = (scaling, length) => length !== null && length > scaling.original_max_position_embeddings;

/**
 * The number that multiplies cosine and sine.
 * @param {Rotary} rotary
 * @param {number | null} [length]
 */
export function attentionFactor({ scaling }, length = null) {
  if (scaling?.type === "YaRN") {
    const { factor, mscale, mscale_all_dim: all, attention_factor: given } = scaling;
    if (given !== null) return given;
    const warmth = Math.log(factor) / 10;
    return factor <= 1 ? 1 : (mscale * warmth + 1) / (all * warmth + 1);
  }
  if (scaling?.type === "LongRoPE") {
    const { factor, original_max_position_embeddings: original, attention_factor: attention } = scaling;
    const given = (isLong(scaling, length) ? scaling.long_mscale : scaling.short_mscale) ?? attention;
    if (given !== null) return given;
    return factor <= 1 ? 1 : Math.sqrt(1 + Math.log(factor) / Math.log(original));
  }
  return 1;
}

/** Whether frequencies or attention factor depend on the length of the text. @param {Rotary} rotary */
export const dependsOnLength = ({ scaling }) => scaling?.type === "DynamicNTK" || scaling?.type === "LongRoPE";
