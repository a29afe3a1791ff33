"""Means of three seeds at each position of texts of 128, from the text of the results."""

from __future__ import annotations

from tests import result_oracle
from tests.figure_oracles import Expected, labelled

NAMES = {"sinusoids": "sinusoidal", "learned table": "learned", "RoPE": "rope", "T5 buckets": "t5"}


def expected() -> Expected:
    positions = range(3, 128)
    lines = [
        (label, positions, [result_oracle.accuracy_at(name, p) for p in positions])
        for label, name in NAMES.items()
    ]
    return Expected(
        fields={
            "positions": positions,
            "shares": [y for _, _, y in lines],
            "trained": [32, 32],
            "ends": [0, 1],
        },
        columns={"position": positions, **labelled(lines)},
        lines=[*lines, ("end of the trained length", [32, 32], [0, 1])],
    )
