"""Find the positions of a rotary cache whose first rows are 0, 1, 2, ... and whose others jump."""

from __future__ import annotations

import numpy as np

from posenc.identification._simplest import simplest
from posenc.identification._turning import Parts

_FIRST = 8  # rows that must be consecutive
_MOST = 256  # rows that may jump
_FURTHEST = 1 << 17  # positions that are tried
_PAIRS = 12  # fastest pairs, which tell a position


def found_places(parts: Parts, amplitude: float, slack: float) -> tuple[Parts, str]:
    """`parts` at the positions of their rows, and in words which rows jump; "" if none do."""
    count = len(parts.positions)
    if count <= _FIRST:
        return parts, ""
    head = parts.rows(slice(0, _FIRST), parts.positions[:_FIRST])
    turns, weight = head.frequencies(amplitude)
    kind, _ = simplest(head, turns, weight, amplitude)
    if kind is None:
        return parts, ""
    fast = np.argsort(-turns, kind="stable")[:_PAIRS]
    exact = np.where(turns[fast] > 0, kind.speeds()[fast], 0.0)
    values = parts.values() / amplitude
    columns = np.concatenate([fast, fast + parts.pairs])[
        : values.shape[1] // parts.pairs * len(fast)
    ]
    fits = np.abs(parts.waves(parts.positions[:, np.newaxis] * exact) - values[:, columns])
    odd = np.flatnonzero(fits.max(axis=1) > 2 * slack)
    if not len(odd) or odd[0] < _FIRST or len(odd) > _MOST:
        return parts, ""
    waves = parts.waves(np.arange(float(_FURTHEST))[:, np.newaxis] * exact)
    squares = np.einsum("ij,ij->i", waves, waves)
    found = (squares - 2 * values[np.ix_(odd, columns)] @ waves.T).argmin(axis=1)
    positions = parts.positions.copy()
    positions[odd] = found
    if (np.diff(positions) <= 0).any():
        return parts, ""
    return parts.rows(slice(None), positions), _words(odd, found)


def _words(rows: np.ndarray, positions: np.ndarray) -> str:
    told = [f"row {row} is position {place}" for row, place in zip(rows, positions, strict=True)]
    left = len(told) - 3
    return ", ".join(told[:3]) + (f" and {left} more" if left > 0 else "")
