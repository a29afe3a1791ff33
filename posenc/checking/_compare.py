"""Compare the arrays of a file with a config, a convention, or the arrays of another file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from posenc import _arguments
from posenc._formats import FORMATS
from posenc.checking._check import check
from posenc.checking._inputs import buffers, read
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
    what = _specification(reference, group)
    if what is not None:
        if missing := [name for name in _TURN if name not in held and _TURN[1] in held]:
            raise ValueError(f"{mine}: a turn must have {', '.join(_TURN)}, got no {missing[0]}")
        for name, values in _units(held, isinstance(what, Convention)):
            yield replace(check(values, what, length=length), name=name)
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
        yield replace(_beside(own[name], other[theirs]), name=name)


def _arrays(path: Path) -> dict[str, Any]:
    """The arrays of a file; an error names the file."""
    try:
        return dict(_files.tables(path))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _specification(reference: str, group: str | None) -> Any:
    """What a reference says, None if it holds arrays."""
    path = Path(reference)
    if not path.suffix and not path.exists():
        try:
            return CONVENTIONS[reference]
        except KeyError as error:
            raise ValueError(f"{path}: there is no such file, and {error.args[0]}") from error
    if not path.is_dir() and path.suffix.lower() not in (".json", ".gguf"):
        return None
    plan = Plan.from_file(path)
    if group is None:
        return plan
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
        [read(one)[0] for one in (held if isinstance(held, tuple) else (held,))]
        for held in (mine, theirs)
    )
    shapes = [[array.shape for array in arrays] for arrays in (ours, expected)]
    if shapes[0] != shapes[1]:
        raise ValueError(f"both files must have the same shapes, got {shapes[0]} and {shapes[1]}")
    one, other = (np.concatenate([array.ravel() for array in held]) for held in (ours, expected))
    least = "float32" if ours[0].ndim == 1 else "bfloat16"  # frequencies need their digits
    form = min((narrowest(v, "float64") for v in (one, other)), key=lambda name: FORMATS[name].bits)
    form = max(form, least, key=lambda name: FORMATS[name].bits)
    allowed = TURN * 2.0 ** -FORMATS[form].bits * float(np.abs(other).max(initial=0))
    apart = np.abs(one - other)
    worst = int(np.argmax(np.nan_to_num(apart, nan=np.inf)))
    error = float(apart[worst]) if np.isfinite(apart[worst]) else np.inf
    facts = (f"at value {worst} of {len(one)}", "what made the reference is not known")
    return Verdict(right=error <= allowed, error=error, allowed=allowed, format=form, facts=facts)


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
