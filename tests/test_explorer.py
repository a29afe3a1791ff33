"""The explorer: its numbers against the oracle, its controls, its address, its files."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ElementTree

import matplotlib.image
import numpy as np
import pytest
from matplotlib import colormaps
from playwright.sync_api import expect

from tests import oracle, site_files
from tests.browsing import ANSWERED, NARROW, WIDE
from tests.page_actions import assert_accessible, assert_no_overflow, follow, toggle_scheme
from tests.page_text import SITE

pytestmark = pytest.mark.browser

PAGE = "explorer/index.html"
DEFAULTS = {"base": 10000, "d_model": 128, "length": 50, "position": 10, "offset": 5}
NAMES = list(DEFAULTS)
TALL = {"width": 1280, "height": 2400}  # all views are in sight, and drawn
VIEWS = ["matrix", "row", "wavelengths", "profile", "clocks", "rotation"]


# A frame draws one view or more, so that after these each of them and the words are drawn.
DRAWN = f"async () => {{ for (let frame = 0; frame < 8; frame++) await ({ANSWERED})(); }}"


def address(**state):
    """The explorer's name with `state` in its query, as `visit` takes it."""
    return "explorer/?" + "&".join(f"{key}={value}" for key, value in state.items())


def ready(page):
    page.wait_for_selector(".ex-matrix canvas[width]")
    expect(page.locator(".ex-sentence")).not_to_be_empty()
    return page


@pytest.fixture
def explorer(visit):
    """A function that opens the explorer at a state."""
    return lambda state=None, **options: ready(visit(address(**(state or {})), **options).page)


@pytest.fixture(scope="module")
def shared(visiting):
    """An explorer for tests that leave it as they find it."""
    with visiting(PAGE, viewport=TALL) as visit:
        yield ready(visit.page)


def shown(page):
    """The state that the number fields show, once it is drawn."""
    page.evaluate(ANSWERED)
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-field]')]"
        ".map(e => [e.dataset.field, Number(e.value)]))"
    )


def expect_state(page, **state):
    """The fields, the code and the address say `state`."""
    wanted = {**DEFAULTS, **state}
    for name in NAMES:
        expect(page.locator(f"[data-field={name}]")).to_have_value(f"{wanted[name]:g}")
    named = "" if wanted["base"] == 10000 else f", base={wanted['base']:g}"
    code = f"positional_encoding({wanted['length']}, {wanted['d_model']}{named})"
    expect(page.locator(".ex-take code")).to_contain_text(code)
    query = "&".join(f"{name}={wanted[name]:g}" for name in NAMES)
    page.wait_for_url(site_files.address(PAGE) + ("" if wanted == DEFAULTS else f"?{query}"))


def reading(page):
    """What is read out, by field."""
    page.evaluate(ANSWERED)
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('[data-reading]')]"
        ".map(e => [e.dataset.reading, e.textContent]))"
    )


def law_of(offset, base):
    return 1 - (oracle.mp.euler + oracle.mp.log(abs(offset))) / oracle.mp.log(base)


def text(value, spec):
    return oracle.formatted(value, spec)


# The numbers

GRID = [
    (position, width, base)
    for width in (2, 4, 10, 128, 510, 1024)
    for base in (1, 2.5, 100, 10_000, 123_456.789, 1_000_000)
    for position in (0, 1, 49, 99.5, 1000, 2047, 4095, 4096)
]
MODULE = site_files.address("assets/maths/encoding.js") if SITE.is_dir() else ""


def computed(page, code, argument=None):
    return page.evaluate(
        f"async argument => {{ const e = await import('{MODULE}'); return ({code})(argument); }}",
        argument,
    )


def test_the_encoding_in_the_browser_is_the_oracles_to_1e_13(shared):
    rows = computed(shared, "grid => grid.map(([p, d, n]) => [...e.encode(p, d, n)])", GRID)
    worst = max(
        oracle.largest_error(row, oracle.encode(position, width, base=base))
        for row, (position, width, base) in zip(rows, GRID, strict=True)
    )
    assert worst <= 2.3e-16  # one unit in the last place; 1e-13 is asked for


def test_every_other_function_is_the_oracles_too(shared):
    for width, base in [(2, 100), (6, 1), (128, 10_000), (1024, 1_000_000)]:
        for name, exact in [
            ("frequencies", oracle.frequencies(width, base=base)),
            ("wavelengths", oracle.wavelengths(width, base=base)),
        ]:
            values = computed(shared, f"([d, n]) => [...e.{name}(d, n)]", [width, base])
            np.testing.assert_allclose(values, exact.astype(float), 4e-16, 0)
        for offset in (0, 1, -7, 4095):
            for name in ("similarity", "distance"):
                value = computed(shared, f"([k, d, n]) => e.{name}(k, d, n)", [offset, width, base])
                exact = getattr(oracle, name)(offset, width, base=base)
                assert abs(value - exact) <= 1e-13 * width
    rotation = MODULE.replace("encoding", "rotation")
    code = "async url => [...(await import(url)).shiftMatrix(3, 6, 100)]"
    matrix = computed(shared, code, rotation)
    exact = oracle.shift_matrix(3, 6, base=100)
    assert oracle.largest_error(np.reshape(matrix, (6, 6)), exact) <= 2.3e-16
    rows = computed(shared, "() => [...e.positionalEncoding(5, 4, 100)]")
    exact = oracle.positional_encoding(5, 4, base=100)
    assert oracle.largest_error(np.reshape(rows, (5, 4)), exact) <= 2.3e-16


