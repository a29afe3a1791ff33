"""Find the grid of points that rows run through, and the axis that each pair follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc._columns import IntArray
from posenc._phase import FloatArray


@dataclass(frozen=True)
class Lattice:
    """`before` equal rows, then rows through a grid of `sizes` points, the last axis fastest."""

    before: int
    sizes: tuple[int, int, int]

    @property
    def places(self) -> IntArray:
        """Index of each row of the grid along the three axes, `(rows, 3)`."""
        return np.stack(np.unravel_index(np.arange(np.prod(self.sizes)), self.sizes), axis=1)


def lattice(columns: FloatArray, limit: float) -> Lattice | None:
    """The grid through which the rows of `columns` run; changes up to `limit` do not count."""
    changed = np.flatnonzero((np.abs(np.diff(columns, axis=0)) > limit).any(axis=1))
    if not len(changed):
        return None
    before = int(changed[0])
    rows = columns[before:]
    x = _period(rows, limit)
    if x == len(rows):
        return None
    y = _period(rows[::x], limit)
    return Lattice(before, (len(rows) // (x * y), y, x))


def _period(rows: FloatArray, limit: float) -> int:
    """How many rows it takes until the columns that change first repeat; all rows if never."""
    moving = np.abs(rows[1] - rows[0]) > limit
    first = rows[:2, moving]  # mirrored points have equal cosines, so the next row counts too
    shares = [step for step in range(1, len(rows)) if len(rows) % step == 0]
    back = (
        step for step in shares if (np.abs(rows[step : step + 2, moving] - first) <= limit).all()
    )
    return next(back, len(rows))


def line(grid: FloatArray, axis: int) -> FloatArray:
    """The points of `grid` (t, h, w, ...) along an axis from the first one, `(n, ...)`."""
    return np.moveaxis(grid, axis, 0)[:, 0, 0]


def axes_of(grid: FloatArray, limit: float) -> npt.NDArray[np.intp] | None:
    """The axis that each pair of `grid` (t, h, w, parts, pairs) follows, -1 where it is constant.

    None if a pair follows two axes.
    """
    lines = [line(grid, axis) for axis in range(3)]
    follows = np.array([(np.abs(line - line[0]) > limit).any(axis=(0, 1)) for line in lines])
    if (follows.sum(axis=0) > 1).any():
        return None
    return np.where(follows.any(axis=0), follows.argmax(axis=0), -1)
