"""Readers can do with "What does my config say?" what its page says, and it requests nothing."""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import expect

from posenc import Rotary
from posenc.plans import Plan
from posenc.plans._words import difference
from scripts.browser import known_configs
from tests import forms, page_text, site_files
from tests.browsing import NARROW, script
from tests.forms import dropped, expect_said, given_file
from tests.page_text import SITE
from tests.test_config_answers import in_python
from tests.test_gguf import gguf
from tests.test_rotary_config import WRONG
from tests.test_rotary_config_outputs import MODELS

pytestmark = pytest.mark.browser

PAGE = "config/index.html"
OWN = {"model_type": "llama", "head_dim": 8, "rope_theta": 100}
OWN_SAID = "8 features turn, base 100, no scaling."
IN_TEXT = json.dumps(OWN)

visited, page = forms.fixtures(PAGE)


def example(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".we-said")).to_contain_text(f"{name}: ")


def pasted(page, text):
    page.evaluate(script("config.js", "paste"), text)


def facts(page):
    return page.evaluate(script("config.js", "facts"))


# Configs


SAID = {
    "Phi-3.5-mini": "96 features turn, base 10,000, LongRoPE scaling, 1 of 48 pairs kept, 47"
    " slowed by 1.02 to 2.84.",
    "Gemma 3 4B": "2 types of layers. full_attention: 256 features turn, base 1,000,000, linear"
    " scaling, 128 of 128 pairs divided by 8; sliding_attention: 256 features turn, base 10,000,"
    " no scaling.",
}


@pytest.mark.parametrize("name", MODELS)
def test_an_example_shows_its_config_its_answer_and_the_numbers_of_every_pair(page, name):
    example(page, name)
    if name in SAID:
        expect_said(page, f"{name}: {SAID[name]}")
    assert json.loads(page.locator(".we textarea").input_value()) == MODELS[name]
    section = page.get_by_role("region", name="Programs differ")
    differences = [difference(one) for one in Plan.from_dict(MODELS[name]).programs]
    assert section.get_by_role("listitem").all_inner_texts() == differences
    rotary, (_, *rows) = encodings(name)[0], page.evaluate(script("config.js", "rows"))
    plain = Rotary(rotary.head_dim, base=rotary.base)
    stretch = plain.frequencies() / rotary.frequencies()
    columns = [rotary.frequencies(), rotary.wavelengths(), plain.wavelengths(), stretch]
    if rotary.scaling is None:
        columns = columns[:2]
    shown = [[value(cell) for cell in row[2 : 2 + len(columns)]] for row in rows]
    np.testing.assert_allclose(shown, np.transpose(columns), rtol=1e-4)
    first, apart = (1, len(stretch)) if rotary.layout == "halves" else (2, 1)
    pairs = [[str(i), f"{first * i}, {first * i + apart}"] for i in range(len(stretch))]
    assert [row[:2] for row in rows] == pairs
    if rotary.scaling is not None and name != "Phi-3.5-mini":
        fates = {1: "kept", rotary.scaling.factor: f"divided by {rotary.scaling.factor:.0f}"}
        wanted = [fates.get(round(one, 9), "on the ramp") for one in stretch]
        assert [row[6] for row in rows] == wanted


def encodings(name):
    found = Rotary.from_config(MODELS[name])
    return list(found.values()) if isinstance(found, dict) else [found]


def test_a_config_is_pasted_dropped_chosen_or_typed(page):
    example(page, "Qwen 3")
    field = page.locator(".we textarea")
    pasted(page, IN_TEXT)  # a whole config replaces the example
    expect_said(page, f"Your config: {OWN_SAID}")
    field.evaluate("field => field.setSelectionRange(1, 1)")
    pasted(page, '"rope_scaling": {"type": "linear", "factor": 2}, ')  # goes where the cursor is
    said = "8 features turn, base 100, linear scaling, 4 of 4 pairs divided by 2."
    expect_said(page, f"Your config: {said}")
    given_file(page, "config.json", json.dumps({**OWN, "rope_theta": 50}).encode())
    expect_said(page, "config.json: 8 features turn, base 50, no scaling.")
    dropped(page, text=IN_TEXT)
    expect_said(page, f"Your config: {OWN_SAID}")
    expect(field).to_have_value(IN_TEXT)
    expect(page.locator(".we.is-over")).to_have_count(0)
    dropped(page, "other.json", json.dumps({**OWN, "head_dim": 16}).encode())
    expect_said(page, "other.json: 16 features turn, base 100, no scaling.")
    field.fill(f"LlamaConfig {IN_TEXT}\n")
    page.get_by_role("button", name="Read").click()
    expect_said(page, f"Your config: {OWN_SAID}")


