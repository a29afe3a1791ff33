"""ALiBi: a penalty that grows with the distance, with a different slope in each head."""

from __future__ import annotations

import numpy as np

from posenc import _arguments, _memory
from posenc._phase import FloatArray


def alibi_slopes(heads: int) -> FloatArray:
    """Slope of each head's penalty per position of distance, shape `(heads,)`.

    A power of two H has slopes `2 ** (-8 h / H)`, h = 1 .. H (Press et al. 2022, section 3).
    Any other number takes those of the next lower power of two H, then every second one of
    2H, as the authors' code does.

    Raises TypeError or ValueError if `heads` is not a positive integer, ValueError if the slopes
    would not fit into this machine's memory.

    >>> np.log2(alibi_slopes(12))
    array([-1. , -2. , -3. , -4. , -5. , -6. , -7. , -8. , -0.5, -1.5, -2.5,
           -3.5])
    """
    heads = _arguments.integer("heads", heads, least=1)
    _memory.refuse_array("heads", heads)
    whole = 2 ** (heads.bit_length() - 1)
    exponents = np.concatenate(
        [
            8 / whole * np.arange(1, whole + 1),
            4 / whole * np.arange(1, 2 * (heads - whole), 2),
        ]
    )
    slopes: FloatArray = 2.0**-exponents
    return slopes
