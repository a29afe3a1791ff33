/**
 * Rotary encodings as calls in Python, with the options that differ from their defaults.
 *
 * As `code` in `posenc/identification/_answer.py` writes them.
 */

/** @typedef {import("./scaled.js").Rotary} Rotary */

/** @param {Rotary} rotary */
export function called({ head_dim: head, base, layout, scaling }) {
  const options = [
    base === 10_000 ? "" : `base=${base < 1e16 ? base : base.toExponential()}`,
    layout === "interleaved" ? 'layout="interleaved"' : "",
    scaling ? `scaling=${scalingCall(scaling)}` : "",
  ];
  return `Rotary(${[head, ...options].filter(Boolean).join(", ")})`;
}

/** @param {import("./scaled.js").Scaling} scaling */
function scalingCall({ type, factor, original, truncate, part, factors, attention }) {
  const each = factors && `(${factors.join(", ")})`;
  const given = [
    each ? `${each}, ${each}` : type === "Llama3" && factor === 8 ? "" : part ?? factor,
    type === "YaRN" || (type === "Llama3" && original !== 8192) ? `original_max_position_embeddings=${original}` : "",
    type === "LongRoPE" ? "original_max_position_embeddings=4096" : "",
    truncate === false ? "truncate=False" : "",
    attention === undefined ? "" : `attention_factor=${attention}`,
  ];
  return `${type}(${given.filter((text) => text !== "").join(", ")})`;
}