def test_what_is_no_config_and_what_python_refuses_is_refused_in_its_words(page):
    """tests/test_config_answers.py compares the words for each rule."""
    config = next(one for one in WRONG if isinstance(in_python(one), str))
    pasted(page, json.dumps(config))
    expect_said(page, f"Your config: {in_python(config)}.", error=True)
    expect(page.locator(".we-answer")).to_contain_text("the words of posenc.rotary.Plan")
    expect(page.locator(".we-match")).to_have_count(0)
    pasted(page, '{\n"head_dim": 64,\n}')
    said = "not JSON: line 3 must have a name in double quotes, got “}”"
    expect_said(page, f"Your config: {said}", error=True)
    expect(page.locator(".we-answer")).to_be_empty()
    pasted(page, json.dumps({"rope_theta": 1e4, "partial_rotary_factor": 0.5, "head_dim": 10**400}))
    expect(page.locator(".is-error")).to_contain_text("head_dim must be at most 1048576")
    given_file(page, "large.json", b" " * 3_000_000)
    said = "larger than 2 MB, the most that this page takes: got 3 MB"
    expect_said(page, f"large.json: {said}", error=True)


def test_the_header_of_a_gguf_file_is_read_and_its_weights_are_not(page):
    """tests/test_config_answers.py compares what the header says."""
    keys = {
        "general.architecture": (8, "llama"),
        "llama.embedding_length": (4, 512),
        "llama.attention.head_count": (4, 4),
        "llama.rope.freq_base": (6, 500_000.0),
    }
    weights = {"output.weight": (np.zeros(600_000, "f4"), 0)}
    given_file(page, "model.gguf", gguf(metadata=keys, tensors=weights))
    expect_said(page, "model.gguf: 128 features turn, base 500,000, no scaling.")
    assert facts(page)["Layout"] == "interleaved: features 2i and 2i + 1 are a pair"
    given_file(page, "cut.gguf", gguf(metadata=keys)[:100])
    expect_said(page, "cut.gguf: not a whole GGUF file: cut off in its header", error=True)


def test_encoders_and_other_parts_of_a_model_have_a_section_each(page):
    example(page, "Gemma 3 4B")
    for name in ("Worth a look", "In Python", "full_attention", "sliding_attention"):
        expect(page.get_by_role("region", name=name)).to_be_visible()
    expect(page.locator(".we").get_by_role("img")).to_have_count(2)
    vision = {"depth": 27, "hidden_size": 1152, "num_heads": 16}
    text = {**OWN, "model_type": "qwen3_vl_text", "head_dim": 128}
    config = {"model_type": "qwen3_vl", "text_config": text, "vision_config": vision}
    pasted(page, json.dumps(config))
    expect(page.locator(".we-said")).to_contain_text("vision: 72 features turn by y and x")
    section = page.get_by_role("region", name="vision", exact=True)
    expect(section).to_contain_text("y, x: 36, 36 features, in blocks")
    expect(section.get_by_role("img")).to_have_count(1)
    pasted(page, json.dumps({**config, "vision_config": {"model_type": "mine"}}))
    worth = page.get_by_role("region", name="Worth a look")
    expect(worth).to_contain_text("posenc does not know how mine encodes positions")
    pasted(page, json.dumps({"model_type": "pixtral", "rope_theta": 1e4}))
    expect_said(page, "Your config: all layers: 64 features turn by y and x, base 10,000.")


