"""An offset between positions as a rotation, as a dot product and as a distance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.encoding import encode


def shift_matrix(offset: float, d_model: int, *, base: float = 10_000.0) -> FloatArray:
    """Rotation by `offset` positions, shape `(d_model, d_model)`, the same for every position.

    `shift_matrix(k, d) @ encode(p, d)` equals `encode(p + k, d)`: pair i turns by
    `k * frequencies(d)[i]` radians (Vaswani et al. 2017, section 3.5). The matrix is
    orthogonal and block-diagonal, with blocks [[cos, sin], [-sin, cos]].

    Raises ValueError if `offset` is not one finite number; otherwise as `encode`.

    >>> shift_matrix(1, 2).round(4)
    array([[ 0.5403,  0.8415],
           [-0.8415,  0.5403]])
    """
    turn = _arguments.reals("offset", offset)
    if turn.ndim != 0:
        raise ValueError(f"offset must be one number, got shape {turn.shape}")
    pairs = encode(turn, d_model, base=base)
    sine, cosine = pairs[0::2], pairs[1::2]
    matrix = np.zeros((len(pairs), len(pairs)))
    even = np.arange(0, len(pairs), 2)
    matrix[even, even] = matrix[even + 1, even + 1] = cosine
    matrix[even, even + 1] = sine
    matrix[even + 1, even] = -sine
    return matrix


def similarity(
    offset: npt.ArrayLike, d_model: int, *, base: float = 10_000.0
) -> FloatArray | np.float64:
    """Dot product of two encodings `offset` positions apart, in the shape of `offset`.

    `encode(p, d) @ encode(p + k, d)` is the sum of `cos(k * frequencies(d))` for every p:
    even in k, and `d_model / 2` at k = 0. Raises as `encode` does.

    >>> similarity([0, 1, -1], 4).round(4)
    array([2.    , 1.5403, 1.5403])
    """
    cosines = encode(_arguments.reals("offset", offset), d_model, base=base)[..., 1::2]
    return _sum_over_pairs(cosines)


def distance(
    offset: npt.ArrayLike, d_model: int, *, base: float = 10_000.0
) -> FloatArray | np.float64:
    """Euclidean distance of two encodings `offset` positions apart, in the shape of `offset`.

    The chord of every pair's rotation: `2 * sqrt(sum(sin(k * w / 2) ** 2))` over
    `w = frequencies(d)`. Raises as `encode` does.

    >>> distance([0, 1], 512).round(4)
    array([0.    , 3.7143])
    """
    half_turns = encode(_arguments.reals("offset", offset) / 2, d_model, base=base)[..., 0::2]
    return 2.0 * np.sqrt(_sum_over_pairs(half_turns**2))


def _sum_over_pairs(values: FloatArray) -> FloatArray | np.float64:
    total: FloatArray | np.float64 = values.sum(axis=-1)
    return total
