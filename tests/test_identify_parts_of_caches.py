"""`identify` recognises rows from the middle of a rotary cache, and names its near misses."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import Convention, Rotary, RotaryCache, identify
from posenc.identification._report import Report
from posenc.rotary import YaRN
from tests.identify_cases import bfloat16, changed, far_float32_cache
from tests.test_identify_rotary import ENCODINGS, table

PARTS = ["cos", "sin", "both", "cos|sin"]
LATER = {  # caches from the middle, for the page too
    f"{name}, {part}, from {start}": RotaryCache(
        rotary=rotary, part=part, form="once" if part == "both" else "halves", start=start
    )
    for (name, rotary), part, start in zip(
        ENCODINGS.items(), 3 * PARTS, [1, 7, 100, 5000, 100_000, 3, 64, 999, 20_000], strict=False
    )
}


@pytest.mark.parametrize("name", LATER)
def test_a_cache_from_the_middle_says_its_first_position(name):
    cache = LATER[name]
    match = identify(table(cache, 300)).match
    assert match.convention == cache
    assert [str(found) for found in match.findings] == [f"from row {int(cache.start)} of the table"]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", ENCODINGS)
def test_every_scaling_is_found_from_row_100(name, part):
    form = "interleaved" if part == "cos" else "halves"
    layout = "interleaved" if part == "cos" else "halves"
    rotary = replace(ENCODINGS[name], layout=layout)
    cache = RotaryCache(rotary=rotary, part=part, form=form, start=100)
    assert identify(table(cache, 128)).match.convention == cache


@pytest.mark.parametrize("factor", [2, 4, 8, 16, 32, 40, 64])
def test_usual_factors_are_found_where_slow_pairs_do_not_show_them(factor):
    scaling = YaRN(factor, original_max_position_embeddings=4096)
    rotary = Rotary(64, base=500_000, scaling=scaling, layout="interleaved")
    cache = RotaryCache(rotary=rotary, part="cos", form="interleaved", start=100)
    assert identify(table(cache, 128)).match.convention == cache


def test_sines_before_cosines_and_rough_values_are_read_from_the_middle_too():
    cache = RotaryCache(rotary=Rotary(64), part="sin|cos", form="halves", start=40)
    assert identify(table(cache, 200)).match.convention == cache
    both = RotaryCache(rotary=Rotary(64), part="both", start=40)
    assert identify(table(both, 200)[::-1]).match.convention == both
    assert identify(Rotary(64).phasors(np.arange(40, 240))).match.convention == both
    rough = identify(bfloat16(table(replace(cache, part="cos"), 200)))
    assert (rough.match.convention, rough.tolerance) == (replace(cache, part="cos"), 2**-8)


def test_a_cache_with_each_pair_once_stays_a_convention():
    match = identify(RotaryCache(rotary=Rotary(64), part="cos|sin", start=9).table(99)).match
    assert match.convention == Convention(layout="halves", order="cos_first", start=9)


def test_a_long_cache_with_float32_angles_begins_at_row_0():
    match = identify(far_float32_cache()).match
    assert match.convention == Convention(layout="halves", order="cos_first")
    assert 1e-3 < match.error < 1e-2
    assert [found.code for found in match.findings] == ["rotary-too"]


def test_a_cache_from_the_middle_keeps_its_amplitude():
    cache = RotaryCache(rotary=Rotary(64), part="cos", form="halves", start=40, amplitude=8)
    assert identify(table(cache, 200)).match.convention == cache


def test_a_table_from_the_middle_begins_at_start():
    cache = RotaryCache(rotary=Rotary(8), form="halves", start=5)
    assert np.array_equal(cache.table(4), replace(cache, start=0).table(9)[5:])
    with pytest.raises(ValueError, match="start must be finite, got nan"):
        RotaryCache(rotary=Rotary(8), start=np.nan)


_random = np.random.default_rng(2)
NAMES = ["Llama 2", "Llama 3.1", "gpt-oss", "Gemma 4", "linear"]
CACHES = {
    f"{name}, {part}": RotaryCache(
        rotary=ENCODINGS[name], part=part, form="once" if part == "both" else "halves"
    )
    for name, part in zip(NAMES, ["cos", "sin", "both", "cos|sin", "cos"], strict=True)
}
NEAR = {  # name: cache, table near it, code of the finding, rows and columns that do not fit
    **{
        f"{name}, a learned row": (
            *(cache, changed(table(cache, 256), (..., 7, slice(None)), 0.3)),
            *("other-rows", (7,), ()),
        )
        for name, cache in CACHES.items()
    },
    **{
        f"{name}, a learned column": (
            *(cache, changed(table(cache, 256), (..., 5), 0.3)),
            *("other-columns", (), (5,)),
        )
        for name, cache in CACHES.items()
    },
    **{
        f"{name}, noise": (
            *(cache, table(cache, 256) + 0.02 * _random.standard_normal(table(cache, 256).shape)),
            *("noise", (), ()),
        )
        for name, cache in CACHES.items()
        if cache.part != "sin"  # noise hides how slow sines turn
    },
}


@pytest.mark.parametrize("name", NEAR)
def test_a_near_miss_of_a_cache_says_what_does_not_fit(name):
    cache, given, code, rows, columns = NEAR[name]
    answer = identify(given)
    assert not answer
    near = answer.nearest
    assert [found.code for found in near.findings] == [code]
    assert (near.rows, near.columns) == (rows, columns)
    assert (near.convention.part, near.convention.form) == (cache.part, cache.form)
    if code != "noise":
        assert near.convention == cache
    assert near.convention.rotary.base == cache.rotary.base


def test_the_size_of_a_near_miss_is_a_fraction_of_the_cosines_with_their_attention_factor():
    rotary = Rotary(64, scaling=YaRN(32, original_max_position_embeddings=4096))
    cache = RotaryCache(rotary=rotary, form="halves")
    whole = table(cache, 200)
    near = identify(changed(whole, (150, 3), whole[150, 3] + 0.2)).nearest
    assert near.error == pytest.approx(0.2 / rotary.attention_factor(), rel=1e-6)


def test_a_near_miss_may_begin_in_the_middle():
    cache = RotaryCache(rotary=Rotary(64), form="halves", start=30)
    near = identify(changed(table(cache, 200), 150, 0.1)).nearest
    assert (near.convention, near.rows) == (cache, (150,))


def test_a_near_miss_is_told_from_its_last_rows_too():
    cache = RotaryCache(rotary=Rotary(32, base=500_000), form="halves")
    given = changed(table(cache, 400), slice(0, 150), 0.1)
    near = identify(given).nearest
    assert (near.convention, near.rows) == (cache, tuple(range(150)))


def test_the_report_of_a_near_miss_has_at_most_five_lines():
    _, given, *_ = NEAR["Llama 3.1, sin, a learned row"]
    lines = list(Report("pe.npy", given.shape, "float32", identify(given)).lines())
    assert len(lines) <= 5
    assert "nearest: a rotary cache: sines, each pair twice" in lines[1]
    assert "rows do not fit: 7" in lines[2]


def test_noise_and_ones_have_no_near_cache():
    noise = np.random.default_rng(3).standard_normal((2, 60, 32))
    assert identify(noise[0] + 1j * noise[1]).nearest is None
    assert identify(np.ones((60, 32))).nearest is None
