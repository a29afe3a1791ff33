"""The convention of each library whose one-dimensional encoding was run and compared.

tests/data/conventions/reference.json gives the version of each library that was run, and
reference.npz its output. A suffix after the library's name gives the module or setting.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

from posenc import _arguments
from posenc._named import Named
from posenc.conventions import Convention

FALLING = ("espnet_relative", "transformers_wav2vec2_conformer")
RELATIVE = frozenset({*FALLING, "speechbrain_relative"})
"""Tables of distances: `FALLING` ones go from L - 1 down to 1 - L, speechbrain's down and up."""

_NAMES: dict[Convention, str] = {
    Convention(): """
        annotated_transformer d2l diffusers_sinusoidal_pe espnet espnet_relative flax_nlp_seq
        opennmt_py pytorch_tutorial speechbrain speechbrain_relative
        transformers_florence2 transformers_speecht5 transformers_wav2vec2_conformer
        trax""",
    Convention(odd="truncate"): """
        kerashub transformers_distilbert transformers_videomae transformers_xlm""",
    Convention(odd="ceil"): "positional_encodings positional_encodings_tf",
    Convention(order="cos_first"): "torchtune_rope_cache",
    Convention(base=1 / 2, spread=2): "nerf",  # octaves: 1, 2, 4, ...
    Convention(layout="halves"): "diffusers_1d_sincos mae_1d",
    Convention(layout="halves", odd="truncate"): """
        transformers_ctrl transformers_informer transformers_marian transformers_pegasus
        transformers_roformer""",
    Convention(layout="halves", odd="overflow"): """
        tf_text_tutorial transformers_gptj transformers_xlnet""",
    Convention(layout="halves", odd="pad"): "diffusers_timestep_flip0_shift0",
    Convention(layout="halves", order="cos_first", odd="pad"): """
        diffusers_timestep_flip1_shift0 diffusers_timestep_stable_diffusion guided_diffusion
        improved_diffusion""",
    # its scale is learned; this is the initial value
    Convention(layout="halves", amplitude_power=-0.5): "x_transformers",
    Convention(layout="halves", freq_shift=1): """
        denoising_diffusion_pytorch fairseq2 marian openai_whisper opennmt_py_concat
        pegasus tf_models transformers_pegasus_x transformers_timesfm
        transformers_whisper""",
    Convention(layout="halves", freq_shift=1, odd="pad"): """
        diffusers_timestep fairseq_table_without_padding fairseq_table flax_wmt
        flax_wmt_jax tensor2tensor transformers_fsmt_table transformers_m2m100_table
        transformers_seamless_m4t_table transformers_speech2text_table""",
    Convention(layout="halves", freq_shift=1, odd="pad", start=2): """
        transformers_m2m100 transformers_seamless_m4t
        transformers_speech2text""",
    Convention(layout="halves", freq_shift=1, odd="pad", order="cos_first"): """
        diffusers_timestep_flip1_shift1 transformers_musicgen""",
    Convention(layout="halves", freq_shift=1, start=1): "opennmt_tf",
    Convention(layout="halves", freq_shift=1, start=2): "fairseq2_legacy",
    Convention(layout="halves", freq_shift=1, odd="pad", start=5): "tensor2tensor_start5",
    Convention(layout="halves", freq_shift=1, odd="pad", base=2500, angle_scale=2): """
        flax_wmt_min2_max5000 tensor2tensor_min2_max5000""",
    Convention(layout="halves", freq_shift=1, base=2500, angle_scale=2): """
        transformers_timesfm_min2_max5000""",
    Convention(
        layout="halves", freq_shift=1, odd="pad", angle_scale=1000
    ): "diffusers_timestep_scale1000",
    Convention(layout="halves", freq_shift=1, base=0.001, angle_scale=2 * pi): "keras_ddim",
}

_OLD = {  # they will go
    "espnet_pe": "espnet",
    "espnet_relpos": "espnet_relative",
    "fairseq2_legacy_pad1": "fairseq2_legacy",
    "fairseq_table_nopad": "fairseq_table_without_padding",
    "fairseq_table_pad1": "fairseq_table",
    "marian_cpp": "marian",
    "nerf_L6_1d": "nerf",
    "opennmt_py_interleaved": "opennmt_py",
    "pegasus_original": "pegasus",
    "positional_encodings_1d": "positional_encodings",
    "positional_encodings_tf_1d": "positional_encodings_tf",
    "speechbrain_pe": "speechbrain",
    "speechbrain_relposxl": "speechbrain_relative",
    "transformers_m2m100_forward_pad1": "transformers_m2m100",
    "transformers_seamless_m4t_forward_pad1": "transformers_seamless_m4t",
    "transformers_speech2text_forward_pad1": "transformers_speech2text",
    "transformers_speecht5_scaled": "transformers_speecht5",
    "transformers_wav2vec2_conformer_rel": "transformers_wav2vec2_conformer",
    "diffusers_timestep_flip0_shift1": "diffusers_timestep",
}
_BY_NAME = Named({name: kind for kind, names in _NAMES.items() for name in names.split()}, _OLD)
CONVENTIONS: Mapping[str, Convention] = _BY_NAME
"""The convention of each library that was run, by the library's name.

A suffix after the library's name gives the module or setting. Libraries that compute the same
values have equal conventions.
"""


def conventions_like(words: str) -> dict[str, Convention]:
    """The entries of `CONVENTIONS` whose names hold each of the `words`, or almost so.

    Raises TypeError if `words` is no string, ValueError if no name holds them.

    >>> list(conventions_like("whisper"))
    ['openai_whisper', 'transformers_whisper']
    >>> len(set(conventions_like("HF pegasus").values()))  # which is two conventions
    2
    """
    if not isinstance(words, str):
        raise TypeError(f"words must be a string, got {_arguments.shown(words)}")
    names = _BY_NAME.like(words)
    if not names:
        rule = "words must be in a name of CONVENTIONS"
        raise ValueError(f"{rule}, got {_arguments.shown(words)}: list(CONVENTIONS) has all names")
    return {name: CONVENTIONS[name] for name in names}
