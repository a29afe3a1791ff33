"""Recognise the tables of cosines and sines that rotary code keeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match
from posenc.identification._cache import Form, Part, RotaryCache
from posenc.identification._jumps import found_places
from posenc.identification._rows import FLOAT32
from posenc.identification._simplest import simplest, snapped
from posenc.identification._turning import Parts
from posenc.identification._words import finding
from posenc.rotary import Rotary
from posenc.rotary._turn import Layout

_SOME = 64  # rows that candidates are compared with
_FEWEST = 4  # rows from which the pairs' speeds can be measured


def matches(values: FloatArray, slack: float) -> list[Match]:
    """The rotary cache that `values` are: `(n, width)`, or cosines and sines `(2, n, width)`."""
    if values.shape[-2] < _FEWEST:
        return []
    if values.ndim == 3 and _is_sine(values[0], slack):
        values = values[::-1]
    for part, form, parts in _readings(values, slack):
        amplitude = parts.amplitude()
        if not amplitude > 0:
            continue
        kind = RotaryCache(rotary=Rotary(2 * parts.pairs), part=part, form=form)
        match = _match(values, kind, parts, amplitude, slack)
        if match is None:
            placed, jumps = found_places(parts, amplitude, slack)
            match = _match(values, kind, placed, amplitude, slack) if jumps else None
            match = match and replace(match, findings=(finding("jumps", list=jumps),))
        if match is not None:
            return [match]
    return []


def _readings(values: FloatArray, slack: float) -> Iterator[tuple[Part, Form, Parts]]:
    """Ways to read the columns: a part, how its pairs are repeated, and its values."""
    places = np.arange(values.shape[-2], dtype=np.float64)
    if values.ndim == 3:
        form, (one, other) = once(values, slack)
        yield "both", form, Parts(one, other, places)
        return
    form, (held,) = once(values[np.newaxis], slack)
    if _is_sine(held, slack):
        yield "sin", form, Parts(None, held, places)
    elif np.ptp(held[0]) <= 2 * slack * abs(held[0, 0]):
        yield "cos", form, Parts(held, None, places)
    if values.shape[1] % 2 == 0:
        form, (one, other) = once(np.stack(np.split(values, 2, axis=1)), slack)
        if _is_sine(one, slack):
            yield "sin|cos", form, Parts(other, one, places)
        elif _is_sine(other, slack):
            yield "cos|sin", form, Parts(one, other, places)


def _is_sine(values: FloatArray, slack: float) -> bool:
    """Whether position 0 holds sines: they are 0 there."""
    return bool(np.abs(values[0]).max() <= slack * np.abs(values).max())


def once(
    parts: FloatArray, slack: float, off: Callable[[FloatArray], Any] = np.max
) -> tuple[Form, FloatArray]:
    """Each pair of `parts` (parts, n, width) once, and how often the table has it.

    The columns of a pair may differ by `slack`, as `off` measures it.
    """
    width = parts.shape[2]
    if width % 2:
        return "once", parts
    head = parts[:, :_SOME]
    limit = slack * float(np.abs(head).max(initial=0.0))
    left, right = np.split(head, 2, axis=2)
    if off(np.abs(left - right)) <= limit:
        return "halves", parts[:, :, : width // 2]
    if off(np.abs(head[:, :, 0::2] - head[:, :, 1::2])) <= limit:
        return "interleaved", parts[:, :, 0::2]
    return "once", parts


def _match(
    values: FloatArray, kind: RotaryCache, parts: Parts, amplitude: float, slack: float
) -> Match | None:
    """`kind` with the simplest encoding that makes `values` as well as any other."""
    turns, weight = parts.frequencies(amplitude)
    if not 0 < turns.max() <= np.pi:
        return None
    count = len(parts.positions)
    some = np.union1d(np.linspace(0, count - 1, _SOME).astype(np.intp), np.arange(min(32, count)))
    made, error = simplest(parts.rows(some, parts.positions[some]), turns, weight, amplitude)
    if made is None or error > slack + _far(parts):
        return None
    layout: Layout = "interleaved" if kind.form == "interleaved" else "halves"
    rest = snapped(amplitude / made.attention())
    cache = replace(kind, rotary=made.rotary(layout), amplitude=rest)
    error = _error(cache, values, parts.positions)
    return Match(convention=cache, error=error) if error <= slack + _far(parts) else None


def _far(parts: Parts) -> float:
    """What float32 angles explain where the rows jump to far positions."""
    last = float(parts.positions[-1])
    return last * FLOAT32 if last >= len(parts.positions) else 0.0


def _error(cache: RotaryCache, values: FloatArray, positions: FloatArray) -> float:
    size = cache.amplitude * cache.rotary.attention_factor()
    return float(np.abs(cache.at(positions) - values).max()) / size
