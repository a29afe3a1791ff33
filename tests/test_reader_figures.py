"""Figures with sliders: their numbers against the oracle, their controls, what stays behind."""

import re
from contextlib import ExitStack
from functools import cache
from itertools import chain

import numpy as np
import pytest
from matplotlib import colormaps
from playwright.sync_api import expect

from tests import balls, node, oracle, quantity_oracle
from tests.balls import ball
from tests.browsing import LOADING_FAILED, NARROW, TOUCH, WIDE, script, wait_until
from tests.figure_oracles import rotary
from tests.oracle import formatted as text
from tests.page_actions import (
    LIGHT_SCREEN,
    assert_accessible,
    assert_no_overflow,
    enliven,
    expect_still,
    show,
)
from tests.signed_colours import coloured, on_paper

pytestmark = pytest.mark.browser


class Part:
    """A part of a page with sliders, a sentence and drawings."""

    def __init__(self, page, name):
        self.page, self.name = page, name
        self.host = page.locator(f'[data-live="{name}"]')
        self.stage = self.host.locator(".pf-stage").first
        self.says = self.host.locator(".sliders-sentence")
        self.host.scroll_into_view_if_needed()
        self.reset = self.host.get_by_role("button", name="Reset")
        expect(self.says).not_to_be_empty()

    def ask(self, question):
        return self.host.evaluate(script("sliders.js", question))

    def slider(self, name):
        return self.host.locator(f"#slider-{name}")

    def values(self, share=None):
        """The numbers beside the sliders, which move first to that share of their ranges."""
        shown = self.host.evaluate(script("sliders.js", "moved"), share)
        assert [name for name, *_ in shown] == [*PARTS[self.name][1]]
        assert all(text == heard for _, text, heard in shown)
        return {name: number(text) for name, text, _ in shown}


def number(text):
    value = float(text.replace("−", "-").replace(",", ""))
    return int(value) if value % 1 == 0 else value


@pytest.fixture(scope="module")
def pages(visiting):
    """A function that visits each page once."""
    with ExitStack() as stack:
        yield cache(lambda name: stack.enter_context(visiting(name)).page)


@pytest.fixture
def part(pages):
    """A function that returns a part as published, and resets it after the test."""
    used = []

    def opened(name):
        used.append(Part(pages(PAGES[name]), name))
        return used[-1]

    yield opened
    for one in used:
        one.reset.click()
        one.page.mouse.move(0, 0)


# What is drawn at given values of the sliders, and the numbers in the sentence below


def numbers(sentence):
    """The numbers of the sentence, as they are written."""
    number = r"(?<![\w.])−?\d+(?:,\d{3})*(?:\.\d+)?(?: × 10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?%?"
    return re.findall(number, sentence.replace("\u00a0", " "))


def units(part, side, *, log=False):
    """A function from the drawing's units to the axis's, by the labels of its ticks."""
    ticks = part.stage.evaluate(script("sliders.js", "ticks"))[side]
    values, places = np.array(sorted(ticks)).T
    values = np.log10(values) if log else values
    slope, start = np.polyfit(places, values, 1)
    assert np.abs(start + slope * places - values).max() < abs(slope) * 0.1
    return lambda place: start + slope * np.asarray(place, float)


def attributes(part, selector, *names):
    question = script("sliders.js", "attributes")
    return part.host.locator(selector).evaluate_all(question, list(names))


def paths(part, selector):
    """The points of each path."""
    found = (re.findall(r"-?[\d.]+", d) for (d,) in attributes(part, selector, "d"))
    return [np.array(all_, float).reshape(-1, 2) for all_ in found]


def directions(hands):
    """Right and up, from the start of each hand to its end."""
    return np.array([hand[1] - hand[0] for hand in hands]) * [1, -1]


def law_of(offsets, base):
    return np.array([1 - (balls.euler + oracle.log(k)) / oracle.log(base) for k in offsets])


