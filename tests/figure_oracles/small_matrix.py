"""10 x 6, each value written on its cell, in black or white on strong colours."""

from __future__ import annotations

from dataclasses import replace

from tests import oracle
from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    values = oracle.positional_encoding(10, 6)
    plain = matrix(10, 6)
    return replace(
        plain,
        fields={**plain.fields, "strong": [[not -90 <= 100 * v <= 78 for v in r] for r in values]},
        texts=[oracle.formatted(value, ".2f") for row in values for value in row],
    )
