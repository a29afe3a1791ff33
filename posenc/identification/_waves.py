"""Measure the pairs of a rotary cache whose first row may be any position."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc._columns import IntArray
from posenc._phase import ComplexArray, FloatArray
from posenc.identification._angles import WINDOW, turns_per_row, whole, wrapped
from posenc.identification._turning import Parts

_STILL = 0.02  # radians: a pair that turns less over all rows is not measured
_TOLD = 0.5  # radians in a window: cosines or sines do not show the phase of a slower pair
_NOTHING = 1e-9  # smaller shares of the largest sum of squares are rounding
_FURTHEST = 1 << 17  # positions that the first row may be
_PAIRS = 16  # fastest pairs, which tell the first position
_NEAR = 0.02  # largest relative error of a measured turn
_APART = 0.25  # radians: largest difference of a phase


@dataclass(frozen=True)
class Waves:
    """Pair i holds `size[i]` times cosine and sine of `phases[i] + turns[i] * row`."""

    turns: FloatArray  # radians per row, 0 where nothing could be measured
    phases: FloatArray  # radians in row 0
    size: FloatArray
    weight: FloatArray  # what the rows say about each logarithm of `turns`
    told: npt.NDArray[np.bool_]  # whether the phase and the size are known

    @property
    def amplitude(self) -> float:
        """The size of the fastest pairs, 0 if there is none."""
        sizes = self.size[self.told]
        return float(np.median(sizes[sizes >= sizes.max() / 2])) if len(sizes) else 0.0

    @property
    def fast(self) -> IntArray:
        """The fastest pairs that are known, the fastest of them first."""
        order = np.argsort(-self.turns, kind="stable")
        return order[self.told[order]][:_PAIRS]

    def apart(self, parts: Parts) -> FloatArray:
        """Differences of the known pairs from the first rows of `parts`, `(rows, columns)`."""
        head = parts.rows(slice(0, WINDOW), parts.positions[:WINDOW])
        made = head.waves(self.phases + head.positions[:, np.newaxis] * self.turns)
        times = made.shape[1] // parts.pairs
        apart: FloatArray = np.abs(made * np.tile(self.size, times) - head.values())
        return apart[:, np.tile(self.told, times)]

    def first_position(self, exact: FloatArray) -> int | None:
        """The whole position of row 0 if the pairs turn by `exact`, None if they cannot."""
        fast = self.fast
        if (np.abs(exact[fast] / self.turns[fast] - 1) > _NEAR).any():
            return None
        places = np.arange(_FURTHEST)
        miss = np.zeros(_FURTHEST)
        for i in fast:
            apart = np.abs(wrapped(places * exact[i] - self.phases[i]))
            near = apart < _APART
            places, miss = places[near], (miss + apart)[near]
        return int(places[miss.argmin()]) if len(places) else None


def measured(parts: Parts) -> Waves | None:
    """The waves in `parts`, whose rows follow each other; None if there are too few rows."""
    if len(parts.positions) < 4:
        return None
    if parts.cosines is not None and parts.sines is not None:
        return _of_both(parts.cosines, parts.sines)
    if parts.cosines is not None:
        return _of_one(parts.cosines, 0.0)
    return None if parts.sines is None else _of_one(parts.sines, np.pi / 2)


def _of_both(cosines: FloatArray, sines: FloatArray) -> Waves:
    def pairs_from(row: int) -> ComplexArray:
        some = slice(row, row + WINDOW)
        pairs: ComplexArray = cosines[some] + 1j * sines[some]
        return pairs

    turns = turns_per_row(pairs_from, len(cosines))
    head = pairs_from(0)
    rows = np.arange(len(head))[:, np.newaxis]
    level = (head * np.exp(-1j * rows * turns)).mean(axis=0)
    return Waves(turns, np.angle(level), np.abs(level), turns**2, turns != 0)


def _of_one(values: FloatArray, quarter: float) -> Waves:
    """The waves in cosines, or in sines, which are cosines a `quarter` turn later.

    The rows `lag` before and after a row add up to it times twice the cosine of the turn. At
    least a third of the rows are such middles: fewer would say less, though over more rows.
    """
    turns, power = np.zeros(values.shape[1]), np.zeros(values.shape[1])
    lag = 1
    while 3 * lag <= len(values):
        here = values[lag : len(values) - lag][:WINDOW]
        around = values[: len(here)] + values[2 * lag : 2 * lag + len(here)]
        square = (here**2).sum(axis=0)
        some = square > _NOTHING * square.max()
        product = (here * around).sum(axis=0)
        ratio = np.divide(product, 2 * square, out=np.ones_like(square), where=some)
        angle = np.arccos(np.clip(ratio, -1, 1))
        guess = lag * turns
        turns = (whole(guess) + np.copysign(angle, wrapped(guess))) / lag
        power = np.maximum(power, (lag * np.sin(angle)) ** 2 * square)
        lag *= 2
    turns = np.where(turns * len(values) < _STILL, 0.0, turns)
    angles = np.arange(len(values[:WINDOW]))[:, np.newaxis] * turns
    cosine, sine = amplitudes(values[:WINDOW], np.cos(angles), np.sin(angles))
    phases = wrapped(np.arctan2(-sine, cosine) + quarter)
    told = turns * len(angles) > _TOLD
    return Waves(turns, phases, np.hypot(cosine, sine), power * turns**2, told)


def amplitudes(
    values: FloatArray, one: FloatArray, other: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The multiples of two waves that add up to each column of `values`: least squares."""
    a, b, c = (one**2).sum(axis=0), (one * other).sum(axis=0), (other**2).sum(axis=0)
    x, y = (one * values).sum(axis=0), (other * values).sum(axis=0)
    scale = a * c - b**2
    found = np.zeros((2, *scale.shape))
    np.divide([c * x - b * y, a * y - b * x], scale, out=found, where=scale > 0)
    return found[0], found[1]
