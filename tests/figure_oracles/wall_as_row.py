"""Walls of positions 1, 10, 100 at d = 8: clocks of radius 0.6 above the two cells of each pair."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected, numbered


def expected() -> Expected:
    positions, around, lines = [1, 10, 100], [2 * balls.pi * k / 60 for k in range(61)], []
    for row, p in enumerate(positions):
        for i in range(4):
            x, y, name = 2 * i + 0.5, -1.4 * row, f"pair {i}, position {p}"
            for label, turns in ((f"{name}, face", around), (name, [p / ball(10) ** i])):
                tips = [(x + 0.6 * balls.sin(turn), y + 0.6 * balls.cos(turn)) for turn in turns]
                outline = tips if turns is around else [(x, y), *tips]
                lines.append((label, *zip(*outline, strict=True)))
    values = oracle.encode(positions, 8)
    return Expected(
        fields={
            "positions": positions,
            "dimensions": range(8),
            "values": values,
            "levels": [-4.2, -4.9, -5.6],
            "faces": [outline for _, *outline in lines[::2]],
            "hands": [outline for _, *outline in lines[1::2]],
        },
        columns={"position": positions, **numbered("dimension", values)},
        lines=lines,
        images=[values],
    )
