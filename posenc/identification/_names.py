"""Names of arrays that say which of two has the cosines and which the sines."""

from __future__ import annotations

import re


def spellings(name: str) -> dict[str, str]:
    """`name` with a star in the place of one "cos" or "sin", and which of the two stood there.

    >>> spellings("single.cos")
    {'*gle.cos': 'sin', 'single.*': 'cos'}
    """
    found = re.finditer("cos(in)?|sin", name)
    return {f"{name[: part.start()]}*{name[part.end() :]}": part[0][:3] for part in found}


def kinds(one: str, other: str) -> tuple[str, str] | None:
    """What two names mean: ("cos", "sin") or ("sin", "cos"), or None if they do not say.

    Names that differ only there say it, and so do others that have only one of the two.

    >>> kinds("single.cos", "single.sin"), kinds("sine", "the cosines")
    (('cos', 'sin'), ('sin', 'cos'))
    """
    here, there = spellings(one), spellings(other)
    pairs = [(kind, there[key]) for key, kind in here.items() if key in there]
    if len({*here.values()}) == len({*there.values()}) == 1:
        pairs += zip(here.values(), there.values(), strict=False)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
