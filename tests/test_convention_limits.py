"""Conventions and conversions exactly at the limits of what they accept."""

from __future__ import annotations

import itertools
import re
from types import SimpleNamespace

import numpy as np
import pytest

from posenc import (
    Convention,
    Grid,
    column_order,
    conventions,
    convert,
    distance,
    rotary_row_order,
)


def test_spread_is_a_positive_number_that_is_kept_as_a_float():
    kind = Convention(spread=np.int8(8))
    assert (type(kind.spread), kind) == (float, Convention(spread=8.0))
    for spread in (0, -2, np.inf):
        with pytest.raises(ValueError, match=r"^spread must be finite and greater than 0, got "):
            Convention(spread=spread)


@pytest.mark.parametrize("first", [2**53 - 3, -(2**53)])
def test_the_last_positions_that_float64_can_count_have_their_encodings(first):
    table = Convention().table(3, 8, start=first)
    assert np.abs(table - Convention().encode(first + np.arange(3.0), 8)).max() <= 1e-15
    one_too_far = first + (2 if first > 0 else -2)
    name = r"start \+ length" if first > 0 else "start"
    with pytest.raises(ValueError, match=rf"^{name} must lie within ±2\*\*53, got "):
        Convention().table(3, 8, start=one_too_far)


@pytest.mark.parametrize("start", [0, 0.5])
def test_a_table_has_the_wanted_dtype_whatever_its_start(start):
    assert Convention(start=start).table(3, 8, dtype=np.float16).dtype == np.float16


def test_similarity_and_distance_have_the_shape_of_the_offsets():
    kind = Convention(layout="halves", amplitude=2)
    offsets = np.array([[0.0, 1.0, 2.5], [3.0, -4.0, 5.0]])
    for method in (kind.similarity, kind.distance):
        found = method(offsets, 8)
        assert found.shape == (2, 3)
        for place, offset in np.ndenumerate(offsets):
            assert found[place] == pytest.approx(method(offset, 8), abs=1e-14)


def test_positions_keep_their_shape():
    positions = np.arange(6.0).reshape(1, 3, 2)
    for kind in (Convention(), Convention(layout="halves")):
        found = kind.encode(positions, 8)
        assert found.shape == (1, 3, 2, 8)
        assert np.array_equal(found[0, 2, 1], kind.encode(5.0, 8))
        assert kind.encode(np.zeros((0, 2)), 8).shape == (0, 2, 8)


EVERY_KIND = [
    Convention(layout=layout, order=order, odd=odd, amplitude=amplitude)
    for layout, order, odd, amplitude in itertools.product(
        ("interleaved", "halves"),
        ("sin_first", "cos_first"),
        ("truncate", "pad", "ceil", "overflow"),
        (1.0, 0.5, 2.0),
    )
]


def test_only_unscaled_pairs_of_sine_and_cosine_are_written_without_moving_columns():
    for kind, width in itertools.product(EVERY_KIND, (4, 5, 8, 9)):
        columns = kind.columns(width)
        pairs = 2 * len(kind.frequencies(width))
        unmoved = np.array_equal(columns, np.arange(pairs)) and kind.amplitude == 1
        assert kind._is_plain(width) is unmoved, (kind, width)


def test_an_amplitude_beyond_1_is_compared_with_the_largest_number_of_the_dtype(monkeypatch):
    monkeypatch.setattr(conventions, "FORMATS", {"float64": SimpleNamespace(largest=0.5)})
    assert Convention().encode(0, 4).max() == 1
    with pytest.raises(ValueError, match=r"^dtype must hold the amplitude 1\.5, got float64$"):
        Convention(amplitude=1.5).encode(0, 4)


def test_an_amplitude_equal_to_the_largest_number_of_the_dtype_is_allowed():
    assert Convention(amplitude=65504).encode(0, 4, dtype="f2").max() == 65504
    with pytest.raises(ValueError, match=r"^dtype must hold the amplitude 65505, got float16$"):
        Convention(amplitude=65505).encode(0, 4, dtype="f2")


def test_wavelengths_beyond_float64_are_refused_without_a_warning():
    kind = Convention(angle_scale=1e-308)
    with pytest.raises(ValueError, match=r"^base and angle_scale must keep every wavelength "):
        kind.wavelengths(2)
    assert Convention(angle_scale=-0.5).wavelengths(2).tolist() == [4 * np.pi]


