"""`identify` recognises the tables of grids, and the rotary caches of images, videos and texts."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from posenc import GRIDS, AxialCache, Convention, Grid, Rotary, identify
from posenc._output import code
from posenc.rotary import YaRN, axes
from tests.identify_cases import points as grid
from tests.identify_cases import text_with_image
from tests.test_identify_rotary import FORMS, PARTS, each

LIMIT = 2.0**-10

# Grids


@pytest.mark.parametrize("name", GRIDS)
def test_every_grid_is_found_with_and_without_a_row_for_a_class_token(name):
    for rows in (0, 1):
        made = replace(GRIDS[name], class_rows=rows)
        answer = identify(made.table((4, 5), 16).astype(np.float32))
        match = answer.match
        assert (name in match.libraries, match.points) == (True, (4, 5))
        assert (match.convention.class_rows, answer.rows_ignored) == (rows, tuple(range(rows)))
        assert str(match.findings[0]) == "a grid of 4 x 5 points"


PLAIN = replace(GRIDS["mae"], class_rows=0)
LARGE = replace(PLAIN, axis=replace(PLAIN.axis, amplitude=30.0), spacing=(0.5, 0.25))
MADE = [  # a grid, its sides and its width
    *((Grid(spacing=(0.5, 0.75)), sides, 8) for sides in ((2, 3), (3, 2))),
    *((replace(Grid(), spacing=(size / 4, size / 3)), (4, 3), 16) for size in (16, 64)),
    *((Grid(), sides, 32) for sides in ((6, 3), (3, 6))),
    (replace(PLAIN, spacing=(16 / 6, 2.0), axis=replace(PLAIN.axis, base=1000)), (6, 8), 32),
    (replace(PLAIN, axis=replace(PLAIN.axis, amplitude=0.02)), (5, 7), 32),
    (LARGE, (5, 7), 32),
]


@pytest.mark.parametrize(("made", "sides", "width"), MADE)
def test_spacing_base_amplitude_and_sides_of_a_grid_are_found(made, sides, width):
    table = made.table(sides, width)
    match = identify(table).match
    size = match.convention.axis.amplitude
    assert size == pytest.approx(made.axis.amplitude)
    exact = replace(match.convention, axis=replace(match.convention.axis, amplitude=1.0))
    assert (match.points, exact) == (sides, replace(made, axis=replace(made.axis, amplitude=1.0)))
    assert np.abs(match.table() - table).max() < 1e-6 * size


def test_the_tolerance_of_a_grid_includes_its_limit_and_counts_twice_between_neighbours():
    table = Grid().table((5, 7), 32)
    assert table[0, 31] == 1
    table[0, 31] -= LIMIT
    match = identify(table, tolerance=LIMIT).match
    assert (match.error, "mae" in match.libraries) == (LIMIT, True)
    assert not identify(table, tolerance=0.999 * LIMIT)
    table = Grid().table((5, 7), 32)
    table[[0, 1, 7]] += np.array([[0.95e-3], [-0.95e-3], [-0.95e-3]])
    assert "mae" in identify(table).match.libraries
    fitted = Grid(axis=Convention(base=10_050), axes="yx")  # before libraries that fit less
    match = identify(fitted.table((5, 7), 32), tolerance=0.01).match
    assert (match.convention, match.libraries) == (fitted, ("positional_encodings",))


def test_a_librarys_grid_is_not_named_if_another_base_or_step_fits_better():
    grid = Grid(axis=Convention(layout="halves", base=9999))
    match = identify(grid.table((7, 7), 64).astype(np.float32)).match
    assert (match.convention, match.libraries) == (grid, ())
    for step in (0.3337, 16 / 7 * (1 + 1.1e-6)):  # not quite a share of a usual size
        grid = Grid(spacing=(step, step), axes="yx")
        found = identify(grid.table((7, 9), 32)).match.convention
        assert found.spacing == pytest.approx((step, step), rel=1e-7)


def test_what_only_looks_like_a_grid_is_no_grid():
    table = Grid().table((4, 6), 16).reshape(4, 6, 16)
    falling = Grid().encode(np.stack(np.indices((6, 6)), axis=-1) * [1, -1], 16)
    two = [Grid(axis=Convention(layout="halves", base=b)).table((5, 7), 16) for b in (1000, 3000)]
    for given in (
        np.broadcast_to(table[:, :1], (4, 6, 16)).copy(),
        -table.reshape(24, 16),
        falling.reshape(36, 16),
        np.concatenate([two[1][:, :8], two[0][:, 8:]], axis=1),
    ):
        match = identify(given).match
        assert not isinstance(match and match.convention, Grid)


# Caches of points


def made(
    call: str, points: np.ndarray, part: str = "both", form: str = "interleaved"
) -> AxialCache:
    """The cache of `points`, its encoding made by `call`."""
    rotary = eval(call, {"axes": axes, "Rotary": Rotary, "YaRN": YaRN})
    coordinates = tuple(map(tuple, points.tolist()))
    return AxialCache(rotary=rotary, made_by=call, coordinates=coordinates, part=part, form=form)


IMAGE, WIDE, VIDEO = (f"axes.blocks([{sizes}])" for sizes in ("16, 16", "32, 32", "16, 56, 56"))
IN_TURN = "axes.sections(Rotary(128, base=5000000), [24, 20, 20], interleaved=True)"
SIDE_BY_SIDE = IN_TURN.replace("5000000", '5000000, layout="interleaved"')
QWEN2 = "axes.sections(Rotary(128, base=1000000), [16, 24, 24])"
LONGER = QWEN2.replace("000)", "000, scaling=YaRN(4, original_max_position_embeddings=32768))")
QWEN3_5 = "axes.sections(Rotary(64, base=10000000), [11, 11, 10], interleaved=True)"
CENTRES = (2 * grid(9, 12) + 1) / [9, 12] - 1
ENDS, GRID = 2 * grid(12, 12) / 11 - 1, "a grid of "
TEXT = "a text, then points with several coordinates"


POINTS = [  # encoding as code, points, part, form and words
    *(
        (*one, "interleaved", GRID)
        for one in (
            (VIDEO[:-1] + ", base=256)", grid(4, 6, 8), "both"),  # HunyuanVideo
            (WIDE[:-1] + ", base=1230)", grid(3, 2), "cos"),
            (IMAGE, grid(2, 2), "both"),
            ("axes.blocks([8, 8, 8])", grid(3, 4, 5)[:, ::-1], "both"),  # first coordinate fastest
            ("axes.blocks([10, 12])", grid(5, 6), "both"),
            ("axes.blocks([4, 4], base=777)", grid(6, 7), "both"),
            ("axes.alternate(64)", grid(8, 11), "sin|cos"),
            *((f"axes.pixels(64, max_freq={most})", ENDS, "both") for most in (1.5, 4, 256)),
            (SIDE_BY_SIDE, grid(4, 8, 8), "cos"),
        )
    ),
    (
        *(VIDEO, np.concatenate([np.zeros((64, 3)), grid(1, 16, 24)])),  # FLUX
        *("cos", "interleaved", "a grid of .* after 64 rows at the origin"),
    ),
    ("axes.pixtral(64, base=3000)", grid(9, 12), "both", "halves", GRID),
    ("axes.dinov3(64, base=300)", CENTRES, "both", "halves", GRID),
    (IN_TURN, grid(1, 9, 8), "cos", "halves", GRID),
    *(
        (f"axes.sections(Rotary({2 * sum(pairs)}), {pairs}, interleaved=True)",
         grid(*(9, 8, 6)[: len(pairs)], start=50), "both", "halves", GRID)
        for pairs in ([20, 7, 5], [7, 7, 6], [15, 9])  # none of the usual ones
    ),
    # Sections that differ in a slow pair are told apart by far positions.
    (QWEN3_5, grid(1, 12, 12, start=900), "both", "halves", GRID),
    (QWEN3_5, text_with_image(900, (1, 12, 12), 9), "both", "halves", TEXT),
    (LONGER, text_with_image(15, (1, 8, 10), 12), "both", "halves", TEXT),
    (IN_TURN, text_with_image(20, (9, 10, 8), 9), "both", "halves", TEXT),
    *(
        (WIDE, grid(*sizes) * steps + [0, first], "sin", "interleaved",
         rf"{GRID}.*from \(0, {first}\) in steps of \({steps[0]:g}, {steps[1]:g}\)")
        for sizes, steps, first in (((6, 9), (0.25, 0.3), 20), ((9, 11), (1, 1), 30))
    ),
    # An image that is stretched to a usual size.
    (WIDE, grid(20, 28) * 32 / [20, 28], "both", "interleaved", rf"{GRID}.*from \(0, 0\)"),
    *(
        (QWEN2, grid(1, 12, 12) + first, "both", "halves",
         re.escape(f"{GRID}12 x 12 points, from {first} in steps of (1, 1, 1)"))
        for first in ((15, 15, 15), (20, 15, 20))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("call", "points", "part", "form", "words"), POINTS)
def test_a_cache_of_points_is_recognised(call, points, part, form, words):
    cache = made(call, points, part, form)
    table = cache.table().astype(np.float32)
    match = identify(table).match
    found = match.convention
    assert (found.part, found.form, found.made_by) == (part, form, call)
    assert match.rotary == cache.rotary
    assert np.allclose(found.coordinates, points, rtol=0, atol=1e-5)
    assert re.match(words, " ".join(map(str, match.findings)))
    assert code(found).count(f"rotary={call}") == 1
    assert np.abs(match.table() - table).max() < 1e-6


def test_the_error_of_a_cache_of_points_is_a_fraction_of_its_amplitude():
    for size, cache in ((0.001, made(VIDEO, grid(9, 6, 8), "cos")), (8, made(IMAGE, grid(6, 7)))):
        table = size * cache.table()
        table[..., -1, 0] -= 0.001 * size
        match = identify(table, tolerance=0.002).match
        assert (match.convention.amplitude, match.error) == pytest.approx((size, 0.001), rel=1e-3)


def test_the_tolerance_of_a_cache_of_points_includes_its_limit():
    call, points = "axes.blocks([8, 8, 8])", grid(3, 4, 5)
    table = made(call, points, "cos").table()
    (row,) = np.flatnonzero((points == [0, 2, 2]).all(axis=1))  # on none of the first lines
    table[row, 0] -= LIMIT
    match = identify(table, tolerance=LIMIT).match
    assert (match.convention.made_by, match.error) == (call, LIMIT)
    assert not identify(table, tolerance=np.nextafter(LIMIT, 0))
    table = made(IMAGE, grid(6, 7)).table()
    table += np.random.default_rng(4).uniform(-9e-4, 9e-4, table.shape)
    assert identify(table, tolerance=0.002).match.convention.made_by == IMAGE
    assert identify(table, tolerance=np.nextafter(0.002, 0)).match is None


def test_a_text_takes_the_sections_that_fit_best():
    call = "axes.sections(Rotary(64, base=1000000), [11, 11, 10], interleaved=True)"
    points = text_with_image(20, (1, 12, 12), 9)
    others = axes.sections(Rotary(64, base=1_000_000), [12, 10, 10], interleaved=True)
    table = made(call, points, "both", "once").table()
    assert np.abs(np.stack(others.cosine_sine(points)) - table).max() < 1e-4  # these fit too
    for size in (1.0, 1.25):
        found = identify(size * table).match.convention
        assert (found.made_by, found.amplitude) == (call, size)


RULES = {"pixtral", "blocks", "mrope_interleaved", "alternate", "pixel"}
OTHERS = {  # rows that the rules do not explain
    "hf/llama4/vision_freqs_ci": "a row of zeros for the class token ends it",
    "diffusers/lumina2/freqs_cis": "five points without a grid",
    "timm/cat_eva_ref16_half/embed": "steps of more than half a turn",
    "vit_pytorch/rvt/sin": "sines of three points, of which one is 0",
}


def has_points(name, spec):
    return spec.get("rule") in RULES and name not in OTHERS


@each(has_points, "rule", "form")
def test_a_librarys_cache_of_points_is_recognised(values, spec):
    found = identify(values).match.convention
    assert (found.part, found.form) == (PARTS[spec["part"]], FORMS[spec["form"]])
    names = {"mrope_interleaved": "axes.sections", "pixel": "axes.pixels"}
    assert found.made_by.startswith(names.get(spec["rule"], f"axes.{spec['rule']}"))
    if "dims" in spec:
        assert f"axes.blocks({spec['dims']}" in found.made_by
    if "sections" in spec:
        assert f"{spec['sections']}, interleaved=True" in found.made_by
    places = spec["coords"], found.coordinates
    one, other = (found.rotary.cosine_sine(points)[0] for points in places)
    assert np.abs(one - other).max() < 1e-3


def test_what_only_looks_like_points_is_no_cache_of_points():
    once = Rotary(16, base=777, layout="interleaved").cosine_sine(np.arange(12))[0]
    turns, random = np.tile([0.9, 0.31, 0.77, 0.05], 2), np.random.default_rng(0)
    by_chance = text_with_image(12, (1, 7, 9), 8)[:, random.integers(0, 3, 32)]
    angles = by_chance * Rotary(64).frequencies()
    for table in (
        np.tile(np.repeat(once, 2, axis=1), (2, 1)),
        np.sin(np.repeat(grid(6, 7), 4, axis=1) * turns),
        made("axes.blocks([8, 8], base=1)", grid(6, 7)).table(),
        np.stack([np.cos(angles), np.sin(angles)]),  # of axes that follow no rule
        random.standard_normal((64, 32)),
    ):
        match = identify(table).match
        assert not isinstance(match and match.convention, AxialCache)
