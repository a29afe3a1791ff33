"""Figures with sliders: their numbers against the oracle, their controls, what stays behind."""

import re
from contextlib import ExitStack
from functools import cache

import numpy as np
import pytest
from matplotlib import colormaps
from playwright.sync_api import expect

from tests import balls, node, oracle, quantity_oracle
from tests.balls import ball
from tests.browsing import LOADING_FAILED, NARROW, TOUCH, WIDE, script, wait_until
from tests.figure_oracles import rotary
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


def text(value, spec):
    return oracle.formatted(value, spec)


@pytest.fixture(scope="module")
def pages(visiting):
    """A function that visits each page once."""
    visits = {}
    with ExitStack() as stack:

        def opened(name):
            if name not in visits:
                visits[name] = stack.enter_context(visiting(name))
            return visits[name].page

        yield opened


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


# The numbers


def base_says(base):
    step = oracle.log(10) / oracle.log(base)
    share = oracle.similarity(100, 512, base=base) / 256
    law = 1 - (balls.euler + oracle.log(100)) / oracle.log(base)
    return (
        f"At base {base:,}, the law takes {text(step, '.2f')} of the full similarity for every "
        f"tenfold offset. At offset 100 it leaves {text(law, '.3f')}; "
        f"the exact value is {text(share, '.3f')}."
    )


def clocks_says(position):
    turned = [text(position / wave, ".2f") for wave in oracle.wavelengths(8)]
    first, *others = [f"pair {i} has turned {turns} times" for i, turns in enumerate(turned)]
    return f"At position {position:,}, {', '.join([first, *others[:-1]])} and {others[-1]}."


def length_says(length):
    waves = oracle.wavelengths(512)
    slow = sum(length * oracle.frequencies(512) < ball("0.1"))
    return (
        f"Within {length:,} steps, {sum(waves <= length)} of the 256 pairs at base 10,000 "
        f"finish a turn. {slow} barely move: they turn by less than a tenth of a radian."
    )


def head_says(offset, gain):
    weight = quantity_oracle.target_weight(64, 512, offset, gain)
    target = f"position p − {offset}" if offset else "itself"
    return (
        f"At gain {gain}, the least weight that a position p ≥ {offset} gives to {target} is "
        f"{text(weight, '.4f')}. An equal share would be {text(1 / 64, '.4f')}."
    )


def shift_says(position, offset):
    *turns, last = [text(turn, ".3f") for turn in oracle.frequencies(8) * offset]
    return (
        f"From position {position} to {text(position + offset, 'd')} the hands turn by "
        f"{', '.join(turns)} and {last} radians, as from 0 to {text(offset, 'd')}."
    )


def rope_says(key, offset):
    pairs = zip(*rotary.turned(key + offset, key), strict=True)
    products = [(u * v.conjugate()).real for u, v in pairs]
    *first, last, score = (text(one, ".2f") for one in (*products, sum(products)))
    return (
        f"With the query at p = {key + offset} and the key at q = {key}, the products are "
        f"{', '.join(first)} and {last}. The score is {score}."
    )


def rough(value):
    """Two digits, and a power of ten below a thousandth."""
    digits, power = text(value, ".1e").split("e")
    if abs(int(power.replace("−", "-"))) < 4:
        return text(value, ".2g")
    return f"{digits} × 10⁻" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(int(power[1:])))


FORMATS = ("bfloat16", "float16", "float32")


@cache
def errors(position):
    """Of each format with its steps rounded, then with only the result rounded."""
    return [
        [oracle.precision_error(position, 64, precision=f, cast_last=last) for f in FORMATS]
        for last in (False, True)
    ]


def precision_says(position):
    low, last = errors(position)
    named = ", ".join(f"{rough(error)} in {f}" for error, f in zip(low, FORMATS, strict=True))
    return (
        f"At position {position:,} the largest error is {named}. Cast last, it is "
        f"{', '.join(map(rough, last))}."
    )


