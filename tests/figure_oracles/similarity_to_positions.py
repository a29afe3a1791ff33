"""Rows of the matrix at d = 128 multiplied with rows 0, 25 and 49, number by number."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """Rows of the matrix at d = 128 multiplied with rows 0, 25 and 49, number by number."""
    references, rows = [0, 25, 49], oracle.positional_encoding(50, 128)
    shares = [floats((rows * rows[q]).sum(axis=1) / (rows[q] ** 2).sum()) for q in references]
    return Expected(
        fields={"positions": list(range(50)), "references": references, "shares": shares},
        lines=[
            (f"to position {q}", range(50), share)
            for q, share in zip(references, shares, strict=True)
        ],
    )