@pytest.mark.parametrize(
    ("width", "options", "message"),
    [
        (64, {"spread": 0.01}, r"base and spread .*, got 10000\.0 and 0\.01"),
        (4, {"freq_shift": 1.999}, r"base and freq_shift .*, got 10000\.0 and 1\.999"),
        (64, {"base": 5e-324, "odd": "pad"}, "base must .*, got 5e-324"),
    ],
)
def test_an_error_about_frequencies_names_every_option_that_was_set(width, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        Convention(**options).table(2, width)


# Conversions


def test_a_single_row_and_a_table_of_one_row_are_converted():
    source, target = Convention(), Convention(layout="halves")
    row = source.encode(3, 8)
    for table in (row, row[np.newaxis], row[np.newaxis, np.newaxis]):
        found = convert(table, source, target)
        assert found.shape == table.shape
        assert np.array_equal(found.ravel(), target.encode(3, 8))
    assert convert(np.zeros((1, 2)), source, target).shape == (1, 2)
    with pytest.raises(ValueError, match=r"^table must have at least 2 columns, got .*\(8, 1\)$"):
        convert(np.zeros((8, 1)), source, target)


def test_sines_change_their_sign_and_all_values_their_amplitude():
    source, target = Convention(amplitude=0.5), Convention(amplitude=2, angle_scale=-1)
    assert convert([[0.25, 0.5]], source, target).tolist() == [[-1.0, 2.0]]
    assert convert([[0.25, 0.5]], target, source).tolist() == [[-0.0625, 0.125]]


@pytest.mark.parametrize("scale", [0.5, 1.0, 4.0])
def test_frequencies_may_differ_by_2_to_the_minus_50_of_themselves(scale):
    source = Convention(angle_scale=scale)
    near, far = (Convention(angle_scale=scale * (1 + 2.0**-bits)) for bits in (50, 49))
    assert column_order(source, near, 2).tolist() == [0, 1]
    with pytest.raises(ValueError, match="must have the same frequencies at width 2"):
        column_order(source, far, 2)


@pytest.mark.parametrize(("one", "other"), [*itertools.product([0.5, -0.5, 2.0, -2.0], repeat=2)])
def test_an_order_of_columns_exists_only_where_both_turn_in_one_direction(one, other):
    source, target = Convention(angle_scale=one), Convention(angle_scale=other)
    if one == other:
        assert column_order(source, target, 4).tolist() == [0, 1, 2, 3]
        return
    rule = "must turn in the same direction" if one == -other else "must have the same frequencies"
    with pytest.raises(ValueError, match=rule):
        column_order(source, target, 4)


def test_a_refused_order_of_columns_names_the_source_first():
    slow, fast = Convention(base=100, angle_scale=1), Convention(base=100, angle_scale=3)
    message = (
        "source and target must have the same frequencies at width 4; "
        "they differ most by 2, got 1 and 3 radians per position at pair 0"
    )
    for call in (column_order, lambda *kinds: convert(np.zeros((1, 4)), *kinds[:2])):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
            call(slow, fast, 4)
    with pytest.raises(ValueError, match=r"amplitude at width 4, got amplitudes in the ratio 0\.5"):
        column_order(Convention(amplitude=2), Convention(), 4)


def test_a_refused_amplitude_names_the_source_first():
    kinds = Convention(amplitude=1e-300), Convention(amplitude=1e300)
    with pytest.raises(ValueError, match=r"got 1e-300 and 1e\+300 at width 2$"):
        column_order(*kinds, 2)
    with pytest.raises(ValueError, match=r"got 1e-300 and 1e\+300 at width 4$"):
        column_order(*(Grid(axis=Convention(amplitude=kind.amplitude)) for kind in kinds), 8)


@pytest.mark.parametrize(
    ("width", "options", "message"),
    [
        (0, {}, "head_dim must be at least 1, got 0"),
        (1, {"rotary_dim": 2}, "rotary_dim must be even and at most 1, got 2"),
        (8, {"rotary_dim": 3}, "rotary_dim must be even and at most 8, got 3"),
        (8, {"rotary_dim": 1}, "rotary_dim must be at least 2, got 1"),
    ],
)
def test_a_row_order_of_other_widths_is_refused(width, options, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        rotary_row_order(width, heads=1, **options)


def test_a_row_order_of_one_head_or_one_pair_is_that_of_its_columns():
    assert rotary_row_order(4, heads=1).tolist() == [0, 2, 1, 3]
    assert rotary_row_order(2, heads=2).tolist() == [0, 1, 2, 3]
    assert rotary_row_order(3, heads=1, rotary_dim=2).tolist() == [0, 1, 2]


def test_an_amplitude_that_makes_a_similarity_or_a_distance_infinite_is_named():
    for amplitude, find, what in (
        (1e200, Convention(amplitude=1e200).similarity, "similarities"),
        (1e308, Convention(amplitude=1e308).distance, "distances"),
    ):
        rule = rf"^amplitude must keep {what} within float64, got {re.escape(str(amplitude))}$"
        with pytest.raises(ValueError, match=rule):
            find(1, 4)
    assert Convention(amplitude=1e153).similarity(0, 4) == pytest.approx(2e306)
    assert Convention(amplitude=1e306).distance(1, 4) == pytest.approx(1e306 * distance(1, 4))
