"""Recognise rotary caches of points with several coordinates: images and videos."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match
from posenc.identification._axial_rules import Rule, Slope, rules
from posenc.identification._cache import AxialCache, Form, Part
from posenc.identification._cut import readings
from posenc.identification._lattice import Lattice, axes_of, lattice
from posenc.identification._rows import as_good
from posenc.identification._simplest import snapped
from posenc.identification._turning import Parts
from posenc.identification._waves import measured
from posenc.identification._words import Finding, finding

_SOME = 64  # rows that candidates are compared with
_SIZES = (16, 32)  # of the images that a model was trained on, to which others are stretched
_STARTS = 4096  # first positions that are tried
_CHANGE, _ROUGH = 2e-6, 2e-3  # changes that are rounding, and the tolerance of rough values

Lines = list[FloatArray]  # positions along time, height and width


def matches(values: FloatArray, slack: float, *, twice: bool = False) -> list[Match]:
    """The cache of points that `values` are: `(n, width)`, or cosines and sines `(2, n, width)`.

    If `twice`, only caches that have each pair twice, which no table of a grid has.
    """
    columns = values if values.ndim == 2 else np.concatenate(list(values), axis=1)
    size = float(np.abs(columns).max())
    if len(columns) < 4:
        return []
    found = lattice(columns, _change(slack) * size)
    if found is None:
        return []
    for reading in readings(values[..., found.before :, :], slack):  # without the equal rows
        match = None if twice and reading[1] == "once" else _match(values, reading, found, slack)
        if match is not None:
            return [match]
    return []


def _match(
    values: FloatArray, reading: tuple[Part, Form, Parts], found: Lattice, slack: float
) -> Match | None:
    part, form, parts = reading
    held = parts.values()
    size = size_of(parts)
    if not size > 0:
        return None
    both = held.reshape(len(held), -1, parts.pairs)
    grid = both.reshape(*found.sizes, *both.shape[1:]) / size
    axes = axes_of(grid, _change(slack))
    if axes is None or not (axes >= 0).any():
        return None
    order = list(dict.fromkeys(axes[axes >= 0].tolist()))  # the axis of each coordinate
    labels = [order.index(axis) if axis >= 0 else -1 for axis in axes.tolist()]
    chosen = np.unique(np.linspace(0, len(held) - 1, _SOME).astype(np.intp))
    best: tuple[float, Rule, FloatArray] | None = None
    for ways in (_counted, _stepped, _later):
        for rule in rules(labels, _slope(grid, axes, parts), form):
            whole = max(rule.rotary.axes) + 1
            own = [*([0] if whole > len(order) else []), *order]  # time may have one value
            for lines in ways(rule, grid, own, parts):
                points = _points(found, own, lines)
                error = _error(parts, rule, points, size, chosen)
                if best is None or not as_good(best[0], error):
                    best = error, rule, points
        if best is not None and best[0] <= slack:
            break
    if best is None or best[0] > slack:
        return None
    _, rule, points = best
    points = np.concatenate([np.zeros((found.before, points.shape[1])), points])
    cache = AxialCache(
        rotary=rule.rotary,
        made_by=rule.call,
        coordinates=tuple(map(tuple, points.tolist())),
        part=part,
        form=form,
        amplitude=snapped(size / rule.rotary.attention),
    )
    error = float(np.abs(cache.table() - values).max()) / size
    if error > slack:
        return None
    return Match(convention=cache, error=error, findings=_told(found, points))


def _change(slack: float) -> float:
    """The largest change of a value, as a fraction of the amplitude, that is rounding."""
    return _CHANGE if slack < _ROUGH else slack


def size_of(parts: Parts) -> float:
    """The largest length of a pair, or the largest value."""
    if parts.cosines is None or parts.sines is None:
        most = float(np.abs(parts.values()).max())
        return 1.0 if 0.5 < most < 1 + 1e-3 else most
    return float(np.median(np.hypot(parts.cosines[0], parts.sines[0])))


def _line(grid: FloatArray, axis: int) -> FloatArray:
    """The points along an axis from the first one, `(n, parts, pairs)`."""
    return (grid[:, 0, 0], grid[0, :, 0], grid[0, 0, :])[axis]


def _turns(grid: FloatArray, axis: int, parts: Parts) -> tuple[FloatArray, Parts]:
    """How far each pair turns from point to point along `axis`, 0 where that is not known."""
    line = _line(grid, axis)
    cosines = None if parts.cosines is None else line[:, 0]
    sines = None if parts.sines is None else line[:, -1]
    along = Parts(cosines, sines, np.arange(float(len(line))))
    waves = measured(along)
    if waves is not None:
        return np.where(waves.told, np.abs(waves.turns), 0.0), along
    turns, weight = along.frequencies(1.0)
    return np.where(weight > 0, turns, 0.0), along


def _slope(grid: FloatArray, axes: np.ndarray, parts: Parts) -> Slope | None:
    """How two fast pairs turn along the longest axis."""
    axis = max(range(3), key=lambda axis: (grid.shape[axis] * int((axes == axis).any()), axis))
    own = np.flatnonzero(axes == axis)
    turns = _turns(grid, axis, parts)[0][own]
    told = np.flatnonzero(turns > 0)
    if len(told) < 2 or grid.shape[axis] < 3:
        return None
    first, last = int(told[0]), int(told[min(2, len(told) - 1)])
    ratio = float(turns[first] / turns[last])
    if not ratio > 1:
        ratio_last = float(turns[told[-1]] / turns[first])
        return Slope(int(own[first]), int(own[last]), last - first, 1.0, ratio_last)
    i, j = int(own[first]), int(own[last])
    return Slope(i, j, last - first, ratio, float(turns[told[-1]] / turns[first]))


def _points(found: Lattice, own: list[int], lines: Lines) -> FloatArray:
    """Coordinates of the points: positions along the axes."""
    places = found.places
    columns = [line[places[:, axis]] for line, axis in zip(lines, own, strict=True)]
    return np.stack(columns, axis=1)


def _counted(rule: Rule, grid: FloatArray, own: list[int], _parts: Parts) -> Iterator[Lines]:
    """Positions from 0 or 1, or between -1 and 1."""
    sizes = [grid.shape[axis] for axis in own]
    if rule.points == "centres":
        yield [(2 * np.arange(n) + 1) / n - 1 for n in sizes]
    elif rule.points == "ends":
        yield [np.linspace(-1, 1, n) for n in sizes]
    else:
        yield [np.arange(float(n)) for n in sizes]
        yield [np.arange(1.0, n + 1) for n in sizes]


def _stepped(rule: Rule, grid: FloatArray, own: list[int], parts: Parts) -> Iterator[Lines]:
    """Positions with other steps than 1: those measured, or those of a stretched image."""
    if rule.points != "whole":
        return
    exact, steps = rule.rotary.frequencies(), []
    for coordinate, axis in enumerate(own):
        turns, _ = _turns(grid, axis, parts)
        known = np.flatnonzero(np.equal(rule.rotary.axes, coordinate) & (turns > 0))
        step = turns[known[0]] / exact[known[0]] if len(known) else 1.0
        steps.append(float(f"{step:.6g}"))
    yield [s * np.arange(float(grid.shape[axis])) for axis, s in zip(own, steps, strict=True)]
    for size in _SIZES:
        yield [size / grid.shape[axis] * np.arange(float(grid.shape[axis])) for axis in own]


def _later(rule: Rule, grid: FloatArray, own: list[int], parts: Parts) -> Iterator[Lines]:
    """Positions that begin later, each coordinate where its first point says."""
    if rule.points != "whole":
        return
    exact = rule.rotary.frequencies()
    firsts = [
        _first(_turns(grid, axis, parts)[1], exact, np.equal(rule.rotary.axes, coordinate))
        for coordinate, axis in enumerate(own)
    ]
    for first in dict.fromkeys((firsts[-1], firsts[0])):  # time, if it has one value, says little
        places = [first, *firsts[1:]]
        yield [f + np.arange(float(grid.shape[a])) for a, f in zip(own, places, strict=True)]


def _first(along: Parts, exact: FloatArray, mine: np.ndarray) -> float:
    """The whole position of the first point that `exact` explains best."""
    places = np.arange(float(_STARTS))[:, np.newaxis]
    apart = np.zeros(_STARTS)
    for row in range(min(4, len(along.positions))):
        one = along.rows(slice(row, row + 1), along.positions[row : row + 1])
        made = one.waves((places + row) * exact[mine])
        held = one.values()[:, np.tile(mine, made.shape[1] // mine.sum())]
        apart += np.abs(made - held).sum(axis=1)
    return float(apart.argmin())


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
    rows = "one row" if found.before == 1 else f"{found.before} rows"
    return (where, *((finding("origin", rows=rows),) if found.before else ()))
