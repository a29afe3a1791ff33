"""What the readers of all formats share."""

from __future__ import annotations

from typing import Any, NamedTuple

from posenc.plans._groups import Group
from posenc.plans._notes import Difference, Odd

Config = dict[str, Any]


class Read(NamedTuple):
    """The fields of a plan."""

    format: str
    model: str | None
    groups: tuple[Group, ...]
    odd: tuple[Odd, ...] = ()
    programs: tuple[Difference, ...] = ()
