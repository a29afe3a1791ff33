"""The four terms of the worked sentence's scores, from the quantities' oracle."""

from __future__ import annotations

from tests.figure_oracles import Expected, numbered
from tests.quantity_oracle import score_terms

TERMS = [("word", "word"), ("word", "place"), ("place", "word"), ("place", "place")]


def expected() -> Expected:
    exact = [score_terms(*term) for term in TERMS]
    columns = {"position": range(4)}
    for (query, key), values in zip(TERMS, exact, strict=True):
        columns |= numbered(f"{query} asks {key},", values)
    return Expected(
        fields={
            "positions": [0, 1, 2, 3],
            **{f"{a}_{b}": values for (a, b), values in zip(TERMS, exact, strict=True)},
            "best": [max(range(4), key=list(row).__getitem__) for row in exact[3]],
        },
        columns=columns,
        images=exact,
    )
