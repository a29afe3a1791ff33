"""The pages of the site, in the order of the navigation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from mkdocs.utils.yaml import get_yaml_loader

from scripts.files import DOCS, ROOT, BuildError


@dataclass(frozen=True)
class Page:
    """A page: its title in the navigation, and its file below docs/."""

    title: str
    name: str

    @property
    def path(self) -> Path:
        """The file."""
        return DOCS / self.name

    @property
    def url(self) -> str:
        """The address below the site's: waves/ for waves.md."""
        stem = self.name.rpartition(".")[0]
        return "" if stem == "index" else f"{stem}/"


@cache
def pages() -> tuple[Page, ...]:
    """The pages of the navigation whose files exist; MkDocs reports the others."""
    settings = ROOT / "mkdocs.yml"
    try:
        nav = yaml.load(settings.read_text("utf-8"), get_yaml_loader())["nav"]
    except yaml.MarkedYAMLError as error:
        place: Any = error.problem_mark  # PyYAML gives each of these errors one
        line = place.line + 1
        raise BuildError(f"mkdocs.yml:{line}: {error.problem}") from error
    return tuple(page for page in _listed(nav) if page.path.is_file())


def anchor(figure: str) -> str:
    """The id of the figure of the module `figure` on its pages."""
    return f"fig-{figure.replace('_', '-')}"


def _listed(nav: Any) -> Iterator[Page]:
    for entry in nav:
        for title, inside in entry.items():
            if isinstance(inside, str):
                yield Page(title, inside)
            else:
                yield from _listed(inside)
