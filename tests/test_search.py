"""The search finds pages by the words of readers, in the index and in Chromium."""

import json
import tomllib
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from scripts.files import PageError
from scripts.pages import search_index, typed_maths
from tests import page_text, site_files
from tests.browsing import script

TABLE = tomllib.loads(
    (Path(__file__).parent / "data" / "search" / "queries.toml").read_text("utf-8")
)
TARGETS = {query: targets for group in TABLE.values() for query, targets in group.items()}
QUERIES = {query: [target.partition("#")[0] for target in TARGETS[query]] for query in TARGETS}
SENSELESS = ("xyzzy", "why?", "in it?", "7777777")
BEGINNING = "wav"
PASTED = "RuntimeError: The size of tensor a (64) must match the size of tensor b (50)"
INDEX = page_text.SITE / "search" / "search_index.json"


@cache
def entries():
    return json.loads(INDEX.read_text("utf-8"))["docs"]


def questions():
    """Each question that has an answer, by the location of the answer."""
    path = Path(__file__).parent / "data" / "questions" / "questions.json"
    listed = json.loads(path.read_text("utf-8"))
    answers = {f"{one.get('page', 'faq')}/#{one['id']}" for one in listed}
    return {e["location"]: unescape(e["title"]) for e in entries() if e["location"] in answers}


# The entries of a page


def made(html, **words):
    return search_index.entries(html, "page/", "Page", words)


def test_words_for_a_section_that_a_page_lacks_stop_the_build():
    message = r"^words for the section #lost, which the page does not have$"
    with pytest.raises(PageError, match=message) as raised:
        made("<h1>Title</h1>", lost="fp16")
    assert (raised.value.text, raised.value.line) == ("lost:", 1)


ENTRIES = {  # the HTML of a page: title and text of each section, and what else it has
    '<h1>The "A" &amp; <em>b</em></h1><p>It is: <code>Encode</code>.</p><pre>encode = x_y</pre>'
    '<h2 id="b">B<a class="headerlink">¶</a></h2>Before<p>a_<wbr>b\n two</p>after<ul><li>A'
    "<p>B</p>C</li></ul><table><tr><th>a</th><td>b</td></tr></table>R&D<pre>encode = 1</pre>"
    '<h2 id="next">Next</h2>about waves': [
        ('The "A" &amp; b', "It is: Encode.", {"code": "x_y"}),  # names once
        ("B", "Before\na_b two\nafter\nA\nB\nC\na · b\nR&amp;D", {"code": "encode"}),
    ],
    "<p>A</p><p>Asked at <a>thread</a></p><svg><text>picture</text></svg>"
    "<table class='numbers'><td>0.5</td></table><button>press</button><style>p {}</style>"
    "<p>A<a class='headerlink'>x</a><b class='pf-links'>y</b><b class='thumb'>z</b></p>"
    "<div data-search-exclude><h2>no</h2><p>list</p></div>"
    '<math display="block"><mi>z</mi></math><p>B</p>': [("Page", "A\nA\nB", {})],
}


@pytest.mark.parametrize("html", ENTRIES)
def test_an_entry_has_the_words_that_readers_see_and_the_names_in_code_apart(html):
    """What other pages are about is found there only."""
    for entry, (title, text, more) in zip(made(html), ENTRIES[html], strict=True):
        location = "page/#b" if title == "B" else "page/"
        place = {"location": location, "title": title, "text": text}
        assert entry == {**place, **more}


def test_a_heading_without_an_id_stops_the_build():
    message = r"^a heading in HTML needs an id, which the search links to$"
    with pytest.raises(PageError, match=message) as raised:
        made('<h1>Title</h1><h3 id="">Part</h2>')
    assert raised.value.text == '<h3 id="">'


