"""How likely each angle between two random directions is: sin(a) ** (d - 2) over its integral."""

from __future__ import annotations

from tests.figure_oracles import Expected, labelled
from tests.oracle import mp


def expected() -> Expected:
    widths, degrees = [2, 8, 64, 512], range(1, 180)
    likely = []
    for d in widths:
        powers = [mp.sin(mp.radians(a)) ** (d - 2) for a in degrees]
        whole = mp.beta(mp.mpf(d - 1) / 2, mp.mpf(1) / 2)  # from 0 to pi
        likely.append([mp.radians(1) * power / whole for power in powers])
    lines = [(f"d = {d}", degrees, curve) for d, curve in zip(widths, likely, strict=True)]
    return Expected(
        fields={"widths": widths, "degrees": degrees, "likely": likely},
        columns={"angle in degrees": degrees, **labelled(lines)},
        lines=lines,
    )
