"""Lighter pages: the same text in the same colours, from fewer bytes and elements."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from pathlib import Path

import lxml.html
import material
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.files import DOCS
from scripts.pages.theme import lighter
from tests import page_text
from tests.browsing import script
from tests.page_text import SITE, gzipped

WHOLE = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"
BUILT = [name for name in page_text.names() if name.endswith("index.html")]


# Spaces


def test_spaces_outside_code_become_one():
    page = "\n\n<ul>\n\n  <li>\n    a  \t b\n  </li>\n</ul>"
    assert lighter.lighter(page) == "<ul> <li> a b </li> </ul>"


@pytest.mark.parametrize(
    "kept",
    [
        "<pre>a  b\n\nc</pre>",
        "<code>a  b</code>",
        "<textarea>\n a\n\n</textarea>",
        "<script>\n  a  = 1\n</script>",
        '<a title="1  >\n  2">b</a>',
        "a\N{NO-BREAK SPACE} \N{NO-BREAK SPACE}b",
    ],
)
def test_spaces_that_count_stay(kept):
    assert lighter.lighter(f"{kept}  {kept}") == f"{kept} {kept}"


def test_the_pages_of_the_site_are_as_light_as_can_be():
    pages = {name: (SITE / name).read_text("utf-8") for name in BUILT}
    assert [name for name, page in pages.items() if lighter.lighter(page) != page] == []


# Stylesheets


@pytest.mark.browser
def test_the_lighter_stylesheets_say_the_same_as_their_sources(visit):
    page, rules = visit("404.html").page, script("styles.js", "rules")
    sources = sorted(DOCS.glob("assets/*/*.css"))
    assert len(sources) >= 4
    for path in sources:
        source = path.read_text("utf-8")
        made = (SITE / path.relative_to(DOCS)).read_text("utf-8")
        assert gzipped(made) < gzipped(source)
        assert not re.search(r"/\*|\n|  |: |[;,{] ", re.sub(r'"[^"]*"', '""', made)), path.name
        assert page.evaluate(rules, made) == page.evaluate(rules, source)


# Code


PLAIN = lighter.PLAIN.split()
KNOWN = {*PLAIN, *" ".join(lighter.ALIKE).split()}


def block(pieces):
    """A block of code as Pygments makes it from (class, text)."""
    spans = (
        f'<span class="{name}">{escape(text)}</span>' if name else escape(text)
        for name, text in pieces
    )
    return f"<pre><span></span><code>{''.join(spans)}</code></pre>"


def characters(html):
    """(class, character) of each character that can be seen in the blocks of `html`."""

    def walk(element, name):
        own = element.get("class", "")
        name = own if own in KNOWN else f"{name} {own}".strip()  # else it inherits the colour
        yield from ((name, character) for character in element.text or "")
        for child in element:
            yield from walk(child, name)
            yield from ((name, character) for character in child.tail or "")

    codes = lxml.html.fromstring(html).iter("code")
    return [pair for code in codes for pair in walk(code, "") if pair[1].strip()]


def look(name):
    """The classes that look like `name`; "" for those that look like code without a class."""
    if name in PLAIN:
        return ""
    return next((names for names in lighter.ALIKE if name in names.split()), name)


def text(html):
    return lxml.html.fromstring(html).text_content()


def test_links_stay_and_nothing_merges_across_them():
    inner = '<span class="k">a</span><a href="#b"><span class="n">b</span></a>'
    shown = lighter.lighter(f"<pre><code>{inner}</code></pre>")
    assert shown == '<pre><code><span class="k">a</span><a href="#b">b</a></code></pre>'


names = st.sampled_from(["", "hll", *sorted(KNOWN)])
texts = st.text(st.sampled_from("ab<&\" \n'#"), min_size=1, max_size=3)


@given(st.lists(st.tuples(names, texts), max_size=12))
def test_each_character_of_code_keeps_its_look_in_as_few_spans_as_can_be(pieces):
    before = block(pieces)
    after = lighter.lighter(before)
    assert text(after) == text(before)
    looks, kept = (
        [(look(name), character) for name, character in characters(html)]
        for html in (before, after)
    )
    assert kept == looks
    assert after.count("<span") == sum(bool(name) for name, _ in groupby(looks, lambda one: one[0]))


def declarations(name):
    """The declarations of the theme for the class `name` in code; the site has only some."""
    rules = re.findall(r"([^{}]+)\{([^{}]*)\}", theme("main"))
    return [body for names, body in rules if f".highlight .{name}" in names.split(",")]


def theme(name):
    """The theme's stylesheet `name`."""
    (sheet,) = WHOLE.glob(f"{name}.*.css")
    return sheet.read_text("utf-8")


def variable(name):
    """The variable whose colour the theme gives the class `name` in code."""
    (body,) = declarations(name)
    return re.fullmatch(r"color:var\((--md-code-hl-[a-z]+-color)\)", body)[1]


def colors(name):
    """The colours of the variable `name` in the site's light and its dark scheme."""
    style = (SITE / "assets" / "site" / "style.css").read_text("utf-8")
    return re.findall(rf"{name}:(#\w+);", style)


@pytest.mark.parametrize("names", lighter.ALIKE)
def test_classes_that_merge_look_alike_in_both_schemes(names):
    seen = {tuple(colors(variable(name))) for name in names.split()}
    (shown,) = seen
    assert len(shown) == 2


@pytest.mark.parametrize("name", PLAIN)
def test_plain_classes_have_no_color_of_their_own(name):
    if not declarations(name):
        return
    values = re.findall(rf"{variable(name)}:([^;}}]+)", theme("main") + theme("palette"))
    assert values
    assert set(values) <= {"var(--md-code-fg-color)", "var(--md-default-fg-color--light)"}
    assert not colors(variable(name))
