"""Other schemes of relative positions, compared with libraries' outputs and with plain loops."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import posenc
from posenc import relative
from tests.reference import ARRAYS, positions

FOLDER = Path(__file__).parent / "data" / "relative"
RECORDS: dict[str, dict[str, Any]] = json.loads((FOLDER / "reference.json").read_text("utf-8"))[
    "arrays"
]
with np.load(FOLDER / "reference.npz") as _file:
    OUTPUTS = dict(_file)


def of_kind(kind: str) -> list[str]:
    return [name for name, record in RECORDS.items() if record["kind"] == kind]


@pytest.mark.parametrize("name", of_kind("alibi_slopes"))
def test_alibi_slopes_are_those_of_x_transformers(name):
    found = relative.alibi_slopes(RECORDS[name]["spec"]["heads"])
    assert found == pytest.approx(OUTPUTS[name], rel=1e-15)


@pytest.mark.parametrize("name", of_kind("t5_bucket") + of_kind("deberta_bucket"))
def test_buckets_are_those_of_the_libraries(name):
    distances, spec = OUTPUTS[f"{name}/distances"], RECORDS[name]["spec"]
    if RECORDS[name]["kind"] == "t5_bucket":
        found = relative.t5_buckets(distances, **spec)
    else:
        options = {"buckets": spec["buckets"], "max_distance": spec["max_position"]}
        found = relative.deberta_buckets(distances, **options)
    assert np.array_equal(found, OUTPUTS[name])
    if name == "hf/deberta_v2/bucket_256_512":
        assert np.array_equal(relative.deberta_buckets(distances), found)


@pytest.mark.parametrize("function", [relative.t5_buckets, relative.deberta_buckets])
def test_buckets_may_be_few_and_keep_the_shape_of_the_offsets(function):
    found = function([4, 5, -5, 0], buckets=8, max_distance=6).tolist()
    assert found == ([7, 7, 3, 0] if function is relative.t5_buckets else [4, 7, -7, 0])
    assert all(function(np.ones(shape, int)).shape == shape for shape in ((3, 1, 4), (), (0,)))


@pytest.mark.parametrize("shape", [(1, 1), (2, 3), (7, 7)])
def test_swin_indices_count_the_offsets_between_points(shape):
    height, width = shape
    points = [(y, x) for y in range(height) for x in range(width)]
    offsets = sorted({(y - v, x - u) for y, x in points for v, u in points})
    expected = [[offsets.index((y - v, x - u)) for v, u in points] for y, x in points]
    assert np.array_equal(relative.swin_indices(*shape), expected)


def test_swin_coordinates_follow_the_formula_of_swin_v2():
    found = relative.swin_coordinates(3, 5, trained=(4, 9))
    assert found.shape == (5, 9, 2)
    rows, columns = np.arange(-2, 3) * 8 / 3, np.arange(-4, 5) * 8 / 8
    scaled = np.stack(np.meshgrid(rows, columns, indexing="ij"), axis=-1)
    spaced = np.sign(scaled) * np.log2(np.abs(scaled) + 1) / 3
    np.testing.assert_allclose(found, spaced, atol=1e-15)
    whole = relative.swin_coordinates(8, 8, trained=(8, 8))
    assert np.array_equal(relative.swin_coordinates(8, 8), whole)


SHIFTED = {"order": "sin_first", "freq_shift": 1}


@pytest.mark.parametrize(
    ("array", "options"),
    [
        ("diffusers_timestep_sd_t999_981_1__d320", {}),
        ("ddpm_lucidrains__L16_d8", SHIFTED),
        ("diffusers_timestep_scale1000__L16_d8", {**SHIFTED, "scale": 1000}),
    ],
)
def test_time_steps_are_those_of_the_libraries(array, options):
    expected = ARRAYS[array]
    found = posenc.time_steps(positions(array), expected.shape[1], **options)
    furthest = positions(array).max() * options.get("scale", 1)
    assert np.abs(found - expected).max() <= 1e-6 + furthest * 2.0**-23
    odd = posenc.time_steps([3.5], 7, dtype="f4", **options)
    assert odd.dtype == np.float32
    assert odd[0, 6] == 0
    base = posenc.time_steps(3, 4, base=100)  # the second pair turns by 0.1
    assert base == pytest.approx([math.cos(3), math.cos(0.3), math.sin(3), math.sin(0.3)])
