"""Mean cosines at d = 64, and straight lines."""

from __future__ import annotations

from fractions import Fraction

from tests import balls, oracle
from tests.figure_oracles import Expected, labelled


def expected() -> Expected:
    offsets = range(-64, 65)
    frequencies = oracle.frequencies(64)
    kernels = [
        [balls.total(balls.cos((k + turn) * w) for w in frequencies) / 32 for k in offsets]
        for turn in (0, 8)
    ]
    heads = [1, 3, 5, 7]
    biases = [[Fraction(-64, 2**head), 0] for head in heads]
    names = ("sinusoidal, or RoPE", "RoPE, key turned")
    curves = [(name, offsets, line) for name, line in zip(names, kernels, strict=True)]
    straight = [(f"head {h}", [-64, 0], bias) for h, bias in zip(heads, biases, strict=True)]
    return Expected(
        fields={
            "offsets": offsets,
            "kernels": kernels,
            "behind": [-64, 0],
            "heads": heads,
            "biases": biases,
        },
        columns={"offset": offsets, **labelled(curves)},
        lines=curves + straight,
    )
