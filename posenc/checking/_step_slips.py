"""Slips on the way to a table: positions that are moved or lost, and numbers that are rounded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from posenc._phase import FloatArray
from posenc.checking.recipes import STEPS, Move, Recipe, TableRecipe

AnyRecipe = Recipe | TableRecipe
Change = Iterator[tuple[str, AnyRecipe]]
LOW = ("bfloat16", "float16")
_NAMES = {
    "position": "positions are",
    "frequency": "frequencies are",
    "angle": "angles are",
    "table": "the table of cosines and sines is",
}


def with_move(right: AnyRecipe, move: Move) -> AnyRecipe:
    """`right` with positions that are changed first."""
    return replace(right, steps=replace(right.steps, moves=(*right.steps.moves, move)))


def start(right: AnyRecipe) -> Change:
    yield "positions start at 1 instead of 0", with_move(right, shift(1))
    yield "positions are one too small", with_move(right, shift(-1))
    yield "positions are two too large", with_move(right, shift(2))


def padded(right: AnyRecipe, rows: int) -> Change:
    """Padding on the left, where this many first rows are equal: positions begin after it."""
    for count, place in ((rows, 1), (rows - 1, 0)):  # programs fill either in
        if count:
            words = f"padding, {count:,} times position {place}, stands before position 0"
            yield words, with_move(right, partial(_after, count, place))


def _after(count: int, place: int, points: FloatArray) -> FloatArray:
    return np.where(points < count, place, points - count)


def counted(right: AnyRecipe) -> Change:
    if isinstance(right, Recipe):
        words = "positions are ignored: rows are counted 0, 1, 2, ..."
        yield words, with_move(right, _counted)
        if right.rotary.attention != 1:  # with a factor of 1, nothing turns
            yield "positions are ignored: every row has position 0", with_move(right, _zero)


def past_the_end(right: AnyRecipe) -> Change:
    """Positions that a table of fewer rows does not have."""
    for rows in (128, 256, 512, 1024, 2048, 4096, 8192):
        yield from ended(right, rows)


def ended(right: AnyRecipe, rows: int) -> Change:
    """What becomes of positions from `rows` on in a table of that many rows."""
    yield (
        f"from position {rows:,} on, all have position {rows - 1:,}",
        with_move(right, lambda points: np.minimum(points, rows - 1)),
    )
    yield (
        f"from position {rows:,} on, positions begin at 0 again",
        with_move(right, lambda points: points % rows),
    )


def rounding(step: str) -> Callable[[AnyRecipe], Change]:
    """Numbers of one step, rounded to half precision."""

    def changes(right: AnyRecipe) -> Change:
        for name in LOW:
            formats = tuple(name if one == step else None for one in STEPS)
            yield f"{_NAMES[step]} rounded to {name}", _rounded(right, formats)

    return changes


def roundings(right: AnyRecipe) -> Change:
    """Every step that the angle needs, in half precision."""
    for name in LOW:
        words = f"positions, frequencies and angles are all rounded to {name}"
        yield words, _rounded(right, (name, name, name, None))


def shift(offset: float) -> Move:
    """A move of all positions by `offset`."""
    return lambda points: points + offset


def _counted(points: FloatArray) -> FloatArray:
    return np.arange(float(len(points)))[:, np.newaxis] + 0 * points


def _zero(points: FloatArray) -> FloatArray:
    return 0 * points


def _rounded(right: AnyRecipe, formats: tuple[str | None, ...]) -> AnyRecipe:
    position, frequency, angle, table = formats
    steps = replace(right.steps, formats=(position, frequency, angle, table))
    return replace(right, steps=steps)
