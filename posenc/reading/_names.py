"""Take the arrays together whose names say that one has the cosines and one the sines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from posenc.reading._weights import Array


def paired(arrays: Iterator[tuple[str, Array]]) -> Iterator[tuple[str, Mapping[str, Array]]]:
    """Each array, or the two of one shape whose names differ by cos and sin.

    Arrays of integers count only in a file that holds nothing else.
    """
    waiting: dict[str, tuple[str, str]] = {}  # from a spelling to cos or sin, and the name
    alone: dict[str, Array] = {}
    integers: list[tuple[str, Array]] = []  # position numbers and the like
    only = True
    for name, array in arrays:
        if array.dtype.kind in "iu" and (array.ndim < 2 or (np.abs(array) > 1).any()):
            integers.append((name, array))
            continue
        only = False
        keys = spellings(name)
        if not keys or array.dtype.kind == "c":
            yield name, {"": array}
            continue
        found = [key for key, kind in keys.items() if waiting.get(key, (kind,))[0] != kind]
        if not found:
            alone[name] = array
            for key, kind in keys.items():
                waiting.setdefault(key, (kind, name))
            continue
        _, other = waiting[found[0]]
        partner = alone.pop(other)
        for key in spellings(other):
            if waiting.get(key, ("", ""))[1] == other:
                del waiting[key]
        if partner.shape == array.shape:
            yield f"{other} and {name}", {other: partner, name: array}
        else:
            yield other, {"": partner}
            yield name, {"": array}
    for name, array in alone.items():
        yield name, {"": array}
    if only:
        yield from ((name, {"": array}) for name, array in integers)


def spellings(name: str) -> dict[str, str]:
    """`name` with a star in the place of one "cos" or "sin", and which of the two stood there.

    >>> spellings("single.cos")
    {'*gle.cos': 'sin', 'single.*': 'cos'}
    """
    found = re.finditer("cos(in)?|sin|Cos(in)?|Sin|COS(IN)?|SIN", name)
    return {f"{name[: part.start()]}*{name[part.end() :]}": part[0][:3].lower() for part in found}


def kinds(one: str, other: str) -> tuple[str, str] | None:
    """What two names mean: ("cos", "sin") or ("sin", "cos"), or None if they do not say.

    Names that differ only there say it, and so do others that have only one of the two.

    >>> kinds("single.cos", "single.sin"), kinds("Sine", "the cosines")
    (('cos', 'sin'), ('sin', 'cos'))
    """
    here, there = spellings(one), spellings(other)
    pairs = [(kind, there[key]) for key, kind in here.items() if key in there]
    if len({*here.values()}) == len({*there.values()}) == 1:
        pairs += zip(here.values(), there.values(), strict=False)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
