"""One file for a script and all modules that it imports: they compress better together.

Each module becomes a function that returns what it exports, so that equal names in two modules
stay apart. The published modules remain, for other scripts that import them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from scripts.files import DOCS, BuildError

# Scripts that many modules make, beside the workers.
BUNDLES = {
    DOCS / "assets" / name for name in ("config/view.js", "explorer/start.js", "model/input.js")
}

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"]+)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?function\*?|class|const) (\w+)", re.MULTILINE)
_LEFT = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def bundled(path: Path) -> str:
    """The script at `path` with the modules that it imports, each before those that need it."""
    modules: dict[Path, str] = {}
    body = _module(path.resolve(), modules)
    names = [name for _, name in _EXPORT.findall(path.read_text("utf-8"))]
    exports = f"export {{ {', '.join(names)} }};\n" if names else ""
    return "".join([*modules.values(), body, exports])


def function_body(path: Path, held: Callable[[Path], str]) -> str:
    """The module at `path` as the body of a function that returns what the module exports.

    `held` gives an expression for what another module exports.
    """
    names = ", ".join(name for _, name in _EXPORT.findall(path.read_text("utf-8")))
    return f"{_statements(path, held)}\nreturn {{ {names} }};\n"


def _module(path: Path, modules: dict[Path, str]) -> str:
    """The statements of a module; `modules` gets the code of those that it imports."""
    for _, _, name in _IMPORT.findall(path.read_text("utf-8")):
        needed = (path.parent / name).resolve()
        if needed not in modules:
            _module(needed, modules)
            function = f"(() => {{\n{function_body(needed, _name)}}})()"
            modules[needed] = f"const {_name(needed)} = {function};\n"
    return _statements(path, _name)


def _statements(path: Path, held: Callable[[Path], str]) -> str:
    def taken(found: re.Match[str]) -> str:
        names, whole, module = found.groups()
        name = whole or "{" + names.replace(" as ", ": ") + "}"
        return f"const {name} = {held((path.parent / module).resolve())};"

    code = path.read_text("utf-8")
    code = _EXPORT.sub(r"\1 \2", _IMPORT.sub(taken, code))
    if left := _LEFT.search(code):
        raise BuildError(f"{path}: a bundle does not know {left[0]!r}")
    return code


def _name(path: Path) -> str:
    return f"${path.parent.name}_{path.stem}"
