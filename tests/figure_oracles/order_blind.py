"""The attention head's outputs for dog, bites, man in two orders, without and with encoding."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.quantity_oracle import toy_attention


def expected() -> Expected:
    fields, columns, lines = {"words": [0, 1, 2]}, {"word (0 dog, 1 bites, 2 man)": [0, 1, 2]}, []
    for prefix, side, yes in (
        ("plain", "without encoding", False),
        ("encoded", "with encoding", True),
    ):
        forward = toy_attention("dog bites man", encoded=yes)
        backward = toy_attention("man bites dog", encoded=yes)[::-1]
        fields[f"{prefix}_x"] = [forward[:, 0], backward[:, 0]]
        fields[f"{prefix}_y"] = [forward[:, 1], backward[:, 1]]
        for order, points in (("dog bites man", forward), ("man bites dog", backward)):
            columns[f"first number, {order}, {side}"] = points[:, 0]
            columns[f"second number, {order}, {side}"] = points[:, 1]
            lines.append((f"{order}, {side}", points[:, 0], points[:, 1]))
    return Expected(fields=fields, columns=columns, lines=lines)
