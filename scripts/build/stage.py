"""A stage of the build: it makes some files from others, if those have changed."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

from scripts import files
from scripts.build import imports
from scripts.files import ROOT
from scripts.workers import Call

State = dict[str, str]  # hashes of the sources and of the outputs


@dataclass(frozen=True)
class Stage:
    """A name, the files that are read, the files that are written, the function that does it.

    `sources` and `outputs` are patterns of paths in the project. With every source in Python,
    and with the module of `make`, all modules that it imports are sources too.
    """

    name: str  # figure heatmap
    sources: tuple[str, ...]
    outputs: str
    make: Call
    setting: str = ""  # a source that is no file
    unfinished: str = ""  # why the stage must be made again although nothing changed

    @property
    def kind(self) -> str:
        """The first word of the name."""
        return self.name.split()[0]

    @property
    def folder(self) -> Path:
        """The folder of the outputs."""
        fixed, _, _ = self.outputs.partition("*")
        return ROOT / fixed.rpartition("/")[0]

    def written(self) -> list[Path]:
        """The outputs that are there."""
        return files.matching(self.outputs)

    def read(self) -> set[Path]:
        """The sources that are there."""
        found = {path for pattern in self.sources for path in files.matching(pattern)}
        module = imports.file(self.make[0])
        assert module, f"{self.name}: there is no module {self.make[0]}"
        return found | imports.closure(p for p in [*found, module] if p.suffix == ".py")

    def state(self) -> State:
        """What the notes say of a stage that is up to date."""
        return {"sources": self.sources_hash(), "outputs": self.outputs_hash()}

    def sources_hash(self) -> str:
        """A hash of all that the stage reads."""
        return files.digest(self.read(), self.setting, *_libraries())

    def outputs_hash(self) -> str:
        """A hash of all that the stage wrote."""
        return files.digest(self.written())


@lru_cache(maxsize=1)
def _libraries() -> tuple[str, ...]:
    """The pinned versions of all libraries, and the installed ones of those for the site."""
    pinned = (ROOT / "constraints.txt").read_text("utf-8")
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    names = (requirement.partition("[")[0] for requirement in groups["site"])
    return pinned, *(f"{name} {version(name)}" for name in names)
