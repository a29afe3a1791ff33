"""Read what readers give: a specification, and a function, tables, buffers or turned features."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._phase import FloatArray
from posenc.checking._samples import Cache, Sample, Tabled, Turned, Vector
from posenc.checking.recipes import Recipe, TableRecipe
from posenc.conventions import Convention
from posenc.libraries import CONVENTIONS
from posenc.plans import Group, Plan
from posenc.reading._names import kinds
from posenc.reading._shapes import without_ones
from posenc.rotary._axial import AxialRotary
from posenc.rotary._checks import warn_beyond
from posenc.rotary._foreign import numpy_array
from posenc.rotary._rotary import Rotary

Right = Recipe | TableRecipe
_ON_CIRCLE = 0.1  # of the median length: cosines and sines, but not two columns of cosines


def right_recipe(what: Any, length: float | None) -> Right:
    """The right recipe of a specification; errors are those of `check`."""
    if isinstance(what, str) and what in CONVENTIONS:
        what = CONVENTIONS[what]
    if isinstance(what, Convention):
        return TableRecipe.of(what)
    if isinstance(what, Rotary | AxialRotary):
        return Recipe.of(what, length=length)
    if isinstance(what, Group):
        return Recipe.of(what.rotary, length=length, base=what.base)
    is_config = isinstance(what, str | os.PathLike | Mapping) or hasattr(what, "to_dict")
    if is_config and not isinstance(what, Plan):
        try:
            what = Plan.from_dict(what)
        except (TypeError, ValueError, OSError) as error:
            rule = "what must be a name in CONVENTIONS, or a config that posenc reads"
            raise ValueError(f"{rule}: {_said(error)}") from error
    if not isinstance(what, Plan):
        rule = "what must be a Rotary, a Plan, a config, a Convention or its name"
        raise TypeError(f"{rule}, got {_arguments.shown(what)}")
    turning = [group for group in what if group.turns]
    if not turning:
        raise ValueError(f"what must have layers that turn, got {what.model}")
    if len({repr(group.rotary) + repr(group.rotary.frequencies()) for group in turning}) > 1:
        names = ", ".join(group.name for group in turning)
        rule = "what must have one rotation, or be one group of the plan: plan.groups[0]"
        raise ValueError(f"{rule}, got the groups {names}")
    return right_recipe(turning[0], length)


def read(
    values: Any, name: str = "function", *, real: bool = False
) -> tuple[npt.NDArray[Any], str]:
    """`values` of any library as float64, complex128 unless `real`, and the name of their dtype.

    NaN and infinity are kept. A tensor of PyTorch may require a gradient or be on a device.
    """
    if type(values).__module__.partition(".")[0] == "torch" and hasattr(values, "detach"):
        values = values.detach().cpu()
    array = numpy_array(name, values)[0]
    dtype = str(getattr(values, "dtype", array.dtype)).rpartition(".")[2]
    if array.dtype.kind not in ("iuf" if real else "iufc") and array.dtype.name != "bfloat16":
        got = f"{_arguments.shown(values)} of dtype {array.dtype}"
        raise TypeError(f"{name} must give {'real ' if real else ''}numbers, got {got}")
    kept = array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
    return kept, dtype


def coordinates(right: Recipe) -> int:
    """How many coordinates a position of this encoding has."""
    return max(right.rotary.axes) + 1


def points(right: Recipe, positions: Any, count: int) -> FloatArray:
    """Positions as `(n, coordinates)`; without any, `count` of them in no order."""
    width = coordinates(right)
    if positions is None:
        random = np.random.default_rng(0)
        return np.stack([random.permutation(count).astype(float) for _ in range(width)], axis=-1)
    given = _arguments.reals("positions", read(positions, "positions")[0])
    if width == 1 and given.ndim == 2 and given.shape[1] > 1:  # (batch, n), as libraries have it
        if (given != given[:1]).any():
            raise ValueError("positions must be those of one text: give positions[0], got several")
        given = given[0]
    given = given[:, np.newaxis] if given.ndim == 1 and width == 1 else given
    if given.ndim != 2 or given.shape[1] != width or not len(given):
        rule = "(n,)" if width == 1 else f"(n, {width})"
        raise ValueError(f"positions must have shape {rule}, got shape {np.shape(positions)}")
    return given


def warn_without_length(right: Right, positions: Any) -> None:
    """Warn where frequencies depend on the length of the text, and positions lie beyond it."""
    scaling = getattr(right.source, "scaling", None)
    if positions is not None and scaling is not None:
        warn_beyond(_arguments.reals("positions", read(positions, "positions")[0]), scaling)


def of_rotation(function: Callable[..., Any], right: Recipe, positions: Any) -> tuple[Sample, str]:
    """What a rotation gives for random features."""
    places = points(right, positions, 512)
    head = right.rotary.head_dim
    x = np.random.default_rng(1).standard_normal((len(places), head)).astype(np.float32)
    x = (x.view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)  # numbers of bfloat16
    given = places if places.shape[1] > 1 else places[:, 0]
    if np.array_equal(given, np.rint(given)) and np.abs(given).max() <= 2**53:
        given = given.astype(np.int64)
    answer = _called(function, (x.copy(), given.copy()), f"q {x.shape} and positions {given.shape}")
    values, dtype = read(answer, real=True)
    if values.size != x.size or values.shape[-1:] != x.shape[-1:]:
        raise ValueError(f"function must return the shape of q, {x.shape}, got {values.shape}")
    return Turned(values.reshape(x.shape), x.astype(np.float64), places), dtype


def of_table(function: Callable[..., Any], shape: tuple[int, int]) -> tuple[Sample, str]:
    """What a function fills a table with."""
    sizes = [
        _arguments.integer("shape", one, least=1) for one in _arguments.entries("shape", shape)
    ]
    if len(sizes) != 2:
        raise ValueError(f"shape must be (length, d_model), got {_arguments.shown(shape)}")
    length, width = sizes
    answer = _called(function, (length, width), f"length {length} and width {width}")
    return of_array(answer)


def of_array(table: Any) -> tuple[Sample, str]:
    """A table that is there already."""
    values, dtype = read(table, real=True)
    values = without_ones(values)
    if values.ndim != 2 or not values.size:
        raise ValueError(f"function must give a table (length, d_model), got shape {values.shape}")
    filled = np.flatnonzero(values.any(axis=1))
    rows = filled if len(filled) == len(values) - 1 else np.arange(len(values))  # one for padding
    return Tabled(values[rows], rows[:, np.newaxis].astype(np.float64)), dtype


def of_features(given: tuple[Any, ...], right: Recipe) -> tuple[Sample, str]:
    """Queries or keys before and after the turn, and their positions."""
    x = _arguments.reals("q", read(given[0], "q")[0])
    values, dtype = read(given[1], "turned q", real=True)
    head = right.rotary.head_dim
    places = points(right, given[2], 0)
    if x.shape != values.shape or x.shape[-1:] != (head,) or x.ndim < 2:
        rule = f"q and turned q must have one shape (..., n, {head})"
        raise ValueError(f"{rule}, got {x.shape} and {values.shape}")
    fitting = [axis for axis, n in enumerate(x.shape[:-1]) if n == len(places)]
    if len(fitting) != 1 and x.shape[-2] != len(places):
        rule = f"positions must number one axis of q {x.shape}"
        raise ValueError(f"{rule}, got {len(places)} positions")
    axis = x.ndim - 2 if x.shape[-2] == len(places) else fitting[0]
    flat = [np.moveaxis(one, axis, 0).reshape(len(places), -1, head) for one in (values, x)]
    rows = flat[0].shape[1]
    turned, before = (one.reshape(-1, head) for one in flat)
    return Turned(turned, before, np.repeat(places, rows, axis=0)), dtype


def of_cache(
    held: Any, right: Recipe, positions: Any, what: str = "function"
) -> tuple[Sample, str]:
    """Frequencies, phasors, or cosines and sines in one array or two."""
    if isinstance(held, tuple) and len(held) != 2:
        rule = f"{what} must be (cos, sin), or (q, turned_q, positions), if it is a tuple"
        raise ValueError(f"{rule}, got {len(held)} parts")
    pair = isinstance(held, tuple)
    parts = [read(one, what, real=pair) for one in (held if pair else (held,))]
    arrays, dtype = [without_ones(array) for array, _ in parts], parts[0][1]
    if not all(array.size for array in arrays):
        raise ValueError(f"{what} must hold numbers, got shape {parts[0][0].shape}")
    if len(arrays) == 1 and arrays[0].ndim == 1:
        return Vector(read(held, what, real=True)[0][np.newaxis]), dtype
    if len(arrays) == 1 and np.iscomplexobj(arrays[0]):
        arrays = [arrays[0].real, arrays[0].imag]
    elif len(arrays) == 1 and arrays[0].ndim == 3 and 2 in (arrays[0].shape[0], arrays[0].shape[2]):
        arrays = list(arrays[0] if arrays[0].shape[0] == 2 else np.moveaxis(arrays[0], 2, 0))
    if len({array.shape for array in arrays}) > 1 or any(array.ndim != 2 for array in arrays):
        got = " and ".join(str(array.shape) for array in arrays)
        raise ValueError(f"{what} must give cosines and sines of one shape (n, width), got {got}")
    values = np.concatenate(arrays, axis=1)
    if len(arrays) == 1 and not _is_on_circle(values):
        if 1 in values.shape:  # frequencies, ready to be multiplied
            return Vector(values.reshape(1, -1)), dtype
        rule = f"{what} must give cosines and sines together, as (cos, sin) or named so"
        raise ValueError(f"{rule}, got one array of shape {values.shape}")
    places = points(right, np.arange(len(values)) if positions is None else positions, 0)
    if len(places) != len(values):
        raise ValueError(f"positions must number {len(values)} rows, got {len(places)}")
    return Cache(values, places), {"complex64": "float32", "complex128": "float64"}.get(
        dtype, dtype
    )


def buffers(held: Any) -> dict[str, Any]:
    """Arrays to check, by name: frequencies, phasors, and cosines with their sines."""
    given = dict(held.named_buffers()) if hasattr(held, "named_buffers") else dict(held)
    named = {str(name): array for name, array in given.items()}
    found, names = {}, list(named)
    for one in names:
        for other in names:
            if kinds(one, other) == ("cos", "sin"):
                found[f"{one}, {other}"] = (named[one], named[other])
    for name in names:
        alone = not any(name in key.split(", ") for key in found)
        shape = np.shape(named[name])
        if (
            alone
            and shape
            and (any(part in name.lower() for part in ("freq", "cos", "sin")) or len(names) == 1)
        ):
            found[name] = named[name]
    if not found:
        rule = "function must hold frequencies, or cosines and sines, under such names"
        raise ValueError(f"{rule}, got {_arguments.shown(names)}")
    return found


def _called(function: Callable[..., Any], arguments: tuple[Any, ...], given: str) -> Any:
    try:
        return function(*arguments)
    except Exception as error:
        rule = f"function must take {given}"
        raise ValueError(f"{rule}, got {type(error).__name__}: {_said(error)}") from error


def _said(error: Exception) -> str:
    """The message of an error in one short line."""
    return textwrap.shorten(str(error), 200, placeholder=" ...")


def _is_on_circle(values: FloatArray) -> bool:
    if values.shape[1] % 2:
        return False
    lengths = np.hypot(*np.split(values, 2, axis=1))
    lengths = lengths[np.isfinite(lengths)]  # the verdict says where one is no number
    usual = float(np.median(lengths)) if lengths.size else 0.0
    near = np.abs(lengths - usual) <= _ON_CIRCLE * usual
    return usual > 0 and bool(np.mean(near) > 0.9)
