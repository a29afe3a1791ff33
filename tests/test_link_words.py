"""The sentence of a link to a section shares a word with the heading that it leads to.

A link to a wrong section that exists passes every other test of links. Where no word is shared, a
reader approved words and section in tests/data/approved_links.toml. Of links that lead to a random
section of the site, these tests find 93 in 100.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest
from markdown.extensions.toc import slugify

from scripts.files import DOCS, ROOT

APPROVED = ROOT / "tests" / "data" / "approved_links.toml"
PAGES = [path for path in sorted(DOCS.glob("*.md")) if path.name != "sources.md"]  # its own test
CODE = re.compile(r"^( *)(```+).*?^\1\2", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([\w./-]*)#([\w-]+)\)")
HEADING = re.compile(r"^#+ (.+?)(?: *\{:? *#([\w-]+) *\})?$", re.MULTILINE)
TITLE = re.compile(r"^# (.+?)(?: *\{.*)?$", re.MULTILINE)
ENTRY = re.compile(r"^(\*\*.+?\*\*) \{: #([\w-]+) \}$", re.MULTILINE)
_COMMON = """
    above also and are below for from has here how its not one than that the then there this what
    when where which why with"""
COMMON = {*re.findall(r"\w+", _COMMON)}


def stems(text):
    """The words of `text` that say something, without their endings."""
    found = set(re.findall(r"[^\W_]{3,}", text.lower())) - COMMON
    return {re.sub(r"(?<=..)(ies|ing|es|ed|ly|s|e|y)$", "", word) for word in found}


@cache
def headings(name):
    """The heading at each anchor of a page, and its anchor."""
    text = CODE.sub("", (DOCS / name).read_text("utf-8"))
    found = {own or slugify(words, "-"): words for words, own in HEADING.findall(text)}
    return found | {anchor: words for words, anchor in ENTRY.findall(text)}


def sentences(path):
    """The sentences and items of lists of a page, without code."""
    for part in re.split(
        r"\n\s*\n|^[-|] ?", CODE.sub("", path.read_text("utf-8")), flags=re.MULTILINE
    ):
        yield from re.split(r"(?<=[.:?!;])\s+", part)


def links(path):
    """Each link to a section: its words, its sentence, and the page and the anchor it leads to."""
    for sentence in sentences(path):
        for words, page, anchor in LINK.findall(sentence):
            target = page or path.name
            if target.endswith(".md") and anchor in headings(target):
                yield " ".join(words.split()), LINK.sub(r"\1", sentence), target, anchor


def approved():
    return tomllib.loads(APPROVED.read_text("utf-8"))


def says_where(words, sentence, page, anchor):
    """Whether the sentence names the section, or the words name its page."""
    title = TITLE.search((DOCS / page).read_text("utf-8"))[1]
    section = stems(f"{headings(page)[anchor]} {anchor.replace('-', ' ')}")
    return bool(stems(sentence) & section or stems(words) & stems(title))


def unnamed(path):
    """The links that a reader has to approve, as the list writes them."""
    found = {f"{link[0]} -> {link[2]}#{link[3]}" for link in links(path) if not says_where(*link)}
    return sorted(found)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_link_to_a_section_says_where_it_leads_or_is_approved(path):
    assert set(unnamed(path)) <= set(approved().get(path.name, []))


def test_every_approved_link_stands_on_its_page():
    assert sum(len(list(links(path))) for path in PAGES) > 200
    for name, listed in approved().items():
        assert unnamed(DOCS / name) == listed, name
