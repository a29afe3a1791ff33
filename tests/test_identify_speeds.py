"""How fast pairs turn is measured from cosines, sines or both."""

from __future__ import annotations

import numpy as np
import pytest

from posenc.identification._angles import turns_per_row, whole, wrapped
from posenc.identification._turning import Parts
from posenc.identification._waves import measured

HELD = ["cos", "sin", "both"]


def parts_of(held: str, turns: list[float], count: int, size: float = 1.0) -> Parts:
    """Pairs that turn by `turns` from each of `count` positions to the next."""
    positions = np.arange(float(count))
    angles = positions[:, np.newaxis] * turns
    cosines, sines = size * np.cos(angles), size * np.sin(angles)
    return Parts(None if held == "sin" else cosines, None if held == "cos" else sines, positions)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("count", [2, 3, 4, 5, 64, 65, 66, 129, 200, 1000])
def test_turns_are_measured_exactly_in_any_number_of_rows(held, count):
    turns = [1.4, 0.9, 0.3, 0.02, 0.0015]
    found, _ = parts_of(held, turns, count, 0.7).frequencies(0.7)
    np.testing.assert_allclose(found, turns, rtol=1e-6)


def test_a_single_row_tells_nothing_about_turns():
    for held in HELD:
        found, weight = parts_of(held, [1.0, 0.1], 1).frequencies(1.0)
        assert found.tolist() == weight.tolist() == [0, 0]


@pytest.mark.parametrize("held", ["cos", "both"])
def test_cosines_tell_turns_of_almost_half_a_turn(held):
    found, _ = parts_of(held, [3.0, 2.0], 50).frequencies(1.0)
    np.testing.assert_allclose(found, [3.0, 2.0], rtol=1e-9)


@pytest.mark.parametrize("held", HELD)
def test_a_pair_that_does_not_turn_has_no_speed_and_no_weight(held):
    found, weight = parts_of(held, [1.0, 0.0], 50).frequencies(1.0)
    assert (found[1], weight[1]) == (0, 0)
    assert weight[0] > 0


def test_values_a_little_beyond_the_amplitude_count_as_the_amplitude():
    for held, turn in (("cos", np.pi), ("cos", 0.0), ("sin", np.pi / 2)):
        found, _ = parts_of(held, [turn], 2, 1 + 1e-9).frequencies(1.0)
        assert found[0] == turn


def test_cosines_and_sines_tell_each_logarithm_by_the_square_of_its_turn():
    turns = np.array([1.0, 0.3, 0.02])
    _, weight = parts_of("both", turns, 100).frequencies(1.0)
    np.testing.assert_allclose(weight, turns**2)


def test_cosines_or_sines_tell_each_logarithm_by_their_slopes_in_the_last_rows():
    turns, last = np.array([1.0, 0.3, 0.02]), np.arange(128, 192)[:, np.newaxis]
    for held, slope in (("cos", np.sin), ("sin", np.cos)):
        _, weight = parts_of(held, turns, 200).frequencies(1.0)
        by_logarithm = turns * last * slope(turns * last)
        np.testing.assert_allclose(weight, (by_logarithm**2).sum(axis=0), rtol=1e-6)


def test_errors_that_cancel_in_the_mean_do_not_change_a_slow_pairs_turn():
    angles = np.array([0, 0.02, 0.04 + 0.003, 0.06 - 0.002])  # in rows 2 and 3: 2 * 3 = 3 * 2
    found, _ = Parts(np.cos(angles)[:, np.newaxis], None, np.arange(4.0)).frequencies(1.0)
    squares = ((angles * np.arange(4)) ** 2)[2:].sum() / (2**4 + 3**4)
    assert found[0] == pytest.approx(np.sqrt(squares), rel=1e-9)
    found, _ = Parts(None, np.sin(angles)[:, np.newaxis], np.arange(4.0)).frequencies(1.0)
    assert found[0] == pytest.approx(angles[2] / 2, rel=1e-9)


def test_from_half_a_radian_on_a_measured_turn_is_refined_instead_of_measured_anew():
    parts = parts_of("cos", [1.0, 1.0], 2)
    found, _ = parts._refined(np.array([0.5, 0.4999]), slice(1, 2), 1.0)
    newton = 0.5 + (np.cos(0.5) - np.cos(1)) / np.sin(0.5)
    np.testing.assert_allclose(found, [newton, 1.0], rtol=1e-12)


def test_parts_stand_side_by_side():
    cosines, sines = np.array([[1.0, 2], [3, 4]]), np.array([[5.0, 6], [7, 8]])
    places = np.arange(2.0)
    both, some = Parts(cosines, sines, places), np.array([1])
    assert both.pairs == 2
    assert both.values().tolist() == [[1, 2, 5, 6], [3, 4, 7, 8]]
    assert both.rows(some, places[some]).values().tolist() == [[3, 4, 7, 8]]
    for one in (Parts(cosines, None, places), Parts(None, cosines, places)):
        assert one.values().tolist() == cosines.tolist()
        assert one.rows(some, places[some]).values().tolist() == [[3, 4]]
    angles = np.array([[0.5, 0.25]])
    for held, wanted in (("cos", [np.cos]), ("sin", [np.sin]), ("both", [np.cos, np.sin])):
        made = parts_of(held, [1.0, 1.0], 3).waves(angles)
        assert made.tolist() == [[value for wave in wanted for value in wave(angles[0])]]


