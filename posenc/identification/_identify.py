"""Find what made a table: a library's convention, any other, a grid, a rotary cache, a mistake."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification import (
    _axial_caches,
    _caches,
    _cut,
    _grid_tables,
    _mistakes,
    _mixed_caches,
    _near_caches,
    _plain_waves,
    _tables,
)
from posenc.identification._answer import Identification, Match, NearMiss
from posenc.identification._cache import AxialCache, RotaryCache
from posenc.identification._nearest import nearest
from posenc.identification._rows import FLOAT32, TOLERANCE, Rows
from posenc.identification._shapes import Given, given
from posenc.identification._vague import is_straight, is_vague
from posenc.identification._words import Finding, finding, mistake

ROUGH = 1e-2
_LONG = 4200  # rows from which float32 angles may be off by more than the tolerance
_WIDEST = 8192  # rows of a table that may be transposed
_CLOSE = 1000  # first rows, where float32 angles are exact enough


def identify(
    table: npt.ArrayLike | Mapping[str, Any], *, tolerance: float | None = None
) -> Identification:
    """Find what may have made `table` of shape `(length, d_model)`; false if nothing known did.

    Tries the conventions in `CONVENTIONS`, then fits `base`, `angle_scale`, `start`,
    `freq_shift` and `amplitude` to the columns (each row is the next position). If no library
    agrees, it tries known mistakes, the caches of rotary encodings, the grids in `GRIDS`
    and the transposed table. If nothing matches, `nearest` says what comes closest, or a finding
    lists the frequencies of sines and cosines that are no known encoding.

    A match differs by at most `tolerance`, a fraction of the amplitude, in every value. By
    default that is 0.001, and `identify` allows for float32 angles at far positions. If nothing
    matches, it tries 0.01, which is enough for bfloat16. A `tolerance` below 0.001 allows for
    neither. Rows of zeros count as
    padding. Axes of length 1 are dropped, and one of several equal slices is used. A rotary cache
    may also be complex, of shape `(2, length, width)`, or a mapping from `"cos"` and `"sin"`
    to arrays. A grid may have shape `(height, width, d_model)`.

    Raises TypeError if `table` does not hold numbers, ValueError if it does not have two axes
    with at least one row and two columns, if a value is NaN, infinite or beyond ±1e50, or if
    `tolerance` is not greater than 0 and less than 1, from where on it would match noise.

    >>> from posenc import Convention
    >>> answer = identify(Convention(arrangement="halves", start=3).table(16, 8))
    >>> answer.match.convention == Convention(arrangement="halves", start=3)
    True
    >>> print(*identify(Convention(base=1e8).table(16, 8)).match.mistakes)
    the exponent is doubled
    >>> random = np.random.default_rng(0).standard_normal((16, 8))
    >>> if not (answer := identify(random)):
    ...     print(answer.match, answer.nearest)
    None None
    """
    tolerance = checked(tolerance)
    held = given(table)
    if held.table is None:
        return _special(held, tolerance)
    values = held.table
    places = np.flatnonzero(values.any(axis=1))
    rows = Rows(places.astype(np.float64), values if len(places) == len(values) else values[places])
    ignored = tuple(np.flatnonzero(~values.any(axis=1)).tolist())
    answer = Identification(
        rows_used=len(places),
        rows_ignored=ignored,
        findings=held.findings,
        tolerance=tolerance or TOLERANCE,
    )
    refused = _refused(values, rows)
    if refused is not None:
        return replace(answer, findings=(*held.findings, refused))
    unnamed: Identification | None = None
    for slack, code in _ladder(len(values), tolerance):
        found = _matches(values, rows, slack, known=code == "float32-far")
        if not found:
            continue
        best = found[0]
        if is_vague(best, rows.values):
            return replace(answer, findings=(*held.findings, finding("vague")), tolerance=slack)
        noticed = _noticed(code, best, values, rows, slack)
        if noticed is None or (unnamed and not best.libraries):
            continue
        if isinstance(best.convention, RotaryCache | AxialCache):  # a row of zeros is sin(0)
            answer = replace(answer, rows_used=len(values), rows_ignored=())
        findings = (*answer.findings, *noticed)
        answered = replace(answer, matches=tuple(found), findings=findings, tolerance=slack)
        if code or _is_named(best) or tolerance or len(values) < _LONG:
            return answered
        unnamed = answered  # the fit may have invented a base to explain float32 angles
    return unnamed or _missed(answer, values, _nearest(values, rows, answer.tolerance))


def checked(tolerance: float | None) -> float | None:
    """Return `tolerance` as a float above 0 and below 1, or None."""
    if tolerance is None:
        return None
    number = _arguments.positive("tolerance", tolerance)
    if number >= 1:
        raise ValueError(f"tolerance must be less than 1, got {_arguments.shown(tolerance)}")
    return number


def _missed(answer: Identification, values: FloatArray, near: NearMiss | None) -> Identification:
    """The answer about a table that nothing matches: waves, or else the nearest miss."""
    slack = answer.tolerance
    if near is None or "noise" in [found.code for found in near.findings]:
        waves = _plain_waves.described(values, slack)
        if waves is not None:
            return replace(answer, findings=(*answer.findings, waves))
    if near is not None and near.error <= slack and isinstance(near.convention, RotaryCache):
        return replace(answer, findings=(*answer.findings, finding("vague")))
    return replace(answer, nearest=near)


def _nearest(values: FloatArray, rows: Rows, slack: float) -> NearMiss | None:
    """The nearest convention, grid or rotary cache."""
    near = nearest(rows, slack)
    if near is not None and (near.rows or near.columns):
        return near
    cache = _near_caches.nearest(values, slack)
    found = [miss for miss in (near, cache) if miss is not None]
    return min(found, key=lambda miss: miss.typical, default=None)


def _is_named(match: Match) -> bool:
    """Whether the search may end: `match` has a library or a mistake, or is a cache or a grid."""
    return bool(match.libraries or match.mistakes) or not isinstance(match.convention, Convention)


def _refused(values: FloatArray, rows: Rows) -> Finding | None:
    """A finding if the rows of the table cannot decide anything, otherwise None."""
    filled = len(rows.places)
    if not filled:
        return finding("all-zeros")
    if 2 * filled < len(values):
        return finding("mostly-zeros", count=len(values) - filled, rows=len(values))
    if filled == 1:
        return finding("one-row")
    return finding("vague") if is_straight(rows) else None


def _ladder(length: int, tolerance: float | None) -> Iterator[tuple[float, str]]:
    """Tolerances to try, and the finding that goes with each."""
    if tolerance is not None:
        yield tolerance, ""
        return
    yield TOLERANCE, ""
    if length >= _LONG:
        yield length * FLOAT32, "float32-far"
    yield ROUGH, "rough"


def _matches(values: FloatArray, rows: Rows, slack: float, *, known: bool) -> list[Match]:
    found = _tables.matches(rows, slack, known=known)
    if found and not found[0].mistakes:
        return found
    caches = _caches.matches(values, slack) or _cut.matches(values, slack)
    if caches or found:
        return _both(caches, found)
    found = _axial_caches.matches(values, slack, twice=True)
    found = found or _grid_tables.matches(values, int(rows.places[0]), slack)
    found = found or _axial_caches.matches(values, slack) or _mixed_caches.matches(values, slack)
    if found:
        return found
    if len(rows.places) > _WIDEST or rows.width < 3:  # two positions decide nothing
        return []
    if not rows.values.any(axis=0).all():
        return []
    turned = Rows(np.arange(float(rows.width)), rows.values.T)
    transposed = mistake(_mistakes.TRANSPOSED)
    return [
        replace(match, mistakes=(transposed, *match.mistakes))
        for match in _tables.matches(turned, slack)
        if not is_vague(match, turned.values)
    ]


def _both(caches: list[Match], found: list[Match]) -> list[Match]:
    """Caches before mistakes; a finding says if missing cosines look the same as the cache."""
    slips = {slip.code for match in found for slip in match.mistakes}
    if caches and slips & _mistakes.MISSING.keys():
        too = finding("cosines-missing-too", missing="cosines")
        caches = [replace(match, findings=(*match.findings, too)) for match in caches]
    return [*caches, *found]


def _noticed(
    code: str, best: Match, values: FloatArray, rows: Rows, slack: float
) -> tuple[Finding, ...] | None:
    """The finding that explains the tolerance `slack`; None if nothing does."""
    if code != "float32-far":
        return _rough(code, slack)
    first = Rows(rows.places[:_CLOSE], rows.values[:_CLOSE])
    for match in _matches(values[:_CLOSE], first, TOLERANCE, known=False):
        if type(match.convention) is type(best.convention) and not match.mistakes:
            near, error = f"{match.error:.1e}", f"{best.error:.1e}"
            return (finding("float32-far", near=near, error=error, rows=_CLOSE),)
    return None


def _rough(code: str, slack: float) -> tuple[Finding, ...]:
    """The finding that goes with the rough tolerance; none with another one."""
    return (finding("rough", tolerance=f"{slack:g}"),) if code == "rough" else ()


def _special(held: Given, tolerance: float | None) -> Identification:
    """Arrays with more axes: cosines and sines of a rotary cache, or a grid."""
    sizes = held.grids[0].shape[:2] if held.both is None else held.both.shape[1:2]
    length = math.prod(sizes)
    answer = Identification(
        rows_used=length, findings=held.findings, tolerance=tolerance or TOLERANCE
    )
    if held.both is not None:
        columns = Rows(np.arange(float(length)), np.concatenate(list(held.both), axis=1))
        if is_straight(columns):
            return replace(answer, findings=(*held.findings, finding("vague")))
    for slack, code in _ladder(length, tolerance):
        found: list[Match] = []
        if held.both is not None:
            found = _caches.matches(held.both, slack) or _cut.matches(held.both, slack)
            found = found or _axial_caches.matches(held.both, slack)
            found = found or _mixed_caches.matches(held.both, slack)
        for grid in held.grids:
            height, width, channels = grid.shape
            flat = grid.reshape(height * width, channels)
            found = found or _grid_tables.matches(flat, 0, slack, (height, width))
        if not found:
            continue
        if held.both is not None and is_vague(found[0], held.both):
            return replace(answer, findings=(*held.findings, finding("vague")), tolerance=slack)
        return replace(
            answer,
            matches=tuple(found),
            rows_used=math.prod(found[0].points or sizes),
            findings=(*held.findings, *_rough(code, slack)),
            tolerance=slack,
        )
    if held.both is None:
        return answer
    return _missed(answer, held.both, _near_caches.nearest(held.both, answer.tolerance))
