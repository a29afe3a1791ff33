"""`identify` measures waves in the columns of a table, wherever its first row lies."""

from __future__ import annotations

import numpy as np
import pytest

from posenc.identification._turning import Parts
from posenc.identification._waves import Waves, amplitudes, measured


def cosines_of(values):
    return measured(Parts(values, None, np.arange(float(len(values)))))


def waves(turns, phases=None, size=None, told=None):
    """Waves of which all are known unless `told` says otherwise."""
    turns = np.array(turns, float)
    known = np.full(len(turns), True) if told is None else np.array(told)
    some = np.ones(len(turns)) if size is None else np.array(size, float)
    return Waves(
        turns, np.zeros(len(turns)) if phases is None else np.array(phases), some, turns, known
    )


def column(turn, length, phase=0.0):
    return np.cos(phase + turn * np.arange(length))[:, np.newaxis]


def test_three_rows_tell_no_wave_and_four_do():
    both = Parts(column(1, 4), column(1, 4, -np.pi / 2), np.arange(4.0))
    for parts in (both, Parts(both.cosines, None, both.positions)):
        assert measured(parts).turns == pytest.approx([1])
        assert measured(parts.rows(slice(3), parts.positions[:3])) is None


@pytest.mark.parametrize("power", [4, 5, 6, 7, 8])
def test_one_row_more_does_not_make_a_measured_turn_less_exact(power):
    turns = np.random.default_rng(power).uniform(0.02, 3, 200)

    def off(length):
        rounded = np.cos(np.arange(length)[:, np.newaxis] * turns).round(3)
        return np.quantile(np.abs(cosines_of(rounded).turns - turns), 0.9)

    assert off(2**power + 1) < 1.5 * off(2**power)


@pytest.mark.parametrize("length", [4, 5, 13, 14, 300])
@pytest.mark.parametrize("phase", [0.0, 2.0])
def test_any_turn_is_measured_from_cosines_in_any_phase(length, phase):
    turns = np.linspace(0.1, 3.1, 31)
    found = cosines_of(np.hstack([column(turn, length, phase) for turn in turns]))
    assert found.turns == pytest.approx(turns, abs=1e-9)
    assert np.cos(found.phases[found.told]) == pytest.approx(np.cos(phase), abs=1e-8)


def test_a_column_that_stands_still_or_is_zero_has_no_turn():
    turning = column(0.5, 40)
    for still in (0, 1, 0.1, 0.7, -0.3, 1e-9):
        found = cosines_of(np.hstack([turning, np.full((40, 1), still)]))
        assert found.turns == pytest.approx([0.5, 0])
        assert found.told.tolist() == [True, False]
    both = Parts(np.ones((40, 1)), np.zeros((40, 1)), np.arange(40.0))
    assert not measured(both).told.any()


@pytest.mark.parametrize("size", [0.1, 0.3, 0.7])
def test_a_column_of_two_values_in_turn_turns_half_way_round(size):
    assert cosines_of(column(np.pi, 40) * size).turns == pytest.approx([np.pi])


def test_a_pair_is_measured_from_a_fiftieth_radian_and_placed_from_half_a_radian_on():
    for angle, is_measured, is_placed in (
        *((0.0199, False, False), (0.0201, True, False)),
        *((0.499, True, False), (0.501, True, True)),
    ):
        found = cosines_of(column(angle / 50, 50))
        assert (found.turns > 0).tolist() == [is_measured]
        assert found.told.tolist() == [is_placed]
        assert not is_measured or found.turns == pytest.approx([angle / 50], rel=1e-6)


def test_a_pair_says_as_much_about_its_logarithm_as_it_turns():
    turns = np.array([0.25, -2.0, 1.0, -1.0])
    angles = np.arange(9)[:, np.newaxis] * turns
    both = measured(Parts(np.cos(angles), np.sin(angles), np.arange(9.0)))
    assert both.turns == pytest.approx(turns)
    assert both.weight == pytest.approx(turns**2)  # by equal errors of the turns
    assert both.told.all()


