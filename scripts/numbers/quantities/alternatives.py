"""Other ways to encode a position: bits, a single sine, learned rows, buckets."""

from __future__ import annotations

from functools import cache

import numpy as np

import posenc
from posenc import relative
from posenc.encoding import FloatArray


def bit_changes(first: int, second: int) -> int:
    """How many bits differ between two whole numbers."""
    return (first ^ second).bit_count()


@cache
def fresh_cosines(position: int, length: int, d_model: int) -> FloatArray:
    """Cosine of the row of `position` with every row of a learned table before training.

    The table `(length, d_model)` is drawn from the normal distribution of BERT's start, with
    seed 0.
    """
    drawn = np.random.default_rng(0).normal(scale=0.02, size=(length, d_model))
    unit = drawn / np.linalg.norm(drawn, axis=1, keepdims=True)
    cosines: FloatArray = unit @ unit[position]
    return cosines


def sine_shift_r_squared(frequency: float, offset: float, length: int) -> float:
    """R² of sin(w (p + k)) regressed on sin(w p) and a constant, at p = 0 .. length - 1."""
    positions = np.arange(length)
    here, there = np.sin(frequency * positions), np.sin(frequency * (positions + offset))
    return float(np.corrcoef([here, there])[0, 1] ** 2)


@cache
def speeds(choice: str, pairs: int) -> FloatArray:
    """Frequencies of `pairs` clock hands, the fastest first, none above one.

    "equal", "even" (evenly spaced), "random" (drawn evenly between zero and one, with seed 0),
    or "geometric", which is the encoding's.
    """
    made = {
        "equal": np.ones(pairs),
        "even": 1 - np.arange(pairs) / pairs,
        "random": np.sort(np.random.default_rng(0).random(pairs))[::-1],
        "geometric": posenc.frequencies(2 * pairs),
    }
    return made[choice]


def t5_bucket(distance: int) -> int:
    """Bucket of a key `distance` positions behind its query, among the 32 of T5's decoder."""
    return int(relative.t5_buckets(-distance, bidirectional=False))
