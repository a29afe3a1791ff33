"""Where the numbers of a page stand: in its text, its tables, the captions of its figures.

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
from scripts.pages import contents, figure_list


@dataclass(frozen=True)
class Place:
    """One `{{ }}`: its source, the part of the page, and the line of the file."""

    source: str
    part: str  # text, table 1, figure heatmap
    where: str  # docs/waves.md:12


def places(page: contents.Page) -> Iterator[Place]:
    """The places of `page`, from top to bottom."""
    if page.path.suffix == ".ipynb":
        yield from _in_notebook(page.path)
        return
    text = page.path.read_text("utf-8")
    if marks.ALL_FIGURES in text:
        text = text.replace(marks.ALL_FIGURES, figure_list.markdown())
    yield from in_text(text, files.relative(page.path))


def in_text(text: str, where: str) -> Iterator[Place]:
    """The places of `text`, which stands in the file `where`."""
    tables = 0
    for mark in marks.found(text):
        if mark.kind == "figure":
            yield from _in_caption(mark.source)
        elif mark.kind == "table":
            tables += 1
            yield Place(mark.source, f"table {tables}", f"{where}:{mark.line}")
        else:
            yield Place(mark.source, "text", f"{where}:{mark.line}")


def _in_caption(name: str) -> Iterator[Place]:
    if name in figures.names():  # otherwise the page will say so
        where = files.relative(figures.path(name))
        for place in in_text(figures.load(name).CAPTION, where):
            yield Place(place.source, f"figure {name}", where)


def _in_notebook(path: Path) -> Iterator[Place]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    where, count = files.relative(path), 0
    for cell in cells:
        if cell["cell_type"] == "markdown":
            yield from in_text("".join(cell["source"]), where)
        elif caption := cell["metadata"].get("figure", {}).get("caption"):
            count += 1
            for place in in_text(caption, where):
                yield Place(place.source, f"figure {count}", where)
