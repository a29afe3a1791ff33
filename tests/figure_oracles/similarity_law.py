"""Similarity over offset at d = 512, for four bases, and the law."""

from __future__ import annotations

from typing import Any

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected


def expected() -> Expected:
    bases = [1000, 10_000, 100_000, 1_000_000]
    offsets = sorted({balls.nearest(ball(10) ** (ball(j) / 24)) for j in range(73)})
    shares = [[_share(k, base) for k in offsets] for base in bases]
    laws = [[1 - (balls.euler + balls.log(k)) / balls.log(b) for k in (1, 1000)] for b in bases]
    lines = []
    for base, share, law in zip(bases, shares, laws, strict=True):
        lines.append((f"base {base:,}, law", [1, 1000], law))
        lines.append((f"base {base:,}", offsets, share))
    return Expected(
        fields={
            "bases": bases,
            "offsets": offsets,
            "similarities": shares,
            "line_offsets": [1, 1000],
            "line_similarities": laws,
        },
        columns={
            "offset": offsets,
            **{f"base {base}": share for base, share in zip(bases, shares, strict=True)},
        },
        lines=lines,
    )


def _share(offset: int, base: int) -> Any:
    """The mean cosine of the pairs' turns."""
    turns = (offset * frequency for frequency in oracle.frequencies(512, base=base))
    return balls.total(balls.cos(turn) for turn in turns) / 256
