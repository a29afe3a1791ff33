"""The course: one notation for all of its formulas, one name for each of its pages."""

import pytest

from scripts.files import BuildError
from scripts.pages import contents
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


def test_every_symbol_of_the_tables_is_used_where_they_say():
    everywhere, of_page = listed()
    assert len(everywhere) > 25
    used = set().union(*(symbols(article(name)) for name in ("index.md", *COURSE)))
    assert everywhere <= used | {"PE"}
    for page, own in of_page.items():
        assert own <= symbols(article(page)), page
        assert not own & everywhere, page


@pytest.mark.parametrize("name", ["index.md", *COURSE, NOTATION])
def test_a_page_of_the_course_has_its_name_in_its_heading_and_in_links_to_it(name):
    titles = {page.name: page.title for page in contents.pages()}
    if name != "index.md":
        heading = article(name).xpath("string(.//h1)").replace("¶", "").strip()
        assert heading == titles[name]
    names = {built(page): titles[page] for page in COURSE}
    for link in article(name).iter("a"):
        target = f"{link.get('href').removeprefix('../').rstrip('/')}/index.html"
        if target in names and not link.get("href").startswith("#"):
            words = " ".join("".join(link.itertext()).split())
            assert words.lower() == names[target].lower()


def test_settings_that_are_no_yaml_stop_the_build_with_their_line(tmp_path, monkeypatch):
    (tmp_path / "mkdocs.yml").write_text("nav:\n  - Home: index.md\n  - Waves: a: b\n", "utf-8")
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    with pytest.raises(BuildError, match=r"^mkdocs\.yml:3: mapping values are not allowed here$"):
        contents.pages.__wrapped__()


def test_a_page_without_a_file_is_left_to_mkdocs(tmp_path, monkeypatch):
    nav = "nav:\n  - Home: index.md\n  - Part:\n      - Waves: waves.md\n      - No: no.md\n"
    (tmp_path / "mkdocs.yml").write_text(nav, "utf-8")
    monkeypatch.setattr(contents, "ROOT", tmp_path)
    pages = contents.pages.__wrapped__()
    assert pages == (contents.Page("Home", "index.md"), contents.Page("Waves", "waves.md"))
    assert [page.url for page in pages] == ["", "waves/"]
