"""The line below the title of each page of the course: what it needs, how long it takes."""

from __future__ import annotations

import re

import pytest

from scripts.files import DOCS, PageError
from scripts.pages import contents, reading
from tests import page_text
from tests.test_course import COURSE
from tests.test_pages import built


def test_exactly_the_pages_of_the_course_have_the_line_below_the_title():
    pages = page_text.pages().items()
    assert {name for name, page in pages if page.xpath("//h1/following::*[@class='reading']")} == {
        built(name) for name in COURSE
    }


def minutes(name):
    return int(page_text.pages()[built(name)].xpath("string(//*[@class='reading'])").split()[0])


def test_the_course_takes_two_hours_no_page_a_quarter_of_one_and_one_ten_minutes():
    assert minutes("in-ten-minutes.md") == 10
    course = [minutes(name) for name in COURSE[1:]]
    assert sum(course) <= 120
    assert max(course) <= 15


@pytest.mark.parametrize(
    ("html", "minutes"),
    [
        ("<h1>Short</h1>", 1),
        ("<p>" + "word " * 1400, 10),
        ("<p>" + "word " * 210, 2),  # one and a half
        ("<p>" + "word " * 350, 2),  # two and a half: the even one
        ("<figure></figure>" * 201, 100),
        ('<div class="math-block"><math>' + "<mi>x</mi> " * 300 + "</math></div>", 1),
        ('<div class="math-block"><math><mi>x</mi></math></div>' * 200, 100),
        ('<span class="math"><math><mi>x</mi></math></span>' * 300, 10),
        ("<figure><svg><text>many words</text></svg></figure>" * 20, 10),
        ("<pre>" + "x = 1\n\n" * 200 + "</pre>", 10),
        ("<table><tbody>" + "<tr><td>some words</td></tr>" * 200 + "</tbody></table>", 10),
    ],
)
def test_each_part_of_a_page_takes_its_time(html, minutes):
    assert reading.minutes(html) == (minutes, 0)


def test_folds_are_counted_apart_and_each_once():
    inner = f"<details>{'word ' * 280}</details>"
    outer = f"<details>{'word ' * 140}{inner}</details>"
    assert reading.minutes(f"<p>{'word ' * 420}</p>{outer}") == (3, 3)


def test_the_rule_stands_on_the_page_of_checks():
    text = (DOCS / "verified.md").read_text("utf-8").replace("\n", " ")
    rule = re.search(
        r"\$(\d+)\$ words a minute, \$(\d+)\$ seconds for a figure or a displayed formula, "
        r"\$(\d+)\$ for a formula in a sentence, and \$(\d+)\$ for a line of code or a row",
        text,
    )
    words, block, formula, line = map(int, rule.groups())
    assert words == reading.WORDS_PER_MINUTE
    times = {"span.math": formula, ".math-block": block, "figure": block}
    assert {**times, "tbody tr": line, "pre": line} == reading.SECONDS


@pytest.mark.parametrize(
    ("page", "need", "message"),
    [
        ("formula.md", "wavelengths.md", r"^wavelengths\.md is no page before formula\.md$"),
        ("formula.md", "formula.md", r"^formula\.md is no page before formula\.md$"),
        ("formula.md", "nowhere.md", r"^nowhere\.md is no page before formula\.md$"),
        ("lost.md", "waves.md", r"^lost\.md needs .*, so it must be in nav in mkdocs.yml$"),
    ],
)
def test_a_page_may_need_only_pages_before_it_and_must_be_in_nav(page, need, message):
    with pytest.raises(PageError, match=message) as raised:
        reading.with_line("<h1>The formula</h1>", page, [need], str)
    assert raised.value.text == ("needs" if page == "lost.md" else need)


def test_the_line_joins_pages_and_words():
    titles = {page.name: page.title for page in contents.pages()}
    needs = ["why-order.md", "\"sine\" & 'cosine' <x>", "waves.md"]
    made = reading.with_line("<h1>T</h1>\n<p>x</p>", "formula.md", needs, "../{}".format)
    first, last = (f'<a href="../{name}">{titles[name]}</a>' for name in needs[::2])
    assert made == (
        '<h1>T</h1>\n<header class="reading" data-search-exclude>1 minute to read. Builds on '
        f"{first}, \"sine\" &amp; 'cosine' &lt;x&gt; and {last}.</header>\n<p>x</p>"
    )
