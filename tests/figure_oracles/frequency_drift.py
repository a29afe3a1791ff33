"""Distance of tensor2tensor's encoding from the paper's, by position, at d = 512."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected

mp = oracle.mp


def expected() -> Expected:
    positions = sorted({int(mp.nint(mp.power(10, mp.mpf(j) / 24))) for j in range(97)})
    gaps = [
        mp.power(10_000, -mp.mpf(2 * i) / 512) - mp.power(10_000, -mp.mpf(2 * i) / 510)
        for i in range(256)
    ]
    # The chords of the angles between the two, pair by pair.
    distances = [2 * mp.sqrt(sum(mp.sin(p * gap / 2) ** 2 for gap in gaps)) for p in positions]
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
