"""The face of the site: its logo and its stripes hold the oracle's numbers."""

from __future__ import annotations

import io
import re

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from scripts.render import face
from tests import oracle, page_text, quantity_oracle, site_files
from tests.browsing import WIDE, script
from tests.page_actions import assert_accessible, show
from tests.page_text import SITE
from tests.signed_colours import coloured, on_paper
from tests.test_course import COURSE
from tests.test_pages import built


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
    """The square is 24 positions high, and its pairs have the base 6."""
    waves = oracle.wavelengths(34, base=6).astype(float)
    for turn, (_, outline) in enumerate(face.areas()):
        across, down = outline.T
        np.testing.assert_allclose(across, [*range(0, 65, 4), *range(64, -1, -4)])
        wanted = [*waves * (turn + 0.5), *waves[::-1] * (turn + 1)]
        np.testing.assert_allclose(down * 24 / 64, wanted)


def test_every_page_of_the_navigation_has_its_own_stripe_in_order():
    home = page_text.pages()["index.html"]
    links = home.xpath("//nav[@aria-label='Navigation']//a[contains(@class, 'md-nav__link')]/@href")
    names = [link for link in dict.fromkeys(links) if not link.startswith("#") and link != "."]
    assert 30 < len(names) < face.STRIPES
    for number, name in enumerate(names, 1):
        html = (SITE / name / "index.html").read_text("utf-8")
        assert re.findall('<div class="stripe" style="--p:([^"]*)"', html) == [str(number)]


@pytest.mark.browser
def test_a_stripe_is_the_row_of_the_pages_position_and_unknown_addresses_show_all(visit):
    page = visit("sources/index.html").page
    stripe = page.locator(".stripe")

    def pixels():
        with Image.open(io.BytesIO(stripe.screenshot())) as taken:
            return np.asarray(taken.convert("RGB"), int)  # (height, width, colour)

    seen = pixels()
    centres = ((np.arange(64) + 0.5) * seen.shape[1] / 64).astype(int)
    position = int(stripe.get_attribute("style").removeprefix("--p:"))
    wanted = on_paper(coloured(expected([position], range(0, 128, 2))[0]))
    assert np.abs(seen[:, centres] - wanted).max() <= 1
    page.goto(site_files.address("404.html"))
    assert len(np.unique(pixels()[:, centres[1]], axis=0)) > 20, "all rows are there"


# Home


ORDERS = {  # what leads to each order, from the one before
    "Move dog right": "bites dog man",
    "Move dog right again": "bites man dog",
    "Move bites right": "man bites dog",
    "Move bites right again": "man dog bites",
    "Move man right": "dog man bites",
    "Move man right again": "dog bites man",
}


def answered(order, clocks):
    """What Home says of each word: the oracle's two numbers."""
    numbers = quantity_oracle.toy_attention(order, encoded=clocks)
    return {
        word: f"The answer to {word}: {' and '.join(oracle.formatted(n, '.2f') for n in pair)}"
        for word, pair in zip(order.split(), numbers, strict=True)
    }


def cards(page):
    """The words on Home in their order, and for each its answer and the colour of its chip."""
    return page.locator(".cards > div").evaluate_all(
        "all => all.map((e) => [e.dataset.word,"
        " e.children[1].ariaLabel, e.children[1].style.background])"
    )


@pytest.mark.browser
def test_answers_travel_with_their_words_until_the_places_have_clocks(visit):
    page = visit("index.html").page
    status, walls = page.locator(".order [role=status]"), page.locator(".walls svg")
    colours = {word: {colour} for word, _, colour in cards(page)}
    assert len(set().union(*colours.values())) == 3
    for clocks in (False, True):
        page.get_by_role("switch").set_checked(clocks)
        assert {walls.nth(i).is_visible() for i in range(6)} == {clocks}
        for step, order in ORDERS.items():
            page.get_by_label(step.removesuffix(" again")).click()
            now = cards(page)
            assert [word for word, *_ in now] == order.split()
            assert {word: said for word, said, _ in now} == answered(order, clocks)
            for word, _, colour in now:
                assert (colour in colours[word]) != clocks
                colours[word].add(colour)
            words = "every answer has changed" if clocks else "each word kept its answer"
            expect(status).to_contain_text(f"Now “{order}”, and {words}")
    turns = [f"{float(p / oracle.wavelengths(4)[i]):.2f} turns" for p in range(3) for i in range(2)]
    for i, turn in enumerate(turns):
        speed = ("fast", "slow")[i % 2]
        said = f"Place {i // 2}, {speed} clock: {turn} from the top"
        expect(walls.nth(i)).to_have_attribute("aria-label", said)
    assert_accessible(page)


