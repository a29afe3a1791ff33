"""Hands and faces of the clocks of eight positions at d = 8, in a grid of 2.5 radii."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected, outlines

PLACES = {0: 0, 1: 2.5, 2: 5, 3: 7.5, 4: 10, 10: 13.5, 100: 16, 1000: 18.5}
SHIPPED = ("position", "pair", "wavelength", "sine", "cosine")


def expected() -> Expected:
    clocks, faces, hands = [], [], []
    for p, x in PLACES.items():
        for i in range(4):
            sine, cosine = balls.sin(p / ball(10) ** i), balls.cos(p / ball(10) ** i)
            y, name, around = (
                -2.5 * i,
                f"pair {i}, position {p}",
                [balls.pi * k / 30 for k in range(61)],
            )
            clocks.append((p, i, oracle.wavelengths(8)[i], sine, cosine))
            hands.append((name, [x, x + sine], [y, y + cosine]))
            circle = (
                [x + balls.sin(turn) for turn in around],
                [y + balls.cos(turn) for turn in around],
            )
            faces.append((f"{name}, face", *circle))
    columns = dict(zip(SHIPPED, zip(*clocks, strict=True), strict=True))
    fields = {f"{name}s": column for name, column in columns.items()}
    fields |= {"columns": list(PLACES.values()), "rows": [0, -2.5, -5, -7.5]}
    fields |= {"ringed": [p == 10**i for p, i, *_ in clocks], **outlines("hand", hands)}
    fields |= outlines("face", faces)
    return Expected(fields=fields, columns=columns, lines=faces + hands)
