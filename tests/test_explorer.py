"""The explorer: its numbers against the oracle, its controls, its address, its files."""

import io
import re
import xml.etree.ElementTree as ElementTree
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from playwright.sync_api import expect

from tests import balls, node, oracle, site_files
from tests.browsing import NARROW, TOUCH, WIDE, answered, script, wait_until
from tests.oracle import formatted as text
from tests.page_actions import (
    DARK_PHONE,
    LIGHT_SCREEN,
    assert_accessible,
    assert_no_overflow,
    follow,
    show,
)
from tests.signed_colours import coloured, on_paper

pytestmark = pytest.mark.browser

PAGE = "explorer/index.html"
DEFAULTS = {"base": 10000, "d_model": 128, "length": 50, "position": 10, "offset": 5}
NAMES = list(DEFAULTS)
TALL = {"width": 1280, "height": 2400}  # shows all views
VIEWS = ["matrix", "clocks", "row", "profile", "wavelengths", "rotation"]


def ask(page, name, argument=None):
    return page.evaluate(script("explorer.js", name), argument)


def query(state):
    return "?" + "&".join(f"{name}={value}" for name, value in state.items())


def ready(page):
    page.wait_for_selector(".ex-matrix canvas[width]")
    expect(page.locator(".ex-sentence")).not_to_be_empty()
    return page


@pytest.fixture
def opened(visit):
    """A function that loads the explorer anew."""

    def loaded(state=None, **options):
        return ready(visit("explorer/" + query(state or {}), **options).page)

    return loaded


@pytest.fixture(scope="module")
def shared(visiting):
    """One page for all tests that need no new one."""
    with visiting(PAGE) as visit:
        yield ready(visit.page)


@pytest.fixture
def explorer(shared):
    """A function that brings the shared explorer to a state."""

    def at(state=None, viewport=WIDE):
        shared.set_viewport_size(viewport)
        shared.mouse.move(0, 0)
        ask(shared, "become", query({**DEFAULTS, **(state or {})}))
        expect_state(shared, **(state or {}))
        return shared

    return at


def expect_state(page, **state):
    """The fields, the code and the address say `state`; the address comes last."""
    wanted = {**DEFAULTS, **state}
    most = wanted["length"] - 1
    wanted |= {name: min(most, wanted[name]) for name in ("position", "offset")}
    fields = {name: f"{value:.10g}" for name, value in wanted.items()}
    named = "" if wanted["base"] == 10000 else f", base={fields['base']}"
    said = {
        "fields": fields,
        "code": f"positional_encoding({fields['length']}, {fields['d_model']}{named})",
        "address": site_files.address(PAGE) + ("" if wanted == DEFAULTS else query(fields)),
    }
    assert answered(page, script("explorer.js", "said"), said) == said


def wavelength(length):
    return text(length, ".2f" if length < 100 else ".1f" if length < 1000 else ",.0f")


# The numbers


@pytest.mark.parametrize(
    ("module", "name", "exact"),
    [
        ("encoding", "encode", oracle.encode),
        ("encoding", "similarity", oracle.similarity),
        ("encoding", "distance", oracle.distance),
        ("rotation", "shiftMatrix", oracle.shift_matrix),
    ],
)
def test_every_function_in_javascript_is_the_oracles(module, name, exact):
    asked = [*product((0, -7, 99.5, 4095), (2, 6, 32), (1, 2.5, 10_000, 123_456.789, 1e6))]
    for (k, width, base), found in zip(asked, node.maths(module, name, *asked), strict=True):
        wanted = np.array([exact(k, width, base=base)])
        bound = 1e-13 * width if name in ("similarity", "distance") else 2.3e-16
        assert oracle.largest_error(np.reshape(found, wanted.shape), wanted) <= bound, (k, base)


def turns(positions, width, base):
    """The angle of each pair at each of the positions, in float64."""
    return np.outer(positions, float(base) ** (-np.arange(0, width, 2) / width))


