"""posenc.Rotary at the limits of its options, and where two of its rules meet."""

from __future__ import annotations

import decimal

import ml_dtypes  # noqa: F401 (gives NumPy the name bfloat16)
import numpy as np
import pytest
from flint import ctx

from posenc import Rotary
from posenc.rotary import (
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Proportional,
    SteppedNTK,
    YaRN,
    _axial,
    _rotary,
    axes,
)
from posenc.rotary._exact import PI
from posenc.rotary._turn import _chunks
from tests import rotary_oracle as oracle
from tests.balls import ball, largest, pi
from tests.test_rotary_config import from_config

TEXTS = {"original_max_position_embeddings": 4096}


def test_frequencies_are_kept_with_60_digits():
    encoding = axes.blocks([8], base=7)
    kept = encoding._exact
    assert encoding.frequencies().tolist() == [float(frequency) for frequency in kept]
    with ctx.workdps(70):
        for i, frequency in enumerate(kept):
            exact = ball(7) ** (-ball(i) / 4)
            assert abs(ball(str(frequency)) / exact - 1) < ball("1e-58")
        assert abs(ball(str(PI)) - pi) < ball("1e-62")
    assert [len(frequency.as_tuple().digits) for frequency in kept[1:]] == [60, 60, 60]


EACH_KIND = {
    "plain": lambda base: Rotary(8, base=base),
    "llama3": lambda base: Rotary(8, base=base, scaling=Llama3(8.5)),
    "yarn": lambda base: Rotary(8, base=base, scaling=YaRN(4.5, **TEXTS)),
    "longrope": lambda base: Rotary(2, base=base, scaling=LongRoPE([1.5], [2.5], **TEXTS)),
    "dynamic": lambda base: Rotary(8, base=base, scaling=DynamicNTK(2.5, 64)),
    "made by hand": lambda base: axes.AxialRotary(2, axes=[0], frequencies=[1 / base]),
    "blocks": lambda base: axes.blocks([8], base=base),
    "pixtral": lambda base: axes.pixtral(8, base=base),
    "pixels": lambda base: axes.pixels(8, max_freq=base),
    "ltx": lambda base: axes.ltx(12, base=base),
}


@pytest.mark.parametrize("kind", EACH_KIND)
@pytest.mark.parametrize("trap", [decimal.FloatOperation, decimal.Inexact])
def test_the_callers_decimal_context_has_no_effect_and_is_not_changed(kind, trap):
    expected = EACH_KIND[kind](777.1).frequencies()
    for cache in (_rotary._decimals, _rotary._split, _axial._split):
        cache.cache_clear()
    with decimal.localcontext(decimal.Context(prec=3, traps=[trap])) as context:
        found = EACH_KIND[kind](777.1).frequencies()
        assert not any(context.flags.values())
    assert np.array_equal(found, expected)


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
@pytest.mark.parametrize(
    ("dtype", "most"),
    [("float16", 6e4), ("bfloat16", 3.2e38), ("float32", 3e38), ("float64", 1.7e308)],
)
def test_a_turn_that_exceeds_the_dtype_is_refused(layout, dtype, most):
    x = np.full((3, 8), most).astype(dtype)
    for encoding, positions in ((Rotary(8, layout=layout), 1), (axes.blocks([8]), [1])):
        with pytest.raises(ValueError, match=rf"^x must stay within {dtype} when it is turned, "):
            encoding.rotate(x, positions)
        turned = encoding.rotate(x / 2, positions)
        assert turned.dtype == x.dtype
        assert np.isfinite(turned).all()


def test_no_error_state_of_the_caller_reaches_a_table_or_a_turn():
    with np.errstate(all="raise"):
        cosine, sine = Rotary(64).cosine_sine([1, 2], dtype=np.float16)
        turned = Rotary(2).rotate(np.full(2, 1e-310), 1e-3)
    assert cosine.flags.c_contiguous
    assert sine.flags.c_contiguous
    assert (turned > 0).all()


@pytest.mark.parametrize("position", [2**53 - 1, 2**53, 1 - 2**53, 2.0**50 + 0.5])
def test_the_largest_positions_have_exact_cosines_and_sines(position):
    rotary = Rotary(64, base=500_000.0)
    exact = oracle.cosine_sine(position, oracle.frequencies(64, 500_000))
    for got, expected in zip(rotary.cosine_sine(position), exact, strict=True):
        assert largest(abs(g - e) for g, e in zip(got, expected, strict=True)) <= 1e-15


