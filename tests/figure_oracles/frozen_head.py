"""The map of the first head, from the text of the results."""

from __future__ import annotations

from tests import result_oracle
from tests.figure_oracles import Expected, numbered


def expected() -> Expected:
    weights = result_oracle.trained_map("learned")
    positions, edge, ends = range(64), [31.5, 31.5], [-0.5, 63.5]
    return Expected(
        fields={"positions": positions, "weights": weights, "edge": edge, "ends": ends},
        columns={"position": positions, **numbered("to", weights)},
        lines=[
            ("end of the trained length", edge, ends),
            ("end of the trained length", ends, edge),
        ],
        images=[weights],
    )
