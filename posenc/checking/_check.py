"""Check an implementation against its specification, and name the slip that explains it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from posenc import _arguments
from posenc._formats import FORMATS
from posenc.checking import _inputs
from posenc.checking._caches import cached
from posenc.checking._judge import judged
from posenc.checking._verdict import Verdict
from posenc.checking.recipes import TableRecipe


def check(
    function: Any,
    what: Any,
    *,
    positions: npt.ArrayLike | None = None,
    length: float | None = None,
    shape: tuple[int, int] = (512, 64),
    dtype: str | None = None,
) -> Verdict:
    """Whether another program computes what an encoding says, and which slip explains it if not.

    `what` is a `Rotary` or `AxialRotary`, a `Plan` or one of its groups, a config as a dict or a
    path, a `Convention` or its name; `length` is that of the text. `function` is one of these:

    - a rotation `f(q, positions)`, called with q of shape `(n, head_dim)` and `positions`, by
      default 0 to 511 in no order; several coordinates have shape `(n, coordinates)`;
    - `(q, turned_q, positions)`, where positions number one axis of q;
    - a cache: `(cos, sin)`, both in one array, or complex, with a row for each of `positions`
      (some of very many rows are compared); vLLM's cache for LongRoPE with its two parts; inverse
      frequencies; or a dict or a PyTorch module with such arrays;
    - a table of a `Convention`, or `f(length, d_model)`, called with `shape`. A row of zeros in
      the place of a position is padding.

    A value may differ by as much as roundings in its format explain: the narrowest format that
    holds all values, or `dtype`. Half precision is no allowance for inverse frequencies: they are
    held to float32. A slip has to reproduce every value; equal ones are all named.

    Raises TypeError or ValueError if an argument is none of these, if a plan has several rotations,
    if `function` fails, if shapes do not fit, if roundings at so far positions explain most
    values, or if no feature turns by more than a rounding.

    >>> from posenc import Rotary
    >>> check(Rotary(64, layout="interleaved").rotate, Rotary(64)).words
    ('the layout is interleaved instead of halves',)
    >>> bool(check(Rotary(64).rotate, {"model_type": "llama", "head_dim": 64}))
    True
    """
    if dtype is not None:
        _arguments.choice("dtype", dtype, tuple(FORMATS))
    if length is not None:
        length = _arguments.positive("length", length)
    right = _inputs.right_recipe(what, length)
    turn = isinstance(function, tuple) and len(function) == 3
    if positions is not None and (turn or isinstance(right, TableRecipe)):
        rule = (
            "beside (q, turned_q, positions)"
            if turn
            else "for a table: its rows count on from its start"
        )
        raise ValueError(f"positions must be None {rule}, got {_arguments.shown(positions)}")
    if length is None:
        _inputs.warn_without_length(right, function[2] if turn else positions)
    if isinstance(right, TableRecipe):
        given = _inputs.of_table(function, shape) if callable(function) else None
        return judged(*(given or _inputs.of_array(function)), right, dtype)
    if turn:
        return judged(*_inputs.of_features(function, right), right, dtype)
    if isinstance(function, Mapping) or hasattr(function, "named_buffers"):
        found = [
            cached(held, right, positions, dtype, name)
            for name, held in _inputs.buffers(function).items()
        ]
        return next((verdict for verdict in found if not verdict), found[0])
    if callable(function):
        return judged(*_inputs.of_rotation(function, right, positions), right, dtype)
    return cached(function, right, positions, dtype)
