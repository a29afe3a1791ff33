"""The built site in Chromium: figures, numbers, schemes, navigation, print, accessibility."""

from __future__ import annotations

import json
import re
from urllib.parse import urljoin

import numpy as np
import pytest
from playwright.sync_api import expect

from tests import page_text, site_files, test_live_model
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
    visible,
)
from tests.page_text import SITE
from tests.screen_reader import Tree, role, said
from tests.test_figures import decoded, heights
from tests.test_site import live_modules

pytestmark = pytest.mark.browser

PAGES = page_text.names() or ["index.html"]
LIVELY = ".pf[data-bundle]"  # the figures that can turn interactive
ONE = "encoding-matrix/index.html"  # has a heatmap and lines
OTHER = "wavelengths/index.html"

OTHER_STATES = [("default", NARROW), ("default", TABLET), ("slate", TABLET), ("slate", WIDE)]
OPEN_FOLDS = script("page.js", "openFolds")
EXPRESSIONS = script("page.js", "expressions")
UNSEEN = script("page.js", "unseen")
NEEDS_SCRIPTS = (
    ".expressions-toggle, .pf-links button, .md-clipboard, .md-code__button, "
    ".ex :is(input, button), "
    "[data-md-component=palette] label, label[for=__search], .md-search__input"
)
LIVE_CONTROLS = (
    ".sliders-panel, .redrawing, .sliders input, .lm :is(input, select, button, textarea)"
)


def html(name):
    return (SITE / name).read_text("utf-8") if SITE.is_dir() else ""


WITH_FIGURES = [name for name in PAGES if "data-bundle=" in html(name)]
SOME = {  # 3-D, heatmaps and lines, tables, sliders, folds
    "index.html",
    ONE,
    "advantages/index.html",
    "notebooks/surfaces/index.html",
    "trained-models/index.html",
    "waves/index.html",
}
SOME_AT_ONCE = [  # `make thorough` takes the other pages
    name if name in SOME else pytest.param(name, marks=pytest.mark.thorough) for name in PAGES
]
WITH_LIVE_PARTS = [name for name in PAGES if "data-live=" in html(name)]
ASKS = "() => !document.querySelector('.ask-form[inert]')"  # the exercises have their script
CONTROLS = ":is(input, select, textarea, .ask-form button, .cards button):visible"
WITH_NUMBERS = [name for name in PAGES if "<data " in html(name)]


def on(names, fixture="still"):
    """Run a test on each of the pages."""
    return pytest.mark.parametrize(fixture, names, indirect=True)


@pytest.fixture(scope="module")
def still(request, visiting):
    """The page `request.param` as it loads; tests leave it as they found it."""
    with visiting(request.param) as visit:
        yield visit


@pytest.fixture(scope="module")
def live(still):
    """The same page with all its figures interactive; the tests that use it come last."""
    still.page.evaluate(OPEN_FOLDS)
    for model in still.page.locator(".lm").all():  # it takes the place of a figure
        model.get_by_role("slider").focus()
        expect(still.page.locator(".lm-static")).to_have_count(0)
    for figure in still.page.locator(LIVELY).all():
        if figure.get_attribute("data-state") != "live":
            enliven(figure)
    return still


@pytest.fixture(scope="module")
def dark(live):
    """The page, its colours in the light scheme, and those in the dark one, which it has now."""
    colours = script("figures.js", "colours")
    light = live.page.evaluate(colours)
    toggle_scheme(live.page)
    wait_until(live.page, script("figures.js", "recoloured"))
    return live.page, light, live.page.evaluate(colours)


@pytest.fixture(scope="module")
def phone(dark):
    """The page with interactive figures in the dark scheme, on a phone."""
    page, *_ = dark
    page.set_viewport_size(NARROW)
    wait_until(page, script("figures.js", "fitted"))
    return page


@pytest.fixture(scope="module")
def plain(request, visiting):
    """The page `request.param` in a browser without JavaScript."""
    with visiting(request.param, java_script_enabled=False) as visit:
        yield visit.page


# As a page loads


