"""Frequencies as decimals of 60 digits, and as the two float64 that exact angles need."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from posenc._phase import EXACT as EXACT  # importable from here too
from posenc._phase import Frequencies, in_two, powers

PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def progression(base: float | Decimal, width: int) -> list[Decimal]:
    """`base ** (-2 i / width)` for each of the `width // 2` pairs; call it inside `EXACT`."""
    return powers(base, width, width // 2, Decimal(1))


def clipped(value: Decimal) -> Decimal:
    """`value`, or the nearer end of the range from 0 to 1."""
    return min(max(value, Decimal(0)), Decimal(1))


def is_within_float64(value: Decimal) -> bool:
    """Whether float64 holds about this `value`, which is neither too large nor too small."""
    return math.isfinite(value) and (float(value) == 0) == (value == 0)


def split(exact: Sequence[Decimal]) -> Frequencies:
    """Each frequency as a float64 and the rest of it as another, 106 bits together."""
    for frequency in exact:
        if not is_within_float64(frequency):
            got = f"{frequency:.3e}"
            raise ValueError(f"base and scaling must keep frequencies within float64, got {got}")
    return replace(in_two(exact), options="base and scaling")
