"""Measure a table: its number format, its pairs of columns, how they turn, where its rows lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from posenc import _formats
from posenc._columns import IntArray
from posenc._phase import ComplexArray, FloatArray
from posenc.conventions import Convention, Layout, Odd, Order
from posenc.rotary._caches import Form, Part

TOLERANCE = 1e-3  # the usual one, a fraction of the amplitude
FLOAT32 = 2.0**-22  # relative error of an angle computed in float32
COARSE = "bfloat16", "float16"  # formats that hide a base or a position
FURTHEST = 1 << 17  # positions that any row may be
WINDOW = 64  # rows that each measurement uses
_EXACT = 1e-5  # beyond the rounding of values: a plain rule explains more without a rounding
_DIGITS = range(2, 7)  # decimals that a table may be rounded to
_FEWEST = 8  # different values that show a format
_STILL = 0.02  # radians: a pair that turns less over all rows is not measured
_TOLD = 0.5  # radians in a window: cosines or sines do not show the phase of a slower pair
_NOTHING = 1e-9  # smaller shares of the largest sum of squares are rounding
_PAIRS = 40  # that tell a position
_DIRECT = 0.5  # radians: below it, one angle says how fast a pair turns


def as_good(error: float, best: float, rounding: float = 0.0) -> bool:
    """Whether `error` is at most twice the `best` one.

    Where `rounding`, that of the values' format, explains the best error, errors that it explains
    are as good, and others are not.
    """
    bound = 1.1 * rounding + 1e-6
    return error <= (bound if rounding and best <= bound else 2 * best + 1e-6)


def room(far: float, positions: FloatArray, speeds: FloatArray) -> FloatArray:
    """By how much angles may be off, `(rows, pairs)`: `far` of each, more in slow pairs."""
    with np.errstate(divide="ignore"):
        logs = np.where(speeds > 0, np.log(np.where(speeds > 0, speeds, 1)), 0)
    relative = far * speeds * (1 + np.abs(logs) / 2)
    return np.multiply.outer(np.abs(positions), relative)


def spread(count: int, some: int) -> IntArray:
    """At most `some + some // 2` of `count` rows: the first ones, and others spread evenly."""
    even = np.linspace(0, count - 1, some).astype(np.intp)
    return np.unique(np.concatenate([np.arange(min(count, some // 2)), even]))


def rounded_to(name: str, values: FloatArray) -> FloatArray:
    """`values` rounded to the format of this name, or its largest number."""
    form = _formats.FORMATS[name]
    return np.clip(_formats.rounded(values, form), -form.largest, form.largest)


def half_step(name: str, values: FloatArray) -> FloatArray:
    """The largest error of each of `values` that was rounded to the format of this name."""
    form = _formats.FORMATS[name]
    error: FloatArray = np.ldexp(0.5, np.maximum(np.frexp(values)[1] - form.bits, form.quantum))
    return error


@dataclass(frozen=True)
class Limits:
    """What counts as equal: `slack` of the amplitude, and `far` of each angle.

    `error` is that of the coarsest `format` on which all values lie, as a fraction of the largest.
    """

    slack: float
    far: float
    error: float
    format: str = "float64"
    given: bool = False  # the caller said so

    @classmethod
    def of(cls, values: FloatArray, tolerance: float | None) -> Limits:
        error, form = _format(values[..., spread(values.shape[-2], WINDOW), :].ravel())
        slack = tolerance or max(TOLERANCE, 2 * error)
        far = 0.0 if tolerance or form == "float64" else FLOAT32
        return cls(slack, far, error, form, tolerance is not None)

    @property
    def exact(self) -> float:
        """The difference that rounding of values explains."""
        return min(self.slack, 2 * self.error + _EXACT)


def _format(some: FloatArray) -> tuple[float, str]:
    """The largest rounding error of the format that `some` values show, and its name."""
    held = [(2.0**-53, "float64")]
    if len(np.unique(np.abs(some))) >= _FEWEST:
        held += [
            (2.0 ** -(_formats.FORMATS[name].bits + 1), name)
            for name in (*COARSE, "float32")
            if (rounded_to(name, some) == some).all()
        ]
        for digits in _DIGITS:
            times = some * 10.0**digits
            if (np.abs(times - np.rint(times)) <= 1e-4 * np.minimum(1, np.abs(times))).all():
                held.append((0.5 * 10.0**-digits / float(np.abs(some).max()), f"{digits} decimals"))
    return max(held, key=lambda one: one[0])


@dataclass(frozen=True)
class Parts:
    """Cosines and sines, each `(rows, pairs)`; one may be missing."""

    cosines: FloatArray | None
    sines: FloatArray | None

    @property
    def any(self) -> FloatArray:
        held = self.sines if self.cosines is None else self.cosines
        assert held is not None
        return held

    @property
    def pairs(self) -> int:
        return int(self.any.shape[1])

    def __len__(self) -> int:
        return len(self.any)

    def of(self, change: Callable[[FloatArray], FloatArray]) -> Parts:
        """Both parts, changed."""
        held = (self.cosines, self.sines)
        return Parts(*(None if part is None else change(part) for part in held))

    def rows(self, chosen: slice | IntArray) -> Parts:
        return self.of(lambda part: part[chosen])

    def columns(self, chosen: npt.NDArray[np.bool_]) -> Parts:
        return self.of(lambda part: part[:, chosen])

    def waves(self, angles: FloatArray) -> FloatArray:
        """The values of the parts at `angles` (rows, pairs); cosines and sines side by side."""
        held = (self.cosines, np.cos), (self.sines, np.sin)
        return np.concatenate([wave(angles) for part, wave in held if part is not None], axis=1)

    def values(self) -> FloatArray:
        """The parts side by side."""
        return np.concatenate([p for p in (self.cosines, self.sines) if p is not None], axis=1)

    def phasors(self) -> ComplexArray:
        assert self.cosines is not None
        assert self.sines is not None
        pairs: ComplexArray = self.cosines + 1j * self.sines
        return pairs

    def size(self) -> float:
        """The median length of the pairs in the first row; of a single part, the largest value."""
        if self.cosines is None or self.sines is None:
            most = float(np.abs(self.any).max())
            return 1.0 if 0.5 < most < 1 + 1e-3 else most
        return float(np.median(np.abs(self.rows(slice(0, 1)).phasors())))


@dataclass(frozen=True)
class Reading:
    """A way to read columns as pairs.

    `kind` has the layout, order and odd width of a convention whose columns these are;
    `part` and `form` are those of a rotary cache. One of the two may be missing.
    """

    parts: Parts
    part: Part | None = None
    form: Form = "once"
    kind: Convention | None = None


Off = Callable[[FloatArray], Any]


def tables(values: FloatArray) -> Iterator[Reading]:
    """Ways to read `values` `(n, width)` as a convention's table: complete pairs."""
    odds: tuple[Odd, ...] = ("truncate", "ceil", "pad") if values.shape[1] % 2 else ("error",)
    for layout, order, odd in product(get_args(Layout), get_args(Order), odds):
        kind = Convention(layout=layout, order=order, odd=odd)
        codes = kind.columns(values.shape[1])
        filled = np.flatnonzero(codes >= 0)
        columns = filled[np.argsort(codes[filled])]
        sines, cosines = columns[::2], columns[1::2]
        held = (_columns(values, some) for some in (cosines, sines[: len(cosines)]))
        yield Reading(Parts(*held), kind=kind)


