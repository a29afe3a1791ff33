"""`identify` recognises the rotary caches of images and videos."""

from __future__ import annotations

import json

import numpy as np
import pytest

from posenc import AxialCache, Convention, Grid, Rotary, identify
from posenc.identification._report import Report
from posenc.rotary import YaRN, axes
from tests.identify_cases import bfloat16
from tests.test_identify_rotary import DATA, FORMS, PARTS


def grid(*sizes: int, start: float = 0) -> np.ndarray:
    """Points of a grid, the last coordinate fastest."""
    lines = [start + np.arange(float(size)) for size in sizes]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(sizes))


def centres(height: int, width: int) -> np.ndarray:
    """Centres of patches between -1 and 1."""
    return (2 * grid(height, width) + 1) / [height, width] - 1


def text_with_image(text: int, sizes: tuple[int, int, int], after: int) -> np.ndarray:
    """Positions in Qwen2-VL of a text, an image that begins where it ends, and a text."""
    image = grid(*sizes, start=text)
    before, behind = np.arange(text), image.max() + 1 + np.arange(after)
    return np.concatenate([np.stack([before] * 3, 1), image, np.stack([behind] * 3, 1)])


QWEN2, QWEN3 = Rotary(128, base=1_000_000), Rotary(128, base=5_000_000)
FLUX = np.concatenate([np.zeros((64, 3)), grid(1, 16, 24)])
POINTS = {  # name: encoding as code, points, form, codes of the findings
    "FLUX": ("axes.blocks([16, 56, 56])", FLUX, "interleaved", ["points", "origin"]),
    "HunyuanVideo": (
        *("axes.blocks([16, 56, 56], base=256)", grid(4, 6, 8)),
        *("interleaved", ["points"]),
    ),
    "Pixtral": ("axes.pixtral(64)", grid(16, 16), "halves", ["points"]),
    "two columns of points": (
        "axes.blocks([32, 32], base=1230)",
        *(grid(12, 2), "interleaved", ["points"]),
    ),
    "six points": ("axes.blocks([32, 32], base=1230)", grid(3, 2), "interleaved", ["points"]),
    "counted from 1": ("axes.blocks([32, 32])", grid(5, 6, start=1), "interleaved", ["points"]),
    "Qwen2-VL, a longer text": (
        "axes.sections(Rotary(128, base=1000000, "
        "scaling=YaRN(4, original_max_position_embeddings=32768)), [16, 24, 24])",
        *(text_with_image(15, (1, 8, 10), 12), "halves", ["mixed"]),
    ),
    "Qwen3-VL, image": (
        "axes.sections(Rotary(128, base=5000000), [24, 20, 20], interleaved=True)",
        *(grid(1, 9, 8), "halves", ["points"]),
    ),
    "an odd number of pairs": (
        "axes.blocks([10, 10, 10])",
        *(grid(4, 5, 6), "interleaved", ["points"]),
    ),
    "Qwen3-VL, text": (
        "axes.sections(Rotary(128, base=5000000), [24, 20, 20], interleaved=True)",
        *(text_with_image(20, (3, 6, 8), 9), "halves", ["mixed"]),
    ),
}


EACH_PART = [
    *("cos", "both"),
    *(pytest.param(p, marks=pytest.mark.thorough) for p in ("sin", "sin|cos")),
]


def made(call: str, points: np.ndarray, part: str, form: str) -> AxialCache:
    """The cache of `points`, its encoding made by `call`."""
    rotary = eval(call, {"axes": axes, "Rotary": Rotary, "YaRN": YaRN})
    coordinates = tuple(map(tuple, points.tolist()))
    return AxialCache(rotary=rotary, made_by=call, coordinates=coordinates, part=part, form=form)


@pytest.mark.parametrize("part", EACH_PART)
@pytest.mark.parametrize("name", POINTS)
def test_a_cache_of_points_is_recognised(name, part):
    call, points, form, codes = POINTS[name]
    cache = made(call, points, part, form)
    match = identify(cache.table().astype(np.float32)).match
    assert (match.convention.part, match.convention.form) == (part, form)
    assert match.convention.made_by == call
    assert match.rotary == cache.rotary
    found = [found.code for found in match.findings if found.code != "in-turn"]
    assert found == codes
    assert match.error < 1e-6
    assert np.abs(match.convention.table() - cache.table()).max() < 1e-6


@pytest.mark.parametrize("size", [0.5, 1.25])
def test_a_text_with_an_image_is_read_at_any_amplitude(size):
    call, points, form, codes = POINTS["Qwen3-VL, text"]
    match = identify(size * made(call, points, "both", form).table()).match
    assert (match.convention.made_by, match.convention.amplitude) == (call, size)
    assert [found.code for found in match.findings] == codes


@pytest.mark.parametrize("size", [0.001, 8.0])
@pytest.mark.parametrize("name", ["FLUX", "Pixtral"])
def test_the_error_of_a_cache_of_points_is_a_fraction_of_its_amplitude(name, size):
    call, points, form, _ = POINTS[name]
    table = made(call, points, "cos", form).table()
    table[-1, 0] -= 0.001
    match = identify(size * table, tolerance=0.002).match
    assert match.convention.made_by == call
    assert match.error == pytest.approx(0.001, rel=1e-6)