def test_a_cosine_says_as_much_about_its_turn_as_a_value_changes_with_it():
    length = 13
    for turn in (0.25, 1.0, 2.0):
        held = np.cos(turn * np.arange(length))
        most = 0.0
        for lag in (1, 2, 4):  # how fast cos(lag * turn) changes, and the squares that it is of
            squares = sum(held[row] ** 2 for row in range(lag, length - lag))
            most = max(most, (lag * np.sin(lag * turn)) ** 2 * squares)
        (weight,) = cosines_of(held[:, np.newaxis]).weight
        assert weight == pytest.approx(most * turn**2)


def test_the_amplitude_is_that_of_the_known_pairs_that_are_not_small():
    assert waves([1, 1, 1], size=[4, 2, 1.5]).amplitude == 3  # 2 is just half of 4
    assert waves([1, 1, 1, 1], size=[4, 2, 1.5, 9], told=[True] * 3 + [False]).amplitude == 3
    assert waves([1, 1, 1], size=[4, 1.9, 1.9]).amplitude == 4
    assert waves([1, 1], told=[False, False]).amplitude == 0


def test_the_fastest_pairs_that_are_known_come_first():
    turns = np.array([1.0, 3.0, 2.0, 2.5, 3.0])
    assert waves(turns).fast.tolist() == [1, 4, 3, 2, 0]
    assert waves(turns, told=[True, False, True, True, True]).fast.tolist() == [4, 3, 2, 0]
    many = np.arange(1.0, 31)
    fast = waves(many).fast.tolist()
    assert fast == sorted(range(30), reverse=True)[: len(fast)]


# The first position


@pytest.mark.parametrize("place", [0, 1, 77_777, 131_071, 131_072])
def test_the_first_row_is_found_up_to_position_131_071(place):
    turns = 0.3 ** np.arange(8)
    found = waves(turns, phases=place * turns).first_position(turns)
    assert found == (place if place < 2**17 else None)


def test_a_measured_turn_may_be_off_by_a_fiftieth():
    turns = np.array([1.0, 0.31])
    for off, found in ((0.981, 0), (1.019, 0), (0.979, None), (1.021, None)):
        assert waves(turns).first_position(turns * off) == found


def test_a_phase_may_be_off_by_less_than_a_quarter_radian():
    turns = np.array([2.0**-40])  # hardly turns in all positions
    assert waves(turns, phases=[-0.25]).first_position(turns) is None
    assert waves(turns, phases=[-0.24]).first_position(turns) == 0


@pytest.mark.parametrize("phases", [[0.5, 0.1, 0.3], [1, 2, 3], [0.2, -0.2, 0.1], [3, 0, 0]])
def test_of_the_positions_that_fit_all_pairs_the_closest_is_taken(phases):
    turns = np.array([1.0, np.sqrt(0.1), 0.07])
    angles = np.arange(2.0**17)[:, np.newaxis] * turns - phases
    apart = np.abs(np.angle(np.exp(1j * angles)))
    fits = (apart < 0.25).all(axis=1)
    closest = np.argmin(np.where(fits, apart.sum(axis=1), np.inf)) if fits.any() else None
    assert waves(turns, phases=phases).first_position(turns) == closest


def test_without_a_known_pair_the_first_row_may_be_position_0():
    assert waves([1.0], told=[False]).first_position(np.ones(1)) == 0


def test_waves_add_up_to_each_column():
    angles = np.arange(9)[:, np.newaxis] * np.array([0.5, 1.0, 2.0])
    one, other = np.cos(angles), np.sin(angles)
    first, second = np.array([1.0, -2, 0.5]), np.array([3.0, 0, -1])
    found = amplitudes(first * one + second * other, one, other)
    assert np.stack(found) == pytest.approx(np.stack([first, second]))


def test_a_wave_that_is_always_zero_has_the_amplitude_0():
    ones, zeros = np.ones((5, 2)), np.zeros((5, 2))
    assert amplitudes(3 * ones, ones, zeros)[1].tolist() == [0, 0]
