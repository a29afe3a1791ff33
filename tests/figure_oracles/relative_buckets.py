"""Entries of a relative table, by distance."""

from __future__ import annotations

from tests.figure_oracles import Expected, labelled
from tests.quantity_oracle import t5_bucket


def expected() -> Expected:
    distances = range(1, 257)
    clipped = [k if k < 16 else 16 for k in distances]
    buckets = [t5_bucket(k) for k in distances]
    lines = [("clipped at 16", distances, clipped), ("buckets of T5", distances, buckets)]
    return Expected(
        fields={"distances": distances, "clipped": clipped, "buckets": buckets},
        columns={"distance": distances, **labelled(lines)},
        lines=lines,
    )
