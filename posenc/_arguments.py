"""What the public functions accept: each check names the argument, the rule and the value."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
import numpy.typing as npt

LARGEST_EXACT_INTEGER = 2**53  # above it float64 has no room for every integer
_DTYPES = (np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64))


def integer(name: str, value: object, *, least: int) -> int:
    """`value` as an int of at least `least`."""
    if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be an integer, got {value!r}") from None
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}")
    return number


def width(d_model: object) -> int:
    """`d_model` as an even positive int."""
    number = integer("d_model", d_model, least=-math.inf)  # type: ignore[arg-type]
    if number <= 0 or number % 2:
        raise ValueError(f"d_model must be even and positive, got {number}")
    return number


def positive(name: str, value: object) -> float:
    """`value` as a finite float above zero."""
    if isinstance(value, (bool, np.bool_, str, bytes)):
        raise TypeError(f"{name} must be a real number, got {value!r}")
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a real number, got {value!r}") from None
    except OverflowError:
        number = math.inf
    if not (math.isfinite(number) and number > 0):
        raise ValueError(f"{name} must be finite and greater than 0, got {value!r}")
    return number


def reals(name: str, values: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """`values` as float64, any shape, refusing what float64 cannot hold."""
    try:
        array = np.asarray(values)
    except ValueError:
        raise TypeError(f"{name} must be an array of real numbers, got {values!r}") from None
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        if array.size == 0 and array.dtype.kind in "iuf":
            return array.astype(np.float64)
        raise TypeError(f"{name} must hold real numbers that float64 can hold, got {array.dtype}")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        worst = array[~np.isfinite(array)].flat[0]
        raise ValueError(f"{name} must be finite, got {worst}")
    if array.dtype.itemsize == 8 and array.dtype.kind in "iu":
        _refuse_inexact(name, array)
    return array.astype(np.float64)


def _refuse_inexact(name: str, integers: npt.NDArray[Any]) -> None:
    limit = LARGEST_EXACT_INTEGER
    outside = (integers > limit) | (integers < -limit if integers.dtype.kind == "i" else False)
    if outside.any():
        worst = integers[outside].flat[0]
        raise ValueError(f"{name} given as integers must lie within ±2**53, got {worst}")


def floating(dtype: npt.DTypeLike) -> np.dtype[Any]:
    """`dtype` as one of the floating types that NumPy computes on every platform."""
    try:
        kind = np.dtype(dtype)
    except TypeError:
        kind = None
    if dtype is None or kind not in _DTYPES:
        raise TypeError(f"dtype must be float16, float32 or float64, got {dtype!r}")
    return kind
