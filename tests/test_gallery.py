"""The gallery: every figure once, in its place, light enough, and in the reader's colours."""

from __future__ import annotations

import io
import re
from urllib.parse import urljoin

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from scripts import figures
from scripts.files import DOCS, BuildError
from scripts.pages import contents, figure_list
from tests import page_text, site_files
from tests.browsing import ANSWERED, NARROW, WIDE
from tests.page_actions import show
from tests.page_text import SITE
from tests.test_pages import built
from tests.test_site import loaded_at_once, weight

PAGE = "gallery/index.html"
FILTERS = "Page", "Kind"


def cards():
    return page_text.article(page_text.pages()[PAGE]).xpath(".//div[@class='thumb']")


def name(card):
    return re.search(r"figures/(\w+)\.thumb\.svg", card.xpath(".//img/@src")[0])[1]


def target(link):
    """The page and the anchor to which a link of the gallery leads."""
    path, _, anchor = urljoin(site_files.address(PAGE), link).partition("#")
    return site_files.file(path).relative_to(SITE).as_posix(), anchor


def test_a_card_names_its_figure_its_pages_and_its_kind_and_leads_to_it_and_its_embed_page():
    names = {page.title: page.name for page in contents.pages()}
    sources = {t: (DOCS / p).read_text("utf-8") for t, p in names.items() if p.endswith(".md")}
    for card in cards():
        picture, embedded = card.xpath(".//a")
        title = figures.load(name(card)).__doc__.splitlines()[0].rstrip(".")
        assert " ".join("".join(picture.itertext()).split()) == title
        titles = [t for t, text in sources.items() if f"![](figures/{name(card)}.svg)" in text]
        assert card.get("data-page") == "|".join(titles)
        page, anchor = target(picture.get("href"))
        assert (page, anchor) == (built(names[titles[-1]]), contents.anchor(name(card)))
        figure = page_text.article(page_text.pages()[page]).xpath(f".//div[@id='{anchor}']")[0]
        kind = "Heatmaps" if figure.xpath(".//svg//image") else "Lines and points"
        kinds = ["Surfaces" if name(card) == "surfaces" else kind]
        shown = [page_text.pages()[built(names[t])] for t in titles]
        sliders = f"//div[@class='sliders']//div[@id='{anchor}']"
        kinds += ["With sliders"] * any(tree.xpath(sliders) for tree in shown)
        assert card.get("data-kind") == "|".join(kinds)
        assert target(embedded.get("href")) == (f"embed/{name(card)}/index.html", "share")
        assert embedded.get("aria-label") == f"Embed or cite: {title}"
        assert card.xpath(".//a/img/@alt") == [""]  # the link's words say it


def test_the_gallery_has_every_figure_once_in_the_order_of_the_navigation():
    assert sorted(map(name, cards())) == figures.names()
    order = [built(page.name) for page in contents.pages()]
    found = [order.index(target(card.xpath(".//a/@href")[0])[0]) for card in cards()]
    assert found == sorted(found)


def test_a_figure_that_no_page_shows_stops_the_build(monkeypatch):
    monkeypatch.setattr(figures, "names", lambda: ["heatmap", "idle"])
    with pytest.raises(BuildError, match=r"^scripts/figures/idle\.py: no page shows this figure$"):
        figure_list.pages_by_figure()


@pytest.mark.browser
@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_the_gallery_is_light_fits_two_screens_and_follows_the_sites_scheme(size, visit):
    one = visit(PAGE, viewport=size, color_scheme="dark")
    one.settle()
    requested = [url for url in one.requested if "/figures/" in url]
    assert requested
    pictures = weight([site_files.file(url) for url in requested])
    whole = weight([SITE / PAGE]) + weight(loaded_at_once(PAGE).values()) + pictures
    assert whole <= 132 * 1024
    if size == WIDE:
        box = one.page.locator(".gallery").bounding_box()
        assert box["height"] <= 2 * size["height"]
    last = one.page.locator(".thumb img").last
    last.scroll_into_view_if_needed()
    last.evaluate("image => image.decode()")
    image = one.page.locator(".thumb img").nth(1)  # lines without a background
    for scheme, least, most in (("default", 241, 255), ("slate", 0, 59)):
        show(one.page, scheme, size)
        image.scroll_into_view_if_needed()
        image.evaluate("e => e.decode()")
        one.page.evaluate(ANSWERED)
        with Image.open(io.BytesIO(image.screenshot())) as shot:
            assert least <= np.median(np.asarray(shot.convert("L"))) <= most, scheme


@pytest.mark.browser
def test_the_keyboard_filters_the_gallery_and_the_page_says_how_many_are_left(visit):
    page, total = visit(PAGE).page, len(figures.names())
    says, chosen, kinds = page.locator(".filter [role=status]"), *map(page.get_by_label, FILTERS)

    def expect_left(**wanted):
        left = cards()
        for name, value in wanted.items():
            left = [card for card in left if value in card.get(f"data-{name}").split("|")]
        expect(says).to_have_text(f"{len(left)} of {total} figures")
        expect(page.locator(".thumb:visible")).to_have_count(len(left))

    expect(says).to_have_text(f"{total} figures")
    chosen.focus()
    page.keyboard.type("Wavelengths")
    expect_left(page="Wavelengths")
    page.keyboard.press("Tab")
    page.keyboard.type("Heat")
    expect_left(page="Wavelengths", kind="Heatmaps")
    page.goto(site_files.address("gallery/") + "?kind=Heatmaps&page=nonsense")  # a choice's address
    expect_left(kind="Heatmaps")
    expect(chosen).to_have_value("")
    kinds.select_option("Surfaces")
    page.wait_for_url("**/gallery/?kind=Surfaces")
