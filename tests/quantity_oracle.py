"""The functions of scripts/quantities.py again, by another way and without posenc."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from tests import oracle


def directions(matrix: Any, share: float) -> int:
    """By adding up the squares, largest first, until there are enough."""
    squares = [value**2 for value in singular_values(matrix)]
    count = 0
    while math.fsum(squares[:count]) < share * math.fsum(squares):
        count += 1
    return count


def head_weights(length: int, d_model: int, offset: int, gain: Any) -> np.ndarray:
    """By exact dot products and one softmax a query, in plain loops."""
    dots = oracle.similarity(range(length + offset), d_model)
    unit = oracle.mp.mpf(gain) / oracle.mp.sqrt(d_model)
    rows = []
    for p in range(length):
        scores = [unit * dots[abs(p - q - offset)] for q in range(length)]
        largest = max(scores)
        parts = [math.exp(float(score - largest)) for score in scores]
        rows.append([part / math.fsum(parts) for part in parts])
    return np.array(rows)


def robot_embeddings() -> np.ndarray:
    """The same sixteen numbers, as fractions of twenty."""
    twentieths = [8, -6, 15, 2, -11, 4, 1, -9, 3, 12, -7, 6, -5, -14, 9, 13]
    exact = [oracle.mp.mpf(number) / 20 for number in twentieths]
    return np.array(exact, dtype=object).reshape(4, 4)


def singular_values(matrix: Any) -> np.ndarray:
    """By the eigenvalues of the smaller Gram matrix, in float64."""
    table = np.asarray(matrix).astype(np.float64)
    gram = table @ table.T if len(table) <= len(table.T) else table.T @ table
    return np.sqrt(np.clip(np.linalg.eigvalsh(gram)[::-1], 0, None))


def target_weight(length: int, d_model: int, offset: int, gain: Any) -> float:
    """By one sum of exponentials for each query that has a target."""
    dots = oracle.similarity(range(length + offset), d_model)
    unit = oracle.mp.mpf(gain) / oracle.mp.sqrt(d_model)
    factor = [math.exp(float(unit * (dot - dots[0]))) for dot in dots]
    sums = [
        math.fsum(factor[abs(p - q - offset)] for q in range(length)) for p in range(offset, length)
    ]
    return 1 / max(sums)


NAMES = {
    function.__name__: function
    for function in (directions, head_weights, robot_embeddings, singular_values, target_weight)
}
