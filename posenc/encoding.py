"""The paper's encoding: frequencies, wavelengths, single positions and whole matrices.

Shorthand for the methods of `Convention()`, whose options default to the paper's.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray as FloatArray  # importable from here too
from posenc.conventions import Convention


def paper(base: float) -> Convention:
    """The paper's convention, with another `base`."""
    return _paper(_arguments.positive("base", base))


@lru_cache
def _paper(base: float) -> Convention:
    return Convention(base=base)


def frequencies(d_model: int, *, base: float = 10_000.0) -> FloatArray:
    """Angular frequency of each sine-cosine pair, in radians per position, shape `(d_model // 2,)`.

    Pair i turns by `base ** (-2 i / d_model)` radians from one position to the next
    (Vaswani et al. 2017, section 3.5). Each is the float64 nearest to the exact value.

    Raises TypeError if `d_model` is not an integer or `base` not a number, ValueError if `d_model`
    is not even and from 2 to 2**20, `base` is not above 0, or it or a frequency is not finite.

    >>> frequencies(4, base=100)
    array([1. , 0.1])
    """
    return paper(base).frequencies(_arguments.width(d_model))


def wavelengths(d_model: int, *, base: float = 10_000.0) -> FloatArray:
    """Wavelength of each sine-cosine pair, in positions per turn, shape `(d_model // 2,)`.

    A geometric progression from `2π` to `2π · base ** ((d_model - 2) / d_model)`, which follows
    from the formula of Vaswani et al. 2017, section 3.5 (its text rounds the end to `2π · base`).
    Raises ValueError if a wavelength exceeds float64; otherwise as `frequencies`.

    >>> wavelengths(4).round(2)
    array([  6.28, 628.32])
    """
    return paper(base).wavelengths(_arguments.width(d_model))


def encode(
    positions: npt.ArrayLike,
    d_model: int,
    *,
    base: float = 10_000.0,
    dtype: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Encoding of any real positions of shape `(...)`, as shape `(..., d_model)`.

    Column 2i holds `sin(p * w)` and column 2i + 1 `cos(p * w)`, with `w = frequencies(d_model)[i]`
    (Vaswani et al. 2017, section 3.5). Values are within 5e-16 of the exact ones up to
    |p| = 2**24 for a `base` of at least 1. Farther off they are within `1e-15 + 2**-104 |p|`, which
    is 4.9e-8 at 1e24; beyond 1e31 they mean nothing, though they lie between -1 and 1. `dtype`
    (float16, float32 or float64, or bfloat16 if the package ml_dtypes is installed) rounds them
    once, at the end.

    Raises TypeError if `positions` are not real numbers of at most 64 bits, or if `dtype` is
    neither a dtype nor a name, ValueError if a position is NaN, infinite, masked or an integer
    beyond ±2**53 (in a list with floats, NumPy makes it a float first), if its product with a
    frequency is infinite, or if `dtype` is another dtype or name; otherwise as `frequencies`.

    >>> encode([0, 0.5], 4, base=100).round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.4794, 0.8776, 0.05  , 0.9988]])
    """
    return paper(base).encode(positions, _arguments.width(d_model), dtype=dtype)


def positional_encoding(
    length: int,
    d_model: int,
    *,
    start: int = 0,
    base: float = 10_000.0,
    dtype: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Encoding matrix of positions `start` to `start + length - 1`, shape `(length, d_model)`.

    The values of `encode` to within 5e-16 for a `base` of at least 1, several times as fast:
    position 192 a + b is position b rotated by 192 a (the shift property, Vaswani et al. 2017,
    section 3.5), so only one row in 192 needs new sines. A row has the same bits whatever `start`
    and `length` are.

    Raises TypeError if `length` or `start` is not an integer, ValueError if one is negative
    or `start + length` exceeds 2**53; otherwise as `encode`.

    >>> positional_encoding(3, 4, base=100).round(4)
    array([[ 0.    ,  1.    ,  0.    ,  1.    ],
           [ 0.8415,  0.5403,  0.0998,  0.995 ],
           [ 0.9093, -0.4161,  0.1987,  0.9801]])
    """
    length = _arguments.integer("length", length, least=0)
    start = _arguments.integer("start", start, least=0)
    stop = start + length
    if stop > _arguments.LARGEST_EXACT_INTEGER:
        raise ValueError(f"start + length must be at most 2**53, got {_arguments.shown(stop)}")
    return paper(base).table(length, _arguments.width(d_model), start=start, dtype=dtype)
