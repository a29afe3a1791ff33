"""Rotary caches are tables of cosines and sines, of positions or of points."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from posenc import AxialCache, Rotary, RotaryCache
from posenc.rotary import DynamicNTK, LongRoPE, axes

ROTARY, POINTS = Rotary(8), axes.dinov3(8)
cache = partial(RotaryCache, rotary=ROTARY)
points = partial(AxialCache, rotary=POINTS, made_by="axes.dinov3(8)", coordinates=((0, 0.5),))


def test_a_cache_may_have_no_rows_but_not_fewer_and_positions_that_float64_counts():
    halves = cache(form="halves", start=2.5)
    assert halves.table(0).shape == (0, 8)
    assert halves.table(1).shape == (1, 8)
    assert halves.table(3).dtype == np.float64
    for start in (1e300, -(2.0**53) - 2):
        with pytest.raises(ValueError, match=r"^start must lie within ±2\*\*53, got "):
            cache(start=start).table(2)


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
            made = cache(part=part, form=form, amplitude=size)
            np.testing.assert_allclose(made.table(5), size * wanted[part], rtol=1e-15)
            for positions in (4, [4, 3], [[4, 3]], np.zeros((2, 0, 3), int)):
                assert np.array_equal(made.at(positions), made.table(5)[..., positions, :])


@pytest.mark.parametrize(
    "scaling", [DynamicNTK(2, 100), LongRoPE([1.0] * 4, [3.0] * 4, factor=2,
                                             original_max_position_embeddings=100)],
)  # fmt: skip
def test_a_cache_of_a_long_text_needs_its_length(scaling):
    rotary = Rotary(8, scaling=scaling)
    long, places = cache(rotary=rotary), np.arange(200)
    assert long.table(100).shape == (100, 4)
    for rows in (lambda: long.table(200), lambda: long.at(places)):
        with pytest.warns(UserWarning, match=r"^length must be given in a text of more than 100 "):
            assert np.array_equal(rows(), long.at(places, length=1))
    made = long.at(places, length=200)
    assert np.array_equal(made, rotary.cosine_sine(places, 200, attention=True)[0])
    assert np.abs(made - long.at(places, length=100)).max() > 1


def test_a_cache_of_points_has_the_amplitude_1_unless_it_says_another():
    assert "coordinates" not in repr(points())
    assert "axes.dinov3(8)" in repr(points())
    cosine, _ = POINTS.cosine_sine(((0, 0.5),))
    np.testing.assert_allclose(points().table(), cosine)
    np.testing.assert_allclose(points(amplitude=3).table(), 3 * cosine)
    assert isinstance(points(amplitude=3).amplitude, float)


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        *((make, {"part": "tan"}, "part must be ") for make in (cache, points)),
        *((make, {"form": "twice"}, "form must be ") for make in (cache, points)),
        *((make, {"amplitude": np.inf}, "amplitude must be finite") for make in (cache, points)),
        (cache, {"rotary": POINTS}, "rotary must be of the type Rotary, got "),
        (points, {"rotary": ROTARY}, "rotary must be of the type AxialRotary, got "),
        (points, {"made_by": None}, "made_by must be a string, got None"),
        (points, {"coordinates": "ab"}, "coordinates must hold real numbers"),
        (points, {"coordinates": [[0, np.nan]]}, "coordinates must be finite, got nan"),
        (points, {"coordinates": [0, 1]}, r"coordinates must have .* 2 .* shape \(2,\)"),
        (points, {"coordinates": [[0]]}, r"coordinates must have .* got shape \(1, 1\)"),
        (points, {"coordinates": [[0, 1, 2]]}, r"coordinates must have .* got shape \(1, 3\)"),
        (points, {"coordinates": np.empty((0, 2))}, r"coordinates must .* got shape \(0, 2\)"),
    ],
)
def test_a_cache_with_a_wrong_option_is_refused(make, options, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        make(**options)
