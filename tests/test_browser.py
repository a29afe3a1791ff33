"""The built site in Chromium: each page in a few states, and what readers do on any page.

One visit of a page answers all questions about it: a test collects the faults that each question
finds, and fails if there are any. `make test` asks only some pages what is much the same on all.
"""

from __future__ import annotations

import json
import os
import re
from urllib.parse import urljoin

import numpy as np
import pytest
from playwright.sync_api import expect

from tests import page_text, site_files
from tests.browsing import (
    ANSWERED,
    LOADING_FAILED,
    NARROW,
    TABLET,
    TOUCH,
    WIDE,
    script,
    wait_until,
)
from tests.page_actions import (
    DARK_PHONE,
    LIGHT_SCREEN,
    arrive,
    assert_accessible,
    assert_no_overflow,
    enliven,
    expect_live,
    expect_still,
    follow,
    go_back,
    load_axe,
    show,
    tab_to,
    toggle_scheme,
)
from tests.page_text import SITE
from tests.test_figures import heights

pytestmark = pytest.mark.browser

PAGES = page_text.names() or ["index.html"]
LIVELY = ".pf[data-bundle]"  # the figures that can turn interactive
ONE = "encoding-matrix/index.html"  # has a heatmap and lines
OTHER = "wavelengths/index.html"
MATHS_FONT = SITE / "assets" / "vendor" / "stix-two-math.woff2"
A4 = {"width": 700, "height": 900}

OTHER_STATES = [("default", NARROW), ("default", TABLET), ("slate", TABLET), ("slate", WIDE)]
OPEN_FOLDS = script("page.js", "openFolds")
EXPRESSIONS = script("page.js", "expressions")
OVERFLOWING, SHIFTS = script("page.js", "overflowing"), script("page.js", "shifts")
STEADY = 0.02  # the sum of the shares of the window that moved; Lighthouse calls 0.1 good
IN_VIEW = script("page.js", "inView")
FITTED = script("figures.js", "fitted")
NEEDS_SCRIPTS = (
    ".expressions-toggle, .pf-links button, .md-clipboard, .md-code__button, "
    ".ex :is(input, button), "
    "[data-md-component=palette] label, label[for=__search], .md-search__input"
)
LIVE_CONTROLS = (
    ".sliders-panel, .redrawing, .sliders input, .lm :is(input, select, button, textarea), "
    ".we :is(button, textarea), .ex :is(input, canvas), .filter select"
)
ASKS = "() => !document.querySelector('.ask-form[inert]')"  # the exercises have their script


def found(pattern):
    """What the pattern finds in the HTML of each page, but only of pages where it does."""
    texts = {name: (SITE / name).read_text("utf-8") for name in PAGES if SITE.is_dir()}
    return {name: some for name, text in texts.items() if (some := re.findall(pattern, text))}


WITH_FIGURES, PARTS = found("data-bundle="), found(r'data-live="([^"]+)')
THOROUGH = bool(os.environ.get("THOROUGH"))
SOME = {  # heatmaps and lines, tables, folds, sliders, exercises, and what readers operate
    *("index.html", ONE, "advantages/index.html", "conventions/index.html", "explorer/index.html"),
    *("trained-models/index.html", "waves/index.html", "which-encoding/index.html"),
}


def some_at_once(names):
    """The pages; `make test` leaves out those that are not in SOME."""
    late = pytest.mark.thorough
    return [name if name in SOME else pytest.param(name, marks=late) for name in names]


@pytest.fixture(scope="module")
def still(request, visiting):
    """The visit of the page `request.param`, and its name; two tests share it."""
    with visiting(request.param, viewport=NARROW) as visit:
        yield visit, request.param


def assert_none(found):
    """No question has found a fault."""
    wrong = [f"{question}: {faults}" for question, faults in found.items() if faults]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("still", PAGES, indirect=True)
