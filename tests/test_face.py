"""The face of the site: its logo and its stripes hold the oracle's numbers."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from scripts.render import face
from tests import oracle, page_text, site_files
from tests.browsing import TOUCH, script
from tests.page_actions import assert_accessible
from tests.page_text import SITE
from tests.signed_colours import coloured, on_paper
from tests.test_figures import contrast


def expected(positions, dimensions):
    """These positions and dimensions of the encoding of width 128, from the oracle."""
    return oracle.encode(positions, 128).astype(float)[:, dimensions]


@pytest.mark.parametrize(
    ("name", "positions", "dimensions"),
    [
        ("matrix.png", range(50), range(128)),
        ("stripes.png", range(64), range(0, 128, 2)),
        ("column.png", range(63), [32]),
    ],
)
def test_each_pixel_has_the_colour_of_the_oracles_value(name, positions, dimensions):
    made = face.files()[name]
    with Image.open(io.BytesIO(made)) as opened:
        shown = np.asarray(opened.convert("RGBA"))
    np.testing.assert_array_equal(shown, coloured(expected(positions, dimensions)))
    assert (SITE / "assets" / "face" / name).read_bytes() == made


def test_the_bands_of_the_logo_are_where_the_sine_is_negative():
    root = ElementTree.fromstring(face.logo())
    ground, *bands = (
        (path.get("fill"), path.get("d")) for path in root.iter("{http://www.w3.org/2000/svg}path")
    )
    assert ground == ("#472e7c", "M0 0h64v64H0z")
    assert [colour for colour, _ in bands] == ["#fde725", "#4ec36b", "#25848e"]
    for turns, (_, band) in enumerate(bands):
        points = np.array(re.findall(r"([\d.]+) ([\d.]+)", band), float)
        assert points[:, 0].tolist() == [*range(0, 65, 4), *range(64, -1, -4)]
        inside = points[points[:, 1] < 72]
        pairs, positions = inside[:, 0] / 4, inside[:, 1] * 24 / 64
        sines = np.sin(positions * 6 ** (-2 * pairs / 34))
        assert np.abs(sines).max() < 0.05
        (above, below) = points[0, 1], points[-1, 1]
        assert (above + below) / 2 * 24 / 64 == pytest.approx(2 * np.pi * (turns + 0.75), abs=0.05)


def test_every_page_of_the_navigation_has_its_own_stripe_in_order():
    home = page_text.pages()["index.html"]
    assert not home.xpath("//div[@class='stripe']")
    links = home.xpath("//nav[@aria-label='Navigation']//a[contains(@class, 'md-nav__link')]/@href")
    names = [link for link in dict.fromkeys(links) if not link.startswith("#") and link != "."]
    assert len(names) > 30
    for number, name in enumerate(names, 1):
        (style,) = page_text.pages()[f"{name}index.html"].xpath("//div[@class='stripe']/@style")
        assert style == f"--p:{number}"
        assert number < face.STRIPES


@pytest.mark.browser
def test_a_stripe_is_the_row_of_the_pages_position(visit):
    page = visit("sources/index.html").page
    stripe = page.locator(".stripe")
    taken = Image.open(io.BytesIO(stripe.screenshot())).convert("RGB")
    pixels = np.asarray(taken)  # (height, width, colour)
    centres = ((np.arange(64) + 0.5) * pixels.shape[1] / 64).astype(int)
    position = int(stripe.get_attribute("style").removeprefix("--p:"))
    wanted = on_paper(coloured(expected([position], range(0, 128, 2))[0]))
    assert np.abs(pixels[:, centres] - wanted).max() <= 1


@pytest.mark.browser
def test_axe_finds_no_violation_on_the_page_for_unknown_addresses(visit):
    page = visit("404.html").page
    assert_accessible(page)
    with Image.open(io.BytesIO(page.locator(".stripe").screenshot())) as taken:
        assert taken.height > 100
        assert len(taken.convert("RGB").getcolors(4096)) > 100, "all rows are there"
    assert page.locator("article a").count() >= 3


# Home


def point_at(page, position, dimension):
    """Move the pointer to the middle of a cell of the picture."""
    box = page.locator(".hero-picture").bounding_box()
    x = box["x"] + (dimension + 0.5) / 128 * box["width"]
    page.mouse.move(x, box["y"] + (position + 0.5) / 50 * box["height"])


def said(position, dimension):
    """The sentence about a cell, with the oracle's numbers."""
    value = expected([position], [dimension])[0, 0]
    pair, kind = dimension // 2, "cosine" if dimension % 2 else "sine"
    return (
        f"position {position} dimension {dimension}, the {kind} of pair {pair} "
        f"wavelength {oracle.formatted(oracle.wavelengths(128)[pair], ',.2f')} positions "
        f"value {oracle.formatted(value, '.4f')}"
    )


