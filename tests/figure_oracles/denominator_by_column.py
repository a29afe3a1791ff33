"""The denominators at d = 16, and with an exponent for each column."""

from __future__ import annotations

from tests.balls import ball
from tests.figure_oracles import Expected


def expected() -> Expected:
    columns = range(16)
    fields = {
        "columns": columns,
        "pairs": [(j - j % 2) / 2 for j in columns],
        "denominators": [ball(10_000) ** (ball(j - j % 2) / 16) for j in columns],
        "unpaired": [ball(10_000) ** (ball(j) / 16) for j in columns],
    }
    by_pair = [ball(10) ** (ball(i) / 2) for i in range(8)]  # 10000 = 10 ** 4
    return Expected(
        fields=fields,
        columns={name.removesuffix("s"): values for name, values in fields.items()},
        lines=[
            ("pair", columns, fields["denominators"]),
            ("unpaired", columns, fields["unpaired"]),
            ("sine", range(0, 16, 2), by_pair),
            ("cosine", range(1, 16, 2), by_pair),
        ],
    )
