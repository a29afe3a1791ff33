"""The verdict of `check`, and its words."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass

_LONGEST = 230  # characters of a repr that pytest shows whole


@dataclass(frozen=True, repr=False)
class Verdict:
    """Whether an implementation is right; true if it is.

    `error` is a difference and `allowed` what the format of the values allows there: of a right one
    where they are closest to each other, of a wrong one where it differs most. `format` is
    float64, float32, float16 or bfloat16. Of a wrong implementation, `slips` has the kinds of
    the slips that explain it: each entry is one explanation of one or more kinds, and `words`
    says each in words. Both are empty if none does. `facts` are what was measured, and `name` is
    that of an array.

    >>> verdict = Verdict(True, error=3e-7, allowed=6e-7, format="float32", facts=("at 2 rows",))
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
        return "; ".join(self.lines())

    def __repr__(self) -> str:
        return textwrap.shorten(str(self), _LONGEST, placeholder=" ...")

    def lines(self) -> list[str]:
        """The verdict in lines: what holds, then what was measured."""
        start = f"{self.name}: " if self.name else ""
        allows = f"({self.format} allows {self.allowed:.2g})"
        where = ", ".join(self.facts[:1])
        if self.right:
            return [f"{start}right: agrees to {self.error:.2g} {allows}, {where}", *self.facts[1:]]
        differs = f"differs by {self.error:.2g} {allows}, {where}"
        if self.words:
            return [f"{start}wrong: {', or '.join(self.words)}", differs, *self.facts[1:]]
        return [
            f"{start}wrong: {differs}",
            *self.facts[1:],
            "no slip that posenc knows explains it",
        ]