def test_a_page_as_it_loads(still):
    visit, name = still
    page = visit.page
    expect(page.locator("h1")).to_be_visible()
    pictures = ["plotly"] if name == "gallery/index.html" else ["plotly", "/figures/"]
    early = [url for url in visit.requested for part in pictures if part in url]
    found = {"complaints": visit.complaints, "requests before a reader asks": early}
    if THOROUGH:
        found["moves while it loads and a reader scrolls"] = moves(visit)
    page.evaluate(OPEN_FOLDS)
    found["maths font"] = page.evaluate(script("page.js", "fontFaults"), MATHS_FONT.is_file())
    found["on a phone"] = page.evaluate(script("page.js", "unfit"))
    found["beside numbers"] = page.evaluate(script("page.js", "expressionFaults"))
    page.set_viewport_size(WIDE)
    if THOROUGH:
        found["twice as large"] = enlarged(page)
    if THOROUGH or name in SOME:
        found |= on_paper(page, A4)
        found["moves"] = page.evaluate(script("access.js", "moving"))
        page.emulate_media(forced_colors="active")
        found["in forced colours"] = page.evaluate(script("access.js", "lostInForcedColours"))
        page.emulate_media(forced_colors="none")
    assert_none(found)
    if THOROUGH:
        assert_accessible(page, [LIGHT_SCREEN])


def moves(visit):
    """What moves while the page loads and a reader scrolls."""
    visit.page.evaluate(script("page.js", "scrollThrough"))
    visit.settle()
    found = visit.page.evaluate(SHIFTS)
    visit.page.evaluate("scrollTo(0, 0)")  # where the header has its usual words
    return found if sum(shift["value"] for shift in found) >= STEADY else []


def on_paper(page, size=WIDE):
    """The faults of the printed page, by kind."""
    page.set_viewport_size(size)
    wait_until(page, FITTED)  # a plot that does not show takes no new width
    page.emulate_media(media="print")
    found = page.evaluate(script("page.js", "onPaper"), NEEDS_SCRIPTS)
    page.emulate_media(media="screen")
    page.set_viewport_size(WIDE)
    return found


def enlarged(page):
    """Texts cut off or covered, by zoom, which halves the window, then by a larger font."""
    settings = page.context.new_cdp_session(page)
    larger = {"standard": 32, "fixed": 26}
    questions = [("page.js", "overflowing"), ("access.js", "cutOff"), ("access.js", "overlapping")]
    wrong = []
    for size, fonts in (({"width": 640, "height": 450}, {}), (WIDE, larger)):
        page.set_viewport_size(size)
        settings.send("Page.setFontSizes", {"fontSizes": fonts})
        page.evaluate(ANSWERED)
        wrong += [one for question in questions for one in page.evaluate(script(*question))]
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    settings.detach()
    page.evaluate(ANSWERED)
    return wrong


@pytest.mark.parametrize("still", some_at_once(PAGES), indirect=True)
def test_a_page_with_interactive_figures_in_both_schemes(still):
    """tests/test_figures.py compares the data of the figures with the oracle."""
    visit, name = still
    page = visit.page
    enliven_all(page)
    wait_until(page, ASKS)
    page.keyboard.press("Escape")  # any key: then browsers show the focus
    found = {"without outline": page.evaluate(script("page.js", "withoutOutline"))}
    found["hover texts"] = [*wrong_data_or_hover_texts(page)]
    found |= on_paper(page) if name in WITH_FIGURES else {}
    colours = script("figures.js", "colours")
    light = page.evaluate(colours)
    toggle_scheme(page)
    wait_until(page, script("figures.js", "recoloured"))
    found["colours"] = [*alike(light, page.evaluate(colours))] if name in WITH_FIGURES else []
    page.set_viewport_size(NARROW)
    wait_until(page, FITTED)
    found |= page.evaluate(script("figures.js", "allCrowded"))
    found["on a phone"] = page.evaluate(OVERFLOWING)
    assert_none(found)
    more = [*OTHER_STATES, LIGHT_SCREEN] if name in (ONE, "explorer/index.html") else []
    # The frame of the pages is everywhere the same.
    assert_accessible(page, [DARK_PHONE, *(more if THOROUGH else [])])


def enliven_all(page):
    page.evaluate(OPEN_FOLDS)
    for model in page.locator(".lm").all():  # it takes the place of a figure
        model.get_by_role("slider").focus()
        expect(page.locator(".lm-static")).to_have_count(0)
    for figure in page.locator(LIVELY).all():
        if figure.get_attribute("data-state") != "live":
            enliven(figure)


