"""Identification: what a convention or a mistake has made is found again."""

from __future__ import annotations

import dataclasses
import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import CONVENTIONS, Convention, identify, positional_encoding
from tests.reference import ARRAYS, ONE_DIMENSIONAL, library

NOT_ROW_BY_ROW = {  # rows of these are not positions one apart
    "diffusers_timestep_sd_t999_981_1__d320": "time steps 999, 981 and 1",
    "keras_ddim__N16_d8": "diffusion times from 0 to 1",
    "nerf_L6_1d__N16_d12": "coordinates from -1 to 1",
    "speechbrain_relposxl__L16_d8": "positions that fall to 0 and rise again",
}
BACKWARDS = {"hf_wav2vec2_conformer_rel__L16_d8", "espnet_relpos__L16_d8"}
KIND = st.builds(
    Convention,
    arrangement=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1]),
    base=st.floats(2, 1e6).map(lambda base: float(f"{base:.2g}")) | st.floats(2, 1e6),
    angle_scale=st.sampled_from([1.0, -1.0, 2.0, 0.25, 0.37]),
    offset=st.integers(-100, 100) | st.floats(-100, 100),
    odd=st.sampled_from(["truncate", "pad", "ceil"]),
    amplitude=st.sampled_from([1.0, 0.02, 8**-0.5, 22.6]),
)


@pytest.mark.parametrize("array", sorted(set(ONE_DIMENSIONAL) - set(NOT_ROW_BY_ROW) - BACKWARDS))
def test_what_a_library_computed_is_found_under_its_name(array):
    best = identify(ARRAYS[array])[0]
    kind = CONVENTIONS[library(array)]
    assert library(array) in best.libraries
    assert best.error < 1e-4
    assert best.mistakes == ()
    assert dataclasses.replace(best.convention, amplitude=1) == dataclasses.replace(
        kind, odd="error", amplitude=1
    )
    assert best.convention.amplitude == pytest.approx(kind.amplitude, abs=1e-6)


@pytest.mark.parametrize("array", NOT_ROW_BY_ROW)
def test_what_has_no_row_for_each_position_is_not_guessed_at(array):
    assert identify(ARRAYS[array]) == []


@pytest.mark.parametrize("array", sorted(BACKWARDS))
def test_a_table_that_runs_backwards_turns_the_other_way(array):
    (match,) = identify(ARRAYS[array])
    assert match.convention == Convention(angle_scale=-1, offset=-15)


# with one whole pair and a lone sine there is nothing to measure a base by
@settings(max_examples=60)
@given(
    KIND,
    st.integers(2, 33).filter(lambda d: d != 3),
    st.integers(12, 300),
    st.sampled_from(["f4", "f8"]),
)
def test_whatever_a_convention_makes_is_found(kind, d_model, length, dtype):
    table = kind.table(length, d_model).astype(dtype)
    best = identify(table)[0]
    found = best.convention.table(length, d_model)
    limit = {"f4": 5e-6, "f8": 3e-6}[dtype]
    assert np.abs(found - table).max() <= limit * kind.amplitude
    assert best.error <= limit


ROUND = st.builds(
    Convention,
    arrangement=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1]),
    base=st.sampled_from([300.0, 5000.0, 10_000.0, 500_000.0]),
    angle_scale=st.sampled_from([1.0, 2.0, 0.5]),
    offset=st.integers(0, 50),
)


@settings(max_examples=60)
@given(ROUND, st.sampled_from([16, 64, 130]))
def test_round_options_come_back_as_they_were(kind, d_model):
    assert identify(kind.table(64, d_model).astype(np.float32))[0].convention == kind


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", ["tensor2tensor", "trax", "guided_diffusion"])
def test_precision_does_not_change_the_answer(name, dtype):
    best = identify(CONVENTIONS[name].table(300, 64).astype(dtype))[0]
    assert name in best.libraries
    assert best.error <= {"f2": 5e-4, "f4": 1e-7, "f8": 1e-15}[dtype]


def test_rows_of_zeros_are_padding():
    table = CONVENTIONS["transformers_m2m100_forward_pad1"].table(12, 16)
    table[[0, 5, 6, 11]] = 0
    assert "transformers_m2m100_forward_pad1" in identify(table)[0].libraries
    assert identify(np.zeros((4, 6))) == []


D, ROWS = 16, np.arange(20.0)[:, np.newaxis]
STEP = np.arange(0, D, 2)  # "i" of the many codes that step by two


def paired(sines: np.ndarray, cosines: np.ndarray) -> np.ndarray:
    return np.stack([sines, cosines], axis=-1).reshape(20, D)


def turned(exponents: np.ndarray, base: float = 10_000.0) -> np.ndarray:
    angles = ROWS / base ** np.asarray(exponents)
    return paired(np.sin(angles), np.cos(angles))


