"""Recognise a library's table whose rows or columns are in another order, or thinned out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np

from posenc._columns import IntArray
from posenc._phase import FloatArray
from posenc.conventions import Convention
from posenc.identification import _tables
from posenc.identification._answer import NearMiss
from posenc.identification._rows import Rows
from posenc.identification._words import Finding, finding, series

_SOME = 128  # rows that columns are compared in
_FEW = 48  # rows whose positions are looked for
_PAIRS = 16  # fastest pairs that tell a row's position
_EVEN = 0.02  # largest relative spread of the rows' squared lengths
_FURTHEST = 1 << 15  # positions that are tried


def moved(rows: Rows, slack: float, *, by: Sequence[str] = ("columns", "rows")) -> NearMiss | None:
    """A library whose columns, or else rows, are those of `rows` in another order."""
    if rows.width % 2 or len(rows.places) < 4:
        return None
    squares = np.einsum("ij,ij->i", rows.values, rows.values)
    if np.ptp(squares) > _EVEN * squares.mean():  # all rows of a table are equally long
        return None
    amplitude = float(np.sqrt(2 * squares.mean() / rows.width))
    if not amplitude:  # the squares of values below 1e-162 are 0
        return None
    unit = Rows(rows.places, rows.values / amplitude)
    for look in by:
        for kind, names in _tables.libraries(odd=False).items():
            found = _LOOKS[look](unit, kind, 2 * slack)
            if found is not None:
                error, odd_rows, odd_columns, words = found
                return NearMiss(
                    convention=replace(kind, amplitude=amplitude),
                    error=error,
                    typical=error,
                    libraries=names,
                    rows=odd_rows,
                    columns=odd_columns,
                    findings=(words,),
                )
    return None


_Found = tuple[float, tuple[int, ...], tuple[int, ...], Finding]


def _columns(rows: Rows, kind: Convention, slack: float) -> _Found | None:
    """Columns in another order; those of the library's table must all be there once."""
    some = rows.sample(_SOME)
    unit = some.made_by(kind)
    order = _closest(some.values.T, unit.T)
    if len(set(order.tolist())) < rows.width:
        return None
    error = float(np.abs(some.values - unit[:, order]).max())
    if error > slack:
        return None
    odd = np.flatnonzero(order != np.arange(rows.width)).tolist()
    words = [f"column {column} is its {order[column]}" for column in odd]
    return error, (), tuple(odd), finding("columns-moved", list=series(words))


def _positions(rows: Rows, kind: Convention, slack: float) -> _Found | None:
    """Rows in another order, or with equal steps between them."""
    few = np.unique(np.linspace(0, len(rows.places) - 1, _FEW).astype(np.intp))
    where = _decoded(rows.values[few], kind, rows.width)
    made = kind.encode(where, rows.width)
    apart = np.abs(made - rows.values[few]).max(axis=1)
    close = apart <= slack
    if close.mean() < 0.9:
        return None
    error = float(apart[close].max())
    first, step = where[0], (where[1] - where[0]) / (few[1] - few[0])
    if step > 1 and (where == first + step * few).all():
        words = finding("every-nth-row", step=_ordinal(int(step)), first=int(first - kind.start))
        return error, (), (), words
    every = _decoded(rows.values, kind, rows.width) - kind.start
    later = every - rows.places
    if 0 < later.min() == later.max():
        return error, (), (), finding("from-row", row=int(every[0]))
    odd = np.flatnonzero(later).tolist()
    texts = [f"row {int(rows.places[row])} is its {int(every[row])}" for row in odd]
    places = tuple(int(rows.places[row]) for row in odd)
    return error, places, (), finding("rows-moved", list=series(texts))


_LOOKS = {"columns": _columns, "rows": _positions}


def _decoded(values: FloatArray, kind: Convention, width: int) -> FloatArray:
    """For each row the position whose fastest pairs are closest."""
    turns = kind.frequencies(width)[:_PAIRS]
    codes = kind.columns(width)
    place = np.argsort(codes)
    columns = place[: 2 * len(turns)]
    waves = _waves(kind.start, tuple(turns.tolist()))
    found = _closest(values[:, columns], waves)
    return found.astype(np.float64) + kind.start


@lru_cache(maxsize=8)
def _waves(start: float, turns: tuple[float, ...]) -> FloatArray:
    """Sine and cosine of every position that is tried at each of `turns`."""
    angles = (start + np.arange(_FURTHEST))[:, np.newaxis] * np.array(turns)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(_FURTHEST, -1)


def _closest(ones: FloatArray, others: FloatArray) -> IntArray:
    """For each row of `ones` the row of `others` with the least distance."""
    squares = np.einsum("ij,ij->i", others, others)
    found = [
        (squares - 2 * part @ others.T).argmin(axis=1)
        for part in np.array_split(ones, max(1, len(ones) // 64))
    ]
    return np.concatenate(found)


def _ordinal(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return f"{number}th"
    return f"{number}" + {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
