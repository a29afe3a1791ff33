"""What the pages that take a text or a file have in common; they keep it to themselves."""

from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from tests import forms, site_files
from tests.browsing import LOADING_FAILED, NARROW, WIDE, script
from tests.page_actions import assert_accessible, assert_no_overflow, follow
from tests.page_text import SITE, gzipped

pytestmark = pytest.mark.browser


class Form(NamedTuple):
    """A page with a form: the examples on it, the modules that it loads, a file and a text."""

    page: str
    examples: tuple[str, ...]
    late: str  # the script that waits for the reader; it holds the others
    budget: int  # bytes of all scripts (docs/decisions/0008-one-answer-in-two-languages.md)
    text: str
    said: str  # of the text


FORMS = [
    Form(
        *("which-encoding/index.html", ("tensor2tensor’s", "Separate exponents for cosines")),
        *("identify/worker.js", 39_500, "0 1 0 1\n0.8415 0.5403 0.01 0.99995"),
        "Your table, 2 × 4: as in ",
    ),
    Form(
        *("config/index.html", ("Gemma 3 4B", "Phi-3.5-mini"), "config/view.js", 56_000),
        '{"model_type": "llama", "head_dim": 8, "rope_theta": 100}',
        "Your config: 8 features turn, base 100, no scaling.",
    ),
]
each_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.page)


def example(page, name):
    page.get_by_role("button", name=name, exact=True).click()
    expect(page.locator(".we-said")).to_contain_text(f"{name}")
    expect(page.locator(".we-match")).not_to_have_count(0)


@each_form
def test_a_form_loads_little_and_late_and_requests_stores_and_remembers_nothing(form, visit):
    one = visit(form.page)
    page, field = one.page, one.page.locator(".we textarea")
    folder = form.late.partition("/")[0]
    first = {f"{folder}/start.js", "form/form.js"}

    def loaded():
        files = {url.partition("/assets/")[2].partition("?")[0] for url in one.requested}
        return {one for one in files if one.startswith((folder, "form/")) and ".js" in one}

    assert loaded() == first
    one.refused, one.provoked = {form.late}, LOADING_FAILED
    page.get_by_role("button", name=form.examples[0], exact=True).click()
    expect(page.locator(".is-error")).to_contain_text("could not be loaded")
    assert one.answers
    one.refused = set()
    field.focus()
    example(page, form.examples[0])
    assert loaded() == {*first, form.late}
    sizes = [gzipped((SITE / "assets" / name).read_bytes()) for name in loaded()]
    assert sum(sizes) <= form.budget
    before, asked = page.url, len(one.requested)
    one.context.set_offline(True)
    page.locator(".we-clear").click()
    field.fill(form.text)
    page.locator(".we-ask").click()
    expect(page.locator(".we-said")).to_contain_text(form.said)
    forms.given_file(page, "cut.npy", b"\x93NUMPY\x01\x00")
    expect(page.locator(".is-error")).to_have_count(1)
    assert len(one.requested) == asked
    stored = "[localStorage, sessionStorage].map((s) => JSON.stringify({ ...s })).join()"
    assert form.text[8:14] not in page.evaluate(stored) + page.url
    assert page.url in (before, site_files.address(form.page))
    one.context.set_offline(False)
    follow(page, "conventions/index.html")
    follow(page, form.page)
    expect(field).to_have_value("")
    example(page, form.examples[1])


@each_form
def test_the_keyboard_reaches_every_part_of_a_form_and_each_has_a_name(form, visit):
    page = visit(form.page).page
    field = page.get_by_label("Your ")
    hint = page.locator(".we-hint").get_attribute("id")
    expect(field).to_have_attribute("aria-describedby", hint)
    field.focus()
    page.keyboard.insert_text(form.text)
    examples = page.get_by_role("group", name="Examples").get_by_role("button").all_inner_texts()
    assert set(form.examples) < set(examples)
    ask = page.locator(".we-ask")
    for name in (ask.inner_text(), "Choose a file", "Clear", *examples):
        page.keyboard.press("Tab")
        assert page.evaluate(script("which_encoding.js", "named")) == name
    ask.press("Enter")
    expect(page.locator(".we-said")).to_contain_text(form.said)
    page.keyboard.press("Tab")
    with page.expect_file_chooser() as chooser:
        page.evaluate("0")  # its answer comes after Chromium has begun to report choosers
        page.keyboard.press("Space")
    given = {"name": "given.txt", "mimeType": "", "buffer": form.text.encode()}
    chooser.value.set_files(given)
    expect(page.locator(".we-said")).to_contain_text("given.txt")
    page.locator(".we-clear").press("Enter")
    expect(field).to_be_focused()
    expect(field).to_have_value("")


@each_form
def test_answers_and_errors_of_a_form_fit_a_phone_and_axe_finds_nothing(form, visit):
    page = visit(form.page).page
    page.set_viewport_size(NARROW)
    for name in form.examples:
        example(page, name)
        for fold in page.locator(".we-match summary").all():
            fold.press("Enter")
            expect(fold.locator("xpath=..")).to_have_attribute("open", "")
        assert_no_overflow(page)
    page.set_viewport_size(WIDE)
    assert_accessible(page, within=".we")
    forms.given_file(page, "cut.npy", b"\x93NUMPY\x01\x00")
    expect(page.locator(".is-error")).to_have_count(1)
    assert_accessible(page, within=".we-said")
    assert page.locator(".we-said").get_attribute("role") == "status"
