"""The project's files that a Python file imports, directly or through others.

The finder reads import statements, wherever they stand in a file, and runs nothing. Parsing takes
half of the time of a build that has nothing to do, so a build keeps the names for the next one.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from scripts import files

_NOTES = "imports.json"
_FINDER = Path(__file__).read_bytes()
_found: dict[str, list[str]] = {}  # names in import statements, by the hash of finder and file


def keep() -> None:
    """Save the names that were found, for the next build."""
    files.write(files.WORK / _NOTES, json.dumps(_found, sort_keys=True).encode())


def closure(paths: Iterable[Path]) -> set[Path]:
    """The files `paths` and all files of the project that they import."""
    found: set[Path] = set()
    new = set(paths)
    while new:
        found |= new
        new = set().union(*map(imported, new)) - found
    return found


def imported(path: Path) -> frozenset[Path]:
    """The project's files that running `path` loads at once, its packages included."""
    status = path.stat()
    return _imported(path, status.st_mtime_ns, status.st_size, status.st_ino)


def file(module: str) -> Path | None:
    """The file of `module`, as in scripts.files; None if the project does not have it."""
    # A build looks for thousands of names: with paths, it would take three times as long.
    path = f"{files.ROOT}/{module.replace('.', '/')}"
    names = (f"{path}.py", f"{path}/__init__.py")
    return next((Path(name) for name in names if os.path.isfile(name)), None)  # noqa: PTH113


@cache
def _imported(path: Path, *_version: int) -> frozenset[Path]:
    modules = set(_packages(".".join(path.relative_to(files.ROOT).with_suffix("").parts)))
    for name in _imported_names(path):
        modules |= {name, *_packages(name)}
    found = (file(name) for name in modules)
    return frozenset(_same(path) for path in found if path)


@cache
def _same(path: Path) -> Path:
    """One object for all equal paths: sets find it without comparing the parts of paths."""
    return path


def _imported_names(path: Path) -> list[str]:
    source = path.read_bytes()
    content = hashlib.sha256(_FINDER + source).hexdigest()
    if content not in _found:
        kept = _kept(files.WORK).get(content)
        _found[content] = sorted(set(_names(_parsed(path, source)))) if kept is None else kept
    return _found[content]


@cache
def _kept(work: Path) -> dict[str, list[str]]:
    return files.read_notes(work / _NOTES)


def _packages(module: str) -> list[str]:
    """The packages in which `module` is: what stands before each of its dots."""
    return [module[:place] for place, sign in enumerate(module) if sign == "."]


def _parsed(path: Path, source: bytes) -> ast.AST:
    try:
        return ast.parse(source)
    except SyntaxError as error:
        where = f"{files.relative(path)}:{error.lineno}"
        raise files.BuildError(f"{where}: SyntaxError: {error.msg}") from error


def _names(tree: ast.AST) -> Iterator[str]:
    """Every name that an import statement of `tree` might load; its packages load too."""
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements of `tree`, at any depth; `ast.walk` would visit every expression too."""
    for field in ("body", "orelse", "handlers", "finalbody", "cases"):
        for node in getattr(tree, field, ()):
            yield node
            yield from _statements(node)