def rows(positions, width, base):
    angles = turns(positions, width, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(len(angles), width)


MODELS = [
    *((10_000, 512, 128), (10_000, 1024, 4096), (1e6, 64, 4096), (40, 6, 500)),
    *((1, 8, 4096), (70, 128, 63), (300, 16, 4095), (1e5, 1024, 66)),
]


def test_similarities_between_all_positions_are_right():
    with node.modules("explorer_model.js", "explorer") as call:
        for base, width, length in MODELS:
            state = {"base": base, "d_model": width, "length": length, "position": 1, "offset": 1}
            found = call("profile", state=state)
            exact = np.cos(turns(np.arange(length), width, base)).mean(axis=1)
            np.testing.assert_allclose(found["similarities"], exact, rtol=0, atol=5e-5)
            assert found["lowest"] == (-1 if (exact < -0.5).any() else -0.5)


def test_a_task_is_done_where_the_oracle_says_so():
    asked = [*product((1, 3.3, 3.5, 8, 9, 10_000), (2, 8, 128), (-4, -3, 0, 2, 3, 4))]
    states = [{**DEFAULTS, "base": b, "d_model": d, "offset": k} for b, d, k in asked]
    with node.modules("explorer_model.js", "explorer") as call:
        found = call("tasks", states=states)
    for (base, width, offset), done in zip(asked, found, strict=True):
        alike = oracle.similarity(range(50), width, base=base)
        rises = next(k for k in range(49) if alike[k + 1] > alike[k])
        far = oracle.distance(1, width, base=base) > 0.3 * balls.sqrt(2 * width)
        slow = balls.largest(oracle.wavelengths(width, base=base)) <= 50
        assert done == [width == 8 and abs(offset) == rises, slow, width == 128 and far]


# The views


def assert_matrix(page, base, width, length, *_):
    """Each pixel has the colour of its value; the title says if the fastest waves do not show."""
    columns, tall, data = ask(page, "cells")
    box = page.locator(".ex-matrix canvas").bounding_box()
    assert columns == min(width, round(box["width"]))
    assert tall == min(length, round(box["height"]))
    positions = np.floor((np.arange(tall) + 0.5) * length / tall)[:: max(1, tall // 5)]
    pairs = np.floor((np.arange(columns // 2) + 0.5) * width / columns).astype(int)
    values = rows(positions, width, base)[:, (2 * pairs[:, None] + [0, 1]).ravel()]
    pixels = np.reshape(data, (-1, columns, 4))
    assert abs(on_paper(pixels) - on_paper(coloured(values))).max() <= 3
    step, shortest = round(length / tall), round(2 * length / tall)
    few = f", one position in {step}: waves below {shortest} look longer"
    expect(page.locator("#ex-title-matrix")).to_have_text(
        "The matrix" + few * (length / tall > np.pi)
    )


def drawn(page, kind, log=False):
    """The points of each line of a view: pixels from the left, and values on its axis."""
    ticks, lines = ask(page, "points", kind)
    units = {"−": "-", "k": "e3", "M": "e6"}
    marks = []
    for label, y in ticks:
        value = float("".join(units.get(letter, letter) for letter in label))
        marks.append((np.log10(value) if log else value, y))
    (low, bottom), (high, top) = min(marks), max(marks)
    slope = (high - low) / (top - bottom)
    return [[(x, low + (y - bottom) * slope) for x, y in line] for line in lines]


def assert_drawn(line, exact, ends=None, *, aside=0.2):
    """Each point of the line lies between values of the exact curve near it, and conversely.

    Positions that share the width of a line are one stroke, from the least to the greatest.
    """
    x, values = np.transpose(line)
    places = np.linspace(*(ends or (x[0], x[-1])), len(exact))
    drawn, wanted = (x, values), (places, exact)
    for curve, points in ((drawn, wanted), (wanted, drawn)):
        between = np.linspace(places[0], places[-1], 8 * int(places[-1] - places[0]) + 2)
        dense = np.append(curve[0], between)
        along = np.append(curve[1], np.interp(between, *curve))
        for place, value in zip(*points, strict=True):
            near = along[abs(dense - place) < aside]
            assert near.min() - 3e-3 <= value <= near.max() + 3e-3, place
    # No point lies on a straight line between others, and a stroke has two.
    assert len(line) < (300 if aside < 1 else 2.6 * (places[-1] - places[0]) / 1.6)


def assert_row(page, base, width, _, position, *__):
    (row,) = rows([position], width, base)
    sines, _, cosines, _ = drawn(page, "row")
    assert_drawn(sines, row[0::2])
    assert_drawn(cosines, row[1::2])


def law_of(offsets, base):
    return 1 - (np.euler_gamma + np.log(offsets)) / np.log(base)


def assert_profile(page, base, width, length, position, _):
    """Similarity, distance, and the law where it lies in the view."""
    left = 50
    view = page.locator("[data-view=profile]")
    right = view.evaluate("e => e.getBoundingClientRect().width") - 10
    alike = np.cos(turns(np.arange(length) - position, width, base)).mean(axis=1)
    distances, similarities, *law = drawn(page, "profile")
    for line, exact in ((similarities, alike), (distances, np.sqrt((1 - alike) / 2))):
        assert_drawn(line, exact, (left, right), aside=1.7 if length > 200 else 0.2)
    step = (right - left) / (length - 1)  # pixels
    for side, most, line in zip([-1, 1], [position, length - 1 - position], law[:2], strict=True):
        offsets = np.arange(1, most + 1) if base > 1 else np.array([])  # it divides by log(base)
        seen = offsets[law_of(offsets, base) >= (-1 if alike.min() < -0.5 else -0.5)]
        assert bool(seen.size) == bool(line)
        if line:
            x, values = np.transpose(line)
            corners = side * ((x - left) / step - position)
            assert abs(corners[0] - 1) < 0.1 / step
            assert -0.1 / step < corners[-1] - seen[-1] < 1 + 0.1 / step
            away = np.linspace(corners[0], corners[-1], 999)
            chords = np.interp(away, corners, values)
            assert (law_of(away + 0.051 / step, base) - 1e-3 <= chords).all()
            assert (law_of(away - 0.051 / step, base) + 1e-3 >= chords).all()


def assert_wavelengths(page, base, width, length, *_):
    """Dots are the dashes of a line: without length, one for each pair, with visible ends."""
    dotted = [one for one in ask(page, "strokes") if one["colour"].startswith("var(--fig-")]
    lines = [[y for _, y in line] for line in drawn(page, "wavelengths", log=True)[: len(dotted)]]
    assert all(stroke["ends"] != "butt" for stroke in dotted)
    exact = oracle.wavelengths(width, base=base)
    finished = sum(exact <= length)
    view = page.locator("[data-view=wavelengths]")
    expect(view).to_contain_text(f"finish a turn: {finished}")
    expect(view).to_contain_text(f"do not: {width // 2 - finished}")
    shown = {stroke["colour"]: len(line) for stroke, line in zip(dotted, lines, strict=True)}
    counts = {"var(--fig-1)": finished, "var(--fig-2)": width // 2 - finished}
    assert shown == {colour: count for colour, count in counts.items() if count}
    for stroke in dotted:
        is_one = shown[stroke["colour"]] == 1
        assert is_one or re.findall(r"[\d.]+", stroke["dashes"]) == ["0", "1"]
    np.testing.assert_allclose(np.concatenate(lines), np.log10(exact.astype(float)), atol=5e-3)


def spread(pairs, count):
    """Up to `count` pairs, evenly over all."""
    return np.floor(np.linspace(0, pairs - 1, min(pairs, count)) + 0.5).astype(int)


def hands_of(dials, series):
    """Sine and cosine that each hand of the series points to: clockwise from the top."""
    hands = [hand for stroke, *hand in dials["hands"] if stroke.startswith(f"var(--fig-{series}")]
    x1, y1, x2, y2 = np.transpose(hands)
    x, y, r = np.transpose(dials["faces"])
    np.testing.assert_array_equal([x1, y1], [x, y])
    far = np.hypot(x2 - x1, y1 - y2)
    assert ((r / 2 < far) & (far < r)).all()  # long enough to read, and inside the face
    return np.transpose([x2 - x1, y1 - y2] / far)


def below(dials, face):
    """The texts under a face, from the top to the bottom and from the left to the right."""
    x, y, r = face
    near = [text for text in dials["texts"] if abs(text[0] - x) < r and 0 < text[1] - y - r < 80]
    return [text for *_, text in sorted(near, key=lambda text: (text[1], text[0]))]


def assert_dials(page, base, width, _, position, offset):
    """Hands, arcs, angles and matrices: a matrix times the hand at p is the hand at p + k."""
    dials = ask(page, "dials", "clocks")
    here, there = rows([position, position + offset], width, base).reshape(2, -1, 2)
    pairs = spread(width // 2, 8)
    np.testing.assert_allclose(hands_of(dials, "p"), here[pairs], atol=6e-3)
    colours = [f"var(--fig-p{place})" for place in spread(8, len(pairs))]
    assert [stroke for stroke, *_ in dials["hands"]] == colours, "from fast to slow"
    lengths = oracle.wavelengths(width, base=base)[pairs]
    for pair, length, face in zip(pairs, lengths, dials["faces"], strict=True):
        assert below(dials, face)[:2] == [f"pair {pair}", f"λ {wavelength(length)}"]
    dials, pairs = ask(page, "dials", "rotation"), spread(width // 2, 4)
    np.testing.assert_allclose(hands_of(dials, 1), here[pairs], atol=6e-3)
    np.testing.assert_allclose(hands_of(dials, 2), there[pairs], atol=6e-3)
    angles = offset * oracle.frequencies(width, base=base)[pairs]
    for pair, angle, face, arc in zip(pairs, angles, dials["faces"], dials["arcs"], strict=True):
        name, radians, *numbers = below(dials, face)
        assert (name, radians) == (f"pair {pair}", f"{text(angle, '.2f').replace('−', '-')} rad")
        matrix = np.reshape([float(number) for number in numbers], (2, 2))
        np.testing.assert_allclose(matrix @ here[pair], there[pair], atol=0.011)
        assert bool(arc) == (abs(angle) >= 0.02)
        if arc:  # it goes round, many corners to a turn
            x, y = np.transpose(np.array(arc) - face[:2]) * [[1], [-1]]
            turned = float(abs(angle)) % (2 * np.pi) * np.sign(offset)
            phases = np.arctan2(*here[pair]) + np.linspace(0, turned, len(arc))
            assert abs(phases[1] - phases[0]) < 0.25
            radius = 0.45 * face[2]
            wanted = radius * np.array([np.sin(phases), np.cos(phases)])
            np.testing.assert_allclose([x, y], wanted, atol=0.3)  # coordinates have one decimal


def assert_sentence(page, base, width, length, _, offset):
    lengths, away, pairs = oracle.wavelengths(width, base=base), abs(offset), width // 2
    slow = sum(2 * balls.pi * length / one < 0.1 for one in lengths)
    law = " At base 1 all pairs turn at one speed, and the law would divide by zero."
    if away == 0:
        law = ""
    elif base > 1 and away < base and away < balls.pi * width / balls.log(base):
        share = 1 - (balls.euler + balls.log(away)) / balls.log(base)
        law = f" The law, an approximation for wide models, gives {text(share * pairs, '.2f')}."
    elif base > 1:
        law = " The law, an approximation, does not hold so far away at this width and base."
    expect(page.locator(".ex-sentence")).to_have_text(
        f"Hands that finish a turn within {length:,} steps: {sum(lengths <= length)} of {pairs}; "
        f"the slowest needs {wavelength(lengths[-1])}. Hands that turn by less than a tenth of a "
        f"radian: {slow}. Rows {away} apart have a similarity of "
        f"{text(oracle.similarity(offset, width, base=base), '.2f')} of at most {pairs} and a "
        f"distance of {text(oracle.distance(offset, width, base=base), '.3f')}.{law}"
    )


STATES = [
    *(tuple(DEFAULTS.values()), (10_000, 1024, 50, 10, -49), (10_000, 128, 1000, 333, 90)),
    *((1e6, 1024, 4096, 4000, -49), (1, 2, 50, 10, 3), (1.5, 16, 60, 58, 1), (2, 10, 50, 10, 0)),
    *((40, 16, 4096, 1500, 7), (10_000, 16, 4, 1, 2), (182, 4, 64, 63, -40)),
]


@pytest.mark.parametrize("state", STATES, ids=str)
def test_each_view_and_the_sentence_are_the_oracles(state, explorer):
    page = explorer(dict(zip(NAMES, state, strict=True)), viewport=TALL)
    assert_matrix(page, *state)
    assert_row(page, *state)
    assert_profile(page, *state)
    assert_wavelengths(page, *state)
    assert_dials(page, *state)
    assert_sentence(page, *state)


def test_what_is_changed_in_place_is_what_a_new_page_draws(explorer, visit):
    """Views keep their elements, and axes and limits that need no change: none may be stale."""
    page = explorer({"base": 20_000, "d_model": 4, "length": 300}, viewport=TALL)
    new = visit(PAGE, viewport=TALL)
    for name, steps in zip(NAMES, (40, 16, -12, 12, -9), strict=True):
        page.locator(f"[data-slider={name}]").focus()
        for _ in range(abs(steps)):
            page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        new.go("explorer/" + query(ask(page, "state")))
        assert ask(page, "everything") == ask(ready(new.page), "everything"), name


def test_a_change_is_drawn_at_once_and_what_has_no_room_in_a_frame_waits_for_the_next(opened):
    """If the frame drew every change, the browser would lay out the page twice.

    The part that has waited longest comes first, even if the reader moves on meanwhile.
    """
    page = opened(viewport=TALL)
    ask(page, "stopTime")
    ask(page, "neverPause")
    ask(page, "hurry")
    first, *others = [[part] for part in (*VIEWS, "sentence", "code")]
    last = [*others.pop(), "drawn"]
    ask(page, "drawAll")
    assert ask(page, "frames", [1, False]) == [first, [], *others, last]
    assert ask(page, "frames", [2, False]) == [first, [], *others, last[:1], [*first, "drawn"]]
    moving = [part for frame in ask(page, "frames", [1, True]) for part in frame]
    assert moving[: len(VIEWS) + 2] == [*VIEWS, "sentence", "code"]
    assert moving[-1] == "drawn"


SHOWN = """() => [...document.querySelectorAll('.ex-stage')].map(
    (stage) => stage.querySelector('canvas')?.toDataURL() ?? stage.innerHTML)"""
MATRIX_BEHIND = """async () => {
  const at = (selector) => document.querySelector(selector).getBoundingClientRect().bottom;
  scrollBy({ top: at("[data-view=matrix]") - 150, behavior: "instant" });
  for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  return at(".ex-panel") >= at("[data-view=matrix]");
}"""


def test_a_view_out_of_sight_waits_until_it_comes_into_sight(opened):
    """The controls stay in the window and cover views."""
    page = opened({"base": 100})
    ask(page, "neverPause")
    matrix, *_ = page.evaluate(SHOWN)
    assert page.evaluate(MATRIX_BEHIND)
    ask(page, "enter", "500")
    assert page.evaluate(SHOWN)[0] == matrix
    page.evaluate("scrollBy({ top: -30, behavior: 'instant' })")
    wait_until(page, f"matrix => ({SHOWN})()[0] !== matrix", matrix)
    *_, below = page.evaluate(SHOWN)
    page.set_viewport_size({"width": 900, "height": 4000})  # views are drawn in their new width
    wait_until(page, f"below => ({SHOWN})().at(-1) !== below", below)
    shown = page.evaluate(SHOWN)
    ask(page, "drawAll")
    assert page.evaluate(SHOWN) == shown


# Controls


def test_sliders_answer_to_the_keyboard_and_each_press_changes_the_value(explorer):
    page = explorer()
    limits = ((1, 1e6), (2, 1024), (4, 4096), (0, 4095), (-4095, 4095))
    for name, (least, most) in zip(NAMES, limits, strict=True):
        page.locator(f"[data-slider={name}]").focus()
        seen = []
        for key in ("End", "ArrowLeft", "Home", *["ArrowRight"] * 6, *["ArrowLeft"] * 6, "End"):
            page.keyboard.press(key)
            seen.append(ask(page, "state")[name])
        high, lower, *low, again = seen
        assert high == most == again > lower
        assert low[0] == least
        assert low[:7] == sorted(set(low)) == low[:5:-1]
    expect_state(page, **dict(zip(NAMES, (most for _, most in limits), strict=True)))
    expect(page.locator("[data-slider=base]")).to_have_attribute("aria-valuetext", "1000000")


def test_a_field_takes_what_is_typed_and_a_shorter_length_takes_others_along(explorer):
    page = explorer()
    typed = dict(zip(NAMES, (123.5, 6, 300, 49, -20), strict=True))
    for name, value in typed.items():
        field = page.get_by_label(page.locator(f"label[for=ex-{name}]").inner_text(), exact=True)
        field.fill("")
        field.type(str(value))
    expect_state(page, **typed)
    expect(page.locator(".ex-note")).to_be_hidden()
    page.locator("[data-field=length]").fill("20")
    expect_state(page, **typed | {"length": 20, "position": 19, "offset": -19})
    expect(page.locator("[data-field=position]")).to_have_attribute("max", "19")


def test_a_finger_taps_sliders_and_views_and_moves_nothing_as_it_scrolls(visit):
    one = visit(PAGE, **TOUCH)
    page = ready(one.page)
    slider = page.locator("[data-slider=base]")
    slider.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = slider.bounding_box()
    before = page.evaluate("scrollY")
    x, y = box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2
    one.touch(x, y, (0, -30), (0, -90), (0, -150))
    wait_until(page, "before => scrollY > before + 50", before)
    expect_state(page)
    place = slider.evaluate(script("sliders.js", "middle"))
    page.touchscreen.tap(x, place["y"] + place["height"] / 2)
    wait_until(page, "() => document.querySelector('[data-field=base]').value > 10000")
    base = ask(page, "state")["base"]
    expect_state(page, base=base)
    page.touchscreen.tap(*spot(page, "matrix", 3, 30))
    expect(page.locator("[data-reading=value]")).not_to_have_text("point at a view")
    position = int(ask(page, "readings")["position"])
    assert position > DEFAULTS["position"]
    expect_state(page, base=base, position=position)
    page.touchscreen.tap(*spot(page, "profile", 0.8, 0.5))  # this only marks
    expect(page.locator("[data-reading=value]")).to_contain_text("similarity")
    assert int(ask(page, "readings")["position"]) > position
    expect_state(page, base=base, position=position)


HARM = "base=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"


def test_the_page_says_where_the_reader_is_which_value_it_uses_instead(explorer):
    """Of what is typed into a field far from the reader, then of an address."""
    note = explorer({"base": 77}).locator(".ex-note")
    limits = {"base": "a number from 1 to 1000000", "offset": "a whole number from -49 to 49"}
    for name, typed, used in (("base", "0", 1), ("offset", "1.4", 1)):
        page = explorer()
        expect(note).to_be_hidden()
        page.locator("[data-view=rotation]").scroll_into_view_if_needed()
        field = page.locator(f"[data-field={name}]")
        field.fill(typed)
        page.keyboard.press("Enter")
        expect(note).to_have_text(f"{name} must be {limits[name]}, got “{typed}”; using {used}.")
        expect(note).to_be_in_viewport()
        expect_state(page, **{name: used})
        field.fill(str(used))  # the same, and possible
        expect(note).to_be_hidden()
    ask(page, "become", f"?{HARM}&d_model=3&length=1e9&position=0x10&offset=&nonsense=1")
    expect_state(page, d_model=2, length=4096)
    bad = ("<img src=x onerror=alert…", "3", "1e9", "0x10", "")
    expect(note).to_have_text(re.compile(".*".join(f"got “{re.escape(one)}”" for one in bad)))
    expect(note).to_contain_text("d_model must be an even number from 2 to 1024")
    assert note.locator("img").count() == 0
    ask(page, "become", "?length=10&position=999&offset=-1e999")
    expect_state(page, length=10, position=9, offset=-9)
    page.locator("[data-view=matrix]").focus()
    page.keyboard.press("ArrowRight")
    # tests/test_browser.py has axe look at the page on a dark phone, without a note and a mark.
    assert_accessible(page, [LIGHT_SCREEN], within=".ex")
    assert_accessible(page, [DARK_PHONE], within=".ex-panel")
    show(page, *LIGHT_SCREEN)


# The address


def test_each_move_and_preset_is_a_step_of_the_history_which_brings_its_state_back(opened):
    page = opened()
    ask(page, "stopTime")  # presses of one key are one move
    page.evaluate("window.sameDocument = true")
    wider = {"position": 17, "base": 500, "d_model": 1024}
    walk = [{}, {"position": 17}, {"position": 17, "base": 500}, wider]
    page.locator("[data-slider=position]").focus()
    for _ in range(7):
        page.keyboard.press("ArrowRight")
    expect_state(page, **walk[1])
    page.locator("[data-field=base]").fill("500")
    expect_state(page, **walk[2])
    page.locator("[data-slider=d_model]").press("End")
    expect_state(page, **walk[3])
    presets = page.locator("[data-preset]").all()
    assert len(presets) == 5
    for preset in reversed(presets):
        preset.click()
        walk.append(ask(page, "state"))
        sizes = [int(size) for size in re.findall(r"\d+", preset.inner_text())] or [50, 128]
        assert [walk[-1][one] for one in ("length", "d_model")] == sizes
        expect_state(page, **walk[-1])
    for state in walk[-2::-1]:
        page.go_back()
        expect_state(page, **state)
        if state is wider:
            expect(page.locator(".ex-said")).to_contain_text("within 50 steps: 171 of 512")
    for state in walk[1:]:
        page.go_forward()
        expect_state(page, **state)
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    follow(page, "wavelengths/index.html")
    page.go_back()
    expect_state(ready(page), **walk[-1])


SOLVED = {
    "Four hands, and the offset 3": {"d_model": 8, "offset": 3},
    "A base of 8": {"base": 8},
    "A base of 3": {"base": 3, "offset": 1},
}


def test_the_links_of_the_page_set_the_state_without_a_new_page_and_do_the_tasks(opened):
    page = opened()
    page.evaluate("window.sameDocument = true")
    lessons = page.locator(".ex-lesson")
    for count, (name, state) in enumerate(SOLVED.items()):
        expect(page.locator(".ex-done")).to_have_count(count)
        expect(lessons.nth(count)).to_be_hidden()
        page.get_by_role("link", name=name).press("Enter")
        expect_state(page, **state)
        expect(page.locator("[data-slider=base]")).to_be_focused()
        expect(lessons.nth(count)).to_be_visible()
        expect(page.locator(".ex-said")).to_contain_text("Done: ")
    page.get_by_role("link", name="Take the middle of a long text").click()
    expect_state(page, d_model=512, length=2048, position=1024, offset=100)
    page.go_back()
    expect_state(page, **state)
    for link in ("a.md-skip", "#next .headerlink"):  # to places on the page
        page.locator(link).focus()
        page.keyboard.press("Enter")
        place = page.locator(link).get_attribute("href")
        page.wait_for_url(re.compile(rf"explorer/\?base=3&.*{place}$"))
        assert ask(page, "state") == {**DEFAULTS, **state}
    assert page.evaluate("window.sameDocument")


def test_a_link_to_a_section_below_the_explorer_leads_there(visit):
    page = ready(visit("explorer/#three-things-to-try").page)
    heading = page.locator("#three-things-to-try")
    expect(heading).to_be_in_viewport()
    page.locator("[data-field=length]").fill("1000")  # the reader moves: nothing follows any more
    page.evaluate("scrollTo(0, 0)")
    page.locator(".ex").evaluate("host => { host.style.paddingTop = '300px'; }")
    expect(heading).not_to_be_in_viewport()


# Pointing


def spot(page, kind, right, down):
    """The middle of the cell (right, down) of the matrix, or that share of another view."""
    stage = page.locator(f"[data-view={kind}]")
    stage.scroll_into_view_if_needed()
    if kind == "matrix":
        box = stage.locator("canvas").bounding_box()
        state = ask(page, "state")
        right, down = (right + 0.5) / state["d_model"], (down + 0.5) / state["length"]
    else:
        box = stage.bounding_box()
    return box["x"] + right * box["width"], box["y"] + down * box["height"]


def reading(kind, position, dimension):
    """What is read at a place of a view in the state of the beginning."""
    if kind == "profile":
        alike, apart = (f(position - 10, 128) for f in (oracle.similarity, oracle.distance))
        value = f"similarity {text(alike, '.2f')}, distance {text(apart, '.3f')}"
        return [str(position), "–", "–", "–", value]
    pair = dimension // 2
    length, row = oracle.wavelengths(128)[pair], oracle.encode(position, 128)
    sine, cosine = (text(value, ".3f") for value in row[2 * pair : 2 * pair + 2])
    angle = text(5 * oracle.frequencies(128)[pair], ".3f")
    value = {
        "clocks": f"sine {sine}, cosine {cosine}",
        "wavelengths": f"{text(50 / length, '.2f')} turns in 50 steps",
        "rotation": f"turned by {angle} radians",
    }.get(kind, text(row[dimension], ".4f"))
    both = str(dimension) if kind in ("matrix", "row") else f"{2 * pair}, {2 * pair + 1}"
    return [str(position), both, str(pair), wavelength(length), value]


POINTED = [  # a view, a place in it, the position and the dimension there, the views with a mark
    *(("matrix", (j, p), p, j, VIEWS) for p, j in ((0, 0), (49, 127))),
    ("matrix", (7, 37), 37, 7, VIEWS[:5]),
    ("profile", (0.99, 0.5), 49, None, ["matrix", "clocks", "profile"]),
    ("clocks", (0.4, 0.2), 10, 18, VIEWS[:5]),
    ("rotation", (0.4, 0.3), 10, 42, [VIEWS[0], *VIEWS[2:]]),
    ("row", (0.45, 0.5), 10, 57, [VIEWS[0], *VIEWS[2:5]]),
    ("wavelengths", (0.45, 0.5), 10, 50, [VIEWS[0], *VIEWS[2:5]]),
]


def test_pointing_reads_a_view_out_and_marks_the_same_everywhere_and_a_drag_highlights(explorer):
    page = explorer(viewport=TALL)
    for kind, place, position, dimension, marked in POINTED:
        page.mouse.move(*spot(page, kind, *place))
        expect(page.locator("[data-reading=position]")).to_have_text(str(position))
        assert [*ask(page, "readings").values()] == reading(kind, position, dimension), kind
        assert ask(page, "marked") == marked, kind
        page.mouse.move(5, 5)
        expect(page.locator("[data-reading=value]")).to_have_text("point at a view")
        assert ask(page, "marked") == []
    page.mouse.move(*spot(page, "matrix", 3, 20))
    page.mouse.down()
    for position in (25, 30):
        page.mouse.move(*spot(page, "matrix", 3, position))
        assert ask(page, "state")["position"] == position, "it moves while the button is down"
    page.mouse.up()
    expect_state(page, position=30)


def test_the_keyboard_points_too_and_enter_highlights(explorer):
    page = explorer(viewport=TALL)
    page.locator("[data-view=matrix]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    assert [*ask(page, "readings").values()] == reading("matrix", 20, 2)
    said = "position 20, dimension 2, pair 1, wavelength 7.26, value"
    expect(page.locator(".ex-said")).to_contain_text(said)
    page.keyboard.press("End")
    assert ask(page, "readings")["dimension"] == "127"
    page.keyboard.press("Enter")
    expect_state(page, position=20)
    for kind in VIEWS[1:]:
        page.keyboard.press("Tab")
        name = page.locator(f"#ex-title-{kind}").inner_text()
        expect(page.get_by_role("application", name=name, exact=True)).to_be_focused()
        page.keyboard.press("ArrowRight")
        assert kind in ask(page, "marked")


# Files and code


def downloaded(page, kind):
    with page.expect_download() as waiting:
        page.locator(f"[data-take={kind}]").click()
    assert waiting.value.suggested_filename.endswith(f".{kind}")
    return Path(waiting.value.path()).read_bytes()


def test_files_and_the_copied_code_have_the_same_matrix_and_the_link_its_state(opened):
    width, length, base = 30, 100, 123.5
    state = {"base": base, "d_model": width, "length": length}
    page = opened(state, permissions=["clipboard-read", "clipboard-write"])
    button = page.locator("[data-copy=python]")
    button.click()
    expect(button).to_have_text("Copied")
    expect(page.locator(".ex-said")).to_have_text("Copied.")
    names = {}
    exec(page.evaluate("navigator.clipboard.readText()"), names)
    matrix = np.load(io.BytesIO(downloaded(page, "npy")))
    assert matrix.dtype == np.float64
    exact = oracle.positional_encoding(length, width, base=base)
    assert oracle.largest_error(matrix, exact) <= 2.3e-16
    np.testing.assert_allclose(names["matrix"], matrix, 0, 4e-16)
    heading, *lines = downloaded(page, "csv").decode().splitlines()
    assert heading == ",".join(["position", *map(str, range(width))])
    table = np.loadtxt(lines, delimiter=",", ndmin=2)
    np.testing.assert_array_equal(table, np.column_stack([np.arange(length), matrix]))
    assert_drawings(page, f"positional_encoding({length}, {width}")
    expect(button).to_have_text("Copy as Python")
    page.get_by_role("button", name="Copy the link").click()
    wait_until(page, "() => navigator.clipboard.readText().then(text => text.startsWith('http'))")
    before = ask(page, "state")
    page.goto(page.evaluate("navigator.clipboard.readText()"))
    assert ask(ready(page), "state") == before


def assert_drawings(page, words):
    """The views as SVG have all that the page draws, and as PNG many colours."""
    root = ElementTree.fromstring(downloaded(page, "svg"))
    namespace = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{namespace}svg")) == len(VIEWS)
    assert len(root.findall(f"{namespace}image")) == 1
    for shape in ("line", "polyline", "polygon", "path", "circle"):
        assert len(list(root.iter(namespace + shape))) == page.locator(f".ex-stage {shape}").count()
    drawing = ElementTree.tostring(root, "unicode")
    assert "var(" not in drawing
    assert words in drawing
    pixels = imread(io.BytesIO(downloaded(page, "png")))
    assert pixels.shape[1] == 2 * int(root.get("width"))
    assert len(np.unique(pixels[::9, ::9].reshape(-1, pixels.shape[2]), axis=0)) > 100


# For everyone


LABELS_OUTSIDE = """() => [...document.querySelectorAll('.ex-stage text')].filter(e => {
    const box = e.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth;
}).map(e => e.textContent)"""


def test_it_fits_a_phone_and_one_screen(explorer, opened):
    for state in (DEFAULTS, {"length": 4096, "d_model": 1024, "base": 1_000_000}):
        page = explorer(state, viewport=NARROW)
        assert_no_overflow(page)
        assert page.evaluate(LABELS_OUTSIDE) == []
    assert_controls_stay(page, NARROW)
    page = opened(viewport={"width": 1280, "height": 800})
    for part in (".ex-tasks", ".ex-panel", *(f"[data-view={kind}]" for kind in VIEWS[:4])):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    assert_controls_stay(explorer(), WIDE)


def assert_controls_stay(page, size):
    """The controls stay below the header while the views scroll."""
    page.locator("[data-view=rotation]").scroll_into_view_if_needed()
    header = page.locator(".md-header").bounding_box()
    panel = page.locator(".ex-panel").bounding_box()
    assert abs(header["y"] + header["height"] - panel["y"]) <= 1
    assert panel["height"] <= 0.35 * size["height"]
