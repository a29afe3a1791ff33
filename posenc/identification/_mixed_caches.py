"""Recognise the rotary caches of a text with images in it: Qwen2-VL, Qwen3-VL."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

import numpy as np

from posenc._phase import FloatArray
from posenc.identification._answer import Match
from posenc.identification._axial_rules import IN_ORDER, IN_TURN, Rule, sections
from posenc.identification._cache import Form
from posenc.identification._readings import readings
from posenc.identification._rows import as_good
from posenc.identification._simplest import layout_of, simplest
from posenc.identification._speeds import Encoding
from posenc.identification._turning import Parts
from posenc.identification._words import finding
from posenc.rotary.axes import AxialRotary

_FURTHEST = 8192  # positions that are tried where a row jumps
_JUMPS = 64  # rows that may jump
_SNAPPED = 2e-3  # largest relative error of `size`
_TEXTS = (16, 8, 4)  # first rows, which are text and show base and scaling


def matches(values: FloatArray, slack: float) -> list[Match]:
    """Recognise in `values`, `(n, width)` or `(2, n, width)`, a cache that begins with a text."""
    for reading in readings(values, slack):
        _, form, parts = reading
        size = parts.size()
        kind = _of_text(parts, size, slack)
        if kind is None:
            continue
        found = []
        for rule in _rules(kind, form):
            points = _walk(parts, rule.rotary, size, slack)
            if points is not None and np.ptp(points, axis=1).any():  # an image
                found.append(rule.match(values, reading, points, (finding("mixed"),)))
        for match in found:  # models with as many pairs deal slow ones out in different ways
            if match.error <= slack and all(as_good(match.error, one.error) for one in found):
                return [match]
    return []


def _of_text(parts: Parts, size: float, slack: float) -> Encoding | None:
    """The encoding of the first rows, if they are positions 0, 1, 2, ... of a text."""
    at_0 = parts.waves(np.zeros((1, parts.pairs)))
    if not size > 0 or np.abs(parts.values()[0] / size - at_0).max() > slack + _SNAPPED:
        return None
    for count in _TEXTS:
        head = parts.rows(slice(0, count), parts.positions[:count])
        kind, error = simplest(head, *head.frequencies(size), size)
        if kind is not None and error <= slack:
            return kind
    return None


def _rules(kind: Encoding, form: Form) -> Iterator[Rule]:
    pairs = kind.head_dim // 2
    for parts in (*IN_ORDER, *IN_TURN):
        counts = [part * pairs // sum(parts) for part in parts]
        if sum(counts) == pairs:
            yield sections(kind, counts, layout_of(form), in_turn=parts in IN_TURN)


def _walk(parts: Parts, rotary: AxialRotary, size: float, slack: float) -> FloatArray | None:
    """Time, height and width of each row, None if a row follows none of the ways to go on.

    A coordinate stays, grows by one or returns to its value at the start of the image; or all
    three continue after the largest value so far. Where all three are equal, an image may begin; if
    they are also the largest so far, a video may, and its later frames return to that row.
    At most 64 rows may jump to any position.
    """
    exact, own = rotary.frequencies(), np.array(rotary.axes)
    points, jumps = np.zeros((len(parts.positions), 3)), 0
    held = parts.values() / size
    begun: list[float] = []
    far = np.arange(float(_FURTHEST))

    def waves(tries: FloatArray, axis: int) -> FloatArray:
        return parts.waves(tries[:, np.newaxis] * exact[own == axis])

    waves_far = cache(partial(waves, far))

    def misses(row: int, made: FloatArray, axis: int) -> FloatArray:
        mine = own == axis
        apart = np.abs(made - held[row, np.tile(mine, made.shape[1] // mine.sum())])
        worst: FloatArray = apart.max(axis=1)
        return worst

    for row in range(1, len(points)):
        last, after = points[row - 1], float(points[:row].max()) + 1
        if (last == last[0]).all():
            begun = [*begun[-1:], float(last[0])]
        if last.min() + 1 == after:
            start = last.min()
        for axis in range(3):
            tries = np.array([after, last[axis] + 1, last[axis], *begun, start])
            miss = misses(row, waves(tries, axis), axis)
            if miss.min() > slack and jumps < _JUMPS:
                jumps, tries = jumps + 1, far
                miss = misses(row, waves_far(axis), axis)
            if miss.min() > slack:
                return None
            points[row, axis] = tries[miss.argmin()]
    return points
