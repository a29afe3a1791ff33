"""10 x 6, each value written on its cell, in white on dark green and blue."""

from __future__ import annotations

from dataclasses import replace

from tests import oracle
from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    values = oracle.positional_encoding(10, 6)
    plain = matrix(10, 6)
    return replace(
        plain,
        fields={**plain.fields, "dark": [[100 * value < -13 for value in row] for row in values]},
        texts=[oracle.formatted(value, ".2f") for row in values for value in row],
    )
