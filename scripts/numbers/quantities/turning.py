"""Attention scores of queries and keys that were turned with too few digits.

All functions have a head of 128 features and the base 10,000, as in Llama 2.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from functools import cache

import numpy as np

from posenc import Rotary
from posenc.encoding import FloatArray

_ROTARY = Rotary(128)
_DRAWS = 500  # queries, and as many keys
Rounding = Callable[[FloatArray], FloatArray]


def angle_error(precision: str, limit: int) -> float:
    """The largest error of an angle, in radians, over all pairs and the 64 positions below `limit`.

    Position, frequency and their product are rounded to `precision`: "bfloat16", "float16" or
    "float32".
    """
    rounded, positions = _ROUNDINGS[precision], np.arange(limit - 64.0, limit)[:, np.newaxis]
    low = rounded(rounded(positions) * rounded(_ROTARY.frequencies()))
    exact = [Decimal(10_000) ** (Decimal(-i) / 64) for i in range(64)]  # float64 has too few digits
    errors = (
        abs(Decimal(float(angle)) - (limit - 64 + row) * frequency)
        for row, angles in enumerate(low)
        for angle, frequency in zip(angles, exact, strict=True)
    )
    return float(max(errors))


def score_error(way: str, position: int, offset: int = 5) -> float:
    """How far attention scores are off, where the query stands `offset` after the key's `position`.

    It is the root mean square over 500 random queries and keys, whose scores have a standard
    deviation of about 1. The `way` says what is rounded: "last", to bfloat16, the turned queries
    and keys; "table" also cosines and sines; "products" also each step of the turn; "angles" also
    positions, frequencies and angles. "frequencies" has only the frequencies rounded, to bfloat16,
    and "float32" only the angles, to float32.
    """
    query, key = _heads()
    product = np.sum(
        _turned(query, position + offset, way) * _turned(key, position, way), axis=(0, 2)
    )
    exact = np.sum(_turned(query, offset, "exact") * key, axis=(0, 2))
    return float(np.sqrt(np.mean(np.square(product - exact)) / 128))


@cache
def _heads() -> FloatArray:
    """Queries and keys in bfloat16, shape `(2, 2, draws, pairs)`: first and second features."""
    return _bfloat16(np.random.default_rng(0).standard_normal((2, 2, _DRAWS, 64)))


def _turned(x: FloatArray, position: int, way: str) -> FloatArray:
    step: Rounding = _bfloat16 if way in ("products", "angles") else _kept
    last: Rounding = _kept if way in ("exact", "frequencies", "float32") else _bfloat16
    cosine, sine = _cosine_sine(position, way)
    first = step(step(x[0] * cosine) - step(x[1] * sine))
    second = step(step(x[1] * cosine) + step(x[0] * sine))
    return last(np.array([first, second]))


def _cosine_sine(position: int, way: str) -> tuple[FloatArray, FloatArray]:
    frequencies = _ROTARY.frequencies()
    if way in ("angles", "float32"):
        rounded = _float32 if way == "float32" else _bfloat16
        angles = rounded(rounded(np.array(float(position))) * rounded(frequencies))
        cosine, sine = np.cos(angles), np.sin(angles)
    elif way == "frequencies":
        angles = position * _bfloat16(frequencies)
        cosine, sine = np.cos(angles), np.sin(angles)
    else:
        cosine, sine = _ROTARY.cosine_sine(position)
    if way in ("table", "products", "angles"):
        return _bfloat16(cosine), _bfloat16(sine)
    return cosine, sine


def _bfloat16(values: FloatArray) -> FloatArray:
    significand, exponent = np.frexp(values)
    nearest: FloatArray = np.ldexp(np.rint(significand * 2**8), exponent - 8)
    return nearest


def _float16(values: FloatArray) -> FloatArray:
    return values.astype(np.float16).astype(np.float64)


def _float32(values: FloatArray) -> FloatArray:
    return values.astype(np.float32).astype(np.float64)


def _kept(values: FloatArray) -> FloatArray:
    return values


_ROUNDINGS: dict[str, Rounding] = {
    "bfloat16": _bfloat16,
    "float16": _float16,
    "float32": _float32,
}
