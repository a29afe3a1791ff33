"""How likely each angle between two random directions is: sin(a) ** (d - 2) over its integral."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected, labelled

DEGREE = balls.pi / 180


def expected() -> Expected:
    widths, degrees = [2, 8, 64, 512], range(1, 180)
    likely = []
    for d in widths:
        powers = [balls.sin(a * DEGREE) ** (d - 2) for a in degrees]
        share = balls.gamma(ball(d) / 2) / balls.gamma(ball(d - 1) / 2)
        whole = balls.sqrt(balls.pi) / share  # from 0 to pi
        likely.append([DEGREE * power / whole for power in powers])
    lines = [(f"d = {d}", degrees, curve) for d, curve in zip(widths, likely, strict=True)]
    return Expected(
        fields={"widths": widths, "degrees": degrees, "likely": likely},
        columns={"angle in degrees": degrees, **labelled(lines)},
        lines=lines,
    )