def wrong_data_or_hover_texts(page):
    """A matrix that the page computes otherwise is an error, hover texts without words faults."""
    for figure in page.evaluate(script("figures.js", "plotted")):
        address = urljoin(page.url, figure["link"]).replace(".csv", ".json")
        shipped = json.loads(site_files.file(address).read_text("utf-8"))["data"]
        for trace, source in zip(figure["drawn"], shipped, strict=True):
            if "matrix" in source.get("meta", {}):
                np.testing.assert_allclose(np.asarray(trace["z"]), heights(source), 0, 2**-23)
        for text, template in figure["hover"]:
            words = re.sub(r"%\{[^}]*\}|<[^>]*>", " ", template.partition("<extra>")[0]).split()
            unread = re.search(r"%\{|NaN|undefined", text or "NaN")
            if unread or any(word not in text for word in words):
                yield f"{figure['name']}: {text}: {template}"


def alike(light, dark):
    """Colours that are the same in both schemes, or not those of the page."""
    if (light["scheme"], dark["scheme"]) != ("default", "slate"):
        yield light["scheme"], dark["scheme"]
    for kind in ("text", "lines", "grid", "fonts", "ticks", "traces"):
        pairs = zip(light[kind], dark[kind], strict=True)
        yield from ((kind, one) for one, other in pairs if one == other)
    for seen in (light, dark):
        if seen["fonts"] != seen["ink"] or "var(" in str(seen):
            yield seen


# Nothing moves while a reader reads


MATHS_FONT_LOADED = """async () => (await document.fonts.ready,
    [...document.fonts].some(font => /Math/.test(font.family) && font.status === "loaded"))"""
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 800_000}  # bytes a second


def test_the_maths_font_moves_nothing_on_a_slow_phone_and_what_moves_is_noticed(browser):
    with site_files.served(SITE) as address, browser.new_context(viewport=NARROW) as context:
        tab = context.new_page()
        phone = context.new_cdp_session(tab)
        phone.send("Network.emulateNetworkConditions", {**SLOW_NETWORK, "uploadThroughput": -1})
        phone.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        tab.goto(address + "conventions/")
        wait_until(tab, MATHS_FONT_LOADED)
        found = tab.evaluate(SHIFTS)
        assert sum(shift["value"] for shift in found) < STEADY, found
        tab.evaluate("document.querySelector('h1').style.marginTop = '200px'")
        assert sum(shift["value"] for shift in tab.evaluate(SHIFTS)) > STEADY


def test_the_policy_and_nothing_else_stops_a_planted_script(visit):
    seen = visit("index.html")
    seen.provoked = ("Content Security Policy",)
    address = site_files.address("formula/index.html")
    text = (SITE / "formula" / "index.html").read_text("utf-8")
    text = text.replace("</article>", "<script>window.planted = true</script></article>")
    sent = [text.replace("Content-Security-Policy", "none"), text]
    seen.page.route(address, lambda route: route.fulfill(body=sent[-1]))
    for runs in (False, True):
        seen.page.goto(address)
        seen.page.wait_for_selector(".expressions-toggle")
        assert seen.page.evaluate("'planted' in window") is runs
        sent.pop()
    seen.page.unroute(address)


# The drawer of a narrow screen, which has the navigation


@pytest.mark.parametrize("scripts", [True, False])
def test_the_keyboard_opens_the_drawer_and_goes_through_it(scripts, visit):
    page = visit(ONE, viewport=NARROW, java_script_enabled=scripts).page
    drawer = page.locator(".md-sidebar--primary")
    links = drawer.get_by_role("link")  # as screen readers get them
    expect(links).to_have_count(0)
    way = page.locator(".drawer-way summary")
    way.focus()
    assert way.evaluate(IN_VIEW)
    page.keyboard.press("Enter")
    expect(links).not_to_have_count(0)
    assert drawer.evaluate(IN_VIEW)
    page.keyboard.press("Tab")
    expect(drawer.locator(":focus")).to_have_count(1)
    link = links.filter(has_text="Wavelengths")
    link.focus()
    assert link.evaluate(IN_VIEW)
    way.focus()
    page.keyboard.press("Enter")
    expect(links).to_have_count(0)


