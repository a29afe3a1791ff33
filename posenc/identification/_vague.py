"""Whether a table is too short or too flat for a fitted encoding to mean anything."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification._answer import Match
from posenc.identification._cache import AxialCache, size

_RANGE = 0.03  # of the amplitude, by which some column must change: three times the rough tolerance
_ARC = 0.2  # the same for a single pair, whose arc many slow series resemble


def is_vague(match: Match, values: npt.NDArray[Any]) -> bool:
    """Whether `values`, `(n, width)` or `(2, n, width)`, say too little for this fitted encoding.

    A pair that hardly turns makes any constant, and any straight line if the amplitude is large.
    """
    kind = match.convention
    if match.libraries or match.mistakes or isinstance(kind, Grid):
        return False
    if isinstance(kind, AxialCache) and np.ptp(kind.rotary.frequencies()) == 0:
        return True  # a coordinate for each row makes any column
    one_pair = values.size <= 2 * values.shape[-2]
    largest = kind.amplitude if isinstance(kind, Convention) else size(kind)
    least = (_ARC if one_pair else _RANGE) * largest
    return values.shape[-2] < 2 + one_pair or not np.ptp(values, axis=-2).max() >= least
