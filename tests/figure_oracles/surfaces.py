"""The sine and the cosine of every column's angle at 64 x 128, and the encoding of that size."""

from __future__ import annotations

from tests import balls, oracle
from tests.figure_oracles import Expected, floats, matrix, numbered

NAMES = ("sine", "cosine", "combined")


def expected() -> Expected:
    turns = oracle.frequencies(128)
    angles = [[p * turns[j // 2] for j in range(128)] for p in range(64)]
    sine = [[balls.sin(angle) for angle in row] for row in angles]
    cosine = [[balls.cos(angle) for angle in row] for row in angles]
    kept = [[(sine, cosine)[j % 2][p][j] for j in range(128)] for p in range(64)]  # half of each
    images = dict(zip(NAMES, map(floats, (sine, cosine, kept)), strict=True))
    columns = {"position": range(64)}
    for name, values in images.items():
        columns |= numbered(name, values)
    fields = {key: value for key, value in matrix(64, 128).fields.items() if key != "values"}
    return Expected(
        fields={**fields, **images},
        columns=columns,
        images=list(images.values()),
    )
