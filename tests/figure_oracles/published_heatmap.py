"""Three printed rows, cell by cell, and the three that the formula gives."""

from __future__ import annotations

import math

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected


def expected() -> Expected:
    rows = oracle.positional_encoding(3, 128)
    cells = [
        (p, j, value)
        for p in (0, 1, 2)
        for j, value in enumerate(quantity_oracle.published("heatmap", p))
    ]
    known = {(p, j): value for p, j, value in cells}
    printed = [[known.get((p, j), math.nan) for j in range(128)] for p in (0, 1, 2)]
    columns = {
        "position": [p for p, _, _ in cells],
        "dimension": [j for _, j, _ in cells],
        "printed": [value for _, _, value in cells],
        "formula": [rows[p][j] for p, j, _ in cells],
    }
    return Expected(
        fields={**columns, "rows": rows},
        columns=columns,
        images=[printed, rows],
    )
