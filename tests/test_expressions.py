"""The expression language of the pages: numbers, tables and claims."""

import contextlib
import re
from unittest import mock

import markdown
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.numbers import bounds, claims, expressions, marks, tables, templates
from scripts.numbers.expressions import ExpressionError


@pytest.mark.parametrize(
    ("source", "text", "code"),
    [
        ("wavelengths(512)[-1] : ,.0f", "60,611", "posenc.wavelengths(512)[-1]"),
        ("sum(wavelengths(512) <= 50) : d", "58", "sum(posenc.wavelengths(512) <= 50)"),
        ("sqrt(2 * pi) : .3g", "2.51", "np.sqrt(2 * np.pi)"),
        ("-1 / 4 : .1f", "−0.2", "-1 / 4"),
        ("0 * -1.0 : .1f", "0.0", "0 * -1.0"),
        ("-0.00001 : .2f", "0.00", "-1e-05"),
        ("max([1, 2] * 3) : d", "2", "max([1, 2] * 3)"),
    ],
)
def test_a_number_is_shown_with_its_value_and_its_code(source, text, code):
    shown = expressions.number(source)
    assert (shown.text, shown.code) == (text, code)


_PIECES = re.findall(
    r"\S+",
    "9**9 ( ) [ ] 1 - + * ** << range(10**9) i wavelengths (8) 'a' 0.5 .__class__ lambda: if else"
    " sum max __import__('os').system('exit') { } ` sqrt =",
)
_PIECES += [" for i in ", ", ", "\0", "\ud800", "not ", " : d"]


@given(st.lists(st.sampled_from(_PIECES), max_size=8).map("".join), st.text(max_size=5))
def test_any_text_is_a_number_or_refused(expression, spec):
    with contextlib.suppress(ExpressionError), mock.patch.object(bounds, "STEPS", 1000):
        expressions.number(f"{expression} : {spec}")


def test_each_cell_of_a_table_has_its_expression():
    made = tables.table(
        "table([[d, wavelengths(d)[-1]] for d in [4, 6]], rows=['a', 'b'], columns=['d', 'last'],"
        " corner='width') : d | .1f"
    )
    assert [[cell.text for cell in row] for row in made.cells] == [["4", "628.3"], ["6", "2916.4"]]
    assert made.cells[1][1].code == "posenc.wavelengths(6)[-1]"
    assert (made.corner, made.rows, made.columns) == ("width", ("a", "b"), ("d", "last"))
    made = tables.table("table(positional_encoding(2, 4)) : .2f")
    code = "posenc.positional_encoding(2, 4)"
    cells = [(f"{code}[1, {j}]", text) for j, text in enumerate(("0.84", "0.54", "0.01", "1.00"))]
    assert [(cell.code, cell.text) for cell in made.cells[1]] == cells
    assert (made.corner, made.rows, made.columns) == ("", (), ())


def test_a_claim_that_is_true_shows_nothing_and_keeps_its_code():
    html = markdown.markdown(
        "It grows\n{{ check: distance(0, 4) < distance(1, 4) == distance(-1, 4) }}. It is even\n"
        "{{ proved: 1 == 1 }}.\n\n```text\n{{ 1 : d }}\n```\n",
        extensions=["scripts.pages.extension", "pymdownx.superfences"],
    )
    code = "posenc.distance(0, 4) &lt; posenc.distance(1, 4) == posenc.distance(-1, 4)"
    assert f'<p>It grows<data value="{code}"></data>. It is even<data data-kind="proved"' in html
    assert "<code>{{ 1 : d }}" in html, "a block of code stays as it is"
    assert templates.plain("It {{ 1 : d }} falls\n{{ check: 2 > 1 }}. Then") == "It 1 falls. Then"
    with pytest.raises(ExpressionError, match="is false: 1 > 2"):
        templates.plain("It falls {{ check: 1 > 2 }}.")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("wavelengths(512)", "expected `expression : format`"),
        ("wavelengths(512) : .2f", "a number is needed, got shape (256,)"),
        ("log(0.0) : .2f", "must be finite"),
        ("1 / 0 : .2f", "ZeroDivisionError"),
        ("1.5 : d", "format 'd'"),
        ("1 + : d", "invalid syntax"),
        ("9(8) : d", "'int' object is not callable"),
        ("(1).__class__ : d", "Attribute is not allowed"),
        ("__import__('os') : d", "unknown name '__import__'"),
        ("1 << 10**11 : d", "an integer must have at most 10,000 bits"),
        ("(1 << 6000) * (1 << 6000) : d", "an integer must have at most 10,000 bits"),
        ("2**20_000 + 1 : d", "an integer must have at most 10,000 bits"),
        ("0x" + "f" * 5000 + " : d", "an integer must have at most 10,000 bits"),
        ("len(range(10**30)) : d", "must have at most 1,000,000 entries"),
        ("len([0] * 10**7) : d", "must have at most 1,000,000 entries"),
        (
            "len([i for i in range(600) for j in range(600) for k in range(3)]) : d",
            "1,000,000 steps",
        ),
        ("-" * 20_000 + "1 : d", "nested too deeply"),
        ("sqrt : .1f", "a number is needed, got <ufunc"),
        ("[[1], [1, 2]] : d", "a number is needed, got shape of uneven lists"),
        ("1 : 999999999d", "at most 99 digits"),
        ("table(wavelengths(4)) : d", "table needs two dimensions, got shape (2,)"),
        ("table(positional_encoding(0, 4)) : d", "table needs a cell, got shape (0, 4)"),
        ("table([[1, 2], [3]]) : d", "the same number of cells"),
        ("table([[x] for x in [1, 2] if x]) : d", "one `for` with one name and no `if`"),
        ("table([[1, 2]], rows=['a', 'b']) : d", "table has 1 rows but 2 headings"),
        ("table([[1, 2]], columns=['a']) : d", "table has 2 columns but 1 headings"),
        ("table([[1, 2]]) : d | d | d", "table has 2 columns but 3 formats"),
        ("table([[1, 2]], caption='x') : d", "table takes rows, columns and corner"),
        ("table() : d", "table needs one expression"),
        ("check: 1 > 2", "the claim 1 > 2 is false: 1 > 2"),
        ("check: len(range(3)) <= 1 + 1 < 5 and 1 < 2", "is false: 3 <= 2 < 5"),
        ("check: all(k * k < 5 for k in range(9))", "is false: 9 < 5 at k = 3"),
        (
            "check: all(a < b for a in [1, 2] for b in [4, 2] if b > 1)",
            ": 2 < 2 at a = 2, b = 2",
        ),
        ("check: all(k < 0 for k in range(0))", "a claim must compare at least one case"),
        ("check: wavelengths(4) > 2", "a claim compares numbers, got array([ True,  True])"),
        ("check: distance(3, 4)", "a claim is a comparison with < <= > >= ==, or all("),
        ("check: 1 != 2", "a claim is a comparison with < <= > >= ==, or all("),
        ("check: all([1 < 2])", "a claim is a comparison with < <= > >= ==, or all("),
    ],
)
def test_what_is_no_number_no_table_and_no_true_claim_is_refused_in_one_line(source, message):
    read = claims.claim if marks.is_claim(source) else tables.numbers
    with pytest.raises(ExpressionError, match=re.escape(message)) as caught:
        read(source)
    assert "\n" not in str(caught.value)
