"""The weights of the head that looks three back: 64 positions, d = 512, gains 1 and 10."""

from __future__ import annotations

from tests import quantity_oracle
from tests.figure_oracles import Expected, numbered


def expected() -> Expected:
    low, high = (quantity_oracle.head_weights(64, 512, 3, gain) for gain in (1, 10))
    return Expected(
        fields={"positions": range(64), "low_gain": low, "high_gain": high},
        columns={
            "position": range(64),
            **numbered("gain 1, to", low),
            **numbered("gain 10, to", high),
        },
        lines=[("p = q", range(64), range(64))] * 2,
        images=[low, high],
    )
