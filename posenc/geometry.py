"""An offset between positions as a rotation, as a dot product and as a distance.

Shorthand for the methods of `Convention()`, whose options default to the paper's.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.encoding import paper


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
    return paper(base).shift_matrix(offset, _arguments.width(d_model))


def similarity(
    offset: npt.ArrayLike, d_model: int, *, base: float = 10_000.0
) -> FloatArray | np.float64:
    """Dot product of two encodings `offset` positions apart, in the shape of `offset`.

    `encode(p, d) @ encode(p + k, d)` is the sum of `cos(k * frequencies(d))` for every p:
    even in k, and `d_model / 2` at k = 0. Raises as `encode` does.

    >>> similarity([0, 1, -1], 4).round(4)
    array([2.    , 1.5403, 1.5403])
    """
    return paper(base).similarity(offset, _arguments.width(d_model))


def distance(
    offset: npt.ArrayLike, d_model: int, *, base: float = 10_000.0
) -> FloatArray | np.float64:
    """Euclidean distance of two encodings `offset` positions apart, in the shape of `offset`.

    The chord of every pair's rotation: `2 * sqrt(sum(sin(k * w / 2) ** 2))` over
    `w = frequencies(d)`. Raises as `encode` does.

    >>> distance([0, 1], 512).round(4)
    array([0.    , 3.7143])
    """
    return paper(base).distance(offset, _arguments.width(d_model))
