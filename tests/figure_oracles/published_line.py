"""The printed line of position 10, and the formula's."""

from __future__ import annotations

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected


def expected() -> Expected:
    printed = quantity_oracle.published("line", 10)
    formula = oracle.encode(10, 128)
    short, whole = range(102), range(128)
    return Expected(
        fields={
            "printed_dimensions": short,
            "printed": printed,
            "formula_there": formula[:102],
            "dimensions": whole,
            "formula": formula,
        },
        columns={"dimension": short, "printed": printed, "formula": formula[:102]},
        lines=[("as printed", short, printed), ("by the formula", whole, formula)],
    )
