"""Pairs of features, turned by angles whose cosines and sines are given."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from posenc import _arguments

Layout = Literal["halves", "interleaved"]
FloatArray = npt.NDArray[np.float64]


def heads(x: npt.ArrayLike, head_dim: int) -> npt.NDArray[Any]:
    """`x` as an array of floats whose last axis has `head_dim` features."""
    array = np.asarray(x)
    if array.dtype.kind not in "iuf" and array.dtype.name != "bfloat16":
        raise ValueError(f"x must hold real numbers, got dtype {array.dtype}")
    if array.ndim == 0 or array.shape[-1] != head_dim:
        got = f"shape {array.shape}"
        raise ValueError(f"x must have head_dim = {head_dim} features on its last axis, got {got}")
    return array if array.dtype.kind not in "iu" else array.astype(np.float64)


def turned(
    x: npt.NDArray[Any], cosine: FloatArray, sine: FloatArray, layout: Layout
) -> npt.NDArray[Any]:
    """`(x1, x2)` of each pair as `(x1 cos - x2 sin, x1 sin + x2 cos)`, in the dtype of `x`.

    Cosine and sine have shape `(..., pairs)`; features after the first `2 * pairs` pass through.
    """
    shape = _common_shape(x.shape[:-1], cosine.shape[:-1])
    exact = x.dtype.itemsize >= 4  # float16 and bfloat16 are computed in float32
    working = x if exact else x.astype(np.float32)
    cosine, sine = cosine.astype(working.dtype), sine.astype(working.dtype)
    out = np.empty((*shape, x.shape[-1]), working.dtype)
    width = 2 * cosine.shape[-1]
    (x1, x2), (out1, out2) = _halves(working, width, layout), _halves(out, width, layout)
    np.multiply(x1, cosine, out=out1)
    out1 -= x2 * sine
    np.multiply(x1, sine, out=out2)
    out2 += x2 * cosine
    out[..., width:] = working[..., width:]
    return out if exact else out.astype(x.dtype)


def _halves(
    x: npt.NDArray[Any], width: int, layout: Layout
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """The first and the second feature of every pair, as views of `x`."""
    if layout == "halves":
        return x[..., : width // 2], x[..., width // 2 : width]
    return x[..., 0:width:2], x[..., 1:width:2]


def _common_shape(heads: tuple[int, ...], positions: tuple[int, ...]) -> tuple[int, ...]:
    try:
        return np.broadcast_shapes(heads, positions)
    except ValueError:
        rule = f"broadcast to the leading axes of x, {heads}"
        got = _arguments.shown(positions)
        raise ValueError(f"positions must {rule}, got shape {got}") from None
