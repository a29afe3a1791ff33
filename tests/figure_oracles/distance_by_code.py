"""Distances from position 16 in the encoding (d = 10, n = 32), in binary and in one-hot."""

from __future__ import annotations

from math import sqrt

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    codes = {
        "encoding": [oracle.distance(p - 16, 10, base=32) for p in range(32)],
        "binary": [sqrt(quantity_oracle.bit_changes(p, 16)) for p in range(32)],
        "one-hot": [0.0 if p == 16 else sqrt(2) for p in range(32)],
    }
    lines = [(name, range(32), line) for name, line in codes.items()]
    return Expected(
        fields={"positions": range(32), "distances": list(codes.values())},
        columns={"position": range(32), **labelled(lines)},
        lines=lines,
    )