@on(PAGES)
def test_a_page_loads_without_a_warning_and_requests_only_what_it_names(still):
    assert still.complaints == []
    expect(still.page.locator("h1")).to_be_visible()
    html = still.page.content()
    later = live_modules(site_files.file(still.page.url).relative_to(SITE).as_posix())
    later |= {"read.js", "search_index.json", "sitemap.xml"}
    later |= {"retune/worker.js", "desk.safetensors"}
    sheet = (SITE / "assets" / "site" / "style.css").read_text("utf-8")
    later |= set(re.findall(r"url\(\.\./([^)]+)\)", sheet))
    for url in still.requested[1:]:
        name, place = url.rpartition("/")[2], url.partition("/assets/")[2]
        assert (place or name) in html or name in later or place in later, url
        assert "plotly" not in url
        assert "/figures/" not in url or 'class="thumb"' in html  # the gallery's pictures


@on(PAGES)
def test_the_maths_font_comes_from_the_site(still):
    font = SITE / "assets" / "vendor" / "stix-two-math.woff2"
    if still.page.locator("math").count() and font.is_file():
        (face,) = still.page.evaluate(script("page.js", "fonts"))
        assert face["status"] == "loaded"
        assert face["family"] in face["used"]


@on(PAGES)
def test_on_paper_there_are_pictures_and_no_controls(still):
    still.page.emulate_media(media="print")
    shown = len(visible(still.page, ".pf-stage > svg"))
    controls = visible(still.page, NEEDS_SCRIPTS)
    unseen = still.page.evaluate(UNSEEN)
    still.page.emulate_media(media="screen")
    assert shown == still.page.locator(".pf").count()
    assert controls == []
    assert unseen == []


@on(PAGES)
def test_a_page_does_not_scroll_sideways_on_a_phone(still):
    still.page.set_viewport_size(NARROW)
    still.page.evaluate(OPEN_FOLDS)
    try:
        assert_no_overflow(still.page)
    finally:
        still.page.set_viewport_size(WIDE)


@on(WITH_NUMBERS)
def test_the_button_shows_the_expression_beside_every_number_and_hides_them(still):
    page = still.page
    button = page.get_by_role("button", name="Show the expression behind every number")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    pairs = page.evaluate(EXPRESSIONS)
    assert pairs
    for title, value, code in pairs:
        if title:
            assert title.startswith(f"{code} = ")
            assert title.count(" = ") == code.count(" = ") + 1
        else:
            assert code.startswith(f"{value} holds")
    page.set_viewport_size(NARROW)
    assert_no_overflow(page)
    page.set_viewport_size(WIDE)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.locator("code.expression").count() == 0


@pytest.mark.thorough  # `make test` looks at some pages on a dark phone
@on(PAGES)
def test_axe_finds_no_violation_on_a_light_screen(still):
    still.page.evaluate(OPEN_FOLDS)
    assert_accessible(still.page, [LIGHT_SCREEN])


@pytest.mark.thorough
@on(PAGES)
def test_axe_finds_no_violation_at_other_widths_and_in_the_other_scheme(still):
    still.page.evaluate(OPEN_FOLDS)
    assert_accessible(still.page, OTHER_STATES)
    show(still.page, *LIGHT_SCREEN)


@pytest.mark.thorough
@on(PAGES)
def test_at_twice_the_size_no_text_is_cut_off_or_covered(still):
    """Twice as large by zoom, which halves the window, then by a larger font in the settings."""
    page = still.page
    page.evaluate(OPEN_FOLDS)
    page.set_viewport_size({"width": 640, "height": 450})
    zoomed = enlarged(page)
    page.set_viewport_size(WIDE)
    settings = page.context.new_cdp_session(page)
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": 32, "fixed": 26}})
    in_large_type = enlarged(page)
    settings.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    settings.detach()
    page.evaluate(ANSWERED)
    assert zoomed == []
    assert in_large_type == []


def enlarged(page):
    page.evaluate(ANSWERED)
    questions = [("page.js", "overflowing"), ("access.js", "cutOff"), ("access.js", "overlapping")]
    return [answer for question in questions for answer in page.evaluate(script(*question))]


