"""The numbers that each encoding adds: rows, rotary frequencies, or terms of the scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import posenc
from posenc import relative, rotary
from scripts.experiments.runs import HEAD_WIDTH, HEADS, LENGTH, WIDTH, Scaling

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.intp]
FITTED_BASE = (LENGTH / (2 * np.pi)) ** (WIDTH / (WIDTH - 2))  # the slowest pair turns once

# T5 has 32 buckets up to distance 128 for texts of 512. The same shares of 32 positions would
# leave two buckets; with these numbers, training reaches every bucket, as it does in T5.
BUCKETS, FURTHEST = 16, 16

# YaRN's limits, 32 turns and 1 turn, suit thousands of positions. In the 32 positions of these
# models the fastest pair turns 5.1 times, so none would be kept, and with these numbers one is.
KEPT_TURNS, SLOWED_TURNS = 4.0, 0.5


def rows(positions: npt.ArrayLike, base: float) -> FloatArray:
    """The sinusoidal encoding of integers of shape `(...)`, shape `(..., WIDTH)`."""
    encoded: FloatArray = posenc.encode(positions, WIDTH, base=base)
    return encoded


def frequencies(base: float, scaling: Scaling = "trained", factor: float = 1.0) -> FloatArray:
    """Radians per position of each rotary pair of a head, shape `(HEAD_WIDTH // 2,)`."""
    scalings = {
        "trained": None,
        "linear": rotary.Linear(factor),
        "ntk": rotary.NTK(factor),
        "parts": by_parts(factor, KEPT_TURNS, SLOWED_TURNS),
    }
    return posenc.Rotary(HEAD_WIDTH, base=base, scaling=scalings[scaling]).frequencies()


def by_parts(factor: float, kept: float, slowed: float) -> rotary.YaRN:
    """YaRN's frequencies between these two numbers of turns, with attention as it was."""
    return rotary.YaRN(
        factor,
        original_max_position_embeddings=LENGTH,
        beta_fast=kept,
        beta_slow=slowed,
        truncate=False,
        attention_factor=1.0,
    )


def slopes() -> FloatArray:
    """ALiBi's penalty per position of each head, shape `(HEADS,)`."""
    return relative.alibi_slopes(HEADS)


def buckets(length: int, *, causal: bool) -> IntArray:
    """T5's bucket for each query and key, shape `(length, length)`."""
    return relative.t5_buckets(
        offsets(length), buckets=BUCKETS, max_distance=FURTHEST, bidirectional=not causal
    )


def offsets(length: int) -> IntArray:
    """Key position minus query position, shape `(length, length)`."""
    positions = np.arange(length)
    return positions[None, :] - positions[:, None]
