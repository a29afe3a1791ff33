"""Every displayed formula, read from the TeX on its page, is true at random points."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from tests import oracle
from tests.formulas import judge, pages, reader
from tests.formulas.pages import Formula

DISPLAYED = list(dict.fromkeys(pages.displayed()))
APPROVED = pages.approved()
EVALUATED = [one for one in DISPLAYED if (one.page, one.tex) not in pages.keys(APPROVED)]

each_evaluated = pytest.mark.parametrize(
    "formula", EVALUATED, ids=[f"{one.section}-{n}" for n, one in enumerate(EVALUATED)]
)

# Slips that an author makes: what is written, and what stands there instead.
SLIPS = {
    "sign": [(r"(?<=[\w) }])\+(?=[\w\\ ])", "-"), (r"-(?=[\w\\ ])", "+")],
    "function": [(r"\\sin\b", r"\\cos "), (r"\\cos\b", r"\\sin ")],
    "square": [(r"\^2(?!\d)", "")],
    "comparison": [(r"<", ">"), (r"\\le\b", r"\\ge "), (r"\\ll\b", ">")],
    "digit": [(rf"(?<!\w){n}(?!\d)", str(n + 1)) for n in range(9)],
    "index": [(r"2i(?![/+])", "2i+1"), (r"2i ?\+ ?1", "2i"), (r"\bi\b", "2i")],
    "transpose": [(r"\^\\top", "")],
    "order": [(r"\bp - q\b", "q - p"), (r"\bx_p\b", "x_q"), (r"\bP\^\\top\b", "P")],
}
# They change the TeX and leave it true.
STILL_TRUE = {
    r"\lVert \mathrm{PE}(p - k) - \mathrm{PE}(p) \rVert",  # the distance to p - k is the same
    r"\mathrm{PE}(p) \cdot \mathrm{PE}(p - k)",  # and so is the dot product
    r"< 3\pi n",  # a bound that is not as close
    r"2 \ll k",
}


def slips(tex):
    """The formula with one slip in each place where it can happen, and the slip's kind."""
    for kind, patterns in SLIPS.items():
        for written, instead in patterns:
            for place in re.finditer(written, tex):
                slip = re.sub(written, instead, place[0]) if "(?" not in written else instead
                yield kind, tex[: place.start()] + slip.replace("\\\\", "\\") + tex[place.end() :]


@each_evaluated
def test_a_displayed_formula_is_true_at_random_points(formula):
    assert not judge.advice(formula)


@each_evaluated
def test_a_slip_in_a_formula_makes_it_false(formula):
    unnoticed = [
        (kind, tex)
        for kind, tex in slips(formula.tex)
        if not judge.fault(replace(formula, tex=tex)) and not any(ok in tex for ok in STILL_TRUE)
    ]
    assert not unnoticed


def test_each_kind_of_slip_happens_in_more_than_one_formula():
    places = [(kind, one, tex) for one in EVALUATED for kind, tex in slips(one.tex)]
    for kind in SLIPS:
        assert len({one for other, one, _ in places if other == kind}) > 1, kind
    for part in STILL_TRUE:
        assert any(part in tex for *_, tex in places), f"no slip leads to {part}"


def test_an_approved_formula_stands_on_its_page_with_a_reason():
    on_pages = {(one.page, one.tex) for one in DISPLAYED}
    assert pages.keys(APPROVED) <= on_pages, "take them from tests/data/approved_formulas.toml"
    assert all(one["reason"].strip() for one in APPROVED)


def test_nobody_needs_to_approve_a_formula_that_can_be_evaluated():
    for one in DISPLAYED:
        if one not in EVALUATED:
            assert judge.fault(one), f"take {one.tex} from tests/data/approved_formulas.toml"
    assert len(EVALUATED) >= 0.75 * len(DISPLAYED)


