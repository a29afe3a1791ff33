"""Arrows that start upright, turned by rows 1 and 3 or by columns 4 and 1, fast and slow."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected, rope_turning

NAMES = ["row, fast", "row, slow", "column, fast", "column, slow"]


def expected() -> Expected:
    queries = [balls.phasor(angle) for angle in (1, ball("0.1"), 4, ball("0.4"))]
    keys = [balls.phasor(angle) * 3 / 4 for angle in (3, ball("0.3"), 1, ball("0.1"))]
    places = [ball(x) for x in ("4.7", "7.3", "10.3", "12.9")]
    drawn = rope_turning.arrows(places, queries, keys, NAMES, {"pair": range(4)})
    drawn.columns["product"] = drawn.fields["products"]
    return drawn
