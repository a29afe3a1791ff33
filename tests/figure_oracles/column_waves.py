"""The sine columns of pairs 0, 4, 8, 12, 16 at d = 128, at positions and between them."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    pairs, fine = [0, 4, 8, 12, 16], [k / 4 for k in range(197)]
    waves = floats(oracle.encode(range(50), 128))
    fine_waves = floats(oracle.encode(fine, 128))
    lines = []
    for i in pairs:
        lines.append((f"pair {i}", fine, fine_waves[:, 2 * i]))
        lines.append((f"pair {i}, positions", range(50), waves[:, 2 * i]))
    return Expected(
        fields={
            "pairs": pairs,
            "wavelengths": [oracle.wavelengths(128)[i] for i in pairs],
            "positions": range(50),
            "values": [waves[:, 2 * i] for i in pairs],
            "fine_positions": fine,
            "fine_values": [fine_waves[:, 2 * i] for i in pairs],
        },
        columns={
            "position": range(50),
            **{f"sine of pair {i}": waves[:, 2 * i] for i in pairs},
        },
        lines=lines,
    )
