"""50 x 128."""

from __future__ import annotations

from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    return matrix(50, 128)
