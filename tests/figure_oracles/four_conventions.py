"""Position 3 at d = 8, four times."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats

mp = oracle.mp


def expected() -> Expected:
    """Position 3 at d = 8: the paper's row, in halves, tensor2tensor's, and cosines first."""
    paper = list(oracle.encode(3, 8))
    angles = [3 * mp.power(10_000, -mp.mpf(i) / 3) for i in range(4)]
    rows = [
        paper,
        paper[0::2] + paper[1::2],
        [mp.sin(angle) for angle in angles] + [mp.cos(angle) for angle in angles],
        paper[1::2] + paper[0::2],
    ]
    values = floats(rows)
    return Expected(
        fields={
            "dimensions": list(range(8)),
            "values": values,
            "dark": [[100 * value < -13 for value in row] for row in rows],
        },
        images=[values],
        texts=[oracle.formatted(value, ".2f") for row in rows for value in row],
    )
