"""Arrows that a row or a column turns, for patches (1, 4) and (3, 1) of 4 by 6 squares of 0.5."""

from __future__ import annotations

from tests.figure_oracles import Expected, rope_turning
from tests.oracle import mp

PLACES = [mp.mpf(tenths) / 10 for tenths in (47, 73, 103, 129)]
NAMES = ["row, fast", "row, slow", "column, fast", "column, slow"]


def expected() -> Expected:
    queries = [mp.expj(angle) for angle in (1, mp.mpf(1) / 10, 4, mp.mpf(4) / 10)]
    keys = [mp.expj(angle) * 3 / 4 for angle in (3, mp.mpf(3) / 10, 1, mp.mpf(1) / 10)]
    drawn = rope_turning.arrows(PLACES, queries, keys, NAMES)
    path = [(x, y) for y in range(5) for x in ((0, 6), (6, 0))[y % 2]]
    path += [(x, y) for x in range(6, -1, -1) for y in ((4, 0), (0, 4))[x % 2]]
    outlines = {"image": path}
    for name, (row, column) in {"query": (1, 4), "key": (3, 1)}.items():
        corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
        outlines[f"patch, {name}"] = [(column + x, row + y) for x, y in corners]
    made = [
        (name, [x / 2 for x, _ in o], [1 - y / 2 for _, y in o]) for name, o in outlines.items()
    ]
    (_, grid_x, grid_y), *patches = made
    drawn.lines.extend(made)
    drawn.fields.update(grid_x=grid_x, grid_y=grid_y)
    drawn.fields.update(patches_x=[x for _, x, _ in patches], patches_y=[y for *_, y in patches])
    drawn.columns.update({"pair": range(4), "product": drawn.fields["products"]})
    return drawn
