"""The shift by 2 and by -2 at d = 16, block by block."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """The shift by 2 and by -2 at d = 16, block by block."""
    matrices = [floats(oracle.shift_matrix(k, 16)) for k in (2, -2)]
    return Expected(
        fields={
            "offsets": [2, -2],
            "dimensions": list(range(16)),
            "pairs": [j // 2 for j in range(16)],
            "forward": matrices[0],
            "back": matrices[1],
        },
        images=matrices,
    )
