"""50 x 512, cells between whole numbers."""

from __future__ import annotations

from dataclasses import replace

from tests.figure_oracles import Expected, matrix


def expected() -> Expected:
    made = matrix(50, 512)
    edges = {"position_edges": range(51), "dimension_edges": range(513)}
    return replace(made, fields={**made.fields, **edges})
