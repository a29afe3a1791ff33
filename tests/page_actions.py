"""Actions and expectations that several tests in the browser share."""

from __future__ import annotations

from functools import cache

import pytest
from playwright.sync_api import expect

from tests import page_text, site_files
from tests.browsing import ANSWERED, AXE, NARROW, WIDE, missing, script, wait_until
from tests.page_text import SITE


def assert_no_overflow(page):
    assert page.evaluate(script("page.js", "overflowing")) == []


def toggle_scheme(page):
    before = page.evaluate("document.body.dataset.mdColorScheme")
    page.locator("label[for^='__palette_']:not([hidden])").click()
    wait_until(page, "old => document.body.dataset.mdColorScheme !== old", before)
    page.evaluate(ANSWERED)


LIGHT_SCREEN, DARK_PHONE = ("default", WIDE), ("slate", NARROW)


def assert_accessible(page, states=(DARK_PHONE, LIGHT_SCREEN), within="html"):
    """No violation for axe in `within`, in any of the states (scheme, size of the window)."""
    load_axe(page)
    for scheme, size in states:
        show(page, scheme, size)
        found = page.evaluate(script("page.js", "violations"), within)
        assert found == [], (scheme, size)


def load_axe(page):
    if not AXE.is_file():
        missing("axe-core is not there: npm has not installed node_modules/")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))


def show(page, scheme, size):
    if page.evaluate("document.body.dataset.mdColorScheme") != scheme:
        toggle_scheme(page)
    if page.viewport_size != size:
        page.set_viewport_size(size)
    page.evaluate(ANSWERED)  # the theme lets the keyboard into code that now scrolls


# Figures


def enliven(figure):
    figure.locator(".pf-links button").click()
    expect_live(figure)


def expect_live(figure):
    expect(figure).to_have_attribute("data-state", "live")
    expect(figure.locator(".pf-plot .main-svg").first).to_be_visible()
    expect(figure.locator(".pf-stage > svg")).to_be_hidden()
    stray = figure.evaluate(script("figures.js", "stray"))
    assert stray == [], "parts of the plot lie outside its stage"
    expect(figure.locator(".pf-links button")).to_have_text("Back to the static figure")


def expect_still(figure):
    expect(figure.locator(".pf-stage > svg")).to_be_visible()
    expect(figure.locator(".pf-plot")).to_have_count(0)
    expect(figure.locator(".pf-links button")).to_have_text("Make interactive")


# Ways


def tab_to(page, element, arrived):
    """Press Tab, from the link before `element`, until `arrived` holds."""
    element.locator("xpath=preceding::a").filter(visible=True).last.focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if element.evaluate(arrived):
            return
    pytest.fail("20 presses of Tab do not reach it")


def follow(page, name):
    """Go to the page `name` by a link of the page."""
    page.mouse.move(0, 0)
    page.evaluate(script("page.js", "follow"), site_files.address(name))
    arrive(page, name)


def go_back(page, name):
    page.mouse.move(0, 0)
    page.go_back()
    arrive(page, name)


def arrive(page, name):
    page.wait_for_url(site_files.address(name))
    expect(page.locator("h1")).to_contain_text(heading(name))


@cache
def heading(name):
    return page_text.parsed(SITE / name).xpath("string(//h1/text())")