def _columns(values: FloatArray, chosen: IntArray) -> FloatArray:
    """The `chosen` columns; evenly spaced ones without a copy."""
    steps = np.diff(chosen)
    if len(steps) and steps[0] > 0 and (steps == steps[0]).all():
        return values[:, chosen[0] : chosen[-1] + 1 : steps[0]]
    return values[:, chosen]


def caches(values: FloatArray, slack: float, off: Off = np.max) -> Iterator[Reading]:
    """Ways to read `values`, `(n, width)` or cosines and sines `(2, n, width)`, as a cache.

    The two columns of a pair may differ by `slack`, as `off` measures it.
    """
    if values.ndim == 3:
        form, (one, other) = _once(values, slack, off)
        yield Reading(Parts(one, other), "both", form)
        return
    form, (held,) = _once(values[np.newaxis], slack, off)
    yield Reading(Parts(held, None), "cos", form)
    yield Reading(Parts(None, held), "sin", form)
    if values.shape[1] % 2 == 0:
        form, (one, other) = _once(np.stack(np.split(values, 2, axis=1)), slack, off)
        yield Reading(Parts(one, other), "cos|sin", form)
        yield Reading(Parts(other, one), "sin|cos", form)


def form_of(part: FloatArray, slack: float, off: Off = np.max) -> Form:
    """Whether the columns of `part` `(..., width)` hold each pair once or twice."""
    if part.shape[-1] % 2:
        return "once"
    head = part[..., :WINDOW, :]
    limit = slack * float(np.abs(head).max())
    left, right = np.split(head, 2, axis=-1)
    if off(np.abs(left - right)) <= limit:
        return "halves"
    return "interleaved" if off(np.abs(head[..., 0::2] - head[..., 1::2])) <= limit else "once"


