"""`identify` measures base, scale and start of tables exactly at the limits of what it tries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import Convention, identify
from posenc.identification._fit import fitted
from posenc.identification._rows import Rows


def pairs(*turns, length=20):
    """Sine and cosine of each pair in turn; the pairs turn by `turns` radians per row."""
    angles = np.arange(length)[:, np.newaxis] * turns
    return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(length, -1)


def rows_of(values):
    return Rows(np.arange(float(len(values))), values)


def starts(values):
    """The first positions of the conventions that fit, with sine and cosine in turn."""
    found = fitted(rows_of(values), 1e-3)
    return {kind.start for kind in found if (kind.arrangement, kind.order) == FIRST}


FIRST = ("interleaved", "sin_first")


@pytest.mark.parametrize("turns", [-51, -50, -1, 0, 1, 50, 51])
def test_the_first_row_is_found_up_to_50_turns_of_the_slowest_pair_away(turns):
    kind = Convention(base=97)  # its two pairs turn by 1 and by 0.1015
    period = 2 * np.pi * np.sqrt(97)
    table = replace(kind, start=turns * period + 1).table(30, 4)
    (start,) = starts(table)
    assert (abs(start - 1 - turns * period) < 1e-6) == (abs(turns) <= 50)


def test_the_nearest_of_several_first_positions_is_taken_and_of_two_the_one_before_0():
    period = 5 * np.pi  # of the slower pair, in which the other one turns two and a half times
    kind = Convention(base=2.5**2)
    for turns, nearest in ((0, 0), (1, -1), (2, 0), (3, -1), (-4, 0)):
        (start,) = starts(replace(kind, start=turns * period).table(30, 4))
        assert start == pytest.approx(nearest * period, abs=1e-6)


def test_pairs_that_hardly_turn_do_not_show_where_the_first_row_is():
    for scale in (1e-13, 1e-200):
        assert starts(Convention(angle_scale=scale, start=7).table(30, 4)) <= {0.0}
    (start,) = starts(Convention(angle_scale=1e-11, start=7).table(30, 4))
    assert start == pytest.approx(7, rel=1e-3)


def test_a_pair_does_not_turn_if_its_length_varies_by_four_times_the_tolerance():
    rows = rows_of(np.array([[0.0, 0.75], [1.25, 0.0]]))
    assert len(list(fitted(rows, 0.125))) == 4  # 0.5 is exactly four times that, of a mean of 1
    assert not list(fitted(rows, 0.12))


@pytest.mark.parametrize(
    "turns", [(1e-100, 1, 0, 0, 0), (1, 1e-100, 0, 0, 0), (0, 1e-170, 1, 0, 0)]
)
def test_pairs_of_which_few_turn_are_fitted_without_a_warning(turns):
    assert all(np.isfinite(kind.start) for kind in fitted(rows_of(pairs(*turns)), 1e-3))


def test_a_base_is_found_up_to_that_of_700_decades_of_e():
    for exponent, shift in ((699.5, 0), (700.5, 1)):
        kind = Convention(base=np.exp(exponent))
        found = identify(kind.table(20, 6)).match.convention
        assert found.freq_shift == shift
        assert found.frequencies(6) == pytest.approx(kind.frequencies(6), abs=1e-100)


@pytest.mark.parametrize("shift", [-3.25, -2.75, -0.25, 0.25, 2.75, 3.25])
def test_any_freq_shift_is_found_up_to_3_in_either_direction(shift):
    kind = Convention(freq_shift=shift, arrangement="halves")
    found = identify(kind.table(200, 64)).match.convention
    assert (found == kind) == (abs(shift) < 3)
    assert (found.base == 10_000) == (abs(shift) < 3)  # else the same frequencies of another base


@pytest.mark.parametrize("shift", [-0.006, 0.006, 0.994, 1.006])
def test_a_freq_shift_is_found_that_differs_from_0_and_1_in_the_third_decimal(shift):
    kind = Convention(freq_shift=shift, arrangement="halves")
    assert identify(kind.table(200, 64)).match.convention == kind


@pytest.mark.parametrize("shift", [-0.004, 0.004, 0.996, 1.004])
def test_a_freq_shift_next_to_0_or_1_is_read_as_another_base(shift):
    found = identify(Convention(freq_shift=shift, arrangement="halves").table(200, 64)).match
    assert found.convention.freq_shift in (0, 1)
    assert found.convention.base != 10_000
