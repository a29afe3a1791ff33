"""Which position each token has: texts with images, images alone, packed and divided texts.

`mrope` numbers texts with images, videos and sounds in three coordinates, and the functions
named after diffusion models number images and videos. `posenc.rotary.axes` turns by them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._memory import refuse_array
from posenc.rotary._lattices import (
    cogvideox,
    flux,
    flux2,
    ltx,
    lumina2,
    qwen_image,
    video,
    z_image,
)
from posenc.rotary._mrope import Patches, mrope, mrope_deltas

__all__ = [
    "Patches",
    "cogvideox",
    "context_parallel",
    "flux",
    "flux2",
    "ltx",
    "lumina2",
    "mrope",
    "mrope_deltas",
    "packed",
    "qwen_image",
    "video",
    "z_image",
]


def __dir__() -> list[str]:
    return __all__


IntArray = npt.NDArray[np.int64]


def packed(lengths: Sequence[int]) -> IntArray:
    """Positions of texts that stand in one row, each from 0 on, shape `(sum(lengths),)`.

    Raises ValueError if a length is less than 1 or there is none.

    >>> packed([3, 2])
    array([0, 1, 2, 0, 1])
    """
    given = _arguments.entries("lengths", lengths)
    counts = [_arguments.integer("lengths", length, least=1, most=2**40) for length in given]
    if not counts:
        raise ValueError("lengths must have a number for each text, got none")
    refuse_array("lengths", sum(counts))
    return np.concatenate([np.arange(count) for count in counts])


def context_parallel(length: int, *, ranks: int, rank: int, order: str = "zigzag") -> IntArray:
    """Positions of the tokens that one rank holds, shape `(length // ranks,)`.

    With `order="zigzag"` the text is cut into `2 * ranks` parts, and rank r holds part r and part
    `2 * ranks - 1 - r`, so that causal attention costs each rank the same (Megatron-LM); with
    `"blocks"` rank r holds part r of `ranks`. For packed texts, take these for each text.

    Raises ValueError if `length` is no positive multiple of the number of parts, or `rank` is not
    below `ranks`.

    >>> context_parallel(8, ranks=2, rank=0)
    array([0, 1, 6, 7])
    """
    _arguments.choice("order", order, ("zigzag", "blocks"))
    ranks = _arguments.integer("ranks", ranks, least=1, most=2**20)
    rank = _arguments.integer("rank", rank, least=0, most=ranks - 1)
    parts = 2 * ranks if order == "zigzag" else ranks
    length = _arguments.integer("length", length, least=parts, most=2**40)
    if length % parts:
        raise ValueError(f"length must be a multiple of {parts} parts, got {length}")
    own = (rank, parts - 1 - rank) if order == "zigzag" else (rank,)
    size = length // parts
    refuse_array("length", length // ranks)
    return np.concatenate([np.arange(part * size, (part + 1) * size) for part in own])
