"""How `identify` finds what comes nearest to a table that nothing matches."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import GRIDS, Convention, Rotary, RotaryCache, identify, positional_encoding
from posenc.identification import _near_caches, _nearest, _order
from posenc.identification._rows import Rows
from tests.identify_cases import LONG, changed

UNIT = positional_encoding(40, 16)
FEW = Rows(np.arange(40.0), UNIT)


def apart_at(places: list[tuple[int, int]], off: float = 1.0) -> np.ndarray:
    """Differences that are `off` at each of `places` of six rows and eight columns."""
    apart = np.zeros((6, 8))
    for place in places:
        apart[place] = off
    return apart


def described(apart: np.ndarray) -> tuple[str, tuple[int, ...], tuple[int, ...]]:
    near = _nearest.described(apart, np.arange(6.0), Convention(), (), 0.25)
    return near.findings[0].code, near.rows, near.columns


def test_up_to_half_of_the_rows_or_else_of_the_columns_may_be_others():
    whole = [(row, column) for row in range(6) for column in range(8)]
    half = [place for place in whole if place[0] in (0, 2, 5)]
    assert described(apart_at(half)) == ("other-rows", (0, 2, 5), ())
    four = [place for place in whole if place[1] in (1, 2, 4, 7)]
    assert described(apart_at(four)) == ("other-columns", (), (1, 2, 4, 7))
    five = [place for place in whole if place[1] in (1, 2, 4, 5, 7)]
    assert described(apart_at(five)) == ("noise", (), ())


def test_a_difference_of_exactly_the_tolerance_is_none():
    assert described(apart_at([(1, 2)], 0.25)) == ("other-rows", (), ())
    assert described(apart_at([(1, 2)], np.nextafter(0.25, 1))) == ("other-rows", (1,), ())


def test_the_typical_difference_is_the_root_of_the_mean_square():
    near = _nearest.described(apart_at([(1, 2), (3, 4), (5, 5)], 4.0), np.arange(6.0), None, (), 0)
    assert (near.error, near.typical) == (4, 1)


@pytest.mark.parametrize("size", [0.01, 1.0, 30.0])
def test_the_distance_is_a_fraction_of_the_amplitude_of_most_rows(size):
    values = size * UNIT
    assert _nearest._distance(Rows(FEW.places, values), UNIT) == pytest.approx(0, abs=1e-12)
    wild = changed(values, (3, 5), 1000 * size)
    assert _nearest._distance(Rows(FEW.places, wild), UNIT) == pytest.approx(1 / UNIT.size)
    others = changed(values, slice(0, 15), 0)
    assert _nearest._amplitude(Rows(FEW.places, others), UNIT) == pytest.approx(size)


def test_a_table_of_the_other_sign_or_of_zeros_is_infinitely_far():
    for size in (-0.5, -2.0, 0.0):
        assert _nearest._distance(Rows(FEW.places, size * UNIT), UNIT) == np.inf


SLOW = Convention(arrangement="halves", base=500, start=3)


def test_a_quarter_that_fits_is_no_near_miss_if_most_rows_have_the_other_sign():
    assert identify(changed(UNIT, slice(10, None), -UNIT[10:])).nearest is None


@pytest.mark.parametrize("left", range(4))
def test_a_single_quarter_that_fits_shows_a_convention_of_no_library(left):
    odd = [row for row in (0, 24, 25, 49, 50, 74, 75, 99) if row // 25 != left]
    near = identify(changed(SLOW.table(100, 32), odd, 0.1)).nearest
    assert (near.convention, near.rows) == (SLOW, tuple(odd))


def test_a_convention_whose_frequencies_exceed_float64_at_some_width_is_left_out():
    few = Rows(np.arange(4.0), np.ones((4, 4096)))
    at_64 = Rows(np.arange(4.0), np.ones((4, 64)))
    names = [
        {name for _, names, _ in _nearest._known(rows) for name in names} for rows in (few, at_64)
    ]
    assert names[0] < names[1]
    assert not identify(np.random.default_rng(7).standard_normal((4, 4096)))


def test_a_class_token_before_a_single_point_is_no_grid():
    rows = np.stack([0.3 * np.sin(np.arange(16.0)), GRIDS["mae"].table((1, 1), 16)[0]])
    assert _nearest._grid(Rows(np.arange(2.0), rows), 1e-3) is None


def test_four_rows_that_fit_show_a_convention_of_no_library():
    kind = Convention(arrangement="halves", base=500)
    near = identify(changed(kind.table(16, 32), [1, 6, 9], 0.1)).nearest
    assert (near.convention, near.rows) == (kind, (1, 6, 9))


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("side", [2, 5])
@pytest.mark.parametrize("name", sorted(GRIDS))
def test_a_learned_row_of_any_grid_is_named(name, side, first):
    table = np.concatenate([np.zeros((first, 32)), GRIDS[name].table((side, side), 32)])
    near = identify(changed(table, side, 0.3 * np.sin(np.arange(32)))).nearest
    assert near.rows == (side,)
    found = near.convention
    assert np.abs(found.table((side, side), 32) - table)[np.arange(len(table)) != side].max() < 1e-9


def test_columns_that_moved_are_found_up_to_twice_the_tolerance():
    order = np.arange(64)
    order[[3, 10]] = 10, 3
    for off, code in ((0.0019, "columns-moved"), (0.0021, "other-columns")):
        moved = LONG[:, order]
        moved[50, 20] += off
        assert identify(moved).nearest.findings[0].code == code


def test_three_rows_show_no_order_of_columns():
    rows = np.roll(positional_encoding(4, 16), 5, axis=1)
    slack = 1e-3
    assert _order.moved(Rows(np.arange(4.0), rows), slack) is not None
    assert _order.moved(Rows(np.arange(3.0), rows[:3]), slack) is None


def test_rows_of_an_odd_width_or_of_different_lengths_are_in_no_other_order():
    places = np.arange(40.0)
    assert _order.moved(Rows(places, np.roll(UNIT, 3, axis=1)), 1e-3).columns == tuple(range(16))
    assert _order.moved(Rows(places, np.roll(UNIT, 3, axis=1)[:, :15]), 1e-3) is None
    longer = np.roll(UNIT, 3, axis=1) * np.linspace(1, 1.02, 40)[:, np.newaxis]
    assert _order.moved(Rows(places, longer), 1e-1) is None


def test_tiny_values_are_in_no_other_order():
    assert _order.moved(Rows(np.arange(40.0), 1e-170 * UNIT), 1e-3) is None


@pytest.mark.parametrize("first", [1, 2, 40])
def test_rough_rows_of_a_longer_table_are_placed_in_it(first):
    table = LONG[first : first + 90]
    rough = np.where(np.indices(table.shape).sum(axis=0) % 2, 0.0015, -0.0015)
    found = _order.moved(Rows(np.arange(90.0), table + rough), 1e-3, by=("rows",))
    assert [str(finding) for finding in found.findings] == [f"from row {first} of the table"]
    assert found.error == pytest.approx(0.0015, rel=0.01)


def test_rows_and_columns_that_are_in_order_are_in_no_other_order():
    rough = np.where(np.indices(LONG.shape).sum(axis=0) % 2, 0.0015, -0.0015)
    near = identify(LONG + rough, tolerance=1e-3).nearest
    assert (near.findings[0].code, near.rows, near.columns) == ("noise", (), ())
    assert near.error == pytest.approx(0.0015, rel=0.01)


@pytest.mark.parametrize(("step", "first"), [(2, 0), (2, 1), (3, 4)])
def test_every_second_row_from_any_row_is_named(step, first):
    table = positional_encoding(300, 64)[first::step]
    near = _order.moved(Rows(np.arange(float(len(table))), table), 1e-3, by=("rows",))
    name = {2: "2nd", 3: "3rd"}[step]
    assert str(near.findings[0]) == f"it holds every {name} row, from row {first}"
    assert (near.rows, near.columns) == ((), ())


def test_rows_of_a_library_that_begins_later_are_named_by_their_places_in_its_table():
    kind, order = Convention(start=2), np.arange(60)
    order[[4, 9]] = 9, 4
    rows = Rows(np.arange(60.0), kind.table(60, 64)[order])
    error, odd, _, words = _order._positions(rows, kind, 1e-3)
    assert (error < 1e-9, odd) == (True, (4, 9))
    assert str(words).endswith(": row 4 is its 9, row 9 is its 4")


def test_nine_of_ten_rows_have_to_be_known_to_name_their_order():
    table, kind = positional_encoding(40, 64)[::-1], Convention()
    for count, is_found in ((4, True), (5, False)):
        off = changed(table, np.s_[:count, 0], 0.5)
        found = _order._positions(Rows(np.arange(40.0), off), kind, 0.02)
        assert (found is not None) == is_found


def test_each_row_has_a_nearest_one():
    random = np.random.default_rng(8)
    ones, others = random.standard_normal((200, 3)), random.standard_normal((50, 3))
    for count in (1, 63, 64, 65, 128, 200):
        found = _order._closest(ones[:count], others)
        for one, place in zip(ones, found, strict=False):
            assert place == np.linalg.norm(others - one, axis=1).argmin()
        assert len(found) == count


LATER = RotaryCache(rotary=Rotary(32, base=777), form="halves", start=30)


def test_a_cache_is_told_from_the_only_quarter_of_its_rows_that_fits():
    odd = [20, 45, 100, 140, 165]  # all other windows of rows, longer, shorter or later
    near = identify(changed(LATER.table(200), odd, 0.1)).nearest
    assert (near.convention, near.rows) == (LATER, tuple(odd))


@pytest.mark.parametrize("left", range(4))
def test_a_cache_is_told_from_any_quarter(left):
    odd = [row for row in (0, 15, 20, 25, 39, 40, 60, 79) if row // 20 != left]
    near = identify(changed(LATER.table(80), odd, 0.1)).nearest
    assert (near.convention, near.rows) == (LATER, tuple(odd))


def test_eight_rows_are_enough_for_a_near_cache_and_seven_are_not():
    table = changed(RotaryCache(rotary=Rotary(32), form="halves").table(8), 5, 0.9)
    assert _near_caches.nearest(table, 1e-3).rows == (5,)
    assert _near_caches.nearest(table[:7], 1e-3) is None


@pytest.mark.parametrize("size", [0.01, 0.5, 8.0])
def test_a_near_cache_keeps_its_amplitude(size):
    cache = RotaryCache(rotary=Rotary(32), form="halves", amplitude=size)
    near = identify(changed(cache.table(200), 20, 0.3 * size)).nearest
    assert (near.convention, near.rows) == (cache, (20,))


def test_an_amplitude_counts_as_1_within_twice_the_mean_difference():
    random = np.random.default_rng(3)
    noise = 0.02 * random.standard_normal((200, 32))  # their mean size is 0.016
    table = RotaryCache(rotary=Rotary(32), form="halves").table(200)
    for size, is_one in ((0.976, True), (1.024, True), (0.96, False), (1.04, False), (0.5, False)):
        found = _near_caches._closest(size * (table + noise))
        assert (found.amplitude == 1) == is_one
        assert found.amplitude == pytest.approx(1 if is_one else size, rel=0.01)
