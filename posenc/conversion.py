"""Convert tables and weights between conventions: orders of columns and rows, signs, one factor."""

from __future__ import annotations

import math
import operator
from typing import Any, TypeVar, get_args

import numpy as np
import numpy.typing as npt

from posenc import _arguments, _memory
from posenc._columns import NOTHING, IntArray, Layout
from posenc._formats import cast
from posenc.conventions import Convention
from posenc.grids import Grid

Kind = TypeVar("Kind", Convention, Grid)

_EQUAL = 2.0**-50  # frequencies with a smaller relative difference are equal
_PLACES = ("spacing", "normalized", "class_rows", "listed")  # options that place a grid's points


def convert(table: npt.NDArray[Any], source: Kind, target: Kind) -> npt.NDArray[Any]:
    """`table` of shape `(..., d_model)`, made by `source`, as `target` would have made it.

    Both are a `Convention`, or both a `Grid`. Moves columns, flips the sign of sines if the two
    turn in opposite directions, and replaces the amplitude. The floating dtype is kept, so only a
    new amplitude can round values. Both need the same `start`: slice the table to change positions.
    A table that `odd="overflow"` made at an odd width d has d + 1 columns and is taken for one of
    width d + 1: give a `source` with `spread=d` for it.

    Raises ValueError if the two have different frequencies at this width (the message gives
    the largest difference), different positions, if `target` needs a column that `source`
    omits, or if a number would exceed the dtype; TypeError if `table` does not hold real
    numbers or an argument is no convention.

    >>> halves = Convention(layout="halves")
    >>> convert(np.array([[0.8415, 0.01, 0.5403, 1.0]]), halves, Convention())
    array([[0.8415, 0.5403, 0.01  , 1.    ]])
    """
    _check(source, target)
    values = _arguments.reals("table", table)
    if values.ndim == 0 or values.shape[-1] < 2:
        raise ValueError(f"table must have at least 2 columns, got shape {values.shape}")
    _same_positions(source, target)
    d_model = values.shape[-1]
    sign, factor = _sign(source, target, d_model), _factor(source, target, d_model)
    have, want = source.columns(d_model), target.columns(d_model)
    if len(have) != d_model:
        raise ValueError(f"table must be as wide as source makes it: {len(have)}, got {d_model}")
    values = values[..., _places(have, want)]
    dtype = np.asarray(table).dtype
    with np.errstate(over="ignore"):
        values *= np.where(want % 2 == 0, sign * factor, factor)  # sines, cosines
        converted = values if dtype.kind in "iu" else cast(values, dtype)
    if not np.isfinite(converted).all():
        got = f"amplitudes in the ratio {factor:.6g}"
        raise ValueError(f"target must keep table within {converted.dtype.name}, got {got}")
    return converted


def column_order(source: Kind, target: Kind, d_model: int) -> IntArray:
    """Order of columns that turns tables of `source` into tables of `target`, `(d_model,)`.

    `table[:, order]` is what `target` makes, and `weight[:, order]` adapts a layer that reads
    the table. `start` is ignored: it moves rows. At an odd width, which a library may
    round up, the order is as long as a row of `target`.

    Raises ValueError if no order of columns is enough: the frequencies, the amplitudes or the
    directions differ, or `target` needs a column that `source` omits; TypeError if an argument
    is no convention.

    >>> column_order(Convention(layout="halves"), Convention(), 6)
    array([0, 3, 1, 4, 2, 5])
    """
    _check(source, target)
    sign, factor = _sign(source, target, d_model), _factor(source, target, d_model)
    if sign != 1:
        rule = "source and target must turn in the same direction"
        raise ValueError(f"{rule}: one has the other's sines with the opposite sign")
    if factor != 1:
        rule = f"source and target must have the same amplitude at width {d_model}"
        raise ValueError(f"{rule}, got amplitudes in the ratio {factor:.6g}")
    return _places(source.columns(d_model), target.columns(d_model))


