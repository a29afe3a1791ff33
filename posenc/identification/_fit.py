"""Fit base, scale and start to a table whose columns are pairs of sine and cosine.

A pair is one complex number that turns by a fixed angle from row to row. The logarithms of the
angles fall along a line, whose slope gives the base.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import get_args

import numpy as np

from posenc._phase import ComplexArray, FloatArray
from posenc.conventions import Arrangement, Convention, Odd, Order
from posenc.identification._angles import WINDOW, turns_per_row, wrapped
from posenc.identification._rows import Rows, as_good

_STILL = 1e-12  # radians per row: below it, a phase does not determine the position
_TURNS = 50  # turns of the slowest pair: the first row lies at most so far from position 0
_SHIFTED = 3  # the largest freq_shift that is tried


@dataclass(frozen=True)
class _Line:
    """Pair i turns by `scale * exp(-slope * i)` radians per row; row 0 is position `start`."""

    scale: float
    slope: float
    start: float
    pairs: int


def _pairs(values: FloatArray, kind: Convention) -> ComplexArray:
    """`cos + 1j * sin` of each complete pair in `values`, whose columns `kind` arranged."""
    codes = kind.columns(values.shape[1])
    filled = np.flatnonzero(codes >= 0)
    order = filled[np.argsort(codes[filled])]
    sines, cosines = order[::2], order[1::2]
    return values[:, cosines] + 1j * values[:, sines[: len(cosines)]]


def _line(values: FloatArray, kind: Convention, slack: float) -> _Line | None:
    """Fit the pairs' turns per row; None if the pairs vary in length, so that nothing turns."""

    def pairs_from(row: int) -> ComplexArray:
        return _pairs(values[row : row + WINDOW], kind)

    head = pairs_from(0)
    length = np.abs(head)
    if np.ptp(length) > 4 * slack * length.mean():
        return None
    turns = turns_per_row(pairs_from, len(values))
    power = turns**2
    i = np.flatnonzero(power)
    if not len(i):
        return None
    weights, logs = power[i], np.log(np.abs(turns[i]))
    middle = np.average(i, weights=weights)
    spread = np.average((i - middle) ** 2, weights=weights)
    level = np.average(logs, weights=weights)
    slope = -np.average((i - middle) * logs, weights=weights) / (spread or 1.0)
    sense = np.sign(turns[np.abs(turns).argmax()])
    with np.errstate(over="ignore"):
        scale = float(sense * np.exp(level + slope * middle))
        frequencies = scale * np.exp(-slope * np.arange(head.shape[1]))
    if not (scale and np.isfinite(frequencies).all()):
        return None
    return _Line(scale, float(slope), _start(head, frequencies), head.shape[1])


def _start(head: ComplexArray, frequencies: FloatArray) -> float:
    """Position of the first row: estimated from the slowest pair, refined by faster ones.

    The slowest pair leaves the number of whole turns open, so several numbers are tried.
    """
    rows = np.arange(len(head))[:, np.newaxis]
    phases = np.angle((head * np.exp(-1j * rows * frequencies)).sum(axis=0))
    fast = np.abs(frequencies) > _STILL
    order = np.argsort(np.abs(frequencies[fast]))
    slow_to_fast = list(zip(phases[fast][order], frequencies[fast][order], strict=True))
    if not slow_to_fast:
        return 0.0
    turns = np.array(sorted(range(-_TURNS, _TURNS + 1), key=abs))
    starts: FloatArray = 2 * np.pi * turns / slow_to_fast[0][1]
    for phase, frequency in slow_to_fast:
        starts += wrapped(phase - frequency * starts) / frequency
    left = np.max([np.abs(wrapped(phase - w * starts)) for phase, w in slow_to_fast], axis=0)
    least = left.min()
    return float(
        next(start for start, off in zip(starts, left, strict=True) if as_good(off, least))
    )


def fitted(rows: Rows, slack: float) -> Iterator[Convention]:
    """Conventions that the columns of `rows` follow, with base, scale and start as measured."""
    run = rows.longest_run()
    odds: tuple[Odd, ...] = ("error",) if rows.width % 2 == 0 else ("truncate", "ceil", "pad")
    for arrangement, order, odd in product(get_args(Arrangement), get_args(Order), odds):
        kind = Convention(arrangement=arrangement, order=order, odd=odd)
        line = _line(run.values, kind, slack)
        if line is not None:
            start = line.start - float(run.places[0])
            measured = replace(kind, angle_scale=line.scale, start=start)
            yield from _with_base(measured, line.slope, rows.width, line.pairs)


def _with_base(kind: Convention, slope: float, d_model: int, pairs: int) -> Iterator[Convention]:
    """Give `kind` the base that explains the slope for freq_shift 0 and 1, or another freq_shift.

    The slope does not determine both, so any other freq_shift comes with the paper's base.
    """
    if pairs == 1:  # a single pair does not depend on the base
        yield kind
        return
    half = kind._spread(d_model) / 2
    for shift in (0, 1):
        exponent = slope * (half - shift)
        if abs(exponent) < 700:
            yield replace(kind, freq_shift=shift, base=math.exp(exponent))
    if slope > 0:
        other = half - math.log(kind.base) / slope
        if abs(other) < _SHIFTED and min(abs(other), abs(other - 1)) > 0.005:
            yield replace(kind, freq_shift=other)
