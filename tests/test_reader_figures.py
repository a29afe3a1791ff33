"""Figures that readers drive: their numbers against the oracle, their controls, what they leave."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from matplotlib import colormaps
from playwright.sync_api import expect

from tests import oracle, quantity_oracle, site_files
from tests.browsing import ANSWERED, NARROW, script
from tests.page_actions import assert_accessible, assert_no_overflow, enliven, expect_still
from tests.page_text import SITE

pytestmark = pytest.mark.browser

PAGES = {
    "sliders/clocks": "waves/index.html",
    "sliders/base": "wavelengths/index.html",
    "sliders/length": "wavelengths/index.html",
    "sliders/head": "into-the-model/index.html",
    "sliders/shift": "advantages/index.html",
    "sliders/precision": "precision/index.html",
}
PUBLISHED = {
    "sliders/clocks": {"position": 100},
    "sliders/base": {"base": 10_000},
    "sliders/length": {"length": 512},
    "sliders/head": {"offset": 3, "gain": 10},
    "sliders/shift": {"position": 10, "offset": 2},
    "sliders/precision": {"position": 562},
}
CONTROLS = [(part, name) for part, names in PUBLISHED.items() for name in names]


class Part:
    """A live part of a page: its sliders, its sentence, its drawings."""

    def __init__(self, page, name):
        self.page, self.name = page, name
        self.host = page.locator(f'[data-live="{name}"]')
        self.stage = self.host.locator(".pf-stage").first
        self.says = self.host.locator(".sliders-sentence")
        self.host.scroll_into_view_if_needed()
        self.reset = self.host.get_by_role("button", name="Reset")
        expect(self.says).not_to_be_empty()

    def slider(self, name):
        return self.host.locator(f"#slider-{name}")

    def value(self, name):
        """The number beside a slider, once it is drawn."""
        self.page.evaluate(ANSWERED)
        shown = self.slider(name).locator("xpath=following-sibling::span").inner_text()
        assert self.slider(name).get_attribute("aria-valuetext") == shown
        value = float(shown.replace("−", "-").replace(",", ""))
        return int(value) if value % 1 == 0 else value

    def values(self):
        return {name: self.value(name) for name in PUBLISHED[self.name]}

    def at(self, share):
        """All sliders moved to that share of their way, and the values that they take."""
        for name in PUBLISHED[self.name]:
            most = int(self.slider(name).get_attribute("max"))
            self.slider(name).fill(str(round(share * most)))
        return self.values()


def text(value, spec):
    return oracle.formatted(value, spec)


@pytest.fixture(scope="module")
def pages(visiting):
    """A page, visited once, by its name."""
    visits = {}

    def opened(name):
        if name not in visits:
            visits[name] = visiting(name)
            visits[name] = (visits[name], visits[name].__enter__())
        return visits[name][1].page

    yield opened
    for manager, _ in visits.values():
        manager.__exit__(None, None, None)


@pytest.fixture
def part(pages):
    """A function that gives a live part as it is at first, and takes back what was done to it."""
    used = []

    def opened(name):
        used.append(Part(pages(PAGES[name]), name))
        return used[-1]

    yield opened
    for one in used:
        one.reset.click()
        one.page.mouse.move(0, 0)


# The numbers

SHARES = [0, 0.35, 0.8, 1]


def base_says(base):
    step = oracle.log(10) / oracle.log(base)
    share = oracle.similarity(100, 512, base=base) / 256
    law = 1 - (oracle.mp.euler + oracle.log(100)) / oracle.log(base)
    return (
        f"At base {base:,}, the law takes {text(step, '.2f')} of the full similarity for every "
        f"tenfold offset. At offset 100 it leaves {text(law, '.3f')}; "
        f"the exact value is {text(share, '.3f')}."
    )


def clocks_says(position):
    turned = [text(position / wave, ".2f") for wave in oracle.wavelengths(8)]
    first, *others = [f"pair {i} has turned {turns} times" for i, turns in enumerate(turned)]
    return f"At position {position}, {', '.join([first, *others[:-1]])} and {others[-1]}."


def length_says(length):
    waves = oracle.wavelengths(512)
    slow = sum(length * oracle.frequencies(512) < oracle.mp.mpf("0.1"))
    return (
        f"Within {length:,} positions, {sum(waves <= length)} of the 256 pairs at base 10,000 "
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
    first, last = oracle.frequencies(16)[[0, 7]] * offset
    there = text(position + offset, "d")
    return (
        f"From position {position} to {there}, pair 0 turns by {text(first, '.2f')} radians and "
        f"pair 7 by {text(last, '.4f')}. The first matrix times the row of {position} gives the "
        f"row of {there}, "
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


SAYS = {
    "sliders/clocks": clocks_says,
    "sliders/base": base_says,
    "sliders/length": length_says,
    "sliders/head": head_says,
    "sliders/shift": shift_says,
    "sliders/precision": precision_says,
}


@pytest.mark.parametrize("name", PAGES)
def test_the_sentence_is_right_at_first_and_wherever_the_sliders_stand(name, part):
    one = part(name)
    assert one.values() == PUBLISHED[name]
    for share in (None, *SHARES):
        values = PUBLISHED[name] if share is None else one.at(share)
        said = one.says.inner_text().replace("\u00a0", " ")
        assert said.startswith(SAYS[name](**values))
        if name != "sliders/shift":
            assert said == SAYS[name](**values)
        elif not said.endswith("exactly."):
            off = re.search(r"to within (.*) × 10⁻¹[⁵⁶]\.$", said)
            assert off, said


PRECISION = site_files.address("assets/maths/precision.js") if SITE.is_dir() else ""


def computed(page, code, argument):
    return page.evaluate(
        f"async given => {{ const m = await import('{PRECISION}'); return ({code})(given); }}",
        argument,
    )


def test_low_precision_in_the_browser_is_the_oracles_to_1e_13(part):
    page = part("sliders/precision").page
    positions = [0, 1, 3, 7, 255, 256, 257, 511, 562, 1000, 2049, 4097, 10_000, 56_234]
    code = """([positions, last]) => positions.map(p =>
      Object.values(m.FORMATS).map(format => m.precisionError(p, 64, format, last)))"""
    for last in (False, True):
        found = computed(page, code, [positions, last])
        exact = [
            [oracle.precision_error(p, 64, precision=f, cast_last=last) for f in FORMATS]
            for p in positions
        ]
        assert oracle.largest_error(found, np.array(exact)) <= 1e-13


def test_rounding_goes_to_the_nearest_number_and_to_the_even_one_of_two(part):
    page = part("sliders/precision").page
    values = [0.0, 1.0, 257.0, 259.0, 2049.0, 2051.0, 0.1, -0.1, 1 / 3, -2 / 3, 1e-3, 6e-5, 3e-8]
    values += [
        2.0**e * (1 + side * 2.0**-k)
        for e in (-9, 0, 13)
        for side in (-1, 1)
        for k in (8, 9, 11, 12, 24, 25, 40, 52)
    ]
    values += [float(x) for x in np.random.default_rng(0).uniform(-1, 1, 300)]
    code = "values => values.map(v => Object.values(m.FORMATS).map(f => m.rounded(v, f)))"
    found = computed(page, code, values)
    exact = [[float(oracle.rounded(oracle.mp.mpf(v), f)) for f in FORMATS] for v in values]
    np.testing.assert_array_equal(found, exact)


# What is drawn

TICKS = """stage => {
  const plain = text => text.replace("−", "-").replaceAll(",", "");
  const ups = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  const value = text => text.startsWith("10") && /[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/.test(text)
    ? 10 ** Number([...text.slice(2)].map(c => c === "⁻" ? "-" : ups.indexOf(c)).join(""))
    : Number(plain(text));
  const ticks = { x: [], y: [] };
  for (const use of stage.querySelectorAll("g > g > g > use")) {
    const label = use.closest("g").parentNode.nextElementSibling?.querySelector("text")
      ?? use.parentNode.nextElementSibling?.querySelector?.("text");
    if (!label || Number.isNaN(value(label.textContent))) continue;
    const side = label.style.textAnchor === "middle" ? "x" : "y";
    ticks[side].push([value(label.textContent), Number(use.getAttribute(side))]);
  }
  return ticks;
}"""


def units(part, side, *, log=False, stage=None):
    """From the drawing's units to those of the axis, by the labels of its ticks."""
    ticks = (stage or part.stage).evaluate(TICKS)[side]
    values, places = np.array(sorted(ticks)).T
    values = np.log10(values) if log else values
    slope, start = np.polyfit(places, values, 1)
    assert np.abs(start + slope * places - values).max() < abs(slope) * 0.1
    return lambda place: start + slope * np.asarray(place, float)


def attributes(part, selector, *names):
    return part.host.locator(selector).evaluate_all(
        "(all, names) => all.map(e => names.map(name => e.getAttribute(name)))", list(names)
    )


def points(d):
    return np.array(re.findall(r"(-?[\d.]+),(-?[\d.]+)", d), float)


@pytest.mark.parametrize("share", SHARES)
def test_the_dots_and_the_line_of_a_base_are_the_oracles(share, part):
    one = part("sliders/base")
    base = one.at(share)["base"]
    across, up = units(one, "x", log=True), units(one, "y")
    dots = np.array(attributes(one, ".redrawing use", "x", "y"), float)
    offsets = np.unique(np.rint(10 ** (np.arange(73) / 24)).astype(int))
    np.testing.assert_allclose(across(dots[:, 0]), np.log10(offsets), atol=2e-3)
    exact = oracle.similarity(offsets, 512, base=base).astype(float) / 256
    np.testing.assert_allclose(up(dots[:, 1]), exact, atol=1e-3)
    line = points(attributes(one, ".redrawing path[style]", "d")[0][0])
    np.testing.assert_allclose(across(line[:, 0]), [0, 3], atol=2e-3)
    law = [1 - (oracle.mp.euler + oracle.log(k)) / oracle.log(base) for k in (1, 1000)]
    np.testing.assert_allclose(up(line[:, 1]), np.array(law, float), atol=1e-3)
    expect(one.host.locator(".redrawing text")).to_have_text(f"base {base:,}")


@pytest.mark.parametrize("share", SHARES)
def test_the_bar_over_a_length_sorts_the_pairs(share, part):
    one = part("sliders/length")
    length = one.at(share)["length"]
    across, up = units(one, "x", log=True), units(one, "y")
    waves, phases = oracle.wavelengths(512), length * oracle.frequencies(512)
    ends = [0, sum(waves <= length), sum(phases >= oracle.mp.mpf("0.1")), 256]
    wanted = [(a, b) for a, b in pairwise(ends) if b > a]
    bars = [
        [float(number) for number in re.fullmatch(r"M(.*),(.*)V(.*)", d).groups()]
        for (d,) in attributes(one, ".redrawing path", "d")
    ]
    np.testing.assert_allclose(across([x for x, *_ in bars]), np.log10(length), atol=2e-3)
    np.testing.assert_allclose(up([ys for _, *ys in bars]), wanted, atol=0.2)
    words = one.host.locator(".redrawing text").all_text_contents()
    assert [int(word.split()[0]) for word in words] == [b - a for a, b in wanted]


@pytest.mark.parametrize("share", SHARES)
def test_the_hands_of_a_position_are_the_oracles(share, part):
    one = part("sliders/clocks")
    position = one.at(share)["position"]
    faces = one.host.locator(".redrawn").evaluate_all(
        "all => all.filter(e => !e.textContent)"
        ".map(e => e.querySelector('path[style]').getAttribute('d'))"
    )
    hands = attributes(one, ".redrawing path[style]", "d")
    exact = oracle.encode(position, 8).astype(float).reshape(4, 2)
    old = oracle.encode(100, 8).astype(float).reshape(4, 2)
    for (d,), face, (sine, cosine), (was_sine, was_cosine) in zip(
        hands, faces, exact, old, strict=True
    ):
        centre, tip = _ends(d)
        was_centre, was_tip = _ends(face)
        np.testing.assert_allclose(centre, was_centre, atol=0.06)
        radius = np.hypot(*(was_tip - was_centre))
        turned = (tip - centre) / radius * np.array([1, -1])
        np.testing.assert_allclose(turned, [sine, cosine], atol=5e-3)
        assert np.hypot(was_sine, was_cosine) == pytest.approx(1)
    expect(one.host.locator(".redrawing text")).to_have_text(f"p = {position}")


def _ends(d):
    numbers = np.array(re.findall(r"-?[\d.]+", d), float).reshape(-1, 2)
    return numbers[0], numbers[-1]


def test_play_moves_the_position_on_until_it_is_paused(visit):
    page = visit("waves/index.html", reduced_motion="no-preference").page
    one = Part(page, "sliders/clocks")
    play, slider = one.host.locator(".sliders-play"), one.slider("position")
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    play.click()
    expect(play).to_have_text("Pause")
    page.clock.run_for(5 * 120)
    assert slider.evaluate("e => e.valueAsNumber") == 105
    expect(one.stage).to_have_class(re.compile("is-moved"))
    play.click()
    expect(play).to_have_text("Play")
    page.clock.run_for(5 * 120)
    assert slider.evaluate("e => e.valueAsNumber") == 105
    play.click()
    slider.press("Home")
    expect(play).to_have_text("Play")
    page.clock.run_for(5 * 120)
    assert slider.evaluate("e => e.valueAsNumber") == 0


def test_nothing_plays_for_a_reader_who_wants_less_motion(visit):
    page = visit("waves/index.html", reduced_motion="reduce").page
    one = Part(page, "sliders/clocks")
    assert one.slider("position").is_visible()
    assert not one.host.locator(".sliders-play").is_visible()


PIXELS = """image => new Promise(done => {
  const picture = new Image();
  picture.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"),
      { width: picture.width, height: picture.height });
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0);
    done([picture.width, [...context.getImageData(0, 0, picture.width, picture.height).data]]);
  };
  picture.src = image.href.baseVal;
})"""


def assert_painted(image, exact, least, most):
    """`image` has the colours of the matrix `exact`, and lies where the published one does."""
    width, data = image.evaluate(PIXELS)
    pixels = np.reshape(data, (-1, width, 4))[:, :, :3]
    wanted = (
        colormaps["viridis"]((np.asarray(exact, float) - least) / (most - least))[..., :3] * 255
    )
    assert pixels.shape == wanted.shape
    assert abs(pixels - wanted).max() <= 6  # viridis is fitted by a polynomial
    for name in ("transform", "width", "height"):
        same = "(e, name) => e.getAttribute(name) === e.previousElementSibling.getAttribute(name)"
        assert image.evaluate(same, name)


@pytest.mark.parametrize("share", [0, 0.3, 1])
def test_the_maps_and_the_curves_of_a_head_are_the_oracles(share, part):
    one = part("sliders/head")
    values = one.at(share)
    offset, gain = values["offset"], values["gain"]
    images = one.host.locator("image.redrawing").all()
    for image, strength in zip(images, (1, gain), strict=True):
        assert_painted(image, quantity_oracle.head_weights(64, 512, offset, strength), 0, 1)
    titles = one.host.locator("g.redrawing text")
    expect(titles).to_have_text(f"gain {gain}")
    stage = one.host.locator(".pf-stage").nth(1)
    across, up = (units(one, side, stage=stage) for side in "xy")
    curves = [points(d) for (d,) in attributes(one, ".redrawing path[style]", "d")]
    assert len(curves) == 3
    for curve, width in zip(curves, (512, 128, 64), strict=True):
        np.testing.assert_allclose(across(curve[:, 0]), np.arange(0, 40.5, 0.5), atol=0.05)
        for index in (0, 8, 60):
            exact = quantity_oracle.target_weight(64, width, offset, index / 2)
            assert abs(up(curve[index, 1]) - exact) < 2e-3
    x, y = map(float, attributes(one, ".redrawing circle", "cx", "cy")[0])
    assert abs(across(x) - gain) < 0.05
    assert abs(up(y) - quantity_oracle.target_weight(64, 512, offset, gain)) < 2e-3


@pytest.mark.parametrize("share", [0, 0.7, 1])
def test_the_hands_and_the_matrices_of_a_shift_are_the_oracles(share, part):
    one = part("sliders/shift")
    values = one.at(share)
    position, offset = values["position"], values["offset"]
    images, titles = one.host.locator("image.redrawing").all(), one.host.locator("g.redrawing text")
    for image, k in zip(images, (offset, -offset), strict=True):
        assert_painted(image, oracle.shift_matrix(k, 16), -1, 1)
    expect(titles).to_have_text([f"k = {text(k, 'd')}" for k in (offset, -offset)])
    ends = [points(d)[1] for (d,) in attributes(one, ".sliders-clocks path", "d")]
    for first, p in enumerate((position + offset, position)):
        exact = oracle.encode(p, 16).astype(float).reshape(8, 2)
        np.testing.assert_allclose(ends[first::2] / np.array([9, -9]), exact, atol=1e-3)


@pytest.mark.parametrize("share", SHARES)
def test_the_marks_over_a_position_are_the_oracles(share, part):
    one = part("sliders/precision")
    position = one.at(share)["position"]
    across, up = units(one, "x", log=True), units(one, "y", log=True)
    marks = np.array(attributes(one, ".redrawing circle", "cx", "cy"), float)
    np.testing.assert_allclose(across(marks[:, 0]), np.log10(position), atol=2e-3)
    exact = np.array(errors(position), float).ravel()
    np.testing.assert_allclose(up(marks[:, 1]), np.log10(exact), atol=6e-3)


# Controls


@pytest.mark.parametrize(("name", "control"), CONTROLS)
def test_a_slider_answers_to_the_keyboard(name, control, part):
    one = part(name)
    slider, published = one.slider(control), PUBLISHED[name][control]
    slider.focus()
    seen = [one.value(control)]
    for key in ("ArrowRight", "ArrowRight", "End", "ArrowLeft", "Home"):
        one.page.keyboard.press(key)
        seen.append(one.value(control))
    assert seen[0] == published < seen[1] < seen[2] < seen[3] > seen[4] > seen[5]
    others = {key: value for key, value in one.values().items() if key != control}
    assert others == {key: PUBLISHED[name][key] for key in others}
    focused = slider.evaluate("e => getComputedStyle(e).outlineStyle")
    assert focused == "solid"


@pytest.mark.parametrize(("name", "control"), CONTROLS)
def test_a_slider_answers_to_the_mouse(name, control, part):
    one = part(name)
    slider = one.slider(control)
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    y, before = box["y"] + box["height"] / 2, one.says.inner_text()
    one.page.mouse.move(box["x"] + 0.9 * box["width"], y)
    one.page.mouse.down()
    far = one.value(control)
    one.page.mouse.move(box["x"] + 0.1 * box["width"], y, steps=3)
    one.page.mouse.up()
    near = one.value(control)
    assert far > PUBLISHED[name][control] > near
    assert one.says.inner_text() != before
    expect(one.stage).to_have_class(re.compile("is-moved"))


@pytest.fixture(scope="module")
def phone(visiting):
    """A phone's page, visited once, and its protocol."""
    visits = {}

    def opened(name):
        if name not in visits:
            options = {"has_touch": True, "is_mobile": True, "viewport": NARROW}
            manager = visiting(name, **options)
            visits[name] = (manager, manager.__enter__())
        return visits[name][1]

    yield opened
    for manager, _ in visits.values():
        manager.__exit__(None, None, None)


@pytest.mark.parametrize(("name", "control"), CONTROLS)
def test_a_slider_answers_to_a_finger_that_does_not_scroll(name, control, phone):
    visit = phone(PAGES[name])
    one = Part(visit.page, name)
    one.reset.click()
    slider = one.slider(control)
    slider.evaluate("e => e.scrollIntoView({ block: 'center' })")
    box = slider.bounding_box()
    x, y = box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2
    scrolled = visit.page.evaluate("scrollY")
    visit.touch(x, y, (0, -30), (0, -90), (0, -150))
    visit.page.wait_for_function("before => scrollY > before + 50", arg=scrolled)
    assert one.value(control) == PUBLISHED[name][control], "a finger that scrolls moves no slider"
    visit.page.evaluate(
        script("page.js", "atRest")
    )  # or what is left of the fling takes the slider from the finger
    slider.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    visit.page.evaluate(script("page.js", "atRest"))
    visit.touch(x, y)
    visit.page.evaluate(ANSWERED)
    assert one.value(control) > PUBLISHED[name][control]


SEEN = """host => [...host.querySelectorAll(".pf-stage")].map(stage => {
  const copy = stage.cloneNode(true);
  const all = [...stage.querySelectorAll("*")];
  const hidden = new Set(all.map((e, k) => e.checkVisibility() || e.closest("defs") ? -1 : k));
  [...copy.querySelectorAll("*")].forEach((e, k) => { if (hidden.has(k)) e.remove(); });
  return [stage.className, copy.innerHTML];
})"""


@pytest.mark.parametrize("name", PAGES)
def test_reset_brings_the_published_figure_back(name, part):
    one = part(name)
    published = one.host.evaluate(SEEN)
    for press in (lambda: one.reset.click(), lambda: one.reset.press("Enter")):
        one.at(0.9)
        moved = one.host.evaluate(SEEN)
        assert all(a != b for (_, a), (_, b) in zip(published, moved, strict=True))
        press()
        assert one.values() == PUBLISHED[name]
        assert one.host.evaluate(SEEN) == published


@pytest.mark.parametrize("name", PAGES)
def test_at_the_published_values_the_redrawn_lines_are_the_published_ones(name, part):
    one = part(name)
    drawn = """host => [...host.querySelectorAll("g.redrawn")].map(old => {
      const numbers = e => [...e.querySelectorAll(":not(defs) > :is(path[style], use)")]
        .flatMap(p => (p.getAttribute("d") ?? `${p.getAttribute("x")} ${p.getAttribute("y")}`)
          .match(/-?[\\d.]+/g).map(Number));
      const copy = old.nextElementSibling;
      return [copy.classList[0], numbers(old), numbers(copy), old.textContent, copy.textContent];
    })"""
    for kind, old, new, title, again in one.host.evaluate(drawn):
        assert kind == "redrawing"
        assert title == again
        np.testing.assert_allclose(new, old, atol=0.06)


def test_what_is_seen_is_read_out_once_the_reader_pauses(part):
    one = part("sliders/base")
    said = one.host.locator(".sliders-status")
    assert said.get_attribute("role") == "status"
    one.slider("base").focus()
    one.page.keyboard.press("ArrowRight")
    expect(said).to_have_text(one.says.inner_text())
    assert one.page.locator("[aria-live], output").filter(has=one.says).count() == 0


# Beside the static figure


@pytest.mark.parametrize("name", PAGES)
def test_it_begins_with_the_published_figure_and_prints_it(name, part):
    one = part(name)
    old, new = one.host.locator(".redrawn"), one.host.locator(".redrawing")

    def seen(parts):
        return {e.evaluate("e => getComputedStyle(e).display !== 'none'") for e in parts.all()}

    assert seen(new) == {False}
    assert seen(old) <= {True}
    one.at(0.6)
    assert seen(new) == {True}
    assert seen(old) <= {False}
    one.page.emulate_media(media="print")
    printed = seen(new), seen(old), one.host.locator(".sliders-panel").is_visible()
    one.page.emulate_media(media="screen")
    assert printed == ({False}, seen(old) and {True}, False)


@pytest.mark.parametrize("name", sorted(set(PAGES.values())))
def test_without_javascript_there_are_figures_and_no_controls(name, visit):
    page = visit(name, java_script_enabled=False).page
    assert page.locator(".sliders-panel, .redrawing, [data-live] input").count() == 0
    for figure in page.locator("[data-live] .pf").all():
        expect(figure.locator(".pf-stage > svg")).to_be_visible()
        gap = figure.evaluate(
            "e => e.querySelector('figcaption').getBoundingClientRect().top"
            " - e.querySelector('.pf-stage').getBoundingClientRect().bottom"
        )
        assert gap < 20, "a place is kept for what will not come"


def test_a_part_that_cannot_load_leaves_the_figure_as_it_is(visit):
    one = visit("advantages/index.html")
    one.refused = {"sliders/shift.js"}
    one.go("advantages/index.html")
    host = one.page.locator('[data-live="sliders/shift"]')
    host.scroll_into_view_if_needed()
    expect(host).to_contain_text("could not be loaded")
    expect(host.locator(".pf-stage > svg")).to_be_visible()
    expect(host.locator("figcaption")).to_be_visible()
    assert one.complaints
    one.complaints.clear()


def test_the_plot_comes_by_its_button_alone_and_puts_the_sliders_away(part):
    one = part("sliders/base")
    figure = one.host.locator(".pf")
    one.at(0.2)
    one.stage.hover()
    one.stage.click()
    one.page.evaluate(ANSWERED)
    expect_still(figure)
    before = one.says.inner_text()
    enliven(figure)
    expect(one.host.locator(".sliders-panel")).to_be_hidden()
    figure.locator(".pf-links button").click()
    expect_still(figure)
    expect(one.host.locator(".sliders-panel")).to_be_visible()
    assert one.says.inner_text() == before
    expect(one.stage).to_have_class(re.compile("is-moved"))


# For everyone


@pytest.mark.parametrize("name", sorted(set(PAGES.values())))
def test_axe_finds_no_violation_once_the_sliders_have_moved(name, part):
    moved = [part(one) for one, page in PAGES.items() if page == name]
    for one in moved:
        one.at(0.8)
        assert_accessible(one.page, within=f'[data-live="{one.name}"]')


@pytest.mark.parametrize("name", PAGES)
def test_it_fits_a_phone(name, phone):
    page = phone(PAGES[name]).page
    one = Part(page, name)
    for share in (0, 0.5, 1):
        one.at(share)
        assert_no_overflow(page)
        outside = one.host.evaluate(
            """host => [".redrawing text", ".redrawing circle", ".sliders-panel *"]
              .flatMap(selector => [...host.querySelectorAll(selector)])
              .filter(e => { const box = e.getBoundingClientRect();
                return box.left < 0 || box.right > innerWidth; }).map(e => e.outerHTML)"""
        )
        assert outside == []


def test_the_drawing_follows_the_scheme_by_itself(part):
    one = part("sliders/precision")
    one.at(0.5)
    fills = "host => [...host.querySelectorAll('circle')].map(e => getComputedStyle(e).fill)"
    light = one.host.evaluate(fills)
    switch = "scheme => { document.body.dataset.mdColorScheme = scheme; }"
    one.page.evaluate(switch, "slate")
    dark = one.host.evaluate(fills)
    one.page.evaluate(switch, "default")
    assert all(a != b for a, b in zip(light, dark, strict=True))


# Coming and going

GO = """async ([pages, rounds]) => {
  window.seen ??= [];
  const links = () => [...document.querySelectorAll(".md-nav--primary a")];
  for (let i = 0; i < rounds; i++) {
    for (const [to, parts] of pages) {
      const before = document.querySelector("article");
      links().find(link => link.href.endsWith(to)).click();
      const wait = () => new Promise(done => setTimeout(done, 1));
      const hosts = () => document.querySelectorAll(".sliders");
      while (before.isConnected || hosts().length < parts) await wait();
      for (const host of hosts()) {
        host.scrollIntoView({ behavior: "instant" });
        while (!host.querySelector(".sliders-sentence:not(:empty)")) await wait();
      }
      for (const slider of document.querySelectorAll(".sliders-panel input")) {
        slider.value = slider.max;
        slider.dispatchEvent(new Event("input", { bubbles: true }));
      }
      for (const kept of document.querySelectorAll(".sliders-panel, .sliders-clocks, .redrawing"))
        window.seen.push(new WeakRef(kept));
    }
  }
}"""


def test_nothing_is_left_behind_after_40_instant_navigations(visit):
    one = visit("sources/index.html")
    one.page.evaluate("window.sameDocument = true")
    pages = [
        ["waves/", 1],
        ["wavelengths/", 2],
        ["into-the-model/", 1],
        ["advantages/", 1],
        ["precision/", 1],
    ]
    one.page.evaluate(GO, [[*pages, ["sources/", 0]], 8])
    assert one.page.evaluate("window.sameDocument")
    assert one.page.evaluate("window.seen.length") >= 8 * 20
    one.context.new_cdp_session(one.page).send("HeapProfiler.collectGarbage")
    assert one.page.evaluate("window.seen.filter(kept => kept.deref()).length") == 0
