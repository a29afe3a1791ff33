"""Find the conventions and mistakes that make a table whose rows are successive positions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import sqrt

import numpy as np

from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification import _mistakes
from posenc.identification._answer import Match
from posenc.identification._candidates import (
    FEW,
    Candidate,
    add,
    complexity,
    covers,
    rounded,
    tried,
)
from posenc.identification._fit import fitted
from posenc.identification._named import named
from posenc.identification._rows import Rows, as_good
from posenc.identification._words import mistake
from posenc.libraries import CONVENTIONS, RELATIVE

_SOME = 64  # rows of the table that candidates are compared with
_NEAR = 1e-5  # largest relative change when an amplitude is rounded


def matches(rows: Rows, slack: float, *, known: bool = False) -> list[Match]:
    """Conventions that make `rows` to within `slack`, best match first.

    A better fit comes before a library. With `known`, a library comes first: a fitted base may
    only imitate the errors of float32 angles.
    """
    some = rows.sample(_SOME)
    found = _libraries(some, slack)
    found += _others(fitted(rows, slack), some, slack, found)
    if not any(candidate.libraries for candidate in found):
        found = _explained(found, some, slack)
    best = np.inf if known else min((candidate.error for candidate in found), default=np.inf)
    found.sort(key=lambda candidate: _rank(candidate, best))
    answers = [_match(candidate, some, rows) for candidate in found[:5]]
    return [match for match in answers if match.error <= slack]


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


def _libraries(some: Rows, slack: float) -> list[Candidate]:
    """Libraries that agree within `slack`; those with the same values form one candidate."""
    found: list[Candidate] = []
    few = some.sample(FEW)
    for kind, names in libraries(odd=some.width % 2 == 1).items():
        first = tried(kind, few)
        if first is None or first.error > slack:
            continue
        candidate = tried(kind, some)
        if candidate is not None:
            add(found, replace(candidate, libraries=names))
    return [candidate for candidate in found if candidate.error <= slack]


def _others(
    kinds: Iterator[Convention], some: Rows, slack: float, known: list[Candidate]
) -> list[Candidate]:
    """Fitted `kinds` within `slack` that differ from the `known` ones, their numbers rounded."""
    found: list[Candidate] = []
    for kind in kinds:
        candidate = tried(kind, some)
        if candidate is None or candidate.error > slack:
            continue
        candidate = rounded(candidate, some)
        if not any(covers(other, candidate) for other in known):
            add(found, candidate)
    found.sort(key=lambda candidate: complexity(candidate.convention))
    return [
        candidate
        for place, candidate in enumerate(found)
        if not any(covers(other, candidate) for other in found[:place])
    ]


def _explained(found: list[Candidate], some: Rows, slack: float) -> list[Candidate]:
    """Add to `found` the first known mistake that explains the rows as well."""
    if some.width % 2:
        return found
    few, best = some.sample(FEW), min((old.error for old in found), default=slack)
    begun: dict[tuple[int, int], bool] = {}  # by column and first position
    for slip in _mistakes.mistaken():
        column, first = slip.fastest_sine(some.width)
        if (column, first) not in begun:
            sines = np.sin(few.places + first)
            begun[column, first] = _is_multiple(few.values[:, column], sines, slack)
        if not begun[column, first] or few.error(slip.rows(few.places, few.width)) > slack:
            continue
        unit = slip.rows(some.places, some.width)
        new = Candidate(slip.meant, unit, some.error(unit), mistake=slip)
        if new.error <= slack and as_good(new.error, best):
            same = [old for old in found if covers(new, old)]
            others = [old for old in found if not covers(new, old)]
            return [*(replace(old, mistake=slip) for old in same or [new]), *others]
    return found


def _is_multiple(values: FloatArray, wave: FloatArray, slack: float) -> bool:
    """Whether `values` divided by some number differ from `wave` by at most `slack`."""
    wave, size = wave * np.sign(values), np.abs(values)
    with np.errstate(divide="ignore", over="ignore"):
        least, most = (wave - slack) / size, (wave + slack) / size
    return bool(least.max() <= most.min())


def _rank(candidate: Candidate, best: float) -> tuple[bool, bool, bool, tuple[int, int], float]:
    return (
        not as_good(candidate.error, best),
        not candidate.libraries,
        candidate.mistake is None,
        complexity(candidate.convention),
        candidate.error,
    )


def _match(candidate: Candidate, some: Rows, rows: Rows) -> Match:
    """Turn `candidate` into an answer whose error covers all rows."""
    kind, slip = candidate.convention, candidate.mistake
    if slip is not None and kind == slip.meant:
        unit = slip.rows(rows.places, rows.width)
    else:
        unit = kind.table(int(rows.places[-1]) + 1, rows.width)
        unit = unit if len(unit) == len(rows.places) else unit[rows.places.astype(np.intp)]
    amplitude = _round(some.amplitude(candidate.unit), some, candidate.unit)
    mistakes = () if slip is None else tuple(mistake(code) for code in slip.mistakes)
    match = Match(
        convention=replace(kind, amplitude=amplitude),
        error=rows.error_at(amplitude, unit),
        libraries=candidate.libraries,
        mistakes=mistakes,
    )
    return named(match, kind, rows, libraries(odd=rows.width % 2 == 1))


def _round(amplitude: float, some: Rows, unit: FloatArray) -> float:
    """A round number near `amplitude` that fits as well; `sqrt(d)` counts as round."""
    digits = [float(f"{amplitude:.{count}e}") for count in range(6)]
    limit = some.error_at(amplitude, unit)
    for near in (sqrt(some.width), sqrt(1 / some.width), *digits):
        close = abs(near / amplitude - 1) < _NEAR
        if close and as_good(some.error_at(near, unit), limit):
            return near
    return amplitude
