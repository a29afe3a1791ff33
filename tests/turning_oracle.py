"""The functions of scripts/numbers/quantities/turning.py by another way and without posenc.

Pairs are complex numbers, the exact score depends on the offset from the start, cosines and sines
come from balls.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from tests import balls, oracle
from tests.balls import ball, remembered

_PAIRS = 64


def angle_error(precision: str, limit: int) -> Any:
    """Angle by angle, in balls."""
    positions, speeds = np.arange(limit - 64, limit), np.array(_frequencies())
    rounded = [oracle.rounded(numbers, precision) for numbers in (positions, speeds)]
    angles = oracle.rounded(np.multiply.outer(*rounded), precision)
    return balls.largest(abs(angles - np.multiply.outer(positions, speeds)).ravel())


def score_error(way: str, position: int, offset: int = 5) -> Any:
    """The exact score from the offset; the other from two turned vectors.

    In float64, a product of three complex numbers, of which one was rounded, is off by less than
    2 ** -49 of its size, and fsum adds exactly.
    """
    query, key = _heads()
    ahead = np.array([complex(balls.phasor(offset * w)) for w in _frequencies()])
    here, there = _turned(query, position + offset, way), _turned(key, position, way)
    scores = [
        [math.fsum(row) for row in parts.real]
        for parts in (here * there.conj(), query * ahead * key.conj())
    ]
    off, bound = np.subtract(*scores), 2.0**-48 * np.abs(query * key).sum(axis=1)
    value, error = (np.linalg.norm(x) / np.sqrt(len(x) * 2 * _PAIRS) for x in (off, bound))
    return balls.within(float(value), float(error + 2.0**-40 * value))


@remembered
def _frequencies() -> list[Any]:
    return [ball(10_000) ** (-ball(i) / _PAIRS) for i in range(_PAIRS)]


@lru_cache(maxsize=1)
def _heads() -> np.ndarray:
    chance = np.random.Generator(np.random.PCG64(0))
    numbers = oracle.rounded(chance.standard_normal(4 * 500 * _PAIRS), "bfloat16").reshape(
        2, 2, 500, _PAIRS
    )
    return numbers[:, 0] + 1j * numbers[:, 1]


def _turned(x: np.ndarray, position: int, way: str) -> np.ndarray:
    rounded = way in ("table", "products", "angles")  # so that float64 has the exact products
    waves = np.array([balls.cosine_sine(angle) for angle in _angles(position, way)], dtype=object)
    turn = (oracle.rounded(waves, "bfloat16") if rounded else balls.floats(waves)) @ [1, 1j]
    if way in ("products", "angles"):
        return _both(_both(x * turn.real) + _both(1j * x * turn.imag))
    if way in ("frequencies", "float32"):
        return x * turn
    return _both(x * turn, 0 if rounded else 1e-14)


def _angles(position: int, way: str) -> Any:
    speeds, form = np.array(_frequencies()), {"angles": "bfloat16", "float32": "float32"}.get(way)
    if form:
        return oracle.rounded(oracle.rounded(position, form) * oracle.rounded(speeds, form), form)
    return position * (oracle.rounded(speeds, "bfloat16") if way == "frequencies" else speeds)


def _both(z: np.ndarray, error: float = 0) -> np.ndarray:
    """Real and imaginary parts, each rounded, if an error as small as this changes none."""
    below, above = (
        oracle.rounded(z.real + off, "bfloat16") + 1j * oracle.rounded(z.imag + off, "bfloat16")
        for off in (-error, error)
    )
    if (below != above).any():
        raise balls.UndecidedError("a number lies between two of bfloat16")
    return below