def scalings_says(times, factor):
    rows = [row for row, *_, new in rotary.dials(times, factor) if new]
    trained, linear, ntk, yarn = (rows.count(row) for row in range(4))
    _, *apart = [text(share, ".0%") for share in rotary.apart(factor)]
    return (
        f"In a text {times} times as long, {trained} of these 8 clocks reach new angles. Slowed by "
        f"a factor of {factor} it is {linear} with linear scaling, {ntk} with NTK and {yarn} with "
        f"YaRN, and neighbours are {apart[0]}, {apart[1]} and {apart[2]} as far apart as before."
    )


def test_rounding_goes_to_the_nearest_number_and_to_the_even_one_of_two():
    values = [0.0, 1.0, 257.0, 259.0, 2049.0, 2051.0, 0.1, -0.1, 1 / 3, -2 / 3, 1e-3, 6e-5, 3e-8]
    values += [
        2.0**e * (1 + side * 2.0**-k)
        for e in (-9, 0, 13)
        for side in (-1, 1)
        for k in (8, 9, 11, 12, 24, 25, 40, 52)
    ]
    asked = [(value, f) for value in values for f in FORMATS]
    exact = [float(oracle.rounded(ball(value), f)) for value, f in asked]
    np.testing.assert_array_equal(node.maths("precision", "rounded", *asked), exact)


# What is drawn


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


def points(d):
    return np.array(re.findall(r"(-?[\d.]+),(-?[\d.]+)", d), float)


def draws_base(one, base):
    across, up = units(one, "x", log=True), units(one, "y")
    dots = np.array(attributes(one, ".redrawing use", "x", "y"), float)
    offsets = np.unique(np.rint(10 ** (np.arange(73) / 24)).astype(int))
    np.testing.assert_allclose(across(dots[:, 0]), np.log10(offsets), atol=2e-3)
    exact = oracle.similarity(offsets, 512, base=base).astype(float) / 256
    np.testing.assert_allclose(up(dots[:, 1]), exact, atol=1e-3)
    line = points(attributes(one, ".redrawing path[style]", "d")[0][0])
    np.testing.assert_allclose(across(line[:, 0]), [0, 3], atol=2e-3)
    law = [1 - (balls.euler + oracle.log(k)) / oracle.log(base) for k in (1, 1000)]
    np.testing.assert_allclose(up(line[:, 1]), np.array(law, float), atol=1e-3)
    expect(one.host.locator(".redrawing text")).to_have_text(f"base {base:,}")


def draws_length(one, length):
    across = units(one, "x", log=True)
    drawn = [points(d) for (d,) in attributes(one, ".redrawing path[style]", "d")]
    turns = length / oracle.wavelengths(512)[::32].astype(float)
    for way, hand, turn in zip(drawn[:8], drawn[8:16], turns, strict=True):
        sides, ups = ((way - hand[0]) * [1, -1]).T
        turned = np.unwrap(np.arctan2(sides, ups))[-1] / (2 * np.pi)
        assert turned == pytest.approx(min(turn, 1), abs=2e-3)
        assert across(hand[0, 0]) == pytest.approx(np.log10(length / turn), abs=2e-3)
        reach = (hand[1] - hand[0]) / np.hypot(*(hand[1] - hand[0])) * [1, -1]
        exact = [np.sin(2 * np.pi * turn), np.cos(2 * np.pi * turn)]
        np.testing.assert_allclose(reach, exact, atol=5e-3)
    assert across(drawn[16][1, 0]) == pytest.approx(np.log10(length), abs=2e-3)


def draws_clocks(one, position):
    faces = one.host.locator(".redrawn").evaluate_all(
        "all => all.filter(e => !e.textContent)"
        ".map(e => e.querySelector('path[style]').getAttribute('d'))"
    )
    hands = attributes(one, ".redrawing path[style]", "d")
    exact = oracle.encode(position, 8).astype(float).reshape(4, 2)
    for (d,), face, drawn in zip(hands[1:], faces[1:], exact, strict=True):
        centre, tip = _ends(d)
        was_centre, was_tip = _ends(face)
        np.testing.assert_allclose(centre, was_centre, atol=0.06)
        radius = np.hypot(*(was_tip - was_centre))
        turned = (tip - centre) / radius * np.array([1, -1])
        np.testing.assert_allclose(turned, drawn, atol=1e-2)
    expect(one.host.locator(".redrawing text")).to_have_text(f"{position:,}")


