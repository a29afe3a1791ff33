"""Real and complex numbers with proved bounds: exact fractions, and balls from the library Arb.

A ball is a middle and a radius, and the number that it stands for lies within. A comparison that
balls leave open raises UndecidedError: no answer is a guess. `decided` then computes once more
with twice the bits. Balls of equal numbers always overlap: they count as equal if they do with
800 bits, which are 240 digits.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from decimal import MAX_PREC, Context, Decimal
from fractions import Fraction
from functools import lru_cache, wraps
from typing import Any

import numpy as np
from flint import acb, arb, ctx, fmpq

BITS, MOST = 200, 800  # 200 are 60 decimal digits
ctx.prec = BITS
_EXACT = Context(MAX_PREC)


class UndecidedError(ArithmeticError):
    """A question that balls leave open, as they overlap."""


class Ball:
    """A number: `value` is an exact fraction, a real ball or a complex ball."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __abs__(self) -> Ball:
        return Ball(abs(self.value))

    def __neg__(self) -> Ball:
        return Ball(-self.value)

    def __pos__(self) -> Ball:
        return self

    def __pow__(self, other: Any) -> Any:
        raw = raw_of(other)
        if raw is None:
            return NotImplemented
        exact = type(raw) is int or not isinstance(self.value, fmpq)
        return Ball((self.value if exact else arb(self.value)) ** raw)

    def __rpow__(self, other: Any) -> Any:
        return ball(other) ** self

    def __hash__(self) -> int:  # fails for a number that is not exact
        return hash(self.value)

    def __bool__(self) -> bool:
        return self != 0

    def __float__(self) -> float:
        return float(self.value)

    def __complex__(self) -> complex:
        return complex(acb(self.value))

    def __int__(self) -> int:
        whole = int(floor(abs(self)).value.p)
        return whole if self >= 0 else -whole

    def __repr__(self) -> str:
        return str(self.value)

    @property
    def real(self) -> Ball:
        return Ball(self.value.real) if isinstance(self.value, acb) else self

    @property
    def imag(self) -> Ball:
        return Ball(self.value.imag) if isinstance(self.value, acb) else ball(0)

    def conjugate(self) -> Ball:
        return Ball(self.value.conjugate()) if isinstance(self.value, acb) else self


def ball(given: Any, imaginary: Any = None) -> Ball:
    """A number; whole and binary ones, and decimal ones in a string, are exact."""
    if imaginary is not None:
        return Ball(acb(inexact(given), inexact(imaginary)))
    if type(given) is Ball:
        return given
    raw = raw_of(given)
    if raw is None:
        raw = fmpq(*Fraction(given).as_integer_ratio())
    return Ball(arb(raw) if type(raw) is int else raw)


def raw_of(given: Any) -> Any:
    """The number for Arb's own operators; None for an array and for what is no number."""
    kind = type(given)
    if kind is Ball:
        return given.value
    if kind is int:
        return given
    if kind is float:
        return arb(given)
    if isinstance(given, int | np.integer | np.bool_):
        return int(given)
    if isinstance(given, float | np.floating):
        return arb(float(given))
    return acb(given) if isinstance(given, complex) else None


def inexact(given: Any) -> Any:
    raw = given.value if type(given) is Ball else ball(given).value
    return arb(raw) if type(raw) is fmpq else raw


