"""The encoding as the five sources compute it, rewritten, for comparison with posenc.

Each takes positions of shape `(length,)` and returns shape `(length, d_model)`. They differ
in how they compute the frequencies, in what they compute twice, and in precision.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Positions = npt.NDArray[np.int64] | npt.NDArray[np.float64]
FloatArray = npt.NDArray[np.float64]
BASE = 10_000.0


def exp_of_log(positions: Positions, d_model: int) -> FloatArray:
    """Sources 000 and 001: frequencies by exp and log, the phases computed twice."""
    frequency = np.exp(np.arange(0, d_model, 2) * (-np.log(BASE) / d_model))
    rows = np.zeros((len(positions), d_model))
    rows[:, 0::2] = np.sin(positions[:, np.newaxis] * frequency)
    rows[:, 1::2] = np.cos(positions[:, np.newaxis] * frequency)
    return rows


def every_column_twice(positions: Positions, d_model: int) -> FloatArray:
    """Source 002: sine and cosine of every column, then half of each is discarded."""
    pair = np.arange(d_model) // 2
    phase = positions[:, np.newaxis] * (1 / np.power(BASE, 2 * pair / d_model))
    sine, cosine = np.sin(phase), np.cos(phase)
    rows = np.zeros_like(phase)
    rows[:, 0::2] = sine[:, 0::2]
    rows[:, 1::2] = cosine[:, 1::2]
    return rows


def stacked_in_float32(positions: Positions, d_model: int) -> npt.NDArray[np.float32]:
    """Source 003: sines and cosines stacked and flattened, in float32 throughout."""
    exponent = np.arange(0, d_model, 2, dtype=np.float32) / np.float32(d_model)
    phase = positions.astype(np.float32)[:, np.newaxis] / np.power(np.float32(BASE), exponent)
    return np.stack([np.sin(phase), np.cos(phase)], axis=2).reshape(len(positions), d_model)


def loop(positions: Positions, d_model: int) -> FloatArray:
    """Source 004: one position and one pair at a time."""
    rows = np.zeros((len(positions), d_model))
    for row, position in zip(rows, positions, strict=True):
        for i in range(d_model // 2):
            denominator = np.power(BASE, 2 * i / d_model)
            row[2 * i] = np.sin(position / denominator)
            row[2 * i + 1] = np.cos(position / denominator)
    return rows
