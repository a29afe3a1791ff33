"""Numbers on the pages that are about the encoding but not part of the package."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import posenc
from posenc.encoding import FloatArray

__all__ = [
    "bit_changes",
    "closest_offset",
    "directions",
    "head_weights",
    "robot_embeddings",
    "sine_shift_r_squared",
    "singular_values",
    "t5_bucket",
    "target_weight",
    "toy_attention",
]


_WORDS = {"dog": (1, 0, 2, 0), "bites": (0, 2, 0, 1), "man": (2, 1, 0, -1)}
_QUERY = np.array([[1, 0], [0, 1], [0, 0], [0, 0]])
_KEY = np.array([[0, 0], [0, 0], [1, 0], [0, 1]])
_VALUE = np.array([[1, 0], [0, 1], [-1, 1], [0, 1]])


def bit_changes(first: int, second: int) -> int:
    """How many bits differ between two whole numbers."""
    return (first ^ second).bit_count()


def sine_shift_r_squared(frequency: float, offset: float, length: int) -> float:
    """R² of sin(w (p + k)) regressed on sin(w p) and a constant, at p = 0 .. length - 1."""
    positions = np.arange(length)
    here, there = np.sin(frequency * positions), np.sin(frequency * (positions + offset))
    return float(np.corrcoef(here, there)[0, 1] ** 2)


def directions(matrix: FloatArray, share: float) -> int:
    """How many right singular vectors hold `share` of the squared singular values."""
    squares = singular_values(matrix) ** 2
    return int(np.searchsorted(np.cumsum(squares), share * squares.sum())) + 1


def head_weights(length: int, d_model: int, offset: int, gain: float) -> FloatArray:
    """Attention weights of the head that looks `offset` back, shape (queries, keys).

    The softmax over q of gain * K(p - q - offset) / sqrt(d_model). K(0) is taken off every
    score, which changes no weight, and leaves minus half of a squared distance.
    """
    position = np.arange(length)
    lag = np.abs(position[:, None] - position - offset)
    below_peak = np.square(posenc.distance(np.arange(length + offset), d_model)) / 2
    scores = -gain * below_peak[lag] / np.sqrt(d_model)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights: FloatArray = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights


def robot_embeddings() -> FloatArray:
    """Made-up embeddings of "I", "am", "a" and "robot", shape (4, 4)."""
    return np.array(
        [
            [0.40, -0.30, 0.75, 0.10],
            [-0.55, 0.20, 0.05, -0.45],
            [0.15, 0.60, -0.35, 0.30],
            [-0.25, -0.70, 0.45, 0.65],
        ]
    )


@lru_cache(maxsize=32)
def closest_offset(d_model: int, farthest: int) -> int:
    """The offset from 1 to `farthest` at which two encodings are closest to each other.

    Position r and position -q are r + q apart, so that one matrix product of a few rows
    gives the dot products of all offsets; the largest of them are measured again.
    """
    near, far = np.arange(1000), np.arange(0, farthest + 1, 1000)
    dots = posenc.encode(-far, d_model) @ posenc.encode(near, d_model).T  # (far, near)
    cosines = dots.ravel()[1 : farthest + 1]
    likely = np.sort(np.argpartition(-cosines, min(100, farthest - 1))[:100]) + 1
    return int(likely[np.argmin(posenc.distance(likely, d_model))])


def singular_values(matrix: FloatArray) -> FloatArray:
    """The singular values of `matrix` (rows, columns), largest first."""
    return np.linalg.svd(matrix, compute_uv=False).astype(np.float64)


def t5_bucket(distance: int) -> int:
    """Bucket of a key `distance` positions behind its query: 32 of them, as in T5's decoder.

    One for each distance below 16, then 16 in equal ratios up to 128; the last takes the rest.
    """
    if distance < 16:
        return distance
    return min(31, 16 + int(16 * np.log(distance / 16) / np.log(128 / 16)))


def toy_attention(sentence: str, *, encoded: bool = False) -> FloatArray:
    """Outputs `(words, 2)` of the attention head of why-order.md, with or without encoding."""
    x = np.array([_WORDS[word] for word in sentence.split()], dtype=np.float64)
    if encoded:
        x = x + posenc.positional_encoding(*x.shape)
    scores = np.exp((x @ _QUERY) @ (x @ _KEY).T / np.sqrt(2))
    outputs: FloatArray = scores / scores.sum(axis=1, keepdims=True) @ (x @ _VALUE)
    return outputs


def target_weight(length: int, d_model: int, offset: int, gain: float) -> float:
    """The least weight that this head gives to position p - offset, over all p >= offset."""
    weights = head_weights(length, d_model, offset, gain)
    return float(np.diagonal(weights, -offset).min())
