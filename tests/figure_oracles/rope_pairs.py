"""The arrows of four pairs, each ten times as slow as the one before, at positions 5 and 2."""

from __future__ import annotations

from tests.figure_oracles import Expected, rope_turning
from tests.oracle import mp

KEYS = [mp.mpc("-0.3", "0.7"), mp.mpc("0.5", "0.6"), mp.mpc("0.8", "-0.3"), mp.mpc("0.2", "0.7")]
SPEEDS = [mp.mpf(10) ** -i for i in range(4)]


def turned(p: int, q: int) -> tuple[list, list]:
    """The pairs of the query, which points up, and of the key, as complex numbers."""
    keys = [pair * mp.expj(q * speed) for pair, speed in zip(KEYS, SPEEDS, strict=True)]
    return [mp.expj(p * speed) for speed in SPEEDS], keys


def expected() -> Expected:
    waves, names = [2 * mp.pi / speed for speed in SPEEDS], [f"pair {i}" for i in range(4)]
    columns = {"pair": range(4), "wavelength": waves}
    drawn = rope_turning.arrows(
        [mp.mpf(26) / 10 * i for i in range(4)], *turned(5, 2), names, columns
    )
    drawn.columns["product"] = drawn.fields["products"]
    drawn.fields.update(wavelengths=waves, score=mp.fsum(drawn.fields["products"]))
    return drawn
