"""Numbers on the pages that are about the encoding but not part of the package."""

from __future__ import annotations

import numpy as np

import posenc
from posenc.encoding import FloatArray

__all__ = ["bit_changes", "sine_shift_r_squared", "singular_values", "toy_attention"]

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


def singular_values(matrix: FloatArray) -> FloatArray:
    """The singular values of `matrix` (rows, columns), largest first."""
    return np.linalg.svd(matrix, compute_uv=False).astype(np.float64)


def toy_attention(sentence: str, *, encoded: bool = False) -> FloatArray:
    """Outputs `(words, 2)` of the attention head of why-order.md, with or without encoding."""
    x = np.array([_WORDS[word] for word in sentence.split()], dtype=np.float64)
    if encoded:
        x = x + posenc.positional_encoding(*x.shape)
    scores = np.exp((x @ _QUERY) @ (x @ _KEY).T / np.sqrt(2))
    outputs: FloatArray = scores / scores.sum(axis=1, keepdims=True) @ (x @ _VALUE)
    return outputs