def test_a_narrow_screen_has_a_drawer_in_which_axe_finds_nothing_and_a_link_leads_on(visit):
    page = visit(ONE).page
    links = page.locator(".md-sidebar--primary").get_by_role("link")
    expect(links.first).to_be_visible()  # a wide screen shows the navigation
    load_axe(page)
    for scheme in ("default", "slate"):
        show(page, scheme, NARROW)
        expect(links).to_have_count(0)
        page.locator("label.md-header__button[for=__drawer]").click()
        page.evaluate(ANSWERED)
        assert page.evaluate(script("page.js", "violations"), ".md-sidebar--primary") == []
        if scheme == "default":
            page.locator(".md-overlay").click(position={"x": 330, "y": 400})
    links.filter(has_text="From counting to clocks").click()
    arrive(page, "waves/index.html")
    expect(links).to_have_count(0)


# How a figure turns interactive


def press(figure):
    figure.locator(".pf-links button").click()


def test_only_its_button_makes_a_figure_interactive_and_brings_its_picture_back(visit):
    """The figures load Plotly once."""
    one = visit(ONE)
    first, second = one.page.locator(LIVELY).all()[:2]
    first.locator(".pf-stage").click()
    expect_still(first)
    assert not [url for url in one.requested if "plot" in url]
    for figure in (first, second, first):
        figure.locator("button").evaluate("button => [1, 2, 3].forEach(() => button.click())")
        expect_live(figure)
        one.page.evaluate(ANSWERED)
        title = figure.locator("title").first.text_content()
        expect(figure.locator(".pf-plot")).to_have_count(1)
        expect(figure.locator(".pf-plot")).to_have_accessible_name(f"Interactive figure: {title}")
        press(figure)
        expect_still(figure)
    assert len([url for url in one.requested if "vendor/plotly" in url]) == 1


def test_a_figure_that_cannot_load_or_be_drawn_keeps_its_picture(visit):
    """The reader can try again."""
    one = visit(ONE)
    first, second = one.page.locator(LIVELY).all()[:2]
    one.provoked = (*LOADING_FAILED, "planted")

    def fails(figure):
        press(figure)
        expect(figure.locator(".pf-links button")).to_have_text("Could not load; try again")
        expect(figure.locator(".pf-stage > svg")).to_be_visible()
        expect(figure.locator(".pf-plot")).to_have_count(0)

    for part in ("plots.js", "cartesian.min.js", ".json"):
        one.refused = {part}
        fails(first)
    one.refused = set()
    enliven(first)
    one.page.evaluate(script("figures.js", "breakPlotly"))
    fails(second)
    assert one.answers


def test_readers_can_search_and_sort_a_table(visit):
    page = visit("conventions/index.html").page
    table = page.locator(".sortable").first
    rows = table.locator("tbody tr")
    every = rows.count()
    for words, left in (("Whisper HALVES", 2), ("no such library", 0)):
        table.get_by_label("Search the table").fill(words)
        expect(table.locator("tbody tr:visible")).to_have_count(left)
        expect(table.get_by_role("status")).to_have_text(f"{left} of {every} rows")
    table.get_by_label("Search the table").fill("")
    expect(table.locator("tbody tr:visible")).to_have_count(every)
    expect(table.get_by_role("status")).to_be_empty()
    heading = table.get_by_role("button", name="First position")
    for sense, first in (("ascending", "0"), ("descending", "to zero and back")):
        heading.click()
        expect(table.locator(f"th[aria-sort={sense}]")).to_have_count(1)
        expect(rows.first.locator("td").nth(5)).to_have_text(first)


# Numbers


def test_the_expressions_stay_while_the_reader_goes_from_page_to_page(visit):
    page = visit(ONE).page
    button = page.get_by_role("button", name="Show the expression behind every number")
    codes = page.locator("code.expression")
    button.click()
    follow(page, OTHER)
    expect(button).to_have_count(1)
    expect(codes.first).to_be_visible()
    assert all(code for *_, code in page.evaluate(EXPRESSIONS))
    button.click()
    go_back(page, ONE)
    expect(codes).to_have_count(0)
    page.evaluate("sessionStorage.posencExpressions = 'shown'")  # on another page, in between
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(codes.first).to_be_visible()
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(codes).to_have_count(0)


