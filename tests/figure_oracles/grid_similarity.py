"""The similarity of patches: a sum of two kernels."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected

ROW, COLUMN = 4, 9


def expected() -> Expected:
    """The similarity of patches: a sum of two kernels, one for the rows, one for the columns."""
    kernel = [float(value) for value in oracle.similarity(range(14), 64)]
    shares = [
        [(kernel[abs(y - ROW)] + kernel[abs(x - COLUMN)]) / 64 for x in range(14)]
        for y in range(14)
    ]
    axis = list(range(14))
    return Expected(fields={"rows": axis, "columns": axis, "shares": shares}, images=[shares])
