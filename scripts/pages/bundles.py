"""One file for a worker and all modules that it imports: they compress better together.

Each module becomes a function that returns what it exports, so that equal names in two modules
stay apart. The published modules remain, for other scripts that import them.
"""

from __future__ import annotations

import re
from pathlib import Path

from scripts.files import BuildError

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundled(path: Path) -> str:
    """The script at `path` with the modules that it imports, each before those that need it."""
    modules: dict[Path, str] = {}
    body = _module(path.resolve(), modules)
    return "".join([*modules.values(), body])


def _module(path: Path, modules: dict[Path, str]) -> str:
    """The body of a module; `modules` gets the code of those that it imports."""
    code = path.read_text("utf-8")
    for _, _, name in _IMPORT.findall(code):
        needed = (path.parent / name).resolve()
        if needed not in modules:
            body = _module(needed, modules)
            exported = ", ".join(name for _, name in _EXPORT.findall(needed.read_text("utf-8")))
            function = f"(() => {{\n{body}\nreturn {{ {exported} }};\n}})()"
            modules[needed] = f"const {_name(needed)} = {function};\n"
    body = _EXPORT.sub(r"\1 \2", _IMPORT.sub(lambda found: _taken(path, found), code))
    if left := _LEFT.search(body):
        raise BuildError(f"{path}: a worker's bundle does not know {left[0]!r}")
    return body


def _taken(path: Path, found: re.Match[str]) -> str:
    """An import as a constant of what the module's function returned."""
    names, whole, module = found.groups()
    held = _name((path.parent / module).resolve())
    return f"const {whole or '{' + names.replace(' as ', ': ') + '}'} = {held};"


def _name(path: Path) -> str:
    return f"${path.parent.name}_{path.stem}"
