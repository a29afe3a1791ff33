"""Orders of columns and rows that carry tables and weights from one convention to another."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import CONVENTIONS, GRIDS, Convention, Grid, column_order, convert, rotary_row_order
from tests.test_relative import OUTPUTS, RECORDS, of_kind

PLACED = st.builds(
    Convention,
    layout=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    start=st.sampled_from([0, 3]),
)
GRID = st.sampled_from(
    [
        *(Grid(axes=axes) for axes in ("xy", "yx")),
        *(Grid(axes=axes, blocks="kinds") for axes in ("xy", "yx")),
        *(Grid(axis=Convention(), axes=axes, blocks="pairs") for axes in ("xy", "yx")),
        Grid(axis=Convention(order="cos_first")),
    ]
)


@given(PLACED, PLACED, st.sampled_from([2, 8, 30]))
def test_the_order_of_columns_turns_one_table_into_the_other(source, target, d_model):
    order = column_order(source, target, d_model)
    assert np.array_equal(np.sort(order), np.arange(d_model))
    table = source.table(7, d_model, start=5)
    assert np.array_equal(table[:, order], target.table(7, d_model, start=5))


@given(GRID, GRID, st.sampled_from([4, 12]), st.integers(0, 1))
def test_grids_have_an_order_of_columns_too_and_keep_their_class_rows(
    source, target, d_model, class_rows
):
    source, target = (replace(one, class_rows=class_rows) for one in (source, target))
    order = column_order(source, target, d_model)
    table = source.table((2, 3), d_model, dtype=np.float32)
    assert np.array_equal(table[:, order], target.table((2, 3), d_model, dtype=np.float32))
    assert np.array_equal(convert(table, source, target), table[:, order])


PAPER, PART = Convention(), Convention(odd="truncate")
REFUSED = [  # source, target, width, and a part of the message
    (PAPER, CONVENTIONS["x_transformers"], 8, "must have the same amplitude at width 8"),
    (PAPER, Convention(angle_scale=-1), 8, "must turn in the same direction"),
    (PAPER, Convention(angle_scale=-2), 8, "must have the same frequencies at width 8"),
    (PART, replace(PART, order="cos_first"), 7, "must hold every column of target"),
    (GRIDS["mae"], GRIDS["tensor2tensor"], 8, "must have the same frequencies at width 4"),
    (GRIDS["mae"], GRIDS["timm"], 6, "d_model must be a multiple of 4, got 6"),
    (PAPER, Grid(), 8, "^source and target must both be .*, got a Convention and"),
]


@pytest.mark.parametrize(("source", "target", "d_model", "message"), REFUSED)
def test_column_order_refuses_what_no_order_of_columns_does(source, target, d_model, message):
    with pytest.raises((ValueError, TypeError), match=message):
        column_order(source, target, d_model)


@pytest.mark.parametrize("change", [{"class_rows": 1}, {"spacing": (1, 2)}, {"listed": "columns"}])
def test_other_places_of_points_have_an_order_of_columns_and_no_conversion(change):
    source, target, (name,) = Grid(), replace(Grid(axes="yx"), **change), change
    with pytest.raises(ValueError, match=f"^source and target must have the same {name}, got "):
        convert(source.table((2, 2), 8), source, target)
    of_columns = column_order(source, Grid(axes="yx"), 8)
    assert np.array_equal(column_order(source, target, 8), of_columns)


@pytest.mark.parametrize("name", of_kind("permute_rows"))
def test_rows_are_ordered_as_libraries_do(name):
    spec = RECORDS[name]["spec"]
    assert np.array_equal(rotary_row_order(spec["head_dim"], heads=spec["heads"]), OUTPUTS[name])
