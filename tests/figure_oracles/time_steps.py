"""Sums of cosines at d = 128, with the paper's frequencies."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected, labelled


def alike(gap):
    """The mean of cos(gap * w) over the frequencies 10000 ** (-i / 64) of 64 pairs."""
    angles = (gap * ball(10_000) ** (-ball(i) / 64) for i in range(64))
    return balls.total(map(balls.cos, angles)) / 64


def expected() -> Expected:
    places = [k / 100 for k in range(101)]
    unscaled = [alike(ball(k - 50) / 100) for k in range(101)]
    text = [alike(k - 50) for k in range(101)]
    steps = [alike(10 * (k - 50)) for k in range(101)]
    lines = [
        ("times from 0 to 1", places, unscaled),
        ("text, positions 0 to 100", places, text),
        ("time steps 0 to 1,000", places, steps),
    ]
    return Expected(
        fields={"places": places, "unscaled": unscaled, "text": text, "steps": steps},
        columns={"place": places, **labelled(lines)},
        lines=lines,
    )
