"""`identify` recognises the tables of grids, and the rotary caches of images, videos and texts."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from posenc import GRIDS, AxialCache, Convention, Grid, Rotary, identify
from posenc._output import code
from posenc.rotary import YaRN, axes
from tests import rotary_reference
from tests.identification_tables import points as grid
from tests.test_identify_rotary import FORMS, PARTS

LIMIT = 2.0**-10
_uniform = np.random.default_rng(5).uniform

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
STEPS = [(0.5, 0.25), (16 / 6, 16 / 8), (7.25 / 6, 0.5), (2.0, 2.0)]
MADE = [  # a grid, its sides and its width
    *((Grid(spacing=(0.5, 0.75)), sides, 8) for sides in ((2, 2), (2, 3), (3, 2))),
    *((replace(Grid(), spacing=(size / 4, size / 3)), (4, 3), 16) for size in (16, 32, 64, 128)),
    *((Grid(), sides, 32) for sides in ((6, 3), (3, 6), (4, 4))),
    *((replace(PLAIN, spacing=s, axis=replace(PLAIN.axis, base=1000)), (6, 8), 32) for s in STEPS),
    (replace(PLAIN, spacing=(4.0, 4.0)), (4, 4), 16),
    (GRIDS["positional_encodings"], (5, 7), 32),
]


@pytest.mark.parametrize(("made", "sides", "width"), MADE)
def test_spacing_base_and_sides_of_a_grid_are_found(made, sides, width):
    table = made.table(sides, width)
    match = identify(table).match
    assert (match.points, match.convention) == (sides, made)
    assert np.abs(match.table() - table).max() < 1e-6
    if made == GRIDS["positional_encodings"]:
        assert "positional_encodings" in match.libraries


@pytest.mark.parametrize(("size", "spacing"), [(0.02, (1.0, 1.0)), (30.0, (0.5, 0.25))])
def test_the_amplitude_of_a_grid_is_measured_also_in_noise_below_the_tolerance(size, spacing):
    made = replace(PLAIN, spacing=spacing).table((5, 7), 32)
    found = identify(size * made).match.convention
    assert found.axis.amplitude == pytest.approx(size)
    assert found.spacing == spacing
    match = identify(size * (Grid().table((5, 7), 32) + _uniform(-0.9e-3, 0.9e-3, (35, 32)))).match
    assert (match.points, "mae" in match.libraries) == ((5, 7), True)


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


@pytest.mark.parametrize("axes", ["xy", "yx"])
def test_a_librarys_grid_is_not_named_if_another_base_or_step_fits_better(axes):
    grid = Grid(axis=Convention(layout="halves", base=9999), axes=axes)
    match = identify(grid.table((7, 7), 64).astype(np.float32)).match
    assert (match.convention, match.libraries) == (grid, ())
    for step in (0.3337, 1 / 3, 1.6, 16 / 7 * (1 + 1.1e-6)):  # not quite a share of a usual size
        grid = Grid(spacing=(step, step), axes=axes)
        found = identify(grid.table((7, 9), 32)).match.convention
        assert found.spacing == pytest.approx((step, step), rel=1e-7)


def test_what_only_looks_like_a_grid_is_no_grid():
    table = Grid().table((4, 6), 16).reshape(4, 6, 16)
    two = [Grid(axis=Convention(layout="halves", base=b)).table((5, 7), 16) for b in (1000, 3000)]
    for given in (
        np.broadcast_to(table[:, :1], (4, 6, 16)).copy(),
        -table.reshape(24, 16),
        *(
            Grid().encode(np.stack(np.indices((6, 6)), axis=-1) * signs, 16).reshape(36, 16)
            for signs in ((1, -1), (-1, -1))
        ),
        np.concatenate([two[1][:, :8], two[0][:, 8:]], axis=1),
    ):
        match = identify(given).match
        assert not isinstance(match and match.convention, Grid)


# Caches of points


def centres(height: int, width: int) -> np.ndarray:
    """Centres of patches between -1 and 1."""
    return (2 * grid(height, width) + 1) / [height, width] - 1


def text_with_image(text: int, sizes: tuple[int, int, int], after: int) -> np.ndarray:
    """Positions in Qwen2-VL of a text, an image that begins where it ends, and a text."""
    image = grid(*sizes, start=text)
    before, behind = np.arange(text), image.max() + 1 + np.arange(after)
    return np.concatenate([np.stack([before] * 3, 1), image, np.stack([behind] * 3, 1)])


def made(
    call: str, points: np.ndarray, part: str = "both", form: str = "interleaved"
) -> AxialCache:
    """The cache of `points`, its encoding made by `call`."""
    rotary = eval(call, {"axes": axes, "Rotary": Rotary, "YaRN": YaRN})
    coordinates = tuple(map(tuple, points.tolist()))
    return AxialCache(rotary=rotary, made_by=call, coordinates=coordinates, part=part, form=form)


IMAGE, WIDE, IN_TURN = (
    *("axes.blocks([16, 16])", "axes.blocks([32, 32])"),
    "axes.sections(Rotary(128, base=5000000), [24, 20, 20], interleaved=True)",
)
SIDE_BY_SIDE = IN_TURN.replace("5000000", '5000000, layout="interleaved"')
LONGER = (
    "axes.sections(Rotary(128, base=1000000, "
    "scaling=YaRN(4, original_max_position_embeddings=32768)), [16, 24, 24])"
)
QWEN3_5 = "axes.sections(Rotary(64, base=10000000), [11, 11, 10], interleaved=True)"
ENDS, ENDS5 = 2 * grid(12, 12) / 11 - 1, 2 * grid(5, 5) / 4 - 1
BLOCKS, TEXT = "axes.blocks([16, 56, 56])", "a text, then points with several coordinates"


POINTS = [  # encoding as code, points, part, form and words
    *(
        (*one, "interleaved", "a grid of ")
        for one in (
            (BLOCKS[:-1] + ", base=256)", grid(4, 6, 8), "both"),  # HunyuanVideo
            (WIDE[:-1] + ", base=1230)", grid(12, 2), "both"),
            (WIDE[:-1] + ", base=1230)", grid(3, 2), "cos"),
            (IMAGE, grid(2, 2), "both"),
            (WIDE, grid(9, 11) + np.array([7, 30]), "sin"),
            ("axes.blocks([8, 8, 8])", grid(3, 4, 5)[:, ::-1], "both"),  # first coordinate fastest
            ("axes.blocks([10, 10, 10])", grid(4, 5, 6), "both"),
            ("axes.blocks([10, 12])", grid(5, 6), "both"),
            ("axes.blocks([4, 4], base=777)", grid(6, 7), "both"),
            *((f"axes.pixels(32, max_freq={most})", ENDS5, "both") for most in (224, 256)),
            *((f"axes.pixels(64, max_freq={most})", ENDS, "both") for most in (1.5, 3, 4)),
            (SIDE_BY_SIDE, grid(4, 8, 8), "cos"),
        )
    ),
    (
        *(BLOCKS, np.concatenate([np.zeros((64, 3)), grid(1, 16, 24)])),  # FLUX
        *("cos", "interleaved", "a grid of .* after 64 rows at the origin"),
    ),
    ("axes.pixtral(64)", grid(16, 16), "cos", "halves", "a grid of "),
    ("axes.pixtral(64, base=3000)", grid(9, 12), "both", "halves", "a grid of "),
    ("axes.dinov3(64, base=300)", centres(9, 12), "both", "halves", "a grid of "),
    (IN_TURN, grid(1, 9, 8), "cos", "halves", "a grid of "),
    # Sections that differ in a slow pair are told apart by far positions.
    (QWEN3_5, grid(1, 12, 12, start=900), "both", "halves", "a grid of "),
    (QWEN3_5, text_with_image(900, (1, 12, 12), 9), "both", "halves", TEXT),
    (LONGER, text_with_image(15, (1, 8, 10), 12), "both", "halves", TEXT),
    (IN_TURN, text_with_image(20, (9, 10, 8), 9), "both", "halves", TEXT),
]


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
    for size, cache in ((0.001, made(BLOCKS, grid(9, 6, 8), "cos")), (8, made(IMAGE, grid(6, 7)))):
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


M_ROPE = axes.sections(Rotary(128, base=1_000_000), [16, 24, 24])
STEPPED = [  # an encoding, its points, and the words about them
    *(
        (axes.blocks([32, 32]), grid(*sizes) * steps + [0, first],
         f"from (0, {first}) in steps of ({steps[0]:g}, {steps[1]:g})")
        for sizes, steps, first in (
            *(((6, 9), (0.5, 1.0), 20), ((6, 9), (0.25, 0.3), 0), ((6, 2), (0.5, 0.25), 0)),
            ((9, 11), (1, 1), 20),
        )
    ),
    *(  # of an image that is stretched to a usual size
        (axes.blocks([32, 32]), grid(*sizes) * size / sizes, "from (0, 0)")
        for size, sizes in ((16, (12, 14)), (32, (20, 28)))
    ),
    *(
        (M_ROPE, grid(1, 12, 12) + first, f"12 x 12 points, from {first} in steps of (1, 1, 1)")
        for first in ((15, 15, 15), (20, 15, 20), (15, 15, 22))
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rotary", "points", "words"), STEPPED)
def test_the_first_point_of_a_grid_and_its_steps_are_measured(rotary, points, words):
    match = identify(rotary.phasors(points)).match
    assert np.allclose(match.convention.coordinates, points, rtol=0, atol=1e-12)
    assert str(match.findings[0]).startswith("a grid of ")
    assert words in str(match.findings[0])


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
REAL = {
    name: record["spec"]
    for name, record in rotary_reference.RECORDS.items()
    if record["spec_kind"] == "table" and record["spec"].get("rule") in RULES and name not in OTHERS
}


ONCE = {  # one cache of each rule and form; `make thorough` takes them all
    tuple(REAL[name].get(key) for key in ("rule", "form")): name for name in REAL
}.values()


@pytest.mark.parametrize(
    "name", [pytest.param(one, marks=[pytest.mark.thorough] * (one not in ONCE)) for one in REAL]
)
def test_a_librarys_cache_of_points_is_recognised(name):
    spec = REAL[name]
    found = identify(rotary_reference.ARRAYS[name]).match.convention
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
    turns = np.tile([0.9, 0.31, 0.77, 0.05], 2)
    for table in (
        *(np.tile(np.repeat(once, 2, axis=1), (count, 1)) for count in (2, 3)),
        np.sin(np.repeat(grid(6, 7), 4, axis=1) * turns),
        made("axes.blocks([8, 8], base=1)", grid(6, 7)).table(),
        Convention().table(64, 32),
        np.random.default_rng(0).standard_normal((64, 32)),
    ):
        match = identify(table).match
        assert not isinstance(match and match.convention, AxialCache)
