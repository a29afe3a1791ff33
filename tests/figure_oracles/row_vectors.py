"""The sines and cosines of positions 0, 10 and 25 at d = 128."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    rows = dict(zip((0, 10, 25), oracle.encode([0, 10, 25], 128), strict=True))
    lines = []
    for p, row in rows.items():
        lines += [(f"position {p}, {kind}", range(64), row[j::2]) for j, kind in enumerate(KINDS)]
    return Expected(
        fields={
            "positions": list(rows),
            "pairs": range(64),
            "wavelengths": oracle.wavelengths(128),
            **{f"{kind}s": [row[j::2] for row in rows.values()] for j, kind in enumerate(KINDS)},
        },
        columns={"pair": range(64), **labelled(lines)},
        lines=lines,
    )


KINDS = ("sine", "cosine")
