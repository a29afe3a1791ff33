"""Turn the arrays that users have into tables: drop axes of length 1, use one of equal slices."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.identification._words import Finding, finding

_LARGEST = 1e50  # products of a few larger values would overflow
_MOST = 0.7  # share of pairs of which cosine and sine lie on one circle


@dataclass(frozen=True)
class Given:
    """Ways to read an array as a table, and findings about the array.

    `values` are a table `(n, d)`, or cosines and sines `(2, n, d)`; `grids` have axes
    `(height, width, d)`.
    """

    values: FloatArray | None = None
    grids: tuple[FloatArray, ...] = ()
    findings: tuple[Finding, ...] = ()


def given(table: npt.ArrayLike | Mapping[str, Any]) -> Given:
    """Read `table`; the errors are those of `identify`."""
    if isinstance(table, Mapping):
        return Given(values=_cosines_and_sines(table))
    array = _arguments.as_array("table", table)
    if array.dtype.kind == "c":
        turning = _without_ones(array)
        if turning.ndim != 2:
            raise _other_shape(turning.shape)
        return Given(values=_real(np.stack([turning.real, turning.imag]), 2))
    array, findings = _without_copies(_without_ones(_numbers(array)))
    if array.ndim == 2:
        return Given(values=_real(array, array.ndim), findings=findings)
    if array.ndim == 3:
        values = _real(array, array.ndim)
        both = _stacked(values)
        if both is not None:
            return Given(values=both, findings=findings)
        grids = [values, np.moveaxis(values, 0, 2)]  # channels last or first
        whole = tuple(grid for grid in grids if grid.shape[2] % 4 == 0)
        if whole:
            return Given(grids=whole, findings=findings)
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


def _without_ones(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """`array` without axes of length 1, but with two axes at least."""
    while array.ndim > 2 and 1 in array.shape:
        array = array.squeeze(array.shape.index(1))
    return array


def _without_copies(array: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], tuple[Finding, ...]]:
    """One slice along each axis but the last where all slices are equal."""
    shape, count = array.shape, 1
    axis = 0
    while array.size and array.ndim > 2 and axis < array.ndim - 1:
        slices = np.moveaxis(array, axis, 0)
        first = slices[0]
        if (slices == first).all():
            count *= len(slices)
            array = first
        else:
            axis += 1
    found = (finding("equal-slices", count=count, shape=str(shape)),) if count > 1 else ()
    return array, found


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
    parts = [_without_copies(_without_ones(_numbers(array)))[0] for array in held.values()]
    cosines, sines = parts if said == ("cos", "sin") else parts[::-1]
    if cosines.ndim != 2 or cosines.shape != sines.shape:
        got = f"{cosines.shape} and {sines.shape}"
        raise ValueError(f"table must have cosines and sines of one shape (n, d), got {got}")
    return _real(np.stack([cosines, sines]), 2)


def spellings(name: str) -> dict[str, str]:
    """`name` with a star in the place of one "cos" or "sin", and which of the two stood there.

    >>> spellings("single.cos")
    {'*gle.cos': 'sin', 'single.*': 'cos'}
    """
    found = re.finditer("cos(in)?|sin", name)
    return {f"{name[: part.start()]}*{name[part.end() :]}": part[0][:3] for part in found}


def kinds(one: str, other: str) -> tuple[str, str] | None:
    """What two names mean: ("cos", "sin") or ("sin", "cos"), or None if they do not say.

    Names that differ only there say it, and so do others that have only one of the two.

    >>> kinds("single.cos", "single.sin"), kinds("sine", "the cosines")
    (('cos', 'sin'), ('sin', 'cos'))
    """
    here, there = spellings(one), spellings(other)
    pairs = [(kind, there[key]) for key, kind in here.items() if key in there]
    if len({*here.values()}) == len({*there.values()}) == 1:
        pairs += zip(here.values(), there.values(), strict=False)
    return next((pair for pair in pairs if pair[0] != pair[1]), None)
