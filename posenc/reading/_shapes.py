"""Turn the arrays that users have into tables: drop axes of length 1, use one of equal slices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.reading._names import kinds

_LARGEST = 1e50  # products of a few larger values would overflow
_MOST = 0.7  # share of pairs of which cosine and sine lie on one circle


@dataclass(frozen=True)
class Given:
    """Ways to read an array as a table.

    `values` are a table `(n, d)`, or cosines and sines `(2, n, d)`; `grids` have axes
    `(height, width, d)`. An array of `shape` held
    `copies` of them.
    """

    values: FloatArray | None = None
    grids: tuple[FloatArray, ...] = ()
    copies: int = 1
    shape: tuple[int, ...] = ()


def given(table: npt.ArrayLike | Mapping[str, Any]) -> Given:
    """Read `table`; the errors are those of `identify`."""
    if isinstance(table, Mapping):
        return Given(values=_cosines_and_sines(table))
    array = _arguments.as_array("table", table)
    if array.dtype.kind == "c":
        turning = without_ones(array)
        if turning.ndim != 2:
            raise _other_shape(turning.shape)
        return Given(values=_real(np.stack([turning.real, turning.imag]), 2))
    whole = without_ones(_numbers(array))
    array, copies = _without_copies(whole)
    held = Given(copies=copies, shape=whole.shape)
    if array.ndim == 2:
        return replace(held, values=_real(array, array.ndim))
    if array.ndim == 3:
        values = _real(array, array.ndim)
        both = _stacked(values)
        if both is not None:
            return replace(held, values=both)
        grids = [values, np.moveaxis(values, 0, 2)]  # channels last or first
        fits = tuple(grid for grid in grids if grid.shape[2] % 4 == 0)
        if fits:
            return replace(held, grids=fits)
    raise _other_shape(array.shape)


def _other_shape(shape: tuple[int, ...]) -> ValueError:
    rule = "have two axes, at least one row and two columns"
    return ValueError(f"table must {rule}, got shape {shape}")


def _numbers(table: npt.ArrayLike) -> npt.NDArray[Any]:
    """`table` as an array of numbers, which may be NaN or infinite."""
    array = _arguments.as_array("table", table)
    if array.dtype.name == "bfloat16":
        array = array.astype(np.float32)
    if array.dtype.char in "efd":  # float16, float32 and float64
        return array
    return _arguments.reals("table", array)


def _real(array: npt.NDArray[Any], axes: int) -> FloatArray:
    """`array` as float64; an error says where a number is missing."""
    shape = array.shape[-axes:]
    if min(shape) < 1 or shape[1] < 2:  # of three axes, none has length 1 any more
        raise _other_shape(shape)
    with np.errstate(invalid="ignore"):  # a signalling NaN
        values = array.astype(np.float64)
    fits = np.abs(values) <= _LARGEST
    if not fits.all():
        place = np.argwhere(~fits)[0]
        row, column = place[-2:].tolist()
        where = f"row {row}, column {column}" if axes == 2 else f"index {tuple(place.tolist())}"
        rule = "at most 1e50 in size" if np.isfinite(array[tuple(place)]) else "finite"
        raise ValueError(f"table must be {rule}, got {array[tuple(place)]} at {where}")
    return values


def without_ones(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`array` without axes of length 1, but with two axes at least."""
    while array.ndim > 2 and 1 in array.shape:
        array = array.squeeze(array.shape.index(1))
    return array


def _without_copies(array: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], int]:
    """One slice along each axis but the last where all slices are equal, and their number."""
    count, axis = 1, 0
    while array.size and array.ndim > 2 and axis < array.ndim - 1:
        slices = np.moveaxis(array, axis, 0)
        first = slices[0]
        if (slices == first).all():
            count *= len(slices)
            array = first
        else:
            axis += 1
    return array, count


def _stacked(values: FloatArray) -> FloatArray | None:
    """Cosines and sines `(2, n, d)` if an axis of length 2 holds them, first or last."""
    for axis in (0, 2):
        if values.shape[axis] == 2:
            both = np.moveaxis(values, axis, 0)
            lengths = (both[:, :8] ** 2).sum(axis=0)
            usual = np.median(lengths)
            if np.mean(np.abs(lengths - usual) <= 0.1 * usual) > _MOST:
                return both
    return None


def _cosines_and_sines(held: Mapping[str, Any]) -> FloatArray:
    """The two arrays of a mapping, whose names say which has the cosines."""
    said = kinds(*map(str, held)) if len(held) == 2 else None
    if said is None:
        got = _arguments.shown(list(held))
        raise ValueError(f"table must have one array of cosines and one of sines, got {got}")
    parts = [_without_copies(without_ones(_numbers(array)))[0] for array in held.values()]
    cosines, sines = parts if said == ("cos", "sin") else parts[::-1]
    if cosines.ndim != 2 or cosines.shape != sines.shape:
        got = f"{cosines.shape} and {sines.shape}"
        raise ValueError(f"table must have cosines and sines of one shape (n, d), got {got}")
    return _real(np.stack([cosines, sines]), 2)