PAPER = positional_encoding(21, D)
MISTAKES = {
    "the exponent is doubled": turned(2 * STEP / D),
    "each cosine has an exponent of its own": paired(
        np.sin(ROWS / 10_000 ** (STEP / D)), np.cos(ROWS / 10_000 ** ((STEP + 1) / D))
    ),
    "each cosine has an exponent of its own, and exponents are doubled": paired(
        np.sin(ROWS / 10_000 ** (2 * STEP / D)), np.cos(ROWS / 10_000 ** (2 * (STEP + 1) / D))
    ),
    "integer division makes every exponent 0": turned(STEP // D),
    "integer division makes every exponent 0 or 1": turned(2 * STEP // D),
    "integer division makes the exponent's factor -1": turned(
        STEP, base=np.exp(-(-np.log(10_000.0) / D // 2))
    ),
    "the base is 1000": turned(STEP / D, base=1000),
    "positions run along the columns: transpose the table": positional_encoding(D, 20).T,
    "positions are counted from 1": PAPER[1:],
    "the cosines are missing, their columns hold zeros": PAPER * (np.arange(D) % 2 == 0),
    "the cosines are missing, their columns hold sines": np.repeat(PAPER[:, ::2], 2, axis=1),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_known_mistake_is_named(mistake):
    for dtype in (np.float64, np.float32):
        best = identify(MISTAKES[mistake].astype(dtype))[0]
        assert best.mistakes == (mistake,) or (
            best.mistakes == () and "transpose" in mistake and best.libraries
        )
        assert best.error < 1e-6


def test_two_mistakes_at_once_are_named_both():
    swapped = Convention(order="cos_first", base=1000, offset=1).table(20, D)
    assert identify(swapped)[0].mistakes == (
        "the base is 1000",
        "sine and cosine are in each other's place",
        "positions are counted from 1",
    )


def test_a_librarys_convention_is_no_mistake_whatever_it_looks_like():
    for name in ("torchtune_rope_cache", "opennmt_tf", "guided_diffusion"):
        best = identify(CONVENTIONS[name].table(20, D))[0]
        assert name in best.libraries
        assert best.mistakes == ()


def test_the_best_match_comes_first_and_all_are_within_the_tolerance():
    table = Convention(base=10_050).table(4, 64)
    matches = identify(table, tolerance=0.05)
    assert matches[0].convention == Convention(base=10_050)
    assert any(match.libraries for match in matches)
    assert all(match.error <= 0.05 for match in matches)
    for match in matches:
        unit = match.convention.table(4, 64)
        assert np.abs(unit - table).max() == pytest.approx(match.error, abs=1e-12)


def test_noise_and_learned_tables_match_nothing():
    random = np.random.default_rng(0)
    for table in (random.standard_normal((50, 16)), 1e-6 * random.standard_normal((3, 2))):
        assert identify(table) == []
    noisy = positional_encoding(50, 16) + 0.01 * random.standard_normal((50, 16))
    assert identify(noisy) == []
    assert "trax" in identify(noisy, tolerance=0.1)[0].libraries


def test_the_table_is_left_as_it_was():
    table = Convention().table(10, 8)
    before = table.copy()
    identify(table)
    assert np.array_equal(table, before)


@pytest.mark.parametrize(
    ("table", "error", "message"),
    [
        ([[[1.0]]], ValueError, r"table must have two axes, .* got shape \(1, 1, 1\)"),
        ([1.0, 2.0], ValueError, r"table must have two axes, .* got shape \(2,\)"),
        (np.ones((0, 4)), ValueError, r"table must .* at least one row .* got shape \(0, 4\)"),
        (np.ones((4, 1)), ValueError, r"table must .* two columns, got shape \(4, 1\)"),
        ([[1.0, np.nan]], ValueError, "table must be finite, got nan"),
        ([["a", "b"]], TypeError, "table must hold real numbers"),
        (np.ones((2, 2), complex), TypeError, "table must hold real numbers"),
    ],
)
def test_what_is_no_table_is_refused(table, error, message):
    with pytest.raises(error, match=f"^{message}"):
        identify(table)


@pytest.mark.parametrize("tolerance", [0, -1, np.nan, np.inf])
def test_a_tolerance_that_is_none_is_refused(tolerance):
    with pytest.raises(ValueError, match=r"^tolerance must be finite and greater than 0, got"):
        identify(Convention().table(2, 2), tolerance=tolerance)


@pytest.mark.parametrize("kind", [Convention(), Convention(angle_scale=-1, offset=-2000), None])
def test_a_large_table_takes_less_than_a_second_of_this_process(kind):
    random = np.random.default_rng(0).standard_normal((4096, 1024), np.float32)
    table = random if kind is None else kind.table(4096, 1024).astype(np.float32)
    identify(table)
    before = time.process_time()
    matches = identify(table)
    assert time.process_time() - before < 1
    assert [match.convention for match in matches] == ([] if kind is None else [kind])
