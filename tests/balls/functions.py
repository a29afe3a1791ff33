"""Functions of balls, of arrays of them, and of functions of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from flint import acb, arb, arb_mat, ctx, fmpq

from tests.balls.number import MOST, Ball, UndecidedError, ball, floor, inexact, raw_of


def _elementary(name: str) -> np.ufunc:
    """A function of a number, and of each number in an array."""
    return np.frompyfunc(lambda x: Ball(getattr(inexact(x), name)()), 1, 1)


sin, cos, cot, exp, log, gamma, ci, sinc = map(
    _elementary, ("sin", "cos", "cot", "exp", "log", "gamma", "ci", "sinc")
)
larger = np.frompyfunc(lambda a, b: Ball(inexact(a).max(inexact(b))), 2, 1)
smaller = np.frompyfunc(lambda a, b: Ball(inexact(a).min(inexact(b))), 2, 1)
with ctx.workprec(MOST + 64):  # enough for each number of bits
    pi, euler, e = Ball(arb.pi()), Ball(arb.const_euler()), Ball(arb.const_e())


def _sqrt(x: Any) -> Ball:
    value = inexact(x)
    at_least_zero = not isinstance(value, arb) or value >= 0 or value < 0
    return Ball(value.sqrt() if at_least_zero else arb(0).union(value.upper().sqrt()))


sqrt = np.frompyfunc(_sqrt, 1, 1)


def nearest(x: Any) -> int:
    """The nearest whole number; a half goes up."""
    return int(floor(x + ball("0.5")))


def cosine_sine(angle: Any) -> tuple[Ball, Ball]:
    """Both at once, in half of the time."""
    sine, cosine = inexact(angle).sin_cos()
    return Ball(cosine), Ball(sine)


def waves(position: Any, speeds: Iterable[Ball]) -> Iterator[tuple[Ball, Ball]]:
    """Cosine and sine of the position times each speed."""
    place = inexact(position)
    for speed in speeds:
        sine, cosine = (place * speed.value).sin_cos()
        yield Ball(cosine), Ball(sine)


def floats(numbers: Any) -> np.ndarray:
    """The float64 nearest to each number of an array, or one of the two that are."""
    near = [_near(ball(number).value) for number in np.ravel(numbers)]
    return np.array(near, dtype=np.float64).reshape(np.shape(numbers))


def _near(value: Any) -> float:
    if type(value) is arb and value.rel_accuracy_bits() < 64 and not value.is_exact():
        raise UndecidedError(f"{value} has not the digits of a float64")
    return float(value)


def phasor(angle: Any) -> Ball:
    """The complex number of size one with this angle."""
    return ball(*cosine_sine(angle))


def argument(number: Any) -> Ball:
    """The angle of a complex number."""
    return Ball(acb(ball(number).value).arg())


def total(numbers: Iterable[Any]) -> Ball:
    """Their sum."""
    return Ball(sum((raw_of(number) for number in numbers), fmpq(0)))


def dot(left: Iterable[Any], right: Iterable[Any]) -> Ball:
    """The sum of the products of two sequences of numbers."""
    pairs = zip(left, right, strict=True)
    return Ball(sum((raw_of(a) * raw_of(b) for a, b in pairs), fmpq(0)))


def matrix_product(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The product of two real matrices, much faster than entry by entry."""
    first, second = (arb_mat([[*map(inexact, row)] for row in table]) for table in (left, right))
    entries = [Ball(entry) for entry in (first * second).entries()]
    return np.array(entries, dtype=object).reshape(len(left), right.shape[1])


def size(numbers: Iterable[Any]) -> Ball:
    """The length of a vector."""
    return sqrt(total(number * number for number in map(ball, numbers)))


def largest(*numbers: Any) -> Any:
    """As `max`, even if it cannot be told which number it is."""
    return _extreme(larger, max, numbers)


def least(*numbers: Any) -> Any:
    """As `min`, even if it cannot be told which number it is."""
    return _extreme(smaller, min, numbers)


def _extreme(reduce: np.ufunc, plain: Callable[[Any], Any], given: tuple[Any, ...]) -> Any:
    numbers = [*given[0]] if len(given) == 1 else given
    balls = any(type(number) is Ball for number in numbers)
    return reduce.reduce(numbers) if balls else plain(numbers)


def steps(first: Any, last: Any, count: int) -> list[Ball]:
    """Numbers at equal distances."""
    return [first + (ball(last) - first) * i / (count - 1) for i in range(count)]


def integral(function: Callable[[Any], Any], low: Any, high: Any) -> Ball:
    """The integral of a function of complex numbers."""
    found = acb.integral(lambda x, _: inexact(function(Ball(x))), inexact(low), inexact(high))
    return Ball(found.real)


def slope(function: Callable[[Any], Any], at: Any) -> Any:
    """The derivative, to about 20 digits."""
    near = ball(2) ** -40
    return (function(at + near) - function(at - near)) / (2 * near)
