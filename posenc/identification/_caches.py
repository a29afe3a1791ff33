"""Recognise the tables of cosines and sines that rotary code keeps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match
from posenc.identification._cache import size
from posenc.identification._jumps import found_places
from posenc.identification._readings import Reading, readings
from posenc.identification._rows import float32_error, spread
from posenc.identification._simplest import cache_of, simplest
from posenc.identification._turning import Parts
from posenc.identification._words import finding

_SOME = 64  # rows that candidates are compared with
_FEWEST = 4  # rows from which the pairs' speeds can be measured


def matches(values: FloatArray, slack: float) -> list[Match]:
    """Recognise a rotary cache in `values` `(n, width)`, or cosines and sines `(2, n, width)`."""
    if values.shape[-2] < _FEWEST:
        return []
    exchanged = values.ndim == 3 and _is_sine(values[0], slack)
    if exchanged:
        values = values[::-1]
    for part, form, parts in readings(values, slack):
        if values.ndim == 2 and not _begins(parts, slack):
            continue
        amplitude = parts.amplitude()
        if not amplitude > 0:
            continue
        match = _match(values, (part, form, parts), amplitude, slack)
        if match is None:
            placed, jumps = found_places(parts, amplitude, slack)
            match = _match(values, (part, form, placed), amplitude, slack) if jumps else None
            match = match and replace(match, findings=(finding("jumps", list=jumps),))
        if match is not None:
            more = (finding("exchanged"),) if exchanged else ()
            return [replace(match, findings=(*match.findings, *more))]
    return []


def _begins(parts: Parts, slack: float) -> bool:
    """Whether row 0 may be position 0, where all cosines are equal and all sines are 0."""
    cosines, sines = parts.cosines, parts.sines
    if sines is not None and not _is_sine(sines, slack):
        return False
    if cosines is None:
        return True
    even = sines is not None or np.ptp(cosines[0]) <= 2 * slack * abs(cosines[0, 0])
    return bool(even) and not _is_sine(cosines, slack)


def _is_sine(values: FloatArray, slack: float) -> bool:
    """Whether `values` are sines from position 0 on: their first row is 0."""
    size = max(values.max(), -values.min())  # without a copy of all values
    return bool(np.abs(values[0]).max() <= slack * size)


def _match(values: FloatArray, reading: Reading, amplitude: float, slack: float) -> Match | None:
    """A cache with the simplest encoding among those that fit `values` best."""
    part, form, parts = reading
    turns, weight = parts.frequencies(amplitude)
    if turns.max() > np.pi:
        return None
    some = spread(len(parts.positions), _SOME)
    made, _ = simplest(parts.rows(some, parts.positions[some]), turns, weight, amplitude)
    if made is None:
        return None
    cache = cache_of(made, part, form, amplitude)
    error = float(np.abs(cache.at(parts.positions) - values).max()) / size(cache)
    fits = error <= slack + _far(parts, slack)
    return Match(convention=cache, error=error) if fits else None


def _far(parts: Parts, slack: float) -> float:
    """The error that float32 angles may cause at far positions; 0 if no row jumps there."""
    last = float(parts.positions[-1])
    return float32_error(last, parts.pairs, slack) if last >= len(parts.positions) else 0.0
