"""Where the numbers and claims of a page stand: in its text, its tables, its figures' captions.

The claims of alt texts are places too. Their numbers are not: readers see no `<data>` for them.

This reads sources as authors write them, and not the HTML that Markdown makes of them; the
tests compare the two.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts import figures, files
from scripts.numbers import marks
from scripts.pages import contents


@dataclass(frozen=True)
class Place:
    """One `{{ }}`: its source, the part of the page, and the line of the file."""

    source: str
    part: str  # text, table 1, figure heatmap, figure heatmap's alt text
    where: str  # docs/waves.md:12


def places(page: contents.Page) -> Iterator[Place]:
    """The places of `page`, from top to bottom."""
    if page.path.suffix == ".ipynb":
        yield from _in_notebook(page.path)
        return
    yield from in_text(files.page_text(page.path), files.relative(page.path))


def in_text(text: str, where: str) -> Iterator[Place]:
    """The places of `text`, which stands in the file `where`."""
    tables = 0
    for mark in marks.found(text):
        if mark.kind == "figure":
            yield from _in_figure(mark.source)
        elif mark.kind == "table":
            tables += 1
            yield Place(mark.source, f"table {tables}", f"{where}:{mark.line}")
        else:
            yield Place(mark.source, "text", f"{where}:{mark.line}")


def _in_figure(name: str) -> Iterator[Place]:
    if figures.path(name).is_file():  # otherwise the page will say so
        module = figures.load(name)
        yield from _in_words(module.CAPTION, module.ALT, name, figures.path(name))


def _in_words(caption: str, alt: str, name: str, path: Path) -> Iterator[Place]:
    """The places of a figure's caption, and the claims of its alt text."""
    where = files.relative(path)
    for place in in_text(caption, where):
        yield Place(place.source, f"figure {name}", where)
    for place in in_text(alt, where):
        if marks.is_claim(place.source):
            yield Place(place.source, f"figure {name}'s alt text", where)


def _in_notebook(path: Path) -> Iterator[Place]:
    cells: list[dict[str, Any]] = json.loads(files.page_text(path))["cells"]
    where, count = files.relative(path), 0
    for cell in cells:
        if cell["cell_type"] == "markdown":
            yield from in_text("".join(cell["source"]), where)
        elif words := cell["metadata"].get("figure"):
            count += 1
            yield from _in_words(words["caption"], words["alt"], str(count), path)