def of_base(one, base):
    across, up = units(one, "x", log=True), units(one, "y")
    dots = np.array(attributes(one, ".redrawing use", "x", "y"), float)
    offsets = np.unique(np.rint(10 ** (np.arange(73) / 24)).astype(int))
    np.testing.assert_allclose(across(dots[:, 0]), np.log10(offsets), atol=2e-3)
    exact = oracle.similarity(offsets, 512, base=base) / 256
    np.testing.assert_allclose(up(dots[:, 1]), exact.astype(float), atol=1e-3)
    (line,) = paths(one, ".redrawing path[style]")
    np.testing.assert_allclose(across(line[:, 0]), [0, 3], atol=2e-3)
    np.testing.assert_allclose(up(line[:, 1]), law_of((1, 1000), base).astype(float), atol=1e-3)
    expect(one.host.locator(".redrawing text")).to_have_text(f"base {base:,}")
    step = text(oracle.log(10) / oracle.log(base), ".2f")
    share = oracle.similarity(100, 512, base=base) / 256
    return [f"{base:,}", step, "100", text(law_of([100], base)[0], ".3f"), text(share, ".3f")]


def of_length(one, length):
    across = units(one, "x", log=True)
    drawn = paths(one, ".redrawing path[style]")
    ways, hands = drawn[:8], drawn[8:16]
    waves = oracle.wavelengths(512)
    turns = length / waves[::32].astype(float)
    for way, hand, turn in zip(ways, hands, turns, strict=True):
        sides, ups = ((way - hand[0]) * [1, -1]).T
        turned = np.unwrap(np.arctan2(sides, ups))[-1] / (2 * np.pi)
        assert turned == pytest.approx(min(turn, 1), abs=2e-3)
        assert across(hand[0, 0]) == pytest.approx(np.log10(length / turn), abs=2e-3)
    reach = directions(hands)
    exact = np.transpose([np.sin(2 * np.pi * turns), np.cos(2 * np.pi * turns)])
    np.testing.assert_allclose(reach / np.hypot(*reach[0]), exact, atol=5e-3)
    assert across(drawn[16][1, 0]) == pytest.approx(np.log10(length), abs=2e-3)
    slow = sum(length * oracle.frequencies(512) < ball("0.1"))
    return [f"{length:,}", str(sum(waves <= length)), "256", "10,000", str(slow)]


def of_clocks(one, position):
    published, drawn = (paths(one, f".{kind} path[style]")[1:] for kind in ("redrawn", "redrawing"))
    centres = [[hand[0] for hand in hands] for hands in (published, drawn)]
    np.testing.assert_allclose(*centres, atol=0.06)
    radius = np.hypot(*directions(published)[0])
    exact = oracle.encode(position, 8).astype(float).reshape(4, 2)
    np.testing.assert_allclose(directions(drawn) / radius, exact, atol=1e-2)
    expect(one.host.locator(".redrawing text")).to_have_text(f"{position:,}")
    turned = [text(position / wave, ".2f") for wave in oracle.wavelengths(8)]
    return [f"{position:,}", *chain(*zip("0123", turned, strict=True))]


def assert_painted(image, exact, least, most):
    """`image` has the colours of the matrix `exact`, and lies where the published one does."""
    _, data = image.evaluate(script("sliders.js", "pixels"))
    shares = (np.asarray(exact, float) - least) / (most - least)
    signed = least == -most
    wanted = coloured(2 * shares - 1) if signed else 255 * colormaps["viridis"](shares)
    found = np.reshape(data, wanted.shape)
    assert abs(on_paper(found) - on_paper(wanted)).max() <= 6  # a polynomial approximates viridis
    assert image.evaluate(script("sliders.js", "inPlace"))


def of_head(one, offset, gain):
    images = one.host.locator("image.redrawing").all()
    for image, strength in zip(images, (1, gain), strict=True):
        assert_painted(image, quantity_oracle.head_weights(64, 512, offset, strength), 0, 1)
    expect(one.host.locator("g.redrawing text")).to_have_text(f"gain {gain}")
    weight = text(quantity_oracle.target_weight(64, 512, offset, gain), ".4f")
    return [str(gain), str(offset), *[str(offset)] * bool(offset), weight, text(1 / 64, ".4f")]


