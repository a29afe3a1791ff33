"""Frequencies of any origin: a buffer of a model, or learned ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import numpy.typing as npt

from posenc import _arguments
from posenc.rotary._foreign import numpy_array
from posenc.rotary._scalings import Scaling


@dataclass(frozen=True)
class Given(Scaling):
    """One frequency for each pair, in radians per position, whatever the base says.

    `Rotary(head_dim, frequencies=array)` makes it. Raises ValueError if a number is not finite.

    >>> from posenc import Rotary
    >>> Rotary(4, scaling=Given([1.0, 0.5])).frequencies()
    array([1. , 0.5])
    """

    frequencies: Sequence[float]
    attention_factor: float = 1.0

    def __post_init__(self) -> None:
        values = _arguments.entries("frequencies", self.frequencies)
        numbers = tuple(_arguments.finite("frequencies", value) for value in values)
        object.__setattr__(self, "frequencies", numbers)
        self._keep_positive("attention_factor")

    def _decimals(self, _base: float, width: int, _length: float | None, /) -> list[Decimal]:
        if 2 * len(self.frequencies) != width:
            got = len(self.frequencies)
            raise ValueError(f"frequencies must have {width // 2} numbers, got {got}")
        return [Decimal(value) for value in self.frequencies]

    def attention(self, _length: float | None, /) -> float:
        return self.attention_factor


def given(frequencies: npt.ArrayLike, scaling: Any, head_dim: int) -> Given:
    """The scaling that stands for `frequencies`, an array of one axis of any library."""
    if scaling is not None:
        got = _arguments.shown(scaling)
        raise ValueError(f"scaling must be None where frequencies are given, got {got}")
    array = _arguments.reals("frequencies", numpy_array("frequencies", frequencies)[0])
    if array.ndim != 1 or not array.size:
        raise ValueError(f"frequencies must have one axis and numbers, got shape {array.shape}")
    if 2 * array.size > head_dim:
        rule = f"frequencies must have at most head_dim / 2 = {head_dim // 2} numbers"
        raise ValueError(f"{rule}, got {array.size}")
    return Given(array.tolist())
