"""Files that are written whole or not at all, and only when they change."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".build"  # the build's own notes and half-made things
DOCS, SITE = ROOT / "docs", ROOT / "site"
FIGURES, VENDOR = DOCS / "figures", DOCS / "assets" / "vendor"
NUMBERS = DOCS / "numbers.csv"


class BuildError(Exception):
    """What stops the build, in one line."""


def write(path: Path, content: bytes) -> bool:
    """Put `content` into `path` in one step; False if it was there already."""
    if path.is_file() and path.read_bytes() == content:
        return False
    WORK.mkdir(exist_ok=True)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=WORK, prefix="write-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(name).chmod(0o644)
    Path(name).replace(path)
    return True


def digest(paths: Iterable[Path], *also: str) -> str:
    """A hash over the names and the contents of `paths`, and the texts `also`."""
    total = hashlib.sha256("\0".join(also).encode())
    for path in sorted(paths):
        total.update(f"\0{path.relative_to(ROOT).as_posix()}\0".encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def below(folder: Path, pattern: str = "*") -> list[Path]:
    """The files below `folder`, without caches."""
    return [
        path
        for path in sorted(folder.rglob(pattern))
        if path.is_file() and "__pycache__" not in path.parts
    ]


def replace_folder(folder: Path, content: dict[str, bytes]) -> None:
    """Let `folder` hold the files of `content`, by their names, and no others."""
    for name, data in content.items():
        write(folder / name, data)
    for extra in folder.glob("*"):
        if extra.name not in content:
            extra.unlink()


def swap(new: Path, old: Path) -> None:
    """Let the folder `new` take the place of `old`; `restore` mends a kill between the moves."""
    _keep_times(new, old)
    aside = _aside(old)
    shutil.rmtree(aside, ignore_errors=True)
    if old.exists():
        old.rename(aside)
    new.rename(old)
    if aside.exists():  # renamed first: `restore` must not find half of it
        shutil.rmtree(aside.rename(WORK / "staging-discarded"), ignore_errors=True)


def restore(folder: Path) -> None:
    """Bring back `folder` if an earlier `swap` was killed between its two moves."""
    if not folder.exists() and _aside(folder).exists():
        _aside(folder).rename(folder)


def clear_leftovers() -> None:
    """Remove what a killed build left in its work folder, once `restore` has been there."""
    for path in WORK.glob("write-*"):
        path.unlink(missing_ok=True)
    for path in [*WORK.glob("staging-*"), *WORK.glob("*-before")]:
        shutil.rmtree(path, ignore_errors=True)


def _aside(folder: Path) -> Path:
    return WORK / f"{folder.name}-before"


def _keep_times(new: Path, old: Path) -> None:
    """Files that did not change keep their time, so that copies of the site can skip them."""
    for path in below(new):
        twin = old / path.relative_to(new)
        if twin.is_file() and twin.read_bytes() == path.read_bytes():
            times = twin.stat()
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