PARAGRAPH = "e => [e.offsetLeft, e.offsetWidth, e.parentElement.offsetHeight]"


@pytest.mark.parametrize("options", [{}, TOUCH, {"java_script_enabled": False}])
def test_the_value_of_a_number_opens_over_the_text_which_stays_where_it_is(options, visit):
    page = visit(OTHER, **options).page
    numbers = "article :is(p, li, figcaption) > data[title]"
    assert page.locator(f"{numbers}:not([tabindex='0'])").count() == 0
    for number in page.locator("article > p > data[title]").all()[:2]:
        number.scroll_into_view_if_needed()
        before = number.evaluate(PARAGRAPH)
        if options is TOUCH:
            number.tap()
        else:
            tab_to(page, number, "e => e === document.activeElement")
        shown = number.evaluate("e => getComputedStyle(e, '::after').content")
        assert number.get_attribute("title") in shown.replace("\\", "")
        assert number.evaluate(PARAGRAPH) == before
        assert_no_overflow(page)
    page.emulate_media(media="print")
    assert number.evaluate("e => getComputedStyle(e, '::after').display") == "none"
    if "java_script_enabled" not in options:
        page.keyboard.press("Escape")
        expect(number).not_to_be_focused()


def test_nobody_sees_hears_or_copies_a_claim_until_the_button_shows_it(visit):
    page = visit("in-ten-minutes/index.html").page
    claims = page.locator("data:not([title])")
    codes = claims.evaluate_all("found => found.map((claim) => claim.value)")
    assert codes
    assert claims.evaluate_all("found => found.every((claim) => !claim.offsetWidth)")
    page.evaluate(OPEN_FOLDS)
    page.keyboard.press("Control+a")
    copied = page.evaluate("String(getSelection())")
    assert "change at once." in copied
    found = [copied, page.locator("article").aria_snapshot()]
    assert not [code for code in codes for text in found if code in text]
    page.locator(".expressions-toggle").click()
    heard = page.locator("article").aria_snapshot()
    assert all(f"{code} holds" in heard for code in codes)  # perhaps in what cases


# Without JavaScript


@pytest.mark.parametrize("name", some_at_once(sorted({*PARTS, *WITH_FIGURES})))
def test_without_javascript_everything_is_there_except_what_needs_it(name, visit):
    page = visit(name, java_script_enabled=False).page
    page.emulate_media(media="print")
    printed = page.evaluate(script("page.js", "unseen"))  # the folds are open on paper
    page.emulate_media(media="screen")
    controls = f"{NEEDS_SCRIPTS}, {LIVE_CONTROLS}"
    found = page.evaluate(script("page.js", "withoutScripts"), controls)
    page.set_viewport_size(NARROW)
    on_a_phone = page.evaluate(OVERFLOWING)
    assert_none({**found, "texts that are not printed": printed, "on a phone": on_a_phone})


# Blocks of code, and the search


def test_a_button_copies_its_block_and_says_so(visit):
    options = {"permissions": ["clipboard-read", "clipboard-write"]}
    page = visit("notebooks/numpy/index.html", **options).page
    block = page.locator(".highlight pre:visible").last
    block.hover()
    block.get_by_role("button", name="Copy to clipboard").click()
    expect(page.locator(".md-dialog")).to_contain_text("Copied to clipboard")
    code = block.locator("code").text_content()
    assert page.evaluate("navigator.clipboard.readText()") == code.rstrip()
    assert code.count("\n") > 1


def test_the_search_loads_its_index_late_answers_words_that_no_key_types_and_closes(visit):
    one = visit(ONE)
    page = one.page
    page.evaluate(ANSWERED)
    assert not [url for url in one.requested if "search_index" in url]
    page.keyboard.press("/")
    page.locator(".md-search__input").fill("padding")  # as when a finger pastes
    found = page.locator(".md-search-result__list")
    expect(found).to_contain_text("padding", ignore_case=True)
    page.keyboard.press("Escape")
    expect(page.locator(".md-search__input")).not_to_be_focused()
    expect(page.locator(".md-search__output")).to_be_hidden()
