"""The least weight on the target, three back among 64 positions, for three widths."""

from __future__ import annotations

import math

from tests import oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    widths, gains = [512, 128, 64], [g / 2 for g in range(81)]
    weights = []
    for width in widths:
        dots = oracle.similarity(range(67), width)
        below = [float((dots[0] - dot) / oracle.sqrt(width)) for dot in dots]
        curve = []
        for gain in gains:
            factor = [math.exp(-gain * drop) for drop in below]
            rows = [[factor[abs(p - q - 3)] for q in range(64)] for p in range(3, 64)]
            curve.append(min(row[p] / math.fsum(row) for p, row in enumerate(rows)))
        weights.append(curve)
    lines = [(f"width {d}", gains, curve) for d, curve in zip(widths, weights, strict=True)]
    return Expected(
        fields={"widths": widths, "gains": gains, "weights": weights},
        columns={"gain": gains, **labelled(lines)},
        lines=lines,
    )
