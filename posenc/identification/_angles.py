"""Measure how far pairs turn from row to row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from posenc._phase import ComplexArray, FloatArray

WINDOW = 64  # rows that each measurement uses


def turns_per_row(pairs_from: Callable[[int], ComplexArray], count: int) -> FloatArray:
    """Radians that each pair turns from one of `count` rows to the next.

    `pairs_from(row)` holds the pairs, `cos + 1j * sin`, in at most `WINDOW` rows from `row` on. The
    angle is measured over one row, then over 2, 4, 8, ... rows; the previous answer gives the
    number of whole turns.
    """
    head = pairs_from(0)
    angles, lag = np.zeros(head.shape[1]), 1
    while lag < count:
        there = pairs_from(lag)
        measured = np.angle((there * head[: len(there)].conj()).sum(axis=0))
        angles += wrapped(measured - lag * angles) / lag
        lag *= 2
    return angles


def whole(angle: FloatArray) -> FloatArray:
    """The whole turns of `angle`, in radians."""
    turns: FloatArray = 2 * np.pi * np.round(angle / (2 * np.pi))
    return turns


def wrapped(angle: FloatArray) -> FloatArray:
    """`angle` without its whole turns, in [-pi, pi]."""
    left: FloatArray = angle - whole(angle)
    return left
