"""The built site in Chromium: figures, numbers, schemes, navigation, print, accessibility."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from urllib.parse import urljoin

import numpy as np
import pytest
from playwright.sync_api import expect

from scripts import figures
from tests import page_text, site_files
from tests.browsing import AXE, FRAMES, NARROW, WIDE, missing, visiting
from tests.page_text import SITE
from tests.test_figures import decoded
from tests.test_site import live_modules

pytestmark = pytest.mark.browser

PAGES = sorted(path.relative_to(SITE).as_posix() for path in SITE.rglob("*.html")) or ["index.html"]


def html(name):
    return (SITE / name).read_text("utf-8") if SITE.is_dir() else ""


WITH_FIGURES = [name for name in PAGES if "data-bundle=" in html(name)]
WITH_NUMBERS = [name for name in PAGES if "<data " in html(name)]
LIVELY = ".pf[data-bundle]"  # the figures that can turn interactive
ONE = "encoding-matrix/index.html"  # has a heatmap and lines
OTHER = "wavelengths/index.html"

each_page = pytest.mark.parametrize("name", PAGES)


@pytest.fixture(scope="module")
def still(request, browser):
    """The page `request.param` as it loads; tests leave it as they found it."""
    with visiting(browser, request.param) as visit:
        yield visit


@pytest.fixture(scope="module")
def live(request, browser):
    """The page `request.param` with all its figures interactive."""
    with visiting(browser, request.param) as visit:
        open_folds(visit.page)
        for figure in visit.page.locator(LIVELY).all():
            enliven(figure)
        yield visit


each_still_page = pytest.mark.parametrize("still", PAGES, indirect=True)
each_live_page = pytest.mark.parametrize("live", WITH_FIGURES, indirect=True)


def open_folds(page):
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")


STRAY = """figure => {
  const stage = figure.querySelector(".pf-stage").getBoundingClientRect();
  return [...figure.querySelectorAll(".pf-plot :is(.main-svg, text)")].filter(e => {
    const box = e.getBoundingClientRect();
    return box.bottom > stage.bottom + 2 || box.top < stage.top - 2 || box.right > stage.right + 2;
  }).map(e => e.textContent.slice(0, 40));
}"""


def enliven(figure):
    figure.page.mouse.move(0, 0)  # or a figure that comes to lie under it turns interactive
    figure.locator(".pf-links button").click()
    expect_live(figure)


def expect_live(figure):
    expect(figure).to_have_attribute("data-state", "live", timeout=20_000)
    expect(figure.locator(".pf-plot .main-svg").first).to_be_visible()
    expect(figure.locator(".pf-stage > svg")).to_be_hidden()
    assert figure.evaluate(STRAY) == [], "parts of the plot lie outside its stage"
    expect(figure.locator(".pf-links button")).to_have_text("Back to the static figure")


def expect_still(figure):
    expect(figure.locator(".pf-stage > svg")).to_be_visible()
    expect(figure.locator(".pf-plot")).to_have_count(0)
    expect(figure.locator(".pf-links button")).to_have_text("Make interactive")


# Loading


@each_still_page
def test_a_page_loads_without_a_warning_and_asks_for_what_it_names_alone(still):
    assert still.complaints == []
    expect(still.page.locator("h1")).to_be_visible()
    html = still.page.content()
    later = live_modules(site_files.file(still.page.url).relative_to(SITE).as_posix())
    later |= {"search_index.json", "sitemap.xml"}
    for url in still.asked[1:]:
        name = url.rpartition("/")[2]
        assert name in html or name in later or url.partition("/assets/")[2] in later, url
        assert "plotly" not in url
        assert "/figures/" not in url or 'class="thumb"' in html  # the gallery's pictures


@each_still_page
def test_the_maths_font_is_the_sites_own(still):
    if (
        still.page.locator("math").count()
        and (SITE / "assets/vendor/stix-two-math.woff2").is_file()
    ):
        loaded = "document.fonts.ready.then(() => [...document.fonts].map((f) => f.status))"
        assert still.page.evaluate(loaded) == ["loaded"]


# Interactive figures


def by_pointer(_page, figure):
    figure.locator(".pf-stage").hover()


def by_keyboard(page, figure):
    before = figure.locator("xpath=preceding::a[1]")
    before.focus()
    page.keyboard.press("Tab")
    while not figure.evaluate("figure => figure.contains(document.activeElement)"):
        page.keyboard.press("Tab")


def by_tap(_page, figure):
    figure.locator(".pf-stage").tap()


def by_button(_page, figure):
    figure.locator(".pf-links button").click()


@pytest.mark.parametrize("intent", [by_pointer, by_keyboard, by_tap, by_button])
def test_a_figure_turns_interactive(intent, visit):
    options = {"has_touch": True, "viewport": NARROW} if intent is by_tap else {}
    page = visit(ONE, **options).page
    figure = page.locator(".pf").first
    expect_still(figure)
    intent(page, figure)
    expect_live(figure)
    assert page.locator(".pf[data-state]").count() == 1, "the others stay as they are"


def test_the_button_gives_the_picture_back_and_makes_it_interactive_again(visit):
    page = visit(ONE).page
    figure = page.locator(".pf").first
    by_button(page, figure)
    expect_live(figure)
    by_button(page, figure)
    expect_still(figure)
    page.mouse.move(0, 0)
    by_pointer(page, figure)
    expect_still(figure)  # who has gone back is not asked again by the pointer
    by_button(page, figure)
    expect_live(figure)
    assert page.locator(".js-plotly-plot").count() == 1


def test_a_figure_that_is_asked_for_twice_is_drawn_once(visit):
    page = visit(ONE).page
    figure = page.locator(".pf").first
    figure.evaluate(
        """figure => {
          const button = figure.querySelector("button"), stage = figure.querySelector(".pf-stage");
          stage.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" }));
          button.click();
          button.click();
          stage.click();
        }"""
    )
    expect_live(figure)
    page.evaluate("new Promise(requestAnimationFrame)")
    assert figure.locator(".pf-plot").count() == 1
    by_button(page, figure)
    expect_still(figure)


def test_who_scrolls_past_a_figure_with_a_finger_loads_nothing(visit):
    one = visit(ONE, has_touch=True, is_mobile=True, viewport=NARROW)
    figure = one.page.locator(".pf").first
    figure.scroll_into_view_if_needed()
    box = figure.locator(".pf-stage").bounding_box()
    finger = one.context.new_cdp_session(one.page)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    for kind, shift in (
        ("touchStart", 0),
        ("touchMove", 40),
        ("touchMove", 90),
        ("touchEnd", None),
    ):
        points = [] if shift is None else [{"x": x, "y": y - shift}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    one.page.evaluate("new Promise(requestAnimationFrame)")
    assert figure.get_attribute("data-state") is None
    assert not [url for url in one.asked if "plot" in url]


@pytest.mark.parametrize("part", ["plots.js", "cartesian.min.js", ".json"])
def test_a_figure_that_cannot_load_keeps_its_picture_and_can_be_tried_again(part, visit):
    one = visit(ONE)
    one.refused = {part}
    figure = one.page.locator(".pf").first
    by_button(one.page, figure)
    expect(figure.locator(".pf-links button")).to_have_text("Could not load; try again")
    expect(figure.locator(".pf-stage > svg")).to_be_visible()
    assert one.complaints
    one.complaints.clear()
    one.refused = set()
    enliven(figure)


def test_a_figure_that_cannot_be_drawn_keeps_its_picture(visit):
    one = visit(ONE)
    first, second = one.page.locator(".pf").all()[:2]
    enliven(first)
    one.page.evaluate("() => { Plotly.react = () => Promise.reject(new Error('planted')); }")
    by_button(one.page, second)
    expect(second.locator(".pf-links button")).to_have_text("Could not load; try again")
    expect(second.locator(".pf-stage > svg")).to_be_visible()
    expect(second.locator(".pf-plot")).to_have_count(0)
    assert "planted" in one.complaints.pop()


NUMBERS = """gd => gd._fullData.map(trace => {
  const plain = value => ArrayBuffer.isView(value) || Array.isArray(value)
    ? Array.from(value, plain) : value;
  const kept = { name: trace.name, type: trace.type, hovertemplate: trace.hovertemplate ?? null };
  for (const key of ["x", "y", "z"]) if (trace[key] !== undefined) kept[key] = plain(trace[key]);
  return kept;
})"""


@cache
def oracle(name):
    return import_module(f"tests.figure_oracles.{name}").expected()


def figures_of(live):
    """(name, element) of each figure of the page."""
    for figure in live.page.locator(LIVELY).all():
        yield figure.get_attribute("id").removeprefix("fig-").replace("-", "_"), figure


@each_live_page
def test_what_plotly_draws_is_the_figures_file_and_the_oracle(live):
    for name, figure in figures_of(live):
        drawn = figure.locator(".pf-plot").evaluate(NUMBERS)
        link = figure.locator(".pf-links a:is([href$='.csv'], [href$='.json'])")
        address = urljoin(live.page.url, link.get_attribute("href")).replace(".csv", ".json")
        shipped = json.loads(site_files.file(address).read_text("utf-8"))["data"]
        assert len(drawn) == len(shipped)
        for trace, source in zip(drawn, shipped, strict=True):
            assert trace["type"] == source["type"]
            for key in {"x", "y", "z"} & source.keys():
                wanted = np.asarray(decoded(source[key]))
                np.testing.assert_array_equal(np.asarray(trace[key]), wanted, f"{name}: {key}")
        if name not in figures.names():
            continue  # a notebook's, which tests/test_notebooks.py holds against the oracle
        by_name = {trace["name"]: trace for trace in drawn}
        for label, x, y in oracle(name).lines:
            if label in by_name and {"x", "y"} <= by_name[label].keys():
                for key, exact in (("x", x), ("y", y)):
                    exact = np.asarray(list(exact), dtype=float)
                    np.testing.assert_allclose(by_name[label][key], exact, 1e-13, 1e-14, label)
        images = [trace["z"] for trace in drawn if trace["type"] in ("heatmap", "surface")]
        for image, exact in zip(images, oracle(name).images, strict=False):
            np.testing.assert_allclose(image, np.asarray(exact, float), 2**-23, 1e-14, name)


HOVER = """gd => gd._fullData.map((trace, index) => {
  if (trace.hoverinfo === "skip" || trace.visible !== true || !trace.x || trace.scene) return null;
  const place = (axis, index) => typeof axis[index] === "string" ? index : axis[index];
  const point = trace.z ? { xval: place(trace.x, 1), yval: place(trace.y, 0) }
    : { pointNumber: Math.min(1, trace.x.length - 1) };
  Plotly.Fx.hover(gd, [{ curveNumber: index, ...point }], trace.xaxis + trace.yaxis);
  const text = [...gd.querySelectorAll(".hovertext")].map(e => e.textContent).join(" ");
  Plotly.Fx.unhover(gd);
  return [text, trace.hovertemplate];
})"""


@each_live_page
def test_hover_text_names_what_it_shows(live):
    for name, figure in figures_of(live):
        for shown in figure.locator(".pf-plot").evaluate(HOVER):
            if shown is None:
                continue
            text, template = shown
            assert text, f"{name}: {template}"
            assert not re.search(r"%\{|NaN|undefined", text), text
            words = re.sub(r"%\{[^}]*\}|<[^>]*>", " ", template.partition("<extra>")[0])
            for word in words.split():
                assert word in text, f"{name}: {word!r} is not in {text!r}"


def test_the_pointer_over_a_plot_brings_up_its_hover_text(visit):
    page = visit(ONE).page
    figure = page.locator("#fig-heatmap")
    enliven(figure)
    box = figure.locator(".nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(box["x"] + box["width"] / 2 + 2, box["y"] + box["height"] / 2)
    text = figure.locator(".hovertext")
    expect(text).to_contain_text("position")
    expect(text).to_contain_text("dimension")
    expect(text).to_contain_text("wavelength")


# Schemes

COLORS = """() => ({
  scheme: document.body.dataset.mdColorScheme,
  text: [...document.querySelectorAll(".pf-stage > svg")].map(e => getComputedStyle(e).color),
  lines: [...document.querySelectorAll(".pf-stage > svg path[style*='--fig-1']")]
    .map(e => getComputedStyle(e).stroke),
  fonts: [...document.querySelectorAll(".pf-plot")].map(e => e.layout.font.color),
  ticks: [...document.querySelectorAll(".pf-plot .xtick text, .pf-plot .cbaxis text")]
    .map(e => getComputedStyle(e).fill),
  ink: [...document.querySelectorAll(".pf-plot")].map(e => getComputedStyle(e).color),
  traces: [...document.querySelectorAll(".pf-plot")].flatMap(
    e => e.data.map(t => t.line?.color ?? t.marker?.color)
      .filter(c => typeof c === "string" && c !== "white")),  // white lies on a picture
})"""


def toggle_scheme(page):
    before = page.evaluate("document.body.dataset.mdColorScheme")
    page.locator("label[for^='__palette_']:not([hidden])").click()
    page.wait_for_function("old => document.body.dataset.mdColorScheme !== old", arg=before)
    page.evaluate(FRAMES)


@each_live_page
def test_the_scheme_recolours_both_renderings(live):
    page = live.page
    light = page.evaluate(COLORS)
    toggle_scheme(page)
    page.wait_for_function(
        "[...document.querySelectorAll('.pf-plot')]"
        ".every(e => e.layout.font.color === getComputedStyle(e).color)"
    )
    dark = page.evaluate(COLORS)
    toggle_scheme(page)
    page.wait_for_function(
        "[...document.querySelectorAll('.pf-plot')]"
        ".every(e => e.layout.font.color === getComputedStyle(e).color)"
    )
    assert (light["scheme"], dark["scheme"]) == ("default", "slate")
    for kind in ("text", "lines", "fonts", "ticks", "traces"):
        assert len(light[kind]) == len(dark[kind]), kind
        for one, other in zip(light[kind], dark[kind], strict=True):
            assert one != other, kind
    assert light["fonts"] == light["ink"]
    assert dark["fonts"] == dark["ink"]
    assert "var(" not in str(light) + str(dark)
    assert page.evaluate(COLORS) == light


# Instant navigation


def test_a_table_can_be_searched_and_sorted(visit):
    page = visit("conventions/index.html").page
    rows = page.locator(".sortable tbody tr")
    every = rows.count()
    page.get_by_label("Search the table").fill("Whisper HALVES")
    expect(page.locator(".sortable tbody tr:visible")).to_have_count(2)
    page.get_by_label("Search the table").fill("")
    expect(page.locator(".sortable tbody tr:visible")).to_have_count(every)
    heading = page.get_by_role("button", name="First position")
    for sense, first in (("ascending", "0"), ("descending", "to zero and back")):
        heading.click()
        expect(page.locator(f".sortable th[aria-sort={sense}]")).to_have_count(1)
        expect(rows.first.locator("td").nth(5)).to_have_text(first)


def follow(page, name):
    """Go to the page `name` by a link of the page."""
    page.mouse.move(0, 0)
    page.evaluate(
        "url => [...document.querySelectorAll('.md-nav a')].find(a => a.href === url).click()",
        site_files.address(name),
    )
    arrive(page, name)


def go_back(page, name):
    page.mouse.move(0, 0)
    page.go_back()
    arrive(page, name)


def arrive(page, name):
    page.wait_for_url(site_files.address(name))
    heading = page_text.pages()[name].xpath("string(//h1/text())")
    expect(page.locator("h1")).to_contain_text(heading)


def test_instant_navigation_leaves_no_plot_behind_and_new_figures_work(visit):
    one = visit(ONE)
    page = one.page
    page.evaluate("window.sameDocument = true")
    enliven(page.locator(".pf").first)
    page.evaluate(
        """() => {
          window.purged = [];
          const purge = Plotly.purge;
          Plotly.purge = plot => { window.purged.push(plot.isConnected); return purge(plot); };
        }"""
    )
    counts = []
    for _ in range(3):
        follow(page, OTHER)
        assert page.locator(".js-plotly-plot").count() == 0
        enliven(page.locator(".pf").first)
        go_back(page, ONE)
        assert page.locator(".pf[data-state]").count() == 0
        enliven(page.locator(".pf").nth(1))
        counts.append(page.evaluate("[window.purged.length, window.resizeListeners.size]"))
    assert page.evaluate("window.sameDocument"), "the page was loaded anew"
    assert [purged for purged, _ in counts] == [2, 4, 6]
    assert len({listeners for _, listeners in counts}) == 1
    assert not any(page.evaluate("window.purged"))
    assert len([url for url in one.asked if "vendor/plotly" in url]) == 1


def test_who_leaves_while_a_figure_loads_finds_no_plot_and_no_error(visit):
    one = visit(ONE)
    page = one.page
    by_button(page, page.locator(".pf").first)
    follow(page, OTHER)
    page.wait_for_function("window.Plotly")
    enliven(page.locator(".pf").first)
    assert page.locator(".js-plotly-plot").count() == 1


# Numbers

PAIRS = """() => [...document.querySelectorAll("data[title]")].map(
  e => [e.title, e.nextElementSibling?.matches("code.expression")
    ? e.nextElementSibling.textContent : null])"""


@pytest.mark.parametrize("name", WITH_NUMBERS)
def test_the_button_shows_the_expression_beside_every_number_and_hides_them(name, visit):
    page = visit(name).page
    button = page.get_by_role("button", name="Show the expression behind every number")
    expect(button).to_have_attribute("aria-pressed", "false")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    pairs = page.evaluate(PAIRS)
    assert pairs
    for title, code in pairs:
        assert title.startswith(f"{code} = ")
        assert title.count(" = ") == code.count(" = ") + 1
    page.set_viewport_size(NARROW)
    assert_no_overflow(page)
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.locator("code.expression").count() == 0


def test_the_expressions_stay_while_the_reader_goes_from_page_to_page(visit):
    page = visit(ONE).page
    page.locator(".expressions-toggle").click()
    follow(page, OTHER)
    assert page.locator(".expressions-toggle").count() == 1
    expect(page.locator("code.expression").first).to_be_visible()
    assert all(code for _, code in page.evaluate(PAIRS))
    page.locator(".expressions-toggle").click()
    go_back(page, ONE)
    assert page.locator("code.expression").count() == 0


def test_a_number_can_be_reached_with_the_keyboard_and_shows_its_expression(visit):
    page = visit(OTHER).page
    assert page.locator("article :is(p, li, figcaption) > data:not([tabindex='0'])").count() == 0
    number = page.locator("article p > data").first
    for _ in range(80):
        page.keyboard.press("Tab")
        if number.evaluate("e => e === document.activeElement"):
            break
    expect(number).to_be_focused()
    shown = number.evaluate("e => getComputedStyle(e, '::after').content")
    assert number.get_attribute("title") in shown.replace("\\", "")


# Without JavaScript, and on paper

NEEDS_SCRIPTS = (
    ".expressions-toggle, .pf-links button, .md-clipboard, .md-code__button, "
    "[data-md-component=palette] label, label[for=__search], .md-search__input"
)
UNSEEN = """() => [...document.querySelectorAll("article :is(p, li, td, th, math, h1, h2, h3)")]
  .filter(e => !e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })
    || e.getBoundingClientRect().height === 0)
  .map(e => e.textContent.trim().slice(0, 60)).filter(Boolean)"""


def visible(page, selector):
    return [e for e in page.locator(selector).all() if e.is_visible()]


@each_page
def test_without_javascript_everything_is_there_and_nothing_that_needs_it(name, visit):
    page = visit(name, java_script_enabled=False).page
    drawings = page.locator(".pf-stage > svg")
    assert len(visible(page, ".pf-stage > svg")) == drawings.count()
    assert visible(page, NEEDS_SCRIPTS) == []
    for fold in page.locator("details > summary").all():
        fold.click()
    assert page.evaluate(UNSEEN) == []


@each_page
def test_on_paper_without_javascript_the_folds_are_open(name, visit):
    page = visit(name, java_script_enabled=False).page
    page.emulate_media(media="print")
    assert page.evaluate(UNSEEN) == []


@each_still_page
def test_on_paper_there_are_pictures_and_no_controls(still):
    still.page.emulate_media(media="print")
    shown = len(visible(still.page, ".pf-stage > svg"))
    controls = visible(still.page, NEEDS_SCRIPTS)
    unseen = still.page.evaluate(UNSEEN)
    still.page.emulate_media(media="screen")
    assert shown == still.page.locator(".pf").count()
    assert controls == []
    assert unseen == []


@each_live_page
def test_on_paper_an_interactive_figure_is_a_picture_again(live):
    live.page.emulate_media(media="print")
    shown = len(visible(live.page, ".pf-stage > svg"))
    plots = visible(live.page, ".pf-plot")
    controls = visible(live.page, NEEDS_SCRIPTS)
    live.page.emulate_media(media="screen")
    assert shown == live.page.locator(".pf").count()
    assert plots == []
    assert controls == []


# For everyone, at every width


def assert_no_overflow(page):
    wide = page.evaluate(
        """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth
          ? [] : [...document.querySelectorAll("article *")].filter(
            e => e.getBoundingClientRect().right > document.documentElement.clientWidth)
            .map(e => e.outerHTML.slice(0, 120)).slice(0, 3)"""
    )
    assert wide == []


def violations(page, within):
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    return page.evaluate(
        """async within => {
          scrollTo(0, 0);  // what is under the header while scrolled is not covered for good
          const rules = { "target-size": { enabled: true } };
          const options = { resultTypes: ["violations"], rules };
          const { violations } = await axe.run(within, options);
          return violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]);
        }""",
        within,
    )


def assert_accessible(page, within="html"):
    """No violation in `within` in either scheme, on a phone and on a screen."""
    if not AXE.is_file():
        missing("axe-core is not there: npm has not installed node_modules/")
    found = {}
    for _ in ("light", "dark"):
        for size in (NARROW, WIDE):
            page.set_viewport_size(size)
            page.evaluate(FRAMES)  # the theme lets the keyboard into code that has come to scroll
            scheme = page.evaluate("document.body.dataset.mdColorScheme")
            found[scheme, size["width"]] = violations(page, within)
        toggle_scheme(page)  # in the end the first one again
    assert len(found) == 4
    assert {key: value for key, value in found.items() if value} == {}


@each_still_page
def test_axe_finds_no_violation_on_a_page(still):
    open_folds(still.page)
    assert_accessible(still.page)


@each_live_page
def test_axe_finds_no_violation_with_interactive_figures(live):
    assert_accessible(live.page)


@each_still_page
def test_a_page_does_not_scroll_sideways_on_a_phone(still):
    still.page.set_viewport_size(NARROW)
    open_folds(still.page)
    try:
        assert_no_overflow(still.page)
    finally:
        still.page.set_viewport_size(WIDE)


@each_live_page
def test_interactive_figures_fit_a_phone(live):
    live.page.set_viewport_size(NARROW)
    try:
        live.page.wait_for_function(
            "[...document.querySelectorAll('.pf-plot')]"
            ".every(e => e._fullLayout.width <= e.parentElement.clientWidth)"
        )
        assert_no_overflow(live.page)
    finally:
        live.page.set_viewport_size(WIDE)


# Search


def test_the_search_index_waits_for_the_search_and_then_finds(visit):
    one = visit(ONE)
    page = one.page
    page.wait_for_load_state("networkidle")
    assert not [url for url in one.asked if "search_index" in url]
    page.keyboard.press("/")
    page.keyboard.type("chirp")
    expect(page.locator(".md-search-result__item, .md-search-result__link").first).to_be_visible()
    assert len([url for url in one.asked if "search_index" in url]) == 1
    results = page.locator(".md-search-result__list").inner_text()
    assert "chirp" in results.lower()
