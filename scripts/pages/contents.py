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


def settings() -> dict[str, Any]:
    """The settings in mkdocs.yml."""
    try:
        given: dict[str, Any] = yaml.load(
            (ROOT / "mkdocs.yml").read_text("utf-8"), get_yaml_loader()
        )
    except yaml.MarkedYAMLError as error:
        place: Any = error.problem_mark  # PyYAML gives each of these errors one
        line = place.line + 1
        raise BuildError(f"mkdocs.yml:{line}: {error.problem}") from error
    return given


@cache
def pages() -> tuple[Page, ...]:
    """The pages of the navigation whose files exist; MkDocs reports the others."""
    return tuple(page for _, listed in doors() for page in listed)


def doors() -> list[tuple[str, list[Page]]]:
    """The pages below each heading of the navigation; a page without one is its own heading."""
    found = [(next(iter(entry)), list(_listed([entry]))) for entry in settings()["nav"]]
    return [(door, [page for page in listed if page.path.is_file()]) for door, listed in found]


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
