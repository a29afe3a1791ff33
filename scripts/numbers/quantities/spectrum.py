"""The directions that a matrix uses."""

from __future__ import annotations

import numpy as np

from posenc.encoding import FloatArray


def directions(matrix: FloatArray, share: float) -> int:
    """How many right singular vectors hold `share` of the squared singular values."""
    squares = singular_values(matrix) ** 2
    return int(np.searchsorted(np.cumsum(squares), share * squares.sum())) + 1


def singular_values(matrix: FloatArray) -> FloatArray:
    """The singular values of `matrix` (rows, columns), largest first."""
    return np.linalg.svd(matrix, compute_uv=False).astype(np.float64)
