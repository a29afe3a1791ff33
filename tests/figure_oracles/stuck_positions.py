"""The first column around position 256."""

from __future__ import annotations

from tests import balls, oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    positions = range(244, 273)
    exact = [balls.sin(p) for p in positions]
    # bfloat16 takes the sine of the nearest position that it can hold.
    held = [p if p <= 256 else 4 * round(p / 4) if p % 2 else p for p in positions]
    low = [oracle.rounded(balls.sin(p), "bfloat16") for p in held]
    lines = [("exact", positions, exact), ("bfloat16", positions, low)]
    return Expected(
        fields={"positions": positions, "exact": exact, "bfloat16": low},
        columns={"position": positions, **labelled(lines)},
        lines=lines,
    )
