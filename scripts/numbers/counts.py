"""Counts of this site: its numbers, claims, pages, figures and blocks of code.

They read the pages, so the expression language, which figures use too, does not import them.
Call `offer` before you evaluate pages.
"""

from __future__ import annotations

import re
import tomllib
import zipfile

import posenc
from scripts import figures, files
from scripts.files import ROOT
from scripts.numbers import expressions, formulas, marks, tables
from scripts.numbers.places import places
from scripts.pages import contents

_BLOCK = re.compile(r"^( *)```python\n.*?^\1```$", re.DOTALL | re.MULTILINE)


def offer() -> None:
    """Let the pages' expressions call the functions of this module."""
    expressions.offer("counts", FUNCTIONS)


def numbers_on_site() -> int:
    """Numbers on all pages: in the text, in tables, in captions."""
    # The count is itself a number on a page, so only tables are evaluated here.
    numbers = [source for source in _sources() if not marks.is_claim(source)]
    return sum(len(tables.numbers(s)) if marks.is_table(s) else 1 for s in numbers)


def numbers_without_proof() -> int:
    """Numbers of directions: the oracle has no bound of the error of its singular values."""
    numbers = [source for source in _sources() if "directions(" in source]
    return sum("directions(" in number.code for s in numbers for number in tables.numbers(s))


def claims_on_site(kind: str = "") -> int:
    """Claims on all pages, in text, captions and alt texts; if given, only those of a kind."""
    return sum(marks.is_claim(source) and source.startswith(kind) for source in _sources())


def pages_on_site() -> int:
    """Pages in the navigation, and the parts of the list of numbers."""
    return len(contents.pages()) + len(files.matching("docs/numbers/*.md"))


def figures_on_site() -> int:
    """Figures that have a module."""
    return len(figures.names())


def code_blocks_on_site() -> int:
    """Blocks of Python on the pages."""
    return sum(len(_BLOCK.findall(files.page_text(page.path))) for page in contents.pages())


def library_tables() -> int:
    """Arrays that libraries computed, kept to compare with."""
    with zipfile.ZipFile(ROOT / "tests" / "data" / "conventions" / "reference.npz") as arrays:
        return len(arrays.namelist())


def known_conventions() -> int:
    """Names in `posenc.CONVENTIONS`."""
    return len(posenc.CONVENTIONS)


def approved_formulas() -> int:
    """Displayed formulas that a reader approved."""
    return sum(one.approved for one in formulas.on_pages() if one.kind == "displayed")


def approved_statements() -> int:
    """Equations and inequalities within sentences that a reader approved."""
    return sum(one.approved for one in formulas.on_pages() if one.kind == "sentence")


def evaluated_formulas() -> int:
    """Displayed formulas that the tests evaluate."""
    return sum(not one.approved for one in formulas.on_pages() if one.kind == "displayed")


def evaluated_statements() -> int:
    """Equations and inequalities within sentences that the tests evaluate."""
    return sum(not one.approved for one in formulas.on_pages() if one.kind == "sentence")


def planted_errors() -> int:
    """Errors that `make planted` plants, and those that no check can see."""
    return len(_planted())


def caught_errors() -> int:
    """Errors that a check catches."""
    return sum("check" in error for error in _planted())


def _planted() -> list[dict[str, str]]:
    lists = (ROOT / "tests" / "data" / "planted").glob("*.toml")
    return [error for path in lists for error in tomllib.loads(path.read_text("utf-8"))["error"]]


def _sources() -> list[str]:
    return [place.source for page in contents.pages() for place in places(page)]


FUNCTIONS = (
    *(approved_formulas, approved_statements, caught_errors, claims_on_site),
    *(code_blocks_on_site, evaluated_formulas, evaluated_statements, figures_on_site),
    *(known_conventions, library_tables, numbers_on_site, numbers_without_proof),
    *(pages_on_site, planted_errors),
)