def rotary_row_order(
    head_dim: int,
    *,
    heads: int,
    rotary_dim: int | None = None,
    source: Layout = "interleaved",
    target: Layout = "halves",
) -> IntArray:
    """Order of the rows of W_q or W_k between two layouts of rotary pairs, `(heads * head_dim,)`.

    `weight[order]` belongs to `target` where `weight` belonged to `source`; a bias takes the
    same order. Both layouts give the same attention scores if W_q and W_k are reordered. Only
    the first `rotary_dim` features of each head rotate (by default all). With grouped queries,
    pass the number of key heads for W_k.

    Raises TypeError or ValueError if `head_dim` or `heads` is not a positive integer, `head_dim` is
    more than 2**20, `rotary_dim` is not even and at most `head_dim`, or a layout is neither of
    the two, ValueError if the order would not fit into this machine's memory.

    >>> rotary_row_order(6, heads=2, rotary_dim=4)
    array([ 0,  2,  1,  3,  4,  5,  6,  8,  7,  9, 10, 11])
    """
    head_dim = _arguments.integer("head_dim", head_dim, least=1, most=_arguments.WIDEST)
    heads = _arguments.integer("heads", heads, least=1)
    _memory.refuse_array("heads * head_dim", heads * head_dim)
    if rotary_dim is None and head_dim % 2:
        raise ValueError(f"head_dim must be even where rotary_dim is None, got {head_dim}")
    rotated = _arguments.integer(
        "rotary_dim", head_dim if rotary_dim is None else rotary_dim, least=2
    )
    if rotated % 2 or rotated > head_dim:
        raise ValueError(f"rotary_dim must be even and at most {head_dim}, got {rotated}")
    for name, layout in (("source", source), ("target", target)):
        _arguments.choice(name, layout, get_args(Layout))
    here, there = Convention(layout=source), Convention(layout=target)
    within = np.arange(head_dim)
    within[:rotated] = column_order(here, there, rotated)
    return (np.arange(heads)[:, np.newaxis] * head_dim + within).ravel()


def _check(source: object, target: object) -> None:
    for name, kind in (("source", source), ("target", target)):
        if not isinstance(kind, (Convention, Grid)):
            raise TypeError(f"{name} must be a Convention or a Grid, got {_arguments.shown(kind)}")
    if type(source) is not type(target):
        got = f"a {type(source).__name__} and a {type(target).__name__}"
        raise TypeError(f"source and target must both be a Convention or both a Grid, got {got}")


def _axis(kind: Convention | Grid, d_model: int) -> tuple[Convention, int]:
    """The convention of one axis, and the width at which it is used."""
    kind.columns(d_model)  # refuses a width that the kind does not have
    width = operator.index(d_model)
    if isinstance(kind, Convention):
        return kind, width
    return kind.axis, width // 2


def _same_positions(source: Convention | Grid, target: Convention | Grid) -> None:
    (here, _), (there, _) = _axis(source, 4), _axis(target, 4)
    found = [("start", here.start, there.start)]
    if isinstance(source, Grid):
        found += [(name, getattr(source, name), getattr(target, name)) for name in _PLACES]
    for name, one, other in found:
        if one != other:
            got = f"{one} and {other}: slice the table to change positions"
            raise ValueError(f"source and target must have the same {name}, got {got}")


def _factor(source: Convention | Grid, target: Convention | Grid, d_model: int) -> float:
    """Amplitude of `target`, as a multiple of the amplitude of `source`."""
    (here, width), (there, _) = _axis(source, d_model), _axis(target, d_model)
    one, other = here._amplitude_at(width), there._amplitude_at(width)
    if not 0 < other / one < math.inf:
        rule = "source and target must have amplitudes with a ratio within float64"
        raise ValueError(f"{rule}, got {one:.6g} and {other:.6g} at width {width}")
    return other / one


def _sign(source: Convention | Grid, target: Convention | Grid, d_model: int) -> float:
    """+1 if the pairs of `source` and of `target` turn in the same direction, -1 if not."""
    (one, width), (other, _) = _axis(source, d_model), _axis(target, d_model)
    here, there = one.frequencies(width), other.frequencies(width)
    if len(here) != len(there):
        got = f"{len(here)} and {len(there)}"
        rule = f"source and target must have the same number of pairs at width {width}"
        raise ValueError(f"{rule}, got {got}")
    apart = np.abs(np.abs(here) - np.abs(there))
    if (apart > _EQUAL * np.abs(here)).any():
        i = int(apart.argmax())
        got = f"{here[i]:.6g} and {there[i]:.6g} radians per position at pair {i}"
        raise ValueError(
            f"source and target must have the same frequencies at width {width}; "
            f"they differ most by {apart[i]:.3g}, got {got}"
        )
    return 1.0 if np.sign(one.angle_scale) == np.sign(other.angle_scale) else -1.0


def _places(have: IntArray, want: IntArray) -> IntArray:
    """Where each column of `want` stands in `have`."""
    lacking = np.setdiff1d(want, have)
    if lacking.size:
        code = int(lacking[0])
        what = f"the {'cosine' if code % 2 else 'sine'} of pair {code // 2}"
        what = "a column of zeros" if code == NOTHING else what
        raise ValueError(f"source must hold every column of target, got none with {what}")
    order = np.argsort(have)
    return order[np.searchsorted(have, want, sorter=order)]
