"""Describe sines and cosines whose frequencies no known encoding has: a calendar, Fourier's."""

from __future__ import annotations

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._turning import Parts
from posenc.identification._waves import Waves, amplitudes, measured
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
    if values.shape[-2] < _FEWEST:
        return None
    for pairs in _pairs(values):
        turns = _turns_of_pairs(pairs, slack)
        if turns is not None:
            return _finding(turns)
    columns = values if values.ndim == 2 else np.concatenate(list(values), axis=1)
    turns = _turns_of_columns(columns, slack)
    return None if turns is None else _finding(turns)


def _pairs(values: FloatArray) -> list[Parts]:
    """Ways to read `values` as pairs of a sine and a cosine, whichever comes first."""
    places = np.arange(float(values.shape[-2]))
    if values.ndim == 3:
        return [Parts(values[0], values[1], places)]
    if values.shape[1] % 2:
        return []
    one, other = np.split(values, 2, axis=1)
    return [Parts(one, other, places), Parts(values[:, ::2], values[:, 1::2], places)]


def _turns_of_pairs(parts: Parts, slack: float) -> FloatArray | None:
    """Radians per row if each pair turns evenly."""
    waves = measured(parts)
    assert waves is not None
    made = parts.waves(waves.phases + parts.positions[:, np.newaxis] * waves.turns)
    return _if_moving(waves, made * np.tile(waves.size, 2), parts.values(), slack)


def _turns_of_columns(columns: FloatArray, slack: float) -> FloatArray | None:
    """Radians per row if each column is a sine or a cosine with any phase, or constant."""
    places = np.arange(float(len(columns)))
    waves = measured(Parts(columns, None, places))
    assert waves is not None
    angles = places[:, np.newaxis] * waves.turns
    one, other = np.cos(angles), np.sin(angles)
    first, second = amplitudes(columns, one, other)
    first = np.where(waves.turns > 0, first, columns[0])
    return _if_moving(waves, first * one + second * other, columns, slack)


def _if_moving(
    waves: Waves, made: FloatArray, values: FloatArray, slack: float
) -> FloatArray | None:
    """The turns of `waves` if they make `values`, and each wave turns far enough to show it."""
    turns, most = np.abs(waves.turns), float(np.abs(values).max())
    moves = turns * len(values) > _STILL
    far = np.abs(made - values).max() > slack * most
    return None if far or not moves.any() or (turns[~moves] > 0).any() else turns


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
