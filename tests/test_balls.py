"""Balls hold the exact value, and say so where they cannot tell."""

from __future__ import annotations

import operator
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import ctx
from hypothesis import given
from hypothesis import strategies as st

from tests import balls
from tests.balls import UndecidedError, ball

NUMBERS = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-6)
third = ball(1) / 3


@given(NUMBERS, NUMBERS, st.sampled_from(("add", "sub", "mul", "truediv", "lt", "ge")))
def test_a_ball_holds_the_exact_result(a, b, name):
    operate = getattr(operator, name)
    if name == "truediv" and b == 0:
        return
    exact = operate(Fraction(a), Fraction(b))
    for x, y in ((ball(a), ball(b)), (ball(a), b), (a, ball(b)), (np.float64(a), ball(b))):
        found = operate(x, y)
        if name in ("lt", "ge"):
            assert found == exact
        else:
            low, high = map(Fraction, balls.ends(found))
            assert low <= exact <= high
            assert high - low <= abs(exact) * Fraction(1, 10**55)


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_a_comparison_that_balls_leave_open_is_an_error(name):
    operate = getattr(operator, name)
    with pytest.raises(UndecidedError, match="overlap"):
        operate(third, 1 - 2 * third)
    assert operate(third, third) == operate(0, 0)
    assert operate(third, ball("0.4")) == operate(1, 2)


def test_a_question_that_needs_more_bits_gets_them():
    seen = []

    def compute():
        seen.append(ctx.prec)
        return balls.sqrt(2) ** 2 < 2 + ball("1e-90")

    assert balls.decided(compute) is True
    assert seen == [200, 400]
    assert ctx.prec == 200


def test_equal_numbers_count_as_equal_with_the_largest_number_of_bits_only():
    assert balls.decided(lambda: balls.sin(1) ** 2 + balls.cos(1) ** 2 == 1)
    assert not balls.decided(lambda: balls.sqrt(2) ** 2 < 2)
    assert not balls.decided(lambda: balls.sqrt(2) ** 2 == 2 + ball("1e-200"))


def test_fractions_stay_exact_and_a_tie_is_decided():
    tenth = ball("0.1")
    assert tenth + tenth + tenth == ball("0.3")
    assert balls.ends(ball("0.345")) == (Decimal("0.345"),) * 2
    assert balls.floor(ball(Fraction(6, 3))) == 2
    assert [balls.nearest(ball(x)) for x in (2.4, 2.5, -2.6)] == [2, 3, -3]


def test_the_largest_of_numbers_that_overlap_is_a_ball_and_not_an_error():
    assert balls.digits(balls.largest([third, 1 - 2 * third, 0]), 50) == "0." + 50 * "3"
    assert balls.least(2, 1) == 1


def test_values_that_are_kept_for_fewer_bits_are_not_used_for_more():
    root = balls.remembered(lambda x: balls.sqrt(x))
    before = root(2)
    assert root(2) is before
    with ctx.workprec(400):
        assert root(2) is not before
    assert root(third) is not root(third)  # a ball has no hash


def test_a_value_of_float64_is_sure_only_beyond_its_error():
    assert balls.sure(-2.0, 1.0) == -2
    with pytest.raises(UndecidedError):
        balls.sure(0.5, 0.5)
    assert balls.digits(balls.within(1.5, 1e-9), 50) == "1.5"