def mark(page):
    """The cell under the middle of the mark."""
    picture, box = (page.locator(f".hero-picture{part}").bounding_box() for part in ("", " i"))
    across = (box["x"] + box["width"] / 2 - picture["x"]) / picture["width"]
    down = (box["y"] + box["height"] / 2 - picture["y"]) / picture["height"]
    return int(down * 50), int(across * 128)


@pytest.mark.browser
@pytest.mark.parametrize("cell", [(0, 0), (7, 2), (18, 31), (49, 126), (49, 127)])
def test_the_picture_answers_the_pointer_with_the_oracles_numbers(cell, visit):
    page = visit("index.html").page
    reading = page.locator(".hero-reading")
    point_at(page, *cell)
    expect(reading).to_have_text(said(*cell))
    assert mark(page) == cell
    page.mouse.move(640, 790)
    expect(reading).to_contain_text("Point at a cell")
    expect(page.locator(".hero-picture i")).to_be_hidden()


@pytest.mark.browser
def test_the_picture_answers_the_keys_and_tells_screen_readers(visit):
    page = visit("index.html").page
    picture, reading = page.locator(".hero-picture"), page.locator(".hero-reading")
    expect(picture).to_have_attribute("tabindex", "0")
    picture.focus()
    for key, cell in {
        "ArrowDown": (0, 0),
        "Shift+ArrowRight": (0, 10),
        "Shift+ArrowDown": (10, 10),
        "ArrowLeft": (10, 9),
        "ArrowUp": (9, 9),
        "End": (9, 127),
        "ArrowRight": (9, 127),
        "Home": (9, 0),
    }.items():
        page.keyboard.press(key)
        expect(reading).to_have_text(said(*cell))
        expect(reading).to_have_attribute("aria-live", "polite")
        assert mark(page) == cell
    page.keyboard.press("Tab")
    expect(reading).to_contain_text("use the arrow keys")
    picture.focus()
    page.keyboard.press("Tab")
    assert reading.locator("data").first.evaluate("number => number === document.activeElement")


@pytest.mark.browser
def test_the_picture_answers_a_finger_and_lets_it_scroll(visit):
    one = visit("index.html", **TOUCH)
    page = one.page
    box = page.locator(".hero-picture").bounding_box()
    expect(page.locator(".hero-picture")).to_have_attribute("role", "application")
    one.touch(box["x"] + 100.5 / 128 * box["width"], box["y"] + 20.5 / 50 * box["height"])
    expect(page.locator(".hero-reading")).to_have_text(said(20, 100))
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    one.touch(x, y, (0, -40), (0, -90))
    page.wait_for_function("() => scrollY > 0")


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize("size", [{"width": 360, "height": 740}, {"width": 1280, "height": 800}])
def test_the_first_screen_has_the_picture_and_both_ways(size, scripts, visit):
    page = visit("index.html", viewport=size, java_script_enabled=scripts).page
    picture = page.locator(".hero-picture img")
    assert picture.evaluate("image => image.complete && image.naturalWidth") == 128
    parts = [picture, page.locator("h1"), page.locator(".lead"), *page.locator(".ways > div").all()]
    boxes = [part.bounding_box() for part in parts]
    assert len(boxes) == 5
    for box in boxes:
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        assert box["y"] + box["height"] <= size["height"]
    assert boxes[0]["width"] == size["width"]
    if size["width"] < 720:  # wider, the picture in its own ratio would leave no room for the rest
        assert boxes[0]["height"] == pytest.approx(size["width"] * 50 / 128)
    else:
        assert boxes[0]["height"] >= 150


