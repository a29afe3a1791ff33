"""Find the convention that made a table: a library's, a fitted one, or a known mistake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification import _mistakes
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
from posenc.identification._rows import Rows, as_good
from posenc.libraries import CONVENTIONS

_SOME = 64  # rows that a candidate is compared with


@dataclass(frozen=True)
class Match:
    """One answer of `identify`.

    `convention` makes the table, and `error` is the largest remaining difference, as a
    fraction of the amplitude. `libraries` are the names in `CONVENTIONS` that agree except
    for the amplitude. `mistakes` explain a table that no library makes; if no convention
    makes it either, `convention` is the one that the author probably meant.

    >>> Match(convention=Convention(), error=0.0, libraries=("trax",)).mistakes
    ()
    """

    convention: Convention
    error: float
    libraries: tuple[str, ...]
    mistakes: tuple[str, ...] = ()


def identify(table: npt.ArrayLike, *, tolerance: float = 1e-3) -> list[Match]:
    """Conventions that may have made `table` of shape `(length, d_model)`, best match first.

    Tries the conventions in `CONVENTIONS`, then fits `base`, `angle_scale`, `start` and
    `amplitude` to the columns (each row is the next position); if no library agrees, it also
    tries known mistakes. A match differs by at most `tolerance`, a fraction of the amplitude,
    in every value. Rows of zeros count as padding and are skipped.

    Raises TypeError if `table` does not hold real numbers, ValueError if it does not have two
    axes with at least one row and two columns, if a value is NaN or infinite, or if
    `tolerance` is not finite and positive.

    >>> best = identify(Convention(arrangement="halves", start=3).table(16, 8))[0]
    >>> best.convention == Convention(arrangement="halves", start=3)
    True
    >>> identify(Convention(base=1e8).table(16, 8))[0].mistakes
    ('the exponent is doubled',)
    """
    values = _arguments.reals("table", table)
    if values.ndim != 2 or values.shape[0] < 1 or values.shape[1] < 2:
        rule = "have two axes, at least one row and two columns"
        raise ValueError(f"table must {rule}, got shape {values.shape}")
    slack = _arguments.positive("tolerance", tolerance)
    matches = _matches(values, slack)
    if not matches and len(values) > 1:
        matches = [
            replace(match, mistakes=(_mistakes.TRANSPOSED, *match.mistakes))
            for match in _matches(values.T, slack)
        ]
    return matches


def _matches(values: FloatArray, slack: float) -> list[Match]:
    places = np.flatnonzero(values.any(axis=1))
    if not len(places):
        return []
    rows = Rows(places.astype(np.float64), values if len(places) == len(values) else values[places])
    some = rows.sample(_SOME)
    found = _libraries(some, slack)
    found += _others(fitted(rows, slack), some, slack, found)
    if not any(candidate.libraries for candidate in found):
        found = _explained(found, some, slack)
    best = min((candidate.error for candidate in found), default=0.0)
    found.sort(key=lambda candidate: _rank(candidate, best))
    matches = [_match(candidate, some, rows) for candidate in found[:5]]
    return [match for match in matches if match.error <= slack]


def _libraries(some: Rows, slack: float) -> list[Candidate]:
    """Libraries that agree within `slack`; those with the same values form one candidate."""
    names: dict[Convention, tuple[str, ...]] = {}
    for name, kind in CONVENTIONS.items():
        if some.width % 2 == 0:
            kind = replace(kind, odd="error")
        if some.width % 2 == 0 or kind.odd not in ("error", "overflow"):
            kind = replace(kind, amplitude=1.0, amplitude_power=0.0)
            names[kind] = (*names.get(kind, ()), name)
    found: list[Candidate] = []
    few = some.sample(FEW)
    for kind in sorted(names, key=complexity):
        first = tried(kind, few)
        if first is None or first.error > slack:
            continue
        candidate = tried(kind, some)
        if candidate is not None:
            add(found, replace(candidate, libraries=names[kind]))
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
    for slip in _mistakes.mistaken():
        if few.error(slip.rows(few.places, few.width)) > slack:
            continue
        unit = slip.rows(some.places, some.width)
        new = Candidate(slip.meant, unit, some.error(unit), mistake=slip)
        if new.error <= slack and as_good(new.error, best):
            same = [old for old in found if covers(new, old)]
            others = [old for old in found if not covers(new, old)]
            return [*(replace(old, mistake=slip) for old in same or [new]), *others]
    return found


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
    amplitude = some.amplitude(candidate.unit)
    error = rows.error_at(amplitude, unit)
    mistakes = () if slip is None else slip.mistakes
    return Match(replace(kind, amplitude=amplitude), error, candidate.libraries, mistakes)
