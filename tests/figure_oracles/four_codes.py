"""The positions 0 to 15 as numbers, as shares of the last one, as unit vectors and in binary."""

from __future__ import annotations

from fractions import Fraction

from tests.figure_oracles import Expected


def expected() -> Expected:
    p = range(16)
    scaled, short = [Fraction(k, 15) for k in p], [Fraction(k, 7) for k in range(8)]
    one_hot = [[int(row == k) for k in p] for row in p]
    bits = [[int(f"{k:04b}"[3 - b]) for k in p] for b in range(4)]
    named = {f"bit {b}": bits[b] for b in range(4)}
    return Expected(
        fields={
            **{"positions": p, "scaled": scaled, "scaled_short": short},
            **{"one_hot": one_hot, "bits": bits},
        },
        columns={"position": p, "scaled index": scaled, **named},
        lines=[("index", p, p), ("in 8 words", p[:8], short), ("in 16 words", p, scaled)],
        images=[one_hot, bits],
    )
