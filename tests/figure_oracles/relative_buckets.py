"""Entries of a relative table, by distance."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.quantity_oracle import t5_bucket


def expected() -> Expected:
    """Entries of a relative table, by distance."""
    distances = list(range(1, 257))
    clipped = [k if k < 16 else 16 for k in distances]
    buckets = [t5_bucket(k) for k in distances]
    return Expected(
        fields={"distances": distances, "clipped": clipped, "buckets": buckets},
        lines=[("clipped at 16", distances, clipped), ("buckets of T5", distances, buckets)],
    )
