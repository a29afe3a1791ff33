"""Rotary caches are tables of cosines and sines, of positions or of points."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from posenc import AxialCache, Rotary, RotaryCache
from posenc.rotary import DynamicNTK, axes

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
    once = np.array(ROTARY.cosine_sine(np.arange(5)))
    for form, both in (
        ("once", once),
        ("halves", np.tile(once, 2)),
        ("interleaved", np.repeat(once, 2, axis=-1)),
    ):
        cosine, sine = both
        named = {"cos": cosine, "sin": sine, "both": both}
        named |= {"cos|sin": np.hstack([cosine, sine]), "sin|cos": np.hstack([sine, cosine])}
        for size in (1.0, 0.5):
            made = cache(part=part, form=form, amplitude=size)
            np.testing.assert_allclose(made.table(5), size * named[part], rtol=1e-15)
            for positions in (4, [4, 3], [[4, 3]], np.zeros((2, 0, 3), int)):
                assert np.array_equal(made.at(positions), made.table(5)[..., positions, :])


def test_a_cache_of_a_long_text_needs_its_length():
    rotary, places = Rotary(8, scaling=DynamicNTK(2, 100)), np.arange(200)
    long = cache(rotary=rotary)
    for rows in (lambda: long.table(200), lambda: long.at(places)):
        with pytest.warns(UserWarning, match=r"^length must be given in a text of more than 100 "):
            assert np.array_equal(rows(), long.at(places, length=1))
    made = long.at(places, length=200)
    assert np.array_equal(made, rotary.cosine_sine(places, 200, attention=True)[0])
    assert np.array_equal(long.table(100), long.at(places, length=100)[:100])


def test_a_cache_of_points_has_the_amplitude_1_unless_it_says_another():
    assert "coordinates" not in repr(points())
    assert "axes.dinov3(8)" in repr(points())
    cosine, _ = POINTS.cosine_sine(((0, 0.5),))
    np.testing.assert_allclose(points().table(), cosine)
    np.testing.assert_allclose(points(amplitude=3).table(), 3 * cosine)
    assert isinstance(points(amplitude=3).amplitude, float)
