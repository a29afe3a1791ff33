"""Terms lead to their definitions in the glossary, and show them on hover, focus and tap."""

import re

import pytest
from playwright.sync_api import expect

from scripts.pages import contents, glossary
from tests import page_text, site_files
from tests.browsing import LOADING_FAILED, NARROW, TOUCH
from tests.page_actions import DARK_PHONE, assert_accessible, show
from tests.test_pages import built

GLOSSARY = "notation/index.html"
EVERYDAY = {"position", "scaling", "turn"}
PAGE, OTHER = "waves/index.html", "why-order/index.html"
WITH = [built(page.name) for page in contents.pages() if page.name not in glossary.WITHOUT]
UNREAD = "a", "button", "code", "data", "figure", "math", "pre", "summary", 'b class="thumb"'


def links(page):
    return page_text.article(page).xpath(".//a[@class='term']")


def definitions():
    """The definition of each entry of the glossary's page, by its id."""
    entries = page_text.article(page_text.pages()[GLOSSARY]).xpath(".//dt[@id]")
    return {entry.get("id"): entry.getnext() for entry in entries}


# The links


def test_every_entry_of_the_glossary_has_a_definition_and_links_except_everyday_words():
    assert all(found is not None and found.tag == "dd" for found in definitions().values())
    assert set(glossary.entries().values()) == definitions().keys() - EVERYDAY
    assert len(definitions()) > 30
    used = {
        link.get("href").split("#")[1] for name in WITH for link in links(page_text.pages()[name])
    }
    assert used == set(glossary.entries().values())


@pytest.mark.parametrize(
    ("html", "linked"),
    [
        ("<p>a phase and a phase</p>", "<p>a [phase] and a phase</p>"),
        ("<p>two\ndot products, frequencies</p>", "<p>two\n[dot products], [frequencies]</p>"),
        ("<p>multi-head, phased, base-10</p>", "<p>multi-head, phased, base-10</p>"),
        ("<h2>A phase</h2><p>One phase</p>", "<h2>A phase</h2><p>One [phase]</p>"),
        ('<p title="a phase">x<br>phase</p>', '<p title="a phase">x<br>[phase]</p>'),
    ],
)
def test_a_term_is_a_whole_word_of_prose(html, linked):
    made = glossary.linked(html, "there")
    assert (
        re.sub(r'<a class="term" href="there#[\w-]+">(.*?)</a>', r"[\1]", made, flags=re.S)
        == linked
    )


@pytest.mark.parametrize("tag", UNREAD)
def test_other_parts_of_a_paragraph_have_no_links(tag):
    unread = f"<p><{tag}>phase</{tag.split()[0]}> "
    assert glossary.linked(f"{unread}phase</p>", "there").startswith(f"{unread}<a ")


# The definitions


def shown(page):
    return page.locator(".term-tip")


def term(page, anchor="frequency"):
    return page.locator(f"a.term[href$='#{anchor}']")


def expect_definition(page, link):
    expect(shown(page)).to_be_visible()
    expect(link).to_have_attribute("aria-describedby", "term-tip")
    expect(shown(page)).to_have_role("tooltip")


def expect_none(page):
    expect(shown(page)).to_have_count(0)
    expect(page.locator("[aria-describedby=term-tip]")).to_have_count(0)


@pytest.mark.browser
def test_pointer_and_keyboard_show_a_definition_for_which_the_glossary_loads_once(visit):
    one = visit(PAGE)
    page = one.page
    assert not [url for url in one.requested if "notation" in url]
    term(page).focus()
    expect_definition(page, term(page))
    page.keyboard.press("Escape")
    expect_none(page)
    expect(term(page)).to_be_focused()
    page.keyboard.press("Tab")
    expect_definition(page, term(page, "angle"))
    term(page).hover()
    expect_definition(page, term(page))
    page.locator("h1").hover()
    expect_none(page)
    term(page).focus()
    assert len([url for url in one.requested if "notation" in url]) == 1
    page.keyboard.press("Enter")
    page.wait_for_url("**/notation/#frequency")
    expect_none(page)


@pytest.mark.browser
def test_the_first_tap_shows_a_definition_and_the_second_or_one_that_cannot_load_leads_on(visit):
    one = visit(PAGE, **TOUCH)
    page, link = one.page, one.page.get_by_role("link", name="frequency", exact=True)
    one.refused, one.provoked = {"/notation/"}, LOADING_FAILED
    link.tap()
    expect(link).not_to_have_class("term")
    expect_none(page)
    one.refused = set()
    phase = term(page, "phase")  # it asks again
    phase.tap()
    expect_definition(page, phase)
    page.locator("h1").tap()
    expect_none(page)
    assert page.url == site_files.address(PAGE)
    link.tap()
    page.wait_for_url("**/notation/#frequency")
    page.go_back()
    phase.tap()
    expect_definition(page, phase)
    phase.tap()
    page.wait_for_url("**/notation/#phase")


@pytest.mark.browser
def test_each_definition_has_the_words_of_the_glossary_fits_the_window_and_is_accessible(visit):
    page = visit(OTHER, viewport=NARROW).page
    for link in page.locator("a.term:visible").all():
        link.focus()
        expect_definition(page, link)
        box = shown(page).bounding_box()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= NARROW["width"]
        words = re.findall(r"\w+", shown(page).text_content())
        (anchor,) = re.findall("#(.+)", link.get_attribute("href"))
        whole = re.findall(r"\w+", "".join(definitions()[anchor].itertext()))
        assert words == whole[: len(words)]
        assert whole[len(words) :][:1] in ([], ["See"])
        assert shown(page).locator("a, [tabindex]").count() == 0
    show(page, *DARK_PHONE)
    link.focus()
    expect_definition(page, link)
    assert_accessible(page, (DARK_PHONE,), "article")
    page.emulate_media(media="print")
    expect(shown(page)).to_be_hidden()
