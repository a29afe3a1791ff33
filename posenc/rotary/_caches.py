"""The tables of cosines and sines that models keep: of successive positions, or of points."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.rotary._checks import warn_beyond
from posenc.rotary._foreign import numpy_array
from posenc.rotary._rotary import Rotary
from posenc.rotary.axes import AxialRotary

Part = Literal["cos", "sin", "cos|sin", "sin|cos", "both"]
Form = Literal["once", "halves", "interleaved"]


@dataclass(frozen=True, kw_only=True)
class RotaryCache:
    """Cosines and sines of the angles by which `rotary` turns position `start`, `start` + 1, ...

    `part` says which of them the table holds; `"cos|sin"` has both side by side, `"both"` two
    arrays or complex numbers. `form` says how often a pair is there: `"once"`, or twice as
    the layout of `rotary` needs it, in `"halves"` (`cat(f, f)`) or `"interleaved"`
    (`repeat_interleave(2)`). A table with each pair once does not show the layout. No table shows
    whether the head has further features that do not turn. `amplitude` multiplies the values,
    in addition to the attention factor of `rotary`.

    Raises TypeError or ValueError if `rotary` is no `Rotary`, `part` or `form` is none of these,
    or `amplitude` or `start` is not finite.

    >>> RotaryCache(rotary=Rotary(4, base=100), form="halves").table(2).round(4)
    array([[1.    , 1.    , 1.    , 1.    ],
           [0.5403, 0.995 , 0.5403, 0.995 ]])
    """

    rotary: Rotary
    part: Part = "cos"
    form: Form = "once"
    amplitude: float = 1.0
    start: float = 0.0

    def __post_init__(self) -> None:
        _check(self, Rotary)
        object.__setattr__(self, "start", _arguments.finite("start", self.start))

    def table(self, length: int) -> FloatArray:
        """The table of `length` positions, `(length, width)`; `(2, length, width)` for "both".

        It is that of a short text, with a warning if a scaling has other values in a text of so
        many positions: `at` has those. Raises TypeError or ValueError if `length` is not a
        non-negative integer, ValueError if a position exceeds ±2**53.
        """
        length = _arguments.integer("length", length, least=0)
        _arguments.counted(self.start, length)
        return self._rows(self.start + np.arange(float(length)), None)

    def at(self, positions: npt.ArrayLike, *, length: float | None = None) -> FloatArray:
        """The rows of the table at `positions` of shape `(...)`, as `(..., width)`.

        They are `(2, ..., width)` for "both". LongRoPE and dynamic scaling depend on the `length`
        of the text. Without it the rows are those of a short text, with a warning if positions lie
        beyond it. Raises as `posenc.Rotary.cosine_sine` does.
        """
        return self._rows(positions, length)

    def _rows(self, positions: npt.ArrayLike, length: float | None) -> FloatArray:
        given = numpy_array("positions", positions)[0]
        if length is None and self.rotary.scaling is not None:
            warn_beyond(_arguments.reals("positions", given), self.rotary.scaling)
        pairs = self.rotary.cosine_sine(given, 1.0 if length is None else length)
        factor = self.amplitude * self.rotary.attention_factor(length)
        return held(*pairs, self.part, self.form, factor)


@dataclass(frozen=True, kw_only=True)
class AxialCache:
    """Cosines and sines of points with several coordinates: patches of an image, parts of a video.

    `made_by` is the call that made `rotary`; row k belongs to the point `coordinates[k]`. The
    other options are those of `RotaryCache`.

    Raises TypeError or ValueError if `rotary` is no `AxialRotary`, `made_by` is no string,
    `coordinates` are not a list of finite points with a number for each coordinate that `rotary`
    has, or another option is none of `RotaryCache`.

    >>> from posenc.rotary import axes
    >>> cache = AxialCache(
    ...     rotary=axes.blocks([2, 2]),
    ...     made_by="axes.blocks([2, 2])",
    ...     coordinates=((0, 0), (0, 1)),
    ... )
    >>> cache.table().round(4)
    array([[1.    , 1.    ],
           [1.    , 0.5403]])
    """

    rotary: AxialRotary
    made_by: str
    coordinates: tuple[tuple[float, ...], ...] = field(repr=False)
    part: Part = "cos"
    form: Form = "once"
    amplitude: float = 1.0

    def __post_init__(self) -> None:
        _check(self, AxialRotary)
        if not isinstance(self.made_by, str):
            raise TypeError(f"made_by must be a string, got {_arguments.shown(self.made_by)}")
        points = _arguments.reals("coordinates", self.coordinates)
        count = max(self.rotary.axes) + 1
        if points.ndim != 2 or points.shape[1] != count or not len(points):
            rule = f"have shape (points, coordinates) with {count} coordinates"
            raise ValueError(f"coordinates must {rule}, got shape {points.shape}")
        if not isinstance(self.coordinates, tuple):
            object.__setattr__(self, "coordinates", tuple(map(tuple, points.tolist())))

    def table(self) -> FloatArray:
        """The table, with a row for each point; `(2, rows, width)` for "both"."""
        pairs = self.rotary.cosine_sine(self.coordinates)
        return held(*pairs, self.part, self.form, size(self))


def size(cache: RotaryCache | AxialCache) -> float:
    """The number that multiplies the cosines and sines of `cache`."""
    if isinstance(cache, RotaryCache):
        return cache.amplitude * cache.rotary.attention_factor()
    return cache.amplitude * cache.rotary.attention


def _check(cache: RotaryCache | AxialCache, kind: type) -> None:
    """Refuse options that no cache of this `kind` of encoding has."""
    if not isinstance(cache.rotary, kind):
        got = _arguments.shown(cache.rotary)
        raise TypeError(f"rotary must be of the type {kind.__name__}, got {got}")
    _arguments.choice("part", cache.part, get_args(Part))
    _arguments.choice("form", cache.form, get_args(Form))
    object.__setattr__(cache, "amplitude", _arguments.finite("amplitude", cache.amplitude))


def held(cosine: FloatArray, sine: FloatArray, part: Part, form: Form, size: float) -> FloatArray:
    """Cosines and sines `(..., pairs)` as a cache holds them, times `size`."""
    named = {"cos": _repeated(cosine, form), "sin": _repeated(sine, form)}
    names = ["cos", "sin"] if part == "both" else part.split("|")
    columns = [named[name] for name in names]
    every = np.stack(columns) if part == "both" else np.concatenate(columns, axis=-1)
    return every * size


def _repeated(values: FloatArray, form: Form) -> FloatArray:
    if form == "halves":
        return np.concatenate([values, values], axis=-1)
    return np.repeat(values, 2, axis=-1) if form == "interleaved" else values
