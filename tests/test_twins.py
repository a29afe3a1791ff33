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
each_page = pytest.mark.parametrize("page", PAGES)
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


@each_page
def test_a_twin_begins_with_the_title_of_its_page_and_leads_back_to_it(page):
    title = page_text.article(page_text.pages()[page]).xpath("string(.//h1)")
    first, *_, last = twin(name(page)).splitlines()
    assert re.sub(r"<a id=.*|`", "", first) == f"# {title.replace('¶', '').strip()}"
    place = normpath(join(dirname(name(page)), LINK.findall(last)[-1]))
    assert normpath(join(place, "index.html")) == page


@each_page
def test_a_twin_has_no_mark_of_an_author_and_no_html_but_anchors(page):
    text = prose(name(page))
    assert "{{" not in text
    assert "}}" not in text
    assert not re.search(r"^ *(?::::|\?\?\?|!!!|===)|\x02", text, re.M)
    assert not re.search(r"\{:? ?[#.][\w-]+", text)
    assert re.findall(r"<(?!/a>|a id=\"[^\"]+\"></a>)/?[a-z][^>]*>", text) == []


@each_page
def test_a_twin_has_every_number_of_its_page(page):
    for element in page_text.article(page_text.pages()[page]).xpath(".//data[@title]"):
        assert shown_text(element) in twin(name(page)), element.get("title")


@each_page
def test_a_twin_has_every_block_of_code_and_every_row_of_words_of_its_page(page):
    lines = set(map(str.strip, twin(name(page)).splitlines()))
    article = page_text.article(page_text.pages()[page])
    for block in article.xpath(".//div[contains(@class, 'highlight')]//pre"):
        if block.xpath("ancestor::*[contains(@class, 'doc-signature')]"):
            continue  # broken into lines in another way
        assert set(map(str.strip, "".join(block.itertext()).splitlines())) - {""} <= lines
    rows = article.xpath(".//table[@class='words']/tbody/tr")
    assert sum(line.startswith("| ") for line in lines) >= len(set(map(page_text.prose, rows)))


@each_page
def test_a_twin_has_a_picture_with_alt_text_for_each_figure(page):
    figures = page_text.pages()[page].xpath("//article//div[@class='pf']//svg/desc")
    found = re.findall(r"!\[([^]]+)\]\([^)]+\.svg\)", twin(name(page)))
    for desc in figures:
        text = " ".join("".join(desc.itertext()).split())
        assert text.replace("[", "(").replace("]", ")") in found


@each_page
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