@pytest.mark.browser
def test_a_live_part_starts_after_its_stylesheet(visit):
    page, held = visit("faq/index.html").page, []
    page.route("**/explorer/style.css", lambda route: held.append(route))
    with page.expect_request("**/explorer/style.css"):
        page.goto(site_files.address("explorer/index.html"), wait_until="commit")
    page.wait_for_timeout(500)
    expect(page.locator(".ex-stage")).to_have_count(0)
    (sheet,) = held
    sheet.fallback()
    expect(page.locator(".ex-stage").first).to_be_visible()
    page.unroute("**/explorer/style.css")


def test_questions_and_tools_are_one_click_away_from_the_ways():
    ways = page_text.pages()["index.html"].xpath("//div[contains(@class, 'ways')]//a/@href")
    assert {"in-ten-minutes/", "port-weights/", "faq/", "which-encoding/", "config/"} <= set(ways)


@pytest.mark.browser
def test_axe_finds_no_violation_while_the_picture_answers(visit):
    page = visit("index.html").page
    page.locator(".hero-picture").focus()
    page.keyboard.press("Shift+ArrowDown")
    assert_accessible(page)


# Type


@pytest.mark.browser
@pytest.mark.parametrize(
    "name", ["index", "why-order/index", "in-ten-minutes/index", "advantages/index", "faq/index"]
)
def test_a_line_of_running_text_has_65_to_75_characters(name, visit):
    page = visit(f"{name}.html", viewport={"width": 1280, "height": 800}).page
    lines = page.evaluate(script("page.js", "lineLengths"))
    assert len(lines) > 10
    assert 65 <= np.mean(lines) <= 75


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_links_stand_out_from_every_ground_that_they_stand_on(scheme, visit):
    page = visit("index.html", color_scheme=scheme).page
    link, *grounds = (
        page.locator(selector).first.evaluate(script("page.js", "colour"), name)
        for selector, name in (
            ("article p a", "color"),
            ("body", "background-color"),
            (".ways > div", "background-color"),
        )
    )
    for ground in grounds:
        assert contrast(link, ground) >= 4.5


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_stands_out_from_the_page(scheme, visit):
    page = visit("numbers/index.html", color_scheme=scheme).page
    ink, ground = (
        page.locator(selector).first.evaluate(script("page.js", "colour"), name)
        for selector, name in ((".md-button", "color"), ("body", "background-color"))
    )
    assert contrast(ink, ground) >= 4.5


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_code_stands_out_from_its_box_and_from_the_page(scheme, visit):
    """In folds the box has the colour of the page."""
    page = visit("formula/index.html", color_scheme=scheme).page
    colour = script("page.js", "colour")
    box, ground = (
        page.locator(selector).first.evaluate(colour, "background-color")
        for selector in (".highlight pre > code", "body")
    )
    inks = {part.evaluate(colour, "color") for part in page.locator(".highlight span").all()}
    assert len(inks) > 3
    for ink in inks:
        assert contrast(ink, box) >= 4.5
        assert contrast(ink, ground) >= 4.5


@pytest.mark.browser
def test_paper_has_the_colours_of_the_light_scheme(visiting):
    printed = {}
    for scheme in ("light", "dark"):
        with visiting("formula/index.html", color_scheme=scheme) as visit:
            visit.page.emulate_media(media="print")
            parts = visit.page.locator("article :is(p a, code, code span, h2)")
            printed[scheme] = parts.evaluate_all("all => all.map((e) => getComputedStyle(e).color)")
    assert printed["dark"] == printed["light"]


@pytest.mark.browser
@pytest.mark.parametrize("name", ["conventions", "numbers/to-wavelengths"])
def test_on_paper_all_columns_of_a_table_stand_on_the_sheet(name, visit):
    page = visit(f"{name}/index.html", viewport={"width": 606, "height": 900}).page  # A4
    page.emulate_media(media="print")
    boxes = page.locator(".table-scroll")
    assert boxes.evaluate_all("all => all.filter((e) => e.scrollWidth > e.clientWidth).length") == 0
    last = page.locator(".table-scroll td:last-child").first
    assert last.bounding_box()["width"] > 60
