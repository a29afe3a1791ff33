"""Conventions and slips that make a table whose rows are positions."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import pairwise, product
from math import pi, sqrt
from typing import Any

import numpy as np

from posenc._columns import IntArray
from posenc._phase import FloatArray
from posenc.conventions import Convention, Layout, Order
from posenc.identification._answer import Match
from posenc.identification._measure import (
    FLOAT32,
    Parts,
    Reading,
    as_good,
    measured,
    room,
    spread,
    tables,
    whole,
    wrapped,
)
from posenc.identification._rules import BASES, digits_of, line, near_bases, roundest
from posenc.identification._words import Finding, finding, mistake, rows_in_words, series
from posenc.libraries import CONVENTIONS, FALLING, RELATIVE

_SOME = 64  # rows that candidates are compared with
_FEW = 8  # rows that suffice to reject a candidate
_SAME = 1e-9  # tables that differ by less are the same
_NEAR = 1e-5  # largest relative change when an amplitude is rounded
_ROUGH_SIZE = 1e-2  # the same where the rounder one fits better
_STILL = 1e-12  # radians per row: below it, a phase does not determine the position
_TURNS = 50  # turns of the slowest pair: the first row lies at most so far from position 0
_SHIFTED = 3  # the largest freq_shift that is tried
_MOST = 5  # matches
_ROUGH, _UNIT = 1e-4, 0.05  # rounded values may shift a scale of 1 by so much
_STEP = 1e-6  # of the logarithm of a base; a value that rises by less per unit of it tells nothing
_EXACT = 1e-6  # beyond the rounding of values: nothing else explains a table better
_SHORT = 5  # characters of a base that no other slip explains better
_LARGEST = 1e9  # base that is tried for a mistake, or for rounded values
_HARDLY = 1e-8  # more that a shorter base may be off than one with more digits
_SLOW = 0.5  # largest sine of a pair with a whole exponent in the last row
_UNSURE = 0.5  # an angle that may be off by more says nothing


@dataclass(frozen=True)
class Rows:
    """Some rows of a table, and their places in it.

    `far` is the relative error of their angles, `rounding` that of the values' format.
    """

    places: FloatArray  # (n,) counted from 0
    values: FloatArray  # (n, d_model)
    far: float = 0.0
    rounding: float = 0.0

    @property
    def width(self) -> int:
        return int(self.values.shape[1])

    def sample(self, count: int) -> Rows:
        """`count` rows that are spread evenly, and half as many from the start."""
        chosen = spread(len(self.places), count)
        return replace(self, places=self.places[chosen], values=self.values[chosen])

    def longest_run(self) -> Rows:
        """The longest run of consecutive rows."""
        breaks = np.flatnonzero(np.diff(self.places) != 1) + 1
        edges = [0, *breaks.tolist(), len(self.places)]
        first, last = max(pairwise(edges), key=lambda run: run[1] - run[0])
        return replace(self, places=self.places[first:last], values=self.values[first:last])

    def made_by(self, kind: Convention | Mistaken) -> FloatArray:
        """The values of `kind`, with its amplitude, in these rows."""
        return kind.encode(kind.start + self.places, self.width)

    def room(self, kind: Convention | Mistaken) -> FloatArray | float:
        """By how much rounded angles may change each value of `kind`, `(n, d_model)` or 0."""
        if not self.far:
            return 0.0
        codes, speeds = kind.columns(self.width), np.abs(kind.frequencies(self.width))
        speeds = speeds[codes if isinstance(kind, Mistaken) else codes // 2]
        every = room(self.far, self.places + kind.start, speeds)
        return np.where(every > _UNSURE, np.inf, every)

    def amplitude(self, unit: FloatArray) -> float:
        """Least-squares amplitude of `unit`; 1 if that fits as well."""
        power = float(np.einsum("ij,ij", unit, unit))
        best = float(np.einsum("ij,ij", unit, self.values)) / power if power else 0.0
        near = abs(best - 1) < 0.1
        if near and as_good(self.error_at(1.0, unit), self.error_at(best, unit)):
            return 1.0
        return best

    def error_at(self, amplitude: float, unit: FloatArray, free: FloatArray | float = 0.0) -> float:
        """Largest difference from `amplitude * unit`, as a fraction of `amplitude`."""
        if amplitude <= 0:
            return np.inf
        apart = np.abs(self.values / amplitude - unit) - free
        return max(0.0, float(apart.max()))

    def steps(self) -> FloatArray:
        """The largest rounding error of each value: small ones have less in binary formats."""
        is_binary = math.frexp(self.rounding)[0] == 0.5
        powers = np.frexp(self.values)[1] if is_binary else np.zeros_like(self.values, int)
        steps: FloatArray = self.rounding * np.ldexp(1.0, powers)
        return np.maximum(steps, 2.0**-25)  # of the smallest numbers of float16

    def is_rounded(self, unit: FloatArray, free: FloatArray | float) -> bool:
        """Whether `unit`, rounded as the values are, makes them; True if that is hardly at all."""
        if self.rounding <= _ROUGH:
            return True
        return bool((np.abs(self.values - unit) <= self.steps() + free + FLOAT32).all())


@dataclass(frozen=True)
class Exponents:
    """Exponents of the base at pair i: `factor * i * step`, where the correct step is 2 / d."""

    factor: float
    ahead: float = 0.0  # pairs by which the cosine's exponent is ahead of its sine's
    per_pair: bool = False  # the step is 1
    whole: bool = False  # exponents are rounded down

    def __call__(self, i: FloatArray, step: float) -> tuple[FloatArray, FloatArray]:
        """Exponents of the sines and of the cosines."""
        step = 1.0 if self.per_pair else step
        sines, cosines = self.factor * i * step, self.factor * (i + self.ahead) * step
        return (np.floor(sines), np.floor(cosines)) if self.whole else (sines, cosines)


EXPONENTS = {  # by the code of the mistake
    "exponent-doubled": Exponents(2),
    "cosine-exponent": Exponents(1, ahead=0.5),
    "cosine-exponent-doubled": Exponents(2, ahead=0.5),
    "exponent-0": Exponents(0),
    "exponent-0-or-1": Exponents(2, whole=True),
    "exponent-0-or-1-each": Exponents(2, ahead=0.5, whole=True),
    "exponent-sign": Exponents(-1),
    "factor-minus-1": Exponents(2 / math.log(10_000), per_pair=True),  # 10000 ** that is e ** 2
}
OF_ANY_BASE = (
    *("cosine-exponent", "cosine-exponent-doubled", "exponent-sign"),
    *("exponent-0-or-1", "exponent-0-or-1-each"),
)
# The factor of the sine that stands in the column of a cosine.
MISSING = {"cosines-zero": 0.0, "cosines-are-sines": 1.0}
SWAPPED, FROM_ONE, TRANSPOSED = "swapped", "from-one", "transposed"


@dataclass(frozen=True)
class Mistaken:
    """The convention that the author meant, and the codes of the mistakes in writing it."""

    meant: Convention
    mistakes: tuple[str, ...]

    @property
    def start(self) -> float:
        """The position of the first row."""
        return float(FROM_ONE in self.mistakes)

    def encode(self, positions: FloatArray, d_model: int) -> FloatArray:
        """Rows of the mistaken table at `positions` (n,), shape `(n, d_model)`."""
        angles = np.multiply.outer(positions, self.frequencies(d_model))
        angles[:, 0::2], angles[:, 1::2] = np.sin(angles[:, 0::2]), np.cos(angles[:, 1::2])
        for name in MISSING.keys() & set(self.mistakes):
            angles[:, 1::2] = MISSING[name] * angles[:, 0::2]
        return angles[:, self.columns(d_model)]

    def columns(self, d_model: int) -> IntArray:
        """The place of each column among the sines and cosines of successive pairs."""
        order: Order = "cos_first" if SWAPPED in self.mistakes else "sin_first"
        return _columns(self.meant.layout, order, d_model)

    def frequencies(self, d_model: int) -> FloatArray:
        """Radians per position of the sine and the cosine of each pair, `(d_model,)`."""
        i = np.arange(d_model / 2)
        step = 1 / max(d_model / 2 - self.meant.freq_shift, 1)
        exponents = (i * step,) * 2
        for name in EXPONENTS.keys() & set(self.mistakes):
            exponents = EXPONENTS[name](i, step)
        return self.meant.base ** -np.stack(exponents, axis=1).ravel()


@cache
def _columns(layout: Layout, order: Order, d_model: int) -> IntArray:
    return Convention(layout=layout, order=order).columns(d_model)


@cache
def mistaken() -> tuple[Mistaken, ...]:
    """Every combination of mistakes that can occur together, the fewest mistakes first."""
    slips = ("", *EXPONENTS), ("", SWAPPED), ("", FROM_ONE)
    sets = [tuple(filter(None, names)) for names in product(*slips)]
    sets += [tuple(filter(None, names)) for names in product(MISSING, ("", FROM_ONE))]
    layouts: tuple[Layout, ...] = ("interleaved", "halves")
    found = [
        Mistaken(Convention(layout=layout, freq_shift=shift), names)
        for shift, layout, names in product((0, 1), layouts, filter(None, sets))
    ]
    return tuple(sorted(found, key=lambda one: len(one.mistakes)))


@dataclass(frozen=True)
class Candidate:
    """A convention that may have made the table."""

    convention: Convention
    unit: FloatArray  # its values in the sampled rows, at amplitude 1
    error: float  # largest difference in the sampled rows, beyond what rounded angles explain
    is_exact: bool  # its values, rounded as the table's are, make the table
    libraries: tuple[str, ...] = ()
    mistake: Mistaken | None = None


Samples = tuple[Rows, ...]  # few rows, which reject most candidates, and some more


def matches(rows: Rows, slack: float, *, slips: bool = True) -> list[Match]:
    """Conventions and `slips` that make `rows` to within `slack`, best match first.

    A better fit comes before a library.
    """
    samples = rows.sample(_FEW), rows.sample(_SOME)
    rounding, found = rows.rounding, list[Candidate]()
    for kind, names in libraries(odd=rows.width % 2 == 1).items():
        candidate = _within(kind, samples, slack)
        if candidate is not None:
            _add(found, replace(candidate, libraries=names))
    found += _others(rows, samples, slack, found)
    if slips and not any(candidate.libraries for candidate in found):
        found = _explained(found, samples, slack)
    if any(candidate.is_exact for candidate in found):
        found = [candidate for candidate in found if candidate.is_exact]
    best = min((candidate.error for candidate in found), default=np.inf)
    found.sort(
        key=lambda one: (
            *(not as_good(one.error, best, rounding), not one.libraries, one.mistake is None),
            *(complexity(one.convention), one.error),
        )
    )
    answers = [_match(candidate, samples[1], rows, slack) for candidate in found[:_MOST]]
    return [match for match, error in answers if error <= slack]


@cache
def libraries(*, odd: bool) -> dict[Convention, tuple[str, ...]]:
    """The conventions of libraries at an `odd` or even width, with their names."""
    names: dict[Convention, tuple[str, ...]] = {}
    for name, kind in CONVENTIONS.items():
        if name in RELATIVE or (odd and kind.odd in ("error", "overflow")):
            continue
        kind = replace(kind, amplitude=1.0, amplitude_power=0.0)
        kind = kind if odd else replace(kind, odd="error")
        names[kind] = (*names.get(kind, ()), name)
    return {kind: names[kind] for kind in sorted(names, key=complexity)}


def _tried(maker: Convention | Mistaken, some: Rows) -> Candidate | None:
    try:
        unit = some.made_by(maker)
    except ValueError:  # a frequency exceeds float64
        return None
    free = some.room(maker)
    error = some.error_at(some.amplitude(unit), unit, free)
    kind, slip = (maker.meant, maker) if isinstance(maker, Mistaken) else (maker, None)
    return Candidate(kind, unit, error, some.is_rounded(unit, free), mistake=slip)


def _within(
    maker: Convention | Mistaken, samples: Samples, slack: float, best: float = np.inf
) -> Candidate | None:
    """What `maker` makes, if it fits all samples to within `slack` and as well as `best`."""
    made = None
    for rows in samples:
        made = _tried(maker, rows)
        if made is None or made.error > slack or not as_good(made.error, best, rows.rounding):
            return None
    return made


def _others(rows: Rows, samples: Samples, slack: float, known: list[Candidate]) -> list[Candidate]:
    """Fitted kinds within `slack` that differ from the `known` ones, their numbers rounded."""
    found: list[Candidate] = []
    for kind in fitted(rows, slack):
        candidate = _tried(kind, samples[1])
        if candidate is None or candidate.error > slack:
            continue
        if any(_covers(other, candidate, rows.rounding) for other in known):
            continue
        candidate = _rounded(candidate, samples, slack)
        shift = candidate.convention.freq_shift
        if round(shift, 3) == shift:  # no code has another
            _add(found, candidate)
    found.sort(key=lambda candidate: complexity(candidate.convention))
    every = [*known, *found]
    return [
        candidate
        for place, candidate in enumerate(found, len(known))
        if not any(_covers(other, candidate, rows.rounding) for other in every[:place])
    ]


def fitted(rows: Rows, slack: float) -> Iterator[Convention]:
    """Conventions that the columns of `rows` follow, with base, scale and start as measured.

    A pair turns by a fixed angle from row to row. The logarithms of the angles fall along a line,
    whose slope gives the base.
    """
    run = rows.longest_run()
    for reading in tables(run.values):
        found = _line(reading, slack, rough=rows.rounding > _ROUGH)
        if found is not None and reading.kind is not None:
            scale, slope, start = found
            kind = replace(reading.kind, angle_scale=scale, start=start - float(run.places[0]))
            for one in _with_base(kind, slope, rows.width, reading.parts.pairs):
                yield one
                if rows.rounding > _ROUGH and abs(scale) == 1 and 1 < one.base < _LARGEST:
                    whole = replace(one, start=float(round(one.start)))
                    yield from _unrounded(whole, rows.sample(_SOME))


def _unrounded(kind: Convention, some: Rows) -> Iterator[Convention]:
    """`kind` with the roundest base that makes the rows if its values are rounded, if any does."""
    unit = some.made_by(kind)
    more = some.made_by(replace(kind, base=kind.base * math.exp(_STEP)))
    apart, rising = some.values - unit, (more - unit) / _STEP  # with the base's logarithm
    seen = np.abs(rising) > _STEP
    if not seen.any():
        return
    middle, width = apart[seen] / rising[seen], some.steps()[seen] / np.abs(rising[seen])
    low, high = (middle - width).max(), (middle + width).min()
    if low <= high:
        found = roundest(kind.base * math.exp(low), kind.base * math.exp(high))
        by_chance = (high - low) * 10.0 ** digits(found) > 1  # such a base may be anywhere
        if kind.freq_shift == 0 or not by_chance:
            yield replace(kind, base=found)


def _line(reading: Reading, slack: float, *, rough: bool) -> tuple[float, float, float] | None:
    """Pair i turns by `scale * exp(-slope * i)` radians per row; row 0 is position `start`."""
    head = reading.parts.rows(slice(0, _SOME))
    length = np.abs(head.phasors())
    if not length.size or np.ptp(length) > 4 * slack * length.mean():
        return None
    waves = measured(reading.parts)
    turns = np.zeros(reading.parts.pairs) if waves is None else unwound(waves.turns)
    i = np.flatnonzero(turns**2)
    if waves is None or not len(i):
        return None
    weights, logs = turns[i] ** 2, np.log(np.abs(turns[i]))
    level, slope = line(i, logs, weights)
    sense = float(np.sign(turns[np.abs(turns).argmax()]))
    with np.errstate(over="ignore"):
        scale = float(sense * np.exp(level))
        if rough and abs(abs(scale) - 1) < _UNIT:  # rounded values leave the scale open
            scale, (_, slope) = sense, line(i, logs, weights, level=0.0)
        frequencies = scale * np.exp(-slope * np.arange(len(turns)))
    if not (scale and np.isfinite(frequencies).all()):
        return None
    rows = np.arange(len(head))[:, np.newaxis]
    phases = np.angle((head.phasors() * np.exp(-1j * rows * frequencies)).sum(axis=0))
    return scale, slope, _start(phases, frequencies)


def unwound(turns: FloatArray) -> FloatArray:
    """`turns` with the whole turns that grow from pair to pair by a factor, as octaves do."""
    found = turns.copy()
    for i in range(2, len(found) if len(found) > 2 and found[1] > found[0] > 0 else 0):
        guess = found[i - 1] ** 2 / found[i - 2]
        if guess > 1e15 or abs(wrapped(guess - found[i])) > 0.1:  # it grows by no factor
            return turns
        found[i] += whole(guess - found[i])
    return found


def _start(phases: FloatArray, frequencies: FloatArray) -> float:
    """Position of the first row: estimated from the slowest pair, refined by faster ones.

    The slowest pair leaves the number of whole turns open, so several numbers are tried.
    """
    fast = np.abs(frequencies) > _STILL
    order = np.argsort(np.abs(frequencies[fast]))
    slow_to_fast = list(zip(phases[fast][order], frequencies[fast][order], strict=True))
    if not slow_to_fast:
        return 0.0
    turns = np.array(sorted(range(-_TURNS, _TURNS + 1), key=abs))
    (first, slowest), *faster = slow_to_fast
    starts: FloatArray = (first + 2 * np.pi * turns) / slowest
    for phase, frequency in faster:
        starts += wrapped(phase - frequency * starts) / frequency
    left = np.max([np.abs(wrapped(phase - w * starts)) for phase, w in slow_to_fast], axis=0)
    least = left.min()
    return float(
        next(start for start, off in zip(starts, left, strict=True) if as_good(off, least))
    )


def _with_base(kind: Convention, slope: float, d_model: int, pairs: int) -> Iterator[Convention]:
    """Give `kind` the base that explains the slope for freq_shift 0 and 1, or another freq_shift.

    The slope does not determine both, so any other freq_shift comes with the paper's base.
    """
    if pairs == 1:  # a single pair does not depend on the base
        yield kind
        return
    half = kind._spread(d_model) / 2
    for shift in (0, 1):
        exponent = slope * (half - shift)
        if abs(exponent) < 700:
            yield replace(kind, freq_shift=shift, base=math.exp(exponent))
    if slope > 0:
        other = half - math.log(kind.base) / slope
        if abs(other) < _SHIFTED and min(abs(other), abs(other - 1)) > 0.005:
            yield replace(kind, freq_shift=other)


def _rounded(candidate: Candidate, samples: Samples, slack: float) -> Candidate:
    """Round each number of `candidate` as far as the rows fit equally well, within `slack`."""
    exact = _tried(candidate.convention, replace(samples[1], far=0.0))
    if exact is not None and as_good(exact.error, 0.0, samples[1].rounding):  # no angle is rounded
        candidate, samples = exact, tuple(replace(rows, far=0.0) for rows in samples)
    limit, kind, places = candidate.error, candidate.convention, samples[1].places
    middle = float(places[0] + places[-1]) / 2
    both: list[dict[str, Any]] = []  # the scale with the start, as each needs both
    for scale in _round_numbers("angle_scale", kind.angle_scale):
        start = round((kind.start + middle) * kind.angle_scale / scale - middle)
        both.append({"angle_scale": scale, "start": float(start)})
    for name in ("", "start", "angle_scale", "base", "freq_shift"):
        kind = candidate.convention
        near = _round_numbers(name, getattr(kind, name)) if name else ()
        options = [{name: number} for number in near] if name else both
        tries = (_within(replace(kind, **option), samples, slack, limit) for option in options)
        candidate = next(
            (one for one in tries if one and one.is_exact >= candidate.is_exact), candidate
        )
    kind = candidate.convention
    near = [float(round(kind.base)), *digits_of(kind.base, 7)[4:]]
    for shorter in near if kind.base > 1 else ():
        fewer = _tried(replace(kind, base=shorter), samples[1])
        if fewer is None or fewer.is_exact < candidate.is_exact:
            continue
        if fewer.error <= 1.1 * limit + _HARDLY:
            return fewer
    return candidate


def _round_numbers(name: str, number: float) -> list[float]:
    if name == "start":
        return [float(round(number)), round(number, 2)]
    if name == "freq_shift":
        return [round(number, 2), round(number, 3)]
    digits = [float(f"{number:.{digits}e}") for digits in range(4)]
    turns = [round(number / pi) * pi] if name == "angle_scale" else []
    if name == "base" and number < 1:
        turns.append(2.0 ** round(math.log2(number)))
    return [value for value in dict.fromkeys((*digits, *turns)) if value]


def _add(found: list[Candidate], new: Candidate) -> None:
    """Append `new`, or merge it with the candidate that has the same values."""
    for place, old in enumerate(found):
        if np.abs(old.unit - new.unit).max() < _SAME:
            names = tuple(sorted({*old.libraries, *new.libraries}))
            first = min(old, new, key=lambda candidate: complexity(candidate.convention))
            found[place] = replace(first, libraries=names)
            return
    found.append(new)


def _covers(one: Candidate, other: Candidate, rounding: float) -> bool:
    """Whether `one` explains the rows as well as `other` does, so that `other` adds nothing."""
    apart = float(np.abs(one.unit - other.unit).max())
    good = as_good(one.error, other.error, rounding) and one.is_exact >= other.is_exact
    return good and apart <= 2 * (one.error + other.error) + _SAME


def complexity(kind: Convention) -> tuple[int, int]:
    """Sort key: significant digits of the numbers, then options that differ from the paper's."""
    numbers = (
        *(kind.base, kind.angle_scale / pi, kind.angle_scale),
        *(kind.start, kind.freq_shift),
    )
    base, by_pi, scale, *others = map(digits, numbers)
    differing = sum(getattr(kind, field.name) != field.default for field in fields(kind))
    return base + min(by_pi, scale) + sum(others), differing


