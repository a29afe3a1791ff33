"""Arrows turned as complex numbers with a real part that points up, at one radian per position."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected


def arrows(places, queries, keys, names, columns) -> Expected:
    """Dials at `places`, with `queries` and `keys` as complex numbers that are turned already."""
    products = [(query * key.conjugate()).real for query, key in zip(queries, keys, strict=True)]
    fields, lines = {"columns": places, "products": products}, []
    for place, query, key, name in zip(places, queries, keys, names, strict=True):
        turns = [balls.argument(key) + balls.argument(query / key) * k / 20 for k in range(21)]
        points = {
            "face": [balls.phasor(balls.pi * k / 30) for k in range(61)],
            "wedge": [0j, *(balls.phasor(turn) / 2 for turn in turns), 0j],
        }
        for part, tip in (("query", query), ("key", key)):
            left, right = (0.8 * tip * balls.phasor(turn) for turn in (-0.14, 0.14))
            points[part] = [0j, tip, left, tip, right]
        for part, outline in points.items():
            x, y = [place + one.imag for one in outline], [one.real for one in outline]
            fields.setdefault(f"{part}_x", []).append(x)
            fields.setdefault(f"{part}_y", []).append(y)
            lines.append((f"{part}, {name}", x, y))
    return Expected(fields=fields, columns=columns, lines=lines)


def expected() -> Expected:
    at = {"queries": [5, 6, 7, 105, 105], "keys": [2, 3, 4, 102, 101]}
    queries, keys = ([balls.phasor(p) for p in positions] for positions in at.values())
    keys = [ball("-0.3", "0.7") * key for key in keys]
    names = [f"p = {p}, q = {q}" for p, q in zip(*at.values(), strict=True)]
    drawn = arrows([0, 2.3, 4.6, 6.9, 9.6], queries, keys, names, {})
    columns = zip(("position of query", "position of key"), at.values(), strict=True)
    drawn.columns.update(columns, score=drawn.fields["products"])
    drawn.fields.update(at)
    return drawn
