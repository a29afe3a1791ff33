"""Rows of the matrix at d = 128 multiplied with rows 0, 25 and 49, number by number."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    references, rows = [0, 25, 49], oracle.positional_encoding(50, 128)
    shares = [(rows * rows[q]).sum(axis=1) / (rows[q] ** 2).sum() for q in references]
    lines = [
        (f"to position {q}", range(50), share) for q, share in zip(references, shares, strict=True)
    ]
    return Expected(
        fields={"positions": range(50), "references": references, "shares": shares},
        columns={"position": range(50), **labelled(lines)},
        lines=lines,
    )
