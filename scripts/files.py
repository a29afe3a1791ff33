"""Paths, hashes, and files that change in one step and only if their content changes."""

from __future__ import annotations

import fnmatch
import hashlib
import json
import os
import shutil
import tempfile
import time
from bisect import bisect_left
from collections.abc import Iterable
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".build"  # the build's notes and its unfinished files
TEMPLATES = WORK / "templates"  # of the theme, compiled
DOCS, SITE = ROOT / "docs", ROOT / "site"
FIGURES, VENDOR = DOCS / "figures", DOCS / "assets" / "vendor"
NOTEBOOKS, MADE_NOTEBOOKS = DOCS / "notebooks", WORK / "notebooks"
NUMBERS, DIST = DOCS / "numbers.csv", DOCS / "dist"


class BuildError(Exception):
    """The error that stops the build, in one line."""


class PageError(Exception):
    """A page that cannot be built, with the faulty text and its line, 1 if that is not known."""

    def __init__(self, message: str, text: str, line: int = 1) -> None:
        super().__init__(message)
        self.text = text
        self.line = line


def write(path: Path, content: bytes) -> bool:
    """Put `content` into `path` in one step; False if the file already has it."""
    if path.is_file() and path.read_bytes() == content:
        return False
    WORK.mkdir(exist_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=WORK, prefix="write-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:  # its message names no file, or the temporary one
        Path(name).unlink(missing_ok=True)
        raise OSError(error.errno, error.strerror, str(path)) from error
    return True


def content(name: str) -> bytes:
    """The content of the file `name`, a path in the project."""
    return (ROOT / name).read_bytes()


def digest(paths: Iterable[Path], *also: str) -> str:
    """A hash over the names and the contents of `paths`, and the texts `also`."""
    total = hashlib.sha256("\0".join(also).encode())
    root = f"{ROOT}{os.sep}"
    for path in sorted(paths, key=str):  # strings compare and shorten faster than paths
        status = path.stat()
        version = (status.st_mtime_ns, status.st_size, status.st_ino)
        name = str(path).removeprefix(root)
        total.update(f"\0{name}\0{_hash(str(path), *version)}".encode())
    return total.hexdigest()


def relative(path: Path) -> str:
    """`path` as messages name it: docs/waves.md."""
    return path.relative_to(ROOT).as_posix()


def located(path: Path, text: str) -> str:
    """The file `path` with the number of the first line that contains `text`: docs/waves.md:12."""
    lines = page_text(path).splitlines()
    # A notebook escapes quotes, and perhaps all letters beyond ASCII.
    spellings = (text, *(json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (False, True)))
    found = (n for words in spellings for n, line in enumerate(lines, 1) if words in line)
    number = next(found, 1)
    return f"{relative(path)}:{number}"


def page_text(path: Path) -> str:
    """The text of a page, which is UTF-8. Some editors write a byte order mark before Markdown."""
    try:
        return path.read_text("utf-8" if path.suffix == ".ipynb" else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        message = f"the byte 0x{error.object[error.start]:02x} is not UTF-8"
        raise BuildError(f"{relative(path)}:{line}: {message}") from error


def below(folder: Path) -> list[Path]:
    """The files below `folder`, without caches."""
    return _without_caches(folder.rglob("*"))


def matching(pattern: str) -> list[Path]:
    """The files of the project whose paths match `pattern`, without caches."""
    folder, _, name = pattern.rpartition("/")
    start = name.partition("*")[0]
    if "*" in folder or "**" in name or not start:
        return _without_caches(ROOT.glob(pattern))
    names = _names(ROOT / folder)
    names = names[bisect_left(names, start) : bisect_left(names, f"{start}\U0010ffff")]
    return [path for one in fnmatch.filter(names, name) if (path := ROOT / folder / one).is_file()]


def read_notes(path: Path) -> dict[str, Any]:
    """The object in the JSON file `path`; an empty one if the file is missing or damaged."""
    try:
        notes = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def swap(new: Path, old: Path) -> None:
    """Replace the folder `old` by `new`; `restore` repairs a kill between the moves."""
    _keep_times(new, old)
    aside = _aside(old)
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        old.rename(aside)
    new.rename(old)
    if aside.exists():  # renamed first: `restore` must not find half of it
        shutil.rmtree(aside.rename(WORK / "staging-discarded"), ignore_errors=True)


def restore(folder: Path) -> None:
    """Bring back `folder` if an earlier `swap` was killed between its moves."""
    if not folder.exists() and _aside(folder).exists():
        _aside(folder).rename(folder)


def clear_leftovers() -> None:
    """Delete the files that a killed build left in WORK; `restore` comes first."""
    for path in [*WORK.glob("write-*"), *TEMPLATES.glob("*.tmp")]:
        path.unlink(missing_ok=True)
    for path in [*WORK.glob("staging-*"), *WORK.glob("*-before")]:
        shutil.rmtree(path, ignore_errors=True)


def _without_caches(paths: Iterable[Path]) -> list[Path]:
    kept = (path for path in paths if "__pycache__" not in path.parts and path.is_file())
    return sorted(kept, key=attrgetter("parts"))


def _names(folder: Path) -> list[str]:
    """The sorted names in `folder`, cached because hundreds of stages look for their files there.

    The cache is valid until the folder's time changes. A time of the last 0.1 s is not trusted: it
    may be too coarse to show the next change.
    """
    try:
        changed = folder.stat().st_mtime_ns
    except FileNotFoundError:
        return []
    listed = _listed if time.time_ns() - changed > 10**8 else _listed.__wrapped__
    return listed(str(folder), changed)


@cache
def _listed(folder: str, _changed: int) -> list[str]:
    return sorted(path.name for path in Path(folder).iterdir())


@cache
def _hash(name: str, *_version: int) -> str:
    """A hash of the content of the file; a build reads a source of several stages only once."""
    return hashlib.sha256(Path(name).read_bytes()).hexdigest()


def _aside(folder: Path) -> Path:
    return WORK / f"{folder.name}-before"


def _keep_times(new: Path, old: Path) -> None:
    """Give unchanged files their old times, so that copies of the site can skip them."""
    for path in below(new):
        twin = old / path.relative_to(new)
        if twin.is_file() and twin.read_bytes() == path.read_bytes():
            times = twin.stat()
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
