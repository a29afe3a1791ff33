"""The theme's stylesheets without unneeded rules: every page looks as with the whole ones."""

from __future__ import annotations

from pathlib import Path

import material
import pytest

from scripts import files
from scripts.pages import site
from scripts.pages.theme import theme_css
from tests.browsing import NARROW, WIDE, script
from tests.page_text import SITE, gzipped

WHOLE = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"


def pruned(sheet, *, page="", script=""):
    return theme_css.pruned({"a": sheet}, theme_css.needs([page], [script]))["a"]


@pytest.mark.parametrize(
    ("sheet", "kept"),
    [
        (".a,.b .a,.b{top:0}", ".a{top:0}"),
        ("p.a>.b{top:0}p{top:1px}", "p{top:1px}"),
        (".a:not(.b){top:0}", ".a:not(.b){top:0}"),
        (".js{top:0}", ".js{top:0}"),
        ("@media print{.b{top:0}}@media screen{ .a{top:0} /* b */ }", "@media screen{.a{top:0}}"),
        ("@font-face{src:url(.b)}", "@font-face{src:url(.b)}"),
        ("table:not([class]) p,p{top:0}", "p{top:0}"),
        ("[data-md-color-switching] p{top:0}", ""),
        ("[dir=rtl] .a,[dir=ltr] .a,[lang=de]{top:0}", "[dir=ltr] .a,[lang=de]{top:0}"),
        (".a{--x:1;--y:2;--z:3;top:var(--z)!important}", ".a{--y:2;--z:3;top:var(--z)!important}"),
        (".b{top:var(--x)}.a{--x:1;--w:var(--v);--v:1;top:0}", ".a{top:0}"),
    ],
)
def test_only_rules_and_variables_go_that_nothing_needs(sheet, kept):
    page = '<body dir="ltr"><p class="c a">'
    assert pruned(sheet, page=page, script='add("js"); get("--y")') == kept
    with pytest.raises(ValueError, match="cannot be read"):
        pruned(f"{sheet}}}")


@pytest.mark.parametrize(
    ("changed", "kept"),
    [
        ({"index.html": '<p class="a">Text</p>'}, None),
        ({"index.html": '<p class="a b">'}, ".a{top:0}.b{top:0}"),
        ({"index.html": '<p class="a" dir="rtl">'}, ".a{top:0}[dir=rtl]{top:0}"),
        ({"assets/site/live.js": 'add("b")'}, ".a{top:0}.b{top:0}"),
        ({"assets/stylesheets/main.css": ".a{top:1px}"}, ".a{top:1px}"),
    ],
)
def test_the_next_build_takes_the_kept_stylesheets_if_it_needs_the_same(
    changed, kept, tmp_path, monkeypatch
):
    monkeypatch.setattr(files, "WORK", tmp_path)
    monkeypatch.setattr(site, "WORK", tmp_path)
    sheet = tmp_path / "assets" / "stylesheets" / "main.css"
    for texts in ({"index.html": '<p class="a">'}, changed):
        files.write(sheet, b".a{top:0}.b{top:0}[dir=rtl]{top:0}")
        for name, text in texts.items():
            files.write(tmp_path / name, text.encode())
        site._prune_theme(tmp_path)
        if kept is None:
            monkeypatch.setattr(theme_css, "pruned", lambda *_: pytest.fail("prunes again"))
    assert sheet.read_text("utf-8") == (kept or ".a{top:0}")


def test_the_stylesheets_of_the_theme_are_much_lighter():
    for whole in WHOLE.glob("*.css"):
        (made,) = (SITE / "assets" / "stylesheets").glob(whole.name)
        assert gzipped(made.read_bytes()) < 0.7 * gzipped(whole.read_bytes())


@pytest.mark.browser
@pytest.mark.parametrize(
    ("name", "scheme", "size"),
    [
        ("index.html", "light", WIDE),
        pytest.param("index.html", "dark", NARROW, marks=pytest.mark.thorough),
        pytest.param("explorer/index.html", "dark", WIDE, marks=pytest.mark.thorough),
        pytest.param("notebooks/surfaces/index.html", "light", NARROW, marks=pytest.mark.thorough),
    ],
)
def test_every_element_looks_as_with_the_whole_stylesheets(visiting, name, scheme, size):
    whole = {path.name: path.read_text("utf-8") for path in WHOLE.glob("*.css")}
    with visiting(name, viewport=size, color_scheme=scheme) as visit:
        visit.page.evaluate("document.querySelector('#__search').click()")
        visit.page.locator(".md-search__input").fill("wavelength")
        visit.page.locator(".md-search-result__item").first.wait_for()
        assert visit.page.evaluate(script("styles.js", "restyled"), whole) == []


@pytest.mark.browser
@pytest.mark.parametrize(
    "name",
    ["explorer/index.html", pytest.param("formula/index.html", marks=pytest.mark.thorough)],
)
def test_without_javascript_a_dark_system_gets_the_dark_scheme(visiting, name):
    looks = script("styles.js", "looks")
    with visiting(name, java_script_enabled=False) as visit:
        page = visit.page
        light = page.evaluate(looks)
        page.emulate_media(media="print")
        printed = page.evaluate(looks)
        page.emulate_media(media="screen")
        page.evaluate("document.body.dataset.mdColorScheme = 'slate'")
        dark = page.evaluate(looks)
    with visiting(name, java_script_enabled=False, color_scheme="dark") as visit:
        assert visit.page.evaluate(looks) == dark
        assert dark != light
        visit.page.emulate_media(media="print", color_scheme="dark")
        assert visit.page.evaluate(looks) == printed


def restyled_whole(page):
    """Reload `page`; the reasons why scripts made the browser restyle all of <html> or <body>."""
    tracer, events, ends = page.context.new_cdp_session(page), [], []
    tracer.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    tracer.on("Tracing.tracingComplete", lambda end: ends.append(end))
    kind = "disabled-by-default-devtools.timeline"
    categories = f"devtools.timeline,{kind}.invalidationTracking,{kind}.stack"
    tracer.send("Tracing.start", {"categories": categories})
    page.reload()
    page.wait_for_selector(".expressions-toggle")  # the last script has run
    tracer.send("Tracing.end")
    while not ends:
        page.evaluate("new Promise(requestAnimationFrame)")
    wanted = "StyleRecalcInvalidationTracking"
    found = [event["args"]["data"] for event in events if event["name"] == wanted]
    assert found
    whole = [one for one in found if one.get("subtree") and one.get("stackTrace")]
    named = [(one.get("nodeName", "").split(" ")[0], one.get("reason")) for one in whole]
    return [(name, why) for name, why in named if name in ("HTML", "BODY")]


@pytest.mark.browser
def test_when_it_starts_the_theme_does_not_make_the_browser_restyle_the_whole_page(visit):
    """Without theme_css and main.html, it does so four times; each blocks a phone for 50 ms."""
    assert restyled_whole(visit("formula/index.html").page) == []
