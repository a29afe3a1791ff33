"""Errors of scores by position, from tests/turning_oracle.py."""

from __future__ import annotations

from tests import balls, turning_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, labelled

WAYS = {
    "angles in bfloat16 too": "angles",
    "the turn in bfloat16": "products",
    "rounded after the turn": "last",
    "angles in float32, the rest exact": "float32",
}


def expected() -> Expected:
    positions = [balls.nearest(ball(10) ** (ball(j) / 2)) for j in range(13)]
    lines = [
        (label, positions, [turning_oracle.score_error(way, p) for p in positions])
        for label, way in WAYS.items()
    ]
    return Expected(
        fields={"positions": positions, "errors": [line[2] for line in lines]},
        columns={"position": positions, **labelled(lines)},
        lines=lines,
    )
