"""The oracle: independent of the package, right by known facts, and able to format for pages."""

from __future__ import annotations

import math
import operator
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scripts.build import imports
from tests import balls, oracle
from tests.balls import UndecidedError, ball
from tests.oracle import formatted

SPECS = st.sampled_from((",.0f", ".4f", ".1f", "+.2f", ".0e", ".2e", ".0g", ".3g", ".10g", "g"))


TESTS = Path(oracle.__file__).parent


def test_oracles_and_all_that_they_import_share_no_code_with_what_they_check():
    oracles = {*TESTS.glob("*oracle.py"), *TESTS.glob("figure_oracles/*.py")} - {Path(__file__)}
    found = imports.closure(oracles)
    assert {path for path in found if not path.is_relative_to(TESTS)} == set()
    assert not any(path.name.startswith("test_") for path in found)
    assert TESTS / "balls" / "number.py" in found


def test_fifty_digits_are_right():
    sine_of_one = "0.84147098480789650665250232163029899962256306079837"  # OEIS A049469
    two_pi = "6.2831853071795864769252867665590057683943387987502"  # OEIS A019692
    root_of_ten = "3.1622776601683793319988935444327185337195551393252"  # OEIS A010467
    assert balls.digits(oracle.encode(1, 2)[0], 50) == sine_of_one
    assert balls.digits(oracle.wavelengths(512)[0], 50) == two_pi
    assert balls.digits(1 / oracle.frequencies(16)[1], 50) == root_of_ten


@given(st.floats(-1e30, 1e30), SPECS)
@example(0.0, ".2e")
@example(-0.0, ".2f")
@example(100000.0, ".3g")
@example(0.00001, ".3g")
@example(999.5, ".3g")
@example(2.5, ",.0f")
def test_formatted_is_pythons_format_with_a_true_minus_and_no_minus_zero(value, spec):
    text = format(value, spec).replace("-", "−")
    if not any(digit in text.partition("e")[0] for digit in "123456789"):
        text = text.removeprefix("−")
    assert formatted(ball(value), spec) == text
    assert formatted(value, spec) == text
    whole = int(value)
    assert formatted(whole, ",d") == format(whole, ",d").replace("-", "−")


def test_formatted_rounds_the_exact_value_and_not_its_float64():
    for near in (ball("1e-30"), balls.sin(ball("1e-30"))):  # a fraction, and a ball
        just_below = ball("0.12345") - near  # its float64 lies above 0.12345
        assert formatted(just_below, ".4f") == "0.1234"
        assert formatted(ball("0.12345") + near, ".4f") == "0.1235"


def test_formatted_gives_no_text_that_is_right_for_one_end_of_a_ball_only():
    wide = balls.between("0.12344", "0.12346")
    assert formatted(wide, ".3f") == "0.123"
    with pytest.raises(UndecidedError, match=r"between 0\.123[45] and 0\.123[45]$"):
        formatted(wide, ".4f")
    assert formatted(balls.between("-0.001", "0.001"), ".2f") == "0.00"
    assert formatted(ball("0.345"), ".3f") == "0.345"  # a fraction stays exact


def test_largest_error_sees_nan_and_a_wrong_shape():
    exact = oracle.encode([0, 1], 4)
    values = exact.astype(float)
    assert 0 < oracle.largest_error(values, exact) < 1.2e-16
    assert oracle.largest_error(values[0], exact) == math.inf
    values[0, 0] = math.nan
    assert oracle.largest_error(values, exact) == math.inf
    assert oracle.largest_error(values[:0], exact[:0]) == 0


# Balls: they hold the exact value, and say so where they cannot tell


third = ball(1) / 3


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_a_comparison_that_balls_leave_open_is_an_error(name):
    operate = getattr(operator, name)
    with pytest.raises(UndecidedError, match="overlap"):
        operate(third, 1 - 2 * third)
    assert operate(third, third) == operate(0, 0)
    assert operate(third, ball("0.4")) == operate(1, 2)


def test_a_question_that_needs_more_bits_gets_them():
    assert balls.decided(lambda: balls.sqrt(2) ** 2 < 2 + ball("1e-90")) is True
    assert balls.decided(lambda: balls.sin(1) ** 2 + balls.cos(1) ** 2 == 1)  # at 800 bits
    assert not balls.decided(lambda: balls.sqrt(2) ** 2 == 2 + ball("1e-200"))


def test_a_value_of_float64_is_sure_only_beyond_its_error():
    assert balls.sure(-2.0, 1.0) == -2
    with pytest.raises(UndecidedError):
        balls.sure(0.5, 0.5)
    assert balls.digits(balls.within(1.5, 1e-9), 50) == "1.5"
