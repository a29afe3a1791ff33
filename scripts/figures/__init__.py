"""The figures, one module each; a module whose name starts with `_` is shared by several.

A figure module holds CAPTION (Markdown) and ALT (plain text), both with `{{ }}` numbers,
a frozen Data, `data()`, `table(data)` for the CSV and `static(data)` in Matplotlib. If readers can
do more with it than look, it has `interactive(data)` in Plotly. Renderers do no arithmetic.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).parent


def names() -> list[str]:
    """The names of all figures, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("[!_]*.py"))


def path(name: str) -> Path:
    """The file of the figure `name`."""
    return _FOLDER / f"{name}.py"


def load(name: str) -> ModuleType:
    """The module of the figure `name`."""
    return import_module(f"{__name__}.{name}")
