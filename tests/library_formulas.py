"""The formulas of the libraries, retyped from their sources for any even width.

Each takes positions of shape `(length,)` and gives shape `(length, d)`, as the library spells it,
in float64. Nothing here comes from `posenc`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

Formula = Callable[[np.ndarray, int], np.ndarray]


def annotated_transformer(p: np.ndarray, d: int) -> np.ndarray:
    """`exp(arange(0, d, 2) * -(log(10000) / d))`, sines in 0::2, cosines in 1::2."""
    table = np.zeros((len(p), d))
    term = np.exp(np.arange(0, d, 2) * -(np.log(10_000.0) / d))
    table[:, 0::2], table[:, 1::2] = np.sin(p[:, None] * term), np.cos(p[:, None] * term)
    return table


def cosines_first(p: np.ndarray, d: int) -> np.ndarray:
    """Torchtune stacks (cos, sin) of each pair and flattens."""
    angle = p[:, None] / 10_000.0 ** (np.arange(0, d, 2)[: d // 2] / d)
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1).reshape(len(p), d)


def marian(p: np.ndarray, d: int) -> np.ndarray:
    """`pos / 10000 ** (2 * (j // 2) / d)` for every column j; even columns give the sines."""
    columns = np.array([[pos / 10_000.0 ** (2 * (j // 2) / d) for j in range(d)] for pos in p])
    return np.concatenate([np.sin(columns[:, 0::2]), np.cos(columns[:, 1::2])], axis=1)


def guided_diffusion(p: np.ndarray, d: int) -> np.ndarray:
    """`exp(-log(10000) * arange(half) / half)`, cosines before sines."""
    half = d // 2
    angle = p[:, None] * np.exp(-np.log(10_000.0) * np.arange(half) / half)
    return np.concatenate([np.cos(angle), np.sin(angle)], axis=1)


def x_transformers(p: np.ndarray, d: int) -> np.ndarray:
    """ScaledSinusoidalEmbedding: `theta ** -(arange(half) / half)`, times `d ** -0.5`."""
    half = d // 2
    angle = np.outer(p, 10_000.0 ** -(np.arange(half) / half))
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1) * d**-0.5


def tensor2tensor(
    p: np.ndarray, d: int, least: float = 1.0, most: float = 10_000.0, start: int = 0
) -> np.ndarray:
    """get_timing_signal_1d: `least * exp(-i * log(most / least) / (timescales - 1))`."""
    timescales = d // 2
    increment = np.log(most / least) / max(timescales - 1, 1)
    angle = (p + start)[:, None] * (least * np.exp(np.arange(timescales) * -increment))
    return np.concatenate([np.sin(angle), np.cos(angle)], axis=1)


def diffusers(
    p: np.ndarray, d: int, flip: bool = False, shift: float = 1.0, scale: float = 1.0
) -> np.ndarray:
    """get_timestep_embedding(flip_sin_to_cos, downscale_freq_shift, scale)."""
    half = d // 2
    exponent = -np.log(10_000.0) * np.arange(half) / (half - shift)
    angle = scale * (p[:, None] * np.exp(exponent)[None])
    rows = np.concatenate([np.sin(angle), np.cos(angle)], axis=1)
    return np.concatenate([rows[:, half:], rows[:, :half]], axis=1) if flip else rows


def keras_ddim(p: np.ndarray, d: int) -> np.ndarray:
    """`exp(linspace(log(1), log(1000), d / 2))`, times 2 pi."""
    speeds = 2 * np.pi * np.exp(np.linspace(np.log(1.0), np.log(1000.0), d // 2))
    return np.concatenate([np.sin(p[:, None] * speeds), np.cos(p[:, None] * speeds)], axis=1)


def nerf(p: np.ndarray, d: int) -> np.ndarray:
    """`2 ** linspace(0, L - 1, L)` with L = d / 2: sine and cosine of each band."""
    bands = 2.0 ** np.linspace(0.0, d // 2 - 1, d // 2)
    columns = [function(p * band) for band in bands for function in (np.sin, np.cos)]
    return np.stack(columns, axis=1)


_FAMILIES: dict[str, Formula] = {
    """annotated_transformer d2l diffusers_sinusoidal_pe espnet espnet_relative flax_nlp_seq
    kerashub opennmt_py positional_encodings positional_encodings_tf
    pytorch_tutorial speechbrain speechbrain_relative transformers_distilbert
    transformers_florence2 transformers_speecht5 transformers_videomae
    transformers_wav2vec2_conformer transformers_xlm trax""": annotated_transformer,
    "torchtune_rope_cache": cosines_first,
    """diffusers_1d_sincos mae_1d tf_text_tutorial transformers_ctrl transformers_gptj
    transformers_informer transformers_marian transformers_pegasus transformers_roformer
    transformers_xlnet""": marian,
    "guided_diffusion improved_diffusion": guided_diffusion,
    "x_transformers": x_transformers,
    """denoising_diffusion_pytorch fairseq2 fairseq_table_without_padding fairseq_table flax_wmt
    flax_wmt_jax marian openai_whisper opennmt_py_concat pegasus tensor2tensor
    tf_models transformers_fsmt_table transformers_m2m100_table transformers_pegasus_x
    transformers_seamless_m4t_table transformers_speech2text_table transformers_timesfm
    transformers_whisper""": tensor2tensor,
    "opennmt_tf": partial(tensor2tensor, start=1),
    """fairseq2_legacy transformers_m2m100 transformers_seamless_m4t
    transformers_speech2text""": partial(tensor2tensor, start=2),
    "tensor2tensor_start5": partial(tensor2tensor, start=5),
    """flax_wmt_min2_max5000 tensor2tensor_min2_max5000
    transformers_timesfm_min2_max5000""": partial(tensor2tensor, least=2.0, most=5000.0),
    "diffusers_timestep_flip0_shift0": partial(diffusers, shift=0.0),
    "diffusers_timestep": diffusers,
    "diffusers_timestep_flip1_shift0 diffusers_timestep_stable_diffusion": partial(
        diffusers, flip=True, shift=0.0
    ),
    "diffusers_timestep_flip1_shift1 transformers_musicgen": partial(diffusers, flip=True),
    "diffusers_timestep_scale1000": partial(diffusers, scale=1000.0),
    "keras_ddim": keras_ddim,
    "nerf": nerf,
}
FORMULAS = {name: formula for names, formula in _FAMILIES.items() for name in names.split()}
