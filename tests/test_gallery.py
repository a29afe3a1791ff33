"""The gallery: every figure once, in its place, light enough, and in the reader's colours."""

from __future__ import annotations

import io
import re
from urllib.parse import urljoin

import numpy as np
import pytest
from PIL import Image

from scripts import figures
from scripts.files import DOCS, BuildError
from scripts.pages import contents, figure_list
from tests import page_text, site_files
from tests.browsing import ANSWERED, wait_until
from tests.page_text import SITE
from tests.test_site import loaded_at_once, weight

PAGE = "gallery/index.html"


def cards():
    return page_text.article(page_text.pages()[PAGE]).xpath(".//div[@class='thumb']")


def name(card):
    return re.search(r"figures/(\w+)\.svg", card.xpath(".//img/@src")[0])[1]


def test_the_gallery_has_every_figure_once():
    assert sorted(map(name, cards())) == figures.names()


def test_a_card_says_what_the_figure_shows_and_leads_to_it():
    for card in cards():
        module = figures.load(name(card))
        title = module.__doc__.splitlines()[0].rstrip(".")
        image = card.xpath(".//a/img")[0]
        assert image.get("alt") == title
        assert image.get("loading") == "lazy"
        svg = (DOCS / "figures" / f"{name(card)}.svg").read_text("utf-8")
        width, height = (round(float(n)) for n in re.search(r'"0 0 (\S+) (\S+)"', svg).groups())
        assert (image.get("width"), image.get("height")) == (str(width), str(height))
        links = card.xpath(".//a/@href")
        path, _, anchor = links[0].partition("#")
        assert links[0] == links[1]
        page = site_files.file(urljoin(site_files.address(PAGE), path)).relative_to(SITE).as_posix()
        figure = page_text.article(page_text.pages()[page]).xpath(f".//figure[@id='{anchor}']")[0]
        assert not [e for e in figure.iterancestors() if e.tag == "noscript"]
        caption = " ".join("".join(figure.find("figcaption").itertext()).split())
        first = " ".join("".join(card.xpath("./p")[2].itertext()).split())
        assert len(first) > 20
        assert caption.startswith(first)
        for ending in (".svg", ".csv", ".py.txt"):
            assert any(link.endswith(f"{name(card)}{ending}") for link in links)


def test_the_figures_come_in_the_order_of_the_navigation():
    order = [page.name for page in contents.pages()]
    places = figure_list.pages_by_figure()
    found = [order.index(places[name(card)][0].name) for card in cards()]
    assert found == sorted(found)


def test_a_figure_that_no_page_shows_stops_the_build(monkeypatch):
    monkeypatch.setattr(figures, "names", lambda: ["heatmap", "idle"])
    with pytest.raises(BuildError, match=r"^scripts/figures/idle\.py: no page shows this figure$"):
        figure_list.pages_by_figure()


def test_a_sentence_ends_where_another_begins():
    caption = "The first\n{{ 1.5 : .2f }}, e.g. this; at $p = 2.5$ too. $A$ begins the second."
    assert figure_list.first_sentence(caption).endswith("too.")
    assert figure_list.first_sentence("One of one? Two.") == "One of one?"


@pytest.mark.browser
def test_the_pictures_wait_until_the_reader_comes_near(visit):
    page = visit(PAGE)
    page.page.wait_for_load_state("networkidle")
    requested = [url for url in page.requested if "/figures/" in url]
    assert 0 < len(requested) < 10
    pictures = weight([site_files.file(url) for url in requested])
    whole = weight([SITE / PAGE]) + weight(loaded_at_once(PAGE).values()) + pictures
    assert whole <= 120 * 1024
    last = page.page.locator(".thumb img").last
    last.scroll_into_view_if_needed()
    wait_until(page.page, "image => image.complete && image.naturalWidth", last.element_handle())


@pytest.mark.browser
@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_pictures_follow_the_sites_scheme_and_not_the_systems(system, visit):
    page = visit(PAGE, color_scheme=system).page
    image = page.locator(".thumb img").nth(1)  # lines without a background
    brightness = {}
    for scheme in ("default", "slate"):
        if page.locator("body").get_attribute("data-md-color-scheme") != scheme:
            page.locator("label[for^=__palette]:visible").click()
        assert page.locator("body").get_attribute("data-md-color-scheme") == scheme
        image.scroll_into_view_if_needed()
        image.evaluate("e => e.decode()")
        page.evaluate(ANSWERED)
        with Image.open(io.BytesIO(image.screenshot())) as shot:
            brightness[scheme] = np.median(np.asarray(shot.convert("L")))
    assert brightness["default"] > 240
    assert brightness["slate"] < 60
