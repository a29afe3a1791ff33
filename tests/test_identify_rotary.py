"""`identify` recognises the caches of rotary encodings, and the tables of grids."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from posenc import GRIDS, Convention, Rotary, RotaryCache, identify
from posenc.identification._rules import Encoding
from posenc.rotary import NTK, Linear, Llama3, Proportional, YaRN
from tests.identify_cases import bfloat16
from tests.reference import ARRAYS

DATA = Path(__file__).parent / "data" / "rotary"
FORMS = {"half": "once", "cat": "halves", "repeat": "interleaved"}
PARTS = {"cos": "cos", "sin": "sin", "stack": "both", "cos|sin": "cos|sin", "sin|cos": "sin|cos"}
ENCODINGS = {
    "Llama 2": Rotary(64),
    "Llama 3.1": Rotary(128, base=500_000, scaling=Llama3(8)),
    "Llama 3.2": Rotary(64, base=500_000, scaling=Llama3(32)),
    "gpt-oss": Rotary(
        64,
        base=150_000,
        scaling=YaRN(32, original_max_position_embeddings=4096, truncate=False),
    ),
    "DeepSeek": Rotary(64, scaling=YaRN(40, original_max_position_embeddings=4096)),
    "linear": Rotary(64, scaling=Linear(8)),
    "NTK": Rotary(64, scaling=NTK(4)),
    "Gemma 4": Rotary(64, base=1_000_000, scaling=Proportional(0.25)),
    "an unusual base": Rotary(32, base=11_158_840),
}


def table(cache: RotaryCache, length: int = 4096) -> np.ndarray:
    return cache.table(length).astype(np.float32)


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("part", ["cos", "sin", "both", "cos|sin"])
def test_base_and_scaling_of_a_cache_are_found(name, part):
    form = "once" if part == "both" else "halves"
    cache = RotaryCache(rotary=ENCODINGS[name], part=part, form=form)
    match = identify(table(cache)).match
    assert match.convention == cache
    assert match.error < 1e-6


@pytest.mark.parametrize("dtype", [np.float32, np.float16])
@pytest.mark.parametrize("head", [64, 80, 128])
def test_a_usual_ntk_factor_comes_before_a_base_of_many_digits(head, dtype):
    """At a head of 128, the factor 4 makes a base of 40,889.9, for which 40,890 also fits."""
    for base, factor in product((10_000, 500_000, 1_000_000), (2, 4, 8, 16)):
        rotary = Rotary(head, base=base, scaling=NTK(factor))
        values = rotary.cosine_sine(np.arange(1024))[0].astype(dtype)
        assert identify(values).match.rotary == rotary
    for base in (20_000, 25_000, 160_000, 208_500, 3_500_000):
        values = Rotary(head, base=base).cosine_sine(np.arange(1024))[0].astype(dtype)
        assert identify(values).match.rotary == Rotary(head, base=base)


@pytest.mark.parametrize("form", ["once", "halves", "interleaved"])
def test_the_form_of_a_cache_is_found(form):
    layout = "interleaved" if form == "interleaved" else "halves"
    rotary = Rotary(64, base=500_000, layout=layout)
    for part in ("cos", "sin"):
        cache = RotaryCache(rotary=rotary, part=part, form=form)
        assert identify(table(cache, 300)).match.convention == cache
        rough = identify(bfloat16(table(cache, 300)))
        assert rough.match.convention == cache
        assert rough.tolerance == 2**-8


@pytest.mark.parametrize("part", ["cos", "sin", "both"])
def test_a_single_pair_gets_the_papers_base(part):
    cache = RotaryCache(rotary=Rotary(2), part=part, form="halves")
    assert identify(cache.table(30)).match.convention == cache


def test_cosines_and_sines_come_in_many_shapes():
    rotary = ENCODINGS["Llama 3.1"]
    cosines, sines = (part.astype(np.float32) for part in rotary.cosine_sine(np.arange(500)))
    expected = RotaryCache(rotary=rotary, part="both")
    for given in (
        rotary.phasors(np.arange(500)),
        rotary.phasors(np.arange(500)).astype(np.complex64)[np.newaxis, :, np.newaxis],
        {"cos_cached": cosines, "sin_cached": sines[np.newaxis, np.newaxis]},
        {"sin": sines, "cos": cosines},
        np.stack([cosines, sines]),
        np.stack([sines, cosines]),
        np.stack([cosines, sines], axis=-1),
    ):
        assert identify(given).match.convention == expected


@pytest.mark.parametrize("positions", [range(40), [*range(20), 30, 31, 32, 77]])
def test_sines_in_the_place_of_cosines_are_named(positions):
    cosines, sines = Rotary(64).cosine_sine(positions)
    right = identify({"cos": cosines, "sin": sines}).match
    for given in (
        {"cos": sines, "sin": cosines},
        {"sin": cosines, "cos": sines},
        np.stack([sines, cosines]),
        sines + 1j * cosines,
    ):
        match = identify(given).match
        assert match.convention == right.convention
        assert match.findings[:-1] == right.findings
        assert str(match.findings[-1]) == "the sines stand in the place of the cosines"


def test_a_cache_of_both_with_each_pair_once_is_a_convention_with_a_finding():
    cache = RotaryCache(rotary=Rotary(64), part="cos|sin")
    match = identify(table(cache)).match
    assert match.convention == Convention(layout="halves", order="cos_first")
    assert [found.code for found in match.findings] == ["rotary-too"]
    assert identify(Convention(freq_shift=1, layout="halves").table(9, 8)).match.findings == ()


def test_the_attention_factor_of_yarn_is_in_the_cache():
    scaling = YaRN(40, original_max_position_embeddings=4096, attention_factor=1.25)
    cache = RotaryCache(rotary=Rotary(64, scaling=scaling), form="halves")
    assert identify(table(cache)).match.convention == cache


@pytest.mark.parametrize("size", [0.001, 8.0])
@pytest.mark.parametrize("part", ["cos", "both"])
def test_the_error_of_a_cache_is_a_fraction_of_its_amplitude(part, size):
    cache = RotaryCache(rotary=Rotary(64), part=part, form="once")
    values = cache.table(100)
    values[..., -1, 0] -= 0.001
    match = identify(size * values, tolerance=0.002).match
    assert match.convention == replace(cache, amplitude=size)
    assert match.error == pytest.approx(0.001, rel=1e-6)


def divided(factors):
    """Cosines and sines of the paper's frequencies, each divided by one of `factors`."""
    speeds = 10_000 ** (-np.arange(len(factors)) / len(factors)) / factors
    angles = np.arange(300)[:, np.newaxis] * speeds
    return {"cos": np.cos(angles), "sin": np.sin(angles)}


