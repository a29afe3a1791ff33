"""Arrows turned as complex numbers with a real part that points up, at one radian per position."""

from __future__ import annotations

from typing import Any

from tests.figure_oracles import Expected
from tests.oracle import mp


def arrows(places: list[Any], queries: list[Any], keys: list[Any], names: list[str]) -> Expected:
    """Dials at `places`, with `queries` and `keys` as complex numbers that are turned already."""
    around = [2 * mp.pi * k / 60 for k in range(61)]
    fields: dict[str, list[Any]] = {"columns": places, "products": []}
    lines = []
    for place, query, key, name in zip(places, queries, keys, names, strict=True):
        between = mp.arg(query / key)
        turns = [mp.arg(key) + between * k / 60 for k in range(61)]
        points = {
            "face": [mp.expj(turn) for turn in around],
            "wedge": [mp.mpc(0), *(mp.expj(turn) / 2 for turn in turns), mp.mpc(0)],
        }
        for part, tip in (("query", query), ("key", key)):
            left, right = (0.8 * tip * mp.expj(turn) for turn in (-0.14, 0.14))
            points[part] = [mp.mpc(0), tip, left, tip, right]
        fields["products"].append((query * mp.conj(key)).real)
        for part, outline in points.items():
            x, y = [place + one.imag for one in outline], [one.real for one in outline]
            fields.setdefault(f"{part}_x", []).append(x)
            fields.setdefault(f"{part}_y", []).append(y)
            lines.append((f"{part}, {name}", x, y))
    return Expected(fields=fields, columns={}, lines=lines)


def expected() -> Expected:
    queries, keys = [5, 6, 7, 105, 105], [2, 3, 4, 102, 101]
    turned = [mp.expj(p) for p in queries], [mp.mpc("-0.3", "0.7") * mp.expj(q) for q in keys]
    names = [f"p = {p}, q = {q}" for p, q in zip(queries, keys, strict=True)]
    drawn = arrows([0, 2.3, 4.6, 6.9, 9.6], *turned, names)
    scores = {"score": drawn.fields["products"]}
    drawn.columns.update({"position of query": queries, "position of key": keys, **scores})
    drawn.fields.update(queries=queries, keys=keys)
    return drawn
