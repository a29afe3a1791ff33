"""Largest errors at d = 64 by position, rounded step by step."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    positions = sorted({balls.nearest(ball(10) ** (ball(j) / 8)) for j in range(39)})
    low, last, lines = [], [], []
    for form in ("bfloat16", "float16", "float32"):
        low.append(oracle.precision_error(positions, 64, precision=form))
        last.append(oracle.precision_error(positions, 64, precision=form, cast_last=True))
        lines.append((f"{form}, computed low", positions, low[-1]))
        lines.append((f"{form}, cast last", positions, last[-1]))
    return Expected(
        fields={"positions": positions, "low": low, "last": last},
        columns={"position": positions, **labelled(lines)},
        lines=lines,
    )
