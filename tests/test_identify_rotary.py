"""`identify` recognises rotary caches, their inverse frequencies, and what happened to them.

tests/identification_tables.py has caches of every scaling, part, form and first position.
"""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from posenc import Convention, Rotary, RotaryCache, identify
from posenc.rotary import NTK, DynamicNTK, LongRoPE, Proportional, YaRN
from tests import rotary_reference
from tests.identification_tables import BASES, a_rotary, pick, powers, rounded
from tests.identify_cases import changed

FORMS = {"half": "once", "cat": "halves", "repeat": "interleaved"}
PARTS = {"cos": "cos", "sin": "sin", "stack": "both", "cos|sin": "cos|sin", "sin|cos": "sin|cos"}


def codes(findings) -> list[str]:
    return [found.code for found in findings]


@pytest.mark.parametrize(("head", "dtype"), [(64, np.float16), (128, np.float32)])
def test_a_usual_ntk_factor_comes_before_a_base_of_many_digits(head, dtype):
    """At a head of 128, the factor 4 makes a base of 40,889.9, for which 40,890 also fits."""
    usual = product((10_000, 1_000_000), (2, 4, 8, 16))
    plain = (Rotary(head, base=base) for base in (20_000, 208_500, 3_500_000))
    for rotary in (*(Rotary(head, base=base, scaling=NTK(n)) for base, n in usual), *plain):
        values = rotary.cosine_sine(np.arange(1024))[0].astype(dtype)
        assert identify(values).match.rotary == rotary


def test_a_small_tolerance_allows_for_no_float32_angles():
    rotary = Rotary(64, base=500_000)
    places = np.arange(1e5, 1e5 + 400, dtype=np.float32)[:, np.newaxis]
    angles = places * rotary.frequencies().astype(np.float32)
    cache = np.cos(np.concatenate([angles, angles], axis=1))
    answer = identify(cache)
    assert answer.match.convention.rotary == rotary
    assert answer.match.error > answer.tolerance == 1e-3
    assert not identify(cache, tolerance=5e-4)


def divided(factors):
    """Cosines and sines of the paper's frequencies, each divided by one of `factors`."""
    angles = np.outer(np.arange(300), powers(10_000.0, len(factors)) / factors)
    return {"cos": np.cos(angles), "sin": np.sin(angles)}


def test_a_number_for_each_pair_is_listed_and_named_no_encoding():
    models = Path(__file__).parents[1] / "scripts" / "figures" / "data" / "rotary_models.json"
    scaling = json.loads(models.read_text("utf-8"))["models"]["Phi-3.5-mini"]["rope_scaling"]
    for held in (scaling["short_factor"], scaling["long_factor"]):
        answer = identify({key: 1.19 * part for key, part in divided(held).items()})
        assert (answer.match, answer.nearest) == (None, None)
        assert codes(answer.findings) == ["waves", "divisors"]
        first = ", ".join(f"{factor:.6g}" for factor in held[:3])
        assert "are 1.19 long; " in str(answer.findings[1])
        assert f" divided by {first} and {len(held) - 3} more" in str(answer.findings[1])
    for factors in ([2.5, 3, 4, 6], [2, 1.3, 1.6, 1]):  # LongRoPE's begin at about 1 and rise
        answer = identify(divided(factors))
        assert (answer.match, "divisors" in codes(answer.findings)) == (None, False)


# Rows that jump, and what rounding leaves


def each(is_one, *keys):
    """Tables of libraries; only `make thorough` runs those that are the second of their kind."""
    tests, kinds = [], set()
    for name, record in rotary_reference.RECORDS.items():
        spec = record["spec"]
        if record["spec_kind"] == "table" and is_one(name, spec):
            kind = (spec.get("scaling") or {}).get("type"), *(spec.get(key) for key in keys)
            marks = [pytest.mark.thorough] * (kind in kinds)
            tests.append(pytest.param(rotary_reference.ARRAYS[name], spec, id=name, marks=marks))
            kinds.add(kind)
    return pytest.mark.parametrize(("values", "spec"), tests)


def has_positions(_, spec):
    """Two pairs do not tell a position beyond 10,000 from others."""
    return "positions" in spec and spec["dim"] > 4


@pytest.mark.parametrize("base", [9_973.5, 123_456])
def test_cosines_or_sines_alone_tell_an_unusual_base(base):
    both = Rotary(64, base=base).cosine_sine(np.arange(512), dtype=np.float32)
    assert [identify(part).match.convention.rotary.base for part in both] == [base, base]


@each(has_positions, "form", "part")
def test_a_librarys_cache_is_recognised_though_its_rows_jump(values, spec):
    answer, made = identify(values), rotary_reference.rotary(spec)
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


