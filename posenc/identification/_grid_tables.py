"""Recognise the tables of grids: each row is a point of an image."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification import _tables
from posenc.identification._answer import Match
from posenc.identification._rows import Rows, as_good
from posenc.identification._words import Finding, finding
from posenc.library_grids import GRIDS

_SIZES = (16, 32, 64, 128)  # of the grids that models stretch: diffusers' base_size
_PAPER = ("interleaved", "sin_first")


def matches(
    values: FloatArray, zeros: int, slack: float, points: tuple[int, int] | None = None
) -> list[Match]:
    """The grid that makes `values` `(n, d)`, which begin with `zeros` rows of zeros.

    `points` is (height, width) if the array says so; otherwise every factorisation is tried.
    """
    filled = values[zeros:]
    if values.shape[1] % 4:
        return []
    found: list[Match] = []
    limit = 2 * slack * float(np.abs(filled).max())
    for height, width in [points] if points else _factors(len(filled)):
        for name, grid in GRIDS.items():
            listed = (height, width) if grid.listed == "rows" else (width, height)
            table = filled.reshape(*listed, values.shape[1])
            table = table if grid.listed == "rows" else table.transpose(1, 0, 2)
            if _repeats(table, grid, limit):
                found += _match(table, grid, name, slack)
    found = [match for match in found if match.error <= slack]
    if not found:
        return []
    best = min(match.error for match in found)
    found.sort(key=lambda match: (not as_good(match.error, best), not match.libraries))
    names = sorted({name for match in found for name in match.libraries})
    first = found[0]
    assert isinstance(first.convention, Grid)
    return [
        replace(
            first,
            convention=replace(first.convention, class_rows=zeros),
            libraries=tuple(names),
            findings=(_size(first),),
        )
    ]


def _size(match: Match) -> Finding:
    assert match.points is not None
    height, width = match.points
    return finding("grid", height=height, width=width)


def _factors(count: int) -> Iterator[tuple[int, int]]:
    """(height, width) of the grids with `count` points, the squarest first."""
    for height in range(int(count**0.5), 1, -1):
        if count % height == 0:
            yield height, count // height
            if height * height != count:
                yield count // height, height


def _axes(grid: Grid, d_model: int) -> tuple[np.ndarray, np.ndarray]:
    """Columns of y and of x, each in the paper's order."""
    order = np.argsort(grid.columns(d_model))
    return order[: d_model // 2], order[d_model // 2 :]


def _repeats(table: FloatArray, grid: Grid, limit: float) -> bool:
    """Whether the columns of y are the same along x, and those of x along y, to within `limit`."""
    of_y, of_x = _axes(grid, table.shape[2])
    right, down = table[0, 1] - table[0, 0], table[1, 0] - table[0, 0]
    if not (right.any() and down.any()):
        return False
    return bool(np.abs(right[of_y]).max() <= limit and np.abs(down[of_x]).max() <= limit)


def _match(table: FloatArray, grid: Grid, name: str, slack: float) -> Iterator[Match]:
    """`grid` as the library has it, or else with the base and the spacing of `table`."""
    points = (table.shape[0], table.shape[1])
    known = _compared(table, grid, points)
    if known.error <= slack:
        yield replace(known, libraries=(name,))
    elif not grid.normalized:
        fitted = _fitted(table, grid, slack)
        spaced = [replace(grid, spacing=(size / points[0], size / points[1])) for size in _SIZES]
        for other in spaced if fitted is None else [fitted]:
            yield _compared(table, other, points)


def _compared(table: FloatArray, grid: Grid, points: tuple[int, int]) -> Match:
    unit = grid.points(points, table.shape[2])
    rows = Rows(np.arange(float(len(table))), table.reshape(len(table), -1))
    flat = unit.reshape(len(table), -1)
    amplitude = rows.amplitude(flat)
    if amplitude <= 0:
        return Match(convention=grid, error=np.inf, points=points)
    axis = replace(grid.axis, amplitude=amplitude)
    error = rows.error_at(amplitude, flat)
    return Match(convention=replace(grid, axis=axis), error=error, points=points)


def _fitted(table: FloatArray, grid: Grid, slack: float) -> Grid | None:
    """`grid` with the base, start and spacing found in one line of points along each axis."""
    lines = []
    for columns, values in zip(_axes(grid, table.shape[2]), (table[:, 0], table[0]), strict=True):
        along = Rows(np.arange(float(len(values))), values[:, columns])
        kinds = [match.convention for match in _tables.matches(along, slack)]
        plain = [
            kind
            for kind in kinds
            if isinstance(kind, Convention) and (kind.arrangement, kind.order) == _PAPER
        ]
        if not plain:
            return None
        lines.append(plain[0])
    y, x = lines
    if (y.base, y.start, y.freq_shift) != (x.base, x.start, x.freq_shift):
        return None
    if y.angle_scale <= 0 or x.angle_scale <= 0:  # a spacing is positive
        return None
    axis = replace(grid.axis, base=y.base, start=y.start, freq_shift=y.freq_shift)
    steps = (y.angle_scale, len(table)), (x.angle_scale, table.shape[1])
    along_y, along_x = (_round(step, count) for step, count in steps)
    return replace(grid, axis=axis, spacing=(along_y, along_x))


def _round(step: float, count: int) -> float:
    """`step`, or the share of a round size that it may be: diffusers divides 16 by `count`."""
    size = round(step * count, 2)
    return size / count if abs(size / count - step) <= 1e-6 * step else step
