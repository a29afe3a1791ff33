"""Arrays of any shape and dtype, and what `identify` reads in them as a table."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import GRIDS, Convention, Rotary, identify

PAPER = Convention().table(12, 8)
COSINES, SINES = Rotary(16).cosine_sine(np.arange(12))
GRID = GRIDS["mae"].points((3, 5), 16)
SHAPE = "table must have two axes, at least one row and two columns, got shape "
REAL = "table must hold real numbers"


def refused(table):
    with pytest.raises((ValueError, TypeError)) as refusal:
        identify(table)
    return str(refusal.value)


def with_values(table, *placed):
    table = np.array(table)
    for place, value in placed:
        table[place] = value
    return table


NAN, INF = np.nan, np.inf
PHASORS = COSINES + 1j * SINES
BAD = [  # an array, and its refusal
    (with_values(PAPER, ((3, 5), NAN), ((7, 0), INF)), "finite, got nan at row 3, column 5"),
    (with_values(PAPER, ((3, 5), -INF), ((3, 6), NAN)), "finite, got -inf at row 3, column 5"),
    (with_values(GRID, ((2, 1, 3), NAN)), "finite, got nan at index (2, 1, 3)"),
    (
        {"cos": COSINES, "sin": with_values(SINES, ((4, 2), INF))},
        "finite, got inf at row 4, column 2",
    ),
    (with_values(PHASORS, ((4, 2), complex(1, INF))), "finite, got inf at row 4, column 2"),
    (np.full((3, 4), 0x7C01, np.uint16).view(np.float16), "finite, got nan at row 0, column 0"),
    *(
        (with_values(PAPER.astype(kind), ((1, 2), NAN)), "finite, got nan at row 1, column 2")
        for kind in ("<f2", ">f2", "<f4", ">f4", "<f8", ">f8")
    ),
    *(
        (
            with_values(PAPER, ((3, 2), value)),
            f"at most 1e50 in size, got {value} at row 3, column 2",
        )
        for value in (2e50, -2e50, 1e308, -1e200, 1.0000001e50)
    ),
]
SHAPES = [
    *(np.ones(s) for s in ((0, 4), (4, 0), (3, 0, 4), (0, 3, 4), (3, 4, 0), (4, 1), (1, 1), (2,))),
    np.stack([COSINES, SINES], axis=1)[1:, :, :7],
    np.repeat(PAPER[:5, :3, np.newaxis], 7, axis=2),  # equal columns are no equal tables
    PHASORS[0],
    np.stack([PHASORS] * 2),
    PHASORS[:, :1],
]


def test_the_first_bad_value_is_named_with_its_place_and_a_bad_shape_is_told():
    for table, message in BAD:
        assert refused(table) == f"table must be {message}"
    for table in SHAPES:
        assert refused(table) == f"{SHAPE}{table.shape}"
    assert refused([[[1.0]]]) == f"{SHAPE}(1, 1)"
    assert refused([["a", "b"]]).startswith(REAL)
    if np.dtype(np.longdouble).itemsize > 8:
        assert REAL in refused(PAPER.astype(np.longdouble))


@pytest.mark.parametrize("value", [1e50, -1e50, 1e-160, 1e-320, 5e-324])
def test_tables_of_any_size_are_answered(value):
    assert not identify(np.full((9, 8), value))
    identify(np.full((9, 8), value) * np.linspace(0, 1, 9)[:, np.newaxis])


def answered_alike(one, other):
    """Whether two arrays are the same table."""
    here, there = identify(one), identify(other)
    return (here.matches, here.nearest, here.rows_used) == (
        there.matches,
        there.nearest,
        there.rows_used,
    )


def test_axes_of_length_1_and_equal_slices_do_not_count():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    assert identify(PAPER).findings == ()
    for table in ([[[3.0, 4.0]]], [[[[3.0, 4.0]]], [[[3.0, 5.0]]]]):
        assert answered_alike(table, np.squeeze(table).reshape(-1, 2))
    rough = PAPER.astype(ml_dtypes.bfloat16)
    assert answered_alike(rough, rough.astype(np.float64))
    for stacked, count in (
        (np.stack([PAPER] * 2), 2),
        (np.broadcast_to(PAPER[:, np.newaxis], (3, 12, 4, 8)), 12),
    ):
        answer = identify(stacked)
        assert answer.matches == identify(PAPER).matches
        said = f"the {count} tables in shape {stacked.shape} are equal: one was used"
        assert str(answer.findings[0]) == said
        assert np.allclose(answer.match.table(), stacked, atol=1e-9)


@pytest.mark.parametrize("block", [GRID, np.moveaxis(GRID, 2, 0), np.stack([COSINES, SINES])])
@pytest.mark.parametrize("axis", [0, 1])
def test_copies_of_a_grid_or_a_cache_are_made_again_as_copies(block, axis):
    stacked = np.stack([block] * 3, axis=axis)
    assert identify(stacked).match.table() == pytest.approx(stacked)


def test_channels_may_be_the_first_axis_or_the_last():
    sides = ((6, 8), 16), ((4, 4), 8), ((2, 7), 32), ((7, 2), 32)
    made = [GRIDS["mae"].points(*one) for one in sides]
    for grid in (GRID, *made, GRIDS["detr"].points((5, 7), 32)):
        height, width, _ = grid.shape
        for block in (grid, np.moveaxis(grid, 2, 0), grid.reshape(-1, grid.shape[2])):
            answer = identify(block)
            assert (answer.match.points, answer.rows_used) == ((height, width), height * width)
            assert answer.match.table() == pytest.approx(block)
            unsure = block.ndim == 2 and height != width  # the other way round is as good
            assert len(answer.match.findings) == 1 + unsure
    assert identify(np.repeat(PAPER[:, :2, np.newaxis], 8, axis=2)).rows_used == 24
    assert identify(np.random.default_rng(0).standard_normal((4, 3, 8))).rows_used == 12


# Cosines and sines


def test_cosines_and_sines_may_lie_along_the_first_axis_or_the_last_or_be_complex():
    both = {"cos": COSINES, "sin": SINES}
    assert identify(both).match.table().shape == (2, *COSINES.shape)
    identify(PHASORS[:1])  # without a warning
    (slip,) = identify(PHASORS.conj()).match.mistakes
    assert slip.code == "sine-sign"
    for given in (*(np.stack([COSINES, SINES], axis=axis) for axis in (0, 2)), PHASORS[None]):
        assert answered_alike(given, both)
        assert identify(given).match.table().shape == given.shape

    class Foreign:
        dtype = "complex64"  # not NumPy's

        def __array__(self, dtype=None, copy=None):
            return PHASORS

    for table in (PHASORS[np.newaxis, :, np.newaxis], PHASORS.tolist(), Foreign()):
        assert answered_alike(table, both)
    for sines, cosines in (("sin", "cos"), ("single.sin", "single.cos"), ("sine.0", "cosine.0")):
        assert answered_alike({sines: SINES, cosines: np.stack([COSINES] * 2)[:, np.newaxis]}, both)


def is_read_as_pairs(lengths):
    """Whether two arrays are cosines and sines if those of each pair have these squared lengths."""
    lengths = np.asarray(lengths, float)
    values = np.stack([np.where(lengths == 10, 3.0, np.sqrt(lengths)), 1.0 * (lengths == 10)])
    try:
        return bool(identify(values).rows_used)
    except ValueError:  # nor a grid
        return False


def test_in_the_first_eight_rows_most_pairs_have_to_lie_on_one_circle():
    for few, others, is_one in ((2, 0, True), (5, 0, True), (3, 3, False)):
        rows = [10] * (10 - few) + [20] * few, [20] * others + [10] * (10 - others)
        assert is_read_as_pairs(rows) is is_one
    for length, is_one in ((9, True), (8.875, False)):  # a tenth off
        row = [10] * 6 + [length] * 2 + [20] * 2
        assert is_read_as_pairs([row, row[::-1]]) is is_one
    first = [[10] * 3 + [20] * 2] * 4 + [[10] * 4 + [20]] * 3  # 24 of 35 lie on the circle
    good, bad = [10] * 5, [20] * 5
    assert is_read_as_pairs([*first, good, bad])  # 29 of 40 in eight rows, 29 of 45 in nine
    assert not is_read_as_pairs([*first, bad, good, good, good])


def test_a_mapping_has_to_have_one_array_of_cosines_and_one_of_sines_of_one_shape():
    pairs = "cos scale", "sin scale", "cos cos_2", "cos_sin sin", "cos cosine", "a b"
    for names in ("cos", *pairs, "cos_missing sin_cosmetic", "cos sin scale"):
        message = refused(dict.fromkeys(names.split(), COSINES))
        rule = "table must have one array of cosines and one of sines, got "
        assert message == f"{rule}{names.split()}"
    random = np.random.default_rng(0).random
    for one, other in (((3,), (3,)), ((4, 3), (4, 2)), ((2, 4, 3), (2, 4, 3)), ((4, 3), (3,))):
        message = refused({"cos": random(one), "sin": random(other)})
        rule = "table must have cosines and sines of one shape (n, d), got "
        assert message == f"{rule}{one} and {other}"
