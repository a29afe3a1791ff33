"""The grid of each library whose two-dimensional encoding was run and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._named import Named
from posenc._renamed import renamed
from posenc.conventions import Convention
from posenc.grids import Grid

_GRIDS = {
    "detr": Grid(axis=Convention(start=1), axes="yx"),
    "detr_normalized": Grid(axis=Convention(start=1), axes="yx", normalized=True),
    "loftr": Grid(axis=Convention(start=1), blocks="pairs"),
    "mae": Grid(),
    "positional_encodings": Grid(axis=Convention(), axes="yx"),
    "tensor2tensor": Grid(axis=Convention(layout="halves", freq_shift=1), axes="yx"),
    "timm": Grid(axes="yx", blocks="kinds"),
    "timm_reversed": Grid(blocks="kinds", listed="columns"),
    "transformers": Grid(axes="yx"),
}
GRIDS: Mapping[str, Grid] = Named(_GRIDS)
"""The grid of each library whose two-dimensional encoding was run, by the library's name.

A suffix after the library's name gives the setting. Models often put a row of zeros for a class
token before the grid: `dataclasses.replace(GRIDS["mae"], class_rows=1)`.
"""


@renamed("layout", "grid")
def grid_encoding(
    height: int,
    width: int,
    d_model: int,
    *,
    grid: str = "mae",
    spacing: tuple[float, float] = (1.0, 1.0),
    base: float = 10_000.0,
    dtype: npt.DTypeLike = np.float64,
) -> npt.NDArray[Any]:
    """Encoding of every point of a grid, shape `(height, width, d_model)`.

    Shorthand for `GRIDS[grid]` with another `spacing` and `base`. Half of the channels encode
    the row y, half the column x, each as a one-dimensional encoding of width `d_model / 2`:

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
    `d_model` is not a positive multiple of 4, `grid` is none of these, or `spacing` is not
    two positive finite numbers; for `base` and `dtype` as `encode`.

    >>> grid_encoding(1, 2, 4)[0].round(4)
    array([[0.    , 1.    , 0.    , 1.    ],
           [0.8415, 0.5403, 0.    , 1.    ]])
    """
    _arguments.choice("grid", grid, tuple(GRIDS))
    plain = GRIDS[grid]
    kind = replace(plain, axis=replace(plain.axis, base=base), spacing=spacing)
    return kind.points((height, width), d_model, dtype=dtype)
