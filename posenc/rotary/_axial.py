"""Pairs of features that several coordinates turn, each pair by one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from decimal import Decimal
from functools import lru_cache
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import ComplexArray, FloatArray, Frequencies, sine_and_cosine
from posenc._renamed import rename
from posenc.rotary._exact import EXACT, is_within_float64, split
from posenc.rotary._foreign import numpy_array
from posenc.rotary._turn import Layout, Table, aligned, cosine_sine, heads, phasors, turned

_split = lru_cache(split)


@dataclass(frozen=True)
class AxialRotary:
    """Pairs of features, each turned by one coordinate of a position.

    Coordinate `axes[i]` turns pair i by `frequencies[i]` radians per unit; the first
    `2 * len(axes)` of `head_dim` features rotate. `layout` is as for `posenc.Rotary`, and
    `attention` multiplies cosine and sine in `rotate`. The functions of
    `posenc.rotary.axes` make these, with frequencies of 60 digits (numbers may be decimals).

    Raises ValueError if the two lists are empty or differ in length, a coordinate's number
    is negative, a frequency is not finite, or the head is too small for the pairs; TypeError if
    an argument has the wrong type.

    >>> rotary = AxialRotary(4, axes=(0, 1), frequencies=(1.0, 0.5), layout="interleaved")
    >>> rotary.rotate([1, 0, 1, 0], [2, 0]).round(4)
    array([-0.4161,  0.9093,  1.    ,  0.    ])
    """

    head_dim: int
    _: KW_ONLY
    axes: Sequence[int]
    _exact: Sequence[float | Decimal] = field(repr=False)
    layout: Layout = "halves"
    attention: float = 1.0

    def __init__(
        self,
        head_dim: int,
        *,
        axes: Sequence[int],
        frequencies: Sequence[float | Decimal] | None = None,
        layout: Layout = "halves",
        attention: float = 1.0,
        _exact: Sequence[float | Decimal] = (),  # what dataclasses.replace keeps
    ) -> None:
        given = _arguments.entries("axes", axes)
        own = tuple(_arguments.integer("axes", axis, least=0) for axis in given)
        found = _exact if frequencies is None else _arguments.entries("frequencies", frequencies)
        exact = tuple(map(_frequency, found))
        if not own or len(own) != len(exact):
            got = f"{len(own)} and {len(exact)}"
            raise ValueError(f"axes and frequencies must have one number for each pair, got {got}")
        _arguments.choice("layout", layout, get_args(Layout))
        fields = {
            "head_dim": _arguments.integer("head_dim", head_dim, least=2 * len(own)),
            "axes": own,
            "_exact": exact,
            "layout": layout,
            "attention": _arguments.positive("attention", attention),
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    def frequencies(self) -> FloatArray:
        """Angular frequency of each pair, in radians per unit, shape `(pairs,)`.

        >>> from posenc.rotary import axes
        >>> axes.blocks([4, 4], base=100).frequencies()
        array([1. , 0.1, 1. , 0.1])
        """
        return _split(tuple(self._exact)).high.copy()

    def cosine_sine(
        self,
        positions: npt.ArrayLike,
        *,
        dtype: npt.DTypeLike = np.float64,
        attention: bool = False,
        coordinates: int = -1,
    ) -> Table:
        """Cosine and sine, without the attention factor unless `attention` puts it in.

        Positions of shape `(..., coordinates)` give both of shape `(..., pairs)`, as accurate as
        `posenc.Rotary.cosine_sine`. `coordinates` is the axis of `positions` that holds them: 0
        for the `(3, batch, length)` of M-RoPE in transformers. Raises ValueError if that axis
        has another length than pairs need.

        >>> from posenc.rotary import axes
        >>> axes.blocks([2, 2]).cosine_sine([0, 1])[0].round(4)
        array([1.    , 0.5403])
        """
        return cosine_sine(self._sine_and_cosine(positions, coordinates, attention), dtype)

    def phasors(
        self, positions: npt.ArrayLike, *, attention: bool = False, coordinates: int = -1
    ) -> ComplexArray:
        """`cosine + 1j * sine`, without the attention factor unless `attention` puts it in.

        Positions of shape `(..., coordinates)` give the shape `(..., pairs)`, as in `cosine_sine`.

        >>> from posenc.rotary import axes
        >>> axes.blocks([2, 2]).phasors([0, 1]).round(4)
        array([1.    +0.j    , 0.5403+0.8415j])
        """
        return phasors(self._sine_and_cosine(positions, coordinates, attention))

    def rotate(
        self,
        x: Any,
        positions: npt.ArrayLike,
        *,
        axis: int | None = None,
        coordinates: int = -1,
    ) -> Any:
        """Features `x` of shape `(..., head_dim)`, turned to positions `(..., coordinates)`.

        As `posenc.Rotary.rotate`, with one more axis of `positions`, `coordinates` as in
        `cosine_sine`.

        >>> from posenc.rotary import axes
        >>> axes.blocks([2, 2]).rotate([1, 0, 1, 0], [0, 1]).round(4)
        array([1.    , 0.    , 0.5403, 0.8415])
        """
        array, back = heads(x, self.head_dim)
        pairs = self._sine_and_cosine(positions, coordinates, attention=True)
        shape = aligned(pairs.shape[:-1], array.shape[:-1], axis)
        pairs = pairs.reshape(*shape, pairs.shape[-1])
        return back(turned(array, pairs.imag, pairs.real, self.layout))

    def _sine_and_cosine(
        self, positions: npt.ArrayLike, coordinates: int, attention: bool
    ) -> ComplexArray:
        """`sin + 1j * cos`, shape `(..., pairs)`."""
        points = _arguments.reals("positions", numpy_array("positions", positions)[0])
        points = _last(points, max(self.axes) + 1, coordinates)
        exact = _split(tuple(self._exact))
        out = np.empty((*points.shape[:-1], len(self.axes)), np.complex128)
        rows = out.reshape(-1, len(self.axes))  # a view: writing to it fills `out`
        for axis in set(self.axes):
            own = np.equal(self.axes, axis)
            frequencies = Frequencies(exact.high[own], exact.low[own], "positions")
            rows[:, own] = sine_and_cosine(points[..., axis].ravel(), frequencies)
        if _arguments.flag("attention", attention):
            out *= self.attention
        return out


rename(AxialRotary, "exact", "frequencies", attribute="_exact")


def _last(points: FloatArray, count: int, axis: int) -> FloatArray:
    """`points` with the axis of coordinates at the end."""
    given = _arguments.integer("coordinates", axis, least=-max(points.ndim, 1))
    if points.shape[given:][:1] != (count,):
        rule = f"positions must have {count} coordinates on axis {given}"
        others = [i for i, length in enumerate(points.shape) if length == count]
        cure = f" (coordinates={others[0]} names another axis)" if others else ""
        raise ValueError(f"{rule}{cure}, got shape {points.shape}")
    return np.moveaxis(points, given, -1)


def _frequency(value: object) -> Decimal:
    decimal = isinstance(value, Decimal) and value.is_finite()
    number: Any = value if decimal else _arguments.finite("frequencies", value)
    frequency = EXACT.create_decimal(number)
    if not is_within_float64(frequency):
        got = _arguments.shown(value)
        raise ValueError(f"frequencies must hold numbers within float64, got {got}")
    return frequency
