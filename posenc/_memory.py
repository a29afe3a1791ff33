"""Refuse what does not fit into this machine's memory, before it is read or made."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence

from posenc import _arguments

_MOST_AXES = 64  # NumPy's own limit
_COPIES = 4  # float64 copies of a table that `identify` may hold at once


def refuse_shape(shape: Sequence[int]) -> None:
    """Refuse a `shape` that no array has, or one with too many values for `identify`."""
    if len(shape) > _MOST_AXES or not all(type(n) is int and n >= 0 for n in shape):
        rule = f"shape must hold at most {_MOST_AXES} integers of at least 0"
        raise ValueError(f"{rule}, got {_arguments.shown(shape)}")
    refuse_values(max((math.prod(shape), *shape)))  # the product is 0 if one axis is 0


def refuse_array(what: str, count: int) -> None:
    """Refuse to make an array of `count` values of 8 bytes, named `what`, if they are too many."""
    there = _memory()
    if 8 * count > there:
        rule = f"fit into this machine's memory of {there / 1e9:,.0f} GB"
        raise ValueError(f"{what} must {rule}, got {count:,} values of 8 bytes")


def refuse_values(count: int) -> None:
    """Refuse a table of `count` values if `identify` would need more memory than there is."""
    needed = 8 * _COPIES * count
    refuse_bytes(needed, f"{count:,} values need about {needed // 10**9:,} GB")


def refuse_bytes(needed: int, got: str) -> None:
    """Raise ValueError with `got` in its message if `needed` bytes are too many."""
    there = _memory()
    if needed > there:
        raise ValueError(f"larger than this machine's memory of {there / 1e9:,.0f} GB: {got}")


def _memory() -> int:
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on Windows
        return 2**34
