"""The arrows of four pairs, each ten times as slow as the one before, at positions 5 and 2."""

from __future__ import annotations

from tests.figure_oracles import Expected, rope_turning
from tests.oracle import mp

KEYS = [mp.mpc("-0.3", "0.7"), mp.mpc("0.5", "0.6"), mp.mpc("0.8", "-0.3"), mp.mpc("0.2", "0.7")]


def expected() -> Expected:
    speeds = [mp.mpf(10) ** -i for i in range(4)]
    queries = [mp.expj(5 * speed) for speed in speeds]
    keys = [key * mp.expj(2 * speed) for key, speed in zip(KEYS, speeds, strict=True)]
    places = [mp.mpf(26) / 10 * i for i in range(4)]
    drawn = rope_turning.arrows(places, queries, keys, [f"pair {i}" for i in range(4)])
    waves = [2 * mp.pi / speed for speed in speeds]
    products = drawn.fields["products"]
    drawn.fields.update(wavelengths=waves, score=mp.fsum(products))
    drawn.columns.update({"pair": range(4), "wavelength": waves, "product": products})
    return drawn
