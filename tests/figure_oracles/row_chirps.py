"""The sines of rows 0, 4, 8 and 12 at d = 512, and where they cross zero."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected

mp = oracle.mp


def angle(position, pair):
    """The angle of a real-valued `pair`, in radians."""
    return position * mp.mpf(10_000) ** (-mp.mpf(2) * pair / 512)


def expected() -> Expected:
    positions, pairs = [0, 4, 8, 12], range(100)
    rows = {p: [mp.sin(angle(p, i)) for i in pairs] for p in positions}
    zeros = {p: _zeros(p, rows[p]) for p in positions[1:]}
    lines = []
    for p, row in rows.items():
        lines.append((f"position {p}", pairs, row))
        if p in zeros:
            lines.append((f"position {p}, zeros", zeros[p], [0] * len(zeros[p])))
    return Expected(
        fields={
            "positions": positions,
            "pairs": pairs,
            "wavelengths": oracle.wavelengths(512)[:100],
            "values": list(rows.values()),
            "angles": [[angle(p, i) for i in pairs] for p in positions],
            "local_frequencies": [[_slope(p, i) for i in pairs] for p in positions],
            "zero_positions": [p for p, found in zeros.items() for _ in found],
            "zero_pairs": [zero for found in zeros.values() for zero in found],
        },
        columns={"pair": pairs, **{f"position {p}": row for p, row in rows.items()}},
        lines=lines,
    )


def _zeros(position, row):
    """By bisection between neighbouring pairs."""
    changes = [i for i in range(99) if row[i] * row[i + 1] < 0]
    return [
        mp.findroot(lambda x: mp.sin(angle(position, x)), (i, i + 1), solver="anderson")
        for i in changes
    ]


def _slope(position, pair):
    """By numerical differentiation."""
    return -mp.diff(lambda x: angle(position, x), pair)
