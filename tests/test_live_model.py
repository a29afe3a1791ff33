"""The live model computes what NumPy computes, and readers can do with it what its page says."""

import base64
import io
import re
from dataclasses import replace

import numpy as np
import pytest
from matplotlib import colormaps
from PIL import Image
from playwright.sync_api import expect

from scripts.experiments import encodings, forward, weights
from scripts.experiments.generator import xorshift
from scripts.experiments.grid import LIVE, SCALINGS
from scripts.experiments.results import FOLDER
from scripts.experiments.runs import LENGTH, VOCABULARY
from tests import node, page_text, site_files
from tests.browsing import LOADING_FAILED, NARROW, WIDE, answered, script, wait_until
from tests.page_actions import (
    DARK_PHONE,
    LIGHT_SCREEN,
    assert_accessible,
    assert_no_overflow,
    tab_to,
)
from tests.page_text import SITE, gzipped

pytestmark = pytest.mark.browser

PAGE = "trained-models/index.html"
LENGTHS = (1, 2, 3, 31, 32, 33, 64, 127, 128)

LETTERS = "abcdefghijklmnop"
DEFAULTS = {"model": "learned", "length": 64}
BACK = 3

each_model = pytest.mark.parametrize("name", LIVE)


def modules(function, **given):
    """What a function of tests/browser/live_model.js answers with the modules of the page."""
    with node.modules("live_model.js", "model") as call:
        return call(function, **given)


def unpacked(name):
    """The arrays and the options of a live model."""
    arrays, run, _ = weights.unpacked((FOLDER / f"{name}.safetensors").read_bytes())
    return arrays, run


# As in NumPy


@each_model
def test_the_forward_pass_in_javascript_is_numpys(name):
    arrays, run = unpacked(name)
    draw = xorshift(7)
    texts = [draw(VOCABULARY, (1, length)) for length in LENGTHS]
    passes = modules("passes", name=name, texts=[text[0].tolist() for text in texts])
    for number, (found, text) in enumerate(zip(passes, texts, strict=True)):
        off = number % 2 > 0
        exact = forward.run_model(arrays, replace(run, encoding="none") if off else run, text)
        np.testing.assert_allclose(found["logits"], exact.logits.ravel(), rtol=0, atol=1e-9)
        rows = [
            weight[head, query, : query + 1]
            for (weight,) in exact.weights
            for query in range(len(weight[0]))
            for head in range(len(weight))
        ]
        np.testing.assert_allclose(found["weights"], np.concatenate(rows), rtol=0, atol=1e-9)


@each_model
def test_after_any_edit_a_pass_that_keeps_rows_equals_one_that_keeps_none(name):
    random = np.random.default_rng(list(LIVE).index(name))
    states = [{"text": "abcdefghijklmnop" * 2, "length": 32}]
    for _ in range(40):  # the text goes on otherwise from some place, or an option changes
        text = states[-1]["text"]
        kept = text[: random.integers(len(text) + 1)]
        text = kept + "".join(random.choice(list(LETTERS), random.integers(20)))
        options = {
            "off": bool(random.integers(4) == 0),
            "scaling": str(random.choice(SCALINGS)),
            "seed": int(random.integers(1, 9)),  # of the letters after the text
        }
        option = str(random.choice([*options]))
        length = int(random.integers(1, 48))
        states.append({**states[-1], "text": text, "length": length, option: options[option]})
    found = modules("edits", name=name, states=states)
    assert found["differences"] == []
    assert 0 < found["computed"] < sum(state["length"] for state in states[1:])  # it kept rows


def test_the_scalings_of_rope_are_numpys():
    asked = [[LIVE["rope"].base, name, k] for name in SCALINGS for k in (1, 33 / 32, 1.5, 2, 4)]
    exact = [encodings.frequencies(*given) for given in asked]
    found = node.maths("../model/encodings", "speeds", *asked)
    np.testing.assert_allclose(found, exact, rtol=1e-14)


def test_the_weights_of_a_model_are_the_committed_ones_and_light():
    """tests/test_experiments.py compares their accuracy with the committed one."""
    for name in LIVE:
        served = (SITE / "assets" / "model" / "weights" / f"{name}.safetensors").read_bytes()
        assert served == (FOLDER / f"{name}.safetensors").read_bytes()
        assert len(served) <= 150_000 or gzipped(served) <= 150_000


# What readers see

SHOWN = script("live_model.js", "shown")


