"""The arrows of four pairs, each ten times as slow as the one before, at positions 5 and 2."""

from __future__ import annotations

from tests import balls
from tests.balls import ball
from tests.figure_oracles import Expected, rope_turning

KEYS = [ball("-0.3", "0.7"), ball("0.5", "0.6"), ball("0.8", "-0.3"), ball("0.2", "0.7")]
SPEEDS = [ball(10) ** -i for i in range(4)]


def turned(p: int, q: int) -> tuple[list, list]:
    """The pairs of the query, which points up, and of the key, as complex numbers."""
    keys = [pair * balls.phasor(q * speed) for pair, speed in zip(KEYS, SPEEDS, strict=True)]
    return [balls.phasor(p * speed) for speed in SPEEDS], keys


def expected() -> Expected:
    waves, names = [2 * balls.pi / speed for speed in SPEEDS], [f"pair {i}" for i in range(4)]
    columns = {"pair": range(4), "wavelength": waves}
    drawn = rope_turning.arrows(
        [ball(26) / 10 * i for i in range(4)], *turned(5, 2), names, columns
    )
    drawn.columns["product"] = drawn.fields["products"]
    drawn.fields.update(wavelengths=waves, score=balls.total(drawn.fields["products"]))
    return drawn
