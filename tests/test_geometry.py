"""An offset is the same rotation, dot product and distance at every position."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from posenc import distance, encode, positional_encoding, shift_matrix, similarity
from tests import oracle
from tests.examples import examples

WIDTHS = st.integers(1, 40).map(lambda pairs: 2 * pairs)
POSITIONS = st.integers(-(2**23), 2**23) | st.integers(-(2**40), 2**40).map(lambda n: n / 2**20)
BASES = st.sampled_from((10_000.0, 100.0, 1.0, 0.5))
SHAPES = st.sampled_from(((), (3,), (2, 3), (0,)))


@given(POSITIONS, POSITIONS, WIDTHS, BASES)
@example(12345, 678, 512, 10_000.0)
def test_shift_matrix_takes_the_encoding_of_p_to_that_of_p_plus_k(p, k, d_model, base):
    shifted = shift_matrix(k, d_model, base=base) @ encode(p, d_model, base=base)
    assert np.abs(shifted - encode(p + k, d_model, base=base)).max() <= 2e-15


@given(POSITIONS, WIDTHS, BASES)
def test_shift_matrix_is_orthogonal_and_undone_by_minus_k(k, d_model, base):
    matrix = shift_matrix(k, d_model, base=base)
    assert np.abs(matrix @ matrix.T - np.eye(d_model)).max() <= 1e-15
    assert np.array_equal(matrix.T, shift_matrix(-k, d_model, base=base))


@given(POSITIONS, WIDTHS)
def test_shift_matrix_is_zero_outside_its_blocks_of_two(k, d_model):
    blocks = np.kron(np.eye(d_model // 2), np.ones((2, 2))).astype(bool)
    assert not shift_matrix(k, d_model)[~blocks].any()


@examples(50)
@given(POSITIONS, WIDTHS, BASES)
def test_shift_matrix_is_accurate(k, d_model, base):
    exact = oracle.shift_matrix(k, d_model, base=base)
    assert oracle.largest_error(shift_matrix(k, d_model, base=base), exact) <= 5e-16


def test_shift_matrix_of_0_changes_nothing():
    assert np.array_equal(shift_matrix(0, 6), np.eye(6))


@given(POSITIONS, POSITIONS, WIDTHS, BASES)
def test_similarity_is_the_dot_product_at_every_position(p, k, d_model, base):
    product = encode(p, d_model, base=base) @ encode(p + k, d_model, base=base)
    assert abs(similarity(k, d_model, base=base) - product) <= 1e-15 * d_model


@given(POSITIONS, WIDTHS)
def test_similarity_and_distance_are_even(k, d_model):
    assert similarity(-k, d_model) == similarity(k, d_model)
    assert distance(-k, d_model) == distance(k, d_model)


@examples(50)
@given(POSITIONS, WIDTHS, BASES)
@example(1, 4096, 10_000.0)
def test_similarity_is_accurate(k, d_model, base):
    error = abs(similarity(k, d_model, base=base) - oracle.similarity(k, d_model, base=base))
    assert error <= 5e-16 * d_model


@given(POSITIONS, POSITIONS, WIDTHS, BASES)
def test_distance_is_the_length_of_the_difference_at_every_position(p, k, d_model, base):
    difference = encode(p, d_model, base=base) - encode(p + k, d_model, base=base)
    assert abs(distance(k, d_model, base=base) - np.linalg.norm(difference)) <= 1e-15 * d_model


@examples(50)
@given(POSITIONS, WIDTHS)
@example(1, 4096)
def test_distance_is_accurate(k, d_model):
    assert abs(distance(k, d_model) - oracle.distance(k, d_model)) <= 1e-15 * d_model**0.5


@pytest.mark.parametrize("d_model", [2, 6, 512])
@pytest.mark.parametrize("offset", [1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_distance_keeps_its_digits_down_to_the_smallest_offsets(offset, d_model):
    exact = oracle.distance(offset, d_model)
    assert abs(distance(offset, d_model) - exact) <= 1e-15 * exact


@given(WIDTHS, BASES)
def test_distance_follows_from_similarity(d_model, base):
    offsets = np.linspace(-50, 50, 41)
    near, alike = distance(offsets, d_model, base=base), similarity(offsets, d_model, base=base)
    assert near**2 == pytest.approx(d_model - 2 * alike, abs=1e-14 * d_model)


@given(st.integers(0, 2**24), WIDTHS)
def test_neighbours_are_always_the_same_distance_apart(start, d_model):
    steps = np.diff(positional_encoding(20, d_model, start=start), axis=0)
    assert np.linalg.norm(steps, axis=1) == pytest.approx(distance(1, d_model), abs=1e-15 * d_model)


def test_nothing_is_nearer_or_more_alike_than_a_position_to_itself():
    offsets = np.arange(-1000, 1001)
    assert distance(0, 512) == 0
    assert similarity(0, 512) == 256
    assert (distance(offsets[offsets != 0], 512) > 0).all()
    assert (similarity(offsets[offsets != 0], 512) < 256).all()


@given(SHAPES, WIDTHS)
def test_similarity_and_distance_have_the_shape_of_the_offsets(shape, d_model):
    offsets = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    for function in (similarity, distance):
        result = function(offsets, d_model)
        assert isinstance(result, np.ndarray if shape else np.float64)
        assert result.shape == shape
        one_by_one = [function(offset, d_model) for offset in offsets.flat]
        assert np.array_equal(result.ravel(), one_by_one)