def of_shift(one, position, offset):
    assert_painted(one.host.locator("image.redrawing"), oracle.shift_matrix(offset, 8), -1, 1)
    places = [0, offset, position, position + offset]
    names = [f"{('p', 'p + k')[i % 2]} = {text(place, 'd')}" for i, place in enumerate(places)]
    words = one.host.locator("g.redrawing text")
    expect(words).to_have_text([*names, f"M for k = {text(offset, 'd')}"])
    lines = paths(one, ".redrawing path[style]")
    shades, wedges, hands = lines[:8], lines[8:16], lines[16:]
    for place, p in enumerate(places):  # two on each wall
        exact = oracle.encode(p, 8).astype(float).reshape(4, 2)
        for pair in range(4):
            clock = 4 * (place // 2) + pair
            centre, tip = hands[2 * clock + place % 2]
            ((right, up),) = directions([(centre, tip)])
            np.testing.assert_allclose((right, up) / np.hypot(right, up), exact[pair], atol=5e-3)
            np.testing.assert_array_equal(shades[clock], wedges[clock][:-1])
            edge = wedges[clock][(1, -2)[place % 2]]
            np.testing.assert_allclose(edge, centre + 0.8 * (tip - centre), atol=0.03)
    turns = [text(turn, ".3f") for turn in oracle.frequencies(8) * offset]
    ends = (position, position + offset)
    return [*(text(end, "d") for end in ends), *turns, "0", text(offset, "d")]


def of_rope(one, key, offset):
    hands = [line for line in paths(one, "g.redrawing path") if len(line) == 5]
    queries, keys = rotary.turned(key + offset, key)
    exact = [[tip.imag, tip.real] for pair in zip(queries, keys, strict=True) for tip in pair]
    drawn = directions(hands)
    np.testing.assert_allclose(drawn / np.hypot(*drawn[0]), np.array(exact, float), atol=5e-3)
    products = [(u * v.conjugate()).real for u, v in zip(queries, keys, strict=True)]
    said = [text(one, ".2f") for one in (*products, sum(products))]
    return [str(key + offset), str(key), *said]


def rough(value):
    """Two digits, and a power of ten below a thousandth."""
    digits, power = text(value, ".1e").split("e")
    if abs(int(power.replace("−", "-"))) < 4:
        return text(value, ".2g")
    return f"{digits} × 10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(int(power[1:])))


FORMATS = ("bfloat16", "float16", "float32")


def of_precision(one, position):
    """Errors of each format with its steps rounded, then with only the result rounded."""
    exact = [
        oracle.precision_error(position, 64, precision=f, cast_last=last)
        for last in (False, True)
        for f in FORMATS
    ]
    across, up = units(one, "x", log=True), units(one, "y", log=True)
    marks = np.array(attributes(one, ".redrawing circle", "cx", "cy"), float)
    np.testing.assert_allclose(across(marks[:, 0]), np.log10(position), atol=2e-3)
    np.testing.assert_allclose(up(marks[:, 1]), np.log10(np.array(exact, float)), atol=6e-3)
    return [f"{position:,}", *map(rough, exact)]


def of_scalings(one, times, factor):
    exact = list(rotary.dials(times, factor))
    drawn = paths(one, ".redrawing path")
    hands, arcs = ([line for line in drawn if len(line) == count] for count in (2, 61))
    radius = (hands[1][0] - hands[0][0])[0] / 2.6
    for (centre, tip), (*_, end, new) in zip(hands, exact, strict=True):
        around = [(line - centre) / radius for line in arcs]
        mine = [line[[0, -1]] for line in around if abs(line).max() < 1.1]
        shown = [(tip - centre) / radius / 0.7, *(mine[0] if mine else ())]
        wanted = [[balls.sin(a), -balls.cos(a)] for a in (end, *new)]
        np.testing.assert_allclose(shown, np.array(wanted, float), atol=5e-3)
    rows = [row for row, *_, new in exact if new]
    trained, *slowed = [str(rows.count(row)) for row in range(4)]
    apart = [text(share, ".0%") for share in rotary.apart(factor)[1:]]
    return [str(times), trained, "8", str(factor), *slowed, *apart]


PARTS = {  # page, values in the static figure, and what the part draws and says
    "sliders/clocks": ("waves", {"position": 1000}, of_clocks),
    "sliders/base": ("wavelengths", {"base": 100_000}, of_base),
    "sliders/length": ("wavelengths", {"length": 512}, of_length),
    "sliders/head": ("into-the-model", {"offset": 3, "gain": 10}, of_head),
    "sliders/shift": ("advantages", {"position": 20, "offset": 3}, of_shift),
    "sliders/rope": ("from-adding-to-turning", {"key": 2, "offset": 3}, of_rope),
    "sliders/precision": ("precision", {"position": 562}, of_precision),
    "sliders/scalings": ("longer-than-trained", {"times": 32, "factor": 32}, of_scalings),
}
PAGES = {name: f"{page}/index.html" for name, (page, *_) in PARTS.items()}
each_part = pytest.mark.parametrize("name", PAGES)
each_page = pytest.mark.parametrize("name", sorted(set(PAGES.values())))
BEFORE_CAPTION = 'e => getComputedStyle(e.querySelector("figcaption"), "::before").content'


@each_part
def test_sentence_and_drawing_are_the_oracles_and_fit_wherever_the_sliders_are(name, part):
    one, (*_, drawn_and_said) = part(name), PARTS[name]
    for kind, old, new, title, again in one.ask("lines"):  # published and redrawn
        assert (kind, title) == ("redrawing", again)
        np.testing.assert_allclose(new, old, atol=0.06)  # coordinates have one decimal
    for share, size in ((None, WIDE), (0.35, WIDE), (1, NARROW), (0, NARROW)):
        one.page.set_viewport_size(size)
        wanted = drawn_and_said(one, **one.values(share))
        assert numbers(one.says.inner_text()) == wanted
        before = one.host.evaluate(BEFORE_CAPTION)
        assert before == ("none" if share is None else '"As first drawn: "')
        assert_no_overflow(one.page)
        assert one.ask("outside") == []
    one.page.set_viewport_size(WIDE)


def test_rounding_goes_to_the_nearest_number_and_to_the_even_one_of_two():
    values = [0.0, -0.1, 1 / 3, 1e-3, 6e-5, 3e-8]  # float16 has few digits for the last ones
    values += [
        2.0**e * (1 + side * 2.0**-k)
        for e in (-9, 0, 13)
        for side in (-1, 1, 3)
        for k in (8, 9, 11, 12, 24, 25, 52)
    ]
    asked = [(value, f) for value in values for f in FORMATS]
    exact = [float(oracle.rounded(ball(value), f)) for value, f in asked]
    np.testing.assert_array_equal(node.maths("precision", "rounded", *asked), exact)


@each_part
def test_it_begins_with_the_published_figure_prints_it_and_brings_it_back(name, part):
    one = part(name)
    published, page = one.ask("shown"), one.page

    def displayed():
        """Whether some, and whether all, redrawn and published parts are displayed."""
        question = script("sliders.js", "displayed")
        kinds = (".redrawing", ".redrawn")
        return [one.host.locator(kind).evaluate_all(question) for kind in kinds]

    still = displayed()
    assert still == [[False, False], [one.host.locator(".redrawn").count() > 0, True]]
    assert not one.host.locator(".sliders-play").is_visible()  # the reader wants less motion
    one.values(0.9)
    new, old = displayed()
    assert (new, old[0]) == ([True, True], False)
    assert all(a != b for (_, a), (_, b) in zip(published, one.ask("shown"), strict=True))
    page.emulate_media(media="print")
    printed = displayed(), one.host.locator(".sliders-panel").is_visible()
    page.emulate_media(media="screen")
    assert printed == (still, False)
    one.reset.press("Enter")
    assert one.values() == PARTS[name][1]
    assert one.ask("shown") == published


# Controls


@each_part
def test_a_slider_answers_to_the_keyboard(name, part):
    """All sliders share their code: one is enough for a finger."""
    one, published = part(name), PARTS[name][1]
    said = one.host.locator(".sliders-status")
    for control, first in published.items():
        one.reset.click()
        one.slider(control).focus()
        seen = [one.values()[control]]
        for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"):
            one.page.keyboard.press(key)
            seen.append(one.values()[control])
        assert seen[0] == first < seen[1] < seen[2] < seen[3] > seen[4] > seen[5]
        assert one.values() == {**published, control: seen[5]}
    expect(said).to_have_text(one.says.inner_text())  # once the reader pauses
    assert said.get_attribute("role") == "status"
    assert one.page.locator("[aria-live], output").filter(has=one.says).count() == 0


def test_play_moves_the_position_on_until_it_is_paused(visit):
    visited = visit("waves/index.html", reduced_motion="no-preference")
    visited.is_spent, page = True, visited.page
    one = Part(page, "sliders/clocks")
    play, slider = one.host.locator(".sliders-play"), one.slider("position")
    moment = 10_000  # ms, long enough for some steps and too short for all
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    play.click()
    expect(play).to_have_text("Pause")
    page.clock.run_for(moment)
    reached = slider.evaluate("e => e.valueAsNumber")
    assert 50 < reached < 100  # from 0, not from the published 1,000
    expect(one.stage).to_have_class(re.compile("is-moved"))
    play.click()
    expect(play).to_have_text("Play")
    page.clock.run_for(moment)
    assert slider.evaluate("e => e.valueAsNumber") == reached
    play.click()
    slider.press("Home")
    expect(play).to_have_text("Play")
    page.clock.run_for(moment)
    assert slider.evaluate("e => e.valueAsNumber") == 0


def test_a_finger_moves_a_slider_by_a_tap_and_not_as_it_scrolls(visit):
    phone = visit(PAGES["sliders/shift"], **TOUCH)
    slider = Part(phone.page, "sliders/shift").slider("offset")
    box = slider.evaluate(script("sliders.js", "middle"))
    y = box["y"] + box["height"] / 2
    phone.touch(box["x"] + 0.9 * box["width"], y)
    expect(slider).not_to_have_attribute("aria-valuetext", "3")
    tapped, before = slider.get_attribute("aria-valuetext"), phone.page.evaluate("scrollY")
    phone.touch(box["x"] + 0.1 * box["width"], y, (0, -30), (0, -90), (0, -150))
    wait_until(phone.page, "before => scrollY !== before", before)
    expect(slider).to_have_attribute("aria-valuetext", tapped)


# Beside the static figure


def test_sliders_load_once_the_reader_comes_near_and_the_figure_stays_if_they_cannot(visit):
    one = visit(PAGES["sliders/head"])
    one.settle()
    assert [url for url in one.requested if "/sliders/" in url and url.endswith(".js")] == []
    one.refused, one.provoked = {"sliders/head.js"}, LOADING_FAILED
    host = one.page.locator('[data-live="sliders/head"]')
    host.scroll_into_view_if_needed()
    expect(host).to_contain_text("could not be loaded")
    for part in (".pf-stage > svg", "figcaption"):
        expect(host.locator(part).first).to_be_visible()
    expect(host.locator("input")).to_have_count(0)
    assert one.answers


@each_page
def test_nothing_moves_when_the_sliders_come(name, part):
    """On a slow phone, the reader is there before the sliders."""
    parts = [part(one) for one, page in PAGES.items() if page == name]
    page = parts[0].page
    for width in (360, 768, 1280):
        page.set_viewport_size({**WIDE, "width": width})
        heights = page.evaluate(script("sliders.js", "heights"))
        assert len(heights) == len(parts)
        assert all(abs(now - before) <= 0.5 for now, before in heights), (width, heights)


def test_the_drawing_follows_the_scheme_and_the_plot_hides_the_sliders(part):
    one = part("sliders/precision")
    figure = one.host.locator(".pf")
    one.values(0.2)
    switch = "scheme => { document.body.dataset.mdColorScheme = scheme; }"
    light = one.ask("fills")
    one.page.evaluate(switch, "slate")
    dark = one.ask("fills")
    one.page.evaluate(switch, "default")
    assert all(a != b for a, b in zip(light, dark, strict=True))
    before = one.says.inner_text()
    enliven(figure)
    expect(one.host.locator(".sliders-panel")).to_be_hidden()
    figure.locator(".pf-links button").click()
    expect_still(figure)
    expect(one.host.locator(".sliders-panel")).to_be_visible()
    assert one.says.inner_text() == before
    expect(one.stage).to_have_class(re.compile("is-moved"))


# For everyone


@pytest.mark.parametrize("name", ["sliders/clocks", "sliders/head"])  # with one slider, with two
def test_axe_finds_no_violation_once_the_sliders_have_moved(name, part):
    one = part(name)
    one.values(0.8)
    assert_accessible(one.page, within=".sliders")
    show(one.page, *LIGHT_SCREEN)
