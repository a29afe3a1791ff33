"""The list of all numbers, compared with the built pages and the oracle; the site's counts."""

from __future__ import annotations

import csv
from decimal import Decimal
from functools import cache
from urllib.parse import urljoin

import pytest
from markdown.extensions.toc import slugify

from scripts.files import DOCS, ROOT, BuildError
from scripts.numbers import checked, expressions, oracle_values, tables
from scripts.numbers.places import Place
from scripts.pages import contents, number_list
from tests import balls, examples, expression_oracle, oracle, page_text, site_files, site_oracle
from tests.page_text import SITE
from tests.test_pages import built, shown_text

PAGE = "numbers/index.html"
KINDS = {
    "check": "holds",
    "tried": "holds in the cases tried",
    "proved": "is proved, and holds in the cases tried",
}


@cache
def rows():
    """The CSV as readers download it, by page."""
    found: dict[str, list] = {}
    with (SITE / "numbers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["page"], []).append(row)
    return found


def on_page(name):
    """Expression, format, text and value of every `<data>` of a built page, top to bottom."""
    return [
        (e.get("title").rpartition(" = ")[0], e.get("data-format"), shown_text(e), e.get("value"))
        if e.get("title")
        else (e.get("value"), e.get("data-kind", "check"), "holds", "True")
        for e in page_text.article(page_text.pages()[name]).iter("data")
    ]


def links():
    """The id and the target of each link to a section, on the page that leads to all parts."""
    lists = page_text.article(page_text.pages()[PAGE]).xpath(".//li/a[@id]")
    return {link.get("id"): urljoin(site_files.address(PAGE), link.get("href")) for link in lists}


def listed(anchor, target):
    """The cells of the rows in the section of the list that a link leads to."""
    name = site_files.file(target.partition("#")[0]).relative_to(SITE).as_posix()
    (section,) = page_text.pages()[name].xpath(f"//h2[@id='{anchor}']/following-sibling::*[1]")
    return [
        [
            "".join(e if isinstance(e, str) else "\n" for e in cell.xpath(".//text() | .//br"))
            for cell in row.iter("td")
        ]
        for row in section.xpath(".//tbody/tr")
    ]


def test_the_list_has_the_numbers_and_claims_of_every_page_in_their_order():
    columns = ("expression", "format", "shown", "float64")
    for page in contents.pages():
        shown = [r for r in rows().get(page.name, []) if not r["part"].endswith("alt text")]
        assert [tuple(r[key] for key in columns) for r in shown] == on_page(built(page.name))
        tables = dict.fromkeys(r["part"] for r in shown if r["part"].startswith("table"))
        assert [*tables] == [f"table {n + 1}" for n in range(len(tables))]
    assert rows().keys() <= {page.name for page in contents.pages()}
    assert sum(map(len, rows().values())) > 500


def test_the_pages_show_every_row_of_the_table_and_no_other():
    titles = [page.title for page in contents.pages() if page.name in rows()]
    assert list(links()) == [slugify(title, "-") for title in titles]
    for (anchor, target), wanted in zip(links().items(), rows().values(), strict=True):
        assert target.endswith(f"#{anchor}")
        tables_last = sorted(wanted, key=lambda row: row["part"].startswith("table"))
        for row, (code, text, *rest) in zip(tables_last, listed(anchor, target), strict=True):
            assert (code, text) == (row["expression"], KINDS.get(row["format"], row["shown"]))
            if not rest:
                assert row["oracle"] == "True"
                continue
            digits, difference = rest[0].split("\n"), rest[1].replace("−", "-")
            is_exact = float(row["oracle"]) == float(row["float64"])
            assert len(digits) == (1 if is_exact else 2)
            for shown, key in zip(digits, ("float64", "oracle"), strict=False):
                rounded = f"{Decimal(row[key]):.{5 if is_exact else 20}g}"
                assert shown in (row[key], rounded)
            assert difference == ("0" if is_exact else row["difference"])


def test_a_list_of_numbers_without_its_page_stops_the_build(monkeypatch):
    with pytest.raises(BuildError, match=r"pages of the navigation, got no\.md$"):
        number_list.part("index.md", "no.md", str)
    whole = number_list._parts()
    monkeypatch.setattr(number_list, "_parts", lambda: whole[1:])
    with pytest.raises(BuildError, match=r"^no page in docs/numbers lists the numbers of \w"):
        number_list.links()


def test_the_list_has_the_values_that_the_oracle_computes():
    every = [row for page in rows().values() for row in page]
    for row in (row for row in every if row["difference"]):
        off = Decimal(float(row["float64"])) - Decimal(row["oracle"])
        assert Decimal(row["difference"]) == Decimal(f"{off:.1e}")
    listed = {row["expression"]: row["oracle"] for row in every}
    some = slice(None, None, 20 if examples.ALL else 100)
    for expression in sorted(listed)[some]:  # the build computes all, whenever the oracle changes
        exact = expression_oracle.value(expression)
        if isinstance(exact, balls.Ball):
            exact = balls.digits(exact, oracle.DIGITS)
        assert listed[expression] == str(exact), expression


def forget():
    """Let all expressions be evaluated again."""
    for known in (expressions._evaluate, expressions.number, expressions.parse, tables.table):
        known.cache_clear()


@pytest.fixture
def only(monkeypatch):
    """A function that gives the start page, the only one, one number or claim and nothing else."""
    start = contents.pages()[:1]
    monkeypatch.setattr(contents, "pages", lambda: start)
    monkeypatch.setattr(oracle_values, "_NOTES", DOCS / "nothing")
    monkeypatch.setattr(oracle_values.files, "write", lambda *_: True)

    def source(text):
        forget()
        place = Place(text, "text", "docs/index.md:7")
        monkeypatch.setattr(checked, "places", lambda _: [place])

    yield source
    forget()


@pytest.mark.usefixtures("only")
def test_the_error_of_the_recipe_is_the_one_that_the_page_shows(monkeypatch):
    right = expressions.NAMES["wavelengths"]
    monkeypatch.setitem(expressions.NAMES, "wavelengths", lambda *given: 1.001 * right(*given))
    forget()
    with pytest.raises(BuildError) as caught:
        checked.table()
    place, _, rest = str(caught.value).partition(": ")
    page, _, line = place.partition(":")
    source = (DOCS / "index.md").read_text("utf-8").splitlines()
    assert page == "docs/index.md"
    assert "wavelengths(512)[0]" in source[int(line) - 1]
    assert f"    error: docs/index.md:LINE: {rest}\n" in (DOCS / "verified.md").read_text("utf-8")


def without_the_package(monkeypatch, shown, exact):
    """Let the wavelengths of the package and of the oracle be these."""
    for names, value in ((expressions.NAMES, shown), (oracle.NAMES, exact)):
        if value is not None:
            monkeypatch.setitem(names, "wavelengths", lambda _, value=value: value)


def test_the_largest_error_that_is_not_refused_is_a_billionth(only, monkeypatch):
    only("wavelengths(4) : .2e")
    without_the_package(monkeypatch, 10**9 + 1, 10**9)
    assert checked.table().endswith(b",.2e,1.00e+09,1000000001,1000000000,1.0e+0\n")


@pytest.mark.parametrize(
    ("source", "shown", "exact", "message"),
    [
        ("wavelengths(4) : .2e", 10**9 + 2, 10**9, "is 1000000002, the oracle's 1000000000$"),
        ("check: floor(wavelengths(4)) > 3 * 3", 6.5, None, r"the claim .* is false: 6\.0 > 9$"),
        ("check: wavelengths(4) < 6.284", 6.28, 7, ".* is true, but not for the oracle$"),
        (
            *("wavelengths(4) : .1f", 0.25, balls.within(0.25, 1e-30)),
            r".*wavelengths\(4\): the oracle's value 0\.25 is between 0\.[23] and 0\.[23]$",
        ),
        ("wavelengths(4)[0] : .2f", [6.28], 6.28, r"the oracle cannot evaluate .*wavelengths.*: "),
    ],
)
def test_what_the_oracle_denies_stops_the_build_with_its_place(
    source, shown, exact, message, only, monkeypatch
):
    only(source)
    without_the_package(monkeypatch, shown, exact)
    with pytest.raises(BuildError, match=rf"^docs/index\.md:7: .*{message}"):
        checked.table()


def test_the_values_of_the_last_build_are_kept_but_not_the_counts_of_the_site(
    monkeypatch, tmp_path
):
    monkeypatch.setattr(oracle_values, "_NOTES", tmp_path / "oracle.json")
    site = {"counts.figures_on_site()": site_oracle.figures_on_site()}
    exact = {"1 / 2": ["0.5", "0.5"]}
    assert oracle_values.values({"1 / 2", *site}) == {**exact, **site}
    assert oracle_values.known() == exact
    monkeypatch.setattr(expression_oracle, "value", lambda _: 7)
    assert oracle_values.values({"1 / 2", "2 + 2"}) == {**exact, "2 + 2": 7}
    read = set()  # and if a file of the oracle has changed, nothing is kept
    monkeypatch.setattr(oracle_values.files, "digest", lambda paths, _: read.update(paths) or "new")
    assert oracle_values.known() == {}
    assert {path.relative_to(ROOT).as_posix() for path in read} > {
        *("tests/balls/number.py", "tests/quantity_oracle.py", "tests/expression_oracle.py"),
        *("scripts/figures/data/rotary_models.json", "scripts/experiments/results/lengths.json"),
    }
