"""A stage of the build: it makes some files from others, if those have changed."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from scripts import files
from scripts.build import imports
from scripts.workers import Call

_PINS = "constraints.txt"  # the versions of all libraries


@dataclass(frozen=True)
class Stage:
    """The name of a stage, the files that it reads and writes, and the function that makes them.

    `sources` and `outputs` are patterns of paths in the project. A source in Python, like the
    module of `make`, brings along all modules of the project that it imports.
    """

    name: str  # figure heatmap
    sources: tuple[str, ...]
    outputs: str
    make: Call
    setting: str = ""  # a source that is not a file
    unfinished: str = ""  # why the stage must be made again although nothing changed

    @property
    def kind(self) -> str:
        """The first word of the name."""
        return self.name.split()[0]

    @property
    def folder(self) -> Path:
        """The folder of the outputs."""
        fixed, _, _ = self.outputs.partition("*")
        return files.ROOT / fixed.rpartition("/")[0]

    def written(self) -> list[Path]:
        """The outputs that exist."""
        return files.matching(self.outputs)

    def read(self) -> set[Path]:
        """The sources that exist."""
        found = {path for pattern in (*self.sources, _PINS) for path in files.matching(pattern)}
        module = imports.file(self.make[0])
        assert module, f"{self.name}: there is no module {self.make[0]}"
        return found | imports.closure(p for p in [*found, module] if p.suffix == ".py")

    def sources_hash(self) -> str:
        """A hash of the sources."""
        return files.digest(self.read(), self.setting, *_libraries())

    def outputs_hash(self) -> str:
        """A hash of the outputs."""
        return files.digest(self.written())


@cache
def _libraries() -> tuple[str, ...]:
    """The installed versions of the libraries that pyproject.toml lists for package and site."""
    project = tomllib.loads((files.ROOT / "pyproject.toml").read_text("utf-8"))
    needed = [*project["project"]["dependencies"], *project["dependency-groups"]["site"]]
    names = (re.split(r"[^\w.-]", requirement)[0] for requirement in needed)
    return tuple(f"{name} {version(name)}" for name in names)
