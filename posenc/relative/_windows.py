"""Offsets between the points of a window: Swin and Swin V2."""

from __future__ import annotations

import numpy as np

from posenc import _arguments, _memory
from posenc._columns import IntArray
from posenc._phase import FloatArray


def swin_indices(height: int, width: int) -> IntArray:
    """Row of the bias table for each pair of points of a window, `(points, points)`.

    The table has `(2 height - 1) * (2 width - 1)` rows, one for each offset (y, x) between two
    points, listed from the most negative on (Liu et al. 2021, section 3.2).

    Raises TypeError or ValueError if `height` or `width` is not a positive integer, ValueError
    if the result would not fit into this machine's memory.

    >>> swin_indices(1, 3)
    array([[2, 1, 0],
           [3, 2, 1],
           [4, 3, 2]])
    """
    height, width = _window(height, width)
    _memory.refuse_array("(height * width) ** 2", (height * width) ** 2)
    y, x = np.divmod(np.arange(height * width), width)
    rows = np.subtract.outer(y, y) + height - 1
    return rows * (2 * width - 1) + np.subtract.outer(x, x) + width - 1


def swin_coordinates(
    height: int, width: int, *, trained: tuple[int, int] | None = None
) -> FloatArray:
    """Log-spaced offsets (y, x) between points of a window, `(2 height - 1, 2 width - 1, 2)`.

    Offsets are scaled to ±8 at the edge of the window that the model was `trained` with (by
    default this one), then `sign(x) * log2(1 + abs(x)) / 3`, so that the edge lies at about
    ±1.06 (Swin V2: Liu et al. 2022, section 3.3, and the authors' code).

    Raises TypeError or ValueError if `height`, `width` or a part of `trained` is not an integer
    of at least 2, ValueError if the result would not fit into this machine's memory.

    >>> swin_coordinates(2, 2)[0].round(4)
    array([[-1.0566, -1.0566],
           [-1.0566,  0.    ],
           [-1.0566,  1.0566]])
    """
    height, width = _window(height, width, least=2)
    count = 2 * (2 * height - 1) * (2 * width - 1)
    _memory.refuse_array("2 * (2 * height - 1) * (2 * width - 1)", count)
    edges = (height, width) if trained is None else trained
    if not isinstance(edges, (tuple, list)) or len(edges) != 2:
        raise TypeError(f"trained must be (height, width), got {_arguments.shown(trained)}")
    spans = [_arguments.integer("trained", edge, least=2) - 1 for edge in edges]
    y = 8 * np.arange(1 - height, height) / spans[0]
    x = 8 * np.arange(1 - width, width) / spans[1]
    offsets = np.stack(np.meshgrid(y, x, indexing="ij"), axis=-1)
    coordinates: FloatArray = np.sign(offsets) * np.log2(1 + np.abs(offsets)) / 3
    return coordinates


def _window(height: object, width: object, *, least: int = 1) -> tuple[int, int]:
    number = _arguments.integer("height", height, least=least)
    return number, _arguments.integer("width", width, least=least)
