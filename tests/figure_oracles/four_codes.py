"""The positions 0 to 15 as numbers, as shares of the last one, as unit vectors and in binary."""

from __future__ import annotations

from fractions import Fraction

from tests.figure_oracles import Expected, numbered


def expected() -> Expected:
    p, short = range(16), [Fraction(k, 7) for k in range(8)]
    scaled, one_hot = [Fraction(k, 15) for k in p], [[int(row == k) for k in p] for row in p]
    bits = [[k // 2**b % 2 for k in p] for b in range(4)]
    fields = {"positions": p, "scaled": scaled, "scaled_short": short}
    return Expected(
        fields={**fields, "one_hot": one_hot, "bits": bits},
        columns={"position": p, "scaled index": scaled, **numbered("bit", zip(*bits, strict=True))},
        lines=[("index", p, p), ("in 8 words", p[:8], short), ("in 16 words", p, scaled)],
        images=[one_hot, bits],
    )
