"""Mean cosines of the turns, offset by offset, for one head and five scalings."""

from __future__ import annotations

from tests.figure_oracles import Expected, labelled
from tests.quantity_oracle import stretched_similarity

NAMES = {
    "linear": "linear",
    "ntk": "NTK",
    "yarn": "YaRN",
    "llama3": "Llama 3",
    "longrope": "LongRoPE",
    "none": "as trained",
}


def expected() -> Expected:
    lines = [
        (name, range(65), stretched_similarity(range(65), scaling))
        for scaling, name in NAMES.items()
    ]
    return Expected(
        fields={"offsets": range(65), "shares": [y for _, _, y in lines]},
        columns={"offset": range(65), **labelled(lines)},
        lines=lines,
    )
