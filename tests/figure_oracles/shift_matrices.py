"""Hands at p and p + 3 on two walls of four clocks, d = 8, and the matrix of the shift by 3."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected


def expected() -> Expected:
    fields = {name: [] for name in ("positions", "pairs", "turns", "angles")}
    faces, wedges, hands = [], [], []
    for x, p in ((0, 0), (3, 20)):
        for i in range(4):
            y, name = -2.3 * i, f"pair {i}, p = {p}"
            first, last = (ball(at) / 10**i for at in (p, p + 3))  # 10000 ** (2 i / 8)
            clock = (p, i, last - first, (first, last))
            for values, value in zip(fields.values(), clock, strict=True):
                values.append(value)
            points = [ball(k) / 60 for k in range(61)]
            face = _ends(x, y, [2 * balls.pi * k for k in points], 1)
            faces.append((f"{name}, face", *face))
            across, up = _ends(x, y, [first + k * (last - first) for k in points], 0.8)
            wedges.append((f"{name}, wedge", [x, *across, x], [y, *up, y]))
            for at, angle in ((p, first), (p + 3, last)):
                tip = _ends(x, y, [angle], 1)
                hands.append((f"{name}, hand at {at}", [x, *tip[0]], [y, *tip[1]]))
    drawn = [[line[1:] for line in lines] for lines in (faces, wedges, hands)]
    pairs = [drawn[2][k : k + 2] for k in range(0, 16, 2)]
    places = {"walls": [0, 3], "rows": [0, -2.3, -4.6, -6.9]}
    matrix = oracle.shift_matrix(3, 8)
    shapes = {"faces": drawn[0], "wedges": drawn[1], "hands": pairs, "matrix": matrix}
    return Expected(
        fields={**fields, **places, **shapes},
        columns={
            "position": fields["positions"],
            "pair": fields["pairs"],
            "angle at p": [first for first, _ in fields["angles"]],
            "angle at p + 3": [last for _, last in fields["angles"]],
            "angle between": fields["turns"],
        },
        lines=[*faces, *wedges, *hands],
        images=[matrix],
    )


def _ends(x, y, angles, radius):
    """The x and the y of the points at these angles, clockwise from the top."""
    return [x + radius * balls.sin(a) for a in angles], [y + radius * balls.cos(a) for a in angles]
