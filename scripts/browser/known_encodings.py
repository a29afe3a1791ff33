"""The conventions and mistakes of `posenc` as a module for the pages' scripts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from posenc import CONVENTIONS, GRIDS, Convention
from posenc.grids import Grid
from posenc.identification import _axial_rules, _mistakes, _scaled, _words
from posenc.libraries import FALLING, RELATIVE
from scripts.files import DOCS

PATH = DOCS / "assets" / "identify" / "known.js"
_HEAD = """\
/**
 * The libraries' conventions and the known mistakes. The build writes this file from `posenc`.
 */

"""


def module() -> bytes:
    """The text of docs/assets/identify/known.js."""
    named = {
        "DEFAULT": ("import('./rows.js').Convention", _plain(asdict(Convention()))),
        "CONVENTIONS": (
            "Record<string, Partial<import('./rows.js').Convention>>",
            {name: _differing(kind) for name, kind in CONVENTIONS.items()},
        ),
        "RELATIVE": ("string[]", sorted(RELATIVE)),
        "FALLING": ("string[]", list(FALLING)),
        "GRID": ("import('./grids.js').Grid", _grid(Grid())),
        "GRIDS": (
            "Record<string, Partial<import('./grids.js').Grid>>",
            {name: _differing_grid(grid) for name, grid in GRIDS.items()},
        ),
        "WORDS": ("Record<string, string>", {**_words.MISTAKES, **_words.FINDINGS}),
        "EXPONENTS": (
            "Record<string, import('./rows.js').Exponents>",
            {name: _differing(made) for name, made in _mistakes.EXPONENTS.items()},
        ),
        "MISSING": ("Record<string, number>", _mistakes.MISSING),
        "SWAPPED": ("string", _mistakes.SWAPPED),
        "FROM_ONE": ("string", _mistakes.FROM_ONE),
        "TRANSPOSED": ("string", _mistakes.TRANSPOSED),
        "BASES": ("number[]", _whole(_scaled.BASES)),
        "USUAL": ("number[]", _whole(_axial_rules.USUAL)),
        "FASTEST": ("number[]", _whole(_axial_rules.FASTEST)),
        "IN_ORDER": ("number[][]", _axial_rules.IN_ORDER),
        "IN_TURN": ("number[][]", _axial_rules.IN_TURN),
    }
    return (_HEAD + "\n".join(_constant(name, *held) for name, held in named.items())).encode()


def _differing(kind: Convention | _mistakes.Exponents) -> dict[str, Any]:
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
    if isinstance(value, dict) and name not in ("DEFAULT", "GRID"):
        lines = (f"  {json.dumps(key)}: {json.dumps(held)},\n" for key, held in value.items())
        text = "{\n" + "".join(lines) + "}"
    else:
        text = json.dumps(value)
    return f"/** @type {{{kind}}} */\nexport const {name} = {text};\n"
