"""Two-dimensional encodings: one sinusoidal encoding per axis, arranged as libraries do."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi
from typing import Literal

import numpy as np

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.conventions import Convention

_HALVES = Convention(arrangement="halves")


@dataclass(frozen=True, kw_only=True)
class _Layout:
    """How a library combines the channels of the two axes."""

    axis: Convention  # encodes each axis at width d_model / 2
    axes: Literal["yx", "xy"]
    mixed: Literal["axes", "kinds", "pairs"] = "axes"  # the outermost blocks of channels
    first: int = 0
    normalized: bool = False


_LAYOUTS = {
    "detr": _Layout(axis=Convention(), axes="yx", first=1),
    "detr_normalized": _Layout(axis=Convention(), axes="yx", first=1, normalized=True),
    "loftr": _Layout(axis=Convention(), axes="xy", mixed="pairs", first=1),
    "mae": _Layout(axis=_HALVES, axes="xy"),
    "positional_encodings": _Layout(axis=Convention(), axes="yx"),
    "tensor2tensor": _Layout(axis=Convention(arrangement="halves", freq_shift=1), axes="yx"),
    "timm": _Layout(axis=_HALVES, axes="yx", mixed="kinds"),
    "timm_reversed": _Layout(axis=_HALVES, axes="xy", mixed="kinds"),
    "transformers": _Layout(axis=_HALVES, axes="yx"),
}


def grid_encoding(
    height: int,
    width: int,
    d_model: int,
    *,
    layout: str = "mae",
    spacing: tuple[float, float] = (1.0, 1.0),
) -> FloatArray:
    """Encoding of every point of a grid, shape `(height, width, d_model)`.

    Half of the channels encode the row y, half the column x, each as a one-dimensional
    encoding of width `d_model / 2`; `layout` gives their order:

    - `"mae"` x, then y, for each its sines, then its cosines (also diffusers, and timm with
      `reverse_coord` and `interleave_sin_cos`, which lists the grid column by column);
    - `"transformers"` the same with y before x (`build_2d_sinusoidal_position_embedding`;
      timm with `interleave_sin_cos`);
    - `"timm"` the sines of y and of x, the cosines of y and of x; `"timm_reversed"` x before y;
    - `"detr"` y, then x, sine and cosine alternating, counted from 1; `"detr_normalized"` the
      same with the last position at 2π;
    - `"loftr"` per frequency sin x, cos x, sin y, cos y, counted from 1;
    - `"tensor2tensor"` y, then x, in halves with `freq_shift` 1;
    - `"positional_encodings"` y, then x, sine and cosine alternating.

    `spacing` is the distance between neighbouring points along y and x, in positions.

    Raises TypeError or ValueError if `height` or `width` is not a non-negative integer,
    `d_model` is not a positive multiple of 4, `layout` is none of these, or `spacing` is not
    two positive finite numbers.

    >>> grid_encoding(1, 2, 4)[0].round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.    , 1.    ]])
    """
    sizes = (
        _arguments.integer("height", height, least=0),
        _arguments.integer("width", width, least=0),
    )
    if _arguments.width(d_model) % 4:
        raise ValueError(f"d_model must be a multiple of 4, got {d_model}")
    _arguments.choice("layout", layout, tuple(_LAYOUTS))
    steps = _steps(spacing)
    chosen = _LAYOUTS[layout]
    y, x = (
        chosen.axis.encode(_positions(chosen, size, step), d_model // 2)
        for size, step in zip(sizes, steps, strict=True)
    )
    blocks = np.broadcast_arrays(y[:, np.newaxis], x[np.newaxis])
    blocks = blocks if chosen.axes == "yx" else blocks[::-1]
    pairs = np.stack(blocks, axis=-2)  # (height, width, axes, d_model / 2)
    if chosen.mixed == "kinds":
        pairs = pairs.reshape(*sizes, 2, 2, d_model // 4).swapaxes(-3, -2)
    elif chosen.mixed == "pairs":
        pairs = pairs.reshape(*sizes, 2, d_model // 4, 2).swapaxes(-3, -2)
    return pairs.reshape(*sizes, d_model)


def _positions(layout: _Layout, size: int, step: float) -> FloatArray:
    counted = np.arange(layout.first, layout.first + size, dtype=np.float64)
    if layout.normalized:  # DETR adds 1e-6 so that an empty grid does not divide by 0
        return counted * step / (size * step + 1e-6) * (2 * pi)
    return counted * step


def _steps(spacing: object) -> tuple[float, float]:
    if not isinstance(spacing, (tuple, list)) or len(spacing) != 2:
        raise TypeError(f"spacing must be two numbers, got {_arguments.shown(spacing)}")
    y, x = (_arguments.positive("spacing", step) for step in spacing)
    return y, x
