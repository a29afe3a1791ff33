"""Choose the encoding of points with several coordinates: grids, images, a text with images."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from inspect import signature
from itertools import pairwise
from math import log
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from posenc._columns import IntArray
from posenc._formats import FORMATS
from posenc._output import code
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.grids import Grid
from posenc.identification import _tables
from posenc.identification._answer import Match
from posenc.identification._caches import _run, compared, heads, is_bounded, snapped, words_of
from posenc.identification._measure import (
    FLOAT32,
    Limits,
    Parts,
    Reading,
    as_good,
    caches,
    decodable,
    decoded,
    from_zero,
    measured,
    room,
    rounded_to,
    scaled,
    spread,
)
from posenc.identification._rules import BASES, Encoding, near_bases
from posenc.identification._tables import Rows
from posenc.identification._words import Finding, finding, rows_in_words
from posenc.library_grids import GRIDS
from posenc.rotary import Rotary, axes
from posenc.rotary._caches import AxialCache, Form
from posenc.rotary._turn import Layout
from posenc.rotary.axes import AxialRotary

Points = Literal["whole", "centres", "ends"]  # how positions count the points of an axis
SECTIONS = (  # time, height and width, and whether the pairs take them in turn
    *(((16, 24, 24), False), ((24, 20, 20), True), ((11, 11, 10), True)),
    *(((24, 20, 20), False), ((16, 24, 24), True), ((11, 11, 10), False), ((16, 16, 16), False)),
)
FASTEST = (224.0, 256.0, 10.0)  # usual `max_freq` of axes.pixels
USUAL = (10_000.0, 100.0, 256.0, *BASES[1:])
SIZES = (16, 32, 64, 128)  # of the grids that models stretch: diffusers' base_size
_NTH = "first", "second", "third"
_SOME = 64  # rows that candidates are compared with
_CHANGE, _ROUGH = 2e-6, 2e-3  # below a tolerance of _ROUGH, smaller changes are rounding
_EVEN = 1e-3  # largest difference of steps along an axis
_SEEN = 0.9  # of the steps in an image, in which pairs of the width move
_CLEAR = 100  # times the rounding of values: a pair that moves less shows no axis
_LOOSE = 0.05  # a larger tolerance lets coordinates fit noise
_COARSE = 1e-5  # largest rounding of values
_OTHER = 2e-3  # share of values that float32 angles round to the other side
_FURTHEST = 8192  # positions that are looked for


@dataclass(frozen=True)
class Lattice:
    """`before` equal rows, then rows through a grid of `sizes` points, the last axis fastest."""

    before: int
    sizes: tuple[int, int, int]

    @property
    def places(self) -> IntArray:
        """Index of each row of the grid along the three axes, `(rows, 3)`."""
        return np.stack(np.unravel_index(np.arange(np.prod(self.sizes)), self.sizes), axis=1)


def lattice(columns: FloatArray, limit: float) -> Lattice | None:
    """The grid through which the rows of `columns` run; changes up to `limit` do not count."""
    changed = np.flatnonzero((np.abs(np.diff(columns, axis=0)) > limit).any(axis=1))
    if not len(changed):
        return None
    before = int(changed[0])
    rows = columns[before:]
    x = _period(rows, limit)
    if x == len(rows):
        return None
    y = _period(rows[::x], limit)
    return Lattice(before, (len(rows) // (x * y), y, x))


def _period(rows: FloatArray, limit: float) -> int:
    """How many rows it takes until the columns that change first repeat; all rows if never."""
    moving = np.abs(rows[1] - rows[0]) > limit
    first = rows[:2, moving]  # mirrored points have equal cosines, so the next row counts too
    shares = [step for step in range(1, len(rows)) if len(rows) % step == 0]
    back = (
        step for step in shares if (np.abs(rows[step : step + 2, moving] - first) <= limit).all()
    )
    return next(back, len(rows))


def axes_of(grid: FloatArray, limit: float) -> IntArray | None:
    """The axis that each pair of `grid` (t, h, w, parts, pairs) follows, -1 where it is constant.

    None if a pair follows two axes.
    """
    lines = [np.moveaxis(grid, axis, 0)[:, 0, 0] for axis in range(3)]
    follows = np.array([(np.abs(line - line[0]) > limit).any(axis=(0, 1)) for line in lines])
    if (follows.sum(axis=0) > 1).any():
        return None
    return np.where(follows.any(axis=0), follows.argmax(axis=0), -1)


class Rule(NamedTuple):
    """An encoding and the call that makes it."""

    call: str
    rotary: AxialRotary
    points: Points = "whole"
    form: str | None = None  # to which the frequencies were rounded

    def speeds(self) -> FloatArray:
        """Radians of each pair per step of its coordinate."""
        exact = self.rotary.frequencies()
        return rounded_to(self.form, exact) if self.form else exact

    @classmethod
    def of(cls, name: str, *given: Any, points: Points = "whole", **options: Any) -> Rule:
        """The rule of a function of `posenc.rotary.axes`; usual options are not written."""
        made = getattr(axes, name)
        usual = signature(made).parameters
        told = [code(one) if isinstance(one, Rotary) else f"{one}" for one in given]
        for option, value in options.items():
            if value != usual[option].default:
                shown = f"{value:.12g}" if isinstance(value, float) else repr(value)
                told.append(f"{option}={shown}")
        call = f"axes.{name}({', '.join(told)})".replace("'", '"')
        return cls(call, made(*given, **options), points)


class Slope(NamedTuple):
    """Two fast pairs i < j of one coordinate, and how they turn."""

    i: int
    j: int
    steps: int  # from i to j, counting only pairs of this coordinate
    ratio: float  # how much faster i turns
    rise: float  # how much faster the last pair turns than i


def rules(labels: Sequence[int], slope: Slope | None, form: Form) -> Iterator[Rule]:
    """Encodings whose pairs take the coordinates `labels`, -1 where a pair does not turn."""
    layout: Layout = "halves" if form == "halves" else "interleaved"
    pairs, whole = len(labels), _filled(labels)
    counts = [whole.count(axis) for axis in range(max(whole) + 1)]
    if whole == sorted(whole):  # successive pairs for each coordinate, with all wavelengths
        bases = _bases(slope, lambda s: whole.count(whole[s.i]) / s.steps)
        for base in bases:
            yield Rule.of("blocks", [2 * count for count in counts], base=base, layout=layout)
        if counts[1:] == counts[:1]:
            for base in bases if form != "interleaved" else []:
                yield Rule.of("pixtral", 2 * pairs, base=base)
                yield Rule.of("dinov3", 2 * pairs, base=base, points="centres")
            exact = [float(f"{2 * slope.rise:.3g}")] if slope is not None else []
            for most in (*exact, *FASTEST):
                yield Rule.of("pixels", 2 * pairs, max_freq=most, layout=layout, points="ends")
    for base in _bases(slope, lambda s: pairs / (s.j - s.i)):  # exponents over the head
        kind = Encoding(2 * pairs, base)
        yield from (deal.rule(kind, form) for deal in deals(labels))
    if pairs % 2 == 0 and _fits(labels, [0, 1] * (pairs // 2)):
        for base in _bases(slope, lambda s: pairs / (2 * s.steps)):
            yield Rule.of("alternate", 2 * pairs, base=base, layout=layout)


class Deal(NamedTuple):
    """How pairs are dealt out: how many to each coordinate, in blocks or in turn, and to which."""

    shares: list[int]
    in_turn: bool
    own: list[int]

    def rule(self, kind: Encoding, form: Form) -> Rule:
        """The pairs of a text's encoding dealt out so."""
        text = kind.rotary("interleaved" if form == "interleaved" else "halves")
        rule = Rule.of("sections", text, self.shares, interleaved=self.in_turn)
        return rule._replace(form=kind.form)


