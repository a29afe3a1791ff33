"""`identify` recognises rotary caches, their inverse frequencies, and what happened to them.

tests/identification_tables.py has caches of every scaling, part, form and first position.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from posenc import Convention, Rotary, RotaryCache, identify
from posenc import __main__ as command
from posenc.rotary import NTK, DynamicNTK, Linear, Llama3, LongRoPE, Proportional, YaRN
from tests import rotary_reference
from tests.identification_tables import a_rule, pick, powers, rounded, yarn
from tests.identify_cases import bfloat16, changed, far_float32_cache

FORMS = {"half": "once", "cat": "halves", "repeat": "interleaved"}
PARTS = {"cos": "cos", "sin": "sin", "stack": "both", "cos|sin": "cos|sin", "sin|cos": "sin|cos"}
ENCODINGS = {
    "Llama 2": Rotary(64),
    "Llama 3.1": Rotary(128, base=500_000, scaling=Llama3(8)),
    "gpt-oss": Rotary(
        64,
        base=150_000,
        scaling=YaRN(32, original_max_position_embeddings=4096, truncate=False),
    ),
    "Gemma 4": Rotary(64, base=1_000_000, scaling=Proportional(0.25)),
}


def table(cache: RotaryCache, length: int = 4096) -> np.ndarray:
    return cache.table(length).astype(np.float32)


def codes(findings) -> list[str]:
    return [found.code for found in findings]


def told(**arrays):
    """The lines of the command about the tables among these arrays."""
    found = command.reports(iter(arrays.items()), "file", None)
    return [line for one in found for line in one.lines()]


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("base", [10_000, 10_001, 500_000])
def test_a_ramp_that_rounding_does_not_explain_is_no_match(base, dtype):
    """A base of 10,001 is within the usual tolerance of one of 10,000."""
    for kind in (Llama3(8), YaRN(4, original_max_position_embeddings=4096, attention_factor=1)):
        rotary = Rotary(32, base=base, scaling=kind)
        values = rotary.cosine_sine(np.arange(128))[0].astype(dtype)
        answer = identify(values)
        if base == 10_001:
            assert not answer
            assert codes(answer.nearest.findings) == ["loose"]
            assert ": near a rotary cache" in told(file=values)[0]
            assert identify(values, tolerance=1e-3)  # somebody who allows as much gets it
        else:
            assert answer.match.rotary == rotary


def turning(frequencies, length=256):
    """Cosines and sines, each pair twice in halves."""
    angles = np.outer(np.arange(length), frequencies)
    return np.stack([np.tile(np.cos(angles), 2), np.tile(np.sin(angles), 2)])


LLAMA_4 = Rotary(128, base=500_000, scaling=Llama3(16, high_freq_factor=1))
_COSINES, _SINES = turning(powers(500_000, 16))
_BESIDE = np.random.default_rng(0).standard_normal((256, 1))
_STAY = np.ones((256, 32)), np.zeros((256, 32))
FOUND_AFTER_EDITS = {
    "Llama 4": (turning(LLAMA_4.frequencies()), LLAMA_4, ""),
    "transposed": (_COSINES.T, Rotary(32, base=500_000), "transpose the table"),
    "transposed, both": (np.stack([_COSINES.T, _SINES.T]), Rotary(32, base=500_000), "transpose"),
    "ones after it": (np.hstack([_COSINES, _STAY[0]]), Rotary(32, base=500_000), "out.*: 32-63"),
    "ones and zeros": (
        np.stack([np.hstack([_COSINES, _STAY[0]]), np.hstack([_SINES, _STAY[1]])]),
        Rotary(32, base=500_000),
        "out.*: 32-63",
    ),
    "a column after it": (np.hstack([_COSINES, _BESIDE]), Rotary(32, base=500_000), "out.*: 32"),
    "a column before": (np.hstack([_BESIDE, _COSINES]), Rotary(32, base=500_000), "out.*: 0"),
}


@pytest.mark.parametrize("name", FOUND_AFTER_EDITS)
def test_a_cache_is_found_transposed_and_beside_other_columns(name):
    values, rotary, words = FOUND_AFTER_EDITS[name]
    match = identify(values.astype(np.float32)).match
    assert match.rotary == rotary
    assert re.search(words, " ".join(map(str, (*match.mistakes, *match.findings))))
    assert np.abs(match.table() - values).max() < 1e-6


def test_features_that_stay_beside_those_of_a_scaled_base_do_not_make_a_huge_one():
    """A base of 1e18 fits to within the tolerance."""
    angles = np.outer(np.arange(1500), np.append(powers(1_000_000, 32) / 4, np.zeros(64)))
    answer = identify(np.exp(1j * angles).astype(np.complex64))
    assert answer.match.rotary == Rotary(64, base=1_000_000, scaling=Linear(4))


@pytest.mark.parametrize("step", [2 * np.pi, 6.28])
def test_positions_in_equal_steps_are_not_called_uncounted(step):
    angles = np.outer(step * np.arange(100), powers(10_000, 32))
    (found,) = identify(np.tile(np.cos(angles), 2)).match.findings
    last = f"{99 * step:.4g}"
    assert str(found) == (
        f"its rows are positions or times in equal steps of {step:.4g}, from 0 to {last}"
    )


def test_no_rounding_is_named_that_changes_no_position():
    """float16 holds whole numbers to 2,048."""
    rotary = Rotary(32, base=123_456, scaling=NTK(4))
    both = rotary.cosine_sine(np.arange(512))
    (match, *_) = identify((both[0] + 1j * both[1]).astype(np.complex64)).matches
    assert "rounded" not in codes(match.findings)


@pytest.mark.parametrize(("turned", "head", "base"), [(32, 128, 10_000), (64, 128, 500_000)])
def test_features_that_stay_beside_a_usual_base_do_not_make_an_unusual_one(turned, head, base):
    own = Rotary(turned, base=base).frequencies()
    frequencies = np.concatenate([own, np.zeros((head - turned) // 2)])
    cosines = np.cos(np.outer(np.arange(200), frequencies)).repeat(2, axis=1)
    words = f"{turned} features turn by base {base:,}, beside {head - turned} that stay or hardly"
    assert f": {words} turn; a rotary cache" in told(file=cosines)[0]
    assert f": {words} turn; the inverse frequencies" in told(inv_freq=frequencies)[0]


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


TWO_DIGITS = Llama3(3.7), YaRN(25, original_max_position_embeddings=4096)
ATTENTION = YaRN(40, original_max_position_embeddings=4096, attention_factor=1.25)
HALVES = RotaryCache(rotary=Rotary(64), form="halves")
SLOW = RotaryCache(rotary=Rotary(64, base=5e5, layout="interleaved"), form="interleaved", start=100)
FACTORS = [YaRN(one, original_max_position_embeddings=4096) for one in (2, 4, 8, 16, 32, 40, 64)]
FOUND = [  # caches that no table of the generated ones is like, and their number of rows
    # A usual factor is found where slow pairs do not show it.
    *((replace(SLOW, rotary=replace(SLOW.rotary, scaling=one)), 128) for one in FACTORS),
    *((RotaryCache(rotary=Rotary(2), part=part, form="halves"), 30) for part in ("cos", "both")),
    *((RotaryCache(rotary=Rotary(128, base=5e5, scaling=one)), 3000) for one in TWO_DIGITS),
    (RotaryCache(rotary=Rotary(64, scaling=ATTENTION), form="halves"), 2048),
    *(
        (
            replace(HALVES, rotary=Rotary(64, base=base, scaling=Proportional(0.25)), part="both"),
            200,
        )
        for base in (98_765, 1_234_567)
    ),
    (replace(HALVES, start=40, part="sin|cos"), 200),
]


@pytest.mark.parametrize(("cache", "length"), FOUND)
def test_an_unusual_cache_is_found_exactly(cache, length):
    match = identify(table(cache, length)).match
    assert match.convention == cache
    assert match.table().shape == cache.table(length).shape


def test_rough_values_show_a_round_base_and_how_fast_a_slow_pair_turns():
    for base in (12_340, 8_765):
        cosines, _ = Rotary(64, base=base).cosine_sine(np.arange(300))
        found = identify(cosines.astype(np.float16), tolerance=2e-3).match.convention
        assert found == RotaryCache(rotary=Rotary(64, base=base), part="cos")
    slow = RotaryCache(rotary=Rotary(4, base=150_000))
    match = identify(slow.table(16).round(3)).match
    assert (match.convention, match.error <= 5e-4) == (slow, True)
    cosines = replace(HALVES, start=40)
    rough = identify(bfloat16(table(cosines, 200)))
    assert (rough.match.convention, rough.tolerance) == (cosines, 2**-8)


def test_a_small_tolerance_allows_for_no_float32_angles():
    rotary = Rotary(64, base=500_000)
    places = np.arange(1e5, 1e5 + 400, dtype=np.float32)[:, np.newaxis]
    angles = places * rotary.frequencies().astype(np.float32)
    cache = np.cos(np.concatenate([angles, angles], axis=1))
    answer = identify(cache)
    assert answer.match.convention.rotary == rotary
    assert answer.match.error > answer.tolerance == 1e-3
    assert not identify(cache, tolerance=5e-4)
    match = identify(far_float32_cache()).match
    assert match.convention == Convention(layout="halves", order="cos_first")
    assert 1e-3 < match.error < 1e-2
    assert codes(match.findings) == ["rotary-too"]


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
    for start in (0, 9):
        match = identify(
            RotaryCache(rotary=Rotary(64), part="cos|sin", start=start).table(99)
        ).match
        assert match.convention == Convention(layout="halves", order="cos_first", start=start)
        assert "rotary-too" in codes(match.findings)
    assert identify(Convention().table(20, 8)).match.rotary is None
    assert identify(Convention(freq_shift=1, layout="halves").table(9, 8)).match.findings == ()


@pytest.mark.parametrize(("part", "size"), [("cos", 0.001), ("both", 8.0)])
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
    assert codes(answer.findings) == ["waves", "divisors"]
    first = ", ".join(f"{factor:.6g}" for factor in held[:3])
    assert "are 1.19 long; " in str(answer.findings[1])
    assert f" divided by {first} and {len(held) - 3} more" in str(answer.findings[1])
    for factors in (
        [2.5, 3, 4, 6],
        np.linspace(0.9, 3, 16),
        [2, 1.3, 1.6, 1],
    ):  # LongRoPE's begin at about 1 and rise
        answer = identify(divided(np.array(factors)))
        assert (answer.match, "divisors" in codes(answer.findings)) == (None, False)


def test_a_base_that_makes_later_pairs_faster_is_no_rotary_cache():
    assert not identify(np.cos(np.arange(64)[:, np.newaxis] * np.pi / 64 * 2.0 ** np.arange(5)))


# Rows that jump, and what rounding leaves


def real_caches():
    """Caches of libraries with a list of positions, at once the first of each kind."""
    kinds = set()
    for name, record in rotary_reference.RECORDS.items():
        spec = record["spec"]
        # Two pairs do not tell a position beyond 10,000 from others.
        if record["spec_kind"] == "table" and "positions" in spec and spec["dim"] > 4:
            kind = (spec.get("scaling") or {}).get("type"), spec["form"], spec["part"]
            marks = [pytest.mark.thorough] * (kind in kinds)
            kinds.add(kind)
            yield pytest.param(name, spec, id=name, marks=marks)


@pytest.mark.parametrize(("name", "spec"), list(real_caches()))
def test_a_librarys_cache_is_recognised_though_its_rows_jump(name, spec):
    answer, made = identify(rotary_reference.ARRAYS[name]), rotary_reference.rotary(spec)
    if isinstance(made.scaling, LongRoPE):  # a number for each pair
        assert not answer
        return
    found = answer.match.convention
    if isinstance(found, Convention):
        assert "rotary-too" in codes(answer.match.findings)
        return
    assert found.rotary.head_dim == spec["dim"]
    assert (found.form, found.part) == (FORMS[spec["form"]], PARTS[spec["part"]])
    assert found.rotary.base == made.base
    scaling, wanted = found.rotary.scaling, made.scaling
    if isinstance(wanted, DynamicNTK):  # a text makes it an NTK, or leaves it as it was
        longer = spec["scaling"]["seq_len"] > spec["scaling"]["max"]
        assert type(scaling) is (NTK if longer else type(None))
    else:
        assert type(scaling) is type(wanted)
        assert getattr(scaling, "factor", None) == getattr(wanted, "factor", None)


def test_a_cache_of_two_pairs_is_recognised():
    for values in Rotary(4).cosine_sine(np.arange(1, 30)):
        assert identify(values).match.rotary == Rotary(4)


def test_a_row_that_lies_far_off_is_placed_though_the_first_rows_tell_the_base_roughly():
    rows = [*range(12), 4095]
    rotary = Rotary(8, scaling=NTK(5.0))
    cosine = np.cos(np.multiply.outer(rows, rotary.frequencies().astype(np.float32)))
    match = identify(np.tile(cosine.astype(np.float32), 2)).match
    assert (match.rotary, match.positions) == (rotary, tuple(map(float, rows)))


def test_rows_may_jump_where_some_pairs_never_turn():
    rotary = Rotary(8, scaling=Proportional(0.5))
    places = np.concatenate([np.arange(40), np.arange(100, 120)])
    match = identify(np.stack(rotary.cosine_sine(places))).match
    assert match.convention.rotary == rotary
    assert codes(match.findings) == ["jumps"]


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


@pytest.mark.parametrize("form", ["bfloat16", "float16"])
def test_rounded_angles_show_a_base_of_many_digits(form):
    angles = rounded(np.outer(np.arange(600), powers(1_234_567, 32)), form)
    match = identify({"cos": np.cos(angles), "sin": np.sin(angles)}).match
    assert match.rotary.base == pytest.approx(1_234_567, rel=2e-6)
    assert str(match.findings[0]).startswith(f"angles rounded to {form}, base 1,234,56")


def test_the_scale_of_a_table_with_rounded_frequencies_is_not_lost():
    angles = np.outer(np.arange(500), rounded(powers(50_000, 32) / 4, "bfloat16"))
    kind = identify(np.concatenate([np.cos(angles), np.sin(angles)], axis=1)).match.convention
    assert (kind.base, kind.angle_scale) == (50_000, 0.25)


@pytest.mark.parametrize("shift", [0, 1])
def test_random_times_are_placed_with_either_freq_shift(shift):
    kind = Convention(layout="halves", freq_shift=shift)
    times = np.random.default_rng(0).uniform(0, 1000, 50)
    match = identify(kind.encode(times, 64)).match
    assert match.convention == kind
    np.testing.assert_allclose(match.positions, times, atol=1e-6)


DYNAMIC = math.log(10_000 * (2 * 5000 / 4096 - 1) ** (64 / 63))  # of the base that it leaves


def test_a_cache_of_base_12345_says_that_it_is_padded_or_of_a_long_text():
    positions, rates = np.arange(600.0)[:, np.newaxis], powers(12_345.0, 64)
    for angles, words in (
        (np.maximum(positions - 20, 0) * rates, "rows 0-19 lie at position 0, as padding does"),
        (positions * rates ** (DYNAMIC / math.log(12_345)), "factor 2, 5,000 positions"),
    ):
        cache = {"cos": np.cos(angles), "sin": np.sin(angles)}
        assert words in "\n".join(told(**cache))


def test_a_cache_cut_in_its_features_is_also_the_start_of_a_wider_one():
    angles = np.outer(np.arange(100.0), 500_000.0 ** (-np.arange(64) / 64))[:, :24]
    (match,) = identify(np.stack([np.cos(angles), np.sin(angles)]).astype(np.float32)).matches
    assert "the first 24 of 64 pairs of frequencies 500000 ** (-2i / 128)" in str(match.findings[0])


# Near misses


_random = np.random.default_rng(2)
NEAR = {"Llama 2": "cos", "Llama 3.1": "sin", "gpt-oss": "both", "Gemma 4": "cos|sin"}
FAULTS = {  # code of the finding: what is wrong, rows and columns that do not fit
    "other-rows": (lambda values: changed(values, (..., 7, slice(None)), 0.3), (7,), ()),
    "other-columns": (lambda values: changed(values, (..., 5), 0.3), (), (5,)),
    "noise": (lambda values: values + 0.02 * _random.standard_normal(values.shape), (), ()),
}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *(("Llama 2", "other-rows"), ("Llama 3.1", "other-columns"), ("gpt-oss", "noise")),
        *(("Gemma 4", "other-rows"), ("gpt-oss", "other-columns")),
    ],
)
def test_a_near_miss_of_a_cache_says_what_does_not_fit(name, code):
    part, (fault, rows, columns) = NEAR[name], FAULTS[code]
    form = "once" if part == "both" else "halves"
    cache = RotaryCache(rotary=ENCODINGS[name], part=part, form=form)
    answer = identify(fault(table(cache, 256)))
    assert not answer
    near = answer.nearest
    assert (codes(near.findings), near.rows, near.columns) == ([code], rows, columns)
    assert (near.convention.part, near.convention.form) == (part, form)
    assert near.convention.rotary.base == cache.rotary.base
    assert code == "noise" or near.convention == cache


def test_a_near_miss_may_begin_later_and_have_an_attention_factor_and_other_first_rows():
    rotary = Rotary(64, scaling=YaRN(32, original_max_position_embeddings=4096))
    whole = table(RotaryCache(rotary=rotary, form="halves"), 200)
    near = identify(changed(whole, (150, 3), whole[150, 3] + 0.2)).nearest
    assert near.error == pytest.approx(0.2 / rotary.attention_factor(), rel=1e-6)
    cache = replace(HALVES, start=30)
    near = identify(changed(table(cache, 200), 150, 0.1)).nearest
    assert (near.convention, near.rows) == (cache, (150,))
    cache = RotaryCache(rotary=Rotary(32, base=500_000), form="halves")
    near = identify(changed(table(cache, 400), slice(0, 150), 0.1)).nearest
    assert (near.convention, near.rows) == (cache, tuple(range(150)))
    noise = np.random.default_rng(3).standard_normal((2, 60, 32))
    assert identify(noise[0] + 1j * noise[1]).nearest is None


# Inverse frequencies


def vector_of(seed):
    """Frequencies by some rule, the rule, what they are rounded to, and which are not filled."""
    random = np.random.default_rng([3, seed])
    pairs = int(pick(random, 16, 20, 24, 32, 40, 48, 64, 128))
    rule, form = a_rule(random, pairs), pick(random, "float32", "float32", "bfloat16", "float16")
    frequency = rule["frequency"]
    if frequency[frequency > 0].min() < 1e-5:
        form = form.replace("float16", "float32").replace("bfloat32", "bfloat16")
    values = rounded(frequency, form)
    lost = random.choice(np.arange(4, pairs), 2, replace=False) if random.random() < 0.2 else ()
    values[list(lost)] = 0
    return values.astype(np.float32), rule, form, [one for one in lost if frequency[one]]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(k, marks=pytest.mark.thorough) for k in (1, 2, 3))]
)
def test_a_vector_of_any_rule_gets_its_base_its_scaling_its_rounding_and_its_zeros(part):
    for seed in range(part, 400, 4):
        vector, rule, form, lost = vector_of(seed)
        if np.count_nonzero(vector) < 6:  # too few are left
            continue
        match = identify(vector).match
        assert match, seed
        rotary, found = match.convention, codes(match.findings)
        exact = rule["frequency"]
        near = {"float32": 3e-6, "bfloat16": 2.0**-8, "float16": 2.0**-11}[form]
        assert (np.abs(rotary.frequencies() - exact) <= near * exact + 2.0**-25).all(), seed
        name = type(rotary.scaling).__name__
        if not rule["scalings"]:
            assert name in ("NoneType", "NTK"), seed  # a larger base may have two names
        elif "NTK" not in rule["scalings"]:
            assert name in rule["scalings"], seed
        assert ("rounded" in found) == (form != "float32"), seed
        assert ("unfilled" in found) == bool(lost), seed


@pytest.mark.parametrize(("form", "most"), [("bfloat16", 9e6), ("float16", 2e5)])
def test_rounded_frequencies_tell_a_scaling_of_slow_pairs_whatever_the_base(form, most):
    for base in np.random.default_rng(5).uniform(2e4, most, 5).round().tolist():
        values = rounded(yarn(base, 64, 16.0, 8192.0, truncate=True), form)
        rotary = identify(values.astype(np.float32)).match.convention
        scaling = rotary.scaling
        assert (scaling.factor, scaling.original_max_position_embeddings) == (16, 8192), base
        assert rotary.base == pytest.approx(base, rel=5e-3)


@pytest.mark.parametrize("form", ["float32", "bfloat16", "float16"])
def test_the_known_bases_are_named_exactly(form):
    for base, pairs in product((10_000, 500_000, 1e6, 160_000), (16, 32, 64, 128)):
        vector = rounded(powers(base, pairs), form)
        if vector.all():
            assert identify(vector).match.convention.base == base


@pytest.mark.parametrize("head_dim", [32, 80, 256])
@pytest.mark.parametrize("base", [45_123, 763_497, 1_234_567])
def test_an_unusual_base_comes_with_those_that_make_the_same_numbers(head_dim, base):
    vector = (base ** (-np.arange(0, head_dim, 2) / head_dim)).astype(np.float32)
    (match,) = identify(vector).matches
    assert match.convention == Rotary(head_dim, base=base)
    found = "".join(map(str, match.findings)).replace(",", "")
    if found:
        low, high = (int(word) for word in found.split() if word.isdecimal())
        assert low <= base <= high
        assert high / low < 1.00001
    else:
        assert base < 100_000  # float32 tells these apart


@pytest.mark.parametrize("form", ["bfloat16", "float16"])
def test_an_unusual_base_of_a_rounded_ramp_comes_with_those_that_make_the_same_numbers(form):
    vector = rounded(yarn(123_456, 64, 40, 4096, truncate=True), form)
    said = " ".join(map(str, identify(vector).match.findings)).replace(",", "")
    low, high = map(int, re.findall(r"from (\d+) to (\d+)", said)[0])
    assert low <= 123_456 <= high < 1.002 * low


def test_frequencies_that_a_format_rounds_to_zero_were_filled():
    answer = identify(np.exp(-np.arange(20.0)).astype(np.float16))
    assert "never filled" not in " ".join(map(str, answer.match.findings))


def test_vectors_that_fall_otherwise_have_no_rule():
    random, count = np.random.default_rng(0), np.arange(1, 65)
    for vector in (
        np.linspace(1, 0.01, 64),
        np.sort(random.uniform(0, 1, 64))[::-1],
        1 / count,
        np.cos(count / 64),
        np.cumprod(1 - np.linspace(1e-4, 0.02, 1000)),
        10_000.0 ** (-np.arange(64) / 64) / random.uniform(1, 8, 64).cumsum(),
    ):
        answer = identify(vector)
        assert (answer.match, codes(answer.findings)) == (None, ["no-rule"])
    for heads in (8, 16, 32):
        answer = identify(bfloat16(2.0 ** (-8 * np.arange(1, heads + 1) / heads)))
        assert (answer.match, str(answer.findings[0])) == (
            None,
            f"ALiBi's slopes for {heads} heads",
        )


NO_VECTORS = [np.ones(64), np.arange(64.0), np.zeros(64), 100.0 ** -np.arange(5) * 700]
NO_VECTORS += [[1.0, 0.5, 0.25], [1, 0.5, np.nan, 0.1, 0.05], [1, 0.5, -0.1, -0.2, -0.3]]


@pytest.mark.parametrize("vector", [*NO_VECTORS, [4, 3, 2, 1]])
def test_other_vectors_are_no_tables(vector):
    with pytest.raises(ValueError, match="table must have two axes"):
        identify(vector)


def test_a_vector_is_named_among_the_other_arrays_of_a_checkpoint():
    random = np.random.default_rng(0)
    inverse = Rotary(128, base=500_000).frequencies().astype(np.float32)
    lines = told(
        bias=np.zeros(64),
        inv_freq=inverse,
        alphas=np.cumprod(1 - np.linspace(1e-4, 0.02, 1000)),
        weight=random.standard_normal((64, 64)),
    )
    assert lines[:2] == [
        "inv_freq: 64, float32: the inverse frequencies of a rotary encoding, base 500,000",
        "  Rotary(128, base=500000)",
    ]
    assert not any(line.startswith(("alphas", "bias")) for line in lines)
    match = identify(inverse).match
    assert match.convention == match.rotary == Rotary(128, base=500_000)
    np.testing.assert_allclose(match.table(), inverse, rtol=1e-6)


def test_a_table_named_cos_sin_cache_is_a_rotary_cache_for_every_base():
    for base in (1000, 10_000, 500_000):
        table = np.concatenate(Rotary(64, base=base).cosine_sine(np.arange(300)), axis=1)
        code = "Rotary(64)" if base == 10_000 else f"Rotary(64, base={base})"
        found = told(**{"rotary_emb.cos_sin_cache": table.astype(np.float32)})
        assert found[1] == f"  RotaryCache(rotary={code}, part='cos|sin')"
    other = Convention(layout="halves", freq_shift=1).table(50, 16)
    assert told(cos_sin_cache=other)[1] == "  Convention(layout='halves', freq_shift=1)"


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        (np.zeros(32), "every frequency is zero"),
        (10_000.0 ** (np.arange(32) / 32), "the sign of the exponent is lost"),
        (np.sin(np.arange(32.0)), "no known rule, perhaps never filled"),
        (bfloat16(Rotary(32, base=1e6, scaling=Linear(3)).frequencies()), "scaling=Linear(3)"),
        (bfloat16(np.logspace(0.5, -2, 30)), "or by one that rounding to bfloat16 hides: 3.156"),
        (np.logspace(0, -4, 32), "the same as 32 pairs of frequencies 10000 ** (-2i / 62)"),
    ],
)
def test_a_vector_that_a_file_names_frequencies_is_judged_whatever_it_holds(vector, words):
    assert words in " ".join(told(**{"rotary_emb.inv_freq": vector.astype(np.float32)}))
