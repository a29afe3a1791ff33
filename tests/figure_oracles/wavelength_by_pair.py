"""The wavelengths at d = 512 for five bases."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """The wavelengths at d = 512 for five bases."""
    bases = [100, 1000, 10_000, 100_000, 1_000_000]
    lines = [floats(oracle.wavelengths(512, base=base)) for base in bases]
    return Expected(
        fields={"bases": bases, "pairs": list(range(256)), "wavelengths": lines},
        lines=[
            (f"base {base:,}", range(256), line) for base, line in zip(bases, lines, strict=True)
        ],
    )
