"""What sentences of the pages name: the section of a link, a version, the parts of a source.

A link to a wrong section that exists passes every other test of links. Where the sentence of a
link shares no word with the heading that it leads to, a reader approved words and section in
tests/data/approved_links.toml. Of links that lead to a random section of the site, these tests
find 93 in 100.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache

import pytest
from markdown.extensions.toc import slugify

from scripts.files import DOCS, ROOT
from tests import page_text

CODE = re.compile(r"^( *)(```+).*?^\1\2", re.DOTALL | re.MULTILINE)
APPROVED = ROOT / "tests" / "data" / "approved_links.toml"
PAGES = [path for path in sorted(DOCS.glob("*.md")) if path.name != "sources.md"]  # its own test
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


# Versions of libraries at which somebody read or ran what a sentence says


CHECKED = tomllib.loads((ROOT / "tests" / "data" / "versions.toml").read_text("utf-8"))["checked"]
WITH_VERSIONS = sorted(path.stem for path in DOCS.glob("*.md"))
NAMES = "|".join(sorted(map(re.escape, CHECKED), key=len, reverse=True))
MENTION = re.compile(rf"`({NAMES}) (\d+\.\d+[.\d]*)`")  # rows of what was run have two cells


def mentions(page):
    """Each sentence that names a version: library, version, and its line."""
    text = CODE.sub(lambda code: "\n" * code[0].count("\n"), page.read_text("utf-8"))
    for found in MENTION.finditer(text):
        name, version = found.groups()
        yield name, version, text.count("\n", 0, found.start()) + 1


@pytest.mark.parametrize("name", WITH_VERSIONS)
def test_a_sentence_names_a_version_at_which_it_was_checked(name):
    again = {
        f"docs/{name}.md:{line}": f"{library} {version} is not in {CHECKED[library]}: read it again"
        for library, version, line in mentions(DOCS / f"{name}.md")
        if version not in CHECKED[library]
    }
    assert not again


def test_each_version_of_the_list_is_named_on_a_page():
    named = {found[:2] for page in WITH_VERSIONS for found in mentions(DOCS / f"{page}.md")}
    assert {(library, version) for library in CHECKED for version in CHECKED[library]} == named


# The table of sources: each row links to where a part is covered


PAGE = "sources/index.html"
ROWS = {"000": 15, "001": 9, "002": 9, "003": 16, "004": 24}  # the parts of each document


def test_every_part_of_a_source_is_listed_and_links_to_a_section_a_figure_or_a_notebook():
    """tests/test_site.py follows the links."""
    article = page_text.article(page_text.pages()[PAGE])
    sources = article.xpath(".//h2[starts-with(@id, 'source-')]/@id")
    tables = [table.xpath("./tbody/tr") for table in article.iter("table")]
    found = dict(zip(sources, map(len, tables), strict=True))
    assert found == {f"source-{source}": count for source, count in ROWS.items()}
    for row in (row for rows in tables for row in rows):
        links = row.xpath("./td[2]//a/@href")
        assert links, "".join(row.itertext())
        assert all("#" in link or link.startswith("../notebooks/") for link in links)
