"""The shift by 3 and by -3 at d = 16, block by block."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """The shift by 3 and by -3 at d = 16, block by block."""
    matrices = [floats(oracle.shift_matrix(k, 16)) for k in (3, -3)]
    return Expected(
        fields={
            "offsets": [3, -3],
            "dimensions": list(range(16)),
            "pairs": [j // 2 for j in range(16)],
            "forward": matrices[0],
            "back": matrices[1],
        },
        images=matrices,
    )
