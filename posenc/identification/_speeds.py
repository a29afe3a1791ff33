"""How fast pairs turn under a base and a scaling: in float64, for comparing many of them."""

from __future__ import annotations

from math import ceil, floor, log, pi
from typing import NamedTuple

import numpy as np

from posenc._phase import FloatArray
from posenc.rotary import NTK, Linear, Llama3, LongRoPE, Proportional, Rotary, Scaling, YaRN
from posenc.rotary._turn import Layout


class Encoding(NamedTuple):
    """The options of a `Rotary`, which is slow to make: its frequencies have 60 digits."""

    head_dim: int
    base: float
    scaling: Scaling | None = None

    def rotary(self, layout: Layout = "halves") -> Rotary:
        """The encoding itself."""
        return Rotary(self.head_dim, base=self.base, scaling=self.scaling, layout=layout)

    def attention(self) -> float:
        """The factor that multiplies cosine and sine."""
        return 1.0 if self.scaling is None else self.scaling.attention(None)

    def speeds(self) -> FloatArray:
        """Radians per position of each pair."""
        head, base, scaling = self
        if isinstance(scaling, NTK):
            base *= scaling.factor ** (head / (head - 2))
        plain: FloatArray = base ** (-np.arange(0, head, 2) / head)
        if isinstance(scaling, Linear):
            plain /= scaling.factor
        elif isinstance(scaling, LongRoPE):
            plain /= np.array(scaling.short_factor)
        elif isinstance(scaling, Proportional):
            plain[int(scaling.partial_rotary_factor * head / 2) :] = 0
        elif isinstance(scaling, Llama3 | YaRN):
            divided = divided_share(scaling, base, head)
            plain *= 1 - divided + divided / scaling.factor
        return plain


def divided_share(scaling: Llama3 | YaRN, base: float, head: int) -> FloatArray:
    """How far each pair's frequency is divided, from 0 to 1."""
    original = scaling.original_max_position_embeddings
    i = np.arange(head // 2)
    if isinstance(scaling, Llama3):
        low, high = scaling.low_freq_factor, scaling.high_freq_factor
        turns = original * base ** (-2 * i / head) / (2 * pi)
        return 1 - np.clip((turns - low) / (high - low), 0, 1)
    betas = scaling.beta_fast, scaling.beta_slow
    first, last = (head * log(original / (2 * pi * beta)) / (2 * log(base)) for beta in betas)
    if scaling.truncate:
        first, last = floor(first), ceil(last)
    first, last = max(first, 0), min(last, head - 1)
    share: FloatArray = np.clip((i - first) / (last - first if last != first else 0.001), 0, 1)
    return share
