"""Measure how fast each pair of a rotary cache turns, from its cosines, its sines, or both."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from posenc._columns import IntArray
from posenc._phase import FloatArray
from posenc.identification._angles import WINDOW

_FIRST = 8  # rows that tell the amplitude of sines
_DIRECT = 0.5  # radians: below it, one angle says how fast a pair turns


@dataclass(frozen=True)
class Parts:
    """Cosines and sines at `positions` (rows,), each `(rows, pairs)`; one may be missing.

    The first rows are positions 0, 1, 2, ..., the others lie further on.
    """

    cosines: FloatArray | None
    sines: FloatArray | None
    positions: FloatArray

    @property
    def pairs(self) -> int:
        return int(self._any.shape[1])

    @property
    def _any(self) -> FloatArray:
        held = self.sines if self.cosines is None else self.cosines
        assert held is not None
        return held

    def rows(self, chosen: slice | IntArray, positions: FloatArray) -> Parts:
        """The `chosen` rows, which lie at `positions`."""
        cosines = None if self.cosines is None else self.cosines[chosen]
        sines = None if self.sines is None else self.sines[chosen]
        return Parts(cosines, sines, positions)

    def waves(self, angles: FloatArray) -> FloatArray:
        """The values of the parts at `angles` (rows, pairs); cosines and sines side by side."""
        held = (self.cosines, np.cos), (self.sines, np.sin)
        return np.concatenate([wave(angles) for part, wave in held if part is not None], axis=1)

    def values(self) -> FloatArray:
        """The parts side by side."""
        return np.concatenate([p for p in (self.cosines, self.sines) if p is not None], axis=1)

    def size(self) -> float:
        """The median length of the pairs in the first row; of a single part, the largest value."""
        if self.cosines is None or self.sines is None:
            most = float(np.abs(self._any).max())
            return 1.0 if 0.5 < most < 1 + 1e-3 else most
        return float(np.median(np.hypot(self.cosines[0], self.sines[0])))

    def amplitude(self) -> float:
        """The factor that multiplies all cosines and sines."""
        if self.cosines is not None:  # cos 0 is 1
            return float(np.median(self.cosines[0]))
        fastest = self._any[:_FIRST, 0]
        middle = fastest[1:-1]
        power = middle @ middle
        if not power:
            return 0.0
        cosine = (fastest[2:] + fastest[:-2]) @ middle / (2 * power)
        wave = np.sin(np.arange(len(fastest)) * np.arccos(np.clip(cosine, -1, 1)))
        return float(wave @ fastest / (wave @ wave)) if wave.any() else 0.0

    def frequencies(self, amplitude: float) -> tuple[FloatArray, FloatArray]:
        """Radians per position of each pair, and how much the rows say about each."""
        turns, weight = np.zeros(self.pairs), np.zeros(self.pairs)
        row = 1
        while row < len(self.positions):
            first = self.positions[row]
            end = int(np.searchsorted(self.positions, 2 * first))
            rows = slice(row, min(end, row + WINDOW))
            turns, weight = self._refined(turns, rows, amplitude)
            row = end
        return np.abs(turns), weight * turns**2

    def _refined(
        self, turns: FloatArray, rows: slice, amplitude: float
    ) -> tuple[FloatArray, FloatArray]:
        """Refine `turns` by `rows`, whose angles are already known to less than half a turn."""
        position = self.positions[rows, np.newaxis]
        if self.cosines is not None and self.sines is not None:
            seen = (self.cosines[rows] + 1j * self.sines[rows]) * np.exp(-1j * position * turns)
            step = np.angle(seen.sum(axis=0)) / position.mean()
            return turns + step, np.ones(self.pairs)
        values = self._any[rows] / amplitude
        one, first = np.clip(values, -1, 1), position.min()
        if self.cosines is not None:  # all rows: rounding leaves ones where a pair hardly turns
            squares = ((np.arccos(one) * position) ** 2).sum(axis=0)
            direct = np.sqrt(squares / (position**4).sum())
        else:
            direct = np.arcsin(one[0]) / first
        slow = np.abs(turns) * first < _DIRECT
        turns = np.where(slow, direct, turns)
        angles = position * turns
        slopes = -np.sin(angles) if self.cosines is not None else np.cos(angles)
        slopes = slopes * position
        power = (slopes**2).sum(axis=0)
        rest = values - self.waves(angles)
        step = (rest * slopes).sum(axis=0) / np.where(power > 0, power, np.inf)
        return np.where(slow, turns, turns + step), power
