"""The encoding computed in low precision, and its difference from the exact one.

This models the best case of low precision: positions, frequencies, their products, sines and
cosines are each rounded to the nearest number of the format, ties to even (IEEE 754). Each
step rounds once; a library that takes more steps loses more. `posenc.rotary.ENGINES` has the steps
of some programs.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._formats import FORMATS, Format, rounded
from posenc._phase import FloatArray
from posenc.encoding import encode, frequencies
from posenc.rotary import Rotary


def encode_low(
    positions: npt.ArrayLike,
    d_model: int | Rotary,
    *,
    precision: str,
    cast_last: bool = False,
    base: float = 10_000.0,
) -> FloatArray:
    """Encoding of real positions of shape `(...)` as `precision` computes it, `(..., d_model)`.

    `precision` is float16, bfloat16, float32 or float64. Every step is rounded to it: position,
    frequency, phase (radians), sine and cosine. With `cast_last`, only the exact results are
    rounded, once. Either way the values are numbers of that format, returned as float64.

    A `Rotary` in the place of `d_model` gives the sine and cosine of its pair i in columns 2i and
    2i + 1, without the attention factor. Where its frequencies depend on the length of the text,
    give `Rotary(head_dim, frequencies=rotary.frequencies(length))`.

    Raises TypeError if `precision` is not a string or `cast_last` not a bool, ValueError if
    `precision` is none of these, or without `cast_last` if a position or a phase exceeds the
    largest number of the format, or if a `base` comes with a `Rotary`; otherwise as `encode`.
    Formats: IEEE 754-2019, section 3.6; bfloat16 has float32's exponent and 8 bits.

    >>> encode_low([256, 257], 2, precision="bfloat16").round(4)
    array([[-1.    , -0.0398],
           [-1.    , -0.0398]])
    >>> encode_low([256, 257], 2, precision="bfloat16", cast_last=True).round(4)
    array([[-1.    , -0.0398],
           [-0.5742,  0.8203]])
    """
    form, last = (
        _arguments.one_of("precision", precision, FORMATS),
        _arguments.flag("cast_last", cast_last),
    )
    points = _arguments.reals("positions", positions)
    frequency = _frequencies(d_model, base)
    if last:
        return rounded(_exact(points, d_model, base), form)
    place, rate = rounded(points, form), rounded(frequency, form)
    _refuse_overflow(points, place, rate, form)
    phase = rounded(place[..., np.newaxis] * rate, form)  # (..., pairs)
    out = np.empty((*points.shape, 2 * len(rate)))
    out[..., 0::2] = rounded(np.sin(phase), form)
    out[..., 1::2] = rounded(np.cos(phase), form)
    return out


def precision_error(
    positions: npt.ArrayLike,
    d_model: int | Rotary,
    *,
    precision: str,
    cast_last: bool = False,
    base: float = 10_000.0,
) -> FloatArray | np.float64:
    """Largest error of each position's encoding in `precision`, in the shape of `positions`.

    The largest difference between `encode_low` and `encode` over the columns: at most about 2,
    the difference between sine's extremes. Raises as `encode_low` does.

    >>> precision_error([256, 257], 64, precision="bfloat16").round(2)
    array([0.1 , 0.86])
    >>> precision_error(100_000, Rotary(128, base=500_000), precision="float32").round(4)
    np.float64(0.0045)
    """
    options = {"precision": precision, "cast_last": cast_last, "base": base}
    low = encode_low(positions, d_model, **options)  # type: ignore[arg-type]
    errors: FloatArray | np.float64 = np.abs(low - _exact(positions, d_model, base)).max(-1)
    return errors


def distinct_rows(
    positions: npt.ArrayLike,
    d_model: int | Rotary,
    *,
    precision: str,
    cast_last: bool = False,
    base: float = 10_000.0,
) -> int:
    """Number of different rows that `encode_low` gives for `positions` (any shape).

    Without `cast_last`, positions that the format rounds to one number have one row: bfloat16
    holds every integer up to 256, then every second one up to 512.
    Raises as `encode_low` does.

    >>> distinct_rows(range(512), 64, precision="bfloat16")
    385
    """
    options = {"precision": precision, "cast_last": cast_last, "base": base}
    low = encode_low(positions, d_model, **options)  # type: ignore[arg-type]
    return len(np.unique(low.reshape(-1, low.shape[-1]), axis=0))


def _frequencies(d_model: int | Rotary, base: float) -> FloatArray:
    if not isinstance(d_model, Rotary):
        return frequencies(d_model, base=base)
    if base != 10_000.0:
        got = _arguments.shown(base)
        raise ValueError(f"base must be left out beside a Rotary, which has its own, got {got}")
    return d_model.frequencies()


def _exact(positions: npt.ArrayLike, d_model: int | Rotary, base: float) -> FloatArray:
    if not isinstance(d_model, Rotary):
        return encode(positions, d_model, base=base)
    cosine, sine = d_model.cosine_sine(positions)
    return np.stack([sine, cosine], axis=-1).reshape(*sine.shape[:-1], -1)


def _refuse_overflow(points: FloatArray, place: FloatArray, rate: FloatArray, form: Format) -> None:
    if np.isinf(place).any():
        worst = points[np.isinf(place)].flat[0]
        limit = f"{form.largest:.6g}"
        raise ValueError(f"positions must fit in {form.name} (at most {limit}), got {worst}")
    furthest, fastest = float(np.abs(place).max(initial=0.0)), float(np.abs(rate).max())
    if not (np.isfinite(fastest) and np.isfinite(rounded(np.array(furthest * fastest), form))):
        got = f"position {furthest} and frequency {fastest}"
        raise ValueError(f"base must keep position * frequency within {form.name}, got {got}")
