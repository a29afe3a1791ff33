"""The encoding once more, from its definition, to 50 digits, to check the package against.

Nothing here comes from `posenc`. Functions return NumPy object arrays of mpmath numbers
and take the arguments of their namesakes, except `dtype`. NAMES evaluates the expressions that
stand on the pages; `formatted` writes a value as a page has to show it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Any

import numpy as np
from mpmath import MPContext

DIGITS = 50
mp = MPContext()  # a separate context: no other code changes its precision
mp.dps = DIGITS + 10  # ten more, which rounding may spoil


def frequencies(d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Radians per position of each pair, `base ** (-2 i / d_model)`."""
    return _array(_frequencies(int(d_model), mp.mpf(base)))


def wavelengths(d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Positions per turn of each pair.

    >>> formatted(wavelengths(512)[-1], ",.0f")
    '60,611'
    >>> int(sum(wavelengths(512) <= 50))  # pairs that turn at least once in 50 positions
    58
    """
    return 2 * mp.pi / frequencies(d_model, base=base)


def encode(positions: Any, d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Sine in the even columns, cosine in the odd ones, shape `(..., d_model)`."""
    points = np.asarray(positions, dtype=object)
    rows = [_row(mp.mpf(point), int(d_model), mp.mpf(base)) for point in points.flat]
    return _array(rows).reshape(*points.shape, d_model)


def positional_encoding(
    length: int, d_model: int, *, start: int = 0, base: Any = 10_000
) -> np.ndarray:
    """Rows `start` to `start + length - 1` of the encoding."""
    return encode(range(start, start + length), d_model, base=base)


def shift_matrix(offset: Any, d_model: int, *, base: Any = 10_000) -> np.ndarray:
    """Rotation that takes the encoding of p to that of p + offset."""
    matrix = _array([[mp.zero] * d_model for _ in range(d_model)])
    for i, frequency in enumerate(frequencies(d_model, base=base)):
        cosine, sine = mp.cos_sin(mp.mpf(offset) * frequency)
        matrix[2 * i : 2 * i + 2, 2 * i : 2 * i + 2] = [[cosine, sine], [-sine, cosine]]
    return matrix


def similarity(offset: Any, d_model: int, *, base: Any = 10_000) -> Any:
    """Dot product of the encodings of positions 0 and `offset`."""
    here, there = encode(0, d_model, base=base), encode(offset, d_model, base=base)
    return _dot(here, there)


def distance(offset: Any, d_model: int, *, base: Any = 10_000) -> Any:
    """Length of the difference of the encodings of positions 0 and `offset`."""
    apart = encode(0, d_model, base=base) - encode(offset, d_model, base=base)
    return sqrt(_dot(apart, apart))


def encode_low(
    positions: Any, d_model: int, *, precision: str, cast_last: bool = False, base: Any = 10_000
) -> np.ndarray:
    """Every step rounded to the format (or the exact values, with `cast_last`)."""
    points = np.asarray(positions, dtype=object)
    base = mp.mpf(base)
    rows = [_low_row(mp.mpf(p), int(d_model), base, precision, cast_last) for p in points.flat]
    return _array(rows).reshape(*points.shape, d_model)


def precision_error(
    positions: Any, d_model: int, *, precision: str, cast_last: bool = False, base: Any = 10_000
) -> Any:
    """Largest difference from the exact row."""
    low = encode_low(positions, d_model, precision=precision, cast_last=cast_last, base=base)
    return abs(low - encode(positions, d_model, base=base)).max(axis=-1)


def distinct_rows(
    positions: Any, d_model: int, *, precision: str, cast_last: bool = False, base: Any = 10_000
) -> int:
    """How many different rows there are."""
    low = encode_low(positions, d_model, precision=precision, cast_last=cast_last, base=base)
    return len({tuple(row) for row in low.reshape(-1, d_model)})


def rounded(value: Any, precision: str) -> Any:
    """`value` in the format, by the machine's own conversion or by mpmath's rounding.

    >>> float(rounded(mp.mpf(257), "bfloat16")), float(rounded(mp.mpf(0.1), "float16"))
    (256.0, 0.0999755859375)
    """
    if precision == "bfloat16":
        return mp.mpf(value, prec=8, rounding="n")  # within float32's exponents
    code = {"float16": "<e", "float32": "<f", "float64": "<d"}[precision]
    return mp.mpf(struct.unpack(code, struct.pack(code, float(value)))[0])


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
sqrt, log, exp, sin, cos, floor = (
    np.frompyfunc(function, 1, 1)
    for function in (mp.sqrt, mp.log, mp.exp, mp.sin, mp.cos, mp.floor)
)
NAMES: dict[str, Any] = {
    **{function.__name__: function for function in FUNCTIONS},
    **{"pi": +mp.pi, "euler_gamma": +mp.euler},
    **{"sqrt": sqrt, "log": log, "exp": exp, "sin": sin, "cos": cos, "floor": floor},
    **{"argmin": np.argmin, "argmax": np.argmax},
    **{function.__name__: function for function in (abs, all, min, max, sum, len, range)},
}


def formatted(value: Any, spec: str) -> str:
    """`value` in Python's format `spec`, correctly rounded, with a true minus and no minus zero.

    >>> formatted(-cos(10), ".3f"), formatted(exp(-30), ".1e"), formatted(12345, ",d")
    ('0.839', '9.4e−14', '12,345')
    """
    if isinstance(value, (bool, int, np.bool_, np.integer)):
        text = format(int(value), spec)
    else:
        text = _float_format(_decimal(value), spec)
    if not any(digit in text.partition("e")[0] for digit in "123456789"):
        text = text.removeprefix("-")
    return text.replace("-", "−")


def largest_error(values: Any, exact: np.ndarray) -> float:
    """Largest absolute difference of floating-point `values` from `exact` ones."""
    values = np.asarray(values)
    if values.shape != exact.shape or not np.isfinite(values).all():
        return np.inf
    return float(np.abs(values.astype(object) - exact).max(initial=mp.zero))


@lru_cache(maxsize=256)
def _frequencies(d_model: int, base: Any) -> tuple[Any, ...]:
    return tuple(base ** (-mp.mpf(2 * i) / d_model) for i in range(d_model // 2))


@lru_cache(maxsize=1024)
def _row(position: Any, d_model: int, base: Any) -> tuple[Any, ...]:
    pairs = (mp.cos_sin(position * frequency) for frequency in _frequencies(d_model, base))
    return tuple(value for cosine, sine in pairs for value in (sine, cosine))


@lru_cache(maxsize=8192)
def _low_row(position: Any, d_model: int, base: Any, form: str, last: bool) -> tuple[Any, ...]:
    if last:
        return tuple(rounded(value, form) for value in _row(position, d_model, base))
    place, row = rounded(position, form), []
    for frequency in _frequencies(d_model, base):
        phase = rounded(place * rounded(frequency, form), form)
        cosine, sine = mp.cos_sin(phase)
        row += [rounded(sine, form), rounded(cosine, form)]
    return tuple(row)


def _dot(left: np.ndarray, right: np.ndarray) -> Any:
    """Dot products of the rows, each rounded once."""
    return np.vectorize(mp.fdot, otypes=[object], signature="(n),(n)->()")(left, right)[()]


def _array(values: Iterable[Any]) -> np.ndarray:
    return np.array(values, dtype=object)


def _decimal(value: Any) -> Decimal:
    exact = Decimal(value) if isinstance(value, float) else Decimal(mp.nstr(value, DIGITS))
    if not exact.is_finite():
        raise ValueError(f"a page can show a finite number only, got {value}")
    return exact


def _float_format(exact: Decimal, spec: str) -> str:
    """`exact` as `format` writes a float: Decimal differs from it for zero, e and g."""
    options, precision, kind = re.fullmatch(r"(.*?)(?:\.(\d+))?([a-z%]?)", spec).groups()
    digits = 6 if precision is None else int(precision)
    if kind not in ("f", "e", "g", "%"):
        raise ValueError(f"a number with a fraction needs a format of type f, e, g or %: {spec!r}")
    if not exact:
        return format(0.0, spec)
    if kind == "e":
        text = format(exact, f"{options}.{digits}e")
        return re.sub(r"e([+-])(\d)$", r"e\g<1>0\2", text)
    if kind == "g":
        digits = max(digits, 1)
        power = int(format(exact, f".{digits - 1}e").partition("e")[2])
        plain = -4 <= power < digits
        inner = f".{digits - 1 - power}f" if plain else f".{digits - 1}e"
        number, mark, exponent = _float_format(exact, options + inner).partition("e")
        return (number.rstrip("0").rstrip(".") if "." in number else number) + mark + exponent
    return format(exact, f"{options}.{digits}{kind}")
