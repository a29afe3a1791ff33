"""A falling vector is read as inverse frequencies: base, scaling, rounding and zeros."""

from __future__ import annotations

import math

import numpy as np
import pytest

from posenc import Convention, Rotary, RotaryCache, identify
from posenc.identification._report import reports
from posenc.identification._vectors import explained_vector, is_falling
from tests.identification_tables import a_rule, pick, rounded, yarn


def made(seed):
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


@pytest.mark.parametrize("part", range(4))
def test_a_vector_of_any_rule_gets_its_base_its_scaling_its_rounding_and_its_zeros(part):
    for seed in range(part, 400, 4):
        vector, rule, form, lost = made(seed)
        if not is_falling(vector):  # too few are left
            assert np.count_nonzero(vector) < 6, seed
            continue
        match = explained_vector(vector).match
        assert match, seed
        rotary, codes = match.convention, {found.code for found in match.findings}
        exact = rule["frequency"]
        near = {"float32": 3e-6, "bfloat16": 2.0**-8, "float16": 2.0**-11}[form]
        found = rotary.frequencies()
        assert (np.abs(found - exact) <= near * exact + 2.0**-25).all(), seed
        name = type(rotary.scaling).__name__
        if not rule["scalings"]:
            assert name in ("NoneType", "NTK"), seed  # a larger base may have two names
        elif "NTK" not in rule["scalings"]:
            assert name in rule["scalings"], seed
        assert ("rounded" in codes) == (form != "float32"), seed
        assert ("unfilled" in codes) == bool(lost), seed


@pytest.mark.parametrize(("form", "most"), [("bfloat16", 9e6), ("float16", 2e5)])
def test_rounded_frequencies_tell_a_scaling_of_slow_pairs_whatever_the_base(form, most):
    for base in np.random.default_rng(5).uniform(2e4, most, 5).round().tolist():
        values = rounded(yarn(base, 64, 16.0, 8192.0, truncate=True), form)
        rotary = explained_vector(values.astype(np.float32)).match.convention
        scaling = rotary.scaling
        assert (scaling.factor, scaling.original_max_position_embeddings) == (16, 8192), base
        assert rotary.base == pytest.approx(base, rel=5e-3)


@pytest.mark.parametrize("form", ["float32", "bfloat16", "float16"])
@pytest.mark.parametrize("base", [10_000.0, 500_000.0, 1e6, 160_000.0])
def test_the_known_bases_are_named_exactly(base, form):
    for pairs in (16, 32, 64, 128):
        vector = rounded(base ** (-np.arange(pairs) / pairs), form)
        if vector.all():
            assert explained_vector(vector).match.convention.base == base


@pytest.mark.parametrize("head_dim", [32, 80, 256])
@pytest.mark.parametrize("base", [45_123, 763_497, 1_234_567])
def test_an_unusual_base_comes_with_those_that_make_the_same_numbers(head_dim, base):
    vector = (base ** (-np.arange(0, head_dim, 2) / head_dim)).astype(np.float32)
    (match,) = explained_vector(vector).matches
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
        assert is_falling(vector)
        assert not explained_vector(vector)
        assert [found.code for found in explained_vector(vector).findings] == ["no-rule"]


@pytest.mark.parametrize("heads", [8, 16, 32])
def test_slopes_of_alibi_are_no_frequencies(heads):
    answer = explained_vector(2.0 ** (-8 * np.arange(1, heads + 1) / heads))
    assert str(answer.findings[0]) == f"ALiBi's slopes for {heads} heads"
    assert not answer


@pytest.mark.parametrize(
    "vector",
    [
        np.ones(64),
        np.arange(64.0),
        np.array([1.0, 0.5, 0.25]),
        np.array([1.0, 0.5, np.nan, 0.1, 0.05]),
        np.array([1.0, 0.5, -0.1, -0.2, -0.3]),
        np.array([4, 3, 2, 1]),
        np.zeros(64),
        np.linspace(1, 0, 64)[:, None],
        100.0 ** -np.arange(5) * 700,
    ],
)
def test_other_vectors_do_not_fall_like_frequencies(vector):
    assert not is_falling(vector)


def told(**arrays):
    """The lines about the tables among these arrays."""
    return [line for one in reports(iter(arrays.items()), "file", None) for line in one.lines()]


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


def test_a_vector_of_another_kind_is_refused_as_before():
    for vector in (np.ones(64), np.array([1.0, 2.0]), np.arange(64)):
        with pytest.raises(ValueError, match="table must have two axes"):
            identify(vector)


@pytest.mark.parametrize("base", [1000.0, 10_000.0, 500_000.0])
def test_a_table_named_cos_sin_cache_is_a_rotary_cache_for_every_base(base):
    rotary = Rotary(64, base=base)
    table = np.concatenate(rotary.cosine_sine(np.arange(300)), axis=1).astype(np.float32)
    ((report),) = reports(iter([("rotary_emb.cos_sin_cache", table)]), "file", None)
    assert report.answer.match.convention == RotaryCache(rotary=rotary, part="cos|sin")
    other = Convention(layout="halves", freq_shift=1).table(50, 16)
    ((report),) = reports(iter([("cos_sin_cache", other)]), "file", None)
    assert report.answer.match.convention == Convention(layout="halves", freq_shift=1)


@pytest.mark.parametrize(
    ("vector", "words"),
    [
        (np.zeros(32), "every frequency is zero"),
        (10_000.0 ** (np.arange(32) / 32), "the sign of the exponent is lost"),
        (np.sin(np.arange(32.0)), "no known rule, perhaps never filled"),
    ],
)
def test_a_vector_that_a_file_names_frequencies_is_judged_though_it_does_not_fall(vector, words):
    (report,) = reports(iter([("rotary_emb.inv_freq", vector.astype(np.float32))]), "", None)
    assert words in next(report.lines())


SLIPS = {
    "angles of any base": (lambda p, f: rounded(p * f, "bfloat16"), "angles rounded to bfloat16"),
    "positions of any base": (
        lambda p, f: rounded(p, "bfloat16") * f,
        "positions rounded to bfloat16",
    ),
    "frequencies of any base": (
        lambda p, f: p * rounded(f, "bfloat16"),
        "frequencies rounded to bfloat16",
    ),
    "padding": (lambda p, f: np.maximum(p - 20, 0) * f, "rows 0-20 lie at position 0"),
    "a dynamic cache": (
        lambda p, f: p * f ** (DYNAMIC / math.log(12_345)),
        "1.2207 times the trained length",
    ),
}
DYNAMIC = math.log(10_000 * (2 * 5000 / 4096 - 1) ** (64 / 63))  # of the base that it leaves


@pytest.mark.parametrize("name", SLIPS)
def test_a_cache_of_base_12345_says_what_happened_to_it(name):
    change, words = SLIPS[name]
    angles = change(np.arange(600.0)[:, np.newaxis], 12_345.0 ** (-np.arange(64) / 64))
    cache = {"cos": np.cos(angles).astype(np.float32), "sin": np.sin(angles).astype(np.float32)}
    (report,) = reports(iter(cache.items()), "", None)
    assert words in "\n".join(report.lines())


def test_a_cache_cut_in_its_features_is_also_the_start_of_a_wider_one():
    angles = np.outer(np.arange(100.0), 500_000.0 ** (-np.arange(64) / 64))[:, :24]
    (match,) = identify(np.stack([np.cos(angles), np.sin(angles)]).astype(np.float32)).matches
    assert "the first 24 of 64 pairs of frequencies 500000 ** (-2i / 128)" in str(match.findings[0])
