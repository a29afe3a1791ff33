"""The wavelengths at d = 512 for five bases."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected


def expected() -> Expected:
    bases = [100, 1000, 10_000, 100_000, 1_000_000]
    lines = [oracle.wavelengths(512, base=base) for base in bases]
    return Expected(
        fields={"bases": bases, "pairs": range(256), "wavelengths": lines},
        columns={
            "pair": range(256),
            **{f"base {base}": line for base, line in zip(bases, lines, strict=True)},
        },
        lines=[
            (f"base {base:,}", range(256), line) for base, line in zip(bases, lines, strict=True)
        ],
    )
