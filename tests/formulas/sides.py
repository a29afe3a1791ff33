"""Sides of a statement: functions of the symbols' values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import truediv
from typing import Any

from tests.formulas import values

Values = Mapping[str, Any]
Side = Callable[[Values], Any]
Power = Callable[[Any, Values], Any]  # a transpose, or an exponent


class TexError(ValueError):
    """TeX that this reader does not know, or a symbol without a value."""


@dataclass(frozen=True)
class Statement:
    """Sides with relations between them; a bare expression has one side and no relation."""

    sides: tuple[Side, ...]
    relations: tuple[str, ...]
    label: str  # the words before it, such as "T5"

    @property
    def compares_sizes(self) -> bool:
        """Whether it is a condition such as 0 <= i < d/2."""
        return bool(self.relations) and not {"=", r"\approx"} & set(self.relations)

    @property
    def approximates(self) -> bool:
        """Whether it holds only up to a tolerance."""
        return r"\approx" in self.relations


@dataclass(frozen=True)
class Factor:
    """A factor of a product without signs."""

    value: Side
    arguments: tuple[Side, ...]  # the sides in brackets, which may be those of a call
    powers: tuple[Power, ...]


def constant(value: Any) -> Side:
    return lambda _: value


def raised(value: Any, powers: Sequence[Power], at: Values) -> Any:
    for power in powers:
        value = power(value, at)
    return value


def combined(first: Side, sign: str, second: Side) -> Side:
    operation = truediv if sign == "/" else values.dot
    return lambda at: operation(first(at), second(at))


def multiplied(factors: list[Factor], at: Values) -> Any:
    found: list[Any] = []
    for factor in factors:
        if factor.arguments and found and callable(found[-1]):
            value = found.pop()(*(one(at) for one in factor.arguments))
        else:
            value = factor.value(at)
        found.append(raised(value, factor.powers, at))
    return reduce(values.product, found)


def looked_up(name: str, written: str, below: Side | None, at: Values) -> Any:
    """The value of a symbol; its subscript is part of the name, as in W_Q, or an index."""
    full = f"{name}_{written}" if below else name
    if full in at:
        return at[full]
    if below is None or f"{name}_" not in at:
        raise TexError(f"no value for the symbol {full}")
    return at[f"{name}_"](below(at))
