"""Every formula that states something, read from the TeX on its page, is true at random points."""

import re
from dataclasses import replace

import pytest

from scripts.numbers import formulas
from scripts.numbers.formulas import Formula
from tests.balls import ball
from tests.formulas import judge, reader
from tests.formulas.tokens import statements

FORMULAS = list(dict.fromkeys(formulas.on_pages()))
EVALUATED = [one for one in FORMULAS if not one.approved]
DISPLAYED = [one for one in EVALUATED if one.kind == "displayed"]

# Slips that an author makes: a pattern for what is right, and what stands there instead.
SLIPS = {
    "sign": [(r"(?<=[\w) }])\+(?=[\w\\ ])", "-"), (r"-(?=[\w\\ ])", "+")],
    "function": [(r"\\sin\b", r"\cos "), (r"\\cos\b", r"\sin ")],
    "square": [(r"\^2(?!\d)", "")],
    "comparison": [(r"<", ">"), (r"\\le\b", r"\ge "), (r"\\ll\b", ">")],
    "digit": [(rf"(?<!\w){n}(?!\d)", str(n + 1)) for n in range(9)],
    "index": [(r"2i(?![/+])", "2i+1"), (r"2i ?\+ ?1", "2i"), (r"\bi\b", "2i")],
    "letter": [(r"\bk\b", "p")],
    "transpose": [(r"\^\\top", "")],
    "order": [(r"\bp - q\b", "q - p"), (r"\bx_p\b", "x_q")],
}
# They change the TeX and leave it true.
STILL_TRUE = {
    r"\lVert \mathrm{PE}(p - k) - \mathrm{PE}(p) \rVert",  # the distance to p - k is the same
    r"\mathrm{PE}(p) \cdot \mathrm{PE}(p - k)",  # and so is the dot product
    r"2 \ll k",
    r"\cos\frac{p}{n}",  # one to within the error of the closed form, as cos(k/n) is
}


def named(found):
    """Names for the tests of formulas."""
    return [f"{one.section}-{n}" for n, one in enumerate(found)]


def is_true(formula, tex):
    """Whether the formula is true with this TeX instead."""
    return not judge.fault(replace(formula, tex=tex))


def slips(tex):
    """The formula with one slip in each place where it can happen, and the slip's kind."""
    for kind, patterns in SLIPS.items():
        for right, instead in patterns:
            for place in re.finditer(right, tex):
                yield kind, tex[: place.start()] + instead + tex[place.end() :]


@pytest.mark.parametrize("formula", EVALUATED, ids=named(EVALUATED))
def test_a_formula_is_true_at_random_points(formula):
    assert not judge.advice(formula)


@pytest.mark.thorough
@pytest.mark.parametrize("formula", DISPLAYED, ids=named(DISPLAYED))
def test_a_slip_in_a_displayed_formula_makes_it_false(formula):
    assert not [
        (kind, tex)
        for kind, tex in slips(formula.tex)
        if is_true(formula, tex) and not any(part in tex for part in STILL_TRUE)
    ]


def test_some_slip_in_a_sentence_makes_its_formula_false():
    for one in EVALUATED:
        wrong = [tex for _, tex in slips(one.tex)]
        assert not wrong or not all(is_true(one, tex) for tex in wrong), one


def test_every_approved_formula_stands_on_its_page():
    left = formulas.approved() - {one.key for one in FORMULAS}
    assert not left, "take them from tests/data/approved_formulas.toml"


def test_a_formula_that_can_be_evaluated_needs_no_approval():
    for one in FORMULAS:
        if one.approved:
            assert judge.fault(one), f"take {one.tex} from tests/data/approved_formulas.toml"
    approved = [one for one in FORMULAS if one.kind == "displayed" and one.approved]
    assert len(approved) <= len(DISPLAYED) / 3


@pytest.mark.parametrize(
    ("section", "tex", "fault"),
    [
        ("waves.md#why-both", r"\cos(w p) = \zeta", "no value for the symbol zeta"),
        ("waves.md#why-both", r"\cos(w p) \sim \sin w p", "no value for the symbol sim"),
        ("waves.md#why-both", r"\cos(w p) = w]", "cannot read ]"),
        ("waves.md#why-both", r"\cos(w p", "expected )"),
        ("waves.md#why-both", r"\cos(w p) = \sin(w p)", "it is False at d = 4, n ="),
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
        (r"-a^2 + 1{,}000", 996),
        (r"f(a) (a + 1)", 30),
        (r"a(a + 1)", 6),
        (r"\frac{a}{4} a", 1),
        (r"\sin^2 b a + \cos^2 (b a)", 1),
        (r"\sin b \cos b - \sin(b) \cdot \cos b", 0),
        (r"\sum_{i=1}^{3} i^2 \cdot a + 1", 29),
        (r"\left|a - 5\right| + |{-a}|", 5),
        (r"(3, 4) \cdot (1, a)", 11),
        (r"v_{a-1}' v_1", 35),
    ],
)
def test_tex_is_read_as_the_pages_mean_it(tex, value):
    at = {"a": ball(2), "b": ball("0.3"), "f": lambda x: 5 * x}
    at |= {"all i": range(4), "v'_": lambda i: 5 * i, "v_": lambda i: 7 * i}
    (statement,) = statements(tex)
    assert abs(reader.value(statement.sides[0], at) - value) < 1e-15


@pytest.mark.parametrize(
    ("tex", "stated"),
    [
        (r"\cos(-a) = \cos a", True),
        (r"a + b < c", True),
        (r"\sin a \approx a", True),
        (r"a b = c = d", True),
        (r"\sigma = 1", False),
        (r"v' = 1", False),
        ("K(3) =", False),
        ("K(3) = a =", False),
        ("K(3)", False),
        ("a", False),
    ],
)
def test_a_formula_states_something_if_it_relates_two_sides_and_defines_no_letter(tex, stated):
    assert formulas.states(tex) is stated


def test_formulas_in_code_do_not_count_and_each_has_the_heading_above_it():
    text = "# One of $a$\n\n$$\na\n$$\n\n```text\n$$\nb\n$$\n```\n\n"
    text += "## Two { #second }\n\n- `$$` and $b\n= c$\n\n  $$\n  c\n  $$\n"
    assert list(formulas.in_text("page.md", text)) == [
        Formula("page.md#one-of-a", "a", "sentence"),
        Formula("page.md#one-of-a", "a"),
        Formula("page.md#second", "b = c", "sentence"),
        Formula("page.md#second", "c"),
    ]
