"""Two-dimensional encodings: one sinusoidal encoding per axis, arranged as libraries do."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments, _memory
from posenc._columns import IntArray
from posenc._formats import cast
from posenc._phase import FloatArray
from posenc.conventions import Convention

Axes = Literal["xy", "yx"]
Blocks = Literal["axes", "kinds", "pairs"]
Listed = Literal["rows", "columns"]
_LAYOUT = {"kinds": "halves", "pairs": "interleaved"}  # the only one that such blocks have


def _half(d_model: object) -> int:
    number = _arguments.width(d_model)
    if number % 4:
        raise ValueError(f"d_model must be a multiple of 4, got {number}")
    return number // 2


def _sizes(shape: object, name: str = "shape", *, least: int = 0) -> tuple[int, int]:
    if not isinstance(shape, (tuple, list)) or len(shape) != 2:
        raise TypeError(f"{name} must be (height, width), got {_arguments.shown(shape)}")
    height, width = ("height", "width") if name == "shape" else (name, name)
    rows = _arguments.integer(height, shape[0], least=least)
    return rows, _arguments.integer(width, shape[1], least=least)


def _steps(spacing: object) -> tuple[float, float]:
    if not isinstance(spacing, (tuple, list)) or len(spacing) != 2:
        raise TypeError(f"spacing must be two numbers, got {_arguments.shown(spacing)}")
    y, x = (_arguments.positive("spacing", step) for step in spacing)
    return y, x


@dataclass(frozen=True, kw_only=True)
class Grid:
    """One way to encode the points of a grid: half of the columns encode y, half encode x.

    `axis` is the convention of each axis, at width `d_model / 2`; its `start` is the first
    position along both. `axes` says which comes first, `"xy"` or `"yx"`. The columns are
    blocked by `"axes"` (one axis, then the other), by `"kinds"` (the sines of both axes, then
    the cosines; `axis` in halves) or by `"pairs"` (per frequency, sine and cosine of the first
    axis, then of the second; `axis` interleaved).

    Neighbouring points lie `spacing` (along y, along x) positions apart. If `normalized`, each
    axis is multiplied by 2π and divided by its last position plus 1e-6, as DETR does. A
    table starts with `class_rows` rows of zeros, for class tokens, and lists the points by
    `"rows"` (x changes fastest) or by `"columns"`.

    Raises TypeError or ValueError if an option is none of these, if `class_rows` is not a
    non-negative integer, or if `spacing` is not two finite positive numbers.

    >>> Grid(class_rows=1).table((1, 2), 4).round(4)
    array([[0.    , 0.    , 0.    , 0.    ],
           [0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.    , 1.    ]])
    """

    axis: Convention = Convention(layout="halves")  # noqa: RUF009 - frozen
    axes: Axes = "xy"
    blocks: Blocks = "axes"
    spacing: tuple[float, float] = (1.0, 1.0)
    normalized: bool = False
    class_rows: int = 0
    listed: Listed = "rows"

    def __post_init__(self) -> None:
        if not isinstance(self.axis, Convention):
            raise TypeError(f"axis must be a Convention, got {_arguments.shown(self.axis)}")
        _arguments.choice("axes", self.axes, get_args(Axes))
        _arguments.choice("blocks", self.blocks, get_args(Blocks))
        _arguments.choice("listed", self.listed, get_args(Listed))
        needed = _LAYOUT.get(self.blocks, self.axis.layout)
        if self.axis.layout != needed:
            rule = f"axis must have the layout {needed!r} for blocks {self.blocks!r}"
            raise ValueError(f"{rule}, got {self.axis.layout!r}")
        object.__setattr__(self, "spacing", _steps(self.spacing))
        object.__setattr__(self, "normalized", _arguments.flag("normalized", self.normalized))
        rows = _arguments.integer("class_rows", self.class_rows, least=0)
        object.__setattr__(self, "class_rows", rows)

    def columns(self, d_model: int) -> IntArray:
        """Code of each column, shape `(d_model,)`.

        With `h = d_model / 2`, 2i stands for the sine of pair i of y, 2i + 1 for its cosine,
        h + 2i and h + 2i + 1 for those of x. Raises as `encode` does.

        >>> Grid(axes="yx", blocks="kinds").columns(8)
        array([0, 2, 4, 6, 1, 3, 5, 7])
        """
        half = _half(d_model)
        of_y = self.axis.columns(half)
        codes = np.stack([of_y, of_y + half] if self.axes == "yx" else [of_y + half, of_y])
        if self.blocks == "kinds":
            codes = codes.reshape(2, 2, half // 2).transpose(1, 0, 2)  # (kinds, axes, pairs)
        elif self.blocks == "pairs":
            codes = codes.reshape(2, half // 2, 2).transpose(1, 0, 2)  # (pairs, axes, kinds)
        return codes.ravel()

    def encode(
        self, coordinates: npt.ArrayLike, d_model: int, *, dtype: npt.DTypeLike = np.float64
    ) -> npt.NDArray[Any]:
        """Encoding of any positions (y, x), shape `(..., 2)`, as shape `(..., d_model)`.

        The `start` of `axis`, `spacing`, `normalized`, `class_rows` and `listed` have no effect
        here: they place the points of a grid.

        Raises ValueError if `d_model` is not a positive multiple of 4 or `coordinates` has
        another shape; otherwise as `posenc.encode`.

        >>> Grid().encode([0, 1], 4).round(4)
        array([0.8415, 0.5403, 0.    , 1.    ])
        """
        places = _arguments.reals("coordinates", coordinates)
        if places.shape[-1:] != (2,):
            raise ValueError(f"coordinates must have shape (..., 2), got shape {places.shape}")
        return self._joined(places[..., 0], places[..., 1], d_model, dtype)

    def positions(
        self, shape: tuple[int, int], *, like: tuple[int, int] | None = None
    ) -> FloatArray:
        """Position (y, x) of every point of a grid of `shape` (height, width), `(*shape, 2)`.

        With `like`, the shape of another grid, the points are the centres of `shape` patches
        that cover the same image: centre i of n lies at `(i + 1/2) * m / n - 1/2` of m steps.

        Raises TypeError or ValueError if `shape` is not two non-negative integers or `like` not
        two positive ones, ValueError
        if positions exceed ±2**53 before `spacing` or float64 after it, if the last position
        of a normalized axis, plus 1e-6, is 0, or if the result would not fit into memory.

        >>> Grid(spacing=(1, 0.5)).positions((1, 2))
        array([[[0. , 0. ],
                [0. , 0.5]]])
        >>> Grid().positions((1, 4), like=(1, 2))[0, :, 1]
        array([-0.25,  0.25,  0.75,  1.25])
        """
        sizes = _sizes(shape)
        _memory.refuse_array("height * width * 2", max(2 * math.prod(sizes), *sizes))
        y, x = self._along_axes(sizes, like)
        return np.stack(np.broadcast_arrays(y, x), axis=-1)

    def table(
        self,
        shape: tuple[int, int],
        d_model: int,
        *,
        like: tuple[int, int] | None = None,
        dtype: npt.DTypeLike = np.float64,
    ) -> npt.NDArray[Any]:
        """Encodings of a grid of `shape` (height, width), as models store them.

        The result has shape `(class_rows + height * width, d_model)`. For a model that was
        trained with another grid, `like` is the shape of that one, as in `positions`. Raises as
        `positions` and `encode` do.

        >>> Grid(listed="columns").table((2, 1), 4).round(4)
        array([[0.    , 1.    , 0.    , 1.    ],
               [0.    , 1.    , 0.8415, 0.5403]])
        """
        rows = self.class_rows + math.prod(_sizes(shape))
        _memory.refuse_array("(class_rows + height * width) * d_model", rows * 2 * _half(d_model))
        points = self.points(shape, d_model, like=like, dtype=dtype)
        points = points if self.listed == "rows" else points.transpose(1, 0, 2)
        flat = points.reshape(points.shape[0] * points.shape[1], points.shape[2])
        zeros = np.zeros((self.class_rows, flat.shape[1]), flat.dtype)
        return np.concatenate([zeros, flat])

    def points(
        self,
        shape: tuple[int, int],
        d_model: int,
        *,
        like: tuple[int, int] | None = None,
        dtype: npt.DTypeLike = np.float64,
    ) -> npt.NDArray[Any]:
        """Encodings of a grid of `shape` (height, width), shape `(height, width, d_model)`.

        Without class rows; otherwise as `table`.

        >>> Grid().points((1, 2), 4)[0].round(4)
        array([[0.    , 1.    , 0.    , 1.    ],
               [0.8415, 0.5403, 0.    , 1.    ]])
        """
        sizes = _sizes(shape)
        count = math.prod(sizes) * 2 * _half(d_model)
        _memory.refuse_array("height * width * d_model", max(count, *sizes))
        y, x = self._along_axes(sizes, like)
        return self._joined(y, x, d_model, dtype)

    def _joined(
        self, y: FloatArray, x: FloatArray, d_model: int, dtype: npt.DTypeLike
    ) -> npt.NDArray[Any]:
        """Encodings of the points at `y` and `x`, which broadcast, shape `(..., d_model)`."""
        columns, target = self.columns(d_model), _arguments.floating(dtype)
        half = len(columns) // 2
        self.axis._refuse_narrow(target, half)
        plain = replace(self.axis, layout="interleaved", order="sin_first")
        pairs = [plain.encode(position, half) for position in (y, x)]
        both = np.concatenate(np.broadcast_arrays(*pairs), axis=-1)  # in the order of the codes
        return cast(both[..., columns], target)

    def _along_axes(
        self, sizes: tuple[int, int], like: tuple[int, int] | None
    ) -> tuple[FloatArray, FloatArray]:
        """Positions along y, shape `(height, 1)`, and along x, shape `(1, width)`."""
        others = sizes if like is None else _sizes(like, "like", least=1)
        y, x = map(self._along, ("height", "width"), sizes, others, self.spacing)
        return y[:, np.newaxis], x[np.newaxis]

    def _along(self, name: str, size: int, other: int, step: float) -> FloatArray:
        start = self.axis.start
        for count in {size, other}:
            _arguments.counted(start, count, name=name)
        points = np.arange(float(size))
        if size and size != other:
            points = (points + 0.5) * other / size - 0.5
        with np.errstate(over="ignore"):
            places: FloatArray = (start + points) * step
        if not np.isfinite(places).all():
            raise ValueError(f"spacing must keep positions within float64, got {step}")
        if not self.normalized:
            return places
        divisor = (start + other - 1) * step + 1e-6  # as DETR does
        if size and not divisor:
            rule = "not put the last position of a normalized axis at -1e-6"
            raise ValueError(f"spacing must {rule}, got {step}")
        return places / (divisor or 1.0) * (2 * math.pi)
