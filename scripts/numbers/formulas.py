"""The formulas on the pages, as their authors wrote them, and those that a reader approved.

tests/test_formulas.py evaluates the others. A formula in a sentence counts if it states something:
`$d = 512$` does not, because it only gives a letter a value.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from markdown.extensions.toc import slugify

from scripts import files
from scripts.files import ROOT
from scripts.numbers import marks
from scripts.pages import contents

APPROVED = ROOT / "tests" / "data" / "approved_formulas.toml"
_PARTS = re.compile(
    r"\$\$(?P<displayed>.+?)\$\$|(?<!\\)\$(?P<sentence>[^$]+)\$|^#+ (?=(?P<heading>[^\n]+)$)",
    re.DOTALL | re.MULTILINE,
)
_RELATION = re.compile(r"[=<>]|\\(?:le|ge|ll|approx)\b")


@dataclass(frozen=True)
class Formula:
    """A formula, and the heading above it, as `page#anchor`."""

    section: str
    tex: str
    kind: str = "displayed"  # or "sentence"

    @property
    def key(self) -> tuple[str, str, str]:
        """Kind, page and TeX."""
        return self.kind, self.section.partition("#")[0], self.tex

    @property
    def approved(self) -> bool:
        """Whether a reader approved it as it stands."""
        return self.key in approved()


def on_pages() -> list[Formula]:
    """The formulas that the tests evaluate or a reader approved, page by page."""
    found = [one for page in contents.pages() for one in in_text(page.name, _prose(page.path))]
    return [one for one in found if one.kind == "displayed" or states(one.tex)]


def in_text(page: str, text: str) -> Iterator[Formula]:
    """All formulas of a page's Markdown, outside of code."""
    anchor = ""
    for part in _PARTS.finditer(marks.CODE.sub("", text)):
        if part["heading"]:
            anchor = _anchor(part["heading"])
        else:
            kind = "displayed" if part["displayed"] else "sentence"
            yield Formula(f"{page}#{anchor}", " ".join(part[kind].split()), kind)


def states(tex: str) -> bool:
    r"""Whether `tex` has a sign such as = or < between two sides, and more than a letter before it.

    >>> states(r"\cos(-a) = \cos a"), states(r"\sigma = 1"), states("K(3) =")
    (True, False, False)
    """
    first, *others = (side.strip() for side in _RELATION.split(tex))
    letter = re.fullmatch(r"\\?[A-Za-z]+'?", first)
    return bool(others) and bool(others[-1]) and letter is None


@cache
def approved() -> set[tuple[str, str, str]]:
    """Kind, page and TeX of the formulas that a reader approved."""
    listed = tomllib.loads(APPROVED.read_text("utf-8"))
    return {
        (kind, one["page"], " ".join(one["tex"].split()))
        for kind, formulas in listed.items()
        for one in formulas
    }


def _prose(path: Path) -> str:
    text = files.page_text(path)
    if path.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def _anchor(heading: str) -> str:
    given = re.search(r"\{:?\s*#([\w-]+)\s*\}\s*$", heading)
    return given[1] if given else slugify(heading, "-")
