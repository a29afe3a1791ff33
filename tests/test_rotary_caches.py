"""Rotary caches are tables of cosines and sines, of positions or of points."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import AxialCache, Rotary, RotaryCache
from posenc.rotary import DynamicNTK, LongRoPE, axes

ROTARY = Rotary(8)


def test_a_cache_may_have_no_rows_but_not_fewer():
    cache = RotaryCache(rotary=ROTARY, form="halves", start=2.5)
    assert cache.table(0).shape == (0, 8)
    assert cache.table(1).shape == (1, 8)
    assert cache.table(3).dtype == np.float64
    with pytest.raises(ValueError, match=r"^length must be at least 0, got -1"):
        cache.table(-1)


@pytest.mark.parametrize("start", [1e300, -(2.0**53) - 2])
def test_a_cache_has_positions_that_float64_counts(start):
    with pytest.raises(ValueError, match=r"^start must lie within ±2\*\*53, got "):
        RotaryCache(rotary=ROTARY, start=start).table(2)


@pytest.mark.parametrize("part", ["cos", "sin", "cos|sin", "sin|cos", "both"])
def test_a_cache_holds_cosines_and_sines_as_it_says(part):
    cosine, sine = ROTARY.cosine_sine(np.arange(5))
    for form, columns in (
        ("once", [0, 1, 2, 3]),
        ("halves", [0, 1, 2, 3, 0, 1, 2, 3]),
        ("interleaved", [0, 0, 1, 1, 2, 2, 3, 3]),
    ):
        named = {"cos": cosine[:, columns], "sin": sine[:, columns]}
        wanted = {
            **named,
            "cos|sin": np.concatenate(list(named.values()), axis=1),
            "sin|cos": np.concatenate(list(named.values())[::-1], axis=1),
            "both": np.array(list(named.values())),
        }
        for size in (1.0, 0.5):
            cache = RotaryCache(rotary=ROTARY, part=part, form=form, amplitude=size)
            np.testing.assert_allclose(cache.table(5), size * wanted[part], rtol=1e-15)


@pytest.mark.parametrize("form", ["once", "halves", "interleaved"])
@pytest.mark.parametrize("part", ["cos", "cos|sin", "both"])
def test_the_rows_at_positions_of_any_shape_are_those_of_the_table(part, form):
    cache = RotaryCache(rotary=ROTARY, part=part, form=form)
    table = cache.table(6)
    for positions in (5, [5, 3], [[5, 3]], np.zeros((2, 0, 3), int)):
        assert np.array_equal(cache.at(positions), table[..., positions, :])


@pytest.mark.parametrize(
    "scaling", [DynamicNTK(2, 100), LongRoPE([1.0] * 4, [3.0] * 4, factor=2,
                                             original_max_position_embeddings=100)],
)  # fmt: skip
def test_a_cache_of_a_long_text_needs_its_length(scaling):
    rotary = Rotary(8, scaling=scaling)
    cache, places = RotaryCache(rotary=rotary), np.arange(200)
    assert cache.table(100).shape == (100, 4)
    for rows in (lambda: cache.table(200), lambda: cache.at(places)):
        with pytest.warns(UserWarning, match=r"^length must be given in a text of more than 100 "):
            assert np.array_equal(rows(), cache.at(places, length=1))
    made = cache.at(places, length=200)
    assert np.array_equal(made, rotary.cosine_sine(places, 200, attention=True)[0])
    assert np.abs(made - cache.at(places, length=100)).max() > 1


def points(**options) -> AxialCache:
    rotary = axes.dinov3(8)
    return AxialCache(rotary=rotary, made_by="axes.dinov3(8)", coordinates=((0, 0.5),), **options)


def test_a_cache_of_points_is_written_without_its_points():
    assert "coordinates" not in repr(points())
    assert "axes.dinov3(8)" in repr(points())


def test_a_cache_of_points_has_the_amplitude_1_unless_it_says_another():
    cosine, _ = axes.dinov3(8).cosine_sine(((0, 0.5),))
    np.testing.assert_allclose(points().table(), cosine)
    np.testing.assert_allclose(points(amplitude=3).table(), 3 * cosine)
    assert isinstance(points(amplitude=3).amplitude, float)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"part": "tan"}, "^part must be "),
        ({"form": "twice"}, "^form must be "),
        ({"amplitude": np.inf}, "^amplitude must be finite, got inf"),
    ],
)
def test_a_cache_with_an_unknown_option_is_refused(options, message):
    for make in (points, lambda **options: RotaryCache(rotary=ROTARY, **options)):
        with pytest.raises(ValueError, match=message):
            make(**options)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"made_by": None}, TypeError, "made_by must be a string, got None"),
        ({"coordinates": "ab"}, TypeError, "coordinates must hold real numbers"),
        ({"coordinates": [[0, np.nan]]}, ValueError, "coordinates must be finite, got nan"),
        ({"coordinates": [0, 1]}, ValueError, r"coordinates must have .* 2 .* shape \(2,\)"),
        ({"coordinates": [[0]]}, ValueError, r"coordinates must have .* got shape \(1, 1\)"),
    ],
)
def test_a_cache_of_points_refuses_what_no_points_are(options, error, message):
    known = {"rotary": axes.dinov3(8), "made_by": "", "coordinates": [[0, 1]]}
    assert AxialCache(**known).coordinates == ((0, 1),)
    with pytest.raises(error, match=f"^{message}"):
        AxialCache(**{**known, **options})


def test_a_cache_has_an_encoding_of_its_own_kind():
    with pytest.raises(TypeError, match=r"^rotary must be of the type Rotary, got "):
        RotaryCache(rotary=axes.dinov3(8))
    with pytest.raises(TypeError, match=r"^rotary must be of the type AxialRotary, got "):
        AxialCache(rotary=ROTARY, made_by="", coordinates=())