@pytest.mark.parametrize(
    ("section", "tex", "fault"),
    [
        ("waves.md#why-both", r"\cos(w p) = \zeta", "no value for the symbol zeta"),
        ("waves.md#why-both", r"\cos(w p) \sim \sin w p", "no value for the symbol sim"),
        ("waves.md#why-both", r"\cos(w p) = w]", "cannot read ]"),
        ("waves.md#why-both", r"\cos(w p", "expected )"),
        ("waves.md#why-both", r"\cos(w p) = \sin(w p)", "it is False at d = 4.0, n ="),
        ("wavelengths.md", r"\lambda_i = 2\pi n^{2i/d}, i \le d/2", "the conditions allow"),
        ("wavelengths.md", r"\lambda_i = 2\pi n^{2i/d}, 0 < i < d/2", "the conditions leave out"),
        ("wavelengths.md", r"\lambda_i = 2\pi n^{2i/d}, i < i", "leave out"),
        ("wavelengths.md#why-10000", r"K(k)/K(0) \approx 1, k < 0", "no point meets"),
    ],
)
def test_the_message_says_what_is_wrong_and_what_to_do(section, tex, fault):
    advice = judge.advice(Formula(section, tex))
    assert fault in advice
    assert section in advice
    assert "tests/formulas/sections.py" in advice
    assert "tests/data/approved_formulas.toml" in advice


@pytest.mark.parametrize(
    ("tex", "value"),
    [
        (r"8 / 2 a", 2),
        (r"8 / 2 \cdot a", 8),
        (r"-a^2 + 1{,}000", 996),
        (r"f(a) (a + 1)", 30),
        (r"a(a + 1)", 6),
        (r"\frac{a}{4} a", 1),
        (r"\sqrt a^2", 2),
        (r"\sin^2 b a + \cos^2 (b a)", 1),
        (r"\sin b \cos b - \sin(b) \cdot \cos b", 0),
        (r"\sum_{i=1}^{3} i^2 \cdot a + 1", 29),
        (r"\sum_i i", 6),
        (r"\left|a - 5\right| + |{-a}|", 5),
        (r"\lfloor 7/2 \rfloor", 3),
        (r"\begin{pmatrix} 1 & a \end{pmatrix} \begin{pmatrix} a \\ 3 \end{pmatrix}", 8),
        (r"(3, 4) \cdot (1, a)", 11),
        (r"\lVert (3, 4) \rVert", 5),
        (r"v_{a-1}' v_1", 35),
        (r"\int_1^a \frac{dw}{w} - \ln a", 0),
        (r"\frac{\mathrm{d}}{\mathrm{d}a} a^3", 12),
    ],
)
def test_tex_is_read_as_the_pages_mean_it(tex, value):
    at = {"a": oracle.mp.mpf(2), "b": oracle.mp.mpf("0.3"), "f": lambda x: 5 * x}
    at |= {"all i": range(4), "v'_": lambda i: 5 * i, "v_": lambda i: 7 * i}
    (statement,) = reader.statements(tex)
    assert abs(statement.sides[0](at) - value) < 1e-15


def test_lines_and_words_divide_a_formula_into_statements():
    tex = r"""\begin{aligned} a &= b, & c &< d \\ &\le e, \\ \text{T5:}\quad f &= g \quad\text{and}
        \quad h \approx i \end{aligned}"""
    found = reader.statements(tex)
    assert [one.relations for one in found] == [("=",), ("<", r"\le"), ("=",), (r"\approx",)]
    assert [one.label for one in found] == ["", "", "T5", ""]


def test_formulas_in_code_do_not_count_and_each_has_the_heading_above_it():
    text = "# One\n\n$$\na\n$$\n\n```text\n$$\nb\n$$\n```\n\n"
    text += "## Two { #second }\n\n- `$$`\n\n  $$\n  c\n  $$\n"
    assert list(pages.in_text("page.md", text)) == [
        Formula("page.md#one", "a"),
        Formula("page.md#second", "c"),
    ]