@pytest.mark.browser
def test_a_word_follows_pointer_and_keys_and_the_clocks_show_the_row_of_a_place(visit):
    page = visit("index.html").page
    boxes = [card.bounding_box() for card in page.locator(".card b").all()]
    page.mouse.move(boxes[0]["x"] + 5, boxes[0]["y"] + 5)
    page.mouse.down()
    page.mouse.move(boxes[2]["x"] + 5, boxes[2]["y"] + 5, steps=9)
    page.mouse.up()
    assert [word for word, *_ in cards(page)] == ["bites", "man", "dog"]
    page.get_by_label("Move dog left").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowLeft")
    assert [word for word, *_ in cards(page)] == ["dog", "bites", "man"]
    expect(page.get_by_label("Move dog right")).to_be_focused()
    for place in (0, 7, 49):
        page.get_by_label("Place", exact=True).fill(str(place))
        for clock, pair in zip(page.locator(".trace svg").all(), range(4, 64, 8), strict=True):
            turns = oracle.formatted(place / oracle.wavelengths(128)[pair], ".2f")
            said = f"Clock {pair}: {turns} turns from the top"
            expect(clock).to_have_attribute("aria-label", said)
    box = page.locator(".trace-picture").bounding_box()
    page.mouse.move(box["x"] + 9, box["y"] + 20.5 / 50 * box["height"])
    expect(page.locator(".trace-place span")).to_have_text("20")


@pytest.mark.browser
@pytest.mark.parametrize("scripts", [True, False])
def test_the_first_screen_has_the_question_and_the_words_to_move(scripts, visit):
    page = visit("index.html", java_script_enabled=scripts).page
    live = [".cards", ".order label", ".order [role=status]"]
    for width, height in ((360, 740), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        names = ["h1", ".lead", *(live if scripts else [".order img"])]
        boxes = [page.locator(name).bounding_box() for name in names]
        assert boxes == sorted(boxes, key=lambda box: box["y"])
        for box in boxes:
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width
            assert box["y"] + box["height"] * scripts <= height


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


def test_the_doors_on_home_are_those_of_the_navigation_and_lead_to_their_pages():
    home = page_text.pages()["index.html"]
    tabs = [tab.text.strip() for tab in home.xpath("//nav[@class='md-tabs']//a")]
    doors = home.xpath("//div[contains(@class, 'ways')]/div")
    assert tabs[1:] == [door.findtext("h2") for door in doors]
    lists = "//nav[contains(@class, 'md-nav--primary')]/ul/li[contains(@class, 'nested')]/nav"
    groups = home.xpath(lists)
    for door, group in zip(doors, groups, strict=True):
        links = {link for link in door.xpath(".//li/a/@href") if "#" not in link}
        assert len(links) >= 5
        assert links <= set(group.xpath(".//a/@href"))


def test_the_navigation_shows_the_minutes_of_each_page_of_the_course():
    home = page_text.pages()["index.html"]
    for name in COURSE:
        (link,) = home.xpath(f"//nav[contains(@class, 'md-nav')]//a[@href='{built(name)[:-10]}']")
        line = page_text.pages()[built(name)].xpath("string(//header[@class='reading'])")
        assert link.findtext(".//small") == f"{line.split()[0]} min"


@pytest.mark.browser
def test_a_page_has_lines_of_65_to_75_characters_prints_light_colours_and_is_marked_as_read(visit):
    page, printed = visit("why-order/index.html").page, []
    lines = page.evaluate(script("page.js", "lineLengths"))
    assert len(lines) > 10
    assert 65 <= np.mean(lines) <= 75
    for scheme in ("default", "slate"):
        show(page, scheme, WIDE)
        page.emulate_media(media="print")
        parts = page.locator("article :is(p a, code, code span, h2)")
        printed.append(parts.evaluate_all("all => all.map((e) => getComputedStyle(e).color)"))
        page.emulate_media(media="screen")
    assert printed[0] == printed[1] != []
    read = page.locator("nav .is-read")
    expect(read).to_have_count(0)
    page.locator(".md-footer").scroll_into_view_if_needed()
    expect(read.first).to_have_attribute("href", "./")
    page.goto(site_files.address("waves/index.html"))
    expect(read).to_have_count(1)
    expect(read).to_have_attribute("href", "../why-order/")
