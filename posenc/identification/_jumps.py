"""Find the positions of a rotary cache whose first rows are 0, 1, 2, ... and whose others jump."""

from __future__ import annotations

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._simplest import simplest
from posenc.identification._turning import Parts
from posenc.identification._words import series

_FIRST = 8  # rows that must be consecutive
_MOST = 256  # rows that may jump
_FURTHEST = 1 << 17  # positions that are tried
_PAIRS = 12  # fastest pairs, which tell a position
_STEP = 512  # `_all_waves` splits positions into multiples of it and a rest
_AT_ONCE = 8  # rows whose positions are sought together


def found_places(parts: Parts, amplitude: float, slack: float) -> tuple[Parts, str]:
    """`parts` with the positions of their rows, and words on the rows that jump, "" if none."""
    head = parts.rows(slice(0, _FIRST), parts.positions[:_FIRST])
    turns, weight = head.frequencies(amplitude)
    kind, _ = simplest(head, turns, weight, amplitude)
    if kind is None:
        return parts, ""
    fast = np.argsort(-turns, kind="stable")[:_PAIRS]
    exact = np.where(turns[fast] > 0, kind.speeds()[fast], 0.0)
    values = parts.values() / amplitude
    columns = np.add.outer(np.arange(0, values.shape[1], parts.pairs), fast).ravel()
    fits = np.abs(parts.waves(parts.positions[:, np.newaxis] * exact) - values[:, columns])
    odd = np.flatnonzero(fits.max(axis=1) > 2 * slack)
    if not len(odd) or odd[0] < _FIRST or len(odd) > _MOST:
        return parts, ""
    waves = _all_waves(parts, exact)
    squares = np.einsum("ij,ij->i", waves, waves)
    positions = parts.positions.copy()
    for start in range(0, len(odd), _AT_ONCE):
        rows, after = odd[start : start + _AT_ONCE], odd[start + _AT_ONCE :]
        positions[rows] = (squares - 2 * values[np.ix_(rows, columns)] @ waves.T).argmin(axis=1)
        placed = positions[: after[0]] if len(after) else positions
        if (np.diff(placed) <= 0).any():  # usually the first rows decide
            return parts, ""
    told = [f"row {row} is position {int(positions[row])}" for row in odd]
    return parts.rows(slice(None), positions), series(told)


def _all_waves(parts: Parts, exact: FloatArray) -> FloatArray:
    """The waves at all positions that are tried.

    The turns of position `512 a + b` are those of `512 a` times those of `b`: products are faster
    than sines.
    """
    far, near = np.arange(0.0, _FURTHEST, _STEP), np.arange(float(_STEP))
    steps, rest = (np.exp(1j * positions[:, np.newaxis] * exact) for positions in (far, near))
    turned = (steps[:, np.newaxis] * rest).reshape(_FURTHEST, len(exact))
    held = (parts.cosines, turned.real), (parts.sines, turned.imag)
    return np.concatenate([wave for part, wave in held if part is not None], axis=1)
