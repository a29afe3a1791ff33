"""How many times slower each pair turns, from the definitions in tests/rotary_oracle.py."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.quantity_oracle import stretched

TITLES = {
    "none": "as trained",
    "linear": "linear",
    "ntk": "NTK",
    "yarn": "YaRN",
    "llama3": "Llama 3",
    "longrope": "LongRoPE",
}


def expected() -> Expected:
    before = stretched("none")
    slow = [i for i in range(48) if before[i] > 4095]
    slowed, edges, lines = [], [], []
    for name, title in TITLES.items():
        line = stretched(name) / before
        slowed.append(line)
        divided = sum(abs(line - 32) < 1e-6)
        edges.append([sum(line < 1.000001), 48 - divided])
        lines += [(f"before, {title}", range(48), [1] * 48), (f"after, {title}", range(48), line)]
        new = [i for i in slow if line[i] < 31.999]
        if new:
            lines.append((f"new angles, {title}", new, line[new]))
    return Expected(
        fields={"pairs": range(48), "slowed": slowed, "edges": edges, "unfinished": slow},
        columns={"pair": range(48), **dict(zip(TITLES.values(), slowed, strict=True))},
        lines=lines,
    )
