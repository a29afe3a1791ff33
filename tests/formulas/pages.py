"""The formulas on the pages, as their authors wrote them, and those that a reader approved."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown.extensions.toc import slugify

TESTS = Path(__file__).parents[1]
DOCS = TESTS.parent / "docs"
APPROVED = TESTS / "data" / "approved_formulas.toml"
_CODE = re.compile(r"^( *)(```+).*?^\1\2|`[^`\n]+`", re.DOTALL | re.MULTILINE)
_PARTS = re.compile(r"\$\$(?P<tex>.+?)\$\$|^#+ (?P<heading>[^\n]+)$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Formula:
    """A formula, and the heading above it, as `page#anchor`."""

    section: str
    tex: str

    @property
    def page(self) -> str:
        """The file of its page, without folders."""
        return self.section.partition("#")[0]


def displayed() -> list[Formula]:
    """Every formula that stands in a paragraph by itself, page by page."""
    return [formula for page, text in _texts() for formula in in_text(page, text)]


def in_text(page: str, text: str) -> Iterator[Formula]:
    """The displayed formulas of a page's Markdown, outside of code."""
    anchor = ""
    for part in _PARTS.finditer(_CODE.sub("", text)):
        if part["heading"]:
            anchor = _anchor(part["heading"])
        else:
            yield Formula(f"{page}#{anchor}", " ".join(part["tex"].split()))


def approved() -> list[dict[str, str]]:
    """The formulas that a reader approved instead: page, TeX and reason."""
    return tomllib.loads(APPROVED.read_text("utf-8")).get("formula", [])


def keys(formulas: list[dict[str, str]]) -> set[tuple[str, str]]:
    """Page and TeX of each."""
    return {(one["page"], " ".join(one["tex"].split())) for one in formulas}


def _texts() -> Iterator[tuple[str, str]]:
    for path in sorted(DOCS.glob("*.md")):
        yield path.name, path.read_text("utf-8")
    for path in sorted(DOCS.rglob("*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        prose = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"]
        yield path.name, "\n\n".join(prose)


def _anchor(heading: str) -> str:
    given = re.search(r"\{\s*#([\w-]+)\s*\}\s*$", heading)
    return given[1] if given else slugify(heading, "-")
