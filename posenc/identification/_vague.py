"""Whether a table is too short or too flat for a fitted encoding to mean anything."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification._answer import Match
from posenc.identification._cache import AxialCache, size
from posenc.identification._rows import FLOAT32, Rows, fits_by_chance

_RANGE = 0.03  # of the amplitude, by which some column must change: three times the rough tolerance
_ARC = 0.2  # the same for a single pair, whose arc many slow series resemble


def is_vague(match: Match, values: npt.NDArray[Any]) -> bool:
    """Whether `values`, `(n, width)` or `(2, n, width)`, say too little for this fitted encoding.

    A pair that hardly turns makes any constant, and any straight line if the amplitude is large.
    """
    kind = match.convention
    if match.libraries or match.mistakes or isinstance(kind, Grid):
        return False
    if isinstance(kind, Convention) and _is_far_by_chance(kind, values.shape[-1] // 2, match.error):
        return True
    if isinstance(kind, AxialCache) and np.ptp(kind.rotary.frequencies()) == 0:
        return True  # a coordinate for each row makes any column
    one_pair = values.size <= 2 * values.shape[-2]
    largest = kind.amplitude if isinstance(kind, Convention) else size(kind)
    least = (_ARC if one_pair else _RANGE) * largest
    return values.shape[-2] < 2 + one_pair or not np.ptp(values, axis=-2).max() >= least


def _is_far_by_chance(kind: Convention, pairs: int, error: float) -> bool:
    """Whether some first row as far away as that of `kind` may fit any few `pairs`.

    A start that is not whole always fits the fastest pair.
    """
    if kind.start.is_integer():
        return fits_by_chance(abs(kind.start), pairs, error)
    turns = abs(kind.start * kind.angle_scale) / pi
    return turns > 1 and fits_by_chance(turns, pairs - 1, error)


def is_straight(rows: Rows) -> bool:
    """Whether every column is a straight line, except for rounding; two rows have to be equal."""
    if len(rows.places) < 2:
        return False
    first, last = rows.values[0], rows.values[-1]
    share = (rows.places - rows.places[0]) / (rows.places[-1] - rows.places[0])
    apart = rows.values - first - share[:, np.newaxis] * (last - first)
    decided = len(share) > 2 or bool((first == last).all())
    return decided and bool(np.abs(apart).max() <= FLOAT32 * np.abs(rows.values).max())
