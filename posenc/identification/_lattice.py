"""Find the grid of points that rows run through, and the axis that each pair follows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc._columns import IntArray
from posenc._phase import FloatArray

BoolArray = npt.NDArray[np.bool_]


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
    changed = np.flatnonzero((np.abs(columns - columns[0]) > limit).any(axis=1))
    if not len(changed):
        return None
    before = int(changed[0]) - 1
    for first in dict.fromkeys((before, 0)):
        rows = columns[first:]
        sizes: list[int] = []
        while len(rows) > 1 and len(sizes) < 2:
            step = _period(rows, limit)
            if step is None:
                break
            sizes.append(step)
            rows = rows[::step]
        if sizes and sizes[0] < len(columns) - first:
            x, y = [*sizes, 1][:2]
            return Lattice(first, ((len(columns) - first) // (x * y), y, x))
    return None


def _period(rows: FloatArray, limit: float) -> int | None:
    """How many rows it takes until the columns that change first repeat; all rows if never."""
    moving = np.flatnonzero(np.abs(rows[1] - rows[0]) > limit)
    if not len(moving):
        return None
    same = [_same(rows[2:], row, moving, limit) for row in rows[:2]]
    back = same[0] & np.append(same[1][1:], True)  # mirrored points have equal cosines
    steps = [int(row) + 2 for row in np.flatnonzero(back) if len(rows) % (row + 2) == 0]
    return steps[0] if steps else len(rows)


def _same(rows: FloatArray, row: FloatArray, moving: IntArray, limit: float) -> BoolArray:
    """Which of `rows` equal `row` in the columns `moving`; the first eight rule most out."""
    first = moving[:8]
    same: BoolArray = np.asarray((np.abs(rows[:, first] - row[first]) <= limit).all(axis=1))
    rest = np.flatnonzero(same)
    same[rest] = (np.abs(rows[np.ix_(rest, moving)] - row[moving]) <= limit).all(axis=1)
    return same


def axes_of(grid: FloatArray, limit: float) -> npt.NDArray[np.intp] | None:
    """The axis that each pair of `grid` (t, h, w, parts, pairs) follows, -1 where it is constant.

    None if a pair follows two axes.
    """
    lines = grid[:, 0, 0], grid[0, :, 0], grid[0, 0, :]
    follows = np.array([(np.abs(line - line[0]) > limit).any(axis=(0, 1)) for line in lines])
    if (follows.sum(axis=0) > 1).any():
        return None
    return np.where(follows.any(axis=0), follows.argmax(axis=0), -1)
