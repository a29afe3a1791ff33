"""Every formula that states something, read from the TeX on its page, is true at random points."""

import re
from dataclasses import replace

import pytest

from scripts.numbers import formulas
from scripts.numbers.formulas import Formula
from tests.formulas import judge

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


@pytest.mark.parametrize(
    ("section", "tex", "fault"),
    [
        ("waves.md#why-both", r"\cos(w p) = \zeta", "no value for the symbol zeta"),
        ("waves.md#why-both", r"\cos(w p) = w]", "cannot read ]"),
        ("waves.md#why-both", r"\cos(w p) = \sin(w p)", "it is False at d = 4, n ="),
        ("wavelengths.md", r"\lambda_i = 2\pi n^{2i/d}, i \le d/2", "the conditions allow"),
        ("wavelengths.md", r"\lambda_i = 2\pi n^{2i/d}, 0 < i < d/2", "the conditions leave out"),
        ("wavelengths.md#why-10000", r"K(k)/K(0) \approx 1, k < 0", "no point meets"),
    ],
)
def test_the_message_says_what_is_wrong_and_what_to_do(section, tex, fault):
    advice = judge.advice(Formula(section, tex))
    assert fault in advice
    assert section in advice
    assert "tests/formulas/sections.py" in advice
    assert "tests/data/approved_formulas.toml" in advice
