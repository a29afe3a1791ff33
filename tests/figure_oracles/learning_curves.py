"""Means of three seeds for each 25 of the first 600 steps, from the text of the results."""

from __future__ import annotations

from tests import result_oracle
from tests.figure_oracles import Expected, labelled

NAMES = {
    "sinusoids": "sinusoidal",
    "learned table": "learned",
    "RoPE": "rope",
    "T5 buckets": "t5",
    "ALiBi": "alibi",
}


def expected() -> Expected:
    steps = range(25, 601, 25)
    lines = [
        (label, steps, list(result_oracle.learning_curve(name))[:24])
        for label, name in NAMES.items()
    ]
    return Expected(
        fields={"steps": steps, "shares": [y for _, _, y in lines]},
        columns={"step": steps, **labelled(lines)},
        lines=lines,
    )
