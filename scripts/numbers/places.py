"""Where the numbers of a page stand: in its text, its tables, the captions of its figures.

This reads sources, as authors write them, and does not ask what Markdown makes of them; the
tests hold it against the built pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from scripts.files import ROOT, BuildError
from scripts.numbers import expressions, tables
from scripts.numbers.expressions import ExpressionError, Number
from scripts.pages import contents, figure_list, number_list

_CODE = re.compile(r"^( *)(```+).*?^\1\2|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_FOUND = re.compile(
    rf"\{{\{{(?P<source>.+?)\}}\}}|{figure_list.SHOWN.pattern}", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Place:
    """One `{{ }}`: what stands in it, in which part of the page, and where it was written."""

    source: str
    part: str  # text, table 1, figure heatmap
    where: str  # docs/waves.md:12

    def numbers(self) -> list[Number]:
        """The number, or those of the table row by row."""
        try:
            if self.part.startswith("table"):
                return [cell for row in tables.table(self.source).cells for cell in row]
            return [expressions.number(self.source)]
        except ExpressionError as error:
            raise BuildError(f"{self.where}: {error}") from error

    def count(self) -> int:
        """How many numbers there are; they need not be computed for that."""
        return len(self.numbers()) if self.part.startswith("table") else 1


def places(page: contents.Page) -> Iterator[Place]:
    """The places of `page`, from top to bottom."""
    if page.path.suffix == ".ipynb":
        yield from _in_notebook(page.path)
        return
    text = page.path.read_text("utf-8")
    if figure_list.DIRECTIVE in text:
        text = text.replace(figure_list.DIRECTIVE, figure_list.markdown())
    yield from _in_text(text, _shown(page.path))


def _in_text(text: str, where: str) -> Iterator[Place]:
    text = _CODE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), text)
    count = 0
    for found in _FOUND.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["source"] is None:
            yield from _in_caption(found[2])
        elif found["source"].lstrip().startswith("table("):
            count += 1
            yield Place(found["source"].strip(), f"table {count}", f"{where}:{line}")
        elif found[0] != number_list.DIRECTIVE:
            yield Place(found["source"].strip(), "text", f"{where}:{line}")


def _in_caption(name: str) -> Iterator[Place]:
    path = ROOT / "scripts" / "figures" / f"{name}.py"
    if not path.is_file():
        return  # the page will say so
    module = import_module(f"scripts.figures.{name}")
    for place in _in_text(module.CAPTION, _shown(path)):
        yield Place(place.source, f"figure {name}", _shown(path))


def _in_notebook(path: Path) -> Iterator[Place]:
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    figures = 0
    for cell in cells:
        if cell["cell_type"] == "markdown":
            yield from _in_text("".join(cell["source"]), _shown(path))
        elif caption := cell["metadata"].get("figure", {}).get("caption"):
            figures += 1
            for place in _in_text(caption, _shown(path)):
                yield Place(place.source, f"figure {figures}", _shown(path))


def _shown(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()
