"""The similarity of patches: a sum of two kernels."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, numbered

ROW, COLUMN = 4, 9


def expected() -> Expected:
    kernel = oracle.similarity(range(14), 64)
    shares = [
        [(kernel[abs(y - ROW)] + kernel[abs(x - COLUMN)]) / 64 for x in range(14)]
        for y in range(14)
    ]
    axis = range(14)
    return Expected(
        fields={"rows": axis, "columns": axis, "shares": shares},
        columns={"row": axis, **numbered("column", shares)},
        images=[shares],
    )
