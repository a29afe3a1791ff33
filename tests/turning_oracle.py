"""The functions of scripts/numbers/quantities/turning.py by another way and without posenc.

Pairs are complex numbers, the exact score depends on the offset from the start, cosines and sines
come from mpmath, and bfloat16 is made from the bits of float64 numbers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from tests import oracle

mp = oracle.mp
_PAIRS = 64
_LOST = np.uint64(45)  # bits that bfloat16 has not, of the 52 after the leading one of a float64


def angle_error(precision: str, limit: int) -> Any:
    """Angle by angle, in mpmath."""

    def rounded(value: Any) -> Any:
        return oracle.rounded(value, precision)

    errors = [
        abs(rounded(rounded(mp.mpf(p)) * rounded(w)) - p * w)
        for p in range(limit - 64, limit)
        for w in _frequencies()
    ]
    return max(errors)


def score_error(way: str, position: int, offset: int = 5) -> float:
    """The exact score from the offset; the other from two turned vectors."""
    query, key = _heads()
    ahead = np.array([complex(mp.expj(offset * w)) for w in _frequencies()])
    exact = (query * ahead * key.conj()).real.sum(axis=1)
    here, there = _turned(query, position + offset, way), _turned(key, position, way)
    off = (here * there.conj()).real.sum(axis=1) - exact
    return float(np.linalg.norm(off) / np.sqrt(len(off) * 2 * _PAIRS))


@lru_cache(maxsize=1)
def _frequencies() -> list[Any]:
    return [mp.mpf(10_000) ** (-mp.mpf(i) / _PAIRS) for i in range(_PAIRS)]


@lru_cache(maxsize=1)
def _heads() -> np.ndarray:
    chance = np.random.Generator(np.random.PCG64(0))
    numbers = _bfloat16(chance.standard_normal(4 * 500 * _PAIRS)).reshape(2, 2, 500, _PAIRS)
    return numbers[:, 0] + 1j * numbers[:, 1]


def _turned(x: np.ndarray, position: int, way: str) -> np.ndarray:
    turn = np.array([_phasor(position, w, way) for w in _frequencies()])
    if way in ("table", "products", "angles"):
        turn = _both(turn)
    if way in ("products", "angles"):
        return _both(_both(x * turn.real) + _both(1j * x * turn.imag))
    return x * turn if way in ("frequencies", "float32") else _both(x * turn)


def _phasor(position: int, frequency: Any, way: str) -> complex:
    form = {"angles": "bfloat16", "float32": "float32"}.get(way)
    if form:
        product = oracle.rounded(mp.mpf(position), form) * oracle.rounded(frequency, form)
        return complex(mp.expj(oracle.rounded(product, form)))
    if way == "frequencies":
        frequency = oracle.rounded(frequency, "bfloat16")
    return complex(mp.expj(position * frequency))


def _both(z: np.ndarray) -> np.ndarray:
    """Real and imaginary parts, each rounded."""
    return _bfloat16(z.real) + 1j * _bfloat16(z.imag)


def _bfloat16(values: np.ndarray) -> np.ndarray:
    """The nearest number, ties to even, where no value is smaller than bfloat16's normal ones."""
    bits = np.ascontiguousarray(values, dtype=np.float64).view(np.uint64)
    half = (np.uint64(1) << (_LOST - np.uint64(1))) - np.uint64(1)
    up = bits + half + (bits >> _LOST & np.uint64(1))
    return (up >> _LOST << _LOST).view(np.float64)