def _once(parts: FloatArray, slack: float, off: Off) -> tuple[Form, FloatArray]:
    """The form of `parts` (parts, n, width), and their columns with each pair once."""
    form = form_of(parts, slack, off)
    if form == "halves":
        return form, parts[..., : parts.shape[-1] // 2]
    return form, parts[..., 0::2] if form == "interleaved" else parts


def whole(angle: FloatArray) -> FloatArray:
    """The whole turns of `angle`, in radians."""
    turns: FloatArray = 2 * np.pi * np.round(angle / (2 * np.pi))
    return turns


def wrapped(angle: FloatArray) -> FloatArray:
    """`angle` without its whole turns, in [-pi, pi]."""
    left: FloatArray = angle - whole(angle)
    return left


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
        """The size of most pairs, 0 if there is none."""
        sizes = self.size[self.told]
        return float(np.median(sizes[sizes >= sizes.max() / 2])) if len(sizes) else 0.0

    def apart(self, parts: Parts) -> FloatArray:
        """Differences of the known pairs from the first rows of `parts`, `(rows, columns)`."""
        head = parts.rows(slice(0, WINDOW))
        made = head.waves(self.phases + np.arange(len(head))[:, np.newaxis] * self.turns)
        times = made.shape[1] // parts.pairs
        apart: FloatArray = np.abs(made * np.tile(self.size, times) - head.values())
        return apart[:, np.tile(self.told, times)]


def measured(parts: Parts) -> Waves | None:
    """The waves in `parts`, whose rows follow each other; None if there are too few rows."""
    if parts.cosines is not None and parts.sines is not None:
        return _of_both(parts) if len(parts) > 1 else None
    if len(parts) < 4:
        return None
    return _of_one(parts.any, 0.0 if parts.sines is None else np.pi / 2)


def _of_both(parts: Parts) -> Waves:
    """An angle is measured over one row, then over 2, 4, 8, ... rows.

    The previous answer gives the number of whole turns.
    """

    def pairs_from(row: int) -> ComplexArray:
        return parts.rows(slice(row, row + WINDOW)).phasors()

    head, lag = pairs_from(0), 1
    turns = np.zeros(parts.pairs)
    while lag < len(parts):
        there = pairs_from(lag)
        angle = np.angle((there * head[: len(there)].conj()).sum(axis=0))
        turns += wrapped(angle - lag * turns) / lag
        lag *= 2
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
        product_ = (here * around).sum(axis=0)
        ratio = np.divide(product_, 2 * square, out=np.ones_like(square), where=some)
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


def from_zero(parts: Parts, slack: float, positions: FloatArray | None = None) -> Waves | None:
    """The waves of rows at `positions`, by default 0, 1, 2, ...; None if row 0 is not position 0.

    Knowing the phase, a single part shows slow pairs too.
    """
    places = np.arange(float(len(parts))) if positions is None else positions
    size = _size_at_zero(parts, slack)
    if len(parts) < 2 or not size > 0:
        return None
    turns, weight, row = np.zeros(parts.pairs), np.zeros(parts.pairs), 1
    while row < len(places):
        first = places[row]
        end = max(row + 1, int(np.searchsorted(places, 2 * first)))
        rows = slice(row, min(end, row + WINDOW))
        turns, weight = _refined(parts.rows(rows), places[rows], turns, size)
        row = end
    known = np.full(parts.pairs, True)
    return Waves(turns, np.zeros(parts.pairs), np.full(parts.pairs, size), weight * turns**2, known)


def _size_at_zero(parts: Parts, slack: float) -> float:
    """The factor of cosines and sines whose first row is position 0, otherwise 0."""
    if parts.sines is not None:
        limit = slack * float(np.abs(parts.sines).max())
        if np.abs(parts.sines[0]).max() > limit:
            return 0.0
    if parts.cosines is not None:
        first = parts.cosines[0]
        size = float(np.median(first))
        near = np.ptp(first) <= 2 * slack * np.abs(first).max()
        return size if near or parts.sines is not None else 0.0
    fastest = parts.any[:8, 0]
    middle = fastest[1:-1]
    power = middle @ middle
    if not power:
        return 0.0
    cosine = (fastest[2:] + fastest[:-2]) @ middle / (2 * power)
    wave = np.sin(np.arange(len(fastest)) * np.arccos(np.clip(cosine, -1, 1)))
    return float(wave @ fastest / (wave @ wave)) if wave.any() else 0.0


def _refined(
    parts: Parts, positions: FloatArray, turns: FloatArray, size: float
) -> tuple[FloatArray, FloatArray]:
    """Refine `turns` by rows whose angles are already known to less than half a turn."""
    place = positions[:, np.newaxis]
    if parts.cosines is not None and parts.sines is not None:
        seen = parts.phasors() * np.exp(-1j * place * turns)
        return turns + np.angle(seen.sum(axis=0)) / place.mean(), np.ones(parts.pairs)
    values = parts.any / size
    one = np.clip(values, -1, 1)
    if parts.cosines is not None:  # all rows: rounding leaves ones where a pair hardly turns
        direct = np.sqrt(((np.arccos(one) * place) ** 2).sum(axis=0) / (place**4).sum())
    else:
        direct = np.arcsin(one[0]) / positions.min()
    slow = np.abs(turns) * positions.min() < _DIRECT
    turns = np.where(slow, direct, turns)
    angles = place * turns
    slopes = (-np.sin(angles) if parts.cosines is not None else np.cos(angles)) * place
    power = (slopes**2).sum(axis=0)
    rest = values - parts.waves(angles)
    step = (rest * slopes).sum(axis=0) / np.where(power > 0, power, np.inf)
    return np.where(slow, turns, turns + step), power


def decoded(
    parts: Parts, exact: FloatArray, error: float, *, furthest: float = 0.0, off: float
) -> tuple[FloatArray, FloatArray]:
    """The position of each row of `parts`, whose size is 1, and the largest difference there.

    The slowest pair tells the position and leaves its whole turns open, up to the `furthest`
    position; each faster pair refines it, and rules out those at which its values would differ by
    more than `off`. A row for which none is left gets position 0 and an infinite difference.
    Cosines do not show the sign: it is then positive. `error` is that of the values. `exact` are
    the frequencies, of which some may be 0.
    """
    order = np.argsort(np.abs(exact))
    order = order[np.abs(exact[order]) > 0]
    places, differences = np.zeros(len(parts)), np.full(len(parts), np.inf)
    if not len(order):
        return places, differences
    order = order[_spread_pairs(len(order))]
    some = parts.of(lambda part: part[:, order])
    found, row = _candidates(some, exact[np.newaxis, order], error, furthest=furthest, off=off)
    apart = 1e-9 * np.abs(found)  # of equal ones, the nearest to 0, and whole numbers
    apart += np.where(found == np.rint(found), 0, 1e-7) + np.where(found < 0, 1e-7, 0)
    np.maximum(apart, _apart(some.rows(row), found, exact[order]), out=apart)
    best = np.lexsort((apart, row))
    rows, first = np.unique(row[best], return_index=True)
    places[rows] = found[best[first]]
    turning = exact != 0
    differences[rows] = _apart(parts.columns(turning).rows(rows), places[rows], exact[turning])
    return places, differences


def _spread_pairs(count: int) -> IntArray:
    """At most `_PAIRS` of `count` pairs, evenly spread: these tell as much as all."""
    return np.linspace(0, count - 1, min(count, _PAIRS)).astype(np.intp)


def decodable(
    parts: Parts, speeds: FloatArray, limits: Limits, *, furthest: float
) -> npt.NDArray[np.bool_]:
    """Which `speeds` (kinds, pairs), each from fast to slow, give every row some position."""
    order = np.arange(parts.pairs)[::-1][_spread_pairs(parts.pairs)]
    some = parts.of(lambda part: part[:, order])
    exact, error, off = speeds[:, order], max(limits.error, 1e-7), limits.exact
    _, cells = _candidates(some, exact, error, furthest=furthest, off=off)
    fits = np.zeros((len(speeds), len(parts)), np.bool_)
    fits.ravel()[cells] = True
    return np.asarray(fits.all(axis=1))


def _candidates(
    parts: Parts, speeds: FloatArray, error: float, *, furthest: float, off: float
) -> tuple[FloatArray, IntArray]:
    """Positions that rows may have by all pairs, whose `speeds` (kinds, pairs) grow.

    And the cell of each: the kind times the number of rows, plus the row.
    """
    kinds, rows = len(speeds), len(parts)
    count = int(min(np.abs(speeds[:, 0]).max() * furthest / (2 * np.pi) + 1, 1 << 15))
    turns = np.arange(-count, count + 1) * (2 * np.pi)
    angles, unsure, wide = angles_of(parts), _unsure(parts, error), _unsure(parts, off)
    of_row, each = np.tile(np.arange(rows), kinds), np.repeat(np.abs(speeds), rows, axis=0)
    unsure, wide = unsure[of_row] / each, wide[of_row] / each
    first = np.repeat(speeds[:, 0], rows)[:, np.newaxis, np.newaxis]
    found = ((angles[of_row, :, 0, np.newaxis] + turns) / first).ravel()
    if parts.sines is None:
        found = np.abs(found)
    cell = np.repeat(np.arange(kinds * rows), len(found) // (kinds * rows))
    kept = np.flatnonzero(np.abs(found) <= max(furthest, FURTHEST) + wide[cell, 0])
    found, cell = found[kept], cell[kept]
    # How uncertain the positions of each row are, and by the pair of which speed.
    known, left, by = unsure[:, 0], wide[:, 0], each[:, 0]
    most = each.max(axis=1)
    for k in range(1, speeds.shape[1]):
        speed = speeds[cell // rows, k]
        step, *others = (wrapped(angle - found * speed) for angle in angles[cell % rows, :, k].T)
        for other in others:  # of two angles, the nearer one
            step = np.where(np.abs(other) < np.abs(step), other, step)
        far = FLOAT32 * np.abs(found) * most[cell]  # angles of all pairs may be off as the fastest
        free = np.abs(speed) * (left + wide[:, k])[cell] + far * (1 + np.abs(speed) / by[cell])
        kept = np.flatnonzero(np.abs(step) <= 2 * free)
        found, cell, step, speed = found[kept], cell[kept], step[kept], speed[kept]
        if not len(found):
            break
        better = unsure[:, k] < known
        found = np.where(better[cell], found + step / speed, found)
        known, left, by = np.where(
            better, (unsure[:, k], wide[:, k], each[:, k]), (known, left, by)
        )
    snapped = np.rint(found)
    near = np.maximum(4 * known[cell], 1e-9 + 2 * FLOAT32 * np.abs(found))
    return np.where(np.abs(found - snapped) <= near, snapped, found), cell


def _apart(parts: Parts, positions: FloatArray, speeds: FloatArray) -> FloatArray:
    """The largest difference of each row of `parts` from its position's cosines and sines."""
    made = parts.waves(positions[:, np.newaxis] * speeds)
    found: FloatArray = np.abs(made - parts.values()).max(axis=1)
    return found


def angles_of(parts: Parts) -> FloatArray:
    """The angles that values allow, `(rows, 1 or 2, pairs)`."""
    if parts.cosines is not None and parts.sines is not None:
        return np.arctan2(parts.sines, parts.cosines)[:, np.newaxis]
    value = np.clip(parts.any, -1, 1)
    angle = np.arccos(value) if parts.sines is None else np.arcsin(value)
    return np.stack([angle, -angle if parts.sines is None else np.pi - angle], axis=1)


def _unsure(parts: Parts, error: float) -> FloatArray:
    """How uncertain the angles are, `(rows, pairs)`, if values are off by `error`."""
    if parts.cosines is not None and parts.sines is not None:
        return np.full(parts.any.shape, error)
    slope = np.sqrt(1 - np.clip(parts.any, -1, 1) ** 2)
    return np.minimum(error / np.maximum(slope, 1e-300), np.sqrt(2 * error))


def scaled(parts: Parts, size: float) -> Parts:
    """`parts` divided by `size`."""
    return parts.of(lambda part: part / size)