def test_nothing_of_a_config_becomes_a_part_of_the_page(page):
    harm = "<img src=x onerror=alert(1)>"
    sets = {harm: {"rope_type": "linear", "factor": 2, harm: 1}}
    config = {"model_type": harm, "head_dim": 8, "rope_parameters": sets}
    for changed, said in ({}, f"{harm}: 8"), ({"rope_parameters": {"type": harm}}, f"'{harm}'"):
        pasted(page, json.dumps({**config, **changed}))
        expect(page.locator(".we-said")).to_contain_text(said)
        assert page.locator(".we img").count() == 0
    pasted(page, json.dumps(config))
    expect(page.locator(".we-match").get_by_text(harm)).not_to_have_count(0)


# The answer


def test_the_page_states_the_facts(page):
    example(page, "Qwen 3 with YaRN")
    (rotary,) = encodings("Qwen 3 with YaRN")
    lengths = rotary.wavelengths()
    assert facts(page) == {
        "Features turned": "all 128",
        "Base": "1,000,000",
        "Scaling": "YaRN, factor 4, original length 32,768",
        "Pairs": "24 of 64 pairs kept, 16 on the ramp, 24 divided by 4",
        "Wavelengths": f"6.283 to {round(lengths[-1], -2):,.0f} positions",
        "Longer than trained": "24 of 64 pairs had a wavelength of more than 32,768 positions"
        " before the scaling",
        "Attention factor": f"{rotary.attention_factor():.6f}; scores grow by its square,"
        f" {rotary.attention_factor() ** 2:.6f}",
        "Layout": "halves: features i and i + 64 are a pair",
        "Scores": "q·k times 1/√128 = 0.088388",
    }
    pasted(page, json.dumps({**OWN, "head_dim": 2**18}))  # a wide head has a chart too
    expect(page.locator(".we-said")).to_contain_text("262,144 features turn")
    expect(page.locator(".we-match svg")).to_be_visible()
    pasted(page, json.dumps({**OWN, "model_type": "gptj", "rotary_dim": 4}))
    expect(page.locator(".we-said")).to_contain_text("4 of 8 features turn")
    assert facts(page)["Features turned"] == "the first 4 of 8"
    part = {"rope_type": "proportional", "partial_rotary_factor": 0.25}
    pasted(page, json.dumps({**OWN, "rope_scaling": part}))
    said = "2 of 8 features turn, base 100, proportional scaling, 1 of 4 pairs kept, 3 not turned."
    expect_said(page, f"Your config: {said}")
    example(page, "DeepSeek-V3")
    assert facts(page)["Features turned"] == "all 64, in a tensor apart from the rest of the head"


POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def value(cell):
    return float(cell.replace(",", "").replace(" × 10", "e").translate(POWERS))


def test_the_chart_draws_the_wavelengths_and_says_so(page):
    example(page, "Llama 3.1 8B")
    (rotary,) = encodings("Llama 3.1 8B")
    chart = page.get_by_role("img", name="64 wavelengths on a logarithmic axis")
    expect(chart).to_have_attribute("aria-label", re.compile(r"With it: 29 of 64 pairs kept"))
    before, after = (
        np.array([point.split(",") for point in line.get_attribute("points").split()], float)
        for line in chart.locator("polyline").all()
    )
    _, _, width, height = map(float, chart.get_attribute("viewBox").split())
    plain = Rotary(128, base=rotary.base).wavelengths()
    ticks = [
        (
            value(re.sub(r"^10(?=[⁻⁰¹²³⁴⁵⁶⁷⁸⁹])", "1 × 10", tick.text_content())),
            tick.get_attribute("y"),
        )
        for tick in chart.locator("text[text-anchor=end]:not(:text('trained'))").all()
    ]
    powers, heights = np.array(ticks, float).T
    slope, level = np.polyfit(np.log10(powers), heights - 4, 1)  # a label is 4 below its line
    for points, lengths in ((before, plain), (after, rotary.wavelengths())):
        assert (np.diff(points[:, 0]) > 0).all()
        assert (points > 0).all()
        assert (points < [width, height]).all()
        np.testing.assert_allclose(points[:, 1], slope * np.log10(lengths) + level, atol=0.1)
    labels = set(chart.locator("text").all_text_contents())
    assert labels >= {"pair", "kept", "ramp", "divided", "trained on 8,192", "10⁶", "10,000"}


