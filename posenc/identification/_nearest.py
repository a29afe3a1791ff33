"""The candidate that comes nearest to a table that nothing matches, and what keeps them apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np

from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification import _tables
from posenc.identification._answer import Maker, NearMiss
from posenc.identification._order import moved
from posenc.identification._rows import Rows
from posenc.identification._words import Finding, finding, listed
from posenc.library_grids import GRIDS

_SOME = 128  # rows that the candidates are compared with
_FEWEST = 4  # rows that are needed to choose between conventions
_NEAR = 0.3  # largest mean difference of a near miss; noise differs by more
_NEARER = 1 - 1e-9  # of the least mean difference so far: rounding decides nothing


@dataclass(frozen=True)
class _Candidate:
    convention: Convention | Grid
    libraries: tuple[str, ...]
    unit: FloatArray  # all rows, at amplitude 1


def nearest(rows: Rows, slack: float) -> NearMiss | None:
    """The nearest candidate to `rows`, or None if all are far off."""
    some = rows.sample(_SOME)
    tries = [(_distance(some, unit), kind, names) for kind, names, unit in _known(some)]
    least, kind, names = min(tries, key=itemgetter(0))
    if least < _NEAR:
        best = _described(rows, _Candidate(kind, names, rows.made_by(kind)), slack)
        if best and (best.rows or best.error <= 2 * slack):  # `moved` allows for as much
            return best
        if best and best.columns:
            return moved(rows, slack, by=("columns",)) or best
    else:
        best = None
    return _from_a_part(rows, slack) or moved(rows, slack) or _grid(rows, slack) or best


def _known(some: Rows) -> Iterator[tuple[Convention, tuple[str, ...], FloatArray]]:
    for kind, names in _tables.libraries(odd=some.width % 2 == 1).items():
        with suppress(ValueError):  # a frequency exceeds float64
            yield kind, names, some.made_by(kind)


def _distance(rows: Rows, unit: FloatArray) -> float:
    """Mean difference as a fraction of the amplitude; a wild value counts as 1."""
    amplitude = _amplitude(rows, unit)
    if amplitude <= 0:
        return np.inf
    return float(np.minimum(np.abs(rows.values / amplitude - unit), 1).mean())


def _amplitude(rows: Rows, unit: FloatArray) -> float:
    """Least squares over the half of the rows that fits best."""
    amplitude = rows.amplitude(unit)
    if amplitude <= 0:
        return amplitude
    apart = np.abs(rows.values / amplitude - unit).mean(axis=1)
    good = apart <= np.median(apart)
    return Rows(rows.places[good], rows.values[good]).amplitude(unit[good])


def _from_a_part(rows: Rows, slack: float) -> NearMiss | None:
    """A convention that makes a quarter of the rows, and most of the others."""
    quarter = len(rows.places) // 4
    if quarter < _FEWEST:
        return None
    for first in range(0, 4 * quarter, quarter):
        part = slice(first, first + min(quarter, _SOME))
        before = float(rows.places[first])
        found = _tables.matches(Rows(rows.places[part] - before, rows.values[part]), slack)
        for match in (match for match in found if not match.mistakes):
            assert isinstance(match.convention, Convention)
            start = match.convention.start - before
            kind = replace(match.convention, amplitude=1.0, start=start)
            near = _described(rows, _Candidate(kind, match.libraries, rows.made_by(kind)), slack)
            if near and near.rows:
                return near
    return None


def _grid(rows: Rows, slack: float) -> NearMiss | None:
    """The nearest square grid, with or without one row before it."""
    best: tuple[float, str, Grid, int] | None = None
    for first in (0, 1):
        points = int(rows.places[-1]) + 1 - first
        side = round(points**0.5)
        if rows.width % 4 or side < 2 or side * side != points:
            continue
        some = rows.sample(_SOME)
        for name, grid in GRIDS.items():
            places = some.places.astype(np.intp) - first
            coordinates = grid.positions((side, side))
            turned = coordinates if grid.listed == "rows" else coordinates.transpose(1, 0, 2)
            unit = grid.encode(turned.reshape(-1, 2)[places], rows.width)
            unit[places < 0] = 0
            apart = _distance(some, unit)
            if apart < (_NEAR if best is None else _NEARER * best[0]):
                best = apart, name, replace(grid, class_rows=first), side
    if best is None:
        return None
    _, name, grid, side = best
    unit = grid.table((side, side), rows.width)[rows.places.astype(np.intp)]
    return _described(rows, _Candidate(grid, (name,), unit), slack)


def _described(rows: Rows, candidate: _Candidate, slack: float) -> NearMiss | None:
    """Where `rows` and the candidate differ; None if most rows have the other sign."""
    amplitude = _amplitude(rows, candidate.unit)
    if amplitude <= 0:
        return None
    kind = candidate.convention
    if isinstance(kind, Convention):
        kind = replace(kind, amplitude=amplitude)
    apart = np.abs(rows.values / amplitude - candidate.unit)
    return described(apart, rows.places, kind, candidate.libraries, slack)


def described(
    apart: FloatArray, places: FloatArray, kind: Maker, libraries: tuple[str, ...], slack: float
) -> NearMiss:
    """A near miss whose differences are `apart` (rows, columns), its rows at `places`."""
    off = apart > slack
    odd_rows = places[off.any(axis=1)].astype(int).tolist()
    odd_columns = np.flatnonzero(off.any(axis=0)).tolist()
    count, width = off.shape
    typical = float(np.sqrt((apart**2).mean()))
    found: Finding
    if 2 * len(odd_rows) <= count:
        odd_columns = []
        found = finding("other-rows", count=len(odd_rows), rows=count, list=listed(odd_rows))
    elif 2 * len(odd_columns) <= width:
        odd_rows = []
        found = finding(
            "other-columns", count=len(odd_columns), width=width, list=listed(odd_columns)
        )
    else:
        odd_rows = odd_columns = []
        found = finding("noise", typical=f"{typical:.1g}")
    return NearMiss(
        convention=kind,
        error=float(apart.max()),
        typical=typical,
        libraries=libraries,
        rows=tuple(odd_rows),
        columns=tuple(odd_columns),
        findings=(found,),
    )
