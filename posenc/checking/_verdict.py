"""The verdict of `check`, and its words."""

from __future__ import annotations

import math
import textwrap
from dataclasses import dataclass

_LONGEST = 230  # characters of a repr that pytest shows whole


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The verdict of `check`: true if the program is right; its text says why.

    `error` is a difference and `allowed` what `format` allows there. `slips` has the kinds of the
    slips of each explanation, and `words` says each; both are empty if there is none. `facts`
    were measured, and `name` is that of an array.

    >>> numbers = {"error": 3e-7, "allowed": 6e-7, "format": "float32"}
    >>> verdict = Verdict(right=True, **numbers, facts=("at 2 rows",))
    >>> print(verdict)
    right: agrees to 3e-07 (float32 allows 6e-07), at 2 rows
    """

    right: bool
    error: float
    allowed: float
    format: str
    slips: tuple[tuple[str, ...], ...] = ()
    words: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    name: str = ""

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return "; ".join(lines(self))

    def __repr__(self) -> str:
        return textwrap.shorten(str(self), _LONGEST, placeholder=" ...")


def lines(verdict: Verdict) -> list[str]:
    """The verdict in lines: what holds, then what was measured."""
    start = f"{verdict.name}: " if verdict.name else ""
    allows = f"({verdict.format} allows {verdict.allowed:.2g})"
    where, *more = verdict.facts or ("",)
    if verdict.right:
        return [f"{start}right: agrees to {verdict.error:.2g} {allows}, {where}", *more]
    differs = f"differs by {verdict.error:.2g} {allows}, {where}"
    if (verdict.error, verdict.allowed) == (math.inf, 0):  # another shape, or no number
        differs = where
    if verdict.words:
        return [f"{start}wrong: {', or '.join(verdict.words)}", differs, *more]
    return [f"{start}wrong: {differs}", *more, "no slip that posenc knows explains it"]
