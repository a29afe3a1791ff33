"""What made a result: a hash of the code that trains, and the versions of its libraries."""

from __future__ import annotations

import ast
import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

_TRAINING = ("runs", "tasks", "encodings", "weights", "model", "training")
_DESCRIBED = (ast.Module, ast.ClassDef, ast.FunctionDef)


@cache
def code_hash() -> str:
    """A hash of the modules of this folder that train, without comments and docstrings."""
    total = hashlib.sha256()
    for name in _TRAINING:
        source = Path(__file__).with_name(f"{name}.py").read_text("utf-8")
        total.update(f"\0{name}\0{said(ast.parse(source))}".encode())
    return total.hexdigest()[:20]


def versions() -> dict[str, str]:
    """The versions of Python and of the libraries that train."""
    libraries = {name: version(name) for name in ("torch", "numpy")}
    return {"python": platform.python_version(), **libraries}


def said(node: object) -> str:
    """The code of a syntax tree in one line, equal under all versions of Python.

    Docstrings and empty fields are left out; newer versions of Python add empty fields.
    """
    if isinstance(node, list):
        return "[" + ",".join(map(said, node)) + "]"
    if not isinstance(node, ast.AST):
        return repr(node)
    fields = dict(ast.iter_fields(node))
    if isinstance(node, _DESCRIBED) and ast.get_docstring(node) is not None:
        fields["body"] = fields["body"][1:]
    kept = [f"{name}={said(value)}" for name, value in fields.items() if value not in (None, [])]
    return f"{type(node).__name__}({','.join(kept)})"
