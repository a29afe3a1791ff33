"""The course: one notation, one name for each page, and the time that each takes to read."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.files import DOCS, PageError
from scripts.pages import contents, reading
from tests import page_text
from tests.test_pages import built

COURSE = (
    "in-ten-minutes.md",
    "why-order.md",
    "waves.md",
    "encoding-matrix.md",
    "formula.md",
    "wavelengths.md",
    "advantages.md",
    "into-the-model.md",
    "from-adding-to-turning.md",
    "longer-than-trained.md",
    "trained-models.md",
    "why-these-clocks.md",
)
NOTATION = "notation.md"
FUNCTIONS = {"sin", "cos", "cot", "exp", "ln", "log", "Attention"}

each_page = pytest.mark.parametrize("name", ["index.md", *COURSE])


def article(name):
    return page_text.article(page_text.pages()[built(name)])


def titles():
    return {page.name: page.title for page in contents.pages()}


def symbols(element):
    """The letters in the formulas below `element`; one with a capital below it is one symbol."""
    found = set()
    for letter in element.iter("mi"):
        text, parent = letter.text.strip(), letter.getparent()
        below = parent if parent.tag in ("msub", "msubsup") else None
        if below is not None and below[1] is letter and text.isupper():
            continue
        if below is not None and below[0] is letter and (below[1].text or "").strip().isupper():
            text += f"_{below[1].text.strip()}"
        found.add(text)
    return {text for text in found - FUNCTIONS if text[0].isalpha()}


def listed():
    """The symbols that hold everywhere, and those of each page, as the notation page lists them."""
    everywhere, of_page = set(), {}
    for row in article(NOTATION).xpath(".//tbody/tr"):
        section = row.xpath("preceding::*[self::h2 or self::h3][1]/@id")[0]
        cells = row.xpath("./td")
        if section == "symbols":
            everywhere |= symbols(cells[0])
        elif section == "symbols-of-one-page":
            page = cells[2].xpath(".//a/@href")[0].strip("./") + ".md"
            of_page.setdefault(page, set()).update(symbols(cells[0]))
    return everywhere, of_page


@each_page
def test_every_symbol_of_a_formula_is_in_the_table_of_symbols(name):
    everywhere, of_page = listed()
    missing = symbols(article(name)) - everywhere - of_page.get(name, set())
    assert not missing, f"{name}: {sorted(missing)} not on the page of notation"


@pytest.mark.parametrize("name", ["index.md", *COURSE, NOTATION])
def test_a_page_of_the_course_has_its_name_in_its_heading_and_in_links_to_it(name):
    if name != "index.md":
        heading = article(name).xpath("string(.//h1)").replace("¶", "").strip()
        assert heading == titles()[name]
    names = {built(page): titles()[page] for page in COURSE}
    for link in article(name).iter("a"):
        target = f"{link.get('href').removeprefix('../').rstrip('/')}/index.html"
        if target in names and not link.get("href").startswith("#"):
            words = " ".join("".join(link.itertext()).split())
            assert words.lower() == names[target].lower()


# The line below the title of a page: what it needs, how long it takes


def minutes(name):
    return int(page_text.pages()[built(name)].xpath("string(//*[@class='reading'])").split()[0])


def test_the_course_takes_two_hours_no_page_a_quarter_of_one_and_one_ten_minutes():
    assert minutes("in-ten-minutes.md") == 10
    course = [minutes(name) for name in COURSE[1:]]
    assert sum(course) <= 120
    assert max(course) <= 15


def rule():
    """The words a minute and the seconds that the page of checks states."""
    text = " ".join((DOCS / "verified.md").read_text("utf-8").split())
    said = re.search(
        r"\$(\d+)\$ words a minute, \$(\d+)\$ seconds for a figure or a displayed formula, "
        r"\$(\d+)\$ for a formula in a sentence, and \$(\d+)\$ for a line of code or a row",
        text,
    )
    return map(int, said.groups())


@given(st.lists(st.integers(0, 300), min_size=7, max_size=7))
def test_each_part_of_a_page_takes_the_time_that_the_page_of_checks_states(counts):
    words, figures, blocks, formulas, lines, rows, folded = counts
    a_minute, block, formula, line = rule()
    html = (
        f"<p>{'word ' * words}</p>"
        + "<figure><svg><text>many words</text></svg></figure>" * figures
        + f"<div class='math-block'><math>{'<mi>x</mi> ' * 9}</math></div>" * blocks
        + "<span class='math'><math><mi>x</mi></math></span>" * formulas
        + "<pre>"
        + "x = 1\n\n" * lines
        + "</pre>"
        + f"<table><tbody>{'<tr><td>some words</td></tr>' * rows}</tbody></table>"
        + f"<details><pre>x</pre><details>{'word ' * folded}</details></details>"
    )
    path = block * (figures + blocks) + formula * formulas + line * (lines + rows)
    seconds = path + 60 * words / a_minute, line + 60 * folded / a_minute
    for found, wanted in zip(reading.minutes(html), seconds, strict=True):
        assert abs(found - wanted / 60) <= 0.5 or found == 1 > wanted / 60


@pytest.mark.parametrize(
    ("page", "need", "message"),
    [
        ("formula.md", "wavelengths.md", r"^wavelengths\.md is no page before formula\.md$"),
        ("lost.md", "waves.md", r"^lost\.md needs .*, so it must be in nav in mkdocs.yml$"),
    ],
)
def test_a_page_may_need_only_pages_before_it_and_must_be_in_nav(page, need, message):
    with pytest.raises(PageError, match=message) as raised:
        reading.with_line("<h1>The formula</h1>", page, [need], str)
    assert raised.value.text == ("needs" if page == "lost.md" else need)


def test_the_line_joins_pages_and_words():
    needs = ["why-order.md", "\"sine\" & 'cosine' <x>"]
    made = reading.with_line("<h1>T</h1>\n<p>x</p>", "formula.md", needs, "../{}".format)
    assert made == (
        '<h1>T</h1>\n<header class="reading" data-search-exclude>1 minute to read. Builds on '
        f'<a href="../why-order.md">{titles()["why-order.md"]}</a> '
        "and \"sine\" &amp; 'cosine' &lt;x&gt;.</header>\n<p>x</p>"
    )
