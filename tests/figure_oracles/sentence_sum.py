"""Four made-up embeddings, times two, plus the encoding at d = 4 and n = 100."""

from __future__ import annotations

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, numbered


def expected() -> Expected:
    words = quantity_oracle.robot_embeddings() * 2
    rows = oracle.positional_encoding(4, 4, base=100)
    parts = {"embedding": words, "encoding": rows, "input": words + rows}
    columns = {"position": range(4)}
    for name, part in parts.items():
        columns |= numbered(f"{name}, dimension", part)
    return Expected(
        fields={
            "positions": [0, 1, 2, 3],
            "dimensions": [0, 1, 2, 3],
            **{f"{name}s": part for name, part in parts.items()},
        },
        columns=columns,
        images=list(parts.values()),
    )