def test_the_table_of_frequencies_that_all_calls_share_cannot_be_written_to():
    shared = Rotary(8)._exact(None)
    for table in (shared.high, shared.low):
        with pytest.raises(ValueError, match="read-only"):
            table[0] = 2


def test_llama_3_1_has_the_defaults_of_its_scaling():
    given = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0}
    given |= {"high_freq_factor": 4.0, "original_max_position_embeddings": 8192}
    assert from_config({"head_dim": 128, "rope_scaling": given}).scaling == Llama3()


@pytest.mark.parametrize(("base", "width"), [(10.0, 8), (4.0, 6), (1.25, 16), (2.0, 2)])
@pytest.mark.parametrize("truncate", [True, False])
def test_the_ramp_of_yarn_ends_at_the_last_feature_where_the_base_is_small(base, width, truncate):
    options = {"type": "yarn", "factor": 4.0, "truncate": truncate, **TEXTS}
    scaling = YaRN(4, truncate=truncate, **TEXTS)
    exact = oracle.frequencies(width, base, options)
    found = Rotary(width, base=base, scaling=scaling).frequencies()
    assert found.tolist() == [float(frequency) for frequency in exact]


@pytest.mark.parametrize("original", [5, 1])
def test_a_ramp_that_ends_where_it_begins_keeps_the_first_pair_only(original):
    options = {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": original}
    scaling = YaRN(4, original_max_position_embeddings=original)
    exact = oracle.frequencies(8, 10_000, options)
    found = Rotary(8, scaling=scaling).frequencies()
    assert found.tolist() == [float(frequency) for frequency in exact]
    assert np.array_equal(found[1:], Rotary(8).frequencies()[1:] / 4)


@pytest.mark.parametrize("factor", [0.25, 0.5, 1.0])
def test_a_scaling_that_does_not_stretch_multiplies_no_score(factor):
    longrope = LongRoPE([1], [1], original_max_position_embeddings=4096, factor=factor)
    assert YaRN(factor, **TEXTS).attention(None) == 1
    assert longrope.attention(None) == 1
    assert LongRoPE([1], [1], original_max_position_embeddings=1).attention(None) == 1


@pytest.mark.parametrize("factor", [1.25, 2.0])
def test_a_scaling_that_stretches_a_little_multiplies_scores_a_little(factor):
    yarn = {"type": "yarn", "factor": factor, **TEXTS}
    longrope = {**yarn, "type": "longrope"}
    found = LongRoPE([1], [1], factor=factor, **TEXTS).attention(None)
    assert found == float(oracle.attention_factor(longrope))
    assert YaRN(factor, **TEXTS).attention(None) == float(oracle.attention_factor(yarn))


def test_a_text_of_the_original_length_takes_the_short_list():
    longrope = LongRoPE([1], [2], short_mscale=1.5, long_mscale=2.5, **TEXTS)
    rotary = Rotary(2, scaling=longrope)
    assert rotary.frequencies(4096).tolist() == [1]
    assert rotary.frequencies(4097).tolist() == [0.5]
    assert (rotary.attention_factor(4096), rotary.attention_factor(4097)) == (1.5, 2.5)


def test_a_length_below_one_position_changes_nothing():
    dynamic = Rotary(8, scaling=DynamicNTK(2, 0.5))
    assert np.array_equal(dynamic.frequencies(0.25), dynamic.frequencies())
    assert np.array_equal(dynamic.frequencies(), Rotary(8).frequencies())
    assert not np.array_equal(dynamic.frequencies(0.75), dynamic.frequencies())
    stepped = Rotary(8, scaling=SteppedNTK(0.25))
    assert np.array_equal(stepped.frequencies(), Rotary(8).frequencies())


@pytest.mark.parametrize("factor", [0.5, 2.0, 3.0])
def test_rotate_multiplies_by_any_attention_factor(factor):
    rotary = Rotary(4, scaling=YaRN(4, attention_factor=factor, **TEXTS))
    plain = Rotary(4, scaling=YaRN(4, attention_factor=1.0, **TEXTS))
    assert np.allclose(rotary.rotate(np.ones(4), 3), factor * plain.rotate(np.ones(4), 3))


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_half_precision_is_rounded_once_after_all_is_computed_in_float32(dtype, layout):
    x = np.random.default_rng(0).standard_normal((500, 16)).astype(dtype)
    rotary = Rotary(16, layout=layout)
    turned = rotary.rotate(x, np.arange(500))
    once = rotary.rotate(x.astype(np.float32), np.arange(500)).astype(dtype)
    assert turned.tobytes() == once.tobytes()


@pytest.mark.parametrize("layout", ["halves", "interleaved"])
def test_a_table_of_many_heads_is_turned_as_each_of_them_is(layout):
    rotary = Rotary(4, layout=layout)
    rows = np.random.default_rng(0).standard_normal((40_000, 4))  # more than are turned at once
    turned = rotary.rotate(rows, np.arange(40_000))
    for row in (0, 32_767, 32_768, 39_999):
        assert np.allclose(turned[row], rotary.rotate(rows[row], row), atol=1e-15)
    heads = rows.reshape(20_000, 2, 4)
    turned = rotary.rotate(heads, [5, 6])
    for head in (0, 16_384, 19_999):
        assert np.allclose(turned[head, 1], rotary.rotate(heads[head, 1], 6), atol=1e-15)


@pytest.mark.parametrize("shape", [(3, 2**17, 8), (2**18, 1), (2**16, 5), (100, 3, 64)])
def test_as_many_rows_are_turned_at_once_as_have_one_mebibyte_of_numbers(shape):
    size = shape[-1] * int(np.prod(shape[:-2])) * 8  # bytes of a row of float64
    parts = _chunks(np.empty(shape))
    rows = [len(range(*part.indices(shape[-2]))) for part in parts]
    assert sum(rows) == shape[-2]
    assert rows[0] * size <= 2**20
    assert len(rows) == 1 or (rows[0] + 1) * size > 2**20


def test_the_widest_head_is_turned():
    turned = Rotary(2**20, rotary_dim=2).rotate(np.ones(2**20, np.float32), 1)
    assert turned[:2].tolist() == Rotary(2).rotate(np.ones(2, np.float32), 1).tolist()
    assert (turned[2:] == 1).all()


def test_a_wavelength_beyond_float64_is_infinite():
    wavelengths = Rotary(4, base=1e20, scaling=Linear(1e300)).wavelengths()
    assert wavelengths[0] == pytest.approx(2e300 * np.pi)
    assert wavelengths[1] == np.inf


WRONG = {
    "base and scaling must keep frequencies within float64, got 1.000e[+]400": lambda: Rotary(
        4, base=1e-300, scaling=Linear(1e-250)
    ),
    "scaling must give a finite attention factor greater than 0, got -0.5": lambda: Rotary(
        4, scaling=YaRN(4, mscale=-1.5 / (0.1 * np.log(4)), **TEXTS)
    ),
    # The numerator rounds to 1e-16, the denominator is 1e310.
    "scaling must give a finite attention factor greater than 0, got -?0.0$": lambda: Rotary(
        4, scaling=YaRN(1e300, mscale=-1 / (30 * np.log(10)), mscale_all_dim=1.7e308, **TEXTS)
    ),
    "partial_rotary_factor must be between 0 and 1, got -0.5": lambda: Proportional(-0.5),
    "head_dim must be at least 2, got 1": lambda: Rotary(1),
    "head_dim must be at most 1048576, got 1048578": lambda: Rotary(2**20 + 2),
    "rotary_dim must be at least 2, got 1": lambda: Rotary(8, rotary_dim=1),
    # Of several wrong numbers, the first is named.
    "factor must .* got -1": lambda: DynamicNTK(-1, -2),
    "factor must .* got -2": lambda: Llama3(-2, low_freq_factor=-1, high_freq_factor=-1),
    "factor must .* got -3": lambda: YaRN(-3, original_max_position_embeddings=-1),
    "original_max_position_embeddings must .* got -4": lambda: LongRoPE(
        [1], [1], original_max_position_embeddings=-4, factor=-1
    ),
    "factor must be finite and greater than 0, got -5": lambda: Proportional(0.5, -5),
    "original_max_position_embeddings must .* got -6": lambda: Llama3(
        2, original_max_position_embeddings=-6
    ),
    "short_mscale must be finite and greater than 0, got -8": lambda: LongRoPE(
        [1], [1], short_mscale=-8, **TEXTS
    ),
    "beta_slow must be finite and greater than 0, got -7": lambda: YaRN(2, beta_slow=-7, **TEXTS),
}


@pytest.mark.parametrize("message", WRONG)
def test_an_error_at_a_limit_names_the_argument_the_rule_and_the_value(message):
    with pytest.raises(ValueError, match=f"^{message}"):
        WRONG[message]()