@on(PAGES)
def test_forced_colours_hide_no_icon_and_no_field_and_keep_the_colours_of_figures(still):
    still.page.emulate_media(forced_colors="active")
    lost = still.page.evaluate(script("access.js", "lostInForcedColours"))
    still.page.emulate_media(forced_colors="none")
    assert lost == []


@on(PAGES)
def test_a_screen_reader_gets_numbers_formulas_and_one_named_picture_for_each_figure(still):
    still.page.evaluate(OPEN_FOLDS)
    tree = Tree(still.page)
    for formula in tree.all("MathMLMath"):
        assert tree.text(formula).strip()
    for figure in tree.all("figure"):
        if any(role(node) == "application" for node in tree.below(figure)):
            continue  # a view of the explorer
        pictures = [node for node in tree.below(figure) if role(node) == "image"]
        assert len(pictures) == 1
        assert len(said(pictures[0])) > 40  # the alternative text
        assert list(tree.below(pictures[0])) == []
    numbers = [node for node in tree.all("generic") if " = " in said(node)]
    assert len(numbers) == still.page.locator("data[tabindex='0']").count()
    for number in numbers:
        assert re.search(r"\d", tree.text(number)), said(number)


@on(PAGES)
def test_an_outline_shows_where_the_focus_is(live):
    wait_until(live.page, ASKS)
    live.page.keyboard.press("Escape")  # any key: then browsers show the focus
    assert live.page.evaluate(script("page.js", "withoutOutline")) == []


# All figures of a page interactive


def figures_of(live):
    """(name, element) of each figure of the page."""
    for figure in live.page.locator(LIVELY).all():
        yield figure.get_attribute("id").removeprefix("fig-").replace("-", "_"), figure


@on(WITH_FIGURES)
def test_plotly_draws_the_data_of_the_figures_file(live):
    """tests/test_figures.py compares these data with the oracle."""
    for name, figure in figures_of(live):
        drawn = figure.locator(".pf-plot").evaluate(script("figures.js", "drawn"))
        link = figure.locator(".pf-links a:is([href$='.csv'], [href$='.json'])")
        address = urljoin(live.page.url, link.get_attribute("href")).replace(".csv", ".json")
        shipped = json.loads(site_files.file(address).read_text("utf-8"))["data"]
        assert len(drawn) == len(shipped)
        for trace, source in zip(drawn, shipped, strict=True):
            assert trace["type"] == source["type"]
            assert trace["name"] == source.get("name", trace["name"])  # Plotly names the others
            for key in {"x", "y", "z"} & source.keys():
                wanted = np.asarray(decoded(source[key]))
                np.testing.assert_array_equal(np.asarray(trace[key]), wanted, f"{name}: {key}")
            if "matrix" in source.get("meta", {}):  # the page computes it
                np.testing.assert_allclose(np.asarray(trace["z"]), heights(source), 0, 2**-23)


@on(WITH_FIGURES)
def test_each_trace_has_a_hover_text_with_the_words_of_its_template(live):
    for name, figure in figures_of(live):
        texts = figure.locator(".pf-plot").evaluate(script("figures.js", "hoverTexts"))
        for text, template in texts:
            assert text, f"{name}: {template}"
            assert not re.search(r"%\{|NaN|undefined", text), text
            words = re.sub(r"%\{[^}]*\}|<[^>]*>", " ", template.partition("<extra>")[0])
            for word in words.split():
                assert word in text, f"{name}: {word!r} is not in {text!r}"


@on(WITH_FIGURES)
def test_on_paper_an_interactive_figure_is_a_picture_again(live):
    live.page.emulate_media(media="print")
    shown = len(visible(live.page, ".pf-stage > svg"))
    plots = visible(live.page, ".pf-plot")
    controls = visible(live.page, NEEDS_SCRIPTS)
    live.page.emulate_media(media="screen")
    assert shown == live.page.locator(".pf").count()
    assert plots == []
    assert controls == []


# In the dark scheme, then on a phone as well; these tests come last on a page.


