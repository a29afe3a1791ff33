"""The conventions, rules and words of `posenc.identify` as a module for the pages' scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from posenc import CONVENTIONS, GRIDS, Convention
from posenc.grids import Grid
from posenc.identification import _rules, _tables, _words
from posenc.libraries import FALLING, RELATIVE
from scripts.files import DOCS

PATH = DOCS / "assets" / "identify" / "known.js"
_HEAD = """\
/**
 * The conventions, rules and words of `identify`. The build writes this file from `posenc`.
 */

"""


def module() -> bytes:
    """The text of docs/assets/identify/known.js."""
    convention, grid = "import('./rows.js').Convention", "import('./grids.js').Grid"
    named = {
        "DEFAULT": (convention, _plain(asdict(Convention()))),
        "CONVENTIONS": (
            f"Record<string, Partial<{convention}>>",
            {name: _differing(kind) for name, kind in CONVENTIONS.items()},
        ),
        "RELATIVE": ("", sorted(RELATIVE)),
        "FALLING": ("", list(FALLING)),
        "GRID": (grid, _grid(Grid())),
        "GRIDS": (
            f"Record<string, Partial<{grid}>>",
            {name: _differing_grid(kind) for name, kind in GRIDS.items()},
        ),
        "WORDS": ("Record<string, string>", {**_words.MISTAKES, **_words.FINDINGS}),
        "EXPONENTS": (
            "Record<string, import('./rows.js').Exponents>",
            {name: _differing(made) for name, made in _tables.EXPONENTS.items()},
        ),
        "ANY_BASE": ("", list(_tables.OF_ANY_BASE)),
        "MISSING": ("Record<string, number>", _tables.MISSING),
        "SWAPPED": ("", _tables.SWAPPED),
        "FROM_ONE": ("", _tables.FROM_ONE),
        "TRANSPOSED": ("", _tables.TRANSPOSED),
        "BASES": ("", _whole(_rules.BASES)),
        "FACTORS": ("", _whole(_rules.FACTORS)),
        "PARTS": ("", _whole(_rules.PARTS)),
        "ORIGINALS": ("", _whole(_rules.ORIGINALS)),
        "ROUNDINGS": ("import('./rules.js').Rounding[]", list(map(asdict, _rules.ROUNDINGS))),
    }
    return (_HEAD + "".join(_constant(name, *held) for name, held in named.items())).encode()


def _differing(kind: Convention | _tables.Exponents) -> dict[str, Any]:
    """The fields of `kind` that differ from their defaults."""
    held = asdict(kind)
    names = [field.name for field in fields(kind) if held[field.name] != field.default]
    return _plain({name: held[name] for name in names})


def _grid(grid: Grid) -> dict[str, Any]:
    """The fields of `grid`, its axis with the fields that differ from their defaults."""
    return {**asdict(grid), "axis": _differing(grid.axis)}


def _differing_grid(grid: Grid) -> dict[str, Any]:
    """The fields of `grid` that differ from MAE's."""
    usual, held = _grid(Grid()), _grid(grid)
    return {name: value for name, value in held.items() if value != usual[name]}


def _plain(options: dict[str, Any]) -> dict[str, Any]:
    """`options` with integers instead of floats that have no fraction."""
    return dict(zip(options, _whole(options.values()), strict=True))


def _whole(values: Iterable[Any]) -> list[Any]:
    """`values` with integers instead of floats that have no fraction."""
    return [int(one) if isinstance(one, float) and one.is_integer() else one for one in values]


def _constant(name: str, kind: str, value: Any) -> str:
    """The line of a constant, after its type unless the value shows it."""
    told = f"/** @type {{{kind}}} */\n" if kind else ""
    return f"{told}export const {name} = {json.dumps(value)};\n"
