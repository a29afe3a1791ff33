"""Arrays of any shape and dtype, and what `identify` reads in them as a table."""

from __future__ import annotations

import numpy as np
import pytest

from posenc import GRIDS, Convention, Rotary, identify
from tests.identify_cases import changed

PAPER = Convention().table(12, 8)
COSINES, SINES = Rotary(16).cosine_sine(np.arange(12))
PHASORS = COSINES + 1j * SINES
BOTH = {"cos": COSINES, "sin": SINES}
GRID = GRIDS["mae"].points((3, 5), 16)
SHAPE = "table must have two axes, at least one row and two columns, got shape "
REAL = "table must hold real numbers"


def refused(table):
    with pytest.raises((ValueError, TypeError)) as refusal:
        identify(table)
    return str(refusal.value)


NAN, INF = np.nan, np.inf
BAD = [  # an array, and its refusal
    (changed(changed(PAPER, (7, 0), INF), (3, 5), NAN), "finite, got nan at row 3, column 5"),
    (changed(PAPER, (3, [5, 6]), [-INF, NAN]), "finite, got -inf at row 3, column 5"),
    (changed(GRID, (2, 1, 3), NAN), "finite, got nan at index (2, 1, 3)"),
    ({**BOTH, "sin": changed(SINES, (4, 2), INF)}, "finite, got inf at row 4, column 2"),
    (changed(PHASORS, (4, 2), complex(1, INF)), "finite, got inf at row 4, column 2"),
    (np.full((3, 4), 0x7C01, np.uint16).view(np.float16), "finite, got nan at row 0, column 0"),
    (changed(PAPER.astype(">f4"), (1, 2), NAN), "finite, got nan at row 1, column 2"),
    *(
        (changed(PAPER, (3, 2), value), f"at most 1e50 in size, got {value} at row 3, column 2")
        for value in (1.0000001e50, -1e200)
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


@pytest.mark.parametrize("value", [1e50, -1e50, 1e-160, 5e-324])
def test_tables_of_any_size_are_answered(value):
    assert not identify(np.full((9, 8), value))
    identify(np.full((9, 8), value) * np.linspace(0, 1, 9)[:, np.newaxis])


def answered_alike(one, other):
    """Whether two arrays are the same table."""
    names = ("matches", "nearest", "rows_used")
    here, there = identify(one), identify(other)
    return all(getattr(here, name) == getattr(there, name) for name in names)


def test_axes_of_length_1_and_equal_slices_do_not_count():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    for table in ([[[3.0, 4.0]]], [[[[3.0, 4.0]]], [[[3.0, 5.0]]]]):
        assert answered_alike(table, np.squeeze(table).reshape(-1, 2))
    rough = PAPER.astype(ml_dtypes.bfloat16)
    assert answered_alike(rough, rough.astype(np.float64))
    stacked = np.broadcast_to(PAPER[:, np.newaxis], (3, 12, 4, 8))
    answer = identify(stacked)
    assert answer.matches == identify(PAPER).matches
    said = "the 12 tables in shape (3, 12, 4, 8) are equal: one was used"
    assert str(answer.findings[0]) == said
    assert np.allclose(answer.match.table(), stacked, atol=1e-9)
    for block in (GRID, np.moveaxis(GRID, 2, 0), np.stack([COSINES, SINES])):
        for axis in (0, 1):  # copies of a grid or a cache are made again as copies
            stacked = np.stack([block] * 3, axis=axis)
            assert identify(stacked).match.table() == pytest.approx(stacked)


def test_channels_may_be_the_first_axis_or_the_last():
    made = [GRIDS["mae"].points(*one) for one in (((4, 4), 8), ((2, 7), 32), ((7, 2), 32))]
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
    assert identify(BOTH).match.table().shape == (2, *COSINES.shape)
    identify(PHASORS[:1])  # without a warning
    (slip,) = identify(PHASORS.conj()).match.mistakes
    assert slip.code == "sine-sign"
    for given in (*(np.stack([COSINES, SINES], axis=axis) for axis in (0, 2)), PHASORS[None]):
        assert answered_alike(given, BOTH)
        assert identify(given).match.table().shape == given.shape

    class Foreign:
        dtype = "complex64"  # not NumPy's

        def __array__(self, dtype=None, copy=None):
            return PHASORS

    for table in (PHASORS[np.newaxis, :, np.newaxis], PHASORS.tolist(), Foreign()):
        assert answered_alike(table, BOTH)
    for sines, cosines in (("sin", "cos"), ("single.sin", "single.cos"), ("sine.0", "cosine.0")):
        assert answered_alike({sines: SINES, cosines: np.stack([COSINES] * 2)[:, np.newaxis]}, BOTH)


def test_a_mapping_has_to_have_one_array_of_cosines_and_one_of_sines_of_one_shape():
    for names in ("cos", "cos scale", "cos cos_2", "a b", "cos_missing sin_cosmetic"):
        rule = "table must have one array of cosines and one of sines, got "
        assert refused(dict.fromkeys(names.split(), COSINES)) == f"{rule}{names.split()}"
    random = np.random.default_rng(0).random
    for one, other in (((3,), (3,)), ((4, 3), (4, 2)), ((2, 4, 3), (2, 4, 3))):
        rule = "table must have cosines and sines of one shape (n, d), got "
        held = {"cos": random(one), "sin": random(other)}
        assert refused(held) == f"{rule}{one} and {other}"
