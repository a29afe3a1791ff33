"""Describe sines and cosines whose frequencies no known encoding has: a calendar, Fourier's."""

from __future__ import annotations

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._turning import Parts
from posenc.identification._waves import amplitudes, measured
from posenc.identification._words import Finding, finding, listed

_FEWEST = 8  # rows
_STILL = 0.5  # radians over all rows: any slow change fits a pair that turns less
_SAME = 1e-4  # largest relative difference of two frequencies that count as one
_WHOLE = 0.01  # largest distance of a multiple from a whole number
_MOST = 100  # the largest multiple
_SHOWN = 5


def described(values: FloatArray, slack: float) -> Finding | None:
    """A finding with the frequencies if each column of `values` is a wave, otherwise None.

    `values` are `(n, width)`, or cosines and sines `(2, n, width)`.
    """
    length = values.shape[-2]
    if length < _FEWEST:
        return None
    columns = values if values.ndim == 2 else np.concatenate(list(values), axis=1)
    places, far = np.arange(float(length)), slack * float(np.abs(values).max())
    for parts in (*_pairs(values), Parts(columns, None, places)):
        if _turns(_first(parts), far) is None:  # so noise costs little time
            continue
        turns = _turns(parts, far)
        if turns is not None and _is_moving(turns, length):
            return _finding(turns)
    return None


def _pairs(values: FloatArray) -> list[Parts]:
    """Ways to read `values` as pairs of a sine and a cosine, whichever comes first."""
    places = np.arange(float(values.shape[-2]))
    if values.ndim == 3:
        return [Parts(values[0], values[1], places)]
    if values.shape[1] % 2:
        return []
    one, other = np.split(values, 2, axis=1)
    return [Parts(one, other, places), Parts(values[:, ::2], values[:, 1::2], places)]


def _first(parts: Parts) -> Parts:
    """The first pair, or the first column, by itself."""
    cosines = None if parts.cosines is None else parts.cosines[:, :1]
    return Parts(cosines, None if parts.sines is None else parts.sines[:, :1], parts.positions)


def _turns(parts: Parts, far: float) -> FloatArray | None:
    """Radians per row if each pair turns evenly; a column alone may have any phase, or be constant.

    None if a value is off by more than `far`.
    """
    waves = measured(parts)
    assert waves is not None
    angles = parts.positions[:, np.newaxis] * waves.turns
    if parts.sines is not None:
        made = parts.waves(waves.phases + angles) * np.tile(waves.size, 2)
    else:
        columns = parts.values()
        one, other = np.cos(angles), np.sin(angles)
        first, second = amplitudes(columns, one, other)
        made = np.where(waves.turns > 0, first, columns[0]) * one + second * other
    return None if np.abs(made - parts.values()).max() > far else np.abs(waves.turns)


def _is_moving(turns: FloatArray, length: int) -> bool:
    """Whether a wave turns, and each that turns does so far enough to show it."""
    moves = turns * length > _STILL
    return bool(moves.any() and not (turns[~moves] > 0).any())


def _finding(turns: FloatArray) -> Finding:
    """The frequencies in words: as multiples of the least one if they are."""
    ordered: list[float] = []
    for turn in turns.tolist():
        if not any(abs(turn - known) <= _SAME * known for known in ordered):
            ordered.append(turn)
    least = min(turn for turn in ordered if turn)
    times = np.array(ordered) / least
    whole = np.round(times)
    if len(whole) > 2 and whole.max() <= _MOST and np.abs(times - whole).max() <= _WHOLE:
        multiples = listed(sorted(whole.astype(int).tolist()))
        return finding("waves", list=f"{least:.4g} times {multiples}")
    shown = ", ".join(f"{turn:.4g}" for turn in ordered[:_SHOWN])
    left = len(ordered) - _SHOWN
    return finding("waves", list=shown + (f" and {left} more" if left > 0 else ""))