@pytest.mark.parametrize("name", ["short_factor", "long_factor"])
def test_a_number_for_each_pair_is_listed_and_named_no_encoding(name):
    models = Path(__file__).parents[1] / "scripts" / "figures" / "data" / "rotary_models.json"
    held = json.loads(models.read_text("utf-8"))["models"]["Phi-3.5-mini"]["rope_scaling"][name]
    table = {key: 1.19 * part for key, part in divided(np.array(held)).items()}
    answer = identify(table)
    assert (answer.match, answer.nearest) == (None, None)
    assert [found.code for found in answer.findings] == ["waves", "divisors"]
    first = ", ".join(f"{factor:.6g}" for factor in held[:3])
    assert "are 1.19 long; " in str(answer.findings[1])
    assert f" divided by {first} and {len(held) - 3} more" in str(answer.findings[1])


@pytest.mark.parametrize("factors", [[2.5, 3, 4, 6], np.linspace(0.9, 3, 16), [2, 1.3, 1.6, 1]])
def test_divisors_of_longrope_begin_at_about_1_and_rise(factors):
    answer = identify(divided(np.array(factors)))
    assert not answer
    assert "divisors" not in [found.code for found in answer.findings]


def test_a_base_that_makes_later_pairs_faster_is_no_rotary_cache():
    assert not identify(np.cos(np.arange(64)[:, np.newaxis] * np.pi / 64 * 2.0 ** np.arange(5)))


def test_a_halved_table_of_base_1000_does_not_miss_its_cosines():
    cache, mistake = identify(Convention(layout="halves", base=1000).table(50, 32)).matches
    assert (cache.convention.part, cache.findings) == ("sin|cos", ())
    assert mistake.convention == Convention(layout="halves", base=1000)


def real_caches():
    """Caches of libraries with a list of positions: their name and description."""
    records = json.loads((DATA / "reference.json").read_text("utf-8"))["arrays"]
    for record in records:
        spec = record["spec"]
        # Two pairs do not tell a position beyond 10,000 from others.
        if record["spec_kind"] == "table" and "positions" in spec and spec["dim"] > 4:
            yield pytest.param(record["name"], spec, id=record["name"])


@pytest.fixture(scope="module")
def arrays():
    with np.load(DATA / "reference.npz") as held:
        yield dict(held)


