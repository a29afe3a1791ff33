"""Mean cosines at d = 64, and straight lines."""

from __future__ import annotations

from fractions import Fraction

from tests import oracle
from tests.figure_oracles import Expected

mp = oracle.mp


def expected() -> Expected:
    """Mean cosines at d = 64, as scores of rotated vectors, and straight lines."""
    offsets = list(range(-64, 65))
    frequencies = oracle.frequencies(64)
    kernels = [
        [float(mp.fsum(mp.cos((k + turn) * w) for w in frequencies) / 32) for k in offsets]
        for turn in (0, 8)
    ]
    heads = [1, 3, 5, 7]
    biases = [[float(Fraction(-64, 2**head)), 0.0] for head in heads]
    names = ("sinusoidal, or RoPE", "RoPE, key turned")
    return Expected(
        fields={
            "offsets": offsets,
            "kernels": kernels,
            "behind": [-64, 0],
            "heads": heads,
            "biases": biases,
        },
        lines=[(name, offsets, line) for name, line in zip(names, kernels, strict=True)]
        + [(f"head {h}", [-64, 0], line) for h, line in zip(heads, biases, strict=True)],
    )