def test_the_size_of_pairs_is_their_length_in_the_first_row():
    cosines, sines = np.array([[3.0, 0, 5], [9, 9, 9]]), np.array([[4.0, 7, 12], [9, 9, 9]])
    assert Parts(cosines, sines, np.arange(2.0)).size() == 7  # the median of 5, 7 and 13


@pytest.mark.parametrize(
    ("most", "size"),
    [(0.5, 0.5), (0.51, 1.0), (1.0, 1.0), (1.0009, 1.0), (1 + 1e-3, 1 + 1e-3), (1.5, 1.5)],
)
def test_the_size_of_single_waves_is_1_if_their_largest_value_may_be_that(most, size):
    values = np.array([[0.1, 0.2], [0.3, -most]])
    assert Parts(values, None, np.arange(2.0)).size() == size
    assert Parts(None, values, np.arange(2.0)).size() == size


def test_the_amplitude_is_that_of_the_first_row_of_cosines():
    cosines = np.array([[0.5, 0.25, 4], [7, 8, 9]])
    assert Parts(cosines, None, np.arange(2.0)).amplitude() == 0.5
    assert Parts(cosines, cosines, np.arange(2.0)).amplitude() == 0.5


@pytest.mark.parametrize("count", [3, 4, 8, 30])
@pytest.mark.parametrize("turn", [0.3, 1.0, 2.9])
def test_the_amplitude_of_sines_is_that_of_the_first_column(count, turn):
    sines = np.sin(np.arange(count)[:, np.newaxis] * [turn, 0.1]) * [0.3, 50]
    assert Parts(None, sines, np.arange(float(count))).amplitude() == pytest.approx(0.3)


def test_sines_without_a_wave_in_the_first_column_have_no_amplitude():
    for column in ([0.0] * 9, [0.0, 1], [0.0, 1, 2, 3, 4, 5, 6, 7]):
        sines = np.array([column, np.ones_like(column)]).T
        assert Parts(None, sines, np.arange(float(len(sines)))).amplitude() == 0


def test_sines_that_grow_from_row_to_row_are_no_wave():
    for ratio in (4.0, -4.0):
        column = np.array([0, *ratio ** np.arange(7)])[:, np.newaxis]
        amplitude = Parts(None, column, np.arange(8.0)).amplitude()
        assert amplitude == 0 if ratio > 0 else np.isfinite(amplitude)


def turned(angles: np.ndarray):
    """A function that gives pairs, one row at a time."""
    return lambda row: np.exp(1j * angles[row : row + 1])


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 8, 9, 100])
def test_turns_per_row_are_those_of_the_pairs(count):
    turns = np.array([3.0, -2.5, 0.7, 0.0, 1e-3])
    pairs = 0.3 * np.exp(1j * np.arange(count)[:, np.newaxis] * turns)
    for rows in (1, 64):
        found = turns_per_row(lambda row, rows=rows: pairs[row : row + rows], count)
        np.testing.assert_allclose(found, turns if count > 1 else 0 * turns, atol=1e-12)


def test_a_large_error_of_the_first_turn_is_corrected_by_later_rows():
    angles = 0.5 * np.arange(9.0)[:, np.newaxis]
    angles[1] += 1.4  # less than a quarter turn, so that two rows differ by less than half a turn
    np.testing.assert_allclose(turns_per_row(turned(angles), 9), 0.5, rtol=1e-12)


def test_later_rows_tell_turns_more_finely():
    angles = 0.5 * np.arange(9.0)[:, np.newaxis] + 0.1
    angles[0] = 0
    for count, lag in ((2, 1), (3, 2), (4, 2), (5, 4), (8, 4), (9, 8)):
        found = turns_per_row(turned(angles), count)
        np.testing.assert_allclose(found, 0.5 + 0.1 / lag, rtol=1e-12)


def test_whole_turns_and_the_rest_add_up_to_an_angle():
    angles = np.array([0.0, 3.0, -3.0, 4.0, 7.0, -20.0, 1000.0])
    np.testing.assert_allclose(np.exp(1j * wrapped(angles)), np.exp(1j * angles), atol=1e-12)
    assert np.abs(wrapped(angles)).max() <= np.pi
    np.testing.assert_allclose(whole(angles) + wrapped(angles), angles)
    np.testing.assert_allclose(whole(angles) / np.pi % 2, 0, atol=1e-12)


def test_the_size_of_a_wave_is_its_mean_in_the_first_64_rows():
    parts = parts_of("both", [1.0, 0.1], 70)
    for doubled, size in ((64, 1), (63, 65 / 64)):
        parts.cosines[doubled] *= 2
        parts.sines[doubled] *= 2
        np.testing.assert_allclose(measured(parts).size, size)