@pytest.mark.parametrize(("name", "spec"), list(real_caches()))
def test_a_librarys_cache_is_recognised_though_its_rows_jump(arrays, name, spec):
    answer = identify(arrays[name])
    scaling = spec.get("scaling") or {"type": None}
    if scaling.get("inverted") or scaling["type"] == "longrope":  # a number for each pair
        assert not answer
        return
    found = answer.match.convention
    if isinstance(found, Convention):
        assert "rotary-too" in [finding.code for finding in answer.match.findings]
        return
    assert found.rotary.head_dim == spec["dim"]
    assert (found.form, found.part) == (FORMS[spec["form"]], PARTS[spec["part"]])
    kinds = {"linear": Linear, "dynamic": NTK, "llama3": Llama3, "yarn": YaRN}
    expected = kinds.get(scaling["type"])
    if scaling["type"] == "dynamic" and scaling["seq_len"] == scaling["max"]:
        expected = None
    assert type(found.rotary.scaling) is (expected or type(None))
    times = scaling["factor"] if scaling["type"] == "base_times" else 1
    assert found.rotary.base == spec["base"] * times
    if expected in (Linear, Llama3, YaRN):
        assert found.rotary.scaling.factor == scaling["factor"]


@pytest.mark.parametrize("base", [12_340, 8_765])
def test_a_round_base_is_found_in_rough_values(base):
    cosines, _ = Rotary(64, base=base).cosine_sine(np.arange(300))
    found = identify(cosines.astype(np.float16), tolerance=2e-3).match.convention
    assert found == RotaryCache(rotary=Rotary(64, base=base), part="cos")


@pytest.mark.parametrize("base", [1e4, 5e5, 1e6, 1.5e5, 1.6e5, 5e6, 1e7])
def test_a_base_that_models_have_is_found_in_rough_values(base):
    cache = RotaryCache(rotary=Rotary(64, base=base), form="halves")
    assert identify(bfloat16(table(cache, 100))).match.convention == cache


@pytest.mark.parametrize("values", Rotary(4).cosine_sine(np.arange(1, 30)))
def test_a_cache_of_two_pairs_is_recognised(values):
    found = identify(values).match.convention
    assert isinstance(found, RotaryCache)
    assert found.rotary == Rotary(4)


def test_rows_may_jump_where_some_pairs_never_turn():
    rotary = Rotary(8, scaling=Proportional(0.5))
    places = np.concatenate([np.arange(40), np.arange(100, 120)])
    match = identify(np.stack(rotary.cosine_sine(places))).match
    assert match.convention.rotary == rotary
    assert [found.code for found in match.findings] == ["jumps"]


def test_every_one_of_many_jumping_rows_is_placed():
    cache = RotaryCache(rotary=Rotary(64), part="both")
    places = np.concatenate([np.arange(30), 1000 + 7 * np.arange(60)])
    answer = identify(cache.at(places.astype(float)).astype(np.float32))
    assert answer.match.convention == cache
    assert str(answer.match.findings[0]) == (
        "its rows jump: row 30 is position 1000, row 31 is position 1007, row 32 is position 1014 "
        "and 57 more"
    )
    answer = identify(cache.at(places[:33].astype(float)).astype(np.float32))
    assert str(answer.match.findings[0]).endswith("row 32 is position 1014")
    places[29:32] = 1400, 1300, 1200  # rows that fall
    answer = identify(cache.at(places.astype(float)).astype(np.float32))
    assert answer.match.positions == tuple(places.tolist())


GRID_ARRAYS = {
    "hf_detr_plain__H4_W6_nf8": ("detr", 0, (4, 6)),
    "hf_detr_norm2pi__H4_W6_nf8": ("detr_normalized", 0, (4, 6)),
    "hf_build2d__H3_W5_d16": ("transformers", 0, (3, 5)),
    "hf_vit_mae_position_embeddings__3x3_d16": ("mae", 1, (3, 3)),
    "mae_2d__3x3_d16_cls": ("mae", 1, (3, 3)),
    "timm_sincos2d_rev0_il0__H3_W5_d16": ("timm", 0, (3, 5)),
    "timm_sincos2d_rev1_il0__H3_W5_d16": ("timm_reversed", 0, (3, 5)),
    "loftr_fixed__d16_H3_W5": ("loftr", 0, (3, 5)),
    "t2t_nd__H3_W5_d16": ("tensor2tensor", 0, (3, 5)),
    "positional_encodings_2d__3x5_d16": ("positional_encodings", 0, (3, 5)),
}


