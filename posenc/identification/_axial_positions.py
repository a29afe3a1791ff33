"""Positions that the points of a grid may have along time, height and width."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._axial_rules import Rule
from posenc.identification._lattice import line
from posenc.identification._turning import Parts
from posenc.identification._waves import measured

_SIZES = (16, 32)  # of the images that a model was trained on, to which others are stretched
_STARTS = 4096  # first positions that are tried
_ROWS = 4  # rows that determine the first position

Lines = list[FloatArray]  # positions along time, height and width


def counted(rule: Rule, grid: FloatArray, own: list[int], _parts: Parts) -> Iterator[Lines]:
    """Positions from 0, or between -1 and 1."""
    sizes = [grid.shape[axis] for axis in own]
    if rule.points == "centres":
        yield [(2 * np.arange(n) + 1) / n - 1 for n in sizes]
    elif rule.points == "ends":
        yield [np.linspace(-1, 1, n) for n in sizes]
    else:
        yield [np.arange(float(n)) for n in sizes]


def stepped(rule: Rule, grid: FloatArray, own: list[int], parts: Parts) -> Iterator[Lines]:
    """Positions with other steps than 1: those measured, or those of a stretched image."""
    if rule.points != "whole":
        return
    exact, steps = rule.rotary.frequencies(), []
    for coordinate, axis in enumerate(own):
        turns, _ = turns_along(grid, axis, parts)
        fastest = rule.rotary.axes.index(coordinate)
        steps.append(float(f"{turns[fastest] / exact[fastest]:.6g}"))
    yield [s * np.arange(float(grid.shape[axis])) for axis, s in zip(own, steps, strict=True)]
    for size in _SIZES:
        yield [size / grid.shape[axis] * np.arange(float(grid.shape[axis])) for axis in own]


def later(rule: Rule, grid: FloatArray, own: list[int], parts: Parts) -> Iterator[Lines]:
    """Positions that begin later: each coordinate begins where its first point fits best."""
    if rule.points != "whole":
        return
    exact = rule.rotary.frequencies()
    firsts = [
        _first(turns_along(grid, axis, parts)[1], exact, np.equal(rule.rotary.axes, coordinate))
        for coordinate, axis in enumerate(own)
    ]
    for first in dict.fromkeys((firsts[-1], firsts[0])):  # with only one value, time says little
        places = [first, *firsts[1:]]
        yield [f + np.arange(float(grid.shape[a])) for a, f in zip(own, places, strict=True)]


def _first(along: Parts, exact: FloatArray, mine: np.ndarray) -> float:
    """The whole position of the first point that `exact` explains best."""
    rows = min(_ROWS, len(along.positions))
    waves = along.waves(np.arange(float(_STARTS + rows))[:, np.newaxis] * exact[mine])
    values = along.values()[:, np.tile(mine, waves.shape[1] // mine.sum())]
    apart = np.zeros(_STARTS)
    for row in range(rows):
        apart += np.abs(waves[row : row + _STARTS] - values[row]).sum(axis=1)
    return float(apart.argmin())


def turns_along(grid: FloatArray, axis: int, parts: Parts) -> tuple[FloatArray, Parts]:
    """How far each pair turns from point to point along `axis`, 0 where that is not known."""
    held = line(grid, axis)
    cosines = None if parts.cosines is None else held[:, 0]
    sines = None if parts.sines is None else held[:, -1]
    along = Parts(cosines, sines, np.arange(float(len(held))))
    waves = measured(along)
    if waves is not None:
        return np.abs(waves.turns) * waves.told, along
    turns, _ = along.frequencies(1.0)
    return turns, along
