"""A search over many offsets."""

from __future__ import annotations

from functools import cache

import numpy as np

import posenc


@cache
def closest_offset(d_model: int, farthest: int) -> int:
    """The offset from 1 to `farthest` at which two encodings are closest to each other.

    Position r and position -q are r + q apart, so that one matrix product of a few rows
    gives the dot products of all offsets; those close to the largest are measured again.
    """
    near, far = np.arange(1, 1001), np.arange(0, farthest, 1000)
    dots = posenc.encode(-far, d_model) @ posenc.encode(near, d_model).T  # (far, near)
    products = dots.ravel()[:farthest]  # of the offsets from 1 on
    likely = np.flatnonzero(products > products.max() - 1e-6) + 1
    return int(likely[np.argmin(posenc.distance(likely, d_model))])
