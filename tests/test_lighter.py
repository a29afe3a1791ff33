"""Lighter pages: the same text in the same colours, from fewer bytes and elements."""

from __future__ import annotations

import re
from pathlib import Path

import material
import pytest

from scripts.files import DOCS
from scripts.pages.theme import lighter
from tests import page_text
from tests.browsing import script
from tests.page_text import SITE, gzipped

WHOLE = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"
BUILT = [name for name in page_text.names() if name.endswith("index.html")]


# Spaces


KEPT = [
    "<pre>a  b\n\nc</pre>",
    "<code>a  b</code>",
    "<textarea>\n a\n\n</textarea>",
    "<script>\n  a  = 1\n</script>",
    '<a title="1  >\n  2">b</a>',
    "a\N{NO-BREAK SPACE} \N{NO-BREAK SPACE}b",
]


def test_spaces_outside_code_become_one_and_those_that_count_stay():
    page = "\n\n<ul>\n\n  <li>\n    a  \t b\n  </li>\n</ul>"
    assert lighter.lighter(page) == "<ul> <li> a b </li> </ul>"
    for kept in KEPT:
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


@pytest.mark.parametrize(
    ("code", "lighter_code"),
    [
        (
            '<span></span><span class="nn">a</span><span class="w"> </span><span class="ne">b&lt;'
            '</span><span class="o">=</span>\n<span class="s1">c</span>',
            '<span class="nc">a b&lt;</span>=\n<span class="s">c</span>',
        ),
        (
            '<span class="k">a</span><a href="#b"><span class="k">b</span></a>',
            '<span class="k">a</span><a href="#b"><span class="k">b</span></a>',
        ),
    ],
)
def test_neighbours_of_one_look_share_a_span_but_not_across_a_link(code, lighter_code):
    assert lighter.lighter(f"<pre><code>{code}</code></pre>") == (
        f"<pre><code>{lighter_code}</code></pre>"
    )


LOOKS = """([sheets, names]) => {
    const whole = document.createElement("style");
    whole.textContent = sheets;
    document.head.prepend(whole);
    return names.map((name) => {
        const part = document.createElement("span");
        part.className = name;
        document.querySelector("pre > code").append(part);
        return getComputedStyle(part).color;
    });
}"""


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_classes_that_merge_look_alike_and_plain_ones_like_the_text(scheme, visit):
    page = visit("faq/index.html", color_scheme=scheme).page
    # The site has no rules for classes that it does not use.
    sheets = "".join(sheet.read_text("utf-8") for sheet in WHOLE.glob("*.css"))
    merged = [set(page.evaluate(LOOKS, [sheets, names.split()])) for names in lighter.ALIKE]
    assert [len(looks) for looks in merged] == [1] * len(merged)
    plain = set(page.evaluate(LOOKS, [sheets, ["", *lighter.PLAIN.split()]]))
    assert len(plain) == 2  # one is a shade of the other
    assert len(plain.union(*merged)) == len(merged) + 2
