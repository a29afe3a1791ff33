"""The expression language of the pages, its tables, and the Markdown extension."""

from __future__ import annotations

import re

import markdown
import pytest

from scripts.files import PageError
from scripts.numbers import expressions, tables
from scripts.numbers.expressions import ExpressionError


def render(text):
    return markdown.markdown(text, extensions=["scripts.pages.extension", "pymdownx.superfences"])


@pytest.mark.parametrize(
    ("source", "text", "code"),
    [
        ("1 / 3 : .2f", "0.33", "1 / 3"),
        ("wavelengths(512)[-1] : ,.0f", "60,611", "posenc.wavelengths(512)[-1]"),
        ("sum(wavelengths(512) <= 50) : d", "58", "sum(posenc.wavelengths(512) <= 50)"),
        ("sqrt(2 * pi) : .3g", "2.51", "np.sqrt(2 * np.pi)"),
        ("-1 / 4 : .1f", "−0.2", "-1 / 4"),
        ("0 * -1.0 : .1f", "0.0", "0 * -1.0"),
        ("-0.00001 : .2f", "0.00", "-1e-05"),
        ("encode(10, 8)[2:4][0] : .2f", "0.84", "posenc.encode(10, 8)[2:4][0]"),
        ("sum(i * i for i in range(4)) : d", "14", "sum((i * i for i in range(4)))"),
    ],
)
def test_a_number_is_shown_with_its_value_and_its_code(source, text, code):
    shown = expressions.number(source)
    assert (shown.text, shown.code) == (text, code)


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("wavelengths(512)", "expected `expression : format`"),
        ("wavelength(512) : d", "unknown name 'wavelength'"),
        ("wavelengths(512) : .2f", "a number is needed, got shape (256,)"),
        ("wavelengths(3)[0] : .2f", "ValueError: d_model must be even and positive, got 3"),
        ("log(0.0) : .2f", "must be finite"),
        ("1 / 0 : .2f", "ZeroDivisionError"),
        ("'a' : .2f", "a number is needed"),
        ("1.5 : d", "format 'd'"),
        ("1 + : d", "invalid syntax"),
        ("(1).__class__ : d", "Attribute is not allowed"),
        ("(lambda: 1)() : d", "Lambda is not allowed"),
        ("__import__('os') : d", "unknown name '__import__'"),
        ("[x := 1][0] : d", "NamedExpr is not allowed"),
    ],
)
@pytest.mark.filterwarnings("ignore:divide by zero")
def test_an_expression_without_a_number_is_refused_in_one_line(source, message):
    with pytest.raises(ExpressionError, match=re.escape(message)) as caught:
        expressions.number(source)
    assert "\n" not in str(caught.value)


def test_each_cell_of_a_table_has_its_expression():
    made = tables.table(
        "table([[d, wavelengths(d)[-1]] for d in [4, 6]], rows=['a', 'b'], columns=['d', 'last'])"
        " : d | .1f"
    )
    assert [[cell.text for cell in row] for row in made.cells] == [["4", "628.3"], ["6", "2916.4"]]
    assert made.cells[1][1].code == "posenc.wavelengths(6)[-1]"
    array = tables.table("table(positional_encoding(2, 4)) : .2f")
    assert array.cells[1][0].code == "posenc.positional_encoding(2, 4)[1, 0]"
    assert array.cells[1][0].text == "0.84"


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("table(wavelengths(4)) : d", "table needs two dimensions, got shape (2,)"),
        ("table([[1, 2], [3]]) : d", "the same number of cells"),
        ("table([[1, 2]], rows=['a', 'b']) : d", "table has 1 rows but 2 headings"),
        ("table([[1, 2]], columns=['a']) : d", "table has 2 columns but 1 headings"),
        ("table([[1, 2]]) : d | d | d", "table has 2 columns but 3 formats"),
        ("table([[1, 2]], caption='x') : d", "table takes rows, columns and corner"),
        ("table() : d", "table needs one expression"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(source, message):
    with pytest.raises(ExpressionError, match=re.escape(message)):
        tables.table(source)


def test_numbers_in_code_do_not_change():
    assert "<data" not in render("`{{ 1 : d }}`\n\n```text\n{{ 1 : d }}\n```\n")
    assert render("{{ 1 : d }}").count("<data") == 1


def test_the_punctuation_behind_a_formula_stays_with_it():
    assert "</math>).</span> Then" in render("(see $p$). Then")


def test_a_power_of_ten_is_written_as_one():
    html = render("{{ 0.00025 : .1e }}")
    assert "2.5 × 10<sup>−4</sup></data>" in html


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("one\n\ntwo {{ nothing : d }}\n", 3),
        ("one\n\n{{ table(nothing) : d }}\n", 3),
        ("one\n\ntwo $\\nonsense$\n", 3),
        ("$$\n\\nonsense\n$$\n", 2),
        ("one\n\n![](figures/nothing.svg)\n", 3),
    ],
)
def test_an_error_names_the_line_of_the_page(text, line):
    with pytest.raises(PageError) as caught:
        render(text)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)
