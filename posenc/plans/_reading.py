"""What the readers of all formats share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from posenc import _arguments
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


def positions(value: Any) -> int | None:
    """`value` if it is a number of positions, else None."""
    usable = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return value if usable else None


def odd_numbers(config: Config, *keys: str) -> Iterator[Odd]:
    """Values under `keys` that are no numbers of positions, such as -1."""
    for key in keys:
        given = config.get(key)
        if given is not None and positions(given) is None:
            what = f"{key} is {_arguments.shown(given)}, which is no number of positions"
            yield Odd("window", f"{what}: the plan leaves it out.")
