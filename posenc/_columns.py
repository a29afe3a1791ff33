"""Which sine or cosine a column holds, as codes: 2i is the sine of pair i, 2i + 1 its cosine."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from posenc._phase import ComplexArray, FloatArray

Layout = Literal["interleaved", "halves"]
Order = Literal["sin_first", "cos_first"]
Odd = Literal["error", "truncate", "pad", "ceil", "overflow"]
IntArray = npt.NDArray[np.intp]

NOTHING = -1  # the code of a column of zeros


@lru_cache
def column_codes(layout: Layout, order: Order, odd: Odd, d_model: int) -> IntArray:
    """Code of each column, as `Convention.columns` describes them."""
    pad = d_model % 2 if odd == "pad" else 0
    pairs = (d_model - pad + 1) // 2
    both = np.arange(2 * pairs).reshape(pairs, 2)
    ordered = both if order == "sin_first" else both[:, ::-1]
    codes = (ordered if layout == "interleaved" else ordered.T).ravel()
    if pad:
        codes = np.append(codes, NOTHING)
    elif odd != "overflow":
        codes = codes[:d_model]
    codes.flags.writeable = False  # shared by every caller
    return codes


def rotation(codes: IntArray, pairs: ComplexArray) -> FloatArray:
    """Matrix that turns each pair of columns by the angle of `pairs`, `sin + 1j * cos`."""
    place = np.argsort(codes)[-2 * len(pairs) :]  # the column of each code
    sine, cosine = place[0::2], place[1::2]
    matrix = np.eye(len(codes))
    matrix[sine, sine] = matrix[cosine, cosine] = pairs.imag
    matrix[sine, cosine] = pairs.real
    matrix[cosine, sine] = -pairs.real
    return matrix
