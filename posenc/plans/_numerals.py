"""Numbers and lists in sentences, as the page "What does my config say?" writes them."""

from __future__ import annotations

import math
from collections.abc import Sequence

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def numeral(value: float, digits: int = 7) -> str:
    """With at most `digits` digits, commas, and a real minus sign."""
    number = float(value)
    if not math.isfinite(number):
        return "infinite" if number > 0 else str(number)
    size = abs(number)
    if size and (size < 1e-3 or size >= 1e15):
        first, power = f"{number:.{digits - 1}e}".split("e")
        return f"{float(first):g} × 10{str(int(power)).translate(_RAISED)}".replace("-", "−")
    places = max(digits - 1 - (math.floor(math.log10(size)) if size else 0), 0)
    text = f"{round(number, digits - 1 - math.floor(math.log10(size)) if size else 0):,.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace("-", "−")


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return "".join(names) if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"
