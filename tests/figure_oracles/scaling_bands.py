"""How many times slower each pair turns, from the definitions in tests/rotary_oracle.py."""

from __future__ import annotations

from tests.figure_oracles import Expected, Line, scaling_similarity
from tests.quantity_oracle import stretched

NAMES = {"none": "as trained", **scaling_similarity.NAMES}


def expected() -> Expected:
    lines: list[Line] = []
    slowed, edges = [stretched(name) / stretched("none") for name in NAMES], []
    slow = [i for i in range(48) if stretched("none")[i] > 4095]
    for title, line in zip(NAMES.values(), slowed, strict=True):
        edges.append([sum(line < 1.000001), 48 - sum(abs(line - 32) < 1e-6)])
        lines += [(f"before, {title}", range(48), [1] * 48), (f"after, {title}", range(48), line)]
        new = [i for i in slow if line[i] < 31.999]
        lines += [(f"new angles, {title}", new, line[new])] if new else []
    return Expected(
        fields={"pairs": range(48), "slowed": slowed, "edges": edges, "unfinished": slow},
        columns={"pair": range(48), **dict(zip(NAMES.values(), slowed, strict=True))},
        lines=lines,
    )
