"""Check an implementation against its specification, and name the slip that explains it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from posenc import _arguments
from posenc._formats import FORMATS
from posenc.checking import _inputs
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
    """Whether an implementation computes what a config or an encoding says, and what is wrong.

    `what` is a `Rotary` (also of several coordinates), a `Plan`, one of its groups, a config as a
    dict or a path, a `Convention` or its name in `CONVENTIONS`; `length` is the number of
    positions of the text, where a scaling depends on it. Of these, `function` is one:

    - a rotation `f(q, positions)`: it is called with random float32 features of shape
      `(n, head_dim)` and positions of shape `(n,)`, or `(n, coordinates)`, in no order: those
      given, else 0 to 511. It returns turned features, also with further axes of length 1;
    - features before and after the turn, and their positions, `(q, turned_q, positions)`, where
      positions number one axis of q;
    - a cache: `(cos, sin)`, both in one array, or complex numbers; or inverse frequencies. Row k
      belongs to position k, or to the k-th of `positions`;
    - a module of PyTorch, or a dict: its arrays whose names have "freq", "cos" or "sin";
    - of a `Convention`, a table, or `f(length, d_model)`, which is called with `shape`.

    Arrays are those of NumPy, PyTorch, JAX or MLX. A difference counts if it exceeds what the
    format of the values explains: `posenc.checking` derives it. The format is the narrowest that
    holds all values, or `dtype`; a float64 program that computes angles in float32 is right, and
    the verdict says so. A slip is named only if it reproduces every value; if several do, the
    verdict names all.

    Raises TypeError or ValueError if `function`, `what` or an option is none of these, if a plan
    has several rotations, if `function` raises an error, if shapes do not fit, or if positions are
    so far that roundings would explain most values.

    >>> from posenc import Rotary
    >>> mine = lambda q, positions: Rotary(64, layout="interleaved").rotate(q, positions)
    >>> verdict = check(mine, Rotary(64))
    >>> bool(verdict), verdict.slips
    (False, (('layout',),))
    >>> verdict.lines()[0]
    'wrong: the layout is interleaved instead of halves'
    >>> assert check(Rotary(64).rotate, {"model_type": "llama", "head_dim": 64})
    """
    if dtype is not None:
        _arguments.choice("dtype", dtype, tuple(FORMATS))
    if length is not None:
        length = _arguments.positive("length", length)
    right = _inputs.right_recipe(what, length)
    if isinstance(right, TableRecipe):
        given = _inputs.of_table(function, shape) if callable(function) else None
        return judged(*(given or _inputs.of_array(function)), right, dtype)
    if isinstance(function, tuple) and len(function) == 3:
        return judged(*_inputs.of_features(function, right), right, dtype)
    if isinstance(function, Mapping) or hasattr(function, "named_buffers"):
        found = [
            judged(*_inputs.of_cache(held, right, positions), right, dtype, name)
            for name, held in _inputs.buffers(function).items()
        ]
        return next((verdict for verdict in found if not verdict), found[0])
    if callable(function):
        return judged(*_inputs.of_rotation(function, right, positions), right, dtype)
    return judged(*_inputs.of_cache(function, right, positions), right, dtype)
