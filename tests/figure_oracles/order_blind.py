"""The attention head's outputs for dog, bites, man in two orders, without and with encoding."""

from __future__ import annotations

from tests.figure_oracles import Expected, floats
from tests.quantity_oracle import toy_attention


def expected() -> Expected:
    """The attention head's outputs for dog, bites, man in two orders, with and without encoding."""
    fields, lines = {"words": [0, 1, 2]}, []
    for prefix, side, yes in (
        ("plain", "without encoding", False),
        ("encoded", "with encoding", True),
    ):
        forward = floats(toy_attention("dog bites man", encoded=yes))
        backward = floats(toy_attention("man bites dog", encoded=yes))[::-1]
        fields[f"{prefix}_x"] = [forward[:, 0], backward[:, 0]]
        fields[f"{prefix}_y"] = [forward[:, 1], backward[:, 1]]
        lines.append((f"dog bites man, {side}", forward[:, 0], forward[:, 1]))
        lines.append((f"man bites dog, {side}", backward[:, 0], backward[:, 1]))
    return Expected(fields=fields, lines=lines)
