"""Encodings of grids, compared with libraries' outputs."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import GRIDS, Convention, Grid, grid_encoding
from tests.reference import ARRAYS

RUN = {  # the grid's name, and the options that differ
    "hf_detr_plain__H4_W6_nf8": ("detr", {}),
    "detr_plain__H4_W6_nf8": ("detr", {}),
    "hf_detr_norm2pi__H4_W6_nf8": ("detr_normalized", {}),
    "detr_norm2pi__H4_W6_nf8": ("detr_normalized", {}),
    "loftr_fixed__d16_H3_W5": ("loftr", {}),
    "hf_build2d__H3_W5_d16": ("transformers", {}),
    "hf_vit_mae_fresh_model_position_embeddings__3x3_d16": ("mae", {"class_rows": 1}),
    "hf_vit_mae_position_embeddings__3x3_d16": ("mae", {"class_rows": 1}),
    "mae_2d__3x3_d16_cls": ("mae", {"class_rows": 1}),
    "diffusers_2d_sincos__3x5_d16_base_matched": ("mae", {"spacing": (1 / 3, 1 / 5)}),
    "diffusers_2d_sincos__4x4_d16_default_base16": ("mae", {"spacing": (4, 4)}),
    "timm_sincos2d_rev0_il0__H3_W5_d16": ("timm", {}),
    "timm_sincos2d_rev0_il1__H3_W5_d16": ("transformers", {}),
    "timm_sincos2d_rev1_il0__H3_W5_d16": ("timm_reversed", {}),
    "timm_sincos2d_rev1_il1__H3_W5_d16": ("mae", {"listed": "columns"}),
    "positional_encodings_2d__3x5_d16": ("positional_encodings", {}),
    "t2t_nd__H3_W5_d16": ("tensor2tensor", {}),
}


def size(array: str) -> tuple[int, int]:
    shapes = {(4, 6, 16): (4, 6), (3, 5, 16): (3, 5), (15, 16): (3, 5)}
    shapes |= {(10, 16): (3, 3), (16, 16): (4, 4)}  # ten rows: one for the class token
    return shapes[ARRAYS[array].shape]


@pytest.mark.parametrize("array", RUN)
def test_each_grid_gives_the_librarys_table(array):
    name, options = RUN[array]
    grid = dataclasses.replace(GRIDS[name], **options)
    expected = ARRAYS[array].reshape(-1, 16)
    found = grid.table(size(array), 16)
    assert found.shape == expected.shape
    exact = ARRAYS[array].dtype == np.float64 and "base_matched" not in array
    tolerance = 1e-15 if exact else 1e-6  # diffusers divides these positions in float32
    assert np.abs(found - expected).max() <= tolerance
    if not options:
        points = grid_encoding(*size(array), 16, grid=name)
        points = points if grid.listed == "rows" else points.swapaxes(0, 1)
        assert np.array_equal(points.reshape(-1, 16), found)
    if name != "detr_normalized":
        assert np.array_equal(grid.encode(grid.positions((3, 2)), 16), grid.points((3, 2), 16))


def test_a_grid_takes_a_base_a_dtype_a_spacing_and_class_rows():
    axis = Convention(layout="halves", base=100)
    grid = Grid(axis=axis, spacing=(0.5, 2), class_rows=2)
    table = grid.table((2, 3), 8, dtype=np.float32)
    assert (table.shape, table.dtype) == ((8, 8), np.float32)
    assert not table[:2].any()
    last = np.concatenate([axis.encode(4, 4), axis.encode(0.5, 4)])
    assert np.array_equal(table[-1], last.astype(np.float32))
    shorthand = grid_encoding(2, 3, 8, base=100, spacing=(0.5, 2), dtype="f4")
    assert np.array_equal(shorthand.reshape(6, 8), table[2:])
    same = Grid(axis=axis, class_rows=np.int8(2), spacing=[np.float32(0.5), 2])
    assert same == grid
    assert type(same.spacing[0]) is float


@pytest.mark.parametrize("layout", sorted({layout for layout, _ in RUN.values()}))
def test_a_grid_may_be_empty_and_its_points_do_not_depend_on_its_size(layout):
    assert grid_encoding(0, 3, 8, grid=layout).shape == (0, 3, 8)
    assert grid_encoding(2, 0, 8, grid=layout).shape == (2, 0, 8)
    small, large = (grid_encoding(n, n + 1, 8, grid=layout) for n in (2, 5))
    assert np.array_equal(large[:2, :3], small) == (layout != "detr_normalized")


def test_the_last_point_of_a_normalized_grid_lies_at_a_turn_whatever_the_spacing():
    for start, spacing in ((1, (1, 1)), (0, (3, 0.5))):
        grid = Grid(axis=Convention(start=start), normalized=True, spacing=spacing)
        places = grid.positions((4, 6))
        assert places[-1, -1] == pytest.approx(2 * np.pi, rel=1e-5)
        steps = np.diff(places[:, 0, 0]), np.diff(places[0, :, 1])
        for along, count in zip(steps, (4, 6), strict=True):
            assert along == pytest.approx(2 * np.pi / (count - 1 + start), rel=1e-5)


TINY = Grid(axis=Convention(layout="halves", start=-1), normalized=True, spacing=(1e-6, 1e-6))


def grid(start, spacing=1):
    return Grid(axis=Convention(layout="halves", start=start), spacing=(spacing, spacing))


@pytest.mark.parametrize(
    ("made", "shape", "message"),
    [
        (grid(2**53), (2, 1), r"start \+ height must lie within ±2\*\*53, got 9007199254740994.0"),
        (grid(2**53), (1, 2), r"start \+ width must lie within ±2\*\*53, got 9007199254740994.0"),
        (grid(-10, 1e308), (10, 10), r"spacing must keep positions within float64, got 1e\+308"),
        (TINY, (1, 1), "spacing must not put the last position of a norm.* at -1e-6, got 1e-06"),
    ],
)
def test_positions_of_a_grid_that_float64_cannot_count_are_refused(made, shape, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        made.positions(shape)


def test_a_normalized_axis_does_not_divide_by_zero():
    assert TINY.positions((0, 3)).shape == (0, 3, 2)
    assert np.isfinite(TINY.positions((2, 3))).all()
    assert Grid(spacing=(1e308, 1)).positions((2, 3)).max() == 1e308


@given(st.sampled_from(sorted(GRIDS)), *(st.integers(1, 5) for _ in range(4)))
def test_parts_of_a_patch_lie_evenly_around_its_place(name, height, width, down, across):
    grid, old = GRIDS[name], (height, width)
    new = (height * down, width * across)
    places = grid.positions(new, like=old)
    parts = places.reshape(height, down, width, across, 2)
    np.testing.assert_allclose(parts.mean((1, 3)), grid.positions(old), rtol=1e-12, atol=1e-12)
    for axis, count in ((0, down), (1, across)) if not grid.normalized else ():
        steps = np.diff(places, axis=axis)[..., axis]
        plain = np.diff(grid.positions((2, 2)), axis=axis)[..., axis]
        np.testing.assert_allclose(steps * count, plain[0, 0], rtol=1e-12)
    table = grid.table(new, 8, like=old)
    assert np.array_equal(grid.points(new, 8, like=old), grid.encode(places, 8))
    assert sorted(table.tolist()) == sorted(grid.encode(places, 8).reshape(-1, 8).tolist())


def test_a_grid_like_itself_is_itself():
    grid = GRIDS["detr_normalized"]
    assert np.array_equal(grid.table((3, 4), 8, like=(3, 4)), grid.table((3, 4), 8))
    with pytest.raises(TypeError):
        GRIDS["mine"] = grid
