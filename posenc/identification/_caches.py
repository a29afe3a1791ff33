"""Choose the rotary encoding of a cache, where roundings happened, and where its rows lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, pairwise, product

import numpy as np
import numpy.typing as npt

from posenc._formats import FORMATS
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification import _tables
from posenc.identification._answer import Match
from posenc.identification._measure import (
    COARSE,
    FLOAT32,
    FURTHEST,
    Limits,
    Parts,
    Reading,
    Waves,
    angles_of,
    as_good,
    caches,
    decodable,
    decoded,
    form_of,
    from_zero,
    measured,
    room,
    rounded_to,
    scaled,
    spread,
    tables,
    wrapped,
)
from posenc.identification._rules import (
    BASES,
    MODELS,
    ROUNDINGS,
    USUAL,
    Encoding,
    Rounding,
    alike,
    around,
    begins,
    beside,
    digits_of,
    explained,
)
from posenc.identification._tables import Rows, named
from posenc.identification._vectors import ends, kinds, straight
from posenc.identification._words import Finding, finding, mistake, series
from posenc.rotary import NTK, Linear, Llama3, Proportional, YaRN
from posenc.rotary._caches import RotaryCache, held

_FEWEST = 4  # rows from which the pairs' speeds can be measured
_HEAD = 64  # first rows, whose angles are rounded least
_SOME, _FEW = 64, 8  # rows that candidates are compared with, and that reject most of them
_FAST = 16  # fastest pairs, which tell the first position
_NEAR = 0.02  # largest relative error of a measured turn
_APART = 0.25  # radians: largest difference of a phase
_ROOM = 4  # times the tolerance: waves are measured less exactly than they are made
_RISE = 1.05  # through noise, a pair may seem faster than the one before
_CHANCE = 1e-3  # largest probability that a far position fits by chance
_PLACED = 4  # pairs without which positions that are not whole may fit by chance
_LIKELY = 0.5  # the same for a row that jumps: others follow each other
_JUMPS, _AT_ONCE = 256, 8  # rows that may lie far off, and that are placed together
_MANY = 2048  # rows whose rounded angles tell the base
_TRAINED = (2048, 4096, 8192)  # lengths that dynamic scaling was used with
_LONGEST = 64  # times that length: longer texts are rare
_WHOLE = 2e-3  # largest distance of a length from a whole number
_FINE = 1e-6  # rounding of values that show a base with many digits
_MOSTLY = 0.9  # of the rows that do not follow the one before: they are not counted
_EVEN = 2e-3  # largest relative difference of steps that are equal
_SHIFTED = 1e-6  # largest relative error of a base that a freq_shift of 1 explains
_HALF = 3.0  # radians: whole turns are known while a speed leaves less open

CHANGES: dict[str, Callable[[FloatArray], FloatArray]] = {  # of a cache; each undoes itself
    "": lambda values: values,
    "exchanged": lambda both: both[::-1],
    "sine-sign": lambda both: np.stack([both[0], -both[1]]),
    "falling": lambda values: values[..., ::-1, :],
}

Where = Callable[[FloatArray], FloatArray | None]
Step = Callable[[FloatArray, Reading, Limits], Match | None]
Fits = Callable[[FloatArray, float], npt.NDArray[np.bool_]]


def matches(values: FloatArray, limits: Limits, step: Step) -> list[Match]:
    """Recognise a rotary cache in `values` `(n, width)`, or cosines and sines `(2, n, width)`.

    A step that places rows or rounds looks for other tables too.
    """
    both = values.ndim == 3
    if both and form_of(values[0], limits.slack) != form_of(values[1], limits.slack):
        found = _of_two_layouts(values, limits, step)
        if found:
            return found
    for change in CHANGES if both else ("", "falling"):
        given = CHANGES[change](values)
        readings = caches(given, limits.slack)
        if not (change or both or step is counted or values.shape[1] % 2):
            readings = chain(tables(given), readings)
        for reading in readings:
            match = step(given, reading, limits)
            if match is not None:
                return [_changed_back(match, change)]
    return []


def _changed_back(match: Match, change: str) -> Match:
    """`match` of cosines and sines that were changed first."""
    made, kind, found = CHANGES[change](match.table()), match.convention, match.findings
    if change == "exchanged":
        found = (*found, finding(change))
    if change == "falling" and isinstance(kind, RotaryCache):
        rising = np.array(match.positions or kind.start + np.arange(made.shape[-2]))
        places, left = rising[::-1], {*found} - {*_described(rising)}
        found = (*filter(left.__contains__, found), *_described(places))
        kind = replace(kind, start=float(places[0]))
        match = replace(match, positions=tuple(places.tolist()))
    slips = (mistake(change),) if change == "sine-sign" else match.mistakes
    return replace(match, convention=kind, mistakes=slips, findings=found, made=made)


def _of_two_layouts(values: FloatArray, limits: Limits, step: Step) -> list[Match]:
    """Cosines and sines whose columns are doubled in different ways."""
    once = []
    for part in values:
        form = form_of(part, limits.slack)
        if form == "once":
            return []
        once.append(part[:, : part.shape[1] // 2] if form == "halves" else part[:, ::2])
    found = matches(np.stack(once), limits, step)
    slip = mistake("two-layouts")
    return [replace(match, mistakes=(slip, *match.mistakes), made=values) for match in found]


def counted(values: FloatArray, reading: Reading, limits: Limits) -> Match | None:
    """The cache whose rows are successive positions."""
    parts = reading.parts
    if len(parts) < _FEWEST:
        return None
    waves = from_zero(parts, limits.slack)
    if waves is not None and waves.turns.max() <= np.pi:
        positions = np.arange(float(len(parts)))
        match = _fitted(values, reading, waves, lambda _: positions, limits, ranked=False)
        if match is not None:
            return match
    waves = measured(parts)
    if waves is None or not _follows(parts, waves, limits.slack):
        return None
    return _fitted(values, reading, waves, _starting(parts, waves), limits, ranked=True)


def in_order(values: FloatArray, limits: Limits) -> list[Match]:
    """The tables and the caches whose rows are successive positions."""
    found: list[Match] = []
    if values.ndim == 2:
        rows = Rows(np.arange(float(len(values))), values, limits.far, limits.error)
        found = _tables.matches(rows, limits.slack)
    if found and not found[0].mistakes:
        return found
    return [*matches(values, limits, counted), *found]


def _follows(parts: Parts, waves: Waves, slack: float) -> bool:
    """Whether the fast pairs of the first rows turn forwards as `waves` say."""
    turns = waves.turns[waves.told]
    if not waves.amplitude > 0 or (waves.turns < -slack).any():
        return False
    if (turns[1:] > _RISE * turns[:-1]).any():
        return False
    return bool(waves.apart(parts).max() <= _ROOM * slack * waves.amplitude)


def _starting(parts: Parts, waves: Waves) -> Where:
    """A function that gives the positions of successive rows from the frequencies."""
    order = np.argsort(-waves.turns, kind="stable")
    fast = order[waves.told[order]][:_FAST]
    row = Parts(np.cos(waves.phases[fast])[None], np.sin(waves.phases[fast])[None])

    @cache
    def first(*exact: float) -> float | None:
        if not len(fast) or (np.abs(exact / waves.turns[fast] - 1) > _NEAR).any():
            return None
        (place,), _ = decoded(row, np.array(exact), 1e-3, furthest=FURTHEST, off=_APART)
        place = np.rint(place)
        close = np.abs(wrapped(place * np.array(exact) - waves.phases[fast])).max() < _APART
        return float(place) if place >= 0 and close else None

    def where(frequencies: FloatArray) -> FloatArray | None:
        start = first(*frequencies[fast].tolist())
        return None if start is None else start + np.arange(float(len(parts)))

    return where


def simplest(
    parts: Parts, waves: Waves, where: Where, limits: Limits, *, ranked: bool
) -> tuple[Encoding | None, float]:
    """The simplest encoding among those that fit `parts` best, and its error.

    `where` gives the positions of the rows from the frequencies, or None if they cannot have them.
    """
    chosen = spread(len(parts), _SOME)
    some = parts.rows(chosen)
    held = some.values()
    tried: list[tuple[float, Encoding]] = []
    size, turns = waves.amplitude, np.abs(waves.turns)

    def missed(frequencies: FloatArray, step: int, factor: float) -> float:
        every = where(frequencies)
        if every is None:
            return np.inf
        angles = every[chosen][::step, np.newaxis] * frequencies
        apart = np.abs(held[::step] / factor - some.waves(angles))
        if limits.far:
            free = room(limits.far, every[chosen][::step], frequencies)
            apart -= np.tile(free, apart.shape[1] // parts.pairs)
        return max(0.0, float(apart.max()))

    def rank(frequencies: FloatArray) -> float:
        return missed(frequencies, 8, size)

    for found in explained(turns, waves.weight, size, rank if ranked else None):
        kind = found
        if isinstance(kind.scaling, YaRN):  # rounded values show its usual attention roughly
            usual = kind._replace(scaling=replace(kind.scaling, attention_factor=None))
            kind = usual if snapped(size / usual.attention(), limits.error) == 1 else kind
        factor = kind.attention() * snapped(size / kind.attention(), limits.error)
        tried.append((missed(kind.speeds(), 1, factor), kind))
    best = min((error for error, _ in tried), default=np.inf)
    for error, kind in tried:
        if as_good(error, best, limits.error):
            plain = kind._replace(scaling=None)  # a scaling may change nothing
            same = np.allclose(kind.speeds(), plain.speeds(), rtol=1e-9, atol=0)
            return (plain if same and kind.attention() == 1 else kind), error
    return None, best


def _fitted(
    values: FloatArray,
    reading: Reading,
    waves: Waves,
    where: Where,
    limits: Limits,
    *,
    ranked: bool,
) -> Match | None:
    """The simplest cache at the positions that `where` tells."""
    kind, error = simplest(reading.parts, waves, where, limits, ranked=ranked)
    positions = None if kind is None else where(kind.speeds())
    if kind is None or positions is None or error > limits.slack:
        return None
    match = _match(values, reading, kind, waves.amplitude, positions, limits)
    start = positions[0]
    if match is None or start * (match.error / np.pi) ** min(_FAST, waves.told.sum()) > _CHANCE:
        return None
    return match


def _match(
    values: FloatArray,
    reading: Reading,
    kind: Encoding,
    amplitude: float,
    positions: FloatArray,
    limits: Limits,
    rounding: Rounding | None = None,
) -> Match | None:
    """Compare all `values` with the cache, or the table, of `kind` at `positions`."""
    size = kind.attention() * snapped(amplitude / kind.attention(), limits.error)
    speeds, limit = kind.speeds(), limits.slack if rounding is None else limits.exact
    free = None if rounding else room(limits.far, positions, speeds)
    angles = (np.multiply.outer(positions, speeds),)
    ways = rounding.angles(positions, speeds) if rounding else angles
    made, error = compared(values, reading, ways, size, free, limit)
    if made is None:
        return None
    steps = _described(positions)
    start = float(positions[0]) if float(positions[0]).is_integer() else 0.0
    irregular = bool(steps) and steps[0].code != "from-row"
    convention = _maker(reading, kind, size, start)
    names: tuple[str, ...] = ()
    if convention is None:
        return None
    if isinstance(convention, Convention):
        names, also = named(convention, values.shape[1])
        steps = (*steps, *also)
    rough = words_of(rounding, kind)
    notes = (*rough, *beside(kind), *steps)
    if reading.part is not None:
        notes = (*notes, *_left_long(kind, limits), *begins(kind))
    return Match(
        convention=convention,
        error=error,
        libraries=() if rough else names,
        findings=notes,
        positions=tuple(positions.tolist()) if irregular else None,
        made=made,
    )


def compared(
    values: FloatArray,
    reading: Reading,
    ways: tuple[FloatArray, ...],
    size: float,
    free: FloatArray | None,
    limit: float,
) -> tuple[FloatArray | None, float]:
    """What the angles of each way `(rows, pairs)` make, the nearest to each value, and its error.

    None if it differs by more than `limit`, where each angle may be off by `free`.
    """
    made, *others = (_columns(reading, np.cos(one), np.sin(one), size) for one in ways)
    for other in others:
        made = np.where(np.abs(other - values) < np.abs(made - values), other, made)
    apart = np.abs(made - values) / size
    error = float(apart.max())
    if free is not None and error > limit:
        apart -= _columns(reading, free, free, 1.0)
    return (None if apart.max() > limit else made), error


def _columns(reading: Reading, cosine: FloatArray, sine: FloatArray, size: float) -> FloatArray:
    """Cosines and sines in the columns of a `reading`."""
    if reading.part is not None:
        return held(cosine, sine, reading.part, reading.form, size)
    assert reading.kind is not None
    both = np.stack([sine, cosine], axis=-1).reshape(len(sine), -1)
    made: FloatArray = both[:, reading.kind.columns(both.shape[1])] * size
    return made


def _maker(
    reading: Reading, kind: Encoding, size: float, start: float
) -> RotaryCache | Convention | None:
    """The convention or the cache, None if no convention has the scaling."""
    if reading.part is None:
        if isinstance(kind.scaling, Llama3 | YaRN | Proportional) or reading.kind is None:
            return None
        scale = 1 / kind.scaling.factor if isinstance(kind.scaling, Linear) else 1.0
        own = replace(reading.kind, start=start, amplitude=size, angle_scale=scale)
        base, pairs = kind.plain_base(), kind.head_dim // 2
        for known in BASES:  # with fewer steps between the same ends
            if abs(base / known ** (pairs / max(pairs - 1, 1)) - 1) < _SHIFTED:
                return replace(own, base=known, freq_shift=1.0)
        return replace(own, base=base)
    return RotaryCache(
        rotary=kind.rotary("interleaved" if reading.form == "interleaved" else "halves"),
        part=reading.part,
        form=reading.form,
        amplitude=snapped(size / kind.attention()),
        start=start,
    )


def snapped(amplitude: float, rounding: float = 0.0) -> float:
    """`amplitude`, or 1 or a rounder number where `rounding` of values explains the difference."""
    for near in digits_of(amplitude, 3):
        wide = max(1e-3, 2 * rounding) if near == 1 else 1e-6
        if abs(near / amplitude - 1) < wide:
            return near
    return amplitude


def rounded(values: FloatArray, reading: Reading, limits: Limits) -> Match | None:
    """The cache or table whose frequencies, positions or angles were rounded."""
    parts = reading.parts
    chosen = spread(len(parts), _SOME)
    samples = [(parts.rows(some), some) for some in (chosen[:: len(chosen) // _FEW + 1], chosen)]
    known: dict[tuple[object, ...], tuple[float, list[Encoding]]] = {}
    places = np.arange(float(len(parts)))
    one = scaled(parts.rows(slice(1, 2)), parts.size() or 1.0)  # its angles are the frequencies
    near = {form: one.waves(rounded_to(form, angles_of(one)[:, 0])) for form in COARSE}
    off_grid = {form: np.abs(near[form] - one.values()).max(initial=0) for form in COARSE}
    # A base and a rounding explain any few frequencies.
    for rounding in ROUNDINGS if parts.pairs >= _PLACED else ():
        form, what = rounding.format, rounding.what
        if "positions" in what and (rounded_to(form, places) == places).all():
            continue
        if what != ("positions",) and off_grid[form] > limits.exact:
            continue
        head, where, snap = len(parts), places, "frequencies" in what and "angles" not in what
        if "angles" in what:
            head = _HEAD
        elif what == ("positions",):
            where = rounded_to(form, places)
        elif "positions" in what:  # the first ones are exact
            head = 1 << FORMATS[form].bits
        key = head, snap and form, (where is not places or what == ("angles",)) and form
        if key not in known:
            waves = from_zero(parts.rows(slice(0, head)), limits.slack, where[:head])
            if waves is None or not waves.amplitude > 0:
                return None
            lines = straight(_speeds(parts, waves, form)) if what == ("angles",) else ()
            known[key] = waves.amplitude, [*lines, *_candidates(waves, form if snap else None)]
        amplitude, every = known[key]
        for kind in every:
            size = kind.attention() * snapped(amplitude / kind.attention(), limits.error)
            off = (_missed(some, kind, rounding, places[rows], size) for some, rows in samples)
            if all(one <= limits.exact for one in off):
                match = _match(values, reading, kind, amplitude, places, limits, rounding)
                if match is not None:
                    return match
    return None


def _candidates(waves: Waves, form: str | None) -> Iterator[Encoding]:
    """Encodings near `waves`, whose frequencies are perhaps rounded to `form`."""
    turns = np.abs(waves.turns)
    found = list(explained(turns, waves.weight, waves.amplitude))
    plain = [kind.base for kind in found if kind.scaling is None]
    near = [Encoding(2 * len(turns), base) for base in (around(plain[-1]) if plain else ())]
    held = kinds(rounded_to(form, turns), form, waves.amplitude) if form else ()
    yield from dict.fromkeys([*near, *held, *found])


def _speeds(parts: Parts, waves: Waves, form: str) -> FloatArray:
    """The least and the largest speed of each pair that angles rounded to `form` allow."""
    low, high = waves.turns * (1 - _NEAR), waves.turns * (1 + _NEAR)
    if parts.cosines is None or parts.sines is None:
        return np.stack([0 * low, 0 * high])
    for row in spread(len(parts), _MANY)[1:].tolist():
        guess = (low + high) / 2 * row
        seen = np.arctan2(parts.sines[row], parts.cosines[row])
        least, most = ends(rounded_to(form, guess + wrapped(seen - guess)), form, FLOAT32) / row
        least, most = np.maximum(low, least), np.minimum(high, most)
        known = ((high - low) * row < _HALF) & (least <= most)
        low, high = np.where(known, least, low), np.where(known, most, high)
    return np.stack([low, high])


def _missed(
    parts: Parts, kind: Encoding, rounding: Rounding, positions: FloatArray, size: float
) -> float:
    held = parts.values() / size
    one, other = (parts.waves(angles) for angles in rounding.angles(positions, kind.speeds()))
    return float(np.minimum(np.abs(one - held), np.abs(other - held)).max())


def words_of(rounding: Rounding | None, kind: Encoding) -> list[Finding]:
    """The rounding, also that of `kind`, and the whole bases that it makes the same numbers."""
    if kind.form:
        rounding = Rounding(kind.form, ("frequencies",))
    if rounding is None:
        return []
    too, one = "", np.ones(1)
    if "frequencies" in rounding.what:
        wanted, _ = rounding.angles(one, kind.speeds())

        def is_same(near: Encoding) -> bool:
            made, other = rounding.angles(one, near.speeds())
            return bool(((made == wanted) | (other == wanted)).all())

        near = alike(kind._replace(form=None), is_same)
        too = f" (all {near} look the same)" if near else ""
    what, base = " and ".join(rounding.what), f"{kind.base:,.12g}{too}"
    return [finding("rounded", what=what, format=rounding.format, base=base)]


def _left_long(kind: Encoding, limits: Limits) -> Iterator[Finding]:
    """What a dynamic cache leaves after a long text, if that explains the numbers of `kind`."""
    if isinstance(kind.scaling, NTK) and kind.scaling not in USUAL:
        factor = kind.scaling.factor
        for config in (2.0, 4.0, 8.0):
            times = (factor + config - 1) / config
            if factor > 1 and 1 < times < _LONGEST and (4 * times).is_integer():
                yield finding("dynamic", factor=f"{config:g}", times=f"{times:g}")
                return
    if kind.scaling or limits.error > _FINE or kind.base == float(f"{kind.base:.4e}"):
        return
    for base in BASES[:3]:
        factor, told = (kind.base / base) ** ((kind.head_dim - 2) / kind.head_dim), []
        for config, trained in product((2.0, 4.0), _TRAINED):
            length = (factor + config - 1) / config * trained
            if trained < length < _LONGEST * trained and abs(length - round(length)) < _WHOLE:
                told.append(f"factor {config:g}, {length:,.0f} positions, trained on {trained:,}")
        if told:
            yield finding("dynamic-perhaps", base=f"{base:,.12g}", list="; or ".join(told))
            return


def placed(values: FloatArray, reading: Reading, limits: Limits) -> Match | None:
    """The cache or table whose rows lie anywhere: they jump, begin again, or are not counted."""
    if reading.parts.pairs < 2 or not is_bounded(reading.parts, limits.slack):
        return None
    few = reading.parts.rows(spread(len(reading.parts), _FEW))
    furthest = max(FURTHEST, 4.0 * len(reading.parts) + 8192)

    def fits(speeds: FloatArray, size: float) -> npt.NDArray[np.bool_]:
        return decodable(scaled(few, size), speeds, limits, furthest=furthest)

    for kind, pairs, size in heads(reading.parts, limits, fits):
        exact = np.where(pairs, kind.speeds(), 0.0)
        places = _places(scaled(reading.parts, size), exact, limits) if exact.any() else None
        if places is not None:
            return _settled(values, reading, kind, places, size, limits)
    return None


def is_bounded(parts: Parts, slack: float) -> bool:
    """Whether cosines and sines lie on the circle of their size, and one of them within it."""
    few, size = parts.rows(slice(0, _HEAD)), 0.0  # a few rows tell that noise does not
    if parts.cosines is not None and parts.sines is not None:
        size = parts.size() or np.inf
        return all(
            np.abs(np.abs(some.phasors()) / size - 1).max() <= 4 * slack for some in (few, parts)
        )
    first, most = np.abs(parts.any[:, 0]).max(), np.abs(few.any).max()
    if len(parts) < _HEAD or first > 0.9 * most:
        size = parts.size()
    whole = len(parts) < _HEAD or first > 0.9 * size
    return bool(size > 0 and whole and np.abs(parts.any).max() <= (1 + 4 * slack) * size)


def _places(parts: Parts, exact: FloatArray, limits: Limits) -> FloatArray | None:
    """The positions of the rows of `parts` at the frequencies `exact`, None if there are none."""
    error = max(limits.error, 1e-7)

    def found(rows: Parts, furthest: float) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
        places, off = decoded(rows, exact, error, furthest=furthest, off=limits.exact)
        whole = (places == np.rint(places)).all()
        free = room(limits.far, places, exact).max(axis=1)
        known = int((exact > 0).sum())
        spare = known if whole else known - 1
        tries = furthest * (1 if whole else exact.max())
        chance = tries * ((off + 1e-9) / np.pi) ** spare
        sure = (chance < _LIKELY) & (whole or known >= _PLACED)
        close = off - free <= min(limits.slack, limits.exact)
        return places, close & sure & (np.abs(places) <= max(furthest, FURTHEST))

    places, fits = found(parts, 4.0 * len(parts) + 8192)
    odd = np.flatnonzero(~fits)
    if len(odd) > min(_JUMPS, 0.9 * len(parts)):
        return None
    for k in range(0, len(odd), _AT_ONCE):
        rows = odd[k : k + _AT_ONCE]
        places[rows], fits = found(parts.rows(rows), FURTHEST)
        if not fits.all():
            return None
    return places


def heads(
    parts: Parts, limits: Limits, fits: Fits
) -> Iterator[tuple[Encoding, npt.NDArray[np.bool_], float]]:
    """Encodings that may have made `parts`, the pairs whose frequencies are sure, and
    the amplitude.

    The first rows may follow each other; then they show the frequencies. Otherwise usual bases
    are tried: `fits` says which of their speeds `(kinds, pairs)` may make rows of an amplitude.
    """
    values = parts.values()
    moved = (values != values[0]).any(axis=1)
    first = max(0, int(moved.argmax()) - 1)  # equal rows at the start are padding
    count = _run(values[first:])
    every = np.full(parts.pairs, True)
    if 4 <= count < len(parts):
        head = parts.rows(slice(first, first + count))
        start = from_zero(head, limits.slack)
        waves = measured(head) if start is None else start
        if waves is not None and waves.amplitude > 0:
            zero = np.arange(float(count))
            where = _starting(head, waves) if start is None else (lambda _: zero)
            kind, error = simplest(head, waves, where, limits, ranked=start is None)
            if kind is not None and error <= limits.slack:
                sure = np.abs(kind.speeds() - waves.turns) <= _NEAR * np.abs(waves.turns)
                known = (waves.turns > 0) & (waves.weight > 0)
                yield kind, sure & known, waves.amplitude
    usual, size = _usual(parts.pairs), parts.size()
    speeds = np.array([kind.speeds() for kind in usual])
    for place in np.flatnonzero(fits(speeds, size)):
        yield usual[place], every, size


@cache
def _usual(pairs: int) -> list[Encoding]:
    """Encodings of models, also with rounded frequencies."""
    shifted = BASES[0] ** (pairs / max(pairs - 1, 1))  # of freq_shift 1: times have it
    usual = [Encoding(2 * pairs, *model) for model in (*MODELS, (shifted, None))]
    if pairs >= _PLACED:  # a rounding explains any few frequencies
        usual += [kind._replace(form=form) for form, kind in product(COARSE, usual)]
    return usual


def _run(values: FloatArray) -> int:
    """How many rows at the start follow each other: each column keeps its recurrence."""
    if len(values) < 6:
        return 0
    here, around_ = values[1:-1], values[2:] + values[:-2]
    square = np.maximum((here[:4] ** 2).sum(axis=0), 1e-300)
    twice = (here[:4] * around_[:4]).sum(axis=0) / square
    off = np.abs(around_ - twice * here).max(axis=1)
    breaks = np.flatnonzero(off > 0.05)
    return int(breaks[0]) + 2 if len(breaks) else len(values)


def _settled(
    values: FloatArray,
    reading: Reading,
    kind: Encoding,
    places: FloatArray,
    size: float,
    limits: Limits,
) -> Match | None:
    """The match at `places`; slow pairs may show another scaling than the first rows did."""
    first = _match(values, reading, kind, size, places, limits)
    if first is not None and first.error <= limits.exact:
        return first
    turns = kind.speeds()
    waves = Waves(turns, np.zeros_like(turns), np.full_like(turns, size), turns**2, turns > 0)
    rising = places[0] == 0 and (np.diff(places) > 0).all()
    known = from_zero(reading.parts, limits.slack, places) if rising else None
    for some, ranked in ((known, False), (waves, True)):
        if some is not None:
            match = _fitted(values, reading, some, lambda _: places, limits, ranked=ranked)
            if match is not None:
                return match
    return first


def _described(positions: FloatArray) -> tuple[Finding, ...]:
    """Where the rows lie, in words; nothing if they are 0, 1, 2, ..."""
    steps, count = np.diff(positions), len(positions)
    ends = sorted((positions.min(), positions.max()), reverse=bool((steps < 0).all()))
    is_even = count > 2 and np.ptp(steps) <= _EVEN * abs(steps[0])
    how = f"in equal steps of {abs(steps[0]):.4g}" if is_even else "that are not counted"
    times = finding("times", how=how, first=f"{ends[0]:.4g}", last=f"{ends[1]:.4g}")
    if (positions != np.rint(positions)).any():
        return (times,)
    first, last, low = int(positions[0]), int(positions[-1]), int(positions.argmin())
    pieces = list(pairwise([0, *(np.flatnonzero(steps != 1) + 1).tolist(), count]))
    starts = [int(positions[row]) for row, _ in pieces]
    if len(pieces) == 1:
        return ((finding("from-row", row=first) if first > 0 else times),) if first else ()
    for form in COARSE:
        if (positions == rounded_to(form, first + np.arange(float(count)))).all():
            return (finding("places-rounded", first=first, format=form),)
    same = int(np.argmax(steps != 0))  # equal rows at the start
    rest = same + int(steps[same] != 1)
    if (steps == -1).all():
        return (finding("falling", first=first, last=last),)
    if (steps == steps[0]).all() and steps[0] > 1:
        return (finding("every-nth-row", step=int(steps[0]), first=first),)
    if same and (steps[rest:] == 1).all():
        rows = f"rows 0-{rest - 1} lie" if rest > 1 else "row 0 lies"
        found = finding("padded", place=first, rows=rows, first=int(positions[rest]))
    elif len(set(starts)) == 1:
        rows = series([f"row {row}" for row, _ in pieces[1:]])
        found = finding("restarts", rows=rows, first=first)
    elif 0 < low < count - 1 and (steps[:low] == -1).all() and (steps[low:] == 1).all():
        found = finding("mirrored", first=first, last=last)
    elif (np.sort(positions) == np.arange(count) + positions[low]).all():
        odd = np.flatnonzero(positions != np.arange(count)).tolist()
        texts = [f"row {row} is its {int(positions[row])}" for row in odd]
        found = finding("rows-moved", list=series(texts))
    elif len(pieces) > _MOSTLY * count:
        found = times
    else:
        told, single = [], any(end - row == 1 for row, end in pieces)
        for (row, end), place in zip(pieces, starts, strict=True):
            if place != row and end - row == 1:
                told.append(f"row {row} is position {place}")
            elif place != row or (end - row > 1 and (row or not single)):
                told.append(f"rows {row}-{end - 1} are positions {place}-{place + end - row - 1}")
        found = finding("jumps", list=series(told))
    return (found,)
