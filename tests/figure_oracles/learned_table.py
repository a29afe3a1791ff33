"""Position 50 and its neighbours, at d = 768, for sinusoids and for a fresh table."""

from __future__ import annotations

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    kernel = oracle.similarity(range(51), 768) / 384
    sinusoids = [kernel[abs(p - 50)] for p in range(101)]
    learned = quantity_oracle.fresh_cosines(50, 101, 768)
    lines = [
        ("sinusoids", range(101), sinusoids),
        ("learned, before training", range(101), learned),
    ]
    return Expected(
        fields={"positions": range(101), "sinusoids": sinusoids, "learned": learned},
        columns={"position": range(101), **labelled(lines)},
        lines=lines,
    )
