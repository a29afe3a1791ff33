"""100 x 512."""

from __future__ import annotations

from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    return matrix(100, 512)
