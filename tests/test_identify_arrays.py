"""Arrays of any shape and dtype, and what `identify` reads in them as a table."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import GRIDS, Convention, Rotary, identify
from posenc.reading._shapes import given

PAPER = Convention().table(12, 8)
COSINES, SINES = Rotary(16).cosine_sine(np.arange(12))
GRID = GRIDS["mae"].points((3, 5), 16)


def refused(table, error=ValueError):
    with pytest.raises(error) as refusal:
        identify(table)
    return str(refusal.value)


def test_the_first_of_several_bad_values_is_named_with_its_place():
    table = PAPER.copy()
    table[[3, 3, 7], [5, 6, 0]] = np.nan, np.inf, np.inf
    assert refused(table) == "table must be finite, got nan at row 3, column 5"
    table[3, 5] = -np.inf
    assert refused(table) == "table must be finite, got -inf at row 3, column 5"
    table[3, 5:7] = 0
    assert refused(table) == "table must be finite, got inf at row 7, column 0"


def test_a_bad_value_of_a_grid_is_named_by_its_index_and_one_of_pairs_by_row_and_column():
    grid = GRID.copy()
    grid[2, 1, 3] = np.nan
    assert refused(grid) == "table must be finite, got nan at index (2, 1, 3)"
    sines = SINES.copy()
    sines[4, 2] = np.inf
    message = "table must be finite, got inf at row 4, column 2"
    assert refused({"cos": COSINES, "sin": sines}) == message
    phasors = COSINES.astype(complex)
    phasors.imag = sines
    assert refused(phasors) == message


def test_values_up_to_1e50_are_allowed():
    for value in (1e50, -1e50):
        assert given([[0.0, value]]).values.tolist() == [[0, value]]
        assert refused([[0.0, 2 * value]]) == (
            f"table must be at most 1e50 in size, got {2 * value} at row 0, column 1"
        )


@pytest.mark.parametrize("dtype", ["<f2", ">f2", "<f4", ">f4", "<f8", ">f8"])
def test_a_number_that_is_missing_has_a_place_in_every_dtype(dtype):
    table = PAPER.astype(dtype)
    table[1, 2] = np.nan
    assert refused(table) == "table must be finite, got nan at row 1, column 2"


def test_bfloat16_is_read_and_longer_floats_are_refused():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    rough = PAPER.astype(ml_dtypes.bfloat16)
    assert np.array_equal(given(rough).values, rough.astype(np.float64))
    if np.dtype(np.longdouble).itemsize > 8:
        assert "table must hold real numbers" in refused(PAPER.astype(np.longdouble), TypeError)


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (3, 0, 4), (0, 3, 4), (3, 4, 0), (4, 1), (1, 1)])
def test_a_table_without_two_columns_and_a_row_is_refused_with_its_own_shape(shape):
    rule = "table must have two axes, at least one row and two columns, got shape "
    assert refused(np.ones(shape)) == f"{rule}{shape}"
    assert refused([[[1.0]]]) == f"{rule}(1, 1)"
    assert refused([1.0, 2.0]) == f"{rule}(2,)"
    assert refused([["a", "b"]], TypeError).startswith("table must hold real numbers")


def test_one_row_of_two_columns_is_a_table():
    assert given([[3.0, 4.0]]).values.tolist() == [[3, 4]]
    assert given([[[3.0, 4.0]]]).values.tolist() == [[3, 4]]
    assert given([[[[3.0, 4.0]]], [[[3.0, 5.0]]]]).values.tolist() == [[3, 4], [3, 5]]


def test_one_of_equal_slices_is_used_along_every_axis_but_the_last():
    for stacked in (np.stack([PAPER] * 2), np.stack([PAPER] * 2, axis=1)):
        assert np.array_equal(given(stacked).values, PAPER)
        assert str(identify(stacked).findings[0]) == (
            f"the 2 tables in shape {stacked.shape} are equal: one was used"
        )
    many = np.broadcast_to(PAPER[:, np.newaxis], (3, 12, 4, 8))
    assert np.array_equal(given(many).values, PAPER)
    assert "the 12 tables in shape (3, 12, 4, 8) are equal" in str(identify(many).findings[0])
    assert given(PAPER).copies == 1
    assert given(np.ones((4, 6))).values.shape == (4, 6)


def test_equal_columns_are_not_taken_for_equal_tables():
    columns = np.repeat(PAPER[:5, :3, np.newaxis], 7, axis=2)
    assert refused(columns).endswith("got shape (5, 3, 7)")
    assert given(np.repeat(PAPER[:, :2, np.newaxis], 8, axis=2)).grids[0].shape == (12, 2, 8)


def test_channels_may_be_the_first_axis_or_the_last():
    for grid in (GRID, np.moveaxis(GRID, 2, 0)):
        held = given(grid)
        (channels_last,) = held.grids
        assert np.array_equal(channels_last, GRID)
        assert (held.values, held.copies) == (None, 1)
        twice = given(np.stack([grid] * 2))
        assert np.array_equal(twice.grids[0], GRID)
        assert twice.copies == 2
    assert [one.shape for one in given(np.ones((4, 3, 8)) * np.arange(8)).grids] == []


def test_a_block_whose_both_ends_may_be_channels_has_two_readings():
    block = np.random.default_rng(0).standard_normal((4, 3, 8))
    assert [one.shape for one in given(block).grids] == [(4, 3, 8), (3, 8, 4)]
    assert identify(block).rows_used == 12


def test_the_points_of_the_grid_that_matches_are_counted_as_rows():
    for grid in (GRID, GRIDS["mae"].points((6, 8), 16), GRIDS["mae"].points((4, 4), 8)):
        height, width, _ = grid.shape
        for block in (grid, np.moveaxis(grid, 2, 0)):
            answer = identify(block)
            assert answer.match.points == (height, width)
            assert answer.rows_used == height * width


# Cosines and sines


@pytest.mark.parametrize("axis", [0, 2])
def test_two_arrays_of_cosines_and_sines_may_lie_along_the_first_axis_or_the_last(axis):
    held = given(np.stack([COSINES, SINES], axis=axis))
    assert np.array_equal(held.values, [COSINES, SINES])
    assert (held.grids, held.copies) == ((), 1)
    twice = given(np.stack([np.stack([COSINES, SINES], axis=axis)] * 2, axis=1))
    assert np.array_equal(twice.values, [COSINES, SINES])
    assert twice.copies == 2
    assert refused(np.stack([COSINES, SINES], axis=1)[1:, :, :7]).endswith("shape (11, 2, 7)")


def on_circles(lengths):
    """Two arrays of which cosine and sine of each pair have these squared lengths."""
    lengths = np.asarray(lengths, float)
    return np.stack([np.where(lengths == 10, 3.0, np.sqrt(lengths)), 1.0 * (lengths == 10)])


def is_read_as_pairs(lengths):
    values = on_circles(lengths)
    try:
        return given(values).values is not None
    except ValueError:  # nor a grid
        return False


def test_more_than_seven_tenths_of_the_pairs_have_to_lie_on_one_circle():
    assert is_read_as_pairs([[10] * 8 + [20] * 2, [10] * 10])
    assert is_read_as_pairs([[10] * 5 + [20] * 5, [10] * 10])
    assert not is_read_as_pairs([[10] * 7 + [20] * 3, [20] * 3 + [10] * 7])


def test_a_pair_lies_on_the_circle_if_its_squared_length_differs_by_at_most_a_tenth():
    for length, is_one in ((9, True), (8.875, False)):
        row = [10] * 6 + [length] * 2 + [20] * 2
        assert is_read_as_pairs([row, row[::-1]]) is is_one


def test_the_first_eight_rows_decide_whether_an_array_holds_pairs():
    first = [[10] * 3 + [20] * 2] * 4 + [[10] * 4 + [20]] * 3  # 24 of 35 lie on the circle
    good, bad = [10] * 5, [20] * 5
    assert is_read_as_pairs([*first, good, bad])  # 29 of 40 in eight rows, 29 of 45 in nine
    assert not is_read_as_pairs([*first, bad, good, good, good])


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["cos"], "['cos']"),
        (["cos", "scale"], "['cos', 'scale']"),
        (["sin", "scale"], "['sin', 'scale']"),
        (["cos", "cos_2"], "['cos', 'cos_2']"),
        (["cos_sin", "sin"], "['cos_sin', 'sin']"),
        (["cos", "sin", "scale"], "['cos', 'sin', 'scale']"),
        (["one", "other"], "['one', 'other']"),
    ],
)
def test_a_mapping_has_to_name_one_array_of_cosines_and_one_of_sines(names, shown):
    message = refused(dict.fromkeys(names, COSINES))
    assert message == f"table must have one array of cosines and one of sines, got {shown}"


@pytest.mark.parametrize(
    ("cosines", "sines"),
    [((3,), (3,)), ((4, 3), (4, 2)), ((2, 4, 3), (2, 4, 3)), ((4, 3), (3,))],
)
def test_cosines_and_sines_need_one_shape_of_two_axes(cosines, sines):
    random = np.random.default_rng(0)
    message = refused({"cos": random.random(cosines), "sin": random.random(sines)})
    rule = "table must have cosines and sines of one shape (n, d), got "
    assert message == f"{rule}{cosines} and {sines}"


def test_the_names_of_cosines_and_sines_may_be_longer_and_in_any_order():
    for sines, cosines in (("sin", "cos"), ("the_sines", "the_cosines"), ("sine.0", "cosine.0")):
        held = given({sines: SINES, cosines: np.stack([COSINES] * 2)[:, np.newaxis]})
        assert np.array_equal(held.values, [COSINES, SINES])
        assert held.copies == 1


def test_complex_numbers_need_two_axes_besides_those_of_length_1():
    phasors = COSINES + 1j * SINES
    for table in (phasors, phasors[np.newaxis, :, np.newaxis], phasors.astype(np.complex64)):
        assert np.abs(given(table).values - [COSINES, SINES]).max() < 1e-7
    assert refused(phasors[0]).endswith("got shape (8,)")
    assert refused(np.stack([phasors] * 2)).endswith("got shape (2, 12, 8)")
    assert refused(phasors[:, :1]).endswith("two columns, got shape (12, 1)")


def test_complex_numbers_in_lists_and_in_other_libraries_arrays_are_a_cache():
    class Foreign:
        dtype = "complex64"  # not NumPy's

        def __array__(self, dtype=None, copy=None):
            return phasors

    phasors = Rotary(64).phasors(np.arange(50))
    wanted = identify(phasors).matches
    assert wanted
    assert identify(phasors.tolist()).matches == identify(Foreign()).matches == wanted
