"""The denominators at d = 16, and with an exponent for each column."""

from __future__ import annotations

from tests import oracle
from tests.figure_oracles import Expected

mp = oracle.mp


def expected() -> Expected:
    columns, even, odd = range(16), range(0, 16, 2), range(1, 16, 2)
    pairs = [(j - j % 2) / 2 for j in columns]
    shared = [mp.power(10_000, mp.mpf(j - j % 2) / 16) for j in columns]
    single = [mp.power(10_000, mp.mpf(j) / 16) for j in columns]
    by_pair = [mp.power(10, mp.mpf(i) / 2) for i in range(8)]  # 10000 = 10 ** 4
    return Expected(
        fields={
            "columns": columns,
            "pairs": pairs,
            "denominators": shared,
            "unpaired": single,
            "sine_columns": even,
            "cosine_columns": odd,
            "pair_denominators": by_pair,
        },
        columns={"column": columns, "pair": pairs, "denominator": shared, "unpaired": single},
        lines=[
            ("pair", columns, shared),
            ("unpaired", columns, single),
            ("sine", even, by_pair),
            ("cosine", odd, by_pair),
        ],
    )
