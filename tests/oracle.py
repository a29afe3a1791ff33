"""The encoding once more, from its definition, with proved bounds, to check the package against.

Nothing here comes from `posenc`. Functions return NumPy object arrays of the balls of
tests/balls/ and take the arguments of their namesakes, except `dtype`. NAMES evaluates the
expressions that stand on the pages; `formatted` writes a value as a page has to show it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from decimal import Context, Decimal
from typing import Any

import numpy as np

from tests import balls
from tests.balls import Ball, UndecidedError, ball, cos, exp, floor, log, remembered, sin, sqrt

DIGITS = 50


def frequencies(d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Radians per position of each pair, `base ** (-2 i / d_model)`."""
    return _array(_frequencies(int(d_model), base))


def wavelengths(d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Positions per turn of each pair.

    >>> formatted(wavelengths(512)[-1], ",.0f")
    '60,611'
    >>> int(sum(wavelengths(512) <= 50))  # pairs that turn at least once in 50 positions
    58
    """
    return 2 * balls.pi / frequencies(d_model, base=base)


def encode(positions: Any, d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Sine in the even columns, cosine in the odd ones, shape `(..., d_model)`."""
    points = np.asarray(positions, dtype=object)
    rows = [_row(point, int(d_model), base) for point in points.flat]
    return _array(rows).reshape(*points.shape, d_model)


def positional_encoding(
    length: int, d_model: int, *, start: int = 0, base: Any = 10_000
) -> np.ndarray:
    """Rows `start` to `start + length - 1` of the encoding."""
    return encode(range(start, start + length), d_model, base=base)


def shift_matrix(offset: Any, d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Rotation that takes the encoding of p to that of p + offset."""
    matrix = _array([[ball(0)] * d_model for _ in range(d_model)])
    for i, frequency in enumerate(frequencies(d_model, base=base)):
        cosine, sine = balls.cosine_sine(offset * frequency)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def similarity(offset: Any, d_model: int, *, base: Any = 10_000) -> Any:
    """Dot product of the encodings of positions 0 and `offset`."""
    if isinstance(offset, range):
        return _similarities(offset, int(d_model), base)
    here, there = encode(0, d_model, base=base), encode(offset, d_model, base=base)
    return _dot(here, there)


def distance(offset: Any, d_model: int, *, base: Any = 10_000) -> Any:
    """Length of the difference of the encodings of positions 0 and `offset`."""
    if isinstance(offset, range):
        return sqrt(d_model - 2 * similarity(offset, d_model, base=base))
    apart = encode(0, d_model, base=base) - encode(offset, d_model, base=base)
    return sqrt(_dot(apart, apart))


def encode_low(
    positions: Any, d_model: int, *, precision: str, cast_last: bool = False, base: Any = 10_000
) -> np.ndarray:
    """Every step rounded to the format (or the exact values, with `cast_last`)."""
    low = _low(positions, d_model, base, precision, cast_last)
    return np.frompyfunc(ball, 1, 1)(low)


def precision_error(
    positions: Any, d_model: int, *, precision: str, cast_last: bool = False, base: Any = 10_000
) -> Any:
    """Largest difference from the exact row."""
    low = _low(positions, d_model, base, precision, cast_last)
    exact = encode(positions, d_model, base=base)
    near = abs(low - balls.floats(exact))
    likely = near > near.max(axis=-1, keepdims=True) - 1e-14  # the others are below the largest
    errors = np.full(near.shape, ball(0))
    errors[likely] = abs(low[likely].astype(object) - exact[likely])
    return balls.larger.reduce(errors, axis=-1)


def distinct_rows(
    positions: Any, d_model: int, *, precision: str, cast_last: bool = False, base: Any = 10_000
) -> int:
    """How many different rows there are."""
    low = _low(positions, d_model, base, precision, cast_last)
    return len({tuple(row) for row in low.reshape(-1, d_model)})


def rounded(values: Any, precision: str) -> Any:
    """The number of the format that is nearest to each value, of two the even one, as a float.

    >>> float(rounded(257, "bfloat16")), float(rounded(0.1, "float16"))
    (256.0, 0.0999755859375)
    """
    given = np.asarray(values)
    if given.dtype != object:
        return _nearest(given.astype(np.float64), precision)[()]
    near = balls.floats(given)
    if precision == "float64":
        if not np.all(2 * abs(given - near) < np.spacing(abs(near))):
            raise UndecidedError(f"{values} is between two numbers of float64")
        return near[()]
    found = np.array(_nearest(near, precision))
    low, high = (_nearest(near * (1 + off), precision) for off in (-(2.0**-50), 2.0**-50))
    for place in map(tuple, np.argwhere(low != high)):
        middle = (ball(low[place]) + high[place]) / 2
        if given[place] != middle:
            found[place] = min(low[place], high[place], key=lambda one: abs(one - given[place]))
    return found[()]


FUNCTIONS = (
    distance,
    distinct_rows,
    encode,
    encode_low,
    frequencies,
    positional_encoding,
    precision_error,
    shift_matrix,
    similarity,
    wavelengths,
)
NAMES: dict[str, Any] = {
    **{function.__name__: function for function in FUNCTIONS},
    **{"pi": balls.pi, "euler_gamma": balls.euler},
    **{"sqrt": sqrt, "log": log, "exp": exp, "sin": sin, "cos": cos, "floor": floor},
    **{"argmin": np.argmin, "argmax": np.argmax, "min": balls.least, "max": balls.largest},
    **{function.__name__: function for function in (abs, all, sum, len, range)},
}


def formatted(value: Any, spec: str) -> str:
    """`value` in Python's format `spec`, correctly rounded, with a true minus and no minus zero.

    Both ends of a ball have to give the same text: UndecidedError if they do not.

    >>> formatted(-cos(10), ".3f"), formatted(exp(-30), ".1e"), formatted(12345, ",d")
    ('0.839', '9.4e−14', '12,345')
    """
    if isinstance(value, (bool, int, np.bool_, np.integer)):
        texts = {format(int(value), spec)}
    else:
        texts = {_float_format(end, spec) for end in balls.ends(value)}
    low, *other = {_true_minus(text) for text in texts}
    if other:
        raise UndecidedError(f"{balls.digits(value, 20)} is between {low} and {other[0]}")
    return low


def _true_minus(text: str) -> str:
    if not any(digit in text.partition("e")[0] for digit in "123456789"):
        text = text.removeprefix("-")
    return text.replace("-", "−")


def largest_error(values: Any, exact: np.ndarray) -> float:
    """Largest absolute difference of floating-point `values` from `exact` ones."""
    values = np.asarray(values)
    if values.shape != exact.shape or not np.isfinite(values).all():
        return np.inf
    return float(np.abs((values.astype(object) - exact).astype(np.float64)).max(initial=0))


@remembered
def _frequencies(d_model: int, base: Any) -> tuple[Ball, ...]:
    return tuple(ball(base) ** (-ball(2 * i) / d_model) for i in range(d_model // 2))


@remembered
def _row(position: Any, d_model: int, base: Any) -> tuple[Ball, ...]:
    pairs = balls.waves(position, _frequencies(d_model, base))
    return tuple(value for cosine, sine in pairs for value in (sine, cosine))


def _low(positions: Any, d_model: int, base: Any, form: str, last: bool) -> np.ndarray:
    """Rows in float64, which has all numbers of the format."""
    if last:
        return rounded(encode(positions, d_model, base=base), form)
    points = np.asarray(positions)
    place, speeds = rounded(points, form), rounded(frequencies(d_model, base=base), form)
    phases = rounded(np.multiply.outer(place, speeds), form)  # float64 has the exact products
    different, which = np.unique(phases, return_inverse=True)
    waves = np.array([*map(balls.cosine_sine, different)], dtype=object).reshape(-1, 2)
    cosines, sines = rounded(waves, form).T
    return np.stack([sines[which], cosines[which]], axis=-1).reshape(*points.shape, d_model)


def _similarities(offsets: range, d_model: int, base: Any) -> np.ndarray:
    """From few rows: those of the positions a and -b have the dot product of offset a + b."""
    width = math.isqrt(len(offsets)) + 1
    far = encode(offsets[::width], d_model, base=base)
    near = encode(range(0, -width * offsets.step, -offsets.step), d_model, base=base)
    return balls.matrix_product(far, near.T).ravel()[: len(offsets)]


def _dot(left: np.ndarray, right: np.ndarray) -> Any:
    """Dot products of the rows."""
    return np.vectorize(balls.dot, otypes=[object], signature="(n),(n)->()")(left, right)[()]


def _array(values: Iterable[Any]) -> np.ndarray:
    return np.array(values, dtype=object)


def _nearest(values: np.ndarray, form: str) -> np.ndarray:
    if form == "bfloat16":  # within float32's exponents
        significands, exponents = np.frexp(values)
        return np.ldexp(np.rint(significands * 2.0**8), exponents - 8)
    return values.astype(form).astype(np.float64)


def _float_format(exact: Decimal, spec: str) -> str:
    """`exact` as `format` writes a float: Decimal differs from it for e and g."""
    options, precision, kind = re.fullmatch(r"(.*?)(?:\.(\d+))?([a-z%]?)", spec).groups()
    digits = 6 if precision is None else int(precision)
    if kind not in ("f", "e", "g", "%"):
        raise ValueError(f"a number with a fraction needs a format of type f, e, g or %: {spec!r}")
    if kind in ("f", "%"):
        return format(exact, f"{options}.{digits}{kind}")
    count = digits + 1 if kind == "e" else max(digits, 1)
    assert count <= 15, "float64 has no more decimal digits"
    return format(float(Context(count).create_decimal(exact)), spec)
