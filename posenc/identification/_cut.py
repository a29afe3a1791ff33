"""Recognise rotary caches that begin at a later position: rows from the middle of a table."""

from __future__ import annotations

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match
from posenc.identification._cache import size
from posenc.identification._readings import Reading, readings
from posenc.identification._rows import fits_by_chance, float32_error, spread
from posenc.identification._simplest import cache_of, simplest
from posenc.identification._turning import Parts
from posenc.identification._waves import Waves, measured
from posenc.identification._words import finding

_SOME = 64  # rows that candidates are compared with
_ROOM = 4  # times the tolerance: waves are measured less exactly than they are made
_RISE = 1.05  # through noise, a pair may seem faster than the one before


def matches(values: FloatArray, slack: float) -> list[Match]:
    """Recognise later rows of a rotary cache in `values`, shaped as in `_caches.matches`."""
    for held in (values, values[::-1]) if values.ndim == 3 else (values,):
        for part, form, parts in readings(held, slack):
            waves = measured(parts)
            if waves is not None and _follows(parts, waves, slack):
                match = _match(held, (part, form, parts), waves, slack)
                if match is not None:
                    return [match]
    return []


def _follows(parts: Parts, waves: Waves, slack: float) -> bool:
    """Whether the fast pairs of the first rows turn forwards as `waves` say."""
    turns = waves.turns[waves.told]
    rises = (turns[1:] > _RISE * turns[:-1]).any()
    if not waves.amplitude > 0 or (waves.turns < -slack).any() or rises:
        return False
    return bool(waves.apart(parts).max() <= _ROOM * slack * waves.amplitude)


def _match(values: FloatArray, reading: Reading, waves: Waves, slack: float) -> Match | None:
    part, form, parts = reading
    count = len(parts.positions)
    some = spread(count, _SOME)

    known: dict[bytes, int | None] = {}

    def first(frequencies: FloatArray) -> int | None:
        key = frequencies[waves.fast].tobytes()
        if key not in known:
            known[key] = waves.first_position(frequencies)
        return known[key]

    chosen = parts.rows(some, parts.positions[some])
    kind, _ = simplest(chosen, waves.turns, waves.weight, waves.amplitude, first)
    start = None if kind is None else first(kind.speeds())
    if kind is None or start is None:
        return None
    cache = cache_of(kind, part, form, waves.amplitude, start=start)
    error = float(np.abs(cache.table(count) - values).max()) / size(cache)
    limit = slack + float32_error(start + count, parts.pairs, slack)
    if error > limit or fits_by_chance(start, len(waves.fast), error):
        return None
    found = (finding("from-row", row=start),) if start else ()
    return Match(convention=cache, error=error, findings=found)
