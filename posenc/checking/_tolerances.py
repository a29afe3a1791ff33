"""How far a right program may be from the exact values, derived from its format and positions.

Let u be half the distance from 1 to the next number of the format: `2 ** -24` for float32.

1. *Frequencies.* `base ** (-2 i / d)` rounds the exponent, which moves the power by `u |ln w|`; the
   logarithm and the product of `exp(-log(base) 2 i / d)` do it twice. llama.cpp multiplies i times
   instead, and each product and the factor are rounded: `2 i u`. The power, a reciprocal, a
   scaling, a division of positions and the product with the position add at most `10 u`. So an
   angle a is off by at most `|a| (2 |ln w| + 2 i + 10) u`, and cosine and sine by as much.
2. *Values.* A table is rounded once, and once more if the attention factor multiplies it: 2 u.
   A turn also rounds its input, two products and their sum: 8 u of the pair's length covers them.

Half precision holds values; angles are made in float32 at least (step 1 then takes its u). The
exact values themselves are within 5e-16, which is added.
"""

from __future__ import annotations

import numpy as np

from posenc._formats import FORMATS, rounded
from posenc._phase import FloatArray

TABLE, TURN = 2.0, 8.0  # roundings of a value, as the derivation counts them
_OWN = 5e-16


def allowance(
    angles: FloatArray, frequencies: FloatArray, sizes: FloatArray, form: str, roundings: float
) -> FloatArray:
    """Largest difference that the format `form` explains, shape `(n, pairs)`.

    `angles` and `sizes` have this shape: the angle of each pair, and the length of what turns.
    """
    unit = 2.0 ** -FORMATS[form].bits
    turning = np.where(frequencies == 0, 1.0, np.abs(frequencies))
    steps = 2 * np.abs(np.log(turning)) + 2 * np.arange(len(turning)) + 10
    turn = np.abs(angles) * steps * min(unit, 2.0 ** -FORMATS["float32"].bits)
    least = 2.0 ** FORMATS[form].quantum
    allowed: FloatArray = sizes * (turn + roundings * unit + _OWN) + least
    return allowed


def narrowest(values: FloatArray, dtype: str) -> str:
    """The format of few bits that holds all `values`, else the one that their `dtype` names."""
    for form in ("bfloat16", "float16", "float32"):
        if form == dtype or np.array_equal(rounded(values, FORMATS[form]), values):
            return form
    return "float64"
