"""A table that is too flat, too short or too far away says too little for a fitted encoding."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import Convention, Match, Rotary, RotaryCache
from posenc.identification._rows import FLOAT32, Rows
from posenc.identification._vague import is_straight, is_vague
from posenc.identification._words import mistake

FITTED = Convention(base=777)


def vague(values, kind=FITTED, error=0.0, **options):
    return is_vague(Match(convention=kind, error=error, **options), np.asarray(values))


def ramp(length, width, most):
    """Columns of zeros, but the last one rises to `most`."""
    values = np.zeros((length, width))
    values[:, -1] = np.linspace(0, most, length)
    return values


@pytest.mark.parametrize("size", [1.0, 4.0])
def test_a_column_has_to_change_by_three_hundredths_of_the_amplitude(size):
    convention = Convention(base=777, amplitude=size)
    cache = RotaryCache(rotary=Rotary(8), part="cos", amplitude=size)
    for kind in (convention, cache):
        for width in (3, 4, 8):
            assert vague(ramp(9, width, 0.0299 * size), kind)
            assert not vague(ramp(9, width, 0.03 * size), kind)
    assert not vague(np.stack([ramp(9, 4, 0.0), ramp(9, 4, 0.03 * size)]), cache)
    assert vague(np.stack([ramp(9, 4, 0.0), ramp(9, 4, 0.0299 * size)]), cache)


def test_the_columns_of_a_single_pair_have_to_change_by_a_fifth_of_the_amplitude():
    for kind in (Convention(), Convention(amplitude=4)):
        assert vague(ramp(9, 2, 0.199 * kind.amplitude), kind)
        assert not vague(ramp(9, 2, 0.2 * kind.amplitude), kind)
    both = np.stack([ramp(9, 1, 0.0), ramp(9, 1, 0.2)])
    assert not vague(both)
    assert vague(both * 0.99)


def test_two_rows_say_enough_of_two_pairs_and_three_of_one():
    assert not vague(ramp(2, 4, 1.0))
    assert not vague(ramp(2, 3, 1.0))
    assert vague(ramp(1, 4, 1.0))
    assert vague(ramp(2, 2, 1.0))
    assert not vague(ramp(3, 2, 1.0))
    assert not vague(np.stack([ramp(2, 2, 1.0)] * 2))
    assert vague(np.stack([ramp(2, 1, 1.0)] * 2))


def test_a_library_or_a_mistake_needs_no_change():
    assert vague(ramp(9, 8, 0.0))
    assert not vague(ramp(9, 8, 0.0), libraries=("trax",))
    assert not vague(ramp(9, 8, 0.0), mistakes=(mistake("swapped"),))


def test_a_whole_position_is_too_far_if_one_of_so_many_fits_all_pairs_by_chance():
    quarter = np.pi / 4  # so one position in four fits a pair by chance
    for start in (-300, 300):  # of 4 ** 9 positions, 262 are one in a thousand
        kind = Convention(base=777, start=start)
        assert vague(ramp(9, 18, 1.0), kind, quarter)
        assert vague(ramp(9, 19, 1.0), kind, quarter)  # the last column has no partner
        assert not vague(ramp(9, 20, 1.0), kind, quarter)
        assert not vague(ramp(9, 18, 1.0), kind, quarter * 0.98)
    assert not vague(ramp(9, 18, 1.0), Convention(base=777, start=262), quarter)
    assert vague(ramp(9, 18, 1.0), Convention(base=777, start=263), quarter)
    assert not vague(ramp(9, 8, 1.0), Convention(base=777), quarter)


def test_a_position_between_two_always_fits_one_pair():
    quarter = np.pi / 4

    def is_far(half_turns, pairs, scale=1.0):
        kind = Convention(base=777, angle_scale=scale, start=np.pi * half_turns / scale)
        return vague(ramp(9, 2 * pairs, 1.0), kind, quarter)

    for sign in (1, -1):
        assert not is_far(0.99 * sign, 2)  # less than half a turn is near
        assert is_far(1.01 * sign, 5)  # one in 4 ** 4 fits the other four
        assert not is_far(1.01 * sign, 6)
        assert is_far(1.1 * sign, 6)
        assert is_far(1.1 * sign, 6, scale=0.25)
        assert not is_far(1.01 * sign, 6, scale=0.25)


# Straight lines


def straight(values, places=None):
    values = np.asarray(values, float)
    return is_straight(Rows(np.arange(float(len(values))) if places is None else places, values))


def test_two_rows_are_straight_only_if_they_are_equal():
    assert straight([[1, 2], [1, 2]])
    assert not straight([[1, 2], [1, 3]])
    assert not straight([[1, 2], [2, 3]])
    assert straight([[1, 2], [2, 3], [3, 4]])


def test_rows_are_straight_where_they_lie():
    places = np.array([3.0, 4.0, 7.0, 8.0])
    line = places[:, np.newaxis] * [1.0, -2.0] + [5.0, 0.0]
    assert straight(line, places)
    assert not straight(line)
    assert not straight(line**2, places)


def test_a_line_is_straight_up_to_the_rounding_of_its_largest_value():
    line = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])
    for column, off, is_so in ((0, 2.0, True), (1, -2.0, True), (0, 2.1, False), (1, -2.1, False)):
        bent = line.copy()
        bent[1, column] += off * FLOAT32
        assert straight(bent) == is_so
        assert straight(-bent) == is_so
