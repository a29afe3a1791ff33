"""The rows of positions 0, 10 and 25 at d = 128."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, labelled, matrix


def expected() -> Expected:
    rows = oracle.encode([0, 10, 25], 128)
    names = ("position 0", "position 10", "position 25")
    lines = [(name, range(128), row) for name, row in zip(names, rows, strict=True)]
    return Expected(
        fields={
            **{key: matrix(1, 128).fields[key] for key in ("dimensions", "pairs", "wavelengths")},
            "positions": [0, 10, 25],
            "rows": rows,
        },
        columns={"dimension": range(128), **labelled(lines)},
        lines=lines,
    )
