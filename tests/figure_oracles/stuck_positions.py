"""The first column around position 256."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected


def expected() -> Expected:
    """The first column around position 256: of bfloat16 too, the sine of what is left of p."""
    positions = list(range(244, 273))
    exact = [float(oracle.mp.sin(p)) for p in positions]
    held = [p if p <= 256 else 4 * round(p / 4) if p % 2 else p for p in positions]
    low = [float(oracle.rounded(oracle.mp.sin(p), "bfloat16")) for p in held]
    return Expected(
        fields={"positions": positions, "exact": exact, "bfloat16": low},
        lines=[("exact", positions, exact), ("bfloat16", positions, low)],
    )
