"""Verdicts from the text of the results, and angles of the speeds that the faders' steps give."""

from __future__ import annotations

import math
from itertools import groupby
from typing import Any

import numpy as np

from tests import balls, result_oracle, rotary_oracle
from tests.balls import ball
from tests.figure_oracles import Expected, Line

GIVEN = {"factor": 8, "original_max_position_embeddings": 32}
YARN = {"type": "yarn", **GIVEN, "beta_fast": 4, "beta_slow": 0.5, "truncate": False}
PRESETS = {
    "As trained": ("trained", {"type": "linear", "factor": 1}),
    "Linear": ("linear", {"type": "linear", "factor": 8}),
    "NTK": ("ntk", {"type": "ntk", "factor": 8}),
    "YaRN": ("parts", YARN),
}


def arc(centre: Any, start: Any, end: Any) -> list[Any]:
    return [centre + clockwise(angle) for angle in balls.steps(start, end, 25)]


def clockwise(angle: Any) -> Any:
    """The point of a dial at this angle from the top."""
    return ball(balls.sin(angle), balls.cos(angle))


def joined(label: str, outlines: list[list[Any]]) -> Line:
    """A line through complex numbers, with a gap after each outline."""
    x = [number for outline in outlines for number in (*(z.real for z in outline), math.nan)]
    y = [number for outline in outlines for number in (*(z.imag for z in outline), math.nan)]
    return label, x, y


def expected() -> Expected:
    plain, turn = np.array(rotary_oracle.plain(10_000, 32)), 2 * balls.pi
    right = {name: result_oracle.desk_right(model) for name, (model, _) in PRESETS.items()}
    drawn: dict[str, list[Line]] = {"faces": [], "arcs": [], "hands": [], "strips": []}
    ends: list[Any] = []
    for row, (name, (_, scaling)) in enumerate(PRESETS.items()):
        slowed = plain / rotary_oracle.frequencies(32, 10_000, scaling)
        steps = np.array([balls.nearest(15 * balls.log(one) / balls.log(8)) for one in slowed])
        ends.append((256 * plain / np.array([ball(8) ** (ball(int(n)) / 15) for n in steps]))[::2])
        places = [ball(ball("3.8") * k, -ball("5.4") * row) for k in range(8)]
        dials = list(zip(places, 32 * plain[::2], ends[-1], strict=True))
        faces = [arc(at, 0, turn) for at, met, _ in dials if met < turn]
        grey = [arc(at, 0, min(met, turn)) for at, met, _ in dials]
        new = [(at, a, min(b, turn)) for at, a, b in dials if a < turn and b / a > 1 + 1e-9]
        hands = [[at, at + ball("0.7") * clockwise(end)] for at, _, end in dials]
        drawn["faces"].append(joined(f"{name}, faces", faces))
        drawn["arcs"].append(joined(f"{name}, met", grey))
        drawn["arcs"] += [joined(f"{name}, new", [arc(*one) for one in new])] if new else []
        drawn["hands"].append(joined(f"{name}, hands", hands))
        for kind, word, up in ((1, "right", 2.2), (0, "wrong", 1.6)):
            runs, end = [], 3
            for verdict, run in groupby(right[name]):
                begin, end = end, end + len(list(run))
                if verdict == kind:
                    runs.append([ball(p / 256 * 28.6 - 1, up - 5.4 * row) for p in (begin, end)])
            drawn["strips"].append(joined(f"{name}, {word}", runs))
    shares = [result_oracle.desk_share(model) for model, _ in PRESETS.values()]
    fields = {"shares": shares, "right": [*right.values()], "met": 32 * plain[::2], "ends": ends}
    lines = [line for lines in drawn.values() for line in lines]
    return Expected(fields, {"letter": range(4, 257), **right}, lines)
