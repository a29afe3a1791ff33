"""The four terms of the worked sentence's scores, from the quantities' oracle."""

from __future__ import annotations

from tests.figure_oracles import Expected, floats
from tests.oracle import formatted
from tests.quantity_oracle import score_terms

TERMS = [("word", "word"), ("word", "place"), ("place", "word"), ("place", "place")]


def expected() -> Expected:
    """Four matrices of four words by four words, and the values written on them."""
    exact = [score_terms(*term) for term in TERMS]
    images = [floats(term) for term in exact]
    return Expected(
        fields={
            "positions": [0, 1, 2, 3],
            **{f"{a}_{b}": image for (a, b), image in zip(TERMS, images, strict=True)},
            "light": [[value > 0.3 for row in term for value in row] for term in images],
            "best": [max(range(4), key=list(row).__getitem__) for row in exact[3]],
        },
        images=images,
        texts=[formatted(value, ".2f") for term in exact for row in term for value in row],
    )
