"""50 x 128."""

from __future__ import annotations

from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    """50 x 128."""
    return matrix(50, 128)