@on(WITH_FIGURES)
def test_the_scheme_recolours_both_renderings(dark):
    _, light, dark = dark
    assert (light["scheme"], dark["scheme"]) == ("default", "slate")
    for kind in ("text", "lines", "grid", "fonts", "ticks", "traces"):
        assert len(light[kind]) == len(dark[kind]), kind
        for one, other in zip(light[kind], dark[kind], strict=True):
            assert one != other, kind
    assert light["fonts"] == light["ink"]
    assert dark["fonts"] == dark["ink"]
    assert "var(" not in str(light) + str(dark)


@on(WITH_FIGURES)
def test_interactive_figures_fit_a_phone(phone):
    assert_no_overflow(phone)


@on(SOME_AT_ONCE)
def test_axe_finds_no_violation_on_a_dark_phone_with_interactive_figures(phone):
    assert_accessible(phone, [DARK_PHONE])


@pytest.mark.thorough
def test_axe_finds_no_violation_with_interactive_figures_in_any_state(visit):
    page = visit(ONE).page
    for figure in page.locator(LIVELY).all():
        enliven(figure)
    assert_accessible(page, [*OTHER_STATES, LIGHT_SCREEN])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_buttons_of_an_interactive_figure_cover_neither_its_lines_nor_their_names(
    scheme, visit
):
    page = visit("longer-than-trained/index.html", color_scheme=scheme).page
    figure = page.locator("#fig-scaling-similarity")
    enliven(figure)
    figure.locator(".pf-stage").hover()
    buttons = figure.locator(".modebar").bounding_box()
    bottom = buttons["y"] + buttons["height"]
    for part in (".legend .bg", ".nsewdrag"):
        assert bottom <= figure.locator(part).first.bounding_box()["y"] + 1, part
    for group in figure.locator(".modebar-group").all():
        ground = group.evaluate("e => getComputedStyle(e).backgroundColor")
        assert ground == "rgba(0, 0, 0, 0)"


@on(WITH_FIGURES)
def test_on_a_phone_no_name_number_or_button_of_an_interactive_figure_lies_on_another(phone):
    found = {
        figure.get_attribute("id"): figure.evaluate(script("figures.js", "crowded"))
        for figure in phone.locator(LIVELY).all()
    }
    assert {name: pairs for name, pairs in found.items() if pairs} == {}


def test_on_a_phone_the_expressions_of_a_table_keep_their_words_whole(visit):
    page = visit(OTHER, viewport=NARROW).page
    page.locator(".expressions-toggle").click()
    assert page.locator("td code.expression").count() > 10
    assert page.evaluate(script("page.js", "cutWords")) == []
    assert_no_overflow(page)


@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize(
    "name", ["conventions", "images", "numbers/in-practice", "port-weights", "verified"]
)
def test_no_line_ends_inside_a_word_of_a_table(name, media, visit):
    page = visit(f"{name}/index.html", viewport=NARROW).page
    page.evaluate(OPEN_FOLDS)
    if media == "print":
        page.set_viewport_size({"width": 700, "height": 900})  # A4
    page.emulate_media(media=media)
    assert page.evaluate(script("page.js", "cutWords")) == []


def test_a_visit_leaves_no_scheme_to_the_next_one(visiting):
    with visiting(ONE) as visit:
        visit.page.emulate_media(color_scheme="dark")
    with visiting(ONE) as visit:
        assert visit.page.evaluate("document.body.dataset.mdColorScheme") == "default"


def test_the_first_scheme_brings_its_colours_back(visit):
    page, colours = visit(ONE).page, script("figures.js", "colours")
    for figure in page.locator(LIVELY).all():
        enliven(figure)
    light = page.evaluate(colours)
    for _ in range(2):
        toggle_scheme(page)
        wait_until(page, script("figures.js", "recoloured"))
    assert page.evaluate(colours) == light


# Nothing moves while a reader reads

SCROLL_THROUGH, SHIFTS = script("page.js", "scrollThrough"), script("page.js", "shifts")
STEADY = 0.02  # the sum of the shares of the window that moved; Lighthouse calls 0.1 good


