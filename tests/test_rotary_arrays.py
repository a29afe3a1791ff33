"""Rotary encodings of given frequencies, along a given axis, of arrays of other libraries."""

from __future__ import annotations

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import Rotary
from posenc.rotary import DynamicNTK, Given, LongRoPE, SteppedNTK, axes

HEADS = np.random.default_rng(0).standard_normal((2, 5, 3, 8))  # batch, tokens, heads, features
OURS = Rotary(8).rotate(HEADS, np.arange(5), axis=1)


@given(st.lists(st.floats(-8, 8), min_size=1, max_size=8), st.integers(0, 3))
def test_given_frequencies_turn_as_a_base_and_a_scaling_with_these_would(frequencies, passing):
    width = 2 * len(frequencies)
    rotary = Rotary(width + passing, frequencies=np.array(frequencies))
    assert rotary == Rotary(width + passing, scaling=Given(frequencies), rotary_dim=width)
    assert rotary.rotary_dim == width
    assert rotary.frequencies().tolist() == frequencies
    angles = np.multiply.outer([0.0, 1.0, 7.0], frequencies)
    np.testing.assert_allclose(rotary.phasors([0, 1, 7]), np.exp(1j * angles), atol=1e-13)


def test_positions_that_fit_two_axes_are_refused_without_an_axis():
    square = np.ones((1, 4, 4, 8))  # as many heads as tokens
    with pytest.raises(ValueError, match=r"axis must say .* \(4,\) fits axes 1 and 2 of x"):
        Rotary(8).rotate(square, np.arange(4))
    with pytest.raises(ValueError, match=r"axis must say"):
        Rotary(8).rotate(square, np.arange(4)[None])
    assert Rotary(8).rotate(square, np.arange(4), axis=1)[0, 0].tolist() == [[1.0] * 8] * 4


def test_coordinates_may_stand_on_another_axis():
    ids, rotary = np.zeros((3, 1, 7)), axes.sections(Rotary(16), [4, 2, 2])  # of transformers
    for axis in (0, -3):
        assert rotary.phasors(ids, coordinates=axis).shape == (1, 7, 8)
    points, rotary = np.array([[0, 1, 2, 3, 4], [7, 8, 9, 10, 11]]), axes.blocks([4, 4])
    expected = np.moveaxis(rotary.rotate(np.moveaxis(HEADS, 1, -2), points.T), -2, 1)
    for given_points, axis in ((points.T, -1), (points, 0)):
        turned = rotary.rotate(HEADS, given_points, axis=1, coordinates=axis)
        assert np.array_equal(turned, expected)


LISTS = LongRoPE([1] * 4, [1, 2, 3, 4], original_max_position_embeddings=100, factor=2)


@pytest.mark.parametrize("scaling", [DynamicNTK(2, 100), SteppedNTK(100), LISTS])
def test_a_position_beyond_training_brings_one_warning_unless_the_length_is_given(scaling):
    rotary = Rotary(8, scaling=scaling)
    rotary.phasors(99)  # the tests turn every warning into an error
    rotary.rotate(np.ones(8), 500, length=501)
    for use in (rotary.phasors, rotary.cosine_sine, rotary.similarity):
        with pytest.warns(UserWarning, match="length must be given in a text of more than 100 "):
            use([0, 100])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            rotary.rotate(np.ones(8), 100)
    assert [warning.filename for warning in caught] == [__file__]


class Stranger:
    """An array of a library that follows the array API, and says so."""

    def __init__(self, values):
        self.values = np.asarray(values)

    def __array__(self, dtype=None, copy=None):
        if not self.values.size:
            raise ConcretizationError
        return self.values

    def __array_namespace__(self):
        return SimpleNamespace(asarray=Stranger)


class ConcretizationError(Exception):
    """As JAX raises it for an array that has no numbers yet."""


def test_an_array_of_another_library_gives_one_of_its_kind():
    turned = Rotary(8).rotate(Stranger(HEADS), Stranger(np.arange(5)), axis=1)
    assert type(turned) is Stranger
    assert np.array_equal(turned.values, OURS)
    with pytest.raises(TypeError, match="x must hold numbers, not what jit traces"):
        Rotary(8).rotate(Stranger([]), 1)


@pytest.mark.torch
def test_tensors_of_pytorch_give_tensors():
    torch = pytest.importorskip("torch")
    for kind, bound in ((torch.float64, 0), (torch.float32, 1e-6), (torch.bfloat16, 0.03)):
        turned = Rotary(8).rotate(torch.tensor(HEADS, dtype=kind), torch.arange(5), axis=1)
        assert turned.dtype == kind
        assert np.abs(turned.double().numpy() - OURS).max() <= bound
    whole = Rotary(2).rotate(torch.tensor([1, 0]), 1)
    assert whole.tolist() == Rotary(2).rotate([1, 0], 1).tolist()
    assert Rotary(4, frequencies=torch.tensor([1.0, 0.5])).frequencies().tolist() == [1.0, 0.5]
    with pytest.raises(TypeError, match=r"must not require a gradient.*give x\.detach\(\)"):
        Rotary(8).rotate(torch.ones(8, requires_grad=True), 1)
    with pytest.raises(TypeError, match=r"x must be on the CPU: give x\.cpu\(\)"):
        Rotary(8).rotate(torch.ones(8, device="meta"), 1)


@pytest.mark.parametrize("name", ["jax.numpy", "mlx.core"])
def test_arrays_of_jax_and_of_mlx_give_arrays_of_their_kind(name):
    library = pytest.importorskip(name)
    for kind, bound in ((library.float32, 1e-6), (library.bfloat16, 0.03)):
        x = library.array(HEADS).astype(kind)
        turned = Rotary(8).rotate(x, library.arange(5), axis=1)
        assert (type(turned), turned.dtype) == (type(x), kind)
        assert np.abs(np.array(turned.astype(library.float32)) - OURS).max() <= bound
    whole = np.array(Rotary(2).rotate(library.array([1, 0]), 1))
    np.testing.assert_allclose(whole, Rotary(2).rotate([1, 0], 1), rtol=1e-6)
