"""Numbers on the pages that are about the encoding but not part of the package."""

from __future__ import annotations

import numpy as np

from posenc.encoding import FloatArray

__all__ = ["singular_values"]


def singular_values(matrix: FloatArray) -> FloatArray:
    """The singular values of `matrix` (rows, columns), largest first."""
    return np.linalg.svd(matrix, compute_uv=False).astype(np.float64)