@pytest.mark.thorough
@pytest.mark.parametrize("page", PAGES)
def test_nothing_moves_while_a_page_loads_and_a_reader_scrolls(page, visit):
    one = visit(page, viewport=NARROW)
    one.page.evaluate(SCROLL_THROUGH)
    one.settle()
    found = one.page.evaluate(SHIFTS)
    assert sum(shift["value"] for shift in found) < STEADY, found


MATHS_FONT_LOADED = """async () => (await document.fonts.ready,
    [...document.fonts].some(font => /Math/.test(font.family) && font.status === "loaded"))"""
SLOW_NETWORK = {"offline": False, "latency": 150, "downloadThroughput": 800_000}  # bytes a second


def test_the_maths_font_moves_nothing_on_a_slow_phone(browser):
    with site_files.served(SITE) as address, browser.new_context(viewport=NARROW) as context:
        tab = context.new_page()
        phone = context.new_cdp_session(tab)
        phone.send("Network.emulateNetworkConditions", {**SLOW_NETWORK, "uploadThroughput": -1})
        phone.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        tab.goto(address + "conventions/")
        wait_until(tab, MATHS_FONT_LOADED)
        found = tab.evaluate(SHIFTS)
    assert sum(shift["value"] for shift in found) < STEADY, found


def test_what_moves_is_noticed(visit):
    page = visit(ONE, viewport=NARROW).page
    before = sum(shift["value"] for shift in page.evaluate(SHIFTS))
    page.evaluate("document.querySelector('h1').style.marginTop = '200px'")
    after = sum(shift["value"] for shift in page.evaluate(SHIFTS))
    assert before < STEADY < after


# Links within a page


def test_a_link_within_a_page_and_the_way_back_leave_what_the_reader_has_typed(visit):
    one = visit("which-encoding/index.html")
    page, field = one.page, one.page.locator(".we textarea")
    field.fill("1 2 3")
    asked = len(one.requested)
    link = page.get_by_role("link", name="the command").first
    link.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    link.click()
    wait_until(page, "y => location.hash && scrollY > y", place)
    page.go_back()
    wait_until(page, "y => !location.hash && scrollY === y", place)
    assert field.input_value() == "1 2 3"
    assert site_files.address("which-encoding/index.html") not in one.requested[asked:]


# The drawer of a narrow screen, which has the navigation


IN_VIEW = script("page.js", "inView")


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


def test_the_pointer_opens_the_drawer_and_a_link_leads_on(visit):
    page = visit(ONE, viewport=NARROW).page
    links = page.locator(".md-sidebar--primary").get_by_role("link")
    expect(links).to_have_count(0)
    page.locator("label.md-header__button[for=__drawer]").click()
    links.filter(has_text="From counting to clocks").click()
    arrive(page, "waves/index.html")
    expect(links).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation_in_the_open_drawer(scheme, visit):
    page = visit(ONE, viewport=NARROW, color_scheme=scheme).page
    load_axe(page)
    page.locator("label.md-header__button[for=__drawer]").click()
    page.evaluate(ANSWERED)
    assert page.locator(".md-sidebar--primary").evaluate(IN_VIEW)
    assert page.evaluate(script("page.js", "violations"), ".md-sidebar--primary") == []


def test_a_wide_screen_shows_the_navigation_and_no_button_for_it(visit):
    page = visit(ONE).page
    expect(page.locator(".drawer-way")).to_be_hidden()
    expect(page.locator(".md-sidebar--primary").get_by_role("link").first).to_be_visible()


# How a figure turns interactive


def press(figure):
    figure.locator(".pf-links button").click()


def test_only_its_button_makes_a_figure_interactive_and_brings_its_picture_back(visit):
    one = visit(ONE)
    figure = one.page.locator(LIVELY).first
    figure.locator(".pf-stage").click()
    expect_still(figure)
    assert not [url for url in one.requested if "plot" in url]
    for _ in range(2):
        press(figure)
        expect_live(figure)
        title = figure.locator("title").first.text_content()
        plot = figure.locator(".pf-plot")
        expect(plot).to_have_accessible_name(f"Interactive figure: {title}")
        press(figure)
        expect_still(figure)


