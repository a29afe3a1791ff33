"""Mean cosines of the turns, offset by offset, for five scalings of one head."""

from __future__ import annotations

from tests.figure_oracles import Expected, labelled
from tests.quantity_oracle import stretched_similarity

NAMES = {
    "none": "without scaling",
    "linear": "linear",
    "ntk": "NTK",
    "yarn": "YaRN",
    "longrope": "LongRoPE",
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
