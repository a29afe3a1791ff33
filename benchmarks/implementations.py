"""The encoding as the five sources of docs/sources.md compute it, rewritten for comparison.

Each takes positions of shape `(length,)` and returns shape `(length, d_model)`. They differ
in how they compute the frequencies, in what they compute twice, and in precision. The last
two rotate queries or keys `(..., length, width)` in float32, as such code is often written.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64] | npt.NDArray[np.float64]
FloatArray = npt.NDArray[np.float64]
Heads = npt.NDArray[np.float32]
BASE = 10_000.0


def exp_of_log(positions: Positions, d_model: int) -> FloatArray:
    """The ApX practice page and the NLP course: exp and log, and the phases computed twice."""
    frequency = np.exp(np.arange(0, d_model, 2) * (-np.log(BASE) / d_model))
    rows = np.zeros((len(positions), d_model))
    rows[:, 0::2] = np.sin(positions[:, np.newaxis] * frequency)
    rows[:, 1::2] = np.cos(positions[:, np.newaxis] * frequency)
    return rows


def every_column_twice(positions: Positions, d_model: int) -> FloatArray:
    """The surfaces notebook: sine and cosine of every column, then half of each is discarded."""
    pair = np.arange(d_model) // 2
    phase = positions[:, np.newaxis] * (1 / np.power(BASE, 2 * pair / d_model))
    sine, cosine = np.sin(phase), np.cos(phase)
    rows = np.zeros_like(phase)
    rows[:, 0::2] = sine[:, 0::2]
    rows[:, 1::2] = cosine[:, 1::2]
    return rows


def stacked_in_float32(positions: Positions, d_model: int) -> npt.NDArray[np.float32]:
    """The tensor notebook: sines and cosines stacked and flattened, in float32 throughout."""
    exponent = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    phase = positions.astype(np.float32)[:, np.newaxis] / np.power(np.float32(BASE), exponent)
    return np.stack([np.sin(phase), np.cos(phase)], axis=2).reshape(len(positions), d_model)


def loop(positions: Positions, d_model: int) -> FloatArray:
    """The Gentle Introduction: one position and one pair at a time."""
    rows = np.zeros((len(positions), d_model))
    for row, position in zip(rows, positions, strict=True):
        for i in range(d_model // 2):
            denominator = np.power(BASE, 2 * i / d_model)
            row[2 * i] = np.sin(position / denominator)
            row[2 * i + 1] = np.cos(position / denominator)
    return rows


def rotate_half(x: Heads, positions: Positions) -> Heads:
    """Pairs in halves, as code for Llama writes them: `x * cos + rotate_half(x) * sin`."""
    phase = _phases(positions, x.shape[-1])
    both = np.concatenate([phase, phase], axis=-1)
    first, second = np.split(x, 2, axis=-1)
    return x * np.cos(both) + np.concatenate([-second, first], axis=-1) * np.sin(both)


def rotate_neighbours(x: Heads, positions: Positions) -> Heads:
    """Interleaved pairs, as code for GPT-J writes them."""
    phase = _phases(positions, x.shape[-1])
    sine, cosine = np.sin(phase), np.cos(phase)
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = [even * cosine - odd * sine, even * sine + odd * cosine]
    return np.stack(turned, axis=-1).reshape(x.shape)


def _phases(positions: Positions, width: int) -> Heads:
    exponent = np.arange(0, width, 2, dtype=np.float32) / np.float32(width)
    return np.outer(positions.astype(np.float32), 1 / np.float32(BASE) ** exponent)
