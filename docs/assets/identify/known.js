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

/** @type {string[]} */
export const RELATIVE = ["espnet_relpos", "speechbrain_relposxl", "transformers_wav2vec2_conformer_rel"];

/** @type {string[]} */
export const FALLING = ["espnet_relpos", "transformers_wav2vec2_conformer_rel"];

/** @type {import('./grids.js').Grid} */
export const GRID = {"axis": {"arrangement": "halves"}, "axes": "xy", "blocks": "axes", "spacing": [1.0, 1.0], "normalized": false, "class_rows": 0, "listed": "rows"};

/** @type {Record<string, Partial<import('./grids.js').Grid>>} */
export const GRIDS = {
  "detr": {"axis": {"start": 1}, "axes": "yx"},
  "detr_normalized": {"axis": {"start": 1}, "axes": "yx", "normalized": true},
  "loftr": {"axis": {"start": 1}, "blocks": "pairs"},
  "mae": {},
  "positional_encodings": {"axis": {}, "axes": "yx"},
  "tensor2tensor": {"axis": {"arrangement": "halves", "freq_shift": 1}, "axes": "yx"},
  "timm": {"axes": "yx", "blocks": "kinds"},
  "timm_reversed": {"blocks": "kinds", "listed": "columns"},
  "transformers": {"axes": "yx"},
};

/** @type {Record<string, string>} */
export const WORDS = {
  "exponent-doubled": "the exponent is doubled",
  "cosine-exponent": "each cosine's exponent differs from its sine's",
  "cosine-exponent-doubled": "each cosine's exponent differs from its sine's, and exponents are doubled",
  "exponent-0": "integer division makes every exponent 0",
  "exponent-0-or-1": "integer division makes every exponent 0 or 1",
  "factor-minus-1": "integer division makes the exponent's factor -1",
  "base-1000": "the base is 1000",
  "cosines-zero": "the cosines are missing, their columns hold zeros",
  "cosines-are-sines": "the cosines are missing, their columns hold sines",
  "swapped": "sine and cosine are swapped",
  "from-one": "positions are counted from 1",
  "transposed": "positions run along the columns: transpose the table",
  "one-row": "one row cannot decide: many conventions make it",
  "vague": "its rows are too few or too alike: many encodings make it",
  "all-zeros": "every value is 0",
  "mostly-zeros": "{count} of {rows} rows hold only zeros: this happens when a table is cast to integers",
  "equal-slices": "the {count} tables in shape {shape} are equal: one was used",
  "rough": "compared with a tolerance of {tolerance}, as bfloat16 or few digits need",
  "float32-far": "differs by {near} in the first {rows} rows and by {error} at most: at far positions float32 angles are that rough",
  "from-row": "from row {row} of the table",
  "after-zeros": "after {rows} of zeros",
  "exchanged": "the sines stand in the place of the cosines",
  "falling": "positions fall from {first} to {last}: reverse the order of the rows",
  "two-pairs": "any two frequencies fit some base and scale",
  "rotary-too": "a rotary cache that holds {halves} looks the same",
  "cosines-missing-too": "a table whose {missing} are missing looks the same",
  "grid": "a grid of {height} x {width} points",
  "points": "a grid of {size} points, from {first} in steps of {steps}",
  "origin": "after {rows} at the origin",
  "mixed": "a text, then points with several coordinates",
  "jumps": "its rows jump: {list}",
  "waves": "sines and cosines of no known encoding: their frequencies in radians per row are {list}",
  "noise": "values in most rows and columns are off, typically by {typical}: perhaps trained further, rounded, or with noise added",
  "other-rows": "{count} of {rows} rows do not fit: {list}",
  "other-columns": "{count} of {width} columns do not fit: {list}",
  "columns-moved": "its columns are in another order: {list}",
  "rows-moved": "its rows are in another order: {list}",
  "every-nth-row": "it holds every {step} row, from row {first}",
};

/** @type {Record<string, import('./rows.js').Exponents>} */
export const EXPONENTS = {
  "exponent-doubled": {"factor": 2},
  "cosine-exponent": {"factor": 1, "ahead": 0.5},
  "cosine-exponent-doubled": {"factor": 2, "ahead": 0.5},
  "exponent-0": {"factor": 0},
  "exponent-0-or-1": {"factor": 2, "whole": true},
  "factor-minus-1": {"factor": 0.21714724095162588, "per_pair": true},
  "base-1000": {"factor": 0.75},
};

/** @type {Record<string, number>} */
export const MISSING = {
  "cosines-zero": 0.0,
  "cosines-are-sines": 1.0,
};

/** @type {string} */
export const SWAPPED = "swapped";

/** @type {string} */
export const FROM_ONE = "from-one";

/** @type {string} */
export const TRANSPOSED = "transposed";

/** @type {number[]} */
export const BASES = [10000, 500000, 1000000, 150000, 160000, 5000000, 10000000];

/** @type {number[]} */
export const USUAL = [10000, 100, 256, 500000, 1000000, 150000, 160000, 5000000, 10000000];

/** @type {number[]} */
export const FASTEST = [224, 256, 10];

/** @type {number[][]} */
export const IN_ORDER = [[16, 24, 24]];

/** @type {number[][]} */
export const IN_TURN = [[24, 20, 20], [11, 11, 10]];