def test_the_length_of_the_text_changes_the_scalings_that_depend_on_it(page):
    length = page.get_by_label("Length of the text, in positions")
    example(page, "Llama 3.1 8B")
    expect(length).to_be_hidden()
    example(page, "Phi-3.5-mini")
    expect(length).to_be_visible()
    (rotary,) = encodings("Phi-3.5-mini")
    for asked in (4096, 4097):
        length.fill(str(asked))
        length.press("Enter")
        shown = f"to {float(f'{rotary.wavelengths(asked)[-1]:.6g}'):,.0f} positions"
        expect(page.locator(".we-match dl")).to_contain_text(shown)
    assert page.url.endswith("?example=Phi-3.5-mini&length=4097")
    page.reload()
    expect(page.locator(".we-match dl")).to_contain_text(shown)
    field = page.locator(".we textarea")
    field.fill(field.input_value().replace("10000.0", "20000.0"))  # now it is the reader's
    length.fill("5000")
    length.press("Enter")
    expect(page.locator(".we-said")).to_contain_text("Your config: 96 features turn, base 20,000")
    assert "?" not in page.url


def test_what_is_wrong_in_an_address_or_a_length_and_a_folder_are_reported(visit):
    wrong = "length must be a whole number of at least 1, got “{}”; none is used."
    page = visit("config/?example=Phi-3.5-mini&length=0").page
    expect(page.locator(".is-error")).to_contain_text(wrong.format("0"))
    length = page.get_by_label("Length of the text, in positions")
    length.fill("8192.5")
    length.press("Enter")
    expect(page.locator(".is-error")).to_contain_text(wrong.format("8192.5"))
    page = visit("config/?example=Llama").page
    said = f"example must be one of {', '.join(MODELS)}, got “Llama”."
    expect(page.locator(".is-error")).to_contain_text(said)
    unreadable = "() => Promise.reject(new DOMException('not found', 'NotFoundError'))"
    page.evaluate(f"() => {{ File.prototype.text = {unreadable}; }}")
    given_file(page, "folder", b"{}")
    expect_said(page, "folder: not a config (there is no text)", error=True)


def test_the_libraries_are_those_that_were_run(page):
    example(page, "gpt-oss")
    section = page.get_by_role("region", name="Other libraries")
    section.locator("summary").click()
    rows = [row.split("\t") for row in section.locator("tbody tr").all_inner_texts()]
    assert sorted(tuple(row[:4]) for row in rows) == sorted(known_configs.libraries())
    same = [row[3].startswith("halves") for row in rows]
    assert [row[4] == "as they are" for row in rows] == same
    expect(section).to_contain_text(f"Of the {len(rows)} calls that we ran, {sum(same)}")
    section.get_by_role("link").click()
    assert page.url == site_files.address("port-weights/index.html")
    page.go_back()


# As a page


def test_a_long_program_is_copied_fits_a_phone_and_is_printed_whole(visit):
    permissions = ["clipboard-read", "clipboard-write"]
    page = visit(PAGE, permissions=permissions, viewport=NARROW).page
    example(page, "Phi-3.5-mini")
    page.locator(".we-copy").click()
    expect(page.locator(".we-copy")).to_have_text("Copied")
    names = {}
    exec(page.evaluate("navigator.clipboard.readText()"), names)
    assert names["rotary"] == Rotary.from_config(MODELS["Phi-3.5-mini"])
    program = page.locator(".we-match pre > code")
    assert program.evaluate("code => code.scrollWidth <= code.clientWidth")
    assert program.bounding_box()["height"] < NARROW["height"] / 2
    page.emulate_media(media="print")
    assert program.evaluate("e => e.scrollHeight <= e.clientHeight")
    for control in (".we-input", ".we-copy"):
        expect(page.locator(control)).to_be_hidden()
    expect(page.locator(".we-match svg")).to_be_visible()
    expect(page.locator(".we-match table").first).to_be_visible()


def test_the_tables_of_the_page_name_every_key_and_every_type():
    text = " ".join(page_text.article(page_text.parsed(SITE / PAGE)).xpath("string()").split())
    kinds = known_configs._config_scalings.KINDS
    assert [kind for kind in kinds if kind not in text] == []
    for name in known_configs._config_names.NAMES:
        assert name in text or name == "rope_interleave", name
    for name in known_configs._config.SIGNS:
        assert name in text, name
