"""An offset is the same rotation, dot product and distance at every position."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from posenc import distance, encode, shift_matrix, similarity
from tests import oracle
from tests.examples import examples

WIDTHS = st.integers(1, 40).map(lambda pairs: 2 * pairs)
POSITIONS = st.integers(-(2**23), 2**23) | st.integers(-(2**40), 2**40).map(lambda n: n / 2**20)
BASES = st.sampled_from((10_000.0, 100.0, 1.0, 0.5))
SHAPES = st.sampled_from(((), (3,), (2, 3), (0,)))


@given(POSITIONS, POSITIONS, WIDTHS, BASES)
@example(12345, 678, 512, 10_000.0)
def test_an_offset_is_the_same_turn_product_and_length_at_every_position(p, k, d_model, base):
    here, there = (encode(one, d_model, base=base) for one in (p, p + k))
    shifted = shift_matrix(k, d_model, base=base) @ here
    assert np.abs(shifted - there).max() <= 2e-15
    assert abs(similarity(k, d_model, base=base) - here @ there) <= 1e-15 * d_model
    apart = np.linalg.norm(here - there)
    assert abs(distance(k, d_model, base=base) - apart) <= 1e-15 * d_model


@given(POSITIONS, WIDTHS, BASES)
def test_shift_matrix_is_orthogonal_and_undone_by_minus_k(k, d_model, base):
    matrix = shift_matrix(k, d_model, base=base)
    assert np.abs(matrix @ matrix.T - np.eye(d_model)).max() <= 1e-15
    assert np.array_equal(matrix.T, shift_matrix(-k, d_model, base=base))


@examples(50)
@given(POSITIONS, WIDTHS, BASES)
def test_shift_matrix_is_accurate(k, d_model, base):
    exact = oracle.shift_matrix(k, d_model, base=base)
    assert oracle.largest_error(shift_matrix(k, d_model, base=base), exact) <= 5e-16


@examples(50)
@given(POSITIONS, WIDTHS, BASES)
@example(1, 4096, 10_000.0)
def test_similarity_and_distance_are_accurate_and_even(k, d_model, base):
    given_base = {"base": base}
    error = abs(similarity(k, d_model, **given_base) - oracle.similarity(k, d_model, **given_base))
    assert error <= 5e-16 * d_model
    error = abs(distance(k, d_model, **given_base) - oracle.distance(k, d_model, **given_base))
    assert error <= 1e-15 * d_model**0.5
    for function in (similarity, distance):
        assert function(-k, d_model, **given_base) == function(k, d_model, **given_base)


@pytest.mark.parametrize("d_model", [2, 6, 512])
@pytest.mark.parametrize("offset", [1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_distance_keeps_its_digits_down_to_the_smallest_offsets(offset, d_model):
    exact = oracle.distance(offset, d_model)
    assert abs(distance(offset, d_model) - exact) <= 1e-15 * exact


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