def deals(labels: Sequence[int]) -> Iterator[Deal]:
    """Usual ways to deal out pairs of which some have the coordinates `labels`, others -1."""
    pairs, whole = len(labels), _filled(labels)
    tries: list[tuple[list[int], bool]] = []
    for parts, in_turn in SECTIONS:
        shared = [part * pairs // sum(parts) for part in parts]
        tries += [(shared, in_turn)] if sum(shared) == pairs else []
    if whole == sorted(whole):
        tries.append(([whole.count(axis) for axis in range(max(whole) + 1)], False))
    tries.append(([pairs - pairs // 2, pairs // 2], True))
    for count, shift in ((2, 0), (3, 0), (3, 1)):
        mine = [[j for j, one in enumerate(labels) if one == a - shift] for a in range(count)]
        ends = [max(own, default=-1) for own in mine]
        turns = [(end // count + 1) if end >= 0 else 0 for end in ends[1:]]
        turns = [min(turn, (pairs - a + count - 1) // count) for a, turn in enumerate(turns, 1)]
        tries.append(([pairs - sum(turns), *turns], True))
    seen = set()
    for shares, in_turn in tries:
        own: list[int] = np.repeat(np.arange(len(shares)), shares).tolist()
        if in_turn:
            taken = (divmod(j, len(shares)) for j in range(pairs))
            own = [axis if turn < shares[axis] else 0 for turn, axis in taken]
        if len(own) == pairs and _fits(labels, own) and tuple(own) not in seen:
            seen.add(tuple(own))
            yield Deal(shares, in_turn, own)


def _bases(slope: Slope | None, power: Callable[[Slope], float]) -> list[float]:
    """Bases that explain the slope, rounded, or the usual ones if there is no slope."""
    if slope is None:
        return list(USUAL)
    found = near_bases(log(slope.ratio) * power(slope))
    close = [base for base in USUAL if abs(found[-1] / base - 1) < 0.01]
    return [base for base in dict.fromkeys([*close, *found]) if base > 1]


def _filled(labels: Sequence[int]) -> list[int]:
    """`labels`, where a pair that does not turn gets the label of the pair before it.

    Pairs that do not turn, before any that does, form a coordinate with a single value.
    """
    still = int(labels[0] < 0)
    whole: list[int] = []
    for label in labels:
        whole.append(label + still if label >= 0 else whole[-1] if whole else 0)
    return whole


def _fits(labels: Sequence[int], axes_: Sequence[int]) -> bool:
    """Whether each pair that turns has the coordinate of `axes_`, or the one before it."""
    less = {axis - label for label, axis in zip(labels, axes_, strict=True) if label >= 0}
    return len(less) <= 1


def matches(values: FloatArray, limits: Limits, *, twice: bool = False) -> list[Match]:
    """Recognise a cache of points in `values` `(n, width)`, or cosines and sines `(2, n, width)`.

    With `twice`, only a cache that has each pair twice, as no table of a grid does.
    """
    columns = values if values.ndim == 2 else np.concatenate(list(values), axis=1)
    size = float(np.abs(columns).max())
    found = lattice(columns, _change(limits.slack) * size)
    if found is None:
        return []
    later = values[..., found.before :, :]  # without the equal rows
    for reading in caches(later, limits.slack):
        if not (twice and reading.form == "once"):
            match = _of_lattice(values, reading, found, limits)
            if match is not None:
                return [match]
    return []


def _change(slack: float) -> float:
    """The largest change of a value, as a fraction of the amplitude, that is rounding."""
    return _CHANGE if slack < _ROUGH else slack


def _of_lattice(
    values: FloatArray, reading: Reading, found: Lattice, limits: Limits
) -> Match | None:
    size = reading.parts.size()
    if not size > 0:
        return None
    parts = scaled(reading.parts, size)
    held = parts.values()
    grid = held.reshape(*found.sizes, held.shape[1] // parts.pairs, parts.pairs)
    follows = axes_of(grid, _change(limits.slack))
    if follows is None:
        return None
    order = list(dict.fromkeys(follows[follows >= 0].tolist()))  # the axis of each coordinate
    if len(order) < 2:  # rows that repeat
        return None
    labels = [order.index(axis) if axis in order else -1 for axis in follows.tolist()]
    chosen = spread(len(held), _SOME)
    every = list(rules(labels, _slope(grid, follows, order, parts), reading.form))
    some = parts.rows(chosen)
    best: tuple[float, Rule, FloatArray] | None = None
    for ways in (_counted, _decoded):
        for rule in every:
            own = [0, *order] if max(rule.rotary.axes) + 1 > len(order) else order
            for lines in ways(rule, grid, own, parts, limits):
                columns = [line[found.places[:, k]] for line, k in zip(lines, own, strict=True)]
                points = np.stack(columns, axis=1)
                angles = points[chosen][:, list(rule.rotary.axes)] * rule.rotary.frequencies()
                error = float(np.abs(some.waves(angles) - some.values()).max())
                if best is None or not as_good(best[0], error):
                    best = error, rule, points
        if best is not None and best[0] <= limits.slack:
            break
    if best is None or best[0] > min(limits.slack, _LOOSE):
        return None
    _, rule, points = best
    points = np.concatenate([np.zeros((found.before, points.shape[1])), points])
    told = _told(found, points, order)
    if "interleaved=True" in rule.call or "alternate" in rule.call:
        told = (*told, finding("in-turn"))
    return _match(values, reading, rule, points, size, told, limits.slack, limits.far)


def _match(
    values: FloatArray,
    reading: Reading,
    rule: Rule,
    points: FloatArray,
    size: float,
    findings: tuple[Finding, ...],
    slack: float,
    far: float,
) -> Match | None:
    """Compare all `values` with the cache of `points`; each angle may be off by `far` of it."""
    assert reading.part is not None
    cache = AxialCache(
        rotary=rule.rotary,
        made_by=rule.call,
        coordinates=tuple(map(tuple, points.tolist())),
        part=reading.part,
        form=reading.form,
        amplitude=snapped(size / rule.rotary.attention),
    )
    speeds = rule.speeds()
    places = points[:, list(rule.rotary.axes)]
    free = np.abs(places) * room(far, np.ones(1), speeds)
    made, error = compared(values, reading, (places * speeds,), size, free, slack)
    if made is None:
        return None
    return Match(convention=cache, error=error, findings=findings, made=made)


def _along(grid: FloatArray, axis: int, parts: Parts) -> Parts:
    """The pairs at the points along an axis from the first one."""
    held = np.moveaxis(grid, axis, 0)[:, 0, 0]
    cosines = None if parts.cosines is None else held[:, 0]
    return Parts(cosines, None if parts.sines is None else held[:, -1])


def _slope(grid: FloatArray, follows: IntArray, order: list[int], parts: Parts) -> Slope | None:
    """How two fast pairs turn along the longest axis."""
    axis = max(order, key=lambda axis: (grid.shape[axis], axis))
    line = _along(grid, axis, parts)
    waves = measured(line) or from_zero(line, _ROUGH)
    if waves is None:
        return None
    turns = np.abs(waves.turns) * waves.told
    known = np.flatnonzero((follows == axis) & (turns > 0)).tolist()
    if len(known) < 2:
        return None
    i, *between, j = known[:3]
    rise = turns[known[-1]] / turns[i]
    return Slope(i, j, len(between) + 1, float(turns[i] / turns[j]), float(rise))


def _counted(
    rule: Rule, grid: FloatArray, own: list[int], _parts: Parts, _limits: Limits
) -> Iterator[list[FloatArray]]:
    """Positions from 0 along the axis of each coordinate, or between -1 and 1."""
    sizes = [grid.shape[axis] for axis in own]
    if rule.points == "centres":
        yield [(2 * np.arange(n) + 1) / n - 1 for n in sizes]
    elif rule.points == "ends":
        yield [np.linspace(-1, 1, n) for n in sizes]
    else:
        yield [np.arange(float(n)) for n in sizes]


def _decoded(
    rule: Rule, grid: FloatArray, own: list[int], parts: Parts, limits: Limits
) -> Iterator[list[FloatArray]]:
    """Positions in even steps from anywhere, as the pairs of each coordinate tell them."""
    exact, found = rule.rotary.frequencies(), []
    if rule.points != "whole":
        return
    for coordinate, axis in enumerate(own):
        mine = np.equal(rule.rotary.axes, coordinate) & (exact > 0)
        line = _along(grid, axis, parts).columns(mine)
        error, off = max(limits.error, 1e-7), limits.slack
        places, _ = decoded(line, exact[mine], error, furthest=_FURTHEST, off=off)
        steps = np.diff(places)
        step = float(np.median(steps)) if len(steps) else 0.0
        if np.abs(steps - step).max(initial=0) > _EVEN * max(1, abs(step)):
            return
        near = round(step) if abs(step - round(step)) <= _EVEN else _round(step, len(line))
        first = round(places[0]) if abs(places[0] - round(places[0])) < _EVEN else places[0]
        found.append(first + near * np.arange(float(len(line))))
    if len(found[0]) == 1:  # with a single value, time may begin with the height or the width
        yield from ([other[:1], *found[1:]] for other in found[1:])
    yield found


def _told(found: Lattice, points: FloatArray, order: list[int]) -> tuple[Finding, ...]:
    """The grid in words, which coordinate changes fastest, and how many rows stand before it."""
    first = points[found.before]
    along = [(size, axis) for axis, size in enumerate(found.sizes) if size > 1]
    over = [f"{size} times" for size, axis in along if axis not in order]
    sizes = " ".join([*over, " x ".join(str(size) for size, axis in along if axis in order)])
    moves = [column[column != 0] for column in np.diff(points[found.before :], axis=0).T]
    step = [float(column[0]) if len(column) else 1.0 for column in moves]
    texts = [", ".join(f"{number:.6g}" for number in numbers) for numbers in (first, step)]
    told = [finding("points", size=sizes, first=f"({texts[0]})", steps=f"({texts[1]})")]
    for k, (one, other) in enumerate(pairwise(order)):
        told += [finding("faster", one=_NTH[k], other=_NTH[k + 1])] if one > other else []
    if found.before:
        told.append(finding("origin", rows=rows_in_words(found.before)))
    return tuple(told)


def texts(values: FloatArray, limits: Limits) -> list[Match]:
    """Recognise a text with images or videos: three coordinates, which are equal in the text."""
    exact = 4 * limits.error + 1e-9  # a slow pair of another coordinate differs by little
    rough, mixed = limits.error > _COARSE, finding("mixed")
    for reading in caches(values, limits.slack):
        if not is_bounded(reading.parts, limits.slack):
            continue
        if _run(reading.parts.values()) == len(reading.parts):  # no row is an image's first
            continue
        moving = _moving(scaled(reading.parts, reading.parts.size()), limits)
        # Three free coordinates fit rounded values, unless it is seen which pairs have which.
        free = [] if rough else [[-1] * reading.parts.pairs]
        for labels in [moving, *free] if moving else free:
            every = list(deals(labels))
            fits = partial(_possible, reading.parts, every, limits)
            for kind, _, size in heads(reading.parts, limits, fits):
                parts, found = scaled(reading.parts, size), []
                for deal in every:
                    points = _coordinates(parts, np.array(deal.own), kind.speeds(), limits)
                    if points is None or not np.ptp(points, axis=0).all():
                        continue
                    if np.ptp(points, axis=1).any():  # an image
                        told, rule = (*words_of(None, kind), mixed), deal.rule(kind, reading.form)
                        given = values, reading, rule, points, size, told, exact, FLOAT32
                        match = _match(*given)
                        found += [match] if match is not None else []
                least = min((match.error for match in found), default=0.0)
                for match in found:  # slow pairs may be dealt out in different ways
                    same = not rough or _is_same(match, values, limits)  # more than one may fit
                    if same and as_good(match.error, least):
                        return [match]
    return []


def _possible(
    parts: Parts, ways: list[Deal], limits: Limits, speeds: FloatArray, size: float
) -> npt.NDArray[np.bool_]:
    """Which `speeds` (kinds, pairs) give a few rows a position in each coordinate of some deal."""
    few, found = scaled(parts.rows(spread(len(parts), 2)), size), np.zeros(len(speeds), np.bool_)
    for deal in ways:
        mine = np.equal.outer(np.arange(len(deal.shares)), deal.own)
        if mine.sum(axis=1).min() > 1:
            own = ((few.columns(some), speeds[:, some]) for some in mine)
            fits = [decodable(*one, limits, furthest=_FURTHEST) for one in own]
            found |= np.all(fits, axis=0)
    return found


def _is_same(match: Match, values: FloatArray, limits: Limits) -> bool:
    """Whether the table of `match`, rounded, has nearly all of `values` exactly."""
    if limits.format not in FORMATS:
        return False
    return bool((rounded_to(limits.format, match.table()) != values).mean() < _OTHER)


def _moving(parts: Parts, limits: Limits) -> list[int] | None:
    """The coordinate of each pair: 0 time, 1 height, 2 width, -1 where no step is seen.

    In a text all pairs move from row to row. In an image, those of the width always move, those of
    the height move from line to line, those of time at most from one image of a video to the next.
    """
    values = np.abs(parts.values()).reshape(len(parts), -1, parts.pairs)
    apart = np.abs(np.diff(parts.values(), axis=0)).reshape(len(parts) - 1, -1, parts.pairs)
    error = max(limits.error, 1e-12) * np.maximum(values.max(axis=0), 1e-300)
    moved = (apart / error).max(axis=1)  # in units of the rounding of values
    most = moved.max(axis=0)
    seen = most > _CLEAR
    still = moved <= 4
    image = still[:, seen].sum(axis=1) >= 3  # at its extremum, a single cosine stands still too
    if seen.sum() < 3 or image.sum() < 3 or image.all():
        return None
    seen &= still[~image].mean(axis=0) <= 1 - _SEEN
    share = 1 - still[image].mean(axis=0)
    lines = share[seen & (share < _SEEN)].max(initial=0.0)
    labels = np.where(share >= _SEEN, 2, np.where(share > lines / 2, 1, 0))
    found: list[int] = np.where(seen, labels, -1).tolist()
    return found


def _coordinates(
    parts: Parts, own: IntArray, exact: FloatArray, limits: Limits
) -> FloatArray | None:
    """Time, height and width of each row, or None if they are no whole numbers.

    Pairs turn by `exact` radians per step of their `own` coordinate.
    """
    error = max(limits.error, 1e-7)
    found = np.zeros((len(parts), int(own.max()) + 1))
    for axis in range(found.shape[1]):
        mine = (own == axis) & (exact > 0)
        if mine.sum() < 2:
            return None
        for rows in (spread(len(parts), 2), spread(len(parts), 8), np.arange(len(parts))):
            some = parts.rows(rows).columns(mine)
            places, _ = decoded(some, exact[mine], error, furthest=_FURTHEST, off=limits.exact)
            whole = np.abs(np.rint(places))
            off = np.abs(some.waves(np.multiply.outer(whole, exact[mine])) - some.values()).max()
            far = limits.far / 2 * float(whole.max())
            if off > min(limits.slack, limits.exact + far):
                return None
        found[:, axis] = whole
    return found


# Tables of grids


def grids(
    values: FloatArray, zeros: int, limits: Limits, points: tuple[int, int] | None = None
) -> list[Match]:
    """The grid that makes `values` `(n, d)`, which begin with `zeros` rows of zeros.

    `points` is (height, width) if the array says so.
    """
    filled, width = values[zeros:], values.shape[1]
    limit = 2 * limits.slack * float(np.abs(filled).max())
    run = lattice(filled, limit) if width % 4 == 0 else None
    if run is None or run.before or run.sizes[0] > 1 or (points and run.sizes[1:] != points):
        return []
    every = filled.reshape(*run.sizes[1:], width)
    found: list[Match] = []
    for name, grid in (*GRIDS.items(), ("", Grid(axis=Convention()))):  # the last: by no library
        table = every if grid.listed == "rows" else every.transpose(1, 0, 2)
        found += _of_grid(table, grid, name, limits)
    found = [match for match in found if match.error <= limits.slack]
    if not found:
        return []
    best = min(match.error for match in found)
    if not limits.given:
        found = [match for match in found if as_good(match.error, best, limits.error)]
    found.sort(
        key=lambda match: (
            *(not as_good(match.error, best, limits.error), not match.libraries),
            match.points,
        )
    )
    first = found[0]
    assert isinstance(first.convention, Grid)
    assert first.points is not None
    across, along = first.points
    told = [finding("grid", height=across, width=along)]
    other = any(one.points != first.points and as_good(one.error, best) for one in found)
    if across != along and (points is None or other):
        told.append(finding("grid-turned", height=along, width=across))
    return [
        replace(
            first,
            convention=(grid := replace(first.convention, class_rows=zeros)),
            libraries=tuple(sorted({name for match in found for name in match.libraries})),
            findings=tuple(told),
            made=grid.table(first.points, width),
        )
    ]


def _of_grid(table: FloatArray, grid: Grid, name: str, limits: Limits) -> Iterator[Match]:
    """`grid` as the library has it, or else with the base and the spacing of `table`."""
    points = (table.shape[0], table.shape[1])
    known = _compared(table, grid, points)
    if known.error <= limits.slack:
        yield replace(known, libraries=(name,) if name else ())
    if known.error > (limits.slack if limits.given else limits.exact) and not grid.normalized:
        fitted = _fitted(table, grid, limits)
        spaced = [replace(grid, spacing=(size / points[0], size / points[1])) for size in SIZES]
        for other in spaced if fitted is None else [fitted]:
            yield _compared(table, other, points)


def _compared(table: FloatArray, grid: Grid, points: tuple[int, int]) -> Match:
    flat = grid.points(points, table.shape[2]).reshape(len(table), -1)
    rows = Rows(np.arange(float(len(table))), table.reshape(len(table), -1))
    amplitude = rows.amplitude(flat)
    if amplitude <= 0:
        return Match(convention=grid, error=np.inf, points=points)
    axis = replace(grid.axis, amplitude=amplitude)
    error = rows.error_at(amplitude, flat)
    return Match(convention=replace(grid, axis=axis), error=error, points=points)


def _fitted(table: FloatArray, grid: Grid, limits: Limits) -> Grid | None:
    """`grid` with the base, start and spacing found in one line of points along each axis."""
    lines = []
    columns_of = np.split(np.argsort(grid.columns(table.shape[2])), 2)  # in the paper's order
    for columns, values in zip(columns_of, (table[:, 0], table[0]), strict=True):
        places = np.arange(float(len(values)))
        along = Rows(places, values[:, columns], limits.far, limits.error)
        kinds = [match.convention for match in _tables.matches(along, limits.slack, slips=False)]
        plain = [
            kind
            for kind in kinds
            if isinstance(kind, Convention)
            and (kind.layout, kind.order) == ("interleaved", "sin_first")
        ]
        if not plain:
            return None
        lines.append(plain[0])
    y, x = lines
    if (y.base, y.start, y.freq_shift) != (x.base, x.start, x.freq_shift):
        return None
    if y.angle_scale <= 0 or x.angle_scale <= 0:  # a spacing is positive
        return None
    axis = replace(grid.axis, base=y.base, start=y.start, freq_shift=y.freq_shift)
    steps = (y.angle_scale, len(table)), (x.angle_scale, table.shape[1])
    along_y, along_x = (_round(step, count) for step, count in steps)
    return replace(grid, axis=axis, spacing=(along_y, along_x))


def _round(step: float, count: int) -> float:
    """`step`, or the share of a round size that it may be: diffusers divides 16 by `count`."""
    size = round(step * count, 2)
    return size / count if abs(size / count - step) <= 1e-6 * abs(step) else step