def _ends(d):
    numbers = np.array(re.findall(r"-?[\d.]+", d), float).reshape(-1, 2)
    return numbers[0], numbers[-1]


def assert_painted(image, exact, least, most):
    """`image` has the colours of the matrix `exact`, and lies where the published one does."""
    _, data = image.evaluate(script("sliders.js", "pixels"))
    shares = (np.asarray(exact, float) - least) / (most - least)
    signed = least == -most
    wanted = coloured(2 * shares - 1) if signed else 255 * colormaps["viridis"](shares)
    found = np.reshape(data, wanted.shape)
    assert abs(on_paper(found) - on_paper(wanted)).max() <= 6  # a polynomial approximates viridis
    assert image.evaluate(script("sliders.js", "inPlace"))


def draws_head(one, offset, gain):
    images = one.host.locator("image.redrawing").all()
    for image, strength in zip(images, (1, gain), strict=True):
        assert_painted(image, quantity_oracle.head_weights(64, 512, offset, strength), 0, 1)
    titles = one.host.locator("g.redrawing text")
    expect(titles).to_have_text(f"gain {gain}")


def draws_shift(one, position, offset):
    assert_painted(one.host.locator("image.redrawing"), oracle.shift_matrix(offset, 8), -1, 1)
    said = [f"{name} = {text(p, 'd')}" for w in (0, position) for name, p in _places(w, offset)]
    words = one.host.locator("g.redrawing text")
    expect(words).to_have_text([*said, f"M for k = {text(offset, 'd')}"])
    lines = [points(d) for (d,) in attributes(one, ".redrawing path[style]", "d")]
    shades, wedges, hands = lines[:8], lines[8:16], lines[16:]
    places = [p for wall in (0, position) for _, p in _places(wall, offset)]
    for place, p in enumerate(places):  # two on each wall
        for pair, exact in enumerate(oracle.encode(p, 8).astype(float).reshape(4, 2)):
            clock = 4 * (place // 2) + pair
            centre, tip = hands[2 * clock + place % 2]
            radius = np.hypot(*(tip - centre))
            np.testing.assert_allclose((tip - centre) / radius * [1, -1], exact, atol=5e-3)
            np.testing.assert_array_equal(shades[clock], wedges[clock][:-1])
            edge = wedges[clock][(1, -2)[place % 2]]
            np.testing.assert_allclose(edge, centre + 0.8 * (tip - centre), atol=0.03)


def _places(first, offset):
    return ("p", first), ("p + k", first + offset)


def draws_rope(one, key, offset):
    drawn = [points(d) for (d,) in attributes(one, "g.redrawing path", "d")]
    hands = np.array([hand[1] - hand[0] for hand in drawn if len(hand) == 5])
    exact = [[tip.imag, -tip.real] for tip in np.ravel(rotary.turned(key + offset, key), "F")]
    radius = np.hypot(*hands[0])  # of the first query
    np.testing.assert_allclose(hands / radius, np.array(exact, float), atol=5e-3)


def draws_precision(one, position):
    across, up = units(one, "x", log=True), units(one, "y", log=True)
    marks = np.array(attributes(one, ".redrawing circle", "cx", "cy"), float)
    np.testing.assert_allclose(across(marks[:, 0]), np.log10(position), atol=2e-3)
    exact = np.array(errors(position), float).ravel()
    np.testing.assert_allclose(up(marks[:, 1]), np.log10(exact), atol=6e-3)


def draws_scalings(one, times, factor):
    exact = list(rotary.dials(times, factor))
    drawn = [points(d) for (d,) in attributes(one, ".redrawing path", "d")]
    hands, arcs = ([line for line in drawn if len(line) == count] for count in (2, 61))
    radius = (hands[1][0] - hands[0][0])[0] / 2.6
    for (centre, tip), (*_, end, new) in zip(hands, exact, strict=True):
        around = [(line - centre) / radius for line in arcs]
        mine = [line[[0, -1]] for line in around if abs(line).max() < 1.1]
        shown = [(tip - centre) / radius / 0.7, *(mine[0] if mine else ())]
        wanted = [[balls.sin(a), -balls.cos(a)] for a in (end, *new)]
        np.testing.assert_allclose(shown, np.array(wanted, float), atol=5e-3)


PARTS = {  # page, values in the static figure, what the part says and draws
    "sliders/clocks": ("waves", {"position": 1000}, clocks_says, draws_clocks),
    "sliders/base": ("wavelengths", {"base": 100_000}, base_says, draws_base),
    "sliders/length": ("wavelengths", {"length": 512}, length_says, draws_length),
    "sliders/head": ("into-the-model", {"offset": 3, "gain": 10}, head_says, draws_head),
    "sliders/shift": ("advantages", {"position": 20, "offset": 3}, shift_says, draws_shift),
    "sliders/rope": ("from-adding-to-turning", {"key": 2, "offset": 3}, rope_says, draws_rope),
    "sliders/precision": ("precision", {"position": 562}, precision_says, draws_precision),
    "sliders/scalings": (
        *("longer-than-trained", {"times": 32, "factor": 32}),
        *(scalings_says, draws_scalings),
    ),
}
PAGES = {name: f"{page}/index.html" for name, (page, *_) in PARTS.items()}
each_part = pytest.mark.parametrize("name", PAGES)
each_page = pytest.mark.parametrize("name", sorted(set(PAGES.values())))
BEFORE_CAPTION = 'e => getComputedStyle(e.querySelector("figcaption"), "::before").content'


@each_part
def test_sentence_and_drawing_are_the_oracles_and_fit_wherever_the_sliders_are(name, part):
    one, (_, published, says, draws) = part(name), PARTS[name]
    for kind, old, new, title, again in one.ask("lines"):  # published and redrawn
        assert (kind, title) == ("redrawing", again)
        np.testing.assert_allclose(new, old, atol=0.06)  # coordinates have one decimal
    assert one.says.inner_text().replace("\u00a0", " ") == says(**published)
    for share, size in ((0.35, WIDE), (0.8, WIDE), (1, NARROW), (0, NARROW)):
        one.page.set_viewport_size(size)
        values = one.values(share)
        assert one.says.inner_text().replace("\u00a0", " ") == says(**values)
        draws(one, **values)
        assert one.host.evaluate(BEFORE_CAPTION) == '"As first drawn: "'
        assert_no_overflow(one.page)
        assert one.ask("outside") == []
    one.page.set_viewport_size(WIDE)


@each_part
def test_it_begins_with_the_published_figure_prints_it_and_brings_it_back(name, part):
    one = part(name)
    published, page = one.ask("shown"), one.page

    def displayed():
        """Whether some, and whether all, redrawn and published parts are displayed."""
        question = script("sliders.js", "displayed")
        kinds = (".redrawing", ".redrawn")
        return [one.host.locator(kind).evaluate_all(question) for kind in kinds]

    everything = [True, True] if one.host.locator(".redrawn").count() else [False, True]
    assert displayed() == [[False, False], everything]
    assert not one.host.locator(".sliders-play").is_visible()  # the reader wants less motion
    assert one.host.evaluate(BEFORE_CAPTION) == "none"
    one.values(0.9)
    new, old = displayed()
    assert (new, old[0]) == ([True, True], False)
    moved = one.ask("shown")
    assert all(a != b for (_, a), (_, b) in zip(published, moved, strict=True))
    page.emulate_media(media="print")
    printed = displayed(), one.host.locator(".sliders-panel").is_visible()
    page.emulate_media(media="screen")
    assert printed == ([[False, False], everything], False)
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


THOROUGHLY = [  # `make test` looks at two pages
    name if name in list(PAGES.values())[:2] else pytest.param(name, marks=pytest.mark.thorough)
    for name in sorted(set(PAGES.values()))
]


@pytest.mark.parametrize("name", THOROUGHLY)
def test_axe_finds_no_violation_once_the_sliders_have_moved(name, part):
    moved = [part(one) for one, page in PAGES.items() if page == name]
    for one in moved:
        one.values(0.8)
    assert_accessible(moved[0].page, within=".sliders")
    show(moved[0].page, *LIGHT_SCREEN)