def digits(number: float) -> int:
    """How many characters the significant digits of `number` take, with their point."""
    return len(f"{number:.12e}".partition("e")[0].rstrip("0"))


def _explained(found: list[Candidate], samples: Samples, slack: float) -> list[Candidate]:
    """Add to `found` the first known mistake that explains the rows as well."""
    few, some = samples
    if some.width % 2:
        return found
    best = min((old.error for old in found), default=slack)
    # Pair 0 has the frequency 1 in every slip: its sine is looked for first.
    begun = [
        (column, first)
        for column, first in product((0, 1, some.width // 2), (0, 1))
        if _is_multiple(few.values[:, column], np.sin(few.places + first), slack)
    ]
    every = [
        slip
        for slip in (mistaken() if begun else ())
        if (int(slip.columns(some.width).argmin()), slip.start) in begun
    ]
    for slip, base in product(every[:], _bases(some) if every else ()):
        if set(slip.mistakes) & set(OF_ANY_BASE):
            every.append(replace(slip, meant=replace(slip.meant, base=base)))
    slips: list[Candidate] = []
    for slip in every:
        new = _within(slip, samples, slack, best)
        slips += [new] if new else []
        exact = new is not None and new.error <= 2 * some.rounding + _EXACT
        if exact and digits(slip.meant.base) < _SHORT:
            break
    if not slips:
        return found
    least = min(new.error for new in slips)
    fits = [one for one in slips if as_good(one.error, least, some.rounding)]
    new = min(fits, key=lambda one: digits(one.convention.base))
    same = [old for old in found if _covers(new, old, some.rounding)]
    others = [old for old in found if old not in same]
    assert new.mistake is not None
    meant = new.convention.base
    if meant not in BASES and any(digits(old.convention.base) < digits(meant) for old in same):
        return found  # a rounder base needs no slip
    if "exponent-sign" in new.mistake.mistakes:  # the same as the base's inverse
        return [new, *others]
    return [*(replace(old, mistake=new.mistake) for old in same or [new]), *others]


def _bases(some: Rows) -> list[float]:
    """Bases that a mistake may have: 1000, 100, known ones, and what the two fastest waves tell."""
    run, half = some.longest_run(), some.width // 2
    found, last = [1000.0, 100.0, *BASES], float(run.places[-1])
    for sine in run.values[-1, [2 * half - 2, half - 1]].tolist():
        if 0 < sine < _SLOW < last:  # of whole exponents: the frequency is 1 / base
            found += near_bases(math.log(last / math.asin(sine)))[:-1]
    waves = None
    if run.width >= 4:
        waves = measured(Parts(run.values[:, [0, 1, 2, 3, half, half + 1]], None))
    for i, j, power in product((0, 1, 4), (1, 2, 3, 5), (half, half / 2)) if waves else ():
        one, other = waves.turns[[i, j]].tolist() if waves else (0, 0)
        if i < j < i + 3 and one and other:
            near = near_bases(power * abs(math.log(one / other)))[:-1]
            found += [base for base in near if 2 < base < _LARGEST]
    return list(dict.fromkeys(found))


def _is_multiple(values: FloatArray, wave: FloatArray, slack: float) -> bool:
    """Whether `values` divided by some number differ from `wave` by at most `slack`."""
    wave, size = wave * np.sign(values), np.abs(values)
    with np.errstate(divide="ignore", over="ignore"):
        least, most = (wave - slack) / size, (wave + slack) / size
    return bool(least.max() <= most.min())


def _match(candidate: Candidate, some: Rows, rows: Rows, slack: float) -> tuple[Match, float]:
    """`candidate` as an answer about all rows, and its error beyond rounded angles."""
    kind, slip = candidate.convention, candidate.mistake
    maker = slip if slip is not None and kind == slip.meant else kind  # or the convention makes it
    if isinstance(maker, Mistaken):
        unit = rows.made_by(maker)
    else:
        unit = kind.table(int(rows.places[-1]) + 1, rows.width)
        unit = unit if len(unit) == len(rows.places) else unit[rows.places.astype(np.intp)]
    amplitude = rounded(some.amplitude(candidate.unit), some, candidate.unit)
    match = Match(
        convention=replace(kind, amplitude=amplitude),
        error=rows.error_at(amplitude, unit),
        libraries=candidate.libraries,
        mistakes=tuple(map(mistake, slip.mistakes if slip else ())),
        made=unit * amplitude,
    )
    error = match.error
    if rows.far and error > slack:
        error = rows.error_at(amplitude, unit, rows.room(maker))
    return _named(match, kind, rows), error


def rounded(amplitude: float, some: Rows, unit: FloatArray) -> float:
    """A round number near `amplitude` that fits as well; `sqrt(d)` counts as round."""
    digits = [float(f"{amplitude:.{count}e}") for count in range(6)]
    limit = some.error_at(amplitude, unit)
    for near in (sqrt(some.width), sqrt(1 / some.width), *digits):
        apart, error = abs(near / amplitude - 1), some.error_at(near, unit)
        if (apart < _NEAR and as_good(error, limit)) or (apart < _ROUGH_SIZE and error < limit):
            return near
    return amplitude


def _named(match: Match, kind: Convention, rows: Rows) -> Match:
    """Add where the rows lie in the table of a library, and what else looks the same.

    `kind` is the convention at amplitude 1, and row 0 of the table is at its `start`.
    """
    if match.mistakes:
        return match
    if kind.angle_scale < 0:
        return _falling(match, kind, rows)
    if not match.libraries:
        match = _moved(match, kind, rows)
    found = (*match.findings, *_rotary(kind, rows.width))
    if not match.libraries and kind.base < 1:
        found = (*found, _growing(kind, rows.width))
    if not match.libraries and rows.width == 4 and kind.angle_scale != 1:
        found = (*found, finding("two-pairs"))
    return replace(match, findings=found)


def _growing(kind: Convention, width: int) -> Finding:
    """Frequencies that grow, as those of Fourier features do, but not by octaves."""
    times = kind.frequencies(width) / kind.frequencies(width)[0]
    octaves = kind.freq_shift == 1 and float(math.log2(times[-1])).is_integer() and times[1] != 2
    end = ": no octaves, since linspace includes its end point" if octaves else ""
    return finding("growing", list=series([f"{one:.4g}" for one in times]), end=end)


def _falling(match: Match, kind: Convention, rows: Rows) -> Match:
    """A table whose positions fall, as relative encodings have them, or whose sines are negated."""
    first = 0.0 - kind.start  # not -0.0
    last = first - float(rows.places[-1])
    if kind.angle_scale == -1 and first <= 0:
        return replace(match, mistakes=(mistake("sine-sign"),))
    whole = replace(kind, start=0.0) == Convention(angle_scale=-1)
    names = FALLING if whole and first == -last else match.libraries
    found = (finding("falling", first=f"{first:.12g}", last=f"{last:.12g}"),)
    return replace(match, libraries=names, findings=found)


def _moved(match: Match, kind: Convention, rows: Rows) -> Match:
    """`match` with the library whose table begins earlier, or after rows of zeros."""
    zeros = int(rows.places[0])
    start = kind.start + zeros  # the position of the first row that is not zero
    begun = [
        (start - other.start, names)
        for other, names in libraries(odd=rows.width % 2 == 1).items()
        if replace(kind, start=other.start) == other
    ]
    whole = [(row, names) for row, names in begun if row >= 0 and row.is_integer()]
    first, names = max(whole, default=(0.0, ()))
    assert isinstance(match.convention, Convention)
    found = [finding("after-zeros", rows=rows_in_words(zeros))] if zeros else []
    if first:
        found.append(finding("from-row", row=int(first)))
    return replace(
        match,
        convention=replace(match.convention, start=start),
        libraries=names,
        findings=tuple(found),
        first_row=int(first),
        zero_rows=zeros,
    )


def named(kind: Convention, width: int) -> tuple[tuple[str, ...], tuple[Finding, ...]]:
    """The libraries that have `kind` but for its start and amplitude, and what looks the same."""
    plain = replace(kind, start=0.0, amplitude=1.0)
    return libraries(odd=width % 2 == 1).get(plain, ()), _rotary(plain, width)


def _rotary(kind: Convention, width: int) -> tuple[Finding, ...]:
    """A rotary cache with each pair once has the same columns as some conventions."""
    layout = (kind.layout, kind.order)
    if width % 2 or kind.freq_shift or kind.spread or layout == ("interleaved", "sin_first"):
        return ()
    halves = {
        ("halves", "sin_first"): "sines, then cosines",
        ("halves", "cos_first"): "cosines, then sines",
        ("interleaved", "cos_first"): "cosine and sine of each pair",
    }[layout]
    return (finding("rotary-too", halves=halves),)
