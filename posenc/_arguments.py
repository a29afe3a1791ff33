"""Checks of the public functions' arguments: an error gives the argument, rule and value."""

from __future__ import annotations

import math
import operator
import re
import reprlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
LARGEST_EXACT_INTEGER = 2**53  # above it, float64 skips integers
WIDEST = 2**20  # features: the frequencies of more would keep a machine busy for long
_SHORT = reprlib.Repr()
_SHORT.maxlevel = 2
_LONGEST = 120  # characters of a value in a message
_DTYPES = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64))


def integer(name: str, value: object, *, least: int, most: int = LARGEST_EXACT_INTEGER) -> int:
    """Return `value` as an int of at least `least` and at most `most`."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, got {shown(value)}")
    try:
        if np.ma.is_masked(value):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {shown(value)}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {shown(number)}")
    if number > most:
        raise ValueError(f"{name} must be at most {most}, got {shown(number)}")
    return number


def counted(start: float, count: int, *, name: str = "length") -> None:
    """Refuse `count` positions from `start` on if float64 skips some; `name` is that of `count`."""
    for what, value in (("start", start), (f"start + {name}", start + count)):
        if abs(value) > LARGEST_EXACT_INTEGER:
            raise ValueError(f"{what} must lie within ±2**53, got {value}")


def width(d_model: object) -> int:
    """Return `d_model` as an even positive int."""
    number = integer("d_model", d_model, least=-math.inf, most=WIDEST)  # type: ignore[arg-type]
    if number <= 0 or number % 2:
        cure = ": posenc.Convention has odd widths" if number > 1 else ""
        raise ValueError(f"d_model must be even and positive, got {shown(number)}{cure}")
    return number


def positive(name: str, value: object) -> float:
    """Return `value` as a finite float above zero."""
    number = _real(name, value)
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} must be finite and greater than 0, got {shown(value)}")
    return number


def finite(name: str, value: object, *, zero: bool = True) -> float:
    """Return `value` as a finite float; zero only if `zero` allows it."""
    number = _real(name, value)
    if not math.isfinite(number) or not (zero or number):
        rule = "finite" if zero else "finite and not 0"
        raise ValueError(f"{name} must be {rule}, got {shown(value)}")
    return number


def flag(name: str, value: object) -> bool:
    """Return `value` as a bool; refuse numbers."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {shown(value)}")
    return bool(value)


def choice(name: str, value: object, options: tuple[str, ...]) -> None:
    """Refuse a `value` that is none of the `options`."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a string, got {shown(value)}")
    if value not in options:
        rule = " or ".join(repr(option) for option in options)
        raise ValueError(f"{name} must be {rule}, got {shown(value)}")


def _real(name: str, value: object) -> float:
    """Return `value` as a float, infinite if it exceeds float64."""
    kind = getattr(getattr(value, "dtype", None), "kind", "f")  # float() accepts complex128 and '5'
    numeric = hasattr(value, "__float__") or hasattr(value, "__index__")
    several = getattr(value, "ndim", 0) != 0 or np.ma.is_masked(value)  # float() only warns
    if isinstance(value, bool) or kind not in "iuf" or not numeric or several:
        raise TypeError(f"{name} must be a real number, got {shown(value)}")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a real number, got {shown(value)}") from None
    except OverflowError:
        number = math.inf
    return number


def entries(name: str, values: object, *, of: str = "numbers") -> list[Any]:
    """Return the entries of `values`, a list, a tuple, a range or an array of one axis."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        return list(values.tolist())
    if isinstance(values, str | bytes | bytearray) or not isinstance(values, Sequence):
        raise TypeError(f"{name} must be a list of {of}, got {shown(values)}")
    return list(values)


def as_array(name: str, values: npt.ArrayLike) -> npt.NDArray[Any]:
    """Return `values` as an array of any dtype; refuse lists of different lengths, and masks."""
    if np.ma.is_masked(values):
        raise ValueError(f"{name} must have no masked entries, got {shown(values)}")
    try:
        return np.asarray(values)
    except MemoryError:
        raise
    except Exception as error:  # a list of lists, or what an object's __array__ raises
        rule = "be an array of real numbers"
        raise TypeError(f"{name} must {rule}, got {shown(values)}") from error


def reals(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return `values` as float64, any shape; refuse numbers that float64 cannot hold."""
    array = as_array(name, values)
    if array.dtype.kind not in "iuf" and array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        if array.size == 0 and array.dtype.kind in "iuf":
            return array.astype(np.float64)
        got = f"{shown(values)} of dtype {array.dtype}"
        raise TypeError(f"{name} must hold real numbers that float64 can hold, got {got}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        worst = array[~np.isfinite(array)].flat[0]
        raise ValueError(f"{name} must be finite, got {worst}")
    if array.dtype.kind in "iu":
        _refuse_inexact(name, array)
    return array.astype(np.float64)


def _refuse_inexact(name: str, integers: npt.NDArray[Any]) -> None:
    limit = LARGEST_EXACT_INTEGER
    outside = (integers > limit) | (integers < -limit)
    if outside.any():
        worst = integers[outside].flat[0]
        raise ValueError(f"{name} given as integers must lie within ±2**53, got {worst}")


def floating(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """Return `dtype` as float16, float32, float64, or as the bfloat16 of ml_dtypes."""
    if type(dtype).__module__ == "torch":  # torch.float32
        return floating(str(dtype).removeprefix("torch."))
    if isinstance(dtype, str) and dtype == "bfloat16":
        return _bfloat16()
    try:
        if isinstance(dtype, type | np.dtype):
            kind = np.dtype(dtype)
        else:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about "a", an old name of bytes
                kind = np.dtype(dtype)
    except Exception as error:  # NumPy raises TypeError, ValueError or SyntaxError
        raise (ValueError if isinstance(dtype, str) else TypeError)(_dtypes(dtype)) from error
    if dtype is None:
        raise TypeError(_dtypes(dtype))
    if kind not in _DTYPES and kind.name != "bfloat16":
        raise ValueError(_dtypes(dtype))
    return kind


def _dtypes(dtype: object) -> str:
    return f"dtype must be float16, bfloat16, float32 or float64, got {shown(dtype)}"


def _bfloat16() -> np.dtype[Any]:
    try:
        from ml_dtypes import bfloat16  # type: ignore[import-not-found, unused-ignore]
    except ModuleNotFoundError as error:
        raise ValueError(
            "dtype must be one that NumPy has without the package ml_dtypes,"
            " which is not installed, got 'bfloat16'"
        ) from error
    kind: np.dtype[Any] = np.dtype(bfloat16)
    return kind


def one_of(name: str, value: object, choices: Mapping[str, T]) -> T:
    """Return the entry of `choices` named `value`."""
    *first, last = choices
    names = f"{', '.join(first)} or {last}" if first else last
    rule = f"{name} must be {names}, got {shown(value)}"
    if not isinstance(value, str):
        raise TypeError(rule)
    if value not in choices:
        raise ValueError(rule)
    return choices[value]


def shown(value: object) -> str:
    """Return a short text of `value` for a message, in one line, even if its repr fails."""
    try:
        text = re.sub(r"\n\s*", " ", _SHORT.repr(value))  # NumPy breaks the lines of arrays
    except Exception:  # an int of thousands of digits has no repr
        return f"an object of type {type(value).__name__}"
    head = (_LONGEST - 3) // 2
    return text if len(text) <= _LONGEST else f"{text[:head]}...{text[head + 3 - _LONGEST :]}"
