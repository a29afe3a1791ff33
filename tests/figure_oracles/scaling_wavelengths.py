"""Six scalings of one head, pair by pair, from the definitions in tests/rotary_oracle.py."""

from __future__ import annotations

from tests.figure_oracles import Expected
from tests.quantity_oracle import stretched

TITLES = {
    "linear": "linear",
    "ntk": "NTK",
    "dynamic": "dynamic NTK",
    "yarn": "YaRN",
    "llama3": "Llama 3",
    "longrope": "LongRoPE",
}


def expected() -> Expected:
    before = stretched("none")
    after = [stretched(name, 16_384 if name == "dynamic" else 131_072) for name in TITLES]
    lines = []
    for k, (title, line) in enumerate(zip(TITLES.values(), after, strict=True)):
        panel = ("before", range(48), before), ("after", range(48), line)
        for name, x, y in (*panel, ("trained length", [0, 47], [4096, 4096])):
            lines.append((f"{name}, {title}" if k else name, x, y))
    return Expected(
        fields={
            "pairs": range(48),
            "before": before,
            "after": after,
            "trained": [4096, 4096],
            "ends": [0, 47],
        },
        columns={
            "pair": range(48),
            "before": before,
            **dict(zip(TITLES.values(), after, strict=True)),
        },
        lines=lines,
    )
