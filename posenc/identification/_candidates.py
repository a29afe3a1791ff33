"""Candidate conventions: compare them with the sampled rows and prefer the simpler one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from math import pi
from typing import Any

import numpy as np

from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification._mistakes import Mistaken
from posenc.identification._rows import Rows, as_good
from posenc.libraries import CONVENTIONS

FEW = 8  # rows that suffice to reject a candidate
_SAME = 1e-9  # tables that differ by less are the same


@dataclass(frozen=True)
class Candidate:
    """A convention that may have made the table."""

    convention: Convention
    unit: FloatArray  # its values in the sampled rows, at amplitude 1
    error: float  # largest difference in the sampled rows
    libraries: tuple[str, ...] = ()
    mistake: Mistaken | None = None


def tried(kind: Convention, some: Rows) -> Candidate | None:
    try:
        unit = some.made_by(kind)
    except ValueError:  # a frequency exceeds float64
        return None
    return Candidate(kind, unit, some.error(unit))


def rounded(candidate: Candidate, some: Rows) -> Candidate:
    """Round each number of `candidate` as far as the rows fit equally well."""
    limit, few = candidate.error, some.sample(FEW)
    kind, middle = candidate.convention, float(some.places[0] + some.places[-1]) / 2
    for scale in _rounder("angle_scale", kind.angle_scale):  # with the start, as each needs both
        start = round((kind.start + middle) * kind.angle_scale / scale - middle)
        both = replace(kind, angle_scale=scale, start=float(start))
        trial = _as_good_in(both, (few, some), limit)
        if trial is not None:
            candidate = trial
            break
    for name in ("start", "angle_scale", "base", "freq_shift"):
        number = getattr(candidate.convention, name)
        for rounder in _rounder(name, number):
            kind = _with(candidate.convention, name, rounder)
            trial = _as_good_in(kind, (few, some), limit)
            if trial is not None:
                candidate = trial
                break
    return candidate


def _as_good_in(kind: Convention, samples: Iterable[Rows], limit: float) -> Candidate | None:
    """The candidate in the last of `samples` if it fits each of them as well as `limit`."""
    trial = None
    for rows in samples:
        trial = tried(kind, rows)
        if trial is None or not as_good(trial.error, limit):
            return None
    return trial


def _with(kind: Convention, name: str, number: float) -> Convention:
    options: dict[str, Any] = {name: number}
    return replace(kind, **options)


def _rounder(name: str, number: float) -> list[float]:
    if name == "start":
        return [float(round(number)), round(number, 2)]
    if name == "freq_shift":
        return [round(number, 2), round(number, 3)]
    digits = [float(f"{number:.{digits}e}") for digits in range(4)]
    known = [getattr(kind, name) for kind in CONVENTIONS.values()]
    close = [value for value in known if abs(number / value - 1) < 0.01]
    turns = [round(number / pi) * pi] if name == "angle_scale" else []
    return [value for value in dict.fromkeys((*close, *digits, *turns)) if value]


def add(found: list[Candidate], new: Candidate) -> None:
    """Append `new`, or merge it with the candidate that has the same values."""
    for place, old in enumerate(found):
        if np.abs(old.unit - new.unit).max() < _SAME:
            names = tuple(sorted({*old.libraries, *new.libraries}))
            first = min(old, new, key=lambda candidate: complexity(candidate.convention))
            found[place] = replace(first, libraries=names)
            return
    found.append(new)


def covers(one: Candidate, other: Candidate) -> bool:
    """Whether `one` explains the rows as well as `other` does, so that `other` adds nothing."""
    apart = float(np.abs(one.unit - other.unit).max())
    return apart <= 2 * (one.error + other.error) + _SAME and as_good(one.error, other.error)


def complexity(kind: Convention) -> tuple[int, int]:
    """Sort key: significant digits of the numbers, then options that differ from the paper's."""
    numbers = (
        *(kind.base, kind.angle_scale / pi, kind.angle_scale),
        *(kind.start, kind.freq_shift),
    )
    digits = [len(f"{number:.12e}".partition("e")[0].rstrip("0")) for number in numbers]
    differing = sum(getattr(kind, field.name) != field.default for field in fields(kind))
    return digits[0] + min(digits[1:3]) + sum(digits[3:]), differing
