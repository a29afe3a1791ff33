/**
 * Frequencies and attention factor of a rotary encoding, as in `posenc/rotary`, within some 1e-14.
 */

import { isLong, rotaryFrequencies, turning } from "../maths/rotary.js";
import { refuse } from "./checks.js";
import { float } from "./shown.js";

/** @typedef {import("./scalings.js").Scaling} Scaling */
/** @typedef {{ head_dim: number, base: number, rotary_dim: number, layout: string, scaling: Scaling | null }} Rotary */

/**
 * Radians per position of each pair, in a text of `length` positions; without it, of at most those of the training.
 * @param {Rotary} rotary
 * @param {number | null} [length]
 */
export function frequencies({ base, rotary_dim: width, scaling }, length = null) {
  check(scaling, base, width, length);
  const found = rotaryFrequencies(scaling, base, width, length);
  for (const [i, frequency] of found.entries()) {
    const isStill = scaling?.type === "Proportional" && i >= turning(scaling.partial_rotary_factor, width);
    if (!Number.isFinite(frequency) || (!frequency && !isStill)) refuse(`base and scaling must keep frequencies within float64, got ${float(frequency)}`);
  }
  return found;
}

/** Refuse a base or a width that the scaling cannot have. @param {Scaling | null} scaling @param {number} base @param {number} width @param {number | null} length */
function check(scaling, base, width, length) {
  if (scaling?.type.endsWith("NTK") && width < 4) refuse(`rotary_dim must be at least 4 with NTK scaling, got ${width}`);
  if (scaling?.type === "YaRN" && base <= 1) refuse(`base must be greater than 1 with YaRN, got ${float(base)}`);
  if (scaling?.type !== "LongRoPE") return;
  const name = isLong(scaling, length) ? "long_factor" : "short_factor";
  if (scaling[name].length !== width / 2) refuse(`${name} must have ${width / 2} numbers, got ${scaling[name].length}`);
}

/** The same without the scaling. @param {Rotary} rotary */
export const unscaled = (rotary) => frequencies({ ...rotary, scaling: null });

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
export const dependsOnLength = ({ scaling }) => ["DynamicNTK", "SteppedNTK", "LongRoPE"].includes(scaling?.type ?? "");
