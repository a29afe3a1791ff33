"""100 x 512."""

from __future__ import annotations

from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    """100 x 512."""
    return matrix(100, 512)