def query(state):
    given = [f"{name}={value}" for name, value in state.items() if DEFAULTS.get(name) != value]
    return "?" + "&".join(given) if given else ""


def ready(page):
    page.wait_for_selector(".lm.is-ready")
    expect(page.locator(".lm-sentence")).to_contain_text("answers are right")
    return page


@pytest.fixture
def opened(visit):
    """A function that loads the page with a state in its address."""

    def loaded(state, **options):
        return ready(visit("trained-models/" + query(state), **options).page)

    return loaded


def drawn(seed, length):
    return "".join(LETTERS[token] for token in xorshift(seed)(VOCABULARY, (length,)))


def expected(state):
    """What NumPy's pass says of a state: the text, the answers, the verdicts, all results."""
    length = state.get("length", DEFAULTS["length"])
    text = state.get("text", "") + drawn(state.get("seed", 1), 128)[len(state.get("text", "")) :]
    text = text[:length]
    arrays, run = unpacked(state.get("model", DEFAULTS["model"]))
    run = replace(run, encoding="none") if state.get("off") else run
    speeds = encodings.frequencies(
        run.base, state.get("scaling", "trained"), max(1, length / LENGTH)
    )
    tokens = np.array([[LETTERS.index(letter) for letter in text]])
    found = forward.run_model(arrays, run, tokens, forward.Changes(speeds=speeds))
    answers = "".join(LETTERS[token] for token in found.logits[0].argmax(axis=-1))
    right = (one == other for one, other in zip(answers[BACK:], text, strict=False))
    verdicts = "." * min(BACK, length) + "".join("+" if one else "-" for one in right)
    return text, answers, verdicts, found


def expect_shown(page, **state):
    """The address, the controls and the answers are those of the state."""
    address = site_files.address(PAGE) + query(state)
    page.wait_for_url(lambda url: url.removesuffix("#live") == address)
    text, answers, verdicts, found = expected(state)
    within, beyond = verdicts[:LENGTH], verdicts[LENGTH:]
    right, asked = verdicts.count("+"), len(verdicts) - BACK
    parts = rf"{within.count('+')} of {len(within) - BACK} within .* "
    parts += rf"{beyond.count('+')} of {len(beyond)} beyond"
    counts = rf": {right} of {asked} answers are right" + (f".*{parts}" if beyond else "")
    expect(page.locator(".lm-sentence")).to_have_text(re.compile(counts))
    wanted = {
        "model": state.get("model", DEFAULTS["model"]),
        "scaling": state.get("scaling", "trained"),
        "off": bool(state.get("off")),
        **{"length": len(text), "field": text},
        **{"text": text, "answers": answers, "verdicts": verdicts},
    }
    assert answered(page, SHOWN, wanted) == wanted
    return found


def pixels_of(element):
    """A picture of the element, of (row, column, colour)."""
    return np.array(Image.open(io.BytesIO(element.screenshot())).convert("RGB")).astype(int)