def test_several_requests_for_a_figure_draw_it_once(visit):
    page = visit(ONE).page
    figure = page.locator(LIVELY).first
    figure.locator("button").evaluate("button => [1, 2, 3].forEach(() => button.click())")
    expect_live(figure)
    page.evaluate(ANSWERED)
    assert figure.locator(".pf-plot").count() == 1


@pytest.mark.parametrize("part", ["plots.js", "cartesian.min.js", ".json"])
def test_a_figure_that_cannot_load_keeps_its_picture_and_the_reader_can_try_again(part, visit):
    one = visit(ONE)
    one.refused, one.provoked = {part}, LOADING_FAILED
    figure = one.page.locator(LIVELY).first
    press(figure)
    expect(figure.locator(".pf-links button")).to_have_text("Could not load; try again")
    expect(figure.locator(".pf-stage > svg")).to_be_visible()
    assert one.answers
    one.refused = set()
    enliven(figure)


def test_a_figure_whose_drawing_fails_keeps_its_picture(visit):
    one = visit(ONE)
    first, second = one.page.locator(LIVELY).all()[:2]
    enliven(first)
    one.page.evaluate(script("figures.js", "breakPlotly"))
    one.provoked = ("planted",)
    press(second)
    expect(second.locator(".pf-links button")).to_have_text("Could not load; try again")
    expect(second.locator(".pf-stage > svg")).to_be_visible()
    expect(second.locator(".pf-plot")).to_have_count(0)
    assert one.answers


def test_the_pointer_over_a_plot_brings_up_its_hover_text(visit):
    page = visit(ONE).page
    figure = page.locator("#fig-heatmap")
    enliven(figure)
    figure.locator(".nsewdrag").first.hover()
    text = figure.locator(".hovertext")
    expect(text).to_contain_text("position")
    expect(text).to_contain_text("dimension")
    expect(text).to_contain_text("wavelength")


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


def test_figures_load_plotly_once_and_leave_no_listener_when_readers_take_them_back(visit):
    one = visit(ONE)
    counts = []
    for figure in [one.page.locator(LIVELY).nth(index) for index in (0, 1, 0)]:
        enliven(figure)
        press(figure)
        expect_still(figure)
        counts.append(one.page.evaluate("window.resizeListeners.size"))
    assert len(set(counts)) == 1
    assert len([url for url in one.requested if "vendor/plotly" in url]) == 1


# Numbers


def test_the_expressions_stay_while_the_reader_goes_from_page_to_page(visit):
    page = visit(ONE).page
    page.locator(".expressions-toggle").click()
    follow(page, OTHER)
    assert page.locator(".expressions-toggle").count() == 1
    expect(page.locator("code.expression").first).to_be_visible()
    assert all(code for *_, code in page.evaluate(EXPRESSIONS))
    page.locator(".expressions-toggle").click()
    go_back(page, ONE)
    assert page.locator("code.expression").count() == 0


def test_a_page_from_the_browsers_cache_shows_what_the_reader_chose_since(visit):
    page = visit(ONE).page
    page.evaluate("sessionStorage.posencExpressions = 'shown'")  # on another page, in between
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("code.expression").first).to_be_visible()
    button = page.locator(".expressions-toggle")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    assert page.locator("code.expression").count() == 0


PARAGRAPH = "e => [e.offsetLeft, e.offsetWidth, e.parentElement.offsetHeight]"


@pytest.mark.parametrize("options", [{}, TOUCH, {"java_script_enabled": False}])
def test_the_value_of_a_number_opens_over_the_text_which_stays_where_it_is(options, visit):
    page = visit(OTHER, **options).page
    numbers = "article :is(p, li, figcaption) > data[title]"
    assert page.locator(f"{numbers}:not([tabindex='0'])").count() == 0
    for number in page.locator("article > p > data[title]").all()[:5]:
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
    listener = page.context.new_cdp_session(page)
    heard = json.dumps(listener.send("Accessibility.getFullAXTree"))
    page.keyboard.press("Control+a")
    copied = page.evaluate("String(getSelection())")
    assert "change at once." in copied
    assert not any(text.count(json.dumps(code)[1:-1]) for code in codes for text in (heard, copied))
    page.locator(".expressions-toggle").click()
    heard = json.dumps(listener.send("Accessibility.getFullAXTree"))
    assert all(json.dumps(f"{code} holds")[:-1] in heard for code in codes)  # perhaps in what cases
    listener.detach()


