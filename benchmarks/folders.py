"""The files of a folder, and the differences between two folders."""

from __future__ import annotations

from pathlib import Path

from scripts import files

Files = dict[str, bytes]


def contents(folder: Path) -> Files:
    """The bytes of each file below `folder`, by its path there."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files.below(folder)}


def differing(one: Files, other: Files) -> list[str]:
    """The files that only one has, or that have other bytes."""
    return sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name))
