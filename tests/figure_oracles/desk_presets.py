"""Verdicts from the text of the results, and angles of the speeds that the faders' steps give."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import numpy as np

from tests import result_oracle, rotary_oracle
from tests.figure_oracles import Expected, Line
from tests.oracle import mp

GIVEN = {"factor": 8, "original_max_position_embeddings": 32}
YARN = {"type": "yarn", **GIVEN, "beta_fast": 4, "beta_slow": 0.5, "truncate": False}
PRESETS = {
    "As trained": ("trained", {"type": "linear", "factor": 1}),
    "Linear": ("linear", {"type": "linear", "factor": 8}),
    "NTK": ("ntk", {"type": "ntk", "factor": 8}),
    "YaRN": ("parts", YARN),
}


def arc(centre: Any, start: Any, end: Any) -> list[Any]:
    return [centre + mp.mpc(mp.sin(a), mp.cos(a)) for a in mp.linspace(start, end, 25)]


def joined(label: str, outlines: list[list[Any]]) -> Line:
    """A line through complex numbers, with a gap after each outline."""
    points = [z for outline in outlines for z in (*outline, mp.mpc(mp.nan, mp.nan))]
    return label, [z.real for z in points], [z.imag for z in points]


def expected() -> Expected:
    plain, turn = np.array(rotary_oracle.plain(10_000, 32)), 2 * mp.pi
    right = {name: result_oracle.desk_right(model) for name, (model, _) in PRESETS.items()}
    drawn: dict[str, list[Line]] = {"faces": [], "arcs": [], "hands": [], "strips": []}
    ends: list[Any] = []
    for row, (name, (_, scaling)) in enumerate(PRESETS.items()):
        slowed = plain / rotary_oracle.frequencies(32, 10_000, scaling)
        steps = np.array([mp.nint(15 * mp.log(one, 8)) for one in slowed])
        ends.append((256 * plain / mp.root(8, 15) ** steps)[::2])
        places = [mp.mpc(3.8 * k, -5.4 * row) for k in range(8)]
        dials = list(zip(places, 32 * plain[::2], ends[-1], strict=True))
        faces = [arc(at, 0, turn) for at, met, _ in dials if met < turn]
        grey = [arc(at, 0, min(met, turn)) for at, met, _ in dials]
        new = [(at, a, min(b, turn)) for at, a, b in dials if a < turn and b / a > 1 + 1e-9]
        hands = [[at, at + 0.7 * mp.mpc(mp.sin(end), mp.cos(end))] for at, _, end in dials]
        drawn["faces"].append(joined(f"{name}, faces", faces))
        drawn["arcs"].append(joined(f"{name}, met", grey))
        drawn["arcs"] += [joined(f"{name}, new", [arc(*one) for one in new])] if new else []
        drawn["hands"].append(joined(f"{name}, hands", hands))
        for kind, word, up in ((1, "right", 2.2), (0, "wrong", 1.6)):
            runs, end = [], 3
            for verdict, run in groupby(right[name]):
                begin, end = end, end + len(list(run))
                if verdict == kind:
                    runs.append([mp.mpc(p / 256 * 28.6 - 1, up - 5.4 * row) for p in (begin, end)])
            drawn["strips"].append(joined(f"{name}, {word}", runs))
    shares = [result_oracle.desk_share(model) for model, _ in PRESETS.values()]
    fields = {"shares": shares, "right": [*right.values()], "met": 32 * plain[::2], "ends": ends}
    lines = [line for lines in drawn.values() for line in lines]
    return Expected(fields, {"letter": range(4, 257), **right}, lines)
