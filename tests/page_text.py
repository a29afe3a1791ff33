"""Functions that read the built pages, and the oracle's values of their expressions."""

from __future__ import annotations

import gzip
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import html5lib

from scripts.files import ROOT
from scripts.numbers import oracle_values
from tests import oracle

SITE = ROOT / "site"
_UNREAD = {"script", "style", "svg", "math", "code", "pre", "data", "a", "th", "nav", "header"}
# tests/test_numbers.py compares the list of all numbers with the pages, and pytest runs the
# examples in the docstrings that the package's page shows.
_CHECKED_ELSEWHERE = {"ledger", "doc-contents"}
_TYPED = re.compile(
    r"(?<![\w.])"  # not within a word such as float64
    r"(?<![Ss]ection )(?<![Ee]quation )(?<![Ff]igure )(?<![Cc]hapter )"
    r"(?!(?:19|20)\d\d(?!\w))"  # a year
    r"\d[\d.,]*"
    r"(?!\w)"
)


def oracle_value(code):
    """The oracle's value of `code`, computed at most once.

    The build keeps values until a file of the oracle changes. tests/test_numbers.py computes
    some of them again.
    """
    kept = _kept()
    if code not in kept:
        kept[code] = oracle_values.compute(code)
    return oracle_values.number(kept[code])


def oracle_text(code: str, spec: str) -> str:
    """The text that a page must show for `code` in the format `spec`."""
    return oracle.formatted(oracle_value(code), spec)


@cache
def _kept() -> dict:
    return oracle_values.known()


class _Pages(Mapping):
    """Parses a page when a test asks for it: html5lib needs three seconds for all."""

    def __getitem__(self, name):
        if name not in names():
            raise KeyError(name)
        return parsed(SITE / name)

    def __iter__(self):
        return iter(names())

    def __len__(self):
        return len(names())


def pages() -> Mapping[str, object]:
    """The parsed built pages, by their path below site/."""
    assert names(), "no site: run `make site`"
    return _Pages()


@cache
def names() -> list[str]:
    """The paths of the built pages below site/.

    Embed pages, which repeat figures, and the index of packages, which pip reads, are left out.
    """
    found = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html"))
    return [name for name in found if not name.startswith(("embed/", "simple/"))]


@cache
def parsed(path: Path):
    """A built page as a browser reads it, tags without their namespaces."""
    root = html5lib.parse(
        path.read_text("utf-8"), treebuilder="lxml", namespaceHTMLElements=False
    ).getroot()
    for element in root.iter():
        if isinstance(element.tag, str):
            element.tag = element.tag.rpartition("}")[2]
    return root


def article(page):
    """The content of the page, without navigation."""
    found = page.xpath("//article")
    return found[0] if found else None


def prose(element) -> str:
    """The text outside code, formulas, links, numbers and tables' headings."""
    parts = [element.text or ""]
    for child in element:
        if isinstance(child.tag, str) and child.tag not in _UNREAD and not _elsewhere(child):
            parts.append(prose(child))
        parts.append(child.tail or "")
    return " ".join(parts)


def _elsewhere(element) -> bool:
    return not _CHECKED_ELSEWHERE.isdisjoint(element.get("class", "").split())


def typed_numbers(text: str) -> list[str]:
    """Numbers that an author typed into `text`, except years and numbers of sections."""
    return _TYPED.findall(text)


def without_markup(template: str) -> str:
    """A caption or alt text without its expressions, maths, code and links."""
    return re.sub(r"\{\{.+?\}\}|\$[^$]+\$|`[^`]+`|\[[^]]*\]\([^)]*\)", " ", template, flags=re.S)


def gzipped(text: str | bytes) -> int:
    """The size as a server sends it."""
    return len(gzip.compress(text.encode() if isinstance(text, str) else text, 9, mtime=0))
