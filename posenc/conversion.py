"""Convert a table between conventions: a permutation of columns, signs and one factor."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.conventions import NOTHING, Convention, IntArray

_EQUAL = 2.0**-50  # frequencies with a smaller relative difference are equal


def convert(table: npt.NDArray[Any], source: Convention, target: Convention) -> npt.NDArray[Any]:
    """`table` of shape `(..., d_model)`, made by `source`, as `target` would have made it.

    Moves columns, flips the sign of sines where `angle_scale` does, and replaces the
    amplitude, so nothing is lost; the floating dtype is kept. Both need the same `offset`:
    slice the table to change positions.

    Raises ValueError if the two have different frequencies at this width (the message gives
    the largest difference), different offsets, or if `target` needs a column that `source`
    omits; TypeError if `table` does not hold real numbers or an argument is no Convention.

    >>> halves = Convention(arrangement="halves")
    >>> convert(np.array([[0.8415, 0.01, 0.5403, 1.0]]), halves, Convention())
    array([[0.8415, 0.5403, 0.01  , 1.    ]])
    """
    for name, kind in (("source", source), ("target", target)):
        if not isinstance(kind, Convention):
            raise TypeError(f"{name} must be a Convention, got {_arguments.shown(kind)}")
    values = _arguments.reals("table", table)
    if values.ndim == 0:
        raise ValueError(f"table must have columns, got the number {values}")
    if source.offset != target.offset:
        got = f"{source.offset} and {target.offset}: slice the table to change positions"
        raise ValueError(f"source and target must have the same offset, got {got}")
    d_model = values.shape[-1]
    signs = _signs(source, target, d_model)
    have, want = source.columns(d_model), target.columns(d_model)
    if len(have) != d_model:
        raise ValueError(f"table must be as wide as source makes it: {len(have)}, got {d_model}")
    values = values[..., _places(have, want)]
    factor = np.where(want % 2 == 0, signs[np.maximum(want, 0) // 2], 1.0)  # sines are odd
    values *= factor * (target.amplitude / source.amplitude)
    dtype = np.asarray(table).dtype
    return values.astype(dtype, copy=False) if dtype.kind == "f" else values


def _signs(source: Convention, target: Convention, d_model: int) -> FloatArray:
    """+1 or -1 for each pair: whether `source` and `target` turn in the same direction."""
    here, there = source.frequencies(d_model), target.frequencies(d_model)
    if len(here) != len(there):
        got = f"{len(here)} and {len(there)}"
        raise ValueError(f"source and target must have as many pairs at width {d_model}, got {got}")
    apart = np.abs(np.abs(here) - np.abs(there))
    if (apart > _EQUAL * np.abs(here)).any():
        i = int(apart.argmax())
        got = f"{here[i]:.6g} and {there[i]:.6g} radians per position at pair {i}"
        raise ValueError(
            f"source and target must have the same frequencies at width {d_model}; "
            f"they differ most by {apart[i]:.3g}, got {got}"
        )
    signs: FloatArray = np.sign(here) * np.sign(there)
    return signs


def _places(have: IntArray, want: IntArray) -> IntArray:
    """Where each column of `want` stands in `have`."""
    lacking = np.setdiff1d(want, have)
    if lacking.size:
        code = int(lacking[0])
        what = f"the {'cosine' if code % 2 else 'sine'} of pair {code // 2}"
        what = "a column of zeros" if code == NOTHING else what
        raise ValueError(f"source must hold every column of target, got none with {what}")
    order = np.argsort(have)
    return order[np.searchsorted(have, want, sorter=order)]
