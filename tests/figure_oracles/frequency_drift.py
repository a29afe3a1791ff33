"""Distance of tensor2tensor's encoding from the paper's, by position, at d = 512."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected


def expected() -> Expected:
    positions = sorted({balls.nearest(ball(10) ** (ball(j) / 24)) for j in range(97)})
    gaps = [
        ball(10_000) ** (-ball(2 * i) / 512) - ball(10_000) ** (-ball(2 * i) / 510)
        for i in range(256)
    ]
    # The chords of the angles between the two, pair by pair.
    distances = [
        2 * balls.sqrt(sum(balls.sin(p * gap / 2) ** 2 for gap in gaps)) for p in positions
    ]
    step = oracle.distance(1, 512)
    ends = [1, 10_000]
    return Expected(
        fields={
            "positions": positions,
            "distances": distances,
            "ends": ends,
            "steps": [step, step],
        },
        columns={"position": positions, "distance": distances},
        lines=[
            ("paper to tensor2tensor", positions, distances),
            ("neighbouring positions", ends, [step, step]),
        ],
    )
