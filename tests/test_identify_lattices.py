"""Rows of a cache of points run through a grid, whose axes its pairs follow."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import AxialCache, Rotary, identify
from posenc.identification import _points
from posenc.identification._measure import Limits
from posenc.identification._points import Lattice, Slope, axes_of, lattice
from posenc.rotary import axes
from tests.identify_cases import bfloat16
from tests.test_identify_points import centres, grid, made, text_with_image


def counted(*sizes: int) -> np.ndarray:
    """A row of coordinates for each point of a grid, the last coordinate fastest."""
    return np.indices(sizes).reshape(len(sizes), -1).T.astype(float)


def blocks(points: np.ndarray, part: str = "both", call: str = "axes.blocks([16, 16])"):
    return made(call, points, part, "interleaved").table()


@pytest.mark.parametrize("sizes", [(1, 2, 2), (2, 2, 2), (1, 3, 2), (1, 2, 3), (4, 3, 5)])
@pytest.mark.parametrize("before", [0, 1, 3])
def test_the_sizes_of_a_grid_are_found_after_equal_rows(sizes, before):
    rows = counted(*sizes)
    rows = np.concatenate([rows[:1].repeat(before, axis=0), rows])
    assert lattice(rows, 0.0) == Lattice(before, sizes)
    assert lattice(2 * rows, 1.0) == Lattice(before, sizes)


def test_each_row_has_its_place_in_the_grid():
    assert (Lattice(0, (2, 3, 4)).places == counted(2, 3, 4)).all()


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 8])
def test_rows_that_never_repeat_or_never_change_are_no_grid(rows):
    assert lattice(np.arange(float(rows))[:, np.newaxis], 0.0) is None
    assert lattice(np.ones((rows, 2)), 0.0) is None


def test_changes_up_to_the_limit_do_not_count():
    rows = counted(1, 3, 4)
    rows[5] += 0.5
    assert lattice(rows, 0.5) == Lattice(0, (1, 3, 4))
    assert lattice(np.arange(6.0)[:, np.newaxis], 1.0) is None


def test_a_grid_that_stands_twice_has_an_axis_along_which_nothing_changes():
    assert lattice(np.tile(counted(1, 1, 4), (2, 1)), 0.0) == Lattice(0, (2, 1, 4))


def test_cosines_of_points_on_both_sides_of_the_middle_are_equal_but_no_period():
    mirrored = np.cos(np.linspace(-1, 1, 4))
    rows = np.stack([np.repeat([1.0, 2.0], 4), np.tile(mirrored, 2)], axis=1)
    assert lattice(rows, 1e-9) == Lattice(0, (1, 2, 4))


def test_each_pair_follows_one_axis_or_none():
    t, h, w = counted(2, 3, 4).T.reshape(3, 2, 3, 4)
    points = np.stack([w, np.zeros_like(t), h, t], axis=-1)[:, :, :, np.newaxis]
    assert axes_of(points, 0.0).tolist() == [2, -1, 1, 0]
    assert axes_of(points, 1.0).tolist() == [2, -1, 1, -1]
    for two in (t + h, t + w, h + w):
        assert axes_of(two[..., np.newaxis, np.newaxis], 0.0) is None


def test_a_pair_follows_an_axis_if_its_cosine_or_its_sine_changes():
    t, h, w = counted(2, 3, 4).T.reshape(3, 2, 3, 4)
    still = np.zeros_like(t)
    points = np.stack([np.stack([w, still, t], -1), np.stack([w, h, still], -1)], axis=3)
    assert axes_of(points, 0.0).tolist() == [2, 1, 0]


@pytest.mark.parametrize("sizes", [(2, 2), (2, 3), (3, 2)])
def test_four_points_of_an_image_are_enough(sizes):
    match = identify(blocks(grid(*sizes))).match
    assert match.convention.made_by == "axes.blocks([16, 16])"
    assert match.convention.coordinates == tuple(map(tuple, grid(*sizes).tolist()))
    assert str(match.findings[0]).startswith(f"a grid of {sizes[0]} x {sizes[1]} points, ")


def test_the_tolerance_of_a_cache_of_points_includes_its_limit():
    call, points, off = "axes.blocks([8, 8, 8])", grid(3, 4, 5), 2.0**-10
    table = made(call, points, "cos", "interleaved").table()
    (row,) = np.flatnonzero((points == [0, 2, 2]).all(axis=1))  # on none of the first lines
    table[row, 0] -= off
    match = identify(table, tolerance=off).match
    assert (match.convention.made_by, match.error) == (call, off)
    assert not identify(table, tolerance=np.nextafter(off, 0))


def test_changes_of_points_count_as_rounding_from_a_tolerance_of_two_thousandths_on():
    table = blocks(grid(6, 7))
    table += np.random.default_rng(4).uniform(-9e-4, 9e-4, table.shape)
    assert identify(table, tolerance=0.002).match.convention.made_by == "axes.blocks([16, 16])"
    assert identify(table, tolerance=np.nextafter(0.002, 0)).match is None


@pytest.mark.parametrize("part", ["cos", "sin", "both", "cos|sin", "sin|cos"])
def test_points_that_begin_at_different_positions_are_found_from_each_part(part):
    points = grid(9, 11) + np.array([7, 30])
    match = identify(blocks(points, part, "axes.blocks([32, 32])")).match
    assert match.convention.coordinates == tuple(map(tuple, points.tolist()))
    assert str(match.findings[0]) == "a grid of 9 x 11 points, from (7, 30) in steps of (1, 1)"


def test_few_digits_leave_the_time_of_an_image_to_its_width():
    points = grid(1, 9, 11) + np.array([20, 15, 20])
    call = "axes.blocks([2, 16, 16])"  # many cosines of a single pair are near that of 20
    match = identify(made(call, points, "cos", "interleaved").table().round(3)).match
    assert match.convention.coordinates == tuple(map(tuple, points.tolist()))


def test_a_video_whose_first_coordinate_changes_fastest_is_found():
    points = grid(3, 4, 5)[:, ::-1]
    match = identify(blocks(points, call="axes.blocks([8, 8, 8])")).match
    assert match.convention.coordinates == tuple(map(tuple, points.tolist()))


def test_changes_along_an_axis_are_measured_from_its_first_point():
    values = np.array([0.0, 1.0, -1.0]).reshape(1, 1, 3, 1, 1)
    assert axes_of(values, 1.0).tolist() == [-1]
    assert axes_of(values, 0.5).tolist() == [2]


def test_every_pair_that_turns_has_to_have_the_coordinate_of_a_rule_or_the_one_before():
    for labels, is_one in (([0, 1, 1], True), ([0, 1, -1], True), ([0, 0, 1], False)):
        assert _points._fits(labels, [0, 1, 1]) == is_one
        assert _points._fits(labels, [1, 2, 2]) == is_one
    assert not _points._fits([0, 1, 1], [1, 1, 1])


def test_a_text_takes_the_sections_that_fit_best():
    call = "axes.sections(Rotary(64, base=1000000), [11, 11, 10], interleaved=True)"
    points = text_with_image(20, (1, 12, 12), 9)
    others = axes.sections(Rotary(64, base=1_000_000), [12, 10, 10], interleaved=True)
    table = made(call, points, "both", "once").table()
    assert np.abs(np.stack(others.cosine_sine(points)) - table).max() < 1e-4  # these fit too
    assert identify(table).match.convention.made_by == call


@pytest.mark.parametrize("first", [(20, 15, 20), (15, 15, 22)])
def test_time_with_a_single_value_begins_with_the_height_or_the_width(first):
    points = grid(1, 9, 11) + first
    rotary = axes.sections(Rotary(128, base=1_000_000), [16, 24, 24])
    match = identify(rotary.phasors(points)).match
    assert match.convention.coordinates == tuple(map(tuple, points.tolist()))


@pytest.mark.parametrize(("size", "sizes"), [(16, (12, 14)), (32, (20, 28))])
def test_the_points_of_an_image_that_is_stretched_to_a_usual_size_are_found(size, sizes):
    points = grid(*sizes) * [size / sizes[0], size / sizes[1]]
    match = identify(blocks(points, "both", "axes.blocks([32, 32])")).match
    assert np.allclose(match.convention.coordinates, points, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("sizes", "steps"), [((6, 9), (0.5, 1.0)), ((6, 9), (0.25, 0.3)), ((6, 2), (0.5, 0.25))]
)
def test_steps_between_points_are_measured(sizes, steps):
    points = grid(*sizes) * steps
    match = identify(blocks(points, "both", "axes.blocks([32, 32])")).match
    assert np.allclose(match.convention.coordinates, points)
    assert str(match.findings[0]).endswith(f"from (0, 0) in steps of ({steps[0]:g}, {steps[1]:g})")


@pytest.mark.parametrize("most", [1.5, 3, 4])
def test_a_small_fastest_frequency_of_pixels_is_measured(most):
    call = f"axes.pixels(64, max_freq={most})"
    match = identify(made(call, 2 * grid(12, 12) / 11 - 1, "both", "interleaved").table()).match
    assert match.convention.made_by == call


def test_another_base_of_pixtral_and_of_dinov3_is_found():
    for call, points in (
        ("axes.pixtral(64, base=3000)", grid(9, 12)),
        ("axes.dinov3(64, base=300)", centres(9, 12)),
    ):
        match = identify(made(call, points, "both", "halves").table()).match
        assert match.convention.made_by == call


def test_sections_of_pairs_side_by_side_are_written_as_python():
    call = 'axes.sections(Rotary(128, base=5000000, layout="interleaved"), [24, 20, 20], '
    call += "interleaved=True)"
    match = identify(made(call, grid(4, 8, 8), "cos", "interleaved").table()).match
    assert match.convention.made_by == call


def test_rows_that_repeat_are_no_points():
    for count in (2, 3):
        once = Rotary(16, base=777, layout="interleaved").cosine_sine(np.arange(12))[0]
        match = identify(np.tile(np.repeat(once, 2, axis=1), (count, 1))).match
        assert not isinstance(match and match.convention, AxialCache)


def test_sines_of_points_that_no_encoding_makes_get_no_match_and_no_error():
    points = grid(6, 7)
    turns = np.array([0.9, 0.31, 0.77, 0.05])
    table = np.sin(np.repeat(points, 4, axis=1) * np.tile(turns, 2))
    assert _points.matches(table, Limits(1e-3, 0.0, 0.0)) == []


def test_pairs_that_all_turn_alike_show_no_base():
    assert _points._bases(Slope(0, 1, 1, ratio=1.0, rise=1.0), lambda _: 8.0) == []
    assert identify(blocks(grid(6, 7), call="axes.blocks([8, 8], base=1)")).match is None


def test_two_pairs_of_a_coordinate_show_its_base():
    call = "axes.blocks([4, 4], base=777)"
    assert identify(blocks(grid(6, 7), call=call)).match.convention.made_by == call


def test_a_usual_base_of_points_is_preferred_within_one_percent():
    for off, is_first in ((1.009, True), (1.011, False), (0.991, True), (0.989, False)):
        slope = Slope(0, 1, 1, ratio=256 * off, rise=1.0)
        assert (_points._bases(slope, lambda _: 1.0)[0] == 256) == is_first


def test_an_odd_number_of_pairs_is_not_dealt_out_in_turn():
    call = "axes.blocks([10, 12])"
    assert identify(blocks(grid(5, 6), call=call)).match.convention.made_by == call


def test_rough_points_are_read_from_sines_too():
    call = "axes.blocks([16, 16])"
    answer = identify(bfloat16(blocks(grid(8, 12), "sin", call)))
    assert (answer.match.convention.made_by, answer.tolerance) == (call, 2**-8)


def test_a_long_video_in_a_text_is_read():
    call = "axes.sections(Rotary(128, base=5000000), [24, 20, 20], interleaved=True)"
    points = text_with_image(20, (9, 10, 8), 9)
    found = identify(made(call, points, "both", "halves").table()).match.convention
    assert found.coordinates == tuple(map(tuple, points.tolist()))
