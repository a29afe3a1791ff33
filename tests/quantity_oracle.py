"""The functions of scripts/quantities.py again, by another way and without posenc."""

from __future__ import annotations

from typing import Any

import numpy as np


def singular_values(matrix: Any) -> np.ndarray:
    """By the eigenvalues of the smaller Gram matrix, in float64."""
    table = np.asarray(matrix).astype(np.float64)
    gram = table @ table.T if len(table) <= len(table.T) else table.T @ table
    return np.sqrt(np.clip(np.linalg.eigvalsh(gram)[::-1], 0, None))


NAMES = {"singular_values": singular_values}