@pytest.mark.parametrize("array", GRID_ARRAYS)
def test_a_librarys_grid_is_recognised(array):
    name, class_rows, points = GRID_ARRAYS[array]
    answer = identify(ARRAYS[array])
    assert name in answer.match.libraries
    assert answer.match.convention.class_rows == class_rows
    assert answer.match.points == points
    assert answer.rows_ignored == tuple(range(class_rows))


TRAINED = {"original_max_position_embeddings": 64}
SCALINGS = {
    "none": None,
    "linear": Linear(3),
    "NTK": NTK(2),
    "Llama 3": Llama3(8, **TRAINED),
    "YaRN": YaRN(4, **TRAINED),
    "YaRN without a ramp": YaRN(4, beta_fast=1, beta_slow=1, truncate=False, **TRAINED),
    "proportional": Proportional(0.4),
}


@pytest.mark.parametrize("head_dim", [8, 64])
@pytest.mark.parametrize("scaling", SCALINGS.values(), ids=SCALINGS)
def test_the_quick_frequencies_of_candidates_are_those_of_the_encoding(scaling, head_dim):
    quick = Encoding(head_dim, 10_000.0, scaling).speeds()
    exact = Rotary(head_dim, scaling=scaling).frequencies()
    np.testing.assert_allclose(quick, exact, rtol=1e-14, atol=0)


@pytest.mark.parametrize(
    "scaling", [Llama3(3.7), YaRN(25, original_max_position_embeddings=4096)], ids=str
)
def test_a_factor_of_two_digits_that_no_model_has_is_found(scaling):
    cache = RotaryCache(rotary=Rotary(128, base=500_000, scaling=scaling))
    assert identify(cache.table(3000).astype(np.float32)).match.convention == cache


@pytest.mark.parametrize("name", GRIDS)
@pytest.mark.parametrize("class_rows", [0, 1])
def test_every_grid_is_found_with_and_without_a_row_for_a_class_token(name, class_rows):
    grid = replace(GRIDS[name], class_rows=class_rows)
    match = identify(grid.table((6, 8), 32).astype(np.float32)).match
    assert name in match.libraries
    assert match.convention.class_rows == class_rows
    assert [str(found) for found in match.findings] == [
        "a grid of 6 x 8 points",
        "the same table is a grid of 8 x 6 points listed column by column, as meshgrid's other"
        " indexing gives",
    ]


@pytest.mark.parametrize("size", [0.02, 30.0])
@pytest.mark.parametrize("spacing", [(1.0, 1.0), (0.5, 0.25)])
def test_the_amplitude_of_a_grid_is_measured(size, spacing):
    grid = replace(GRIDS["mae"], class_rows=0, spacing=spacing)
    found = identify(size * grid.table((5, 7), 32)).match.convention
    assert found.axis.amplitude == pytest.approx(size)
    assert found.spacing == spacing


@pytest.mark.parametrize("name", ["mae", "detr", "timm"])
def test_four_points_are_enough_for_a_grid(name):
    match = identify(GRIDS[name].table((2, 2), 32)).match
    assert (name in match.libraries, match.points) == (True, (2, 2))


def test_axes_of_a_grid_may_stand_apart_and_channels_may_come_first():
    points = GRIDS["detr"].points((5, 7), 16)
    for given in (points, np.moveaxis(points, 2, 0)[np.newaxis]):
        match = identify(given).match
        assert (match.libraries, match.points) == (("detr",), (5, 7))


@pytest.mark.parametrize("spacing", [(2.0, 2.0), (0.5, 0.25), (16 / 6, 16 / 8), (7.25 / 6, 0.5)])
def test_base_and_spacing_of_a_grid_are_found(spacing):
    grid = replace(GRIDS["mae"], spacing=spacing, axis=Convention(layout="halves", base=1000))
    for dtype in (np.float64, np.float32):
        assert identify(grid.table((6, 8), 32).astype(dtype)).match.convention == grid


@pytest.mark.parametrize("sizes", [(2, 7), (7, 2)])
def test_a_grid_with_an_axis_of_two_points_is_no_stack_of_cosines_and_sines(sizes):
    match = identify(GRIDS["mae"].points(sizes, 32)).match
    assert (match.convention, match.points) == (GRIDS["mae"], sizes)


def test_a_stretched_grid_is_found_though_its_steps_exceed_half_a_turn():
    found = identify(ARRAYS["diffusers_2d_sincos__4x4_d16_default_base16"]).match.convention
    assert found == replace(GRIDS["mae"], spacing=(4.0, 4.0))
