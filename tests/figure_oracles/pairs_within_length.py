"""Pairs that finish a turn, at d = 512, by length, for four bases."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected

MARGIN = 1e-9  # no turn ends so close to a counted length that rounding could decide


def expected() -> Expected:
    bases, lengths = [1000, 10_000, 100_000, 1_000_000], [2**k for k in range(3, 18)]
    counts = [[_finished(length, base) for length in lengths] for base in bases]
    ends = [[2 * oracle.mp.pi, 2 * oracle.mp.pi * base] for base in bases]
    lines = []
    for base, count, end in zip(bases, counts, ends, strict=True):
        lines.append((f"base {base:,}, line", end, [0, 256]))
        lines.append((f"base {base:,}", lengths, count))
    return Expected(
        fields={
            "bases": bases,
            "lengths": lengths,
            "pairs": counts,
            "line_lengths": ends,
            "line_pairs": [0, 256],
        },
        columns={
            "length": lengths,
            **{f"base {base}": count for base, count in zip(bases, counts, strict=True)},
        },
        lines=lines,
    )


def _finished(length: int, base: int) -> int:
    """The count from the formula solved for i: the last pair that finishes, plus one."""
    last = 256 * oracle.mp.log(length / (2 * oracle.mp.pi)) / oracle.mp.log(base)
    assert abs(last - oracle.mp.nint(last)) > MARGIN
    return min(256, int(oracle.mp.floor(last)) + 1)
