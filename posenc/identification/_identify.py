"""Find what made a table: read it, measure it, explain it, choose, and say it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import combinations
from math import pi
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification import _caches, _nearest, _points, _tables, _vectors
from posenc.identification._answer import Identification, Match
from posenc.identification._measure import FLOAT32, TOLERANCE, Limits, as_good
from posenc.identification._rules import BASES
from posenc.identification._tables import Rows
from posenc.identification._words import Finding, finding, listed, mistake
from posenc.reading._shapes import given
from posenc.rotary import Rotary
from posenc.rotary._caches import AxialCache, RotaryCache, size

_WIDEST = 8192  # rows of a table that may be transposed
_CLOSE = 1000  # first rows, where float32 angles are exact enough
_FEW = 8  # rows that show whether columns are straight
_RANGE = 0.03  # of the amplitude, by which some column must change
_ARC = 0.2  # the same for a single pair, whose arc many slow series resemble
_CHANCE = 1e-3  # largest probability that a far position fits by chance

Way = Callable[[], list[Match]]


def identify(
    table: npt.ArrayLike | Mapping[str, Any], *, tolerance: float | None = None
) -> Identification:
    """Find what may have made `table` of shape `(length, d_model)`; false if nothing known did.

    Tries the conventions in `CONVENTIONS`, then fits `base`, `angle_scale`, `start`,
    `freq_shift` and `amplitude` to the columns (each row is the next position). If no library
    agrees, it tries known mistakes, the caches of rotary encodings, frequencies, positions or
    angles that were rounded, the grids in `GRIDS`, rows in another order or at any positions,
    the transposed table, and columns beside others. If nothing matches, `nearest` says what comes
    closest, or a finding lists the frequencies of sines and cosines that follow no known rule.

    A match differs by at most `tolerance`, a fraction of the amplitude, in every value. By
    default that is 0.001, or twice the rounding that the values show (0.0039 for bfloat16), and
    `identify` allows for float32 angles at far positions. A given `tolerance` allows for
    neither. Rows of zeros count as padding. Axes of length 1 are dropped, and one of several equal
    slices is used. A rotary cache may also be complex, of shape `(2, length, width)`, or a mapping
    from `"cos"` and `"sin"` to arrays. A grid may have shape `(height, width, d_model)`. A vector
    of at least four floats that falls is read as the inverse frequencies of a rotary encoding: the
    match is then a `Rotary`. ALiBi's slopes match nothing, and a finding names them.

    Raises TypeError if `table` does not hold numbers, ValueError if it does not have two axes
    with at least one row and two columns, if a value is NaN, infinite or beyond ±1e50, or if
    `tolerance` is not greater than 0 and less than 1.

    >>> from posenc import Convention
    >>> answer = identify(Convention(layout="halves", start=3).table(16, 8))
    >>> answer.match.convention == Convention(layout="halves", start=3)
    True
    >>> print(*identify(Convention(base=1e8).table(16, 8)).match.mistakes)
    the exponent is doubled
    >>> random = np.random.default_rng(0).standard_normal((16, 8))
    >>> if not (answer := identify(random)):
    ...     print(answer.match, answer.nearest)
    None None
    """
    tolerance = checked(tolerance)
    vector = None if isinstance(table, Mapping) else _arguments.as_array("table", table)
    if vector is not None and (_vectors.is_falling(vector) or _vectors.slopes(vector)):
        return _vectors.explained_vector(vector)
    held = given(table)
    if held.values is None:
        answer = _of_grids(held.grids, tolerance)
    else:
        answer = _of_values(held.values, tolerance)
    matches = [replace(match, made=_shaped(match.made, table)) for match in answer.matches]
    answer = replace(answer, matches=tuple(matches))
    if held.copies == 1:
        return answer
    used = finding("equal-slices", count=held.copies, shape=str(held.shape))
    return replace(answer, findings=(used, *answer.findings))


def checked(tolerance: float | None) -> float | None:
    """Return `tolerance` as a float above 0 and below 1, or None."""
    if tolerance is None:
        return None
    number = _arguments.positive("tolerance", tolerance)
    if number >= 1:
        raise ValueError(f"tolerance must be less than 1, got {_arguments.shown(tolerance)}")
    return number


def _shaped(
    made: npt.NDArray[Any] | None, table: npt.ArrayLike | Mapping[str, Any]
) -> npt.NDArray[Any] | None:
    """`made` in the shape of the input: complex, with axes of length 1 and equal slices."""
    if made is None or isinstance(table, Mapping):
        return made
    array = _arguments.as_array("table", table)
    forms = [made]
    if array.dtype.kind == "c":
        forms = [made[0] + 1j * made[1]]
    elif made.ndim == 3:  # cosines and sines may be the last axis, channels the first
        forms += [np.moveaxis(made, 0, 2), np.moveaxis(made, 2, 0)]
    fits = [
        np.broadcast_to(np.expand_dims(form, others), array.shape)
        for form in forms
        for others in combinations(range(array.ndim), array.ndim - form.ndim)
        if form.shape == tuple(np.delete(array.shape, others))
    ]
    if len(fits) == 1:
        return fits[0]
    return min(fits, key=lambda fit: float(np.abs(fit - array).max()))


def _of_values(values: FloatArray, tolerance: float | None) -> Identification:
    """The answer about a table `(n, d)`, or about cosines and sines `(2, n, width)`."""
    limits, both = Limits.of(values, tolerance), values.ndim == 3
    columns = np.hstack(list(values)) if both else values
    filled = np.full(len(columns), True) if both else values.any(axis=1)
    places = np.flatnonzero(filled)
    kept = columns if filled.all() else columns[places]
    rows = Rows(places.astype(np.float64), kept, limits.far, limits.error)
    ignored = tuple(np.flatnonzero(~filled).tolist())
    answer = Identification(rows_used=len(places), rows_ignored=ignored, tolerance=limits.slack)
    refused = _refused(values, rows, limits)
    found = [] if refused else _explained(values, rows, limits)
    if found and is_vague(found[0], kept if not both else values):
        refused = (finding("vague"),)
    if refused:
        return replace(answer, findings=refused)
    if not found:
        return _missed(answer, values, None if both else rows, limits)
    if not limits.given:
        best = found[0].error
        found = [match for match in found if as_good(match.error, best, limits.error)]
    if _is_loose(found[0], limits):
        return replace(answer, nearest=_nearest.loose(found[0], values))
    if not isinstance(found[0].convention, Convention | Grid):  # a row of zeros is sin(0)
        answer = replace(answer, rows_used=len(columns), rows_ignored=())
    whole = [_with_zeros(match, values, places) for match in found]
    return _answered(answer, whole, values, limits)


def _with_zeros(match: Match, values: FloatArray, places: npt.NDArray[np.intp]) -> Match:
    """`match` whose table has the rows of zeros that were left out."""
    if match.made is None or match.made.shape == values.shape:
        return match
    made = np.zeros_like(values)
    made[places] = match.made
    return replace(match, made=made)


def _refused(values: FloatArray, rows: Rows, limits: Limits) -> tuple[Finding, ...]:
    """Findings if the rows of the table cannot decide anything."""
    filled, count = len(rows.places), values.shape[-2]
    if not filled:
        return (finding("all-zeros"),)
    if 2 * filled < count:
        return (finding("mostly-zeros", count=count - filled, rows=count),)
    if filled == 1 and values.ndim == 2:
        return (finding("one-row"),)
    most = np.ptp(rows.values, axis=0).max()
    flat = most < _RANGE * np.abs(rows.values).max()
    straight = (finding("vague"),) if flat or is_straight(rows) else ()
    if straight and most > 2 * np.pi:  # more than sine and cosine of a slow pair
        steps = (rows.values[-1] - rows.values[0]) / (rows.places[-1] - rows.places[0])
        straight = (finding("angles", list=_nearest.some_of(steps.tolist())),)
    return _nearest.no_turn(values, limits) or straight


def _explained(values: FloatArray, rows: Rows, limits: Limits) -> list[Match]:
    """What may have made the table: the kinds with fewer free numbers first."""
    table = values.ndim == 2
    found = _tables.matches(rows, limits.slack) if table else []
    rounded = partial(_caches.matches, values, limits, _caches.rounded)
    if found and not found[0].mistakes:
        return found if found[0].libraries or _exact(found[0], limits) else rounded() or found
    caches = _caches.matches(values, limits, _caches.counted)
    if caches and not found and not _exact(caches[0], limits):
        caches = rounded() or _beside_others(values, limits) or caches
    if caches or found:
        if {slip.code for match in found for slip in match.mistakes} & _tables.MISSING.keys():
            too = finding("cosines-missing-too", missing="cosines")
            caches = [replace(one, findings=(*one.findings, too)) for one in caches]
        return [*caches, *found]
    ways: tuple[Way | None, ...] = (
        rounded,
        partial(_points.matches, values, limits, twice=True) if table else None,
        partial(_points.grids, values, int(rows.places[0]), limits) if table else None,
        partial(_points.matches, values, limits),
        partial(_caches.matches, values, limits, _caches.placed),
        partial(_points.texts, values, limits),
        partial(_transposed, values, limits),
        partial(_beside_others, values, limits),
    )
    return next(filter(None, (way() for way in ways if way)), [])


def _exact(match: Match, limits: Limits) -> bool:
    """Whether nothing but the rounding of values, and of float32 angles, is left."""
    return match.error <= limits.exact or (limits.far > 0 and match.error > limits.slack)


def _is_loose(match: Match, limits: Limits) -> bool:
    """Whether a cache fits no better than other ones might: its base and scaling are guesses."""
    kind = match.convention
    if limits.given or not isinstance(kind, RotaryCache):
        return False
    last = max(match.positions or [kind.start + match.table().shape[-2]])
    return match.error > limits.exact + limits.far * last


def _transposed(values: FloatArray, limits: Limits) -> list[Match]:
    turned = np.swapaxes(values, -1, -2)
    if max(values.shape) > _WIDEST or turned.shape[-2] < 3:  # two positions decide nothing
        return []
    slip = mistake(_tables.TRANSPOSED)
    return [
        replace(match, mistakes=(slip, *match.mistakes), made=np.swapaxes(match.table(), -1, -2))
        for match in _caches.in_order(turned, limits)
        if not is_vague(match, turned)
    ]


def _beside_others(values: FloatArray, limits: Limits) -> list[Match]:
    """A usual table or cache beside one more column, or before columns that never change."""
    width = values.shape[-1]
    turning = np.flatnonzero(np.ptp(values, axis=-2).reshape(-1, width).any(axis=0))[-1] + 1
    tries = [slice(0, turning)] if turning < width else []
    for kept in [*tries, *((slice(0, -1), slice(1, None)) if width % 2 else ())]:
        own = values[..., kept]  # a single pair has no base
        for match in _caches.in_order(own, limits) if own.size > 2 * own.shape[-2] else ():
            base = getattr(match.rotary or match.convention, "base", None)
            if base in BASES and not is_vague(match, own):
                made = values.copy()
                made[..., kept] = match.table()
                others = listed(np.delete(np.arange(width), kept).tolist())
                found = (*match.findings, finding("others", list=others))
                return [replace(match, findings=found, made=made)]
    return []


def _answered(
    answer: Identification, found: list[Match], values: FloatArray, limits: Limits
) -> Identification:
    """`answer` with what was found, and why it may differ by more than usual."""
    best, more = found[0], answer.findings
    if best.error > answer.tolerance and best.made is not None and best.made.shape == values.shape:
        close = min(_CLOSE, values.shape[-2])
        apart = np.abs(best.made - values)[..., :close, :].max() / np.abs(values).max()
        near, error = f"{apart:.1e}", f"{best.error:.1e}"
        more = (*more, finding("float32-far", near=near, error=error, rows=close))
    elif best.error > TOLERANCE and not limits.given:
        slack = f"{answer.tolerance:.2g}"
        more = (*more, finding("rough", format=limits.format, tolerance=slack))
    return replace(answer, matches=tuple(found), findings=more)


def _missed(
    answer: Identification, values: FloatArray, rows: Rows | None, limits: Limits
) -> Identification:
    """The answer about a table that nothing matches: waves, or else the nearest miss."""
    near = _nearest.nearest(values, rows, limits)
    if near and near.error <= limits.slack and isinstance(near.convention, RotaryCache):
        return replace(answer, findings=(*answer.findings, finding("vague")))
    if near is None or "noise" in [found.code for found in near.findings]:
        waves = _nearest.waves_of(values, limits)
        if waves:
            return replace(answer, findings=(*answer.findings, *waves))
    return replace(answer, nearest=near)


def _of_grids(grids: tuple[FloatArray, ...], tolerance: float | None) -> Identification:
    """The answer about an array with three axes: a grid, channels last or first."""
    missed: list[Identification] = []
    for grid in grids:
        height, width, channels = grid.shape
        flat = grid.reshape(height * width, channels)
        limits = Limits.of(flat, tolerance)
        found = _points.grids(flat, 0, limits, (height, width))
        answer = Identification(rows_used=len(flat), tolerance=limits.slack)
        if found:
            made = found[0].table().reshape(grid.shape)
            answered = _answered(answer, found, flat, limits)
            return replace(answered, matches=(replace(found[0], made=made),))
        missed.append(answer)
    return missed[0]


def is_vague(match: Match, values: npt.NDArray[Any]) -> bool:
    """Whether `values`, `(n, width)` or `(2, n, width)`, say too little for this fitted encoding.

    A pair that hardly turns makes any constant, and any straight line if the amplitude is large.
    """
    kind = match.convention
    if match.libraries or match.mistakes or isinstance(kind, Grid | Rotary):
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
        return abs(kind.start) * (error / pi) ** pairs > _CHANCE
    turns = abs(kind.start * kind.angle_scale) / pi
    return turns > 1 and turns * (error / pi) ** (pairs - 1) > _CHANCE


def is_straight(rows: Rows) -> bool:
    """Whether every column is a straight line, except for rounding; two rows have to be equal."""
    if len(rows.places) < 2:
        return False
    first, last = rows.values[0], rows.values[-1]
    if len(rows.places) > 2 * _FEW and not is_straight(rows.sample(_FEW)):
        return False
    share = (rows.places - rows.places[0]) / (rows.places[-1] - rows.places[0])
    apart = rows.values - first - share[:, np.newaxis] * (last - first)
    decided = len(share) > 2 or bool((first == last).all())
    return decided and bool(np.abs(apart).max() <= FLOAT32 * np.abs(rows.values).max())
