"""Position 3 at d = 8, four times."""

from __future__ import annotations

from tests import balls, oracle
from tests.balls import ball
from tests.figure_oracles import Expected

# A to D in the figure, the paper's row first.
LIBRARIES = ("annotated_transformer", "transformers_marian", "tensor2tensor", "guided_diffusion")


def expected() -> Expected:
    paper = list(oracle.encode(3, 8))
    angles = [3 * ball(10_000) ** (-ball(i) / 3) for i in range(4)]
    rows = [
        paper,
        paper[0::2] + paper[1::2],
        [balls.sin(angle) for angle in angles] + [balls.cos(angle) for angle in angles],
        paper[1::2] + paper[0::2],
    ]
    return Expected(
        fields={
            "dimensions": range(8),
            "values": rows,
            "strong": [[not -90 <= 100 * value <= 78 for value in row] for row in rows],
        },
        columns={"dimension": range(8), **dict(zip(LIBRARIES, rows, strict=True))},
        images=[rows],
        texts=[oracle.formatted(value, ".2f") for row in rows for value in row],
    )
