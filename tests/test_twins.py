"""Each page has a Markdown twin with the page's words, numbers, code and links."""

import re
from functools import cache
from posixpath import dirname, join, normpath
from urllib.parse import unquote, urlsplit

import pytest
from markdown.extensions.toc import slugify

from scripts.files import DOCS
from scripts.pages import contents, twins
from tests import page_text
from tests.page_text import SITE
from tests.test_pages import shown_text

PAGES = [name for name in page_text.names() if name != "404.html"] or ["index.html"]
CODE = re.compile(r"^( *)(```+).*?^\1\2|`[^`\n]+`", re.S | re.M)
MATHS = re.compile(r"\$\$.+?\$\$|\$[^$]+\$", re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+?)(?:<a id=.*)?$", re.M)


def name(page):
    return "index.md" if page == "index.html" else f"{page.removesuffix('/index.html')}.md"


@cache
def twin(path):
    return (SITE / path).read_text("utf-8")


def prose(path):
    return MATHS.sub(" ", CODE.sub(" ", twin(path)))


@cache
def anchors(path):
    headings = HEADING.findall(CODE.sub(lambda code: code[0].replace("#", ""), twin(path)))
    slugs = (slugify(re.sub(r"[`*$]|\]\(.*?\)", "", heading), "-") for heading in headings)
    return {*re.findall(r'<a id="([^"]+)"></a>', twin(path)), *slugs}


@pytest.mark.parametrize("page", PAGES)
def test_a_twin_has_the_words_numbers_code_and_pictures_of_its_page_and_no_html(page):
    own, article = name(page), page_text.article(page_text.pages()[page])
    lines, text = list(map(str.strip, twin(own).splitlines())), prose(own)
    title = article.xpath("string(.//h1)").replace("¶", "").strip()
    assert re.sub(r"<a id=.*|`", "", lines[0]) == f"# {title}"
    back = normpath(join(dirname(own), LINK.findall(lines[-1])[-1]))
    assert normpath(join(back, "index.html")) == page
    # No mark of an author, no HTML but anchors.
    marks = r"\{\{|\}\}|^ *(?::::|\?\?\?|!!!|===)|\x02|\{:? ?[#.][\w-]+"
    assert re.findall(marks, text, re.M) == []
    assert re.findall(r"<(?!/a>|a id=\"[^\"]+\"></a>)/?[a-z][^>]*>", text) == []
    for element in article.xpath(".//data[@title]"):
        assert shown_text(element) in twin(own), element.get("title")
    for block in article.xpath(".//div[contains(@class, 'highlight')]//pre"):
        if block.xpath("ancestor::*[contains(@class, 'doc-signature')]"):
            continue  # broken into lines in another way
        code = map(str.strip, "".join(block.itertext()).splitlines())
        assert set(code) - {""} <= set(lines)
    rows = article.xpath(".//table[@class='words']/tbody/tr")
    shown = sum(line.startswith("| ") for line in set(lines))
    assert shown >= len(set(map(page_text.prose, rows)))
    alts = re.findall(r"!\[([^]]+)\]\([^)]+\.svg\)", twin(own))
    for desc in page_text.pages()[page].xpath("//article//div[@class='pf']//svg/desc"):
        words = " ".join("".join(desc.itertext()).split())
        assert words.replace("[", "(").replace("]", ")") in alts


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_twin_lead_to_files_and_to_places_in_twins(page):
    own = name(page)
    for link in LINK.findall(CODE.sub(" ", twin(own))):
        url = urlsplit(link)
        if url.scheme:
            assert url.scheme == "https"
            continue
        path = normpath(join(dirname(own), unquote(url.path))) if url.path else own
        path = join(path, "index.html") if url.path.endswith("/") else path
        assert (SITE / path).is_file(), link
        if url.fragment and path.endswith(".md"):
            assert url.fragment in anchors(path), link


def test_the_list_has_a_line_for_each_page_below_its_door():
    door, found = "", []
    for line in (SITE / twins.INDEX).read_text("utf-8").splitlines():
        door = line.removeprefix("## ") if line.startswith("## ") else door
        if line.startswith("- "):
            (title, link) = re.match(r"- \[(.+?)\]\((.+?)\): .", line).groups()
            assert (SITE / link.rpartition("posenc/")[2]).is_file() or "//" in link
            found.append((door, title))
    assert found == [(door, page.title) for door, pages in contents.doors() for page in pages]


def test_a_twin_made_again_has_the_same_bytes():
    assert twins.twin(DOCS / "waves.md") == twin("waves.md")
