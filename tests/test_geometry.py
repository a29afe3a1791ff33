"""The rotation, dot product and distance of an offset, compared with the oracle."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from posenc import distance, shift_matrix, similarity
from tests import oracle
from tests.examples import examples

WIDTHS = st.integers(1, 40).map(lambda pairs: 2 * pairs)
POSITIONS = st.integers(-(2**23), 2**23) | st.integers(-(2**40), 2**40).map(lambda n: n / 2**20)
BASES = st.sampled_from((10_000.0, 100.0, 1.0, 0.5))


@examples(50)
@given(POSITIONS, WIDTHS, BASES)
def test_shift_matrix_is_accurate(k, d_model, base):
    exact = oracle.shift_matrix(k, d_model, base=base)
    assert oracle.largest_error(shift_matrix(k, d_model, base=base), exact) <= 5e-16


@examples(50)
@given(POSITIONS, WIDTHS, BASES)
@example(1, 4096, 10_000.0)
def test_similarity_is_accurate(k, d_model, base):
    found = similarity(k, d_model, base=base)
    assert abs(found - oracle.similarity(k, d_model, base=base)) <= 5e-16 * d_model
    assert similarity(-k, d_model, base=base) == found


@examples(50)
@given(POSITIONS, WIDTHS)
@example(1, 4096)
def test_distance_is_accurate(k, d_model):
    found = distance(k, d_model)
    assert abs(found - oracle.distance(k, d_model)) <= 1e-15 * d_model**0.5
    assert distance(-k, d_model) == found


@pytest.mark.parametrize("d_model", [2, 6, 512])
@pytest.mark.parametrize("offset", [1.0, 1e-3, 1e-6, 1e-9, 1e-12])
def test_distance_keeps_its_digits_down_to_the_smallest_offsets(offset, d_model):
    exact = oracle.distance(offset, d_model)
    assert abs(distance(offset, d_model) - exact) <= 1e-15 * exact


@given(POSITIONS, WIDTHS)
def test_nothing_is_nearer_or_more_alike_than_a_position_to_itself(k, d_model):
    assert similarity(k, d_model) <= similarity(0, d_model) == d_model / 2
    assert distance(0, d_model) == 0