def expect_maps(page, **state):
    """The maps of the state have one pixel for each weight, and room for up to 7 more rows."""
    found_ = expect_shown(page, **state)
    weights_ = [head for layer in found_.weights for head in layer[0]]
    maps = page.evaluate(script("live_model.js", "pixels"))
    assert len(maps) == len(weights_)
    for drawn_, weight in zip(maps, weights_, strict=True):
        length, side = len(weight), drawn_["width"]
        assert side == 8 * -(-length // 8)
        colours = np.frombuffer(base64.b64decode(drawn_["data"]), np.uint8).reshape(side, side, 4)
        wanted = colormaps["viridis"](weight)[..., :3] * 255
        below = np.tri(length, dtype=bool)
        found = colours[:length, :length, :3]
        assert abs(found[below] - wanted[below]).max() <= 6  # a polynomial fits viridis
        assert (colours[..., 3] == 255 * np.pad(below, (0, side - length))).all()
    return found_


ORDER = ("model", "scaling", "off", "length", "seed", "text")  # in an address
WALK = [  # what the reader changes, one control after the other
    *({"length": 49}, {"model": "rope"}, {"length": 44}, {"scaling": "parts"}, {"length": 128}),
    *("reload", {"scaling": "linear"}, {"off": 1}, {"length": 20}, "reload", {"off": 0}),
    *({"seed": 2}, "back", {"model": "sinusoidal"}, {"model": "none"}, {"length": 5}),
    *({"text": "badab", "model": "alibi"}, "reload", {"model": "t5"}, {"length": 33}, "reset"),
    *({"length": 62}, "without worker", {"length": 63}, {"length": 62}, {"length": 64}),
]


def test_each_control_and_each_address_show_what_numpys_pass_says_of_their_state(opened):
    """A letter more or less needs no worker: in the end, it gets none."""
    states = [{"model": "none-2-layers", "length": 46}]
    page = opened(states[-1])
    for change in WALK:
        if change == "back":
            page.go_back()
            states.append(states[-2])
        elif change == "reset":
            press(page, "Reset")
            states.append({})
        elif change == "reload":
            page.reload()
        elif change == "without worker":
            page.evaluate("() => { Worker.prototype.postMessage = () => { throw Error('asked') } }")
        else:
            states.append({**states[-1], **change})
            for name, value in change.items():
                change_control(page, name, value)
        state = states[-1]
        found = expect_maps(page, **{name: state[name] for name in ORDER if state.get(name)})
    page.locator(".lm-table summary").click()
    rows = page.locator(".lm-table tbody tr")
    expect(rows).to_have_count(found.logits.shape[1])
    powers = np.exp(found.logits[0] - found.logits[0].max(axis=-1, keepdims=True))
    sure = powers.max(axis=-1) / powers.sum(axis=-1)
    texts = rows.locator("td:nth-child(5)").all_inner_texts()
    shares = [float(text.strip("%")) / 100 for text in texts]
    np.testing.assert_allclose(shares, sure, atol=0.0051)


def change_control(page, name, value):
    control = page.locator(f"[data-control={name}]")
    if name == "seed":
        press(page, "New text")
    elif name == "off":
        control.set_checked(bool(value))
        expect(page.get_by_label("Scaling of RoPE")).to_be_enabled(enabled=not value)
    elif name in ("length", "text"):
        control.fill(str(value))
    else:
        control.select_option(value)


def test_captions_say_where_heads_look_and_marks_where_the_reader_points(opened):
    # A low window would scroll for the screenshot, away from the pointer.
    page = opened({"model": "rope", "length": 43}, viewport={"width": 1280, "height": 1600})
    weight = expected({"model": "rope", "length": 43})[3].weights[0][0]
    for head in (0, 1):
        shares = [np.trace(weight[head], offset=-back) / len(weight[head]) for back in range(32)]
        most = f"{100 * max(shares):.0f}% of its weight falls {np.argmax(shares)} back"
        map_of_head = page.get_by_role("img", name=f"Head {head + 1}: {most}", exact=True)
        expect(map_of_head).to_be_visible()
    frame, reading = page.locator(".lm-frame").first, page.locator(".lm-reading")
    side = frame.evaluate("frame => frame.clientWidth")
    square = page.locator(".lm-square").first.bounding_box()
    assert abs(square["width"] - 32 / 48 * side) < 1
    page.locator("[data-place='17']").hover()
    expect(reading).to_contain_text("Position 17, letter")
    right = pixels_of(frame)[2:-2, -6:-1]
    arrow = np.abs(right - right[-1, 0]).max(axis=(1, 2)).nonzero()[0] + 2
    assert abs(arrow.mean() - 17.5 / 48 * side - 1) < 2  # the frame has a border of 1 pixel
    assert 7 <= np.ptp(arrow) <= 11
    canvas = page.locator(".lm-frame canvas").first
    canvas.hover(position={"x": 5, "y": canvas.bounding_box()["height"] * 20.5 / 48})
    expect(reading).to_contain_text("Position 20, letter")
    page.mouse.move(0, 0)
    expect(reading).to_contain_text("Position 42, letter")


# What readers do


def press(page, name):
    page.get_by_role("button", name=name).click()


def test_an_address_leads_to_the_model_and_what_is_wrong_in_it_is_explained_there(visit):
    page = ready(visit("trained-models/?model=rope&length=40").page)
    expect(page.locator(".lm-sentence")).to_be_in_viewport()
    page.locator("[data-control=length]").fill("41")
    page.wait_for_url("**?model=rope&length=41#live")
    for asked, (note, used) in BAD.items():
        page = ready(visit(f"trained-models/?{asked}").page)
        expect(page.locator(".lm-note")).to_be_in_viewport()
        expect(page.locator(".lm-note")).to_have_text(re.compile(note))
        said = page.evaluate(SHOWN)
        assert [said["text"], said["answers"]] == list(expected(used)[:2])


MOST = f"at most 128 letters from a to p, got “{'a' * 24}…”; using a random one"
BAD = {  # the note, and the state instead
    "model=gpt&text=xyz&seed=0&off=yes": (
        "model must be one of .*, got “gpt”; using learned.*off must be 1, got “yes”; the encoding "
        "stays on.*seed must be a whole number.*got “xyz”; using a random one",
        {},
    ),
    f"length=200&model=rope&text={'a' * 129}": (
        f"length must be a whole number from 1 to 128.*{MOST}",
        {"model": "rope"},
    ),
}


def test_a_typed_text_is_answered_and_longer_ones_go_on_with_drawn_letters(opened):
    page = opened({"seed": 3})
    field, note = page.get_by_label("Text, letters from a to p"), page.locator(".lm-note")
    field.fill("Abba pacman xyz")
    expect(note).to_have_text("The models know the letters a to p; left out: x y z.")
    expect_shown(page, length=10, seed=3, text="abbapacman")
    page.get_by_role("slider", name="Length").fill("12")
    expect_shown(page, length=12, seed=3, text="abbapacman")
    field.fill("a" * 130)
    expect(note).to_have_text("A text has at most 128 letters, got 130; the first 128 are kept.")
    expect_shown(page, length=128, seed=3, text="a" * 128)
    field.fill("")
    expect(page.locator(".lm-sentence")).to_contain_text("Type letters from a to p")
    field.fill("ab")
    expect(page.locator(".lm-sentence")).to_contain_text("too short")


SHUFFLED = {
    "none": "stays “.” .*. If no shuffle changes it, the model does not see their order",
    "rope": "was “.” .* and is “.”",
}


def test_a_shuffle_tells_whether_the_last_answer_changes_and_axe_finds_nothing(opened):
    text = "abcdefghijklmno" * 2 + "ap"  # no other letter is the last one
    page = opened({"model": "none", "length": 32, "text": text})
    note, shuffle = page.locator(".lm-note"), "Shuffle all but the last letter"
    for model, said in SHUFFLED.items():
        page.get_by_label("Encoding", exact=True).select_option(model)
        before = page.evaluate(SHOWN)["text"]
        press(page, shuffle)
        expect(note).to_have_text(re.compile(said))
        wait_until(page, f"before => ({SHOWN})().text !== before", before)
        after = page.evaluate(SHOWN)["text"]
        assert (sorted(after), after[-1]) == (sorted(before), before[-1])
        expect_shown(page, model=model, length=32, text=after)
    page.get_by_role("slider", name="Length").fill("40")  # another last letter
    expect(note).to_be_hidden()
    assert page.locator(".lm-said").get_attribute("role") == "status"
    expect(page.locator(".lm-said")).to_have_text(page.locator(".lm-sentence").inner_text())
    page.locator(".lm-table summary").click()
    page.get_by_label("Text, letters from a to p").fill("a" * 39 + "b")
    expect_shown(page, model="rope", length=40, text="a" * 39 + "b")
    press(page, shuffle)
    expect(note).to_contain_text("The shuffle left the text as it was.")
    # On a dark phone, tests/test_browser.py has axe look at all but these two.
    assert_accessible(page, [LIGHT_SCREEN], within=".lm")
    assert_accessible(page, [DARK_PHONE], within=":is(.lm-note, .lm-table)")


# For everyone


def test_the_weights_load_when_the_reader_comes_to_the_controls_and_nothing_leaves(visit):
    one = visit(PAGE)
    sentence, still = one.page.locator(".lm-sentence"), one.page.locator(".lm-still")
    assert not [url for url in one.requested if "weights" in url or "panel" in url]
    kilobytes = (SITE / "assets/model/weights/learned.safetensors").stat().st_size / 1000
    expect(sentence).to_contain_text("then the model loads")
    expect(sentence).to_contain_text(f"{kilobytes:.0f} kB")
    expect(still).to_be_visible()
    one.page.locator("[data-press=new]").evaluate("button => button.click()")  # it counts
    one.page.locator("#lm-length").focus()
    ready(one.page)
    expect(still).to_be_hidden()
    expect_shown(one.page, seed=2)
    loaded = [url for url in one.requested if "/weights/" in url]
    assert loaded == [site_files.address("assets/model/weights/learned.safetensors")]
    asked = len(one.requested)
    one.page.get_by_role("slider", name="Length").fill("40")
    expect_shown(one.page, length=40, seed=2)
    assert len(one.requested) == asked
    assert all(url.startswith(site_files.site_url()) for url in one.requested)
    one.page.emulate_media(media="print")
    expect(one.page.locator(":is(.lm-still, .lm-controls):visible")).to_have_count(0)
    expect(one.page.locator(":is(.lm-sentence, .lm-strip, .lm-maps):visible")).to_have_count(3)


def test_the_keyboard_works_every_control_and_reads_positions(visit):
    page = visit(PAGE).page
    first = page.get_by_label("Encoding", exact=True)
    tab_to(page, first, "element => element === document.activeElement")
    ready(page)
    page.keyboard.press("r")
    expect_shown(page, model="rope")
    for _ in range(3):
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect_shown(page, model="rope", length=65)
    page.get_by_role("application", name="Letters and answers by position").press("Home")
    for key in ("ArrowRight", "Shift+ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    text, answers, *_ = expected({"model": "rope", "length": 65})
    said = f"Position 10, letter {text[10]}: asked for {text[7]}, the model says {answers[10]} with"
    expect(page.locator(".lm-said")).to_contain_text(said)
    for kind, place in (("is-marked", "10"), ("is-asked", "7")):
        expect(page.locator(f".lm-strip .lm-cell.{kind}")).to_have_attribute("data-place", place)


def test_texts_of_any_length_fit_a_phone_and_a_screen(opened):
    page = opened({"model": "none-2-layers"})
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        for length in (60, 128, 33, 20):
            page.get_by_role("slider", name="Length").fill(str(length))
            expect_shown(page, model="none-2-layers", length=length)
            heights = page.evaluate(script("live_model.js", "heights"))
            assert [grid for grid, _ in heights] == pytest.approx([cells for _, cells in heights])
            assert_no_overflow(page)


@pytest.mark.parametrize("part", ["weights/learned.safetensors", "model/input.js"])
def test_a_part_that_does_not_load_is_reported_and_the_reader_can_try_again(part, visit):
    one = visit(PAGE)
    one.refused, one.provoked = {part}, (*LOADING_FAILED, "could not")
    note = one.page.locator(".lm-note")
    one.page.locator(".lm-controls").hover()
    expect(note).to_contain_text("could not be loaded.")
    if part.startswith("weights"):  # the other models load
        encoding = one.page.get_by_label("Encoding", exact=True)
        encoding.select_option("T5’s buckets")
        expect_shown(one.page, model="t5")
        expect(note).to_be_hidden()
        encoding.select_option("Learned table")
        expect(note).to_contain_text("The model could not be loaded.")
    one.refused = set()
    press(one.page, "Try again")
    expect_shown(ready(one.page))
    expect(note).to_be_hidden()
    assert one.answers


def test_the_still_strip_has_the_answers_of_numpys_pass():
    cells = page_text.parsed(SITE / PAGE).xpath("//*[@class='lm-still']//*[@class='lm-grid']/span")
    letters, answers = ("".join(cell[k].text for cell in cells) for k in (0, 1))
    kinds = {"lm-cell": ".", "lm-cell is-right": "+", "lm-cell is-wrong": "-"}
    verdicts = "".join(kinds[cell.get("class")] for cell in cells)
    assert (letters, answers, verdicts) == expected({})[:3]


def test_where_readers_allow_it_the_model_runs_by_itself_and_they_find_the_upright_line(visit):
    page = ready(visit(PAGE, reduced_motion="no-preference").page)
    looks = expect_shown(page).weights[0][0]
    assert (looks[:, LENGTH:].argmax(axis=-1) == 28).all()


def test_forced_colours_keep_the_bars_the_scale_the_arrow_and_the_marked_letter(opened):
    page = opened({"model": "rope", "length": 24}, forced_colors="active")
    page.locator(".lm-strip").press("Home")
    for part in (".lm-scale span:nth-child(2)", ".lm-strip .is-right", ".lm-arrow"):
        drawn_ = pixels_of(page.locator(part).first)[1:-1, 1:-1]
        assert np.ptp(drawn_, axis=(0, 1)).max() > 100, part
    styles = "all => all.map(e => getComputedStyle(e).borderTopColor)"
    marked = page.locator(".lm-cell:is(.is-marked, .is-asked)").evaluate_all(styles)
    others = page.locator(".lm-cell:not(.is-marked, .is-asked)").evaluate_all(styles)
    assert {*others} == {"rgba(0, 0, 0, 0)"}
    assert {*marked} == {page.evaluate("getComputedStyle(document.body).color")}
