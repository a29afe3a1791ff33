"""The tables of grids at the limits of what `identify` takes for one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import GRIDS, Convention, Grid, identify
from posenc.identification import _points
from posenc.identification._measure import Limits
from tests.identify_cases import changed

LIMITS = Limits(1e-3, 0.0, 0.0)


@pytest.mark.parametrize("size", [0.02, 1.0, 30.0])
def test_a_grid_is_found_in_noise_below_the_tolerance(size):
    noise = np.random.default_rng(5).uniform(-0.9e-3, 0.9e-3, (35, 32))
    match = identify(size * (Grid().table((5, 7), 32) + noise)).match
    assert (match.points, "mae" in match.libraries) == ((5, 7), True)


def test_neighbouring_points_may_differ_by_twice_the_tolerance():
    table = Grid().table((5, 7), 32)
    table[0] += 0.95e-3
    table[1] -= 0.95e-3
    table[7] -= 0.95e-3
    assert "mae" in identify(table).match.libraries


def test_the_tolerance_of_a_grid_includes_its_limit():
    off = 2.0**-10
    table = Grid().table((5, 7), 32)
    assert table[0, 31] == 1
    table[0, 31] -= off
    match = identify(table, tolerance=off).match
    assert (match.error, "mae" in match.libraries) == (off, True)
    assert not identify(table, tolerance=0.999 * off)


def test_a_fitted_base_comes_before_the_name_of_a_library_that_fits_less():
    grid = Grid(axis=Convention(base=10_050), axes="yx")
    match = identify(grid.table((5, 7), 32), tolerance=0.01).match
    assert match.convention == grid
    assert match.libraries == ("positional_encodings",)


def test_a_library_comes_before_an_equal_grid_without_one():
    match = identify(GRIDS["positional_encodings"].table((5, 7), 32)).match
    assert match.convention == GRIDS["positional_encodings"]


@pytest.mark.parametrize("size", [16, 32, 64, 128])
def test_a_grid_that_is_stretched_beyond_half_a_turn_from_point_to_point_is_found(size):
    grid = replace(Grid(), spacing=(size / 4, size / 3))
    assert identify(grid.table((4, 3), 16)).match.convention == grid


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
@pytest.mark.parametrize("width", [4, 8])
def test_the_smallest_grids_are_found(shape, width):
    table = Grid(spacing=(0.5, 0.7)).table(shape, width)
    (match,) = _points.grids(table, 0, LIMITS)
    assert match.points == shape
    assert np.abs(match.convention.table(shape, width) - table).max() < 1e-6


def test_one_two_or_three_rows_and_odd_quarters_of_a_width_are_no_grid():
    table = Grid().table((2, 2), 8)
    for rows in (1, 2, 3):
        assert _points.grids(table[:rows], 0, LIMITS) == []
    for width in (5, 6, 7):
        assert _points.grids(table[:, :width], 0, LIMITS) == []


def test_points_that_are_equal_along_an_axis_are_no_grid():
    table = Grid().table((4, 6), 16).reshape(4, 6, 16)
    for along in (table[:1].repeat(4, axis=0), table[:, :1].repeat(6, axis=1)):
        assert _points.grids(along.reshape(24, 16), 0, LIMITS, (4, 6)) == []


def test_a_grid_of_the_other_sign_is_none():
    assert _points.grids(-Grid().table((4, 6), 16), 0, LIMITS) == []


@pytest.mark.parametrize("signs", [(1, -1), (-1, 1), (-1, -1)])
def test_positions_that_fall_along_an_axis_are_no_grid(signs):
    points = np.stack(np.indices((6, 6)), axis=-1) * signs
    table = Grid().encode(points, 16).reshape(36, 16)
    assert not identify(table)


def test_a_grid_whose_axes_have_different_bases_is_none():
    one, other = (Grid(axis=Convention(layout="halves", base=b)) for b in (1000, 3000))
    table = one.table((5, 7), 32)
    table[:, :16] = other.table((5, 7), 32)[:, :16]
    assert _points.grids(table, 0, LIMITS) == []


@pytest.mark.parametrize("step", [0.3337, 1 / 3, 1.6])
def test_a_step_is_a_share_of_a_round_size_only_if_it_is_that_exactly(step):
    grid = Grid(spacing=(step, step))
    found = identify(grid.table((7, 9), 32)).match.convention
    assert found.spacing == pytest.approx((step, step), rel=1e-6)
    assert _points._round(16 / 7 * (1 + 0.9e-6), 7) == 16 / 7
    off = 16 / 7 * (1 + 1.1e-6)
    assert _points._round(off, 7) == off


def test_a_row_for_a_class_token_of_a_near_grid_is_counted():
    table = replace(Grid(), class_rows=1).table((4, 4), 16)
    near = identify(changed(table, [5, 9], 0.2)).nearest
    assert (near.convention.class_rows, near.rows) == (1, (5, 9))
