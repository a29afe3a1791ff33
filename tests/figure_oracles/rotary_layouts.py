"""The pairs of a head of 8 features, counted by their definitions, and a bracket for each."""

from __future__ import annotations

from tests.figure_oracles import Expected

PAIRS = {
    "interleaved": [(2 * i, 2 * i + 1) for i in range(4)],
    "halves": [(i, i + 4) for i in range(4)],
}
ENDS = {"interleaved": [(0.45, 1.2)] * 4, "halves": [(-0.45, -1.2 - 0.7 * i) for i in range(4)]}


def expected() -> Expected:
    brackets = {
        layout: [
            ([a, a, b, b], [foot, end, end, foot])
            for (a, b), (foot, end) in zip(pairs, ENDS[layout], strict=True)
        ]
        for layout, pairs in PAIRS.items()
    }
    columns = {"pair": range(4)}
    for layout, pairs in PAIRS.items():
        columns[f"{layout}, first feature"] = [a for a, _ in pairs]
        columns[f"{layout}, second feature"] = [b for _, b in pairs]
    return Expected(
        fields={
            "first": [[a for a, _ in pairs] for pairs in PAIRS.values()],
            "second": [[b for _, b in pairs] for pairs in PAIRS.values()],
            "x": [[x for x, _ in drawn] for drawn in brackets.values()],
            "y": [[y for _, y in drawn] for drawn in brackets.values()],
        },
        columns=columns,
        lines=[
            (f"{layout}, pair {i}", x, y)
            for layout, drawn in brackets.items()
            for i, (x, y) in enumerate(drawn)
        ],
    )
