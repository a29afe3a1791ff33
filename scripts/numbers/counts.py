"""Numbers about this site: how many numbers, claims, pages, figures, blocks of code it has.

They read the pages, so the expression language, which figures use too, does not import them.
Whoever evaluates pages calls `offer` first.
"""

from __future__ import annotations

import re
import tomllib
import zipfile

import posenc
from scripts import figures
from scripts.files import ROOT
from scripts.numbers import expressions, marks, tables
from scripts.numbers.places import places
from scripts.pages import contents

_BLOCK = re.compile(r"^( *)```python\n.*?^\1```$", re.DOTALL | re.MULTILINE)


def offer() -> None:
    """Let the pages' expressions call the functions of this module."""
    expressions.offer("counts", FUNCTIONS)


def numbers_on_site() -> int:
    """Numbers on all pages: in the text, in tables, in captions."""
    # The count of numbers is a number on a page: only tables can be evaluated here.
    numbers = [source for source in _sources() if not marks.is_claim(source)]
    return sum(len(tables.numbers(s)) if marks.is_table(s) else 1 for s in numbers)


def claims_on_site() -> int:
    """Claims on all pages: in the text and in captions."""
    return sum(map(marks.is_claim, _sources()))


def pages_on_site() -> int:
    """Pages in the navigation."""
    return len(contents.pages())


def figures_on_site() -> int:
    """Figures that have a module."""
    return len(figures.names())


def code_blocks_on_site() -> int:
    """Blocks of Python on the pages."""
    return sum(len(_BLOCK.findall(page.path.read_text("utf-8"))) for page in contents.pages())


def library_tables() -> int:
    """Arrays that libraries computed, kept to compare with."""
    with zipfile.ZipFile(ROOT / "tests" / "data" / "conventions" / "reference.npz") as arrays:
        return len(arrays.namelist())


def known_conventions() -> int:
    """Names in `posenc.CONVENTIONS`."""
    return len(posenc.CONVENTIONS)


def approved_formulas() -> int:
    """Formulas in paragraphs by themselves that a reader approved as they stand."""
    path = ROOT / "tests" / "data" / "approved_formulas.toml"
    return len(tomllib.loads(path.read_text("utf-8")).get("formula", []))


def evaluated_formulas() -> int:
    """All other formulas in paragraphs by themselves: tests/test_formulas.py evaluates them."""
    signs = sum(page.path.read_text("utf-8").count("$$") for page in contents.pages())
    return signs // 2 - approved_formulas()


def _sources() -> list[str]:
    return [place.source for page in contents.pages() for place in places(page)]


FUNCTIONS = (
    *(approved_formulas, claims_on_site, code_blocks_on_site, evaluated_formulas),
    *(figures_on_site, known_conventions, library_tables, numbers_on_site, pages_on_site),
)
