"""Recognise rotary caches of points with several coordinates: images and videos."""

from __future__ import annotations

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match
from posenc.identification._axial_positions import Lines, counted, later, stepped, turns_along
from posenc.identification._axial_rules import Rule, Slope, rules
from posenc.identification._lattice import Lattice, axes_of, lattice
from posenc.identification._readings import Reading, readings
from posenc.identification._rows import as_good, spread
from posenc.identification._turning import Parts
from posenc.identification._words import Finding, finding, rows_in_words

_SOME = 64  # rows that candidates are compared with
_CHANGE, _ROUGH = 2e-6, 2e-3  # below a tolerance of _ROUGH, smaller changes are rounding


def matches(values: FloatArray, slack: float, *, twice: bool = False) -> list[Match]:
    """Recognise a cache of points in `values` `(n, width)`, or cosines and sines `(2, n, width)`.

    With `twice`, only a cache that has each pair twice, as no table of a grid does.
    """
    columns = values if values.ndim == 2 else np.concatenate(list(values), axis=1)
    size = float(np.abs(columns).max())
    found = lattice(columns, _change(slack) * size)
    if found is None:
        return []
    for reading in readings(values[..., found.before :, :], slack):  # without the equal rows
        match = None if twice and reading[1] == "once" else _match(values, reading, found, slack)
        if match is not None:
            return [match]
    return []


def _match(values: FloatArray, reading: Reading, found: Lattice, slack: float) -> Match | None:
    _, form, parts = reading
    held = parts.values()
    size = parts.size()
    if not size > 0:
        return None
    grid = held.reshape(*found.sizes, held.shape[1] // parts.pairs, parts.pairs) / size
    axes = axes_of(grid, _change(slack))
    if axes is None:
        return None
    order = list(dict.fromkeys(axes[axes >= 0].tolist()))  # the axis of each coordinate
    if len(order) < 2:  # rows that repeat
        return None
    labels = [order.index(axis) if axis in order else axis for axis in axes.tolist()]
    chosen = spread(len(held), _SOME)
    best: tuple[float, Rule, FloatArray] | None = None
    for ways in (counted, stepped, later):
        for rule in rules(labels, _slope(grid, axes, order, parts), form):
            whole = max(rule.rotary.axes) + 1
            own = [0, *order] if whole > len(order) else order  # time may have only one value
            for lines in ways(rule, grid, own, parts):
                points = _points(found, own, lines)
                error = _error(parts, rule, points, size, chosen)
                if best is None or not as_good(best[0], error):
                    best = error, rule, points
        if best is not None and best[0] <= slack:
            _, rule, points = best
            points = np.concatenate([np.zeros((found.before, points.shape[1])), points])
            match = rule.match(values, reading, points, _told(found, points))
            return match if match.error <= slack else None
    return None


def _change(slack: float) -> float:
    """The largest change of a value, as a fraction of the amplitude, that is rounding."""
    return _CHANGE if slack < _ROUGH else slack


def _slope(grid: FloatArray, axes: np.ndarray, order: list[int], parts: Parts) -> Slope | None:
    """How two fast pairs turn along the longest axis."""
    axis = max(order, key=lambda axis: (grid.shape[axis], axis))
    turns, _ = turns_along(grid, axis, parts)
    known = np.flatnonzero((axes == axis) & (turns > 0)).tolist()
    if len(known) < 2:
        return None
    i, *between, j = known[:3]
    rise = turns[known[-1]] / turns[i]
    return Slope(i, j, len(between) + 1, float(turns[i] / turns[j]), float(rise))


def _points(found: Lattice, own: list[int], lines: Lines) -> FloatArray:
    """Coordinates of the points: positions along the axes."""
    places = found.places
    columns = [line[places[:, axis]] for line, axis in zip(lines, own, strict=True)]
    return np.stack(columns, axis=1)


def _error(parts: Parts, rule: Rule, points: FloatArray, size: float, chosen: np.ndarray) -> float:
    """Largest difference in the `chosen` rows, as a fraction of `size`."""
    angles = points[chosen][:, list(rule.rotary.axes)] * rule.rotary.frequencies()
    some = parts.rows(chosen, parts.positions[chosen])
    return float(np.abs(some.waves(angles) - some.values() / size).max())


def _told(found: Lattice, points: FloatArray) -> tuple[Finding, ...]:
    """The grid in words, and how many rows stand before it."""
    first = points[found.before]
    sizes = " x ".join(str(size) for size in found.sizes if size > 1)
    rest = points[found.before :]
    steps = [np.unique(column) for column in rest.T]
    step = [float(line[1] - line[0]) if len(line) > 1 else 1.0 for line in steps]
    texts = [", ".join(f"{number:.6g}" for number in numbers) for numbers in (first, step)]
    where = finding("points", size=sizes, first=f"({texts[0]})", steps=f"({texts[1]})")
    origin = finding("origin", rows=rows_in_words(found.before))
    return (where, origin) if found.before else (where,)