# Keyboard and motion


@pytest.mark.parametrize("name", WITH_LIVE_PARTS)
def test_the_tab_key_takes_each_control_of_a_live_part_in_order_and_leaves_it(name, visit):
    page = visit(name).page
    wait_until(page, ASKS)
    for part in page.locator("[data-live]").all():
        part.scroll_into_view_if_needed()
        part.locator(CONTROLS).first.focus()  # the trained models load then
        if part.get_attribute("data-live") == "model/start":
            test_live_model.ready(page)
        stops = part.evaluate(script("access.js", "beginWalk"))
        assert stops
        for _ in range(stops + 1):
            page.keyboard.press("Tab")
            page.evaluate(script("access.js", "step"))
        assert part.evaluate(script("access.js", "strayed")) == []


def test_escape_closes_the_search_and_the_tab_key_leaves_it(visit):
    page = visit(ONE).page
    field, results = page.locator(".md-search__input"), page.locator(".md-search__output")
    page.keyboard.press("/")
    expect(field).to_be_focused()
    expect(results).to_be_visible()
    page.keyboard.press("Escape")
    expect(field).not_to_be_focused()
    expect(results).to_be_hidden()


@pytest.mark.parametrize("name", ["index.html", "explorer/index.html"])
def test_nothing_moves_for_readers_who_prefer_that(name, visit):
    page = visit(name, reduced_motion="reduce").page
    page.keyboard.press("/")
    assert page.evaluate(script("access.js", "moving")) == []


# Without JavaScript


@on(SOME_AT_ONCE, "plain")
def test_on_paper_without_javascript_the_folds_are_open(plain):
    plain.emulate_media(media="print")
    unseen = plain.evaluate(UNSEEN)
    plain.emulate_media(media="screen")
    assert unseen == []


@on(PAGES, "plain")
def test_without_javascript_everything_is_there_except_what_needs_it(plain):
    folds = plain.locator("article details > summary")
    if folds.count():
        folds.first.click()
        folds.evaluate_all(script("page.js", "openByClicks"))
        assert plain.locator("article details:not([open])").count() == 0
    drawings = ".pf-stage > svg, .lm-still"
    assert len(visible(plain, drawings)) == plain.locator(drawings).count()
    assert visible(plain, f"{NEEDS_SCRIPTS}, {LIVE_CONTROLS}") == []
    for figure in plain.locator(".sliders .pf").all():
        gap = figure.evaluate(script("sliders.js", "gap"))
        assert gap < 2, "there is room for sliders that never come"
    assert plain.evaluate(UNSEEN) == []


@on(PAGES, "plain")
def test_without_javascript_a_page_fits_a_phone(plain):
    plain.set_viewport_size(NARROW)
    assert_no_overflow(plain)
    plain.set_viewport_size(WIDE)


# Search


def test_the_search_index_loads_with_the_first_search(visit):
    one = visit(ONE)
    page = one.page
    page.evaluate(ANSWERED)
    assert not [url for url in one.requested if "search_index" in url]
    page.keyboard.press("/")
    page.keyboard.type("chirp")
    expect(page.locator(".md-search-result__item, .md-search-result__link").first).to_be_visible()
    assert len([url for url in one.requested if "search_index" in url]) == 1
    expect(page.locator(".md-search-result__list")).to_contain_text("chirp", ignore_case=True)


def test_the_search_answers_words_that_no_key_types(visit):
    page = visit(ONE).page
    page.keyboard.press("/")
    page.keyboard.type("chirp")
    expect(page.locator(".md-search-result__list")).to_contain_text("chirp", ignore_case=True)
    page.locator(".md-search__input").fill("padding")  # as when a finger pastes
    expect(page.locator(".md-search-result__list")).to_contain_text("padding", ignore_case=True)
