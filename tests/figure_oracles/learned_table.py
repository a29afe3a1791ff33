"""Position 50 and its neighbours, at d = 768, for sinusoids and for a fresh table."""

from __future__ import annotations

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """Position 50 and its neighbours: sums of cosines, and angles between random rows."""
    kernel = floats(oracle.similarity(range(51), 768)) / 384
    sinusoids = [kernel[abs(p - 50)] for p in range(101)]
    learned = floats(quantity_oracle.fresh_cosines(50, 101, 768))
    return Expected(
        fields={"positions": list(range(101)), "sinusoids": sinusoids, "learned": learned},
        lines=[
            ("sinusoids", range(101), sinusoids),
            ("learned, before training", range(101), learned),
        ],
    )
