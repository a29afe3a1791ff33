"""Frequencies, wavelengths, the encoding and offsets, compared with the oracle."""

from __future__ import annotations

import sys
from importlib import resources

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import posenc
from posenc import (
    distance,
    encode,
    frequencies,
    positional_encoding,
    shift_matrix,
    similarity,
    wavelengths,
)
from tests import oracle
from tests.examples import examples

ACCURACY = 5e-16  # promised by `encode`
DTYPES = (np.float16, np.float32, np.float64)
WIDTHS = st.sampled_from((2, 4, 64, 512)) | st.integers(1, 200).map(lambda pairs: 2 * pairs)
NARROW = st.integers(1, 40).map(lambda pairs: 2 * pairs)
INTEGERS = st.integers(-(2**24), 2**24)
FRACTIONS = st.integers(-(2**52), 2**52).map(lambda n: n / 2**32) | st.floats(-(2**20), 2**20)
BASES = st.floats(1e-3, 1e6)


@examples(400)
@given(
    st.lists(INTEGERS, min_size=1, max_size=3) | st.lists(FRACTIONS, min_size=1, max_size=3),
    WIDTHS,
    st.just(10_000.0) | BASES,
)
@example([2**24, -(2**24)], 4096, 10_000.0)
@example([2**20 - 2**-32, 0.1], 4096, 10_000.0)
def test_encode_is_accurate_at_integers_and_between_them(positions, d_model, base):
    if base < 1:  # then pairs turn by more than one radian for each position
        positions, d_model = [position % 1000 for position in positions], min(d_model, 80)
    before = np.array(positions)
    rows = encode(before, d_model, base=base)
    assert oracle.largest_error(rows, oracle.encode(positions, d_model, base=base)) <= ACCURACY
    assert np.array_equal(before, positions)
    assert rows.flags.c_contiguous
    assert (rows if rows.base is None else rows.base).nbytes == rows.nbytes


@examples(150)
@given(st.floats(2**24, 1e32), WIDTHS, st.floats(1, 1e6))
@example(1e24, 512, 10_000.0)
@example(2.0**53 - 1, 512, 10_000.0)
@example(2.0**53, 64, 10_000.0)
@example(2.664796193907485e27, 10, 1.3988752547259853)  # off by more than 2**-105 of it
def test_far_positions_are_as_exact_as_the_docstring_says(position, d_model, base):
    exact = oracle.encode(position, d_model, base=base)
    limit = 1e-15 + 2.0**-104 * position
    assert oracle.largest_error(encode(position, d_model, base=base), exact) <= limit


@examples(150)
@given(
    st.integers(0, 2**24 - 300),
    st.lists(st.integers(0, 299), min_size=1, max_size=3, unique=True),
    WIDTHS,
)
@example(2**24 - 300, [0, 299], 4096)
def test_positional_encoding_is_accurate_at_every_start(start, rows, d_model):
    table = positional_encoding(300, d_model, start=start)
    exact = oracle.encode([start + row for row in rows], d_model)
    assert oracle.largest_error(table[rows], exact) <= ACCURACY


@given(NARROW, BASES)
@example(4096, 10_000.0)
@example(4096, 1.5)
def test_frequencies_are_the_nearest_float64_and_wavelengths_are_two_units_off_at_most(d, base):
    exact = oracle.frequencies(d, base=base).astype(float)
    assert np.array_equal(frequencies(d, base=base), exact)
    exact = oracle.wavelengths(d, base=base)
    errors = np.abs(wavelengths(d, base=base).astype(object) - exact) / exact
    assert max(errors.astype(float)) <= 2 * np.finfo(float).eps


@given(st.integers(0, 2**53 - 200), NARROW, BASES, st.sampled_from(DTYPES))
@example(585_789_600, 64, 10.0, np.float64)  # one value in 6e9 rounded past 1
def test_every_value_lies_within_minus_1_and_1(start, d_model, base, dtype):
    matrix = positional_encoding(200, d_model, start=start, base=base, dtype=dtype)
    far = encode([1e300, -1e300, sys.float_info.max, 5e-324, start / 7], d_model)
    assert max(np.abs(matrix).max(), np.abs(far).max()) <= 1


# Offsets

OFFSETS = st.integers(-(2**23), 2**23) | st.integers(-(2**40), 2**40).map(lambda n: n / 2**20)


@examples(100)
@given(OFFSETS, NARROW, st.sampled_from((10_000.0, 100.0, 1.0, 0.5)))
@example(1, 4096, 10_000.0)
def test_a_dot_product_and_a_distance_are_accurate_and_those_of_the_opposite_offset(
    k, d_model, base
):
    found = similarity(k, d_model, base=base)
    assert abs(found - oracle.similarity(k, d_model, base=base)) <= 5e-16 * d_model
    assert found == similarity(-k, d_model, base=base) <= d_model / 2
    found = distance(k, d_model, base=base)
    assert abs(found - oracle.distance(k, d_model, base=base)) <= 1e-15 * d_model**0.5
    assert found == distance(-k, d_model, base=base) >= distance(0, d_model) == 0
    if d_model <= 80:
        exact = oracle.shift_matrix(k, d_model, base=base)
        assert oracle.largest_error(shift_matrix(k, d_model, base=base), exact) <= 5e-16


@pytest.mark.parametrize("d_model", [2, 6, 512])
@pytest.mark.parametrize("offset", [1.0, 1e-3, 1e-6, 1e-12])
def test_distance_keeps_its_digits_down_to_the_smallest_offsets(offset, d_model):
    exact = oracle.distance(offset, d_model)
    assert abs(distance(offset, d_model) - exact) <= 1e-15 * exact


def test_the_package_says_that_it_is_typed():
    assert (resources.files(posenc) / "py.typed").is_file()
