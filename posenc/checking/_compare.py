"""Compare the arrays of a file with a config, a convention, or the arrays of another file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from posenc import _arguments
from posenc._formats import FORMATS
from posenc._output import named
from posenc.checking._check import check
from posenc.checking._inputs import buffers, read, right_recipe
from posenc.checking._tolerances import TURN, narrowest
from posenc.checking._verdict import Verdict
from posenc.conventions import Convention
from posenc.identification import RotaryCache, identify
from posenc.libraries import CONVENTIONS
from posenc.plans import Plan
from posenc.reading import _files
from posenc.rotary._rotary import Rotary

_TURN = ("q", "turned", "positions")


def verdicts(
    mine: Path, reference: str, *, group: str | None = None, length: float | None = None
) -> Iterator[Verdict]:
    """A verdict on each array of a file, or on its cosines and sines together.

    `reference` is a config, a name in `CONVENTIONS`, or a file of arrays. A file with the arrays
    q, turned and positions is checked as a turn. Raises ValueError if nothing can be compared.
    """
    held = _arrays(mine)
    what = _specification(reference, group, length)
    if what is not None:
        if missing := [name for name in _TURN if name not in held and _TURN[1] in held]:
            raise ValueError(f"{mine}: a turn must have {', '.join(_TURN)}, got no {missing[0]}")
        for name, values in _units(held, isinstance(what, Convention)):
            with _named(mine, name):
                verdict = check(values, what, length=length)
            yield replace(verdict, name=name)
        return
    other = dict(_units(_arrays(Path(reference)), plain=False))
    own = dict(_units(held, plain=False))
    shared = [(name, name) for name in own if name in other]
    if not shared and len(own) == len(other) == 1:
        shared = [(next(iter(own)), next(iter(other)))]
    if not shared:
        got = f"{_arguments.shown(list(own))} and {_arguments.shown(list(other))}"
        raise ValueError(f"both files must have an array of the same name, got {got}")
    for name, theirs in shared:
        with _named(mine, name):
            verdict = _beside(own[name], other[theirs])
        yield replace(verdict, name=name)


def _arrays(path: Path) -> dict[str, Any]:
    """The arrays of a file; an error names the file."""
    try:
        held = dict(_files.tables(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    if not held:
        raise ValueError(f"{path}: must hold an array of numbers, got none")
    return held


@contextmanager
def _named(path: Path, name: str) -> Iterator[None]:
    """Name the file and its array, which is no function, in errors of `check`."""
    try:
        yield
    except (TypeError, ValueError) as error:
        message = str(error).replace("function", name or "its array", 1)
        raise ValueError(f"{path}: {message}") from error


def _specification(reference: str, group: str | None, length: float | None) -> Any:
    """What a reference says, None if it holds arrays."""
    path = Path(reference)
    is_config = path.is_dir() or path.suffix.lower() in (".json", ".gguf")
    for option, value in (("--group", group), ("--length", length)):
        if value is not None and not is_config:
            rule = "must be left out where the reference is no config"
            raise ValueError(f"{option} {rule}, got {value!r}")
    if not path.suffix and not path.exists():
        try:
            return CONVENTIONS[reference]
        except KeyError as error:
            raise ValueError(f"{path}: there is no such file, and {error.args[0]}") from error
    if not is_config:
        return None
    try:
        plan = Plan.from_file(path)
        if group is None:
            right_recipe(plan, length)
            return plan
    except (TypeError, ValueError) as error:
        message = named(path, error).replace("plan.groups[0]", "--group NAME")
        raise ValueError(message) from error
    return _arguments.one_of("--group", group, {one.name: one for one in plan})


def _units(held: dict[str, Any], plain: bool) -> Iterator[tuple[str, Any]]:
    """The arrays to check, by name: those of a turn, cosines with their sines, or each one."""
    if set(_TURN) <= held.keys():
        yield "", tuple(held[name] for name in _TURN)
    elif plain or len(held) == 1:
        yield from held.items()
    else:
        try:
            yield from buffers(held).items()
        except ValueError:
            yield from held.items()


def _beside(mine: Any, theirs: Any) -> Verdict:
    """The verdict on arrays beside those of a reference, whose encoding is named if it is known."""
    what = None if isinstance(theirs, tuple) and len(theirs) == 3 else _known(theirs)
    if what is not None and check(theirs, what):
        return check(mine, what)
    ours, expected = (
        [read(one) for one in (held if isinstance(held, tuple) else (held,))]
        for held in (mine, theirs)
    )
    shapes = [[array.shape for array, _ in arrays] for arrays in (ours, expected)]
    if shapes[0] != shapes[1]:
        rule = f"function must have the shapes of the reference, {shapes[1]}"
        raise ValueError(f"{rule}, got {shapes[0]}")
    one, other = (np.concatenate([array.ravel() for array, _ in held]) for held in (ours, expected))
    if not one.size:
        raise ValueError(f"function must hold numbers, got shape {shapes[0][0]}")
    least = "float32" if len(shapes[0][0]) == 1 else "bfloat16"  # frequencies need their digits
    forms = [narrowest(values.view(np.float64), "float64") for values in (one, other)]
    form = min(forms, key=lambda name: FORMATS[name].bits)
    form = max(form, least, key=lambda name: FORMATS[name].bits)
    unit = TURN * 2.0 ** -FORMATS[form].bits
    allowed = np.concatenate(
        [
            np.full(array.size, 0.0 if "int" in held and "int" in dtype else unit * _largest(array))
            for (_, held), (array, dtype) in zip(ours, expected, strict=True)
        ]
    )
    apart = np.nan_to_num(np.abs(one - other), nan=np.inf)
    worst = int(np.argmax(apart - allowed))
    error, bound = float(apart[worst]), float(allowed[worst])
    facts = (f"at value {worst} of {len(one)}", "what made the reference is not known")
    return Verdict(right=error <= bound, error=error, allowed=bound, format=form, facts=facts)


def _largest(array: npt.NDArray[Any]) -> float:
    """The size of the largest number, 0 if there is none that is finite."""
    return float(np.abs(array[np.isfinite(array)]).max(initial=0))


def _known(held: Any) -> Rotary | Convention | None:
    """The encoding of a table or a cache, if it begins at the first position."""
    given = dict(zip(("cos", "sin"), held, strict=True)) if isinstance(held, tuple) else held
    try:
        match = identify(given).match
    except (TypeError, ValueError):
        return None
    made = None if match is None or match.positions is not None else match.convention
    if isinstance(made, RotaryCache):
        return made.rotary if made.start == 0 and made.amplitude == 1 else None
    return made if isinstance(made, Rotary | Convention) else None
