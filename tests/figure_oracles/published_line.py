"""The printed line of position 10, and the formula's."""

from __future__ import annotations

from tests import oracle, quantity_oracle
from tests.figure_oracles import Expected, floats


def expected() -> Expected:
    """The printed line of position 10, and the formula's."""
    printed = floats(quantity_oracle.published("line", 10))
    formula = floats(oracle.encode(10, 128))
    short, whole = range(102), range(128)
    return Expected(
        fields={
            "printed_dimensions": list(short),
            "printed": printed,
            "formula_there": [formula[j] for j in short],
            "dimensions": list(whole),
            "formula": formula,
        },
        lines=[("as printed", short, printed), ("by the formula", whole, formula)],
    )
