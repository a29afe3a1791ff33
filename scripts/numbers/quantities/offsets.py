"""A search over many offsets."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

import posenc


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
