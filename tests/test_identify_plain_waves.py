"""Waves of no known encoding are described exactly from the limits on that are said of them."""

from __future__ import annotations

import numpy as np
import pytest

from posenc.identification._plain_waves import described


def frequencies(values, slack=1e-3):
    """The frequencies that are named, as text; None if nothing is said."""
    found = described(np.asarray(values), slack)
    if found is None:
        return None
    before, text = str(found).split(" radians per row are ")
    assert before == "sines and cosines of no known encoding: their frequencies in"
    return text


def columns(*turns, length=200):
    """A cosine for each turn, each in another phase."""
    phases = 0.3 + 0.7 * np.arange(len(turns))
    return np.cos(phases + np.arange(length)[:, np.newaxis] * turns)


def test_eight_rows_are_described_and_seven_are_not():
    assert frequencies(columns(1.1, 2.3, length=8)) == "1.1, 2.3"
    assert frequencies(columns(1.1, 2.3, length=7)) is None


def test_a_wave_is_described_from_half_a_radian_over_all_rows_on():
    assert frequencies(columns(0.3, 0.00251)) == "0.3, 0.00251"
    assert frequencies(columns(0.3, 0.00249)) is None
    assert frequencies(columns(0.00251, 0.00251, 0.00251)) == "0.00251"
    assert frequencies(columns(0.0, 0.0)) is None


def test_a_constant_column_is_among_the_waves():
    assert frequencies(columns(0.3, 0.0, 0.7)) == "0.3, 0, 0.7"
    assert frequencies(columns(0.3, 0.0, 0.6, 0.9)) == "0.3 times 0-3"


@pytest.mark.parametrize("part", range(3))
def test_a_value_may_be_off_by_the_tolerance_of_the_largest_one(part):
    made = [
        columns(0.31, 0.83, 0.47),
        np.stack([np.cos(angles := np.arange(200)[:, np.newaxis] * [0.31, 0.83]), np.sin(angles)]),
        np.hstack([np.cos(angles), np.sin(angles)]),
    ][part]
    for size in (0.01, 1, 30):
        for off, is_said in ((0.9e-3, True), (1.2e-3, False)):
            given = size * made
            given[..., 70, 1] += size * np.sign(off - given[..., 70, 1]) * -off
            assert (frequencies(given / np.abs(made).max()) is not None) == is_said


def test_frequencies_are_one_if_they_differ_by_less_than_a_tenthousandth():
    assert frequencies(columns(0.2, 0.20001, 0.5)) == "0.2, 0.5"
    assert frequencies(columns(0.5, 0.5001, 0.2)) == "0.5, 0.5001, 0.2"
    assert frequencies(columns(0.5, 0.49996, 0.2)) == "0.5, 0.2"


@pytest.mark.parametrize(
    ("turns", "text"),
    [
        ((0.3, 0.6, 0.9), "0.3 times 1-3"),
        ((0.3, 0.6), "0.3, 0.6"),  # two frequencies may be anything
        ((0.1, 0.1991, 0.3), "0.1 times 1-3"),
        ((0.1, 0.1989, 0.3), "0.1, 0.1989, 0.3"),
        ((0.02, 0.04, 2.0), "0.02 times 1-2, 100"),
        ((0.02, 0.04, 2.02), "0.02, 0.04, 2.02"),
        ((0.9, 0.6, 0.3), "0.3 times 1-3"),
        ((0.31, 0.47, 0.83, 1.13, 1.41), "0.31, 0.47, 0.83, 1.13, 1.41"),
        ((0.31, 0.47, 0.83, 1.13, 1.41, 1.7), "0.31, 0.47, 0.83, 1.13, 1.41 and 1 more"),
    ],
)
def test_three_frequencies_are_written_as_multiples_up_to_100_if_they_are(turns, text):
    assert frequencies(columns(*turns, length=400)) == text


def test_pairs_are_read_in_every_order_of_columns():
    angles = np.arange(60)[:, np.newaxis] * [0.31, 0.83]
    one, other = np.cos(angles), np.sin(angles)
    for given in (
        *([one, other], [other, one], np.hstack([one, other]), np.hstack([other, one])),
        *(np.stack([one, other], -1).reshape(60, 4), np.stack([other, one], -1).reshape(60, 4)),
        np.hstack([one, other[:, :1]]),
    ):
        assert frequencies(given) == "0.31, 0.83"
