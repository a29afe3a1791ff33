/**
 * The libraries' conventions and the known mistakes. The build writes this file from `posenc`.
 */

/** @type {import('./rows.js').Convention} */
export const DEFAULT = {"arrangement": "interleaved", "order": "sin_first", "freq_shift": 0, "spread": null, "base": 10000, "angle_scale": 1, "start": 0, "odd": "error", "amplitude": 1, "amplitude_power": 0};

/** @type {Record<string, Partial<import('./rows.js').Convention>>} */
export const CONVENTIONS = {
  "annotated_transformer": {},
  "d2l": {},
  "denoising_diffusion_pytorch": {"arrangement": "halves", "freq_shift": 1},
  "diffusers_1d_sincos": {"arrangement": "halves"},
  "diffusers_sinusoidal_pe": {},
  "diffusers_timestep_flip0_shift0": {"arrangement": "halves", "odd": "pad"},
  "diffusers_timestep_flip0_shift1": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "diffusers_timestep_flip1_shift0": {"arrangement": "halves", "order": "cos_first", "odd": "pad"},
  "diffusers_timestep_flip1_shift1": {"arrangement": "halves", "order": "cos_first", "freq_shift": 1, "odd": "pad"},
  "diffusers_timestep_scale1000": {"arrangement": "halves", "freq_shift": 1, "angle_scale": 1000, "odd": "pad"},
  "diffusers_timestep_stable_diffusion": {"arrangement": "halves", "order": "cos_first", "odd": "pad"},
  "espnet_pe": {},
  "espnet_relpos": {},
  "fairseq2": {"arrangement": "halves", "freq_shift": 1},
  "fairseq2_legacy_pad1": {"arrangement": "halves", "freq_shift": 1, "start": 2},
  "fairseq_table_nopad": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "fairseq_table_pad1": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "flax_nlp_seq": {},
  "flax_wmt": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "flax_wmt_jax": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "flax_wmt_min2_max5000": {"arrangement": "halves", "freq_shift": 1, "base": 2500, "angle_scale": 2, "odd": "pad"},
  "guided_diffusion": {"arrangement": "halves", "order": "cos_first", "odd": "pad"},
  "improved_diffusion": {"arrangement": "halves", "order": "cos_first", "odd": "pad"},
  "keras_ddim": {"arrangement": "halves", "freq_shift": 1, "base": 0.001, "angle_scale": 6.283185307179586},
  "kerashub": {"odd": "truncate"},
  "mae_1d": {"arrangement": "halves"},
  "marian_cpp": {"arrangement": "halves", "freq_shift": 1},
  "nerf_L6_1d": {"spread": 2, "base": 0.5},
  "openai_whisper": {"arrangement": "halves", "freq_shift": 1},
  "opennmt_py_concat": {"arrangement": "halves", "freq_shift": 1},
  "opennmt_py_interleaved": {},
  "opennmt_tf": {"arrangement": "halves", "freq_shift": 1, "start": 1},
  "pegasus_original": {"arrangement": "halves", "freq_shift": 1},
  "positional_encodings_1d": {"odd": "ceil"},
  "positional_encodings_tf_1d": {"odd": "ceil"},
  "pytorch_tutorial": {},
  "speechbrain_pe": {},
  "speechbrain_relposxl": {},
  "tensor2tensor": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "tensor2tensor_min2_max5000": {"arrangement": "halves", "freq_shift": 1, "base": 2500, "angle_scale": 2, "odd": "pad"},
  "tensor2tensor_start5": {"arrangement": "halves", "freq_shift": 1, "start": 5, "odd": "pad"},
  "tf_models": {"arrangement": "halves", "freq_shift": 1},
  "tf_text_tutorial": {"arrangement": "halves", "odd": "overflow"},
  "torchtune_rope_cache": {"order": "cos_first"},
  "transformers_ctrl": {"arrangement": "halves", "odd": "truncate"},
  "transformers_distilbert": {"odd": "truncate"},
  "transformers_florence2": {},
  "transformers_fsmt_table": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "transformers_gptj": {"arrangement": "halves", "odd": "overflow"},
  "transformers_informer": {"arrangement": "halves", "odd": "truncate"},
  "transformers_m2m100_forward_pad1": {"arrangement": "halves", "freq_shift": 1, "start": 2, "odd": "pad"},
  "transformers_m2m100_table": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "transformers_marian": {"arrangement": "halves", "odd": "truncate"},
  "transformers_musicgen": {"arrangement": "halves", "order": "cos_first", "freq_shift": 1, "odd": "pad"},
  "transformers_pegasus": {"arrangement": "halves", "odd": "truncate"},
  "transformers_pegasus_x": {"arrangement": "halves", "freq_shift": 1},
  "transformers_roformer": {"arrangement": "halves", "odd": "truncate"},
  "transformers_seamless_m4t_forward_pad1": {"arrangement": "halves", "freq_shift": 1, "start": 2, "odd": "pad"},
  "transformers_seamless_m4t_table": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "transformers_speech2text_forward_pad1": {"arrangement": "halves", "freq_shift": 1, "start": 2, "odd": "pad"},
  "transformers_speech2text_table": {"arrangement": "halves", "freq_shift": 1, "odd": "pad"},
  "transformers_speecht5_scaled": {},
  "transformers_timesfm": {"arrangement": "halves", "freq_shift": 1},
  "transformers_timesfm_min2_max5000": {"arrangement": "halves", "freq_shift": 1, "base": 2500, "angle_scale": 2},
  "transformers_videomae": {"odd": "truncate"},
  "transformers_wav2vec2_conformer_rel": {},
  "transformers_whisper": {"arrangement": "halves", "freq_shift": 1},
  "transformers_xlm": {"odd": "truncate"},
  "transformers_xlnet": {"arrangement": "halves", "odd": "overflow"},
  "trax": {},
  "x_transformers": {"arrangement": "halves", "amplitude_power": -0.5},
};

/** @type {Record<string, import('./rows.js').Exponents>} */
export const EXPONENTS = {
  "the exponent is doubled": {"factor": 2},
  "each cosine's exponent differs from its sine's": {"factor": 1, "ahead": 0.5},
  "each cosine's exponent differs from its sine's, and exponents are doubled": {"factor": 2, "ahead": 0.5},
  "integer division makes every exponent 0": {"factor": 0},
  "integer division makes every exponent 0 or 1": {"factor": 2, "whole": true},
  "integer division makes the exponent's factor -1": {"factor": 0.21714724095162588, "per_pair": true},
  "the base is 1000": {"factor": 0.75},
};

/** @type {Record<string, number>} */
export const MISSING = {
  "the cosines are missing, their columns hold zeros": 0.0,
  "the cosines are missing, their columns hold sines": 1.0,
};

/** @type {string} */
export const SWAPPED = "sine and cosine are swapped";

/** @type {string} */
export const FROM_ONE = "positions are counted from 1";

/** @type {string} */
export const TRANSPOSED = "positions run along the columns: transpose the table";
