"""Pairs of features, turned by angles whose cosines and sines are given."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._formats import cast
from posenc._phase import ComplexArray, FloatArray
from posenc.rotary._foreign import Back, numpy_array

Layout = Literal["halves", "interleaved"]
Table = tuple[npt.NDArray[Any], npt.NDArray[Any]]

_CHUNK = 1 << 17  # features turned at once: 1 MiB of float64


def cosine_sine(pairs: ComplexArray, dtype: npt.DTypeLike) -> Table:
    """The two parts of `sin + 1j * cos`, the cosine first, each rounded once to `dtype`."""
    target = _arguments.floating(dtype)
    cosine, sine = (np.ascontiguousarray(cast(part, target)) for part in (pairs.imag, pairs.real))
    return cosine, sine


def phasors(pairs: ComplexArray) -> ComplexArray:
    """`cos + 1j * sin` from `sin + 1j * cos`."""
    out = np.empty_like(pairs)
    out.real, out.imag = pairs.imag, pairs.real
    return out


def heads(x: Any, head_dim: int) -> tuple[npt.NDArray[Any], Back]:
    """`x` as an array of floats whose last axis has `head_dim` features, and the way back."""
    array, back = numpy_array("x", x)
    if array.dtype.kind not in "iuf" and array.dtype.name != "bfloat16":
        raise ValueError(f"x must hold real numbers, got dtype {array.dtype}")
    if array.ndim == 0 or array.shape[-1] != head_dim:
        got = f"shape {array.shape}"
        raise ValueError(f"x must have head_dim = {head_dim} features on its last axis, got {got}")
    if array.dtype.kind in "iu":
        return array.astype(np.float64), back
    native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    return native, back


def aligned(
    positions: tuple[int, ...], heads: tuple[int, ...], axis: int | None
) -> tuple[int, ...]:
    """The shape of `positions` with axes of length 1, so that they broadcast along `axis` of x.

    `heads` is the shape of x without its features. Without an `axis` the shape stays, but
    ValueError is raised if the positions also fit another axis of x than the last but one.
    """
    if axis is not None:
        number = _arguments.integer("axis", axis, least=-len(heads) - 1, most=len(heads) - 1)
        number += len(heads) + 1 if number < 0 else 0
        if number == len(heads):
            raise ValueError(f"axis must not be the axis of features, got {axis}")
        if len(positions) > number + 1 or positions[-1:] != heads[number : number + 1]:
            rule = f"end in {heads[number]} numbers, as axis {axis} of x, and have no axis after it"
            raise ValueError(f"positions must {rule}, got shape {positions}")
        return positions + (1,) * (len(heads) - 1 - number)
    if 0 < len(positions) < len(heads) and positions[-1] != 1 and positions[-1] == heads[-1]:
        fitting = [i for i, count in enumerate(heads) if count == positions[-1]]
        if len(fitting) > 1:
            rule = f"axis must say which axis of x has the positions: {positions} fits axes"
            raise ValueError(f"{rule} {' and '.join(map(str, fitting))} of x {heads}")
    return positions


def turned(
    x: npt.NDArray[Any], cosine: FloatArray, sine: FloatArray, layout: Layout
) -> npt.NDArray[Any]:
    """`(x1, x2)` of each pair as `(x1 cos - x2 sin, x1 sin + x2 cos)`, in the dtype of `x`.

    Cosine and sine have shape `(..., pairs)`; features after the first `2 * pairs` pass through.
    Raises ValueError if a turned feature exceeds the dtype.
    """
    shape = _common_shape(x.shape[:-1], cosine.shape[:-1])
    half = x.dtype.itemsize == 2  # float16 and bfloat16 are computed in float32
    working = x.astype(np.float32) if half else x
    out = np.empty((*shape, x.shape[-1]), working.dtype)
    width = 2 * cosine.shape[-1]
    turn = _halves if layout == "halves" else _neighbours
    out[..., width:] = working[..., width:]
    try:
        with np.errstate(over="raise", under="ignore"):
            for rows in _chunks(out):
                part = _rows(working, rows)[..., :width], _rows(out, rows)[..., :width]
                turn(*part, _rows(cosine, rows), _rows(sine, rows))
            narrow = out.astype(x.dtype) if half else out
    except FloatingPointError:
        raise _overflow(x) from None
    if x.dtype.name == "bfloat16" and (np.isinf(narrow) > np.isinf(out)).any():  # says nothing
        raise _overflow(x)
    return narrow


def _overflow(x: npt.NDArray[Any]) -> ValueError:
    largest = float(np.abs(x[np.isfinite(x)]).max())
    rule = f"stay within {x.dtype.name} when it is turned"
    return ValueError(f"x must {rule}, got values up to {largest:g}")


def _chunks(out: npt.NDArray[Any]) -> list[slice]:
    """Slices of the last axis but one: temporaries of their size stay in the cache."""
    count = out.shape[-2] if out.ndim > 1 else 1
    step = max(1, _CHUNK * count // max(1, out.size))
    return [slice(first, first + step) for first in range(0, count, step)]


def _rows(array: npt.NDArray[Any], rows: slice) -> npt.NDArray[Any]:
    return array if array.ndim < 2 or array.shape[-2] == 1 else array[..., rows, :]


def _halves(
    x: npt.NDArray[Any], out: npt.NDArray[Any], cosine: FloatArray, sine: FloatArray
) -> None:
    """Turn features i and i + pairs by operations on whole rows, which are fast."""
    pairs = cosine.shape[-1]
    cosines = np.empty((*cosine.shape[:-1], 2 * pairs), x.dtype)
    sines = np.empty_like(cosines)
    cosines[..., :pairs] = cosines[..., pairs:] = cosine
    np.negative(sine, out=sines[..., :pairs])
    sines[..., pairs:] = sine
    out[..., :pairs], out[..., pairs:] = x[..., pairs:], x[..., :pairs]
    out *= sines
    out += x * cosines


def _neighbours(
    x: npt.NDArray[Any], out: npt.NDArray[Any], cosine: FloatArray, sine: FloatArray
) -> None:
    """Turn features 2i and 2i + 1: the product of two complex numbers."""
    kind = np.result_type(x.dtype, np.complex64)
    phasors = np.empty(cosine.shape, kind)
    phasors.real, phasors.imag = cosine, sine
    rows = x if x.strides[-1] == x.itemsize else np.ascontiguousarray(x)
    np.multiply(rows.view(kind), phasors, out=out.view(kind))


def _common_shape(heads: tuple[int, ...], positions: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(heads, positions)
    except ValueError:
        rule = f"broadcast to the leading axes of x, {heads}"
        fits = [i for i, count in enumerate(heads) if positions and count == positions[-1]]
        cure = f" (axis={fits[0]} turns along that axis)" if fits else ""
        got = _arguments.shown(positions)
        raise ValueError(f"positions must {rule}, got shape {got}{cure}") from None
