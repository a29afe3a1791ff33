"""The copy of the site that opens without a server, as files and in Chromium without a network."""

from __future__ import annotations

import io
import re
import zipfile
from functools import cache
from posixpath import dirname, join, normpath
from urllib.parse import urlsplit

import lxml.html
import pytest
from playwright.sync_api import expect

from tests import site_files
from tests.browsing import Visit, script
from tests.page_text import SITE

ZIP = SITE / "dist" / "posenc-site.zip"
FOLDER = "posenc-site/"


@cache
def content():
    """The files in the zip, by their paths in its folder."""
    with zipfile.ZipFile(ZIP) as opened:
        return {name.removeprefix(FOLDER): opened.read(name) for name in opened.namelist()}


@cache
def elements(name):
    """Tag and attributes of each element of a page."""
    page = lxml.html.document_fromstring(content()[name])
    return [(element.tag, element.attrib) for element in page.iter(lxml.etree.Element)]


def pages_of_copy():
    return sorted(name for name in content() if name.endswith(".html"))


# The files


def test_the_copy_has_every_page_of_the_site():
    built = {path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")}
    for_servers = {"404.html", "simple/index.html", "simple/posenc/index.html"}
    assert set(pages_of_copy()) == built - for_servers


def links(name):
    """The links of a page of the copy to files and ids of the site."""
    for tag, given in elements(name):
        if "data-bundle" in given:  # it loads this part of Plotly
            yield f"{'../' * name.count('/')}assets/vendor/{given['data-bundle']}"
        for key in {"href", "src"} & {*given}:
            url = given[key]
            if (tag == "a" and url.startswith(site_files.site_url())) or not urlsplit(url).scheme:
                yield url


def test_every_link_of_the_copy_leads_to_a_file_and_to_an_id():
    ids = {name: {given.get("id") for _, given in elements(name)} for name in pages_of_copy()}
    followed = 0
    for name in pages_of_copy():
        for link in links(name):
            url = urlsplit(link)
            if url.scheme:
                left_out = site_files.file(link).relative_to(SITE).as_posix()
                assert left_out not in content(), f"{name}: {link}"
                continue
            target = normpath(join(dirname(name), url.path)) if url.path else name
            assert target in content(), f"{name}: {link}"
            assert not url.fragment or url.fragment in ids[target], f"{name}: {link}"
            followed += 1
    assert followed > 1000


def test_the_copy_contains_neither_itself_nor_what_only_a_server_needs():
    endings = (".zip", ".map", ".gz", ".safetensors", "sitemap.xml", "404.html")
    left = [name for name in content() if name.endswith(endings) or "/cards/" in name]
    assert left == []
    assert f"The site: {site_files.site_url()}\n".encode() in content()["README.txt"]
    for name in pages_of_copy():
        for tag, given in elements(name):
            assert given.get("type") != "module"
            assert tag != "link" or "preload" not in given["rel"]


# In Chromium


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The address of the unpacked copy, in a folder whose name needs escapes."""
    path = tmp_path_factory.mktemp("with spaces & é")
    with zipfile.ZipFile(io.BytesIO(ZIP.read_bytes())) as opened:
        opened.extractall(path)
    return (path / FOLDER).as_uri() + "/"


class Copy(Visit):
    """A visit of the copy: a file that is not there is an error in the console."""

    def answer(self, route):
        self.requested.append(route.request.url)
        route.continue_()


@pytest.fixture
def reading(browser, folder):
    """A function that opens a page of the copy; what the browser complains of fails the test."""
    visit = Copy(browser, offline=True)

    def opened(name):
        visit.page.goto(folder + name)
        visit.page.wait_for_selector(".expressions-toggle")  # the scripts run
        return visit.page

    yield opened
    visit.context.close()
    assert visit.complaints == []
    own = (folder, "data:", "blob:")
    assert [url for url in visit.requested if not url.startswith(own)] == []


@pytest.mark.browser
def test_a_reader_follows_links_sees_the_maths_in_its_font_and_interactive_figures(reading, folder):
    page = reading("index.html")
    page.get_by_role("link", name="The formula", exact=True).first.click()
    page.wait_for_url(f"{folder}formula/index.html")
    page.locator(".md-footer__link--next").click()
    page.wait_for_url(f"{folder}wavelengths/index.html")
    assert page.evaluate(
        "document.fonts.load('16px \"STIX Two Math\"').then((found) => found.length)"
    )
    page = reading("waves/index.html")
    page.locator("a.term[href$='#phase']").focus()
    expect(page.locator(".term-tip")).to_contain_text("The angle of a wave at position")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{folder}notation/index.html#phase")
    for name in ("mistakes", "embed/heatmap", "notebooks/surfaces"):
        page.goto(f"{folder}{name}/index.html")
        figure = page.locator(".pf[data-bundle]").first
        figure.locator(".pf-links button").click()
        expect(figure).to_have_attribute("data-state", "live")
        expect(figure.locator(".pf-plot .main-svg").first).to_be_visible()


@pytest.mark.browser
def test_explorer_search_workers_and_models_of_the_copy_answer(reading, folder):
    page = reading("explorer/index.html")
    field = page.locator("[data-live] input[type='number']").first
    field.fill("100")
    page.wait_for_url(re.compile(r"\?.*100"))
    assert page.url.startswith(f"{folder}explorer/index.html?")
    page.reload()
    expect(field).to_have_value("100")
    page.locator(".md-search__input").focus()
    (found,) = page.evaluate(script("search.js", "found"), ["rotate_half"])
    assert found[0]["links"][0] == f"{folder}from-adding-to-turning/index.html"
    page.locator(".md-search-result__item a").first.click()
    page.wait_for_url(re.compile("from-adding-to-turning/index.html"))
    page = reading("which-encoding/index.html")
    page.locator("[data-live] [data-example]").nth(1).click()
    page.locator(".we-answer a[href='../port-weights/']").first.click()
    page.wait_for_url(f"{folder}port-weights/index.html")
    reading("config/index.html").locator("[data-live] [data-example]").first.click()
    expect(page.locator("[data-live] .we-said")).to_contain_text("Llama 3.1 8B:")
    reading("trained-models/index.html?model=rope")
    expect(page.locator("[data-live='model/start'] .lm-sentence")).to_contain_text("RoPE")
