"""The oracle's value of an expression, as a page shows it. Nothing here comes from posenc."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tests import oracle, quantity_oracle, site_oracle


def value(code: str) -> Any:
    """`code` evaluated with the oracle's names."""
    plain = re.sub(r"\b(?:posenc|quantities|counts|np)\.", "", code)
    names = {**oracle.NAMES, **quantity_oracle.NAMES, **site_oracle.NAMES}
    return eval(plain, {"__builtins__": {}, **names})


def is_whole(number: Any) -> bool:
    """Whether `number` is a count, which needs no digits after the point."""
    return isinstance(number, (bool, int, np.bool_, np.integer))