# Near misses


def test_a_near_miss_of_a_cache_says_what_does_not_fit():
    yarn = YaRN(32, original_max_position_embeddings=4096, truncate=False)
    gpt_oss = Rotary(64, base=150_000, scaling=yarn)
    quarter = Rotary(64, base=1e6, scaling=Proportional(0.25))
    for cache, fault, code, rows, columns in (
        (RotaryCache(rotary=quarter, part="cos|sin"), 7, "other-rows", (7,), ()),
        (RotaryCache(rotary=gpt_oss, part="both"), (..., 5), "other-columns", (), (5,)),
        (RotaryCache(rotary=Rotary(64), start=30), 150, "other-rows", (150,), ()),
        (
            *(RotaryCache(rotary=Rotary(32, base=500_000), form="halves"), slice(0, 80)),
            *("other-rows", tuple(range(80)), ()),
        ),
    ):
        values = cache.table(256).astype(np.float32)
        answer = identify(changed(values, fault, 0.3))
        near = answer.nearest
        assert (bool(answer), near.convention, codes(near.findings)) == (False, cache, [code])
        assert (near.rows, near.columns) == (rows, columns)
    sines = RotaryCache(rotary=gpt_oss, part="sin", form="halves")
    noise = np.random.default_rng(2).standard_normal((2, 256, 64))
    near = identify(sines.table(256) + 0.02 * noise[0]).nearest
    assert (near.convention.part, near.convention.form) == ("sin", "halves")
    assert (near.convention.rotary.base, codes(near.findings)) == (150_000, ["noise"])
    assert identify(noise[0] + 1j * noise[1]).nearest is None


def test_the_error_of_a_near_miss_is_a_fraction_of_the_attention_factor_too():
    rotary = Rotary(64, scaling=YaRN(32, original_max_position_embeddings=4096))
    whole = RotaryCache(rotary=rotary, form="halves").table(200)
    near = identify(changed(whole, (150, 3), whole[150, 3] + 0.2)).nearest
    assert near.error == pytest.approx(0.2 / rotary.attention_factor(), rel=1e-6)


# Inverse frequencies


def vector_of(seed):
    """Frequencies by some rule, the rule, what they are rounded to, and which are not filled."""
    random = np.random.default_rng([3, seed])
    rotary = a_rotary(random, int(pick(random, 16, 20, 24, 32, 40, 48, 64, 128)))
    exact, form = rotary.frequencies(), pick(random, "float32", "float32", "bfloat16", "float16")
    if exact[exact > 0].min() < 1e-5:
        form = form.replace("float16", "float32").replace("bfloat32", "bfloat16")
    values, lost = rounded(exact, form), ()
    if random.random() < 0.2:
        lost = random.choice(np.arange(4, len(exact)), 2, replace=False)
    values[list(lost)] = 0
    return values.astype(np.float32), rotary, form, [one for one in lost if exact[one]]


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(k, marks=pytest.mark.thorough) for k in (1, 2, 3))]
)
def test_a_vector_of_any_rule_gets_its_base_its_scaling_its_rounding_and_its_zeros(part):
    for seed in range(part, 400, 4):
        vector, rotary, form, lost = vector_of(seed)
        if np.count_nonzero(vector) < 8:  # too few are left
            continue
        match = identify(vector).match
        assert match, seed
        found, said, exact = match.convention, codes(match.findings), rotary.frequencies()
        near = {"float32": 3e-6, "bfloat16": 2.0**-8, "float16": 2.0**-11}[form]
        assert (np.abs(found.frequencies() - exact) <= near * exact + 2.0**-25).all(), seed
        if not isinstance(rotary.scaling, NTK):
            larger = rotary.scaling is None and isinstance(found.scaling, NTK)  # another name
            assert larger or found.scaling == rotary.scaling, seed
            assert rotary.base not in BASES or lost or found.base == rotary.base, seed
        assert ("rounded" in said) == (form != "float32"), seed
        assert ("unfilled" in said) == bool(lost), seed


@pytest.mark.parametrize(("head_dim", "base"), [(32, 45_123), (80, 763_497), (256, 1_234_567)])
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


NO_VECTORS = [np.ones(64), np.arange(64.0), np.zeros(64), 100.0 ** -np.arange(5) * 700]
NO_VECTORS += [[1.0, 0.5, 0.25], [1, 0.5, np.nan, 0.1, 0.05], [1, 0.5, -0.1, -0.2, -0.3]]


@pytest.mark.parametrize("vector", [*NO_VECTORS, [4, 3, 2, 1]])
def test_other_vectors_are_no_tables(vector):
    with pytest.raises(ValueError, match="table must have two axes"):
        identify(vector)