FORMULAS = {  # MathML, as people type it
    "<msqrt><mi>d</mi></msqrt><mo>&lt;</mo><mn>2</mn>": "sqrt(d)&lt;2",
    "<mfrac><mi>d</mi><mrow><mi>a</mi><mo>+</mo><mn>2</mn></mrow></mfrac>": "d/(a+2)",
    "<msup><mi>n</mi><mrow><mo>−</mo><mn>2</mn></mrow></msup>": "n^(-2)",
    "<msup><mn>10</mn><mn>12</mn></msup>": "10^12",
    "<msub><mi>ω</mi><mi>i</mi></msub><mo>&sdot;</mo><mn>2</mn>": "omega _i*2",
    "<munderover><mo>∑</mo><mn>1</mn><mi>n</mi></munderover>": "∑_1^n",
    "<mi>a</mi><mspace/><mi></mi><mi> b </mi>": "a b",
}


@pytest.mark.parametrize("mathml", FORMULAS)
def test_formulas_of_a_paragraph_are_typed_as_people_type_them_and_displayed_ones_left_out(mathml):
    shown = f'<p>if <math>{mathml}</math><math display="block">{mathml}</math></p>'
    assert typed_maths.without_mathml(shown) == f"<p>if {FORMULAS[mathml]}</p>"


# The index of the site


def test_the_search_index_is_light():
    assert page_text.gzipped(INDEX.read_bytes()) <= 175_000


# The search in the browser


@pytest.fixture(scope="module")
def results(visiting):
    """For each query of the table what the search shows, page by page."""
    typed = [*dict.fromkeys([*QUERIES, *questions().values(), *SENSELESS, BEGINNING, PASTED])]
    with visiting("explorer/index.html") as visit:
        visit.page.locator(".md-search__input").focus()
        shown = visit.page.evaluate(script("search.js", "found"), typed)
    return dict(zip(typed, shown, strict=True))


@pytest.mark.browser
def test_readers_find_the_page_with_their_own_words(results):
    late, second = [], []
    for query, pages in QUERIES.items():
        urls = [item["links"][0].partition("#")[0] for item in results[query]]
        found = [url.removeprefix(site_files.site_url()) or "index.html" for url in urls]
        late += [] if set(pages) & set(found[:3]) else [f"{query}: {found[:3]}"]
        second += [] if set(pages) & set(found[:1]) else [f"{query}: {found[:1]}"]
    assert not late, "not within the first three:\n" + "\n".join(late)
    assert len(second) <= len(QUERIES) / 5, "not first:\n" + "\n".join(second)


@pytest.mark.browser
def test_the_section_that_answers_a_query_or_a_question_comes_first(results):
    base, asked = site_files.site_url(), questions()
    wanted = {query: target for query, (target, *_) in TARGETS.items() if "#" in target}
    found = {query: results[query][0]["sections"][0]["href"] for query in wanted}
    assert {query: href.removeprefix(base) for query, href in found.items()} == wanted
    assert len(asked) == 63
    for location, question in asked.items():  # first on its page, one of the first three
        sections = [item["sections"][:1] for item in results[question][:3]]
        assert base + location in [one["href"] for first in sections for one in first], question


@pytest.mark.browser
def test_a_result_shows_a_sentence_of_its_section(results):
    texts = {entry["location"]: entry["text"] for entry in entries()}
    base = site_files.site_url()
    for query, items in results.items():
        for section in (section for item in items for section in item["sections"]):
            whole = " ".join(texts[section["href"].removeprefix(base)].split())
            shown = " ".join(section["text"].split())
            assert shown in unescape(whole), query
            assert shown or not whole, query
            assert len(shown) < 600 or shown == whole, query


@pytest.mark.browser
def test_a_beginning_finds_words_but_a_letter_among_other_words_and_stop_words_do_not(results):
    marked = {
        query: {word.lower() for item in results[query] for word in item["marked"]}
        for query in (BEGINNING, PASTED)
    }
    assert {"wave", "wavelength"} <= marked[BEGINNING]
    assert {word for word in marked[PASTED] if word.startswith("b")} == {"b"}
    assert [results[query] for query in SENSELESS] == [[]] * len(SENSELESS)
