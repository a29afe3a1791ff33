"""The wavelengths of 64 pairs for four bases, and two level lines."""

from __future__ import annotations

from tests import balls, rotary_oracle
from tests.figure_oracles import Expected

BASES = [10_000, 150_000, 500_000, 1_000_000]
LENGTHS = [4096, 131_072]


def expected() -> Expected:
    turn = 2 * balls.pi
    lines = [[turn / w for w in rotary_oracle.plain(base, 128)] for base in BASES]
    return Expected(
        fields={
            "bases": BASES,
            "pairs": range(64),
            "wavelengths": lines,
            "lengths": LENGTHS,
            "ends": [0, 63],
        },
        columns={
            "pair": range(64),
            **{f"base {base}": line for base, line in zip(BASES, lines, strict=True)},
        },
        lines=[
            *((f"base {base:,}", range(64), y) for base, y in zip(BASES, lines, strict=True)),
            *((f"{length:,} positions", [0, 63], [length] * 2) for length in LENGTHS),
        ],
    )
