"""Four made-up embeddings, times two, plus the encoding at d = 4 and n = 100."""

from __future__ import annotations

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """Four made-up embeddings, times two, plus the encoding at d = 4 and n = 100."""
    words = quantity_oracle.robot_embeddings() * 2
    rows = oracle.positional_encoding(4, 4, base=100)
    parts = [floats(words), floats(rows), floats(words + rows)]
    names = ("embeddings", "encodings", "inputs")
    return Expected(
        fields={
            "positions": [0, 1, 2, 3],
            "dimensions": [0, 1, 2, 3],
            **dict(zip(names, parts, strict=True)),
        },
        images=parts,
    )
