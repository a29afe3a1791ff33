"""The simplest rotary encoding that makes the cosines and sines of some rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._cache import Form, Part, RotaryCache
from posenc.identification._rows import FLOAT32, as_good
from posenc.identification._scaled import explained
from posenc.identification._speeds import Encoding
from posenc.identification._turning import Parts
from posenc.rotary._turn import Layout

_APART = 8  # every 8th row ranks the ramps if the table begins later


def simplest(
    parts: Parts,
    turns: FloatArray,
    weight: FloatArray,
    amplitude: float,
    first: Callable[[FloatArray], int | None] | None = None,
) -> tuple[Encoding | None, float]:
    """The simplest encoding among those that fit `parts` best, and its error.

    `first` finds the position of the first row from the frequencies, or None if the rows cannot
    have them. Without `first`, the rows begin at position 0.
    """
    tried: list[tuple[float, Encoding]] = []
    furthest = float(parts.positions.max())

    def missed(frequencies: FloatArray, rows: slice, factor: float) -> float:
        start = 0 if first is None else first(frequencies)
        if start is None:
            return np.inf
        nonlocal furthest
        positions = start + parts.positions[rows]
        furthest = max(furthest, float(positions[-1]))
        made = parts.waves(positions[:, np.newaxis] * frequencies)
        return float(np.abs(parts.values()[rows] / factor - made).max())

    def rank(frequencies: FloatArray) -> float:
        return missed(frequencies, slice(None, None, _APART), amplitude)

    for kind in explained(turns, weight, amplitude, None if first is None else rank):
        factor = kind.attention() * snapped(amplitude / kind.attention())
        tried.append((missed(kind.speeds(), slice(None), factor), kind))
    best = min((error for error, _ in tried), default=np.inf)
    rounding = furthest * FLOAT32 / 4
    for error, kind in tried:
        if as_good(error, best) or error <= best + rounding:
            return kind, error
    return None, best


def cache_of(
    kind: Encoding, part: Part, form: Form, amplitude: float, *, start: float = 0.0
) -> RotaryCache:
    """The cache of `kind` whose pairs have the length `amplitude`."""
    return RotaryCache(
        rotary=kind.rotary(layout_of(form)),
        part=part,
        form=form,
        amplitude=snapped(amplitude / kind.attention()),
        start=start,
    )


def layout_of(form: Form) -> Layout:
    """The layout of a head that uses tables of this `form`, usually halves."""
    return "interleaved" if form == "interleaved" else "halves"


def snapped(amplitude: float) -> float:
    """`amplitude`, or 1 or a rounder number where rounding explains the difference."""
    for digits in range(4):
        near = float(f"{amplitude:.{digits}e}")
        if abs(near / amplitude - 1) < 1e-6 or (near == 1 and abs(amplitude - 1) < 1e-3):
            return near
    return amplitude
