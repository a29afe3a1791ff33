"""Distances of rows 0 to 100 from row 0 at d = 2, 8 and 512, from the dot products."""

from __future__ import annotations

from tests import oracle
from tests.balls import ball
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    widths, offsets = [2, 8, 512], range(101)
    shares = [oracle.sqrt((1 - oracle.similarity(offsets, d) / ball(d // 2)) / 2) for d in widths]
    lines = [(f"d = {d}", offsets, share) for d, share in zip(widths, shares, strict=True)]
    return Expected(
        fields={"widths": widths, "offsets": offsets, "shares": shares},
        columns={"offset": offsets, **labelled(lines)},
        lines=lines,
    )
