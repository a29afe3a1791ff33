"""Encodings of all kinds, for the tests of slips and of `check`."""

from __future__ import annotations

import numpy as np

from posenc import Rotary
from posenc.rotary import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    YaRN,
    axes,
)
from posenc.rotary.axes import AxialRotary

LISTS = np.linspace(1, 1.3, 16).tolist(), np.geomspace(1, 40, 16).tolist()
ENCODINGS: dict[str, Rotary | AxialRotary] = {
    "plain": Rotary(64),
    "interleaved": Rotary(32, base=500_000, layout="interleaved"),
    "partial": Rotary(64, rotary_dim=32, base=1_000_000),
    "linear": Rotary(64, scaling=Linear(8)),
    "ntk": Rotary(64, scaling=NTK(4)),
    "dynamic": Rotary(64, scaling=DynamicNTK(4, 2048)),
    "llama3": Rotary(128, base=500_000, scaling=Llama3(8)),
    "yarn": Rotary(64, base=150_000, scaling=YaRN(32, original_max_position_embeddings=4096)),
    "gpt-oss": Rotary(
        64, base=150_000, scaling=YaRN(32, original_max_position_embeddings=4096, truncate=False)
    ),
    "deepseek": Rotary(
        64,
        layout="interleaved",
        scaling=YaRN(40, original_max_position_embeddings=4096, mscale=1, mscale_all_dim=1),
    ),
    "longrope": Rotary(
        32, scaling=LongRoPE(*LISTS, original_max_position_embeddings=4096, factor=32)
    ),
    "proportional": Rotary(64, base=1_000_000, scaling=Proportional(0.25)),
    "m-rope": axes.sections(Rotary(64, base=1_000_000), [16, 8, 8]),
    "m-rope in turn": axes.sections(Rotary(64, base=5_000_000), [12, 10, 10], interleaved=True),
    "flux": axes.blocks([16, 24, 24], base=2000),
}
LENGTHS = {"dynamic": 8192.0, "longrope": 8192.0}


def points(encoding: Rotary | AxialRotary, count: int) -> np.ndarray:
    """Positions in no order, with as many coordinates as the encoding has."""
    random = np.random.default_rng(7)
    if isinstance(encoding, Rotary):
        return random.permutation(count)
    coordinates = max(encoding.axes) + 1
    return np.stack([random.permutation(count) for _ in range(coordinates)], axis=-1)