CELLS = """() => {
  const canvas = document.querySelector(".ex-matrix canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const step = Math.max(1, Math.floor(canvas.height / 5));
  const rows = [];
  for (let y = 0; y < canvas.height; y += step)
    rows.push([...data.subarray(4 * y * canvas.width, 4 * (y + 1) * canvas.width)]);
  return [canvas.width, canvas.height, rows];
}"""


@pytest.mark.parametrize(
    ("length", "width"), [(50, 128), (4, 2), (9, 1024), (4096, 6), (4096, 1024)]
)
def test_each_pixel_of_the_matrix_has_the_colour_of_its_value(length, width, explorer):
    page = explorer({"d_model": width, "length": length, "base": 100})
    columns, rows, data = page.evaluate(CELLS)
    box = page.locator(".ex-matrix canvas").bounding_box()
    assert columns == min(width, round(box["width"]))
    assert rows == min(length, round(box["height"]))
    positions = np.floor((np.arange(rows) + 0.5) * length / rows).astype(int)
    pairs = np.floor((np.arange(columns // 2) + 0.5) * width / columns).astype(int)
    dimensions = (2 * pairs[:, None] + [0, 1]).ravel()
    some = slice(None, None, max(1, rows // 5))
    values = [oracle.encode(int(p), width, base=100)[dimensions] for p in positions[some]]
    wanted = colormaps["viridis"]((np.array(values, float) + 1) / 2)[..., :3] * 255
    pixels = np.reshape(data, (-1, columns, 4))[:, :, :3]
    assert abs(pixels - wanted).max() <= 6  # viridis is fitted by a polynomial


POINTS = """kind => {
  const view = document.querySelector(`[data-view=${kind}]`);
  const [frame, data] = view.querySelectorAll("svg");
  const numbers = text => text.match(/-?[\\d.]+/g).map(Number);
  const ticks = [...frame.querySelectorAll("text[text-anchor=end]")]
    .map(e => [e.textContent, Number(e.getAttribute("y")) - 4]);
  const dots = line => { // which are its dashes: one at each whole length, from the start
    const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map(name => Number(line.getAttribute(name)));
    const steps = Number(line.getAttribute("pathLength")) || 1;
    return Array.from({ length: Math.floor(steps) + Number(steps > 1) },
      (_, i) => [x1 + (x2 - x1) * i / steps, y1 + (y2 - y1) * i / steps]);
  };
  const lines = [...data.querySelectorAll("line, path, polyline")].map(e => ({
    line: () => dots(e),
    path: () => (e.getAttribute("d").match(/M[^Mh]*/g) ?? []).map(numbers),
    polyline: () => e.getAttribute("points").trim().split(" ").map(numbers),
  })[e.tagName]());
  return [ticks, lines];
}"""


def heights(page, kind, log=False):
    """The heights of the points of each line of a view, in the units of its axis."""
    ticks, lines = page.evaluate(POINTS, kind)
    units = {"−": "-", "k": "e3", "M": "e6"}
    marks = []
    for label, y in ticks:
        value = float("".join(units.get(letter, letter) for letter in label))
        marks.append((np.log10(value) if log else value, y))
    (low, bottom), (high, top) = min(marks), max(marks)
    slope = (high - low) / (top - bottom)
    return [[low + (y - bottom) * slope for _, y in line] for line in lines]


def test_the_lines_of_the_views_are_the_oracles(shared):
    row = oracle.encode(10, 128).astype(float)
    sines, _, cosines, _ = heights(shared, "row")
    np.testing.assert_allclose(sines, row[0::2], atol=2e-3)
    np.testing.assert_allclose(cosines, row[1::2], atol=2e-3)
    finished, others, *_ = heights(shared, "wavelengths", log=True)
    lengths = oracle.wavelengths(128).astype(float)
    assert len(finished) == sum(lengths <= 50)
    np.testing.assert_allclose(finished + others, np.log10(lengths), atol=5e-3)
    away = [abs(p - 10) for p in range(50)]
    distances, similarities, left, right, *_ = heights(shared, "profile")
    np.testing.assert_allclose(
        similarities, oracle.similarity(away, 128).astype(float) / 64, atol=2e-3
    )
    np.testing.assert_allclose(distances, oracle.distance(away, 128).astype(float) / 16, atol=2e-3)
    law = [
        float(1 - (oracle.mp.euler + oracle.mp.log(k)) / oracle.mp.log(10_000)) for k in away if k
    ]
    np.testing.assert_allclose(left + right, law[9::-1] + law[10:], atol=2e-3)


DIALS = """kind => {
  const [frame, data] = document.querySelectorAll(`[data-view=${kind}] svg`);
  const numbers = (e, names) => names.map(name => Number(e.getAttribute(name)));
  return {
    faces: [...frame.querySelectorAll("circle")].map(e => numbers(e, ["cx", "cy", "r"])),
    hands: [...data.querySelectorAll("line")]
      .map(e => [e.getAttribute("stroke"), ...numbers(e, ["x1", "y1", "x2", "y2"])]),
    arcs: [...data.querySelectorAll("polyline")].map(e => e.getAttribute("points").split(" "))
      .map(points => points.filter(Boolean).map(point => point.split(",").map(Number))),
    texts: [...document.querySelectorAll(`[data-view=${kind}] text`)]
      .map(e => [...numbers(e, ["x", "y"]), e.textContent.replace("−", "-")]),
  };
}"""


def hands_of(dials, series):
    """Sine and cosine that each hand of the series points to: clockwise from the top."""
    hands = [hand for stroke, *hand in dials["hands"] if stroke == f"var(--fig-{series})"]
    for (x1, y1, *_), (x, y, _) in zip(hands, dials["faces"], strict=True):
        assert (x1, y1) == (x, y)
    reach = [0.9 * r for *_, r in dials["faces"]]
    return [
        [(x2 - x1) / far, (y1 - y2) / far]
        for (x1, y1, x2, y2), far in zip(hands, reach, strict=True)
    ]


def below(dials, face):
    """The texts under a face, from the top to the bottom and from the left to the right."""
    x, y, r = face
    near = [text for text in dials["texts"] if abs(text[0] - x) < r and 0 < text[1] - y - r < 80]
    return [text for *_, text in sorted(near, key=lambda text: (text[1], text[0]))]


TURNS = [
    DEFAULTS,
    {"base": 100, "d_model": 4, "length": 100, "position": 30, "offset": -20},
    {"base": 10000, "d_model": 512, "length": 4096, "position": 4000, "offset": 90},
]


@pytest.mark.parametrize("state", TURNS)
def test_the_clock_hands_are_the_oracles(state, explorer):
    page = explorer(state, viewport=TALL)
    dials = page.evaluate(DIALS, "clocks")
    pairs = min(8, state["d_model"] // 2)
    row = oracle.encode(state["position"], state["d_model"], base=state["base"])
    wanted = np.reshape([float(value) for value in row], (-1, 2))[:pairs]
    np.testing.assert_allclose(hands_of(dials, 1), wanted, atol=6e-3)
    lengths = oracle.wavelengths(state["d_model"], base=state["base"])
    for pair, face in enumerate(dials["faces"]):
        length = lengths[pair]
        places = ".2f" if length < 100 else ".1f" if length < 1000 else ",.0f"
        assert below(dials, face)[:2] == [f"pair {pair}", f"λ {text(length, places)}"]


@pytest.mark.parametrize("state", TURNS)
def test_the_rotation_takes_p_to_p_plus_k(state, explorer):
    """Hands, arc, angle and matrix; the matrix times the hand at p is the hand at p + k."""
    page = explorer(state, viewport=TALL)
    dials = page.evaluate(DIALS, "rotation")
    position, offset, width = state["position"], state["offset"], state["d_model"]
    pairs = min(4, width // 2)
    here, there = (
        np.reshape(oracle.encode(p, width, base=state["base"]).astype(float), (-1, 2))[:pairs]
        for p in (position, position + offset)
    )
    np.testing.assert_allclose(hands_of(dials, 1), here, atol=6e-3)
    np.testing.assert_allclose(hands_of(dials, 2), there, atol=6e-3)
    frequencies = oracle.frequencies(width, base=state["base"])
    for pair, ((x, y, r), arc) in enumerate(zip(dials["faces"], dials["arcs"], strict=True)):
        angle = offset * frequencies[pair]
        name, radians, *numbers = below(dials, dials["faces"][pair])
        assert (name, radians) == (f"pair {pair}", f"{text(angle, '.2f').replace('−', '-')} rad")
        matrix = np.reshape([float(number) for number in numbers], (2, 2))
        np.testing.assert_allclose(matrix @ here[pair], there[pair], atol=0.011)
        turned = float(oracle.mp.fmod(abs(angle), 2 * oracle.mp.pi)) * np.sign(offset)
        phases = np.arctan2(*here[pair]) + np.linspace(0, turned, len(arc))
        wanted = np.stack([x + 0.45 * r * np.sin(phases), y - 0.45 * r * np.cos(phases)], axis=1)
        assert len(arc) > 20
        np.testing.assert_allclose(arc, wanted, atol=0.11)


@pytest.mark.parametrize("length", [8, 50, 4096])  # one pair finishes a turn, some, all
def test_each_wavelength_is_a_dot_where_the_oracle_has_it(length, explorer):
    """Dots are the dashes of a line: each pair has one, and nothing lies between them."""
    page = explorer({"d_model": 16, "length": length}, device_scale_factor=1)
    stage = page.locator("[data-view=wavelengths]")
    stage.scroll_into_view_if_needed()
    page.evaluate(DRAWN)
    ticks, _ = page.evaluate(POINTS, "wavelengths")
    top, bottom = ticks[-1][1], ticks[0][1]  # of 10 M and of 1
    pixels = matplotlib.image.imread(io.BytesIO(stage.screenshot()))[..., :3]
    left, right = 50, pixels.shape[1] - 10
    colours = [page.evaluate(COLOUR, f"--fig-{series}") for series in (1, 2)]

    def painted(pair):
        """Which series' colour there is where this pair, or part of one, has its wavelength."""
        power = np.log10(2 * np.pi) + 4 * pair / 8
        x = left + (right - left) * (pair + 0.5) / 8
        y = bottom + (top - bottom) * power / 7
        found = pixels[int(y), int(x)] * 255
        return [series for series, colour in enumerate(colours, 1) if abs(found - colour).max() < 9]

    wanted = [[1 if value <= length else 2] for value in oracle.wavelengths(16)]
    assert [painted(pair) for pair in range(8)] == wanted
    assert [painted(pair + 0.5) for pair in range(-1, 8)] == [[]] * 9


COLOUR = """name => {
  const probe = document.querySelector(".ex").appendChild(document.createElement("i"));
  probe.style.color = `var(${name})`;
  const colour = getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return colour;
}"""


ALL_DRAWN = """() => {
  dispatchEvent(new Event("beforeprint"));
  return [
    ...Array.from(document.querySelectorAll(".ex-stage svg"), e => e.innerHTML),
    ...Array.from(document.querySelectorAll(".ex-control input"), e => [e.value, e.min, e.max]),
    document.querySelector(".ex-matrix canvas").toDataURL(),
  ];
}"""


def test_what_is_changed_in_place_is_what_a_new_page_draws(explorer):
    """Views keep their elements, and axes and limits that need no change: none may be stale."""
    page = explorer({"d_model": 4, "length": 300}, viewport=TALL)
    for name, steps in {
        "base": 100,
        "d_model": 40,
        "position": 25,
        "length": -20,
        "offset": -9,
    }.items():
        page.locator(f"[data-slider={name}]").focus()
        for _ in range(abs(steps)):
            page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
        state = shown(page)
        assert page.evaluate(ALL_DRAWN) == explorer(state, viewport=TALL).evaluate(ALL_DRAWN), name


SLOWLY = """async moves => {
  window.setTimeout = () => 0; // no pause, in which all is drawn
  let time = 0;
  performance.now = () => time += 1000; // a frame is full as soon as something is drawn
  const host = document.querySelector(".ex");
  const looks = {
    matrix: () => document.querySelector(".ex-matrix canvas").toDataURL(),
    ...Object.fromEntries([...document.querySelectorAll("[data-view]:not([data-view=matrix])")]
      .map(view => [view.dataset.view, () => view.innerHTML])),
    sentence: () => document.querySelector(".ex-sentence").textContent,
    code: () => document.querySelector(".ex code").textContent,
  };
  const look = () => Object.entries(looks).map(([name, how]) => [name, how()]);
  const drawn = [];
  let all = false;
  host.addEventListener("drawn", () => { all = true; });
  const slider = document.querySelector("[data-slider=base]");
  for (const frames of moves) {
    slider.value = Number(slider.value) - 50;
    slider.dispatchEvent(new Event("input"));
    for (let frame = 0; frame < frames; frame++) {
      const before = Object.fromEntries(look());
      await new Promise(requestAnimationFrame);
      const changed = look().filter(([name, now]) => now !== before[name]).map(([name]) => name);
      if (changed.length || all) drawn.push([...changed, ...(all ? ["all"] : [])]);
      all = false;
    }
  }
  return drawn;
}"""


def test_what_a_frame_has_no_time_for_comes_in_the_next_ones(explorer):
    """And what has waited longest comes first, however often something changes meanwhile."""
    page = explorer(viewport=TALL)
    parts = [[name] for name in [*VIEWS, "sentence", "code"]]
    assert page.evaluate(SLOWLY, [11]) == [*parts[:7], ["code", "all"]]
    assert page.evaluate(SLOWLY, [3, 2, 9]) == [*parts, *parts[:4], ["clocks", "all"]]


def test_a_view_that_comes_into_the_window_shows_the_state_of_now(explorer):
    """Views out of the window are not drawn while something moves."""
    page = explorer({"base": 100})
    page.evaluate("window.setTimeout = () => 0")  # no pause, in which all is drawn
    page.locator("[data-field=base]").fill("500")
    page.evaluate(DRAWN)
    stage, now = page.locator("[data-view=rotation]"), explorer({"base": 500}, viewport=TALL)
    wanted = now.locator("[data-view=rotation]").inner_html()
    assert stage.inner_html() != wanted
    stage.scroll_into_view_if_needed()
    page.evaluate(DRAWN)
    assert stage.inner_html() == wanted


@pytest.mark.parametrize(
    "state",
    [DEFAULTS, {"base": 10000, "d_model": 512, "length": 50, "position": 0, "offset": -49}],
)
def test_the_sentence_is_right(state, explorer):
    page = explorer(state)
    width, length, offset = state["d_model"], state["length"], state["offset"]
    lengths = oracle.wavelengths(width)
    slow = sum(2 * oracle.mp.pi * length / wavelength < 0.1 for wavelength in lengths)
    finished = sum(lengths <= length)
    law = law_of(offset, state["base"])
    expect(page.locator(".ex-sentence")).to_have_text(
        f"{finished} of {width // 2} pairs finish a turn within {length} positions; the slowest "
        f"would need {text(lengths[-1], ',.0f')}, and {slow} turn by less than a tenth of a "
        f"radian. Position {state['position']} and any other that is {abs(offset)} away have a "
        f"similarity of {text(oracle.similarity(offset, width), '.2f')} of at most {width // 2} "
        f"and a distance of {text(oracle.distance(offset, width), '.3f')}. The law gives "
        f"{text(law * (width // 2), '.2f')}."
    )


# Controls

SLID = {"base": 33100, "d_model": 136, "length": 52, "position": 11, "offset": 6}


@pytest.mark.parametrize("name", NAMES)
def test_a_slider_answers_to_the_keyboard(name, explorer):
    page = explorer()
    slider = page.locator(f"[data-slider={name}]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    after = shown(page)[name]
    assert after > DEFAULTS[name]
    expect_state(page, **{name: after})
    expect(slider).to_have_attribute("aria-valuetext", f"{after:g}")
    page.keyboard.press("End")
    most = {"base": 1e6, "d_model": 1024, "length": 4096, "position": 49, "offset": 49}[name]
    assert shown(page)[name] == most
    page.keyboard.press("Home")
    least = {"base": 1, "d_model": 2, "length": 4, "position": 0, "offset": -49}[name]
    assert shown(page)[name] == least


@pytest.mark.parametrize("name", ["d_model", "length"])
def test_each_press_of_an_arrow_key_changes_the_value(name, explorer):
    page = explorer()
    page.locator(f"[data-slider={name}]").focus()
    page.keyboard.press("Home")
    seen = [shown(page)[name]]
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        seen.append(shown(page)[name])
    for _ in range(12):
        page.keyboard.press("ArrowLeft")
        seen.append(shown(page)[name])
    assert seen[:13] == sorted(set(seen))
    assert seen[12:] == sorted(set(seen), reverse=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("means", ["mouse", "touch"])
def test_a_slider_answers_to_the_mouse_and_to_a_finger(name, means, explorer):
    options = {"has_touch": True, "viewport": NARROW} if means == "touch" else {}
    page = explorer(**options)
    slider = page.locator(f"[data-slider={name}]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    x, y = box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2
    if means == "touch":
        page.touchscreen.tap(x, y)
    else:
        page.mouse.move(box["x"] + box["width"] / 2, y)
        page.mouse.down()
        page.mouse.move(x, y, steps=3)
        page.mouse.up()
    page.wait_for_function(
        "([name, before]) => Number(document.querySelector(`[data-field=${name}]`).value) > before",
        arg=[name, DEFAULTS[name]],
    )
    after = shown(page)
    changed = {key for key in NAMES if after[key] != DEFAULTS[key]}
    assert changed == {name}
    expect_state(page, **after)


def test_a_finger_that_scrolls_moves_no_slider(visit):
    one = visit(address(), has_touch=True, is_mobile=True, viewport=NARROW)
    slider = ready(one.page).locator("[data-slider=base]")
    slider.evaluate("e => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    box = slider.bounding_box()
    before = one.page.evaluate("scrollY")
    x, y = box["x"] + 0.9 * box["width"], box["y"] + box["height"] / 2
    one.touch(x, y, (0, -30), (0, -90), (0, -150))
    one.page.wait_for_function("before => scrollY > before + 50", arg=before)
    expect_state(one.page)


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        *[("base", "123.5", 123.5), ("d_model", "6", 6), ("length", "300", 300)],
        *[("position", "49", 49), ("offset", "-20", -20)],
    ],
)
def test_a_field_takes_what_is_typed(name, typed, value, explorer):
    page = explorer()
    field = page.get_by_label(page.locator(f"label[for=ex-{name}]").inner_text(), exact=True)
    field.fill("")
    field.type(typed)
    expect_state(page, **{name: value})
    expect(page.locator(".ex-note")).to_be_hidden()


@pytest.mark.parametrize(
    ("name", "typed", "value", "words"),
    [
        ("base", "0", 1, "base must be a number from 1 to 1000000, got “0”; using 1."),
        ("d_model", "7", 6, "d_model must be an even number from 2 to 1024, got “7”; using 6."),
        ("length", "9999", 4096, "length must be a whole number from 4 to 4096"),
        ("position", "50", 49, "position must be a whole number from 0 to 49"),
        ("offset", "1.4", 1, "offset must be a whole number from -49 to 49, got “1.4”"),
    ],
)
def test_what_cannot_be_is_moved_and_named(name, typed, value, words, explorer):
    page = explorer()
    page.locator(f"[data-field={name}]").fill(typed)
    page.keyboard.press("Enter")
    expect(page.locator(".ex-note")).to_contain_text(words)
    expect_state(page, **{name: value})


def test_a_shorter_length_takes_position_and_offset_along(explorer):
    page = explorer({"length": 100, "position": 90, "offset": -80})
    page.locator("[data-field=length]").fill("20")
    expect_state(page, length=20, position=19, offset=-19)


PRESETS = {
    "The paper, 512 × 512": (10000, 512, 512),
    "Source 000, 50 × 128": (10000, 128, 50),
    "Source 003, 10 × 6": (10000, 6, 10),
    "Source 004, 4 × 4": (100, 4, 4),
}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_everything_and_reset_takes_it_back(name, explorer):
    page = explorer({"base": 77, "d_model": 20, "length": 300, "position": 299, "offset": 200})
    page.get_by_role("button", name=name, exact=True).click()
    base, width, length = PRESETS[name]
    state = shown(page)
    assert (state["base"], state["d_model"], state["length"]) == (base, width, length)
    expect_state(page, **state)
    page.get_by_role("button", name="Reset").press("Enter")
    expect_state(page)


# The address


def test_the_address_brings_the_state_back_and_so_do_back_and_forward(explorer, visit):
    page = explorer()
    page.evaluate("window.sameDocument = true")
    page.locator("[data-field=base]").fill("500")
    expect_state(page, base=500)
    page.locator("[data-slider=d_model]").focus()
    page.keyboard.press("End")
    expect_state(page, base=500, d_model=1024)
    page.get_by_role("button", name="Source 004, 4 × 4").click()
    expect_state(page, base=100, d_model=4, length=4, position=1, offset=1)
    for _ in range(2):
        page.go_back()
        expect_state(page, base=500, d_model=1024)
        page.go_back()
        expect_state(page, base=500)
        page.go_back()
        expect_state(page)
        page.go_forward()
        page.wait_for_url("**base=500**")
        page.go_forward()
        expect_state(page, base=500, d_model=1024)
        page.go_forward()
        expect_state(page, base=100, d_model=4, length=4, position=1, offset=1)
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    again = ready(visit(page.url.removeprefix(site_files.site_url())).page)
    expect_state(again, base=100, d_model=4, length=4, position=1, offset=1)


def test_one_move_of_a_slider_is_one_step_of_the_history(explorer):
    page = explorer()
    steps = page.evaluate("history.length")
    page.locator("[data-slider=position]").focus()
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    expect_state(page, position=16)
    page.keyboard.press("ArrowRight")
    expect_state(page, position=17)
    assert page.evaluate("history.length") == steps + 1
    page.go_back()
    expect_state(page)


def test_leaving_and_coming_back_brings_the_state_back(explorer):
    page = explorer()
    page.evaluate("window.sameDocument = true")
    page.locator("[data-field=base]").fill("500")
    expect_state(page, base=500)
    follow(page, "wavelengths/index.html")
    page.go_back()
    ready(page)
    expect_state(page, base=500)
    assert page.evaluate("window.sameDocument")


@pytest.mark.parametrize(
    ("query", "state", "words"),
    [
        ("base=abc", {}, ["base", "“abc”", "using 10000"]),
        ("base=-1e999", {"base": 1}, ["base", "using 1"]),
        ("base=NaN&d_model=0x10", {}, ["“NaN”", "“0x10”"]),
        (
            "d_model=3&length=1",
            {"d_model": 2, "length": 4, "position": 3, "offset": 3},
            ["“3”", "“1”"],
        ),
        (
            "length=10&position=999&offset=-999",
            {"length": 10, "position": 9, "offset": -9},
            ["999"],
        ),
        ("position=2.5", {"position": 3}, ["“2.5”; using 3"]),
        ("base=", {}, ["“”"]),
        ("base=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E", {}, ["“<img src=x onerror=alert…”"]),
        ("length=" + "9" * 400, {"length": 4096}, ["…”; using 4096"]),
        ("nonsense=1&utm_source=x", {}, []),
    ],
)
def test_a_bad_address_is_mended_and_the_mending_named(query, state, words, visit):
    page = ready(visit(f"explorer/?{query}").page)
    assert shown(page) == {**DEFAULTS, **state}
    note = page.locator(".ex-note")
    expect(note).to_be_visible(visible=bool(words))
    for word in words:
        expect(note).to_contain_text(word)
    assert page.locator(".ex-note img").count() == 0


def test_the_links_of_the_page_set_the_state_without_a_new_page(explorer):
    page = explorer()
    page.evaluate("window.sameDocument = true")
    page.get_by_role("link", name="Set the base to 1", exact=True).click()
    expect_state(page, base=1)
    page.get_by_role("link", name="Take the middle of a long text").press("Enter")
    expect_state(page, d_model=512, length=2048, position=1024, offset=100)
    page.go_back()
    expect_state(page, base=1)
    assert page.evaluate("window.sameDocument")


# Pointing


def spot(page, kind, right, down):
    """The middle of the cell (right, down) of the matrix, or that share of another view."""
    stage = page.locator(f"[data-view={kind}]")
    stage.scroll_into_view_if_needed()
    if kind == "matrix":
        box = stage.locator("canvas").bounding_box()
        state = shown(page)
        right, down = (right + 0.5) / state["d_model"], (down + 0.5) / state["length"]
    else:
        box = stage.bounding_box()
    return box["x"] + right * box["width"], box["y"] + down * box["height"]


def marked(page):
    """The views that show a mark."""
    page.evaluate(DRAWN)
    return page.evaluate(
        "[...document.querySelectorAll('[data-view]')]"
        ".filter(e => e.querySelector('svg:last-of-type').childElementCount)"
        ".map(e => e.dataset.view)"
    )


def test_pointing_at_the_matrix_reads_it_out_and_marks_the_same_everywhere(explorer):
    page = explorer(viewport=TALL)
    for position, dimension in [(0, 0), (37, 7), (49, 127)]:
        page.mouse.move(*spot(page, "matrix", dimension, position))
        length = oracle.wavelengths(128)[dimension // 2]
        assert reading(page) == {
            "position": str(position),
            "dimension": str(dimension),
            "pair": str(dimension // 2),
            "wavelength": text(length, ".2f" if length < 100 else ",.0f"),
            "value": text(oracle.encode(position, 128)[dimension], ".4f"),
        }
        few = {7: VIEWS, 0: VIEWS, 127: [*VIEWS[:4], "clocks"]}[dimension]
        assert marked(page) == [kind for kind in VIEWS if kind in few]
    page.mouse.move(5, 5)
    assert reading(page)["value"] == "point at a view"
    assert marked(page) == []


@pytest.mark.parametrize(
    ("kind", "right", "down", "wanted"),
    [
        ("row", 0.45, 0.5, {"position": "10"}),
        ("wavelengths", 0.5, 0.5, {"position": "10"}),
        ("profile", 0.99, 0.5, {"position": "49", "dimension": "–", "pair": "–"}),
        ("clocks", 0.1, 0.2, {"position": "10", "dimension": "0, 1", "pair": "0"}),
        ("rotation", 0.4, 0.3, {"position": "10", "dimension": "2, 3", "pair": "1"}),
    ],
)
def test_pointing_at_any_other_view_does_so_too(kind, right, down, wanted, explorer):
    page = explorer(viewport=TALL)
    page.mouse.move(*spot(page, kind, right, down))
    read = reading(page)
    assert wanted.items() <= read.items()
    assert {"matrix", "profile", kind} <= set(marked(page))
    if kind == "profile":
        alike, apart = oracle.similarity(39, 128), oracle.distance(39, 128)
        assert read["value"] == f"similarity {text(alike, '.2f')}, distance {text(apart, '.3f')}"
        return
    pair = int(read["pair"])
    length = oracle.wavelengths(128)[pair]
    sine, cosine = oracle.encode(10, 128)[2 * pair : 2 * pair + 2]
    turns, radians = 50 / length, 5 * oracle.frequencies(128)[pair]
    places = ".2f" if length < 100 else ".1f" if length < 1000 else ",.0f"
    assert read["wavelength"] == text(length, places)
    assert (
        read["value"]
        in {
            "row": [text(sine, ".4f"), text(cosine, ".4f")],
            "wavelengths": [f"{text(turns, '.2f')} turns in 50 positions"],
            "clocks": [f"sine {text(sine, '.3f')}, cosine {text(cosine, '.3f')}"],
            "rotation": [f"turned by {text(radians, '.3f')} radians"],
        }[kind]
    )


def test_the_keyboard_points_too_and_enter_highlights(explorer):
    page = explorer(viewport=TALL)
    page.locator("[data-view=matrix]").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Shift+ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    read = reading(page)
    assert (read["position"], read["dimension"]) == ("20", "2")
    said = page.locator(".ex-said")
    expect(said).to_contain_text("position 20, dimension 2, pair 1, wavelength 7.26, value")
    page.keyboard.press("End")
    assert reading(page)["dimension"] == "127"
    page.keyboard.press("Enter")
    expect_state(page, position=20)
    for kind in VIEWS[1:]:
        page.keyboard.press("Tab")
        expect(page.locator(f"[data-view={kind}]")).to_be_focused()
        page.keyboard.press("ArrowRight")
        assert kind in marked(page)
        assert reading(page)["value"] != "point at a view"


def test_a_click_or_a_tap_highlights_the_position_under_it(explorer):
    page = explorer()
    page.mouse.click(*spot(page, "matrix", 3, 30))
    expect_state(page, position=30)
    phone = explorer(has_touch=True, viewport=NARROW)
    x, y = spot(phone, "matrix", 3, 30)
    phone.touchscreen.tap(x, y)
    read = reading(phone)
    expect_state(phone, position=int(read["position"]))
    assert read["value"] != "point at a view"


# Files and code


def downloaded(page, kind):
    with page.expect_download() as waiting:
        page.locator(f"[data-take={kind}]").click()
    assert waiting.value.suggested_filename.endswith(f".{kind}")
    with open(waiting.value.path(), "rb") as file:  # noqa: PTH123
        return file.read()


@pytest.mark.parametrize(
    ("length", "width", "base"), [(50, 128, 10_000), (4, 2, 1), (300, 30, 123.5)]
)
def test_the_matrix_as_npy_and_csv_is_the_oracles(length, width, base, explorer):
    page = explorer({"base": base, "d_model": width, "length": length})
    exact = oracle.positional_encoding(length, width, base=base)
    matrix = np.load(io.BytesIO(downloaded(page, "npy")))
    assert matrix.dtype == np.float64
    assert oracle.largest_error(matrix, exact) <= 2.3e-16
    lines = downloaded(page, "csv").decode().splitlines()
    assert lines[0] == ",".join(["position", *map(str, range(width))])
    table = np.loadtxt(lines[1:], delimiter=",", ndmin=2)
    np.testing.assert_array_equal(table[:, 0], np.arange(length))
    np.testing.assert_array_equal(table[:, 1:], matrix)


def test_the_views_as_png_and_svg(explorer):
    page = explorer({"length": 100})
    root = ElementTree.fromstring(downloaded(page, "svg"))
    namespace = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f"{namespace}svg")) == len(VIEWS)
    assert len(root.findall(f"{namespace}image")) == 1
    for shape in ("line", "polyline", "polygon", "path", "circle"):
        assert len(list(root.iter(namespace + shape))) == page.locator(f".ex-stage {shape}").count()
    drawing = ElementTree.tostring(root, "unicode")
    assert "var(" not in drawing
    assert "positional_encoding(100, 128)" in drawing
    picture = downloaded(page, "png")
    from matplotlib.image import imread

    pixels = imread(io.BytesIO(picture))
    assert pixels.shape[1] == 2 * int(root.get("width"))
    assert len(np.unique(pixels[::9, ::9].reshape(-1, pixels.shape[2]), axis=0)) > 100


@pytest.mark.parametrize("state", [DEFAULTS, {"base": 123.5, "d_model": 6, "length": 10}])
def test_the_copied_code_makes_the_same_matrix(state, explorer):
    page = explorer(state, permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as Python").click()
    expect(page.locator(".ex-note")).to_have_text("Copied.")
    names = {}
    exec(page.evaluate("navigator.clipboard.readText()"), names)
    matrix = np.load(io.BytesIO(downloaded(page, "npy")))
    np.testing.assert_allclose(names["matrix"], matrix, 0, 4e-16)
    page.get_by_role("button", name="Copy the link").click()
    page.wait_for_function("navigator.clipboard.readText().then(text => text.startsWith('http'))")
    again = page.context.new_page()
    again.goto(page.evaluate("navigator.clipboard.readText()"))
    assert shown(ready(again)) == shown(page)


# For everyone


def test_axe_finds_no_violation_with_a_note_and_a_mark(explorer):
    page = explorer({"base": 0})
    page.locator("[data-view=matrix]").focus()
    page.keyboard.press("ArrowRight")
    assert_accessible(page)


@pytest.mark.parametrize("state", [DEFAULTS, {"length": 4096, "d_model": 1024, "base": 1_000_000}])
def test_it_fits_a_phone(state, explorer):
    page = explorer(state, viewport=NARROW)
    assert_no_overflow(page)
    wide = page.evaluate(
        "[...document.querySelectorAll('.ex-stage text')].filter(e => {"
        " const box = e.getBoundingClientRect(); return box.left < 0 || box.right > innerWidth; })"
        ".map(e => e.textContent)"
    )
    assert wide == []


def test_the_controls_stay_in_sight_while_the_views_are_scrolled(explorer):
    for size in (WIDE, NARROW):
        page = explorer(viewport=size)
        page.locator("[data-view=profile]").scroll_into_view_if_needed()
        panel = page.locator(".ex-panel").bounding_box()
        assert 40 <= panel["y"] <= 60
        assert panel["height"] <= 0.35 * size["height"]


def test_the_views_follow_the_scheme(explorer):
    page = explorer()
    lines = "[...document.querySelectorAll('.ex-row :is(path, polyline)')]"
    colours = f"{lines}.map(e => getComputedStyle(e).stroke)"
    light = page.evaluate(colours)
    toggle_scheme(page)
    dark = page.evaluate(colours)
    assert len(light) == len(dark)
    assert all(one != other for one, other in zip(light, dark, strict=True) if one != "none")


def test_nothing_moves_by_itself(shared):
    assert (
        shared.evaluate("document.querySelector('.ex').getAnimations({ subtree: true }).length")
        == 0
    )


def test_without_javascript_there_are_pictures_and_no_controls(visit):
    page = visit(PAGE, java_script_enabled=False, viewport=TALL).page
    assert page.locator(".ex noscript img").count() == 2
    for picture in page.locator(".ex noscript img").all():
        expect(picture).to_be_visible()
        assert picture.evaluate("e => e.naturalWidth > 0 && e.clientWidth > 300")
    expect(page.locator(".ex noscript p").first).to_be_visible()
    assert "The explorer needs JavaScript." in page.locator(".ex noscript p").first.inner_text()
    assert page.locator(".ex :is(input, canvas)").count() == 0
    last, after = page.locator(".ex noscript img").last, page.locator(".ex + h2")
    gap = after.evaluate("e => e.offsetTop") - last.evaluate("e => e.offsetTop + e.offsetHeight")
    assert 0 < gap < 150  # no room is kept for views that do not come


def test_it_asks_for_its_own_files_alone(visit):
    one = visit(PAGE)
    ready(one.page)
    assert all(url.startswith(site_files.site_url()) for url in one.requested)
    elsewhere = visit("wavelengths/index.html")
    assert not [url for url in elsewhere.requested if "explorer" in url]


# Coming and going

GO = """async count => {
  window.seen ??= [];
  for (let i = 0; i < count; i++) {
    for (const [to, part] of [["explorer/", ".ex canvas[width]"], ["sources/", "article h2"]]) {
      const before = document.querySelector("article");
      const links = [...document.querySelectorAll(".md-nav--primary a")];
      links.find(link => link.href.endsWith(to)).click();
      while (before.isConnected || !document.querySelector(part))
        await new Promise(done => setTimeout(done, 1));
      for (const kept of document.querySelectorAll(".ex canvas, .ex-views, .ex-panel"))
        window.seen.push(new WeakRef(kept));
    }
  }
}"""


def test_nothing_is_left_behind_after_200_instant_navigations(visit):
    one = visit("sources/index.html")
    protocol = one.context.new_cdp_session(one.page)
    protocol.send("Performance.enable")

    def listeners():
        protocol.send("HeapProfiler.collectGarbage")
        metrics = protocol.send("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "JSEventListeners")

    one.page.evaluate(GO, 2)
    before = listeners()
    one.page.evaluate(GO, 98)
    # The theme keeps each page that was left, with four listeners of its own.
    assert listeners() - before <= 98 * 5
    alive = "window.seen.filter(kept => kept.deref()).length"
    assert one.page.evaluate("window.seen.length") == 300
    assert one.page.evaluate(alive) <= 3
