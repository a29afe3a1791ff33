"""The shift by 2 and by -2 at d = 16, block by block."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, numbered


def expected() -> Expected:
    forward, back = (oracle.shift_matrix(k, 16) for k in (2, -2))
    return Expected(
        fields={
            "offsets": [2, -2],
            "dimensions": range(16),
            "pairs": [j // 2 for j in range(16)],
            "forward": forward,
            "back": back,
        },
        columns={
            "row": range(16),
            **numbered("k = 2, column", forward),
            **numbered("k = -2, column", back),
        },
        images=[forward, back],
    )
