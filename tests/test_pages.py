"""The built pages: every number, table cell and code block, and no typed number."""

from __future__ import annotations

import inspect
import re
import sys

import pytest
from pytest_examples import CodeExample, EvalExample, find_examples

from scripts.browser import vendor
from scripts.files import ROOT
from tests import page_text

DOCS = ROOT / "docs"
SOURCES = {
    path.relative_to(DOCS).as_posix(): path
    for path in sorted(DOCS.rglob("*.md"))
    if "decisions" not in path.parts  # the site does not publish them
}


def built(source):
    """The path below site/ of the page made from `source`."""
    stem = source.removesuffix(".md").removesuffix(".ipynb")
    return "index.html" if stem == "index" else f"{stem.removesuffix('/index')}/index.html"


NOTEBOOKS = [path.relative_to(DOCS).as_posix() for path in sorted(DOCS.rglob("*.ipynb"))]
each_page = pytest.mark.parametrize("page", [built(source) for source in [*SOURCES, *NOTEBOOKS]])


def shown_text(element):
    """The text of a `<data>`, with a power of ten as Python writes it."""
    return re.sub(r" × 10([−\d]+)$", _as_exponent, "".join(element.itertext()))


def _as_exponent(match):
    sign, digits = ("−", match.group(1)[1:]) if "−" in match.group(1) else ("+", match.group(1))
    return f"e{sign}{digits.zfill(2)}"


@each_page
def test_every_number_and_claim_is_the_oracles_and_a_claim_stands_behind_words(page):
    for element in page_text.pages()[page].xpath("//data[@title]"):
        code, _, value = element.get("title").rpartition(" = ")
        assert value == element.get("value")
        wanted = page_text.oracle_text(code, element.get("data-format"))
        assert shown_text(element) == wanted, f"{page}: {code}"
        exact = float(page_text.oracle_value(code))
        assert float(value) == pytest.approx(exact, rel=1e-9, abs=1e-12), f"{page}: {code}"
    for claim in page_text.pages()[page].xpath("//data[not(@title)]"):
        code = claim.get("value")
        assert page_text.oracle_value(code) == 1, f"{page}: {code}"
        assert {"value"} <= set(claim.attrib) <= {"value", "data-kind"}
        assert (len(claim), claim.text) == (0, None)
        previous = claim.getprevious()
        before = claim.getparent().text if previous is None else previous.tail or previous.tag
        assert (before or "")[-1:].strip(), f"{page}: a space or nothing before {code}"


@each_page
def test_no_number_in_prose_is_typed(page):
    text = page_text.prose(page_text.article(page_text.pages()[page]))
    assert page_text.typed_numbers(text) == []
    assert "{{" not in text
    for cell in page_text.pages()[page].xpath("//table[@class='numbers']/tbody/tr/td"):
        assert [child.tag for child in cell] == ["data"]
        assert not (cell.text or "").strip()


@each_page
def test_formulas_are_mathml_in_the_letters_of_the_maths_font_and_no_tex_is_left(page):
    article = page_text.article(page_text.pages()[page])
    assert not {"$", "\\"} & set(page_text.prose(article))
    for formula in article.iter("math"):
        letters = {letter for letter in "".join(formula.itertext()) if not letter.isspace()}
        assert letters, page
        assert letters <= set(vendor.MATH_CHARACTERS), formula
        assert "merror" not in {part.tag for part in formula.iter()}


def test_the_maths_font_has_all_italic_letters():
    letters = set("ℎ").union(map(chr, range(0x1D434, 0x1D468)))
    assert letters <= set(vendor.MATH_CHARACTERS)


OPTIONAL = {  # packages that a block may need beyond the group `site`, and who brings them
    "dask": "`make test` brings it",
    "jax": "pip install jax==0.10.2",
    "mlx": "pip install mlx[cpu]==0.32.4",
    "tensorflow": "pip install tensorflow-cpu==2.21.0",
    "torch": "pip install torch==2.13.0",
}
EXAMPLES = [
    example
    for example in find_examples(DOCS, ROOT / "README.md")
    if "__main__" not in example.source  # a program: tests/test_large_tables.py runs it
]


def stack():
    """The frames of `inspect.stack` with what pytest-examples reads of them.

    Each `print` of an example reads them. Finding their source files and lines took longer than
    running the examples.
    """
    frame, found = sys._getframe(1), []
    while frame:
        code = frame.f_code
        named = (frame, code.co_filename, frame.f_lineno, code.co_name)
        found.append(inspect.FrameInfo(*named, code_context=None, index=None))
        frame = frame.f_back
    return found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda e: f"{e.path.name}:{e.start_line}")
def test_every_code_block_runs_and_prints_what_the_page_says(
    example: CodeExample, eval_example: EvalExample, monkeypatch
):
    monkeypatch.setattr(inspect, "stack", stack)
    assert "print(" in example.source, "the block shows nothing"
    for package, how in OPTIONAL.items():
        if re.search(rf"^(?:import|from) {package}\b", example.source, re.M):
            pytest.importorskip(package, reason=f"{package} is not installed: {how}")
    eval_example.set_config(line_length=100, target_version="py311")
    trouble = ""
    try:
        eval_example.run_print_check(example)
    except Exception as error:  # pytest cannot show a traceback that points into a page
        trouble = f"{type(error).__name__}: {error}"
    if trouble:
        pytest.fail(f"{example.path.name}:{example.start_line}: {trouble}", pytrace=False)
