"""Rows of the table to identify, and how far a candidate is from them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from posenc._columns import IntArray
from posenc._phase import FloatArray
from posenc.conventions import Convention

TOLERANCE = 1e-3  # the usual one, a fraction of the amplitude
FLOAT32 = 2.0**-22  # relative error of an angle computed in float32
_MANY = 8  # pairs that no far position fits by chance
_ROUNDING = 1e-6  # float32 rounds a value by less
_CHANCE = 1e-3  # largest probability that a far position fits by chance


def as_good(error: float, best: float) -> bool:
    """Whether `error` is at most twice the `best` one, plus rounding."""
    return error <= 2 * best + _ROUNDING


def fits_by_chance(positions: float, pairs: int, error: float) -> bool:
    """Whether one of so many `positions` may fit `pairs` to within `error` by chance."""
    return bool(positions * (error / np.pi) ** pairs > _CHANCE)


def float32_error(last: float, pairs: int, slack: float) -> float:
    """The error that float32 angles may add up to position `last`.

    It is 0 if there are few pairs, or if the caller asked for less than the usual tolerance.
    """
    return last * FLOAT32 if pairs >= _MANY and slack >= TOLERANCE else 0.0


def spread(count: int, some: int) -> IntArray:
    """`some` of `count` rows that are spread evenly, and half as many from the start."""
    evenly = np.linspace(0, count - 1, some).astype(np.intp)
    return np.unique(np.concatenate([evenly, np.arange(min(some // 2, count))]))


@dataclass(frozen=True)
class Rows:
    """Some rows of a table, and their places in it."""

    places: FloatArray  # (n,) counted from 0
    values: FloatArray  # (n, d_model)

    @property
    def width(self) -> int:
        return int(self.values.shape[1])

    def sample(self, count: int) -> Rows:
        """`count` rows that are spread evenly, and half as many from the start."""
        chosen = spread(len(self.places), count)
        return Rows(self.places[chosen], self.values[chosen])

    def longest_run(self) -> Rows:
        """The longest run of consecutive rows."""
        breaks = np.flatnonzero(np.diff(self.places) != 1) + 1
        edges = [0, *breaks.tolist(), len(self.places)]
        first, last = max(pairwise(edges), key=lambda run: run[1] - run[0])
        return Rows(self.places[first:last], self.values[first:last])

    def made_by(self, kind: Convention) -> FloatArray:
        """The values of `kind`, with its amplitude, in these rows."""
        return kind.encode(kind.start + self.places, self.width)

    def error(self, unit: FloatArray) -> float:
        """Largest difference from the best multiple of `unit`, as a fraction of that multiple."""
        return self.error_at(self.amplitude(unit), unit)

    def amplitude(self, unit: FloatArray) -> float:
        """Least-squares amplitude of `unit`; 1 if that fits as well."""
        power = float(np.einsum("ij,ij", unit, unit))
        best = float(np.einsum("ij,ij", unit, self.values)) / power if power else 0.0
        near = abs(best - 1) < 0.1
        if near and as_good(self.error_at(1.0, unit), self.error_at(best, unit)):
            return 1.0
        return best

    def error_at(self, amplitude: float, unit: FloatArray) -> float:
        """Largest difference from `amplitude * unit`, as a fraction of `amplitude`."""
        if amplitude <= 0:
            return np.inf
        apart = unit * amplitude
        apart -= self.values
        return float(max(apart.max(), -apart.min())) / amplitude
