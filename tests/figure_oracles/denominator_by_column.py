"""The denominators at d = 16, and with an exponent for each column."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected, floats

mp = oracle.mp


def expected() -> Expected:
    """The denominators at d = 16, and with an exponent for each column."""
    columns, even, odd = list(range(16)), list(range(0, 16, 2)), list(range(1, 16, 2))
    shared = [float(mp.power(10_000, mp.mpf(j - j % 2) / 16)) for j in columns]
    single = [float(mp.power(10_000, mp.mpf(j) / 16)) for j in columns]
    by_pair = floats([mp.power(10, mp.mpf(i) / 2) for i in range(8)])  # 10000 = 10 ** 4
    return Expected(
        fields={
            "columns": columns,
            "pairs": [(j - j % 2) / 2 for j in columns],
            "denominators": shared,
            "unpaired": single,
            "sine_columns": even,
            "cosine_columns": odd,
            "pair_denominators": by_pair,
        },
        lines=[
            ("pair", columns, shared),
            ("unpaired", columns, single),
            ("sine", even, by_pair),
            ("cosine", odd, by_pair),
        ],
    )
