"""Dials of every sixth of 48 pairs, at the farthest offset of the training and 32 times as far."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests import balls, rotary_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, Line

KINDS = {"as trained": "", "linear": "linear", "NTK": "ntk", "YaRN": "yarn"}
PAIRS, TURN = range(5, 48, 6), 2 * balls.pi


def speeds(factor: Any) -> np.ndarray:
    given = {"factor": factor, "original_max_position_embeddings": 4096}
    kinds = [{"type": kind, **given} if kind else None for kind in KINDS.values()]
    return np.array([rotary_oracle.frequencies(96, 10_000, one) for one in kinds])


def apart(factor: Any) -> list[Any]:
    steps = [balls.size([balls.sin(speed / 2) for speed in row]) for row in speeds(factor)]
    return [step / steps[0] for step in steps]


def dials(times: Any, factor: Any) -> Iterator[tuple[int, int, Any, Any, Any]]:
    """Row, column, angles at the two farthest offsets, and both ends of the arc that is new."""
    for (row, column), end in np.ndenumerate(4095 * times * speeds(factor)[:, PAIRS]):
        met = 4095 * rotary_oracle.plain(10_000, 96)[PAIRS[column]]
        is_new = met < TURN and end > met + ball(10) ** -9
        yield row, column, met, end, (met, min(end, TURN)) if is_new else ()


def expected() -> Expected:
    drawn: dict[str, list[Line]] = {"face": [], "met": [], "new": [], "hand": []}
    for row, column, met, end, new in dials(32, 32):
        arcs = {"face": (0, TURN), "met": (0, min(met, TURN)), **({"new": new} if new else {})}
        outlines = {part: [(1, a) for a in balls.steps(*ends, 61)] for part, ends in arcs.items()}
        for part, outline in {**outlines, "hand": [(0, end), (ball("0.7"), end)]}.items():
            x = [2.6 * column + radius * balls.sin(angle) for radius, angle in outline]
            y = [
                (0, -4.2, -7.5, -10.8)[row] + radius * balls.cos(angle) for radius, angle in outline
            ]
            drawn[part].append((f"pair {PAIRS[column]}, {[*KINDS][row]}, {part}", x, y))
    turns = 131_040 / TURN * speeds(32)[:, PAIRS]
    hands = [[[balls.sin(TURN * end), balls.cos(TURN * end)] for end in line] for line in turns]
    longer = {f"longer, {name}": line for name, line in zip(KINDS, turns, strict=True)}
    return Expected(
        fields={"trained": turns[0] / 32, "turns": turns, "hands": hands, "apart": apart(32)},
        columns={"pair": PAIRS, "in training": turns[0] / 32, **longer},
        lines=[line for lines in drawn.values() for line in lines],
    )