def _calculates(operate: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    """The method for `self + other`, and that for `other + self`."""

    def forward(self: Ball, other: Any) -> Any:
        raw = other.value if type(other) is Ball else raw_of(other)
        return NotImplemented if raw is None else Ball(operate(self.value, raw))

    def backward(self: Ball, other: Any) -> Any:
        raw = raw_of(other)
        return NotImplemented if raw is None else Ball(operate(raw, self.value))

    return forward, backward


def _compares(holds: Callable[[Any, Any], Any], fails: Callable[[Any, Any], Any]) -> Any:
    def method(self: Ball, other: Any) -> Any:
        raw = raw_of(other)
        if raw is None:
            return NotImplemented
        if other is self:
            return holds(0, 0)
        if holds(self.value, raw):
            return True
        if fails(self.value, raw):
            return False
        off = arb(self.value - raw)
        if ctx.prec < MOST or not off.is_finite():
            raise UndecidedError(f"{self} and {other} overlap")
        return holds(0, 0)

    return method


for _name in ("add", "sub", "mul", "truediv"):
    _methods = _calculates(getattr(operator, _name))
    for _prefix, _method in zip(("", "r"), _methods, strict=True):
        setattr(Ball, f"__{_prefix}{_name}__", _method)
for _name, _opposite in (("lt", "ge"), ("le", "gt"), ("eq", "ne")):
    for _holds, _fails in ((_name, _opposite), (_opposite, _name)):
        _two = getattr(operator, _holds), getattr(operator, _fails)
        setattr(Ball, f"__{_holds}__", _compares(*_two))


def decided(compute: Callable[[], Any]) -> Any:
    """The result of `compute` with as many bits as it needs."""
    for bits in (BITS, 2 * BITS):
        try:
            with ctx.workprec(bits):
                return compute()
        except UndecidedError:
            pass
    with ctx.workprec(MOST):
        return compute()


def precise(number: Any, count: int) -> Any:
    """`number`, if it has so many digits, or as many as the largest number of bits gives."""
    value = number.value if type(number) is Ball else None
    known = not isinstance(value, arb) or value.is_exact() or ctx.prec == MOST
    if not known and value.rel_accuracy_bits() < count * 10 // 3:
        raise UndecidedError(f"{number} has less than {count} digits")
    return number


def remembered(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, which keeps its results for exact arguments and for each number of bits."""
    kept = lru_cache(4096)(lambda _, *given, **options: function(*given, **options))

    @wraps(function)
    def call(*given: Any, **options: Any) -> Any:
        try:
            hash((given, *options.values()))
        except ValueError:
            return function(*given, **options)
        return kept(ctx.prec, *given, **options)

    return call


def sure(value: float, error: float) -> float:
    """`value`, if its sign is certain although it may be off by `error`."""
    if abs(value) <= error:
        raise UndecidedError(f"{value} may be off by {error}")
    return value


def within(value: float, error: float) -> Ball:
    """The ball of all numbers that differ from `value` by at most `error`."""
    return Ball(arb(value, error))


def ends(number: Any) -> tuple[Decimal, Decimal]:
    """Two decimal numbers, with `number` between them; they are equal if it is exact."""
    value = ball(number).value
    if isinstance(value, arb) and not value.is_finite():
        raise ValueError(f"a page can show a finite number only, got {value}")
    if isinstance(value, arb) and value.is_exact():
        mantissa, exponent = map(int, value.man_exp())
        value = fmpq(mantissa) * fmpq(2) ** exponent
    if isinstance(value, fmpq):
        above, below = Decimal(int(value.p)), Decimal(int(value.q))
        exact = Context(4096).divide(above, below)
        if _EXACT.multiply(exact, below) == above:
            return exact, exact
        value = arb(value)
    middle, radius, exponent = map(int, value.mid_rad_10exp(int(ctx.dps)))
    low, high = (Decimal(f"{middle + off}e{exponent}") for off in (-radius, radius))
    return low, high


def between(low: str, high: str) -> Ball:
    """A number between two decimal ones, which is exact if they are equal."""
    first, last = ball(low), ball(high)
    return first if low == high else Ball(arb(first.value).union(arb(last.value)))


def digits(number: Any, most: int) -> str:
    """The digits that both ends have when they are rounded, at most `most`; 0 next to zero."""
    for count in range(most, 0, -1):
        low, high = (Context(count).create_decimal(end) for end in ends(number))
        if low == high:
            return f"{low.normalize(Context(count)):f}"
    return "0"


def _floor(x: Any) -> Ball:
    value = ball(x).value
    whole = arb(value.floor()) if type(value) is fmpq else value.floor()
    if not whole.is_exact():
        raise UndecidedError(f"{x} is next to a whole number")
    return Ball(fmpq(whole.unique_fmpz()))


floor = np.frompyfunc(_floor, 1, 1)