@pytest.mark.parametrize("most", [10, 224, 256])
def test_a_usual_fastest_frequency_of_pixels_is_found_beyond_half_a_turn_from_point_to_point(most):
    call = f"axes.pixels(32, max_freq={most})"
    ends = 2 * grid(5, 5) / 4 - 1
    match = identify(made(call, ends, "both", "interleaved").table()).match
    assert match.convention.made_by == call


def test_sections_that_differ_in_a_slow_pair_are_told_apart_by_far_positions():
    call = "axes.sections(Rotary(64, base=10000000), [11, 11, 10], interleaved=True)"  # Qwen3.5
    for points in (text_with_image(900, (1, 12, 12), 9), grid(1, 12, 12, start=900)):
        match = identify(made(call, points, "both", "halves").table().astype(np.float32)).match
        assert match.convention.made_by == call


def test_complex_caches_and_offsets_of_an_image_are_read_too():
    points = grid(1, 12, 12, start=15)
    rotary = axes.sections(QWEN2, [16, 24, 24])
    match = identify(rotary.phasors(points)).match
    assert match.convention.coordinates == tuple(map(tuple, points.tolist()))
    assert str(match.findings[0]) == (
        "a grid of 12 x 12 points, from (15, 15, 15) in steps of (1, 1, 1)"
    )


def test_rough_values_of_points_are_read_with_a_larger_tolerance():
    cache = made("axes.pixtral(64)", grid(8, 12), "cos", "halves")
    answer = identify(bfloat16(cache.table()))
    assert (answer.match.convention.made_by, answer.tolerance) == (cache.made_by, 2**-8)


def test_a_usual_base_is_preferred_to_the_one_measured_in_rough_values():
    call, points, form, _ = POINTS["HunyuanVideo"]
    answer = identify(bfloat16(made(call, points, "cos", form).table()))
    assert answer.match.convention.made_by == call


def test_the_report_of_points_has_at_most_five_lines():
    call, points, form, _ = POINTS["FLUX"]
    table = made(call, points, "cos", form).table()
    lines = list(Report("pe.npy", table.shape, "float32", identify(table)).lines())
    assert len(lines) <= 5
    assert lines[0].endswith("each pair twice, side by side (interleaved), base 10,000")
    assert lines[1] == "  AxialCache(rotary=axes.blocks([16, 56, 56]), form='interleaved')"
    assert "after 64 rows at the origin" in lines[3]


RULES = {"pixtral", "blocks", "mrope_interleaved", "alternate", "pixel"}
OTHERS = {  # rows that the rules do not explain
    "hf/llama4/vision_freqs_ci": "a row of zeros for the class token ends it",
    "diffusers/lumina2/freqs_cis": "five points without a grid",
    "timm/cat_eva_ref16_half/embed": "steps of more than half a turn",
    "vit_pytorch/rvt/sin": "sines of three points, of which one is 0",
}


def real_points():
    records = json.loads((DATA / "reference.json").read_text("utf-8"))["arrays"]
    for record in records:
        spec = record["spec"]
        is_table = record["spec_kind"] == "table" and spec.get("rule") in RULES
        if is_table and record["name"] not in OTHERS:
            yield pytest.param(record["name"], spec, id=record["name"])


@pytest.mark.parametrize(("name", "spec"), list(real_points()))
def test_a_librarys_cache_of_points_is_recognised(name, spec):
    with np.load(DATA / "reference.npz") as held:
        table = held[name]
    found = identify(table).match.convention
    assert (found.part, found.form) == (PARTS[spec["part"]], FORMS[spec["form"]])
    names = {"mrope_interleaved": "axes.sections", "pixel": "axes.pixels"}
    assert found.made_by.startswith(names.get(spec["rule"], f"axes.{spec['rule']}"))
    if "dims" in spec:
        assert f"axes.blocks({spec['dims']}" in found.made_by
    if "sections" in spec:
        assert f"{spec['sections']}, interleaved=True" in found.made_by
    assert (
        np.abs(
            found.rotary.cosine_sine(spec["coords"])[0]
            - found.rotary.cosine_sine(found.coordinates)[0]
        ).max()
        < 1e-3
    )


@pytest.mark.parametrize("shape", [(6, 3), (3, 6), (4, 4)])
def test_the_table_of_a_grid_is_read_whichever_side_is_longer(shape):
    match = identify(Grid().table(shape, 32)).match
    assert (match.convention, match.points) == (Grid(), shape)


def test_many_rows_of_images_may_jump():
    points = text_with_image(20, (1, 6, 8), 20)
    for k in range(20):
        begin = points.max() + 4 + 7 * k % 37
        image = np.stack([np.zeros(6), np.arange(6) % 2, np.arange(6) % 3], axis=1)
        points = np.concatenate([points, begin + image])
    cache = np.stack(axes.sections(QWEN2, [16, 24, 24]).cosine_sine(points))
    found = identify(cache).match.convention
    assert np.abs(found.rotary.cosine_sine(found.coordinates) - cache).max() <= 1e-3


def test_a_plain_table_of_positions_is_no_cache_of_points():
    assert isinstance(identify(Convention().table(64, 32)).match.convention, Convention)
    assert identify(np.random.default_rng(0).standard_normal((64, 32))).match is None
