"""`identify` finds the convention or the mistake that made a table."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import CONVENTIONS, Convention, Rotary, RotaryCache, identify
from posenc.identification._tables import Mistaken, complexity, mistaken
from posenc.libraries import RELATIVE
from tests.examples import examples
from tests.identify_cases import (
    BACKWARDS,
    BETWEEN,
    FORWARDS,
    KIND,
    LOOK_LIKE_MISTAKES,
    MISTAKES,
    NOISE,
    NOISY,
    NOT_ROW_BY_ROW,
    PRECISE,
    REFUSED,
    ROUND,
    ROUND_WIDTH,
    TWO_MISTAKES,
    WIDTH,
    D,
    padded,
)
from tests.reference import ARRAYS, library


@pytest.mark.parametrize("array", FORWARDS)
def test_a_librarys_table_is_found_under_its_name(array):
    best = identify(ARRAYS[array]).match
    kind = CONVENTIONS[library(array)]
    assert library(array) in best.libraries
    assert best.error < 1e-4
    assert best.mistakes == ()
    assert dataclasses.replace(best.convention, amplitude=1) == dataclasses.replace(
        kind, odd="error", amplitude=1, amplitude_power=0
    )
    amplitude = kind.amplitude * ARRAYS[array].shape[1] ** kind.amplitude_power
    assert best.convention.amplitude == pytest.approx(amplitude, abs=1e-6)


@pytest.mark.parametrize("array", NOT_ROW_BY_ROW)
def test_rows_that_are_not_consecutive_positions_are_placed_or_match_nothing(array):
    match = identify(ARRAYS[array]).match
    known = {
        "diffusers_timestep_sd_t999_981_1__d320": (999, 981, 1),
        "speechbrain_relposxl__L16_d8": (*range(15, 0, -1), *range(16)),
    }
    assert (match and match.positions) == known.get(array)


@pytest.mark.parametrize("array", sorted(BACKWARDS))
def test_a_backward_table_has_a_negative_angle_scale(array):
    (match,) = identify(ARRAYS[array]).matches
    assert match.convention == Convention(angle_scale=-1, start=-15)
    assert library(array) in match.libraries
    assert str(match.findings[0]) == "positions fall from 15 to -15: reverse the order of the rows"


@examples(60)
@given(KIND, WIDTH, st.integers(12, 300), st.sampled_from(["f4", "f8"]))
def test_every_conventions_table_is_found(kind, d_model, length, dtype):
    table = kind.table(length, d_model).astype(dtype)
    best = identify(table).match
    found = best.convention.table(length, d_model)
    limit = {"f4": 5e-6, "f8": 3e-6}[dtype]
    assert np.abs(found - table).max() <= limit * kind.amplitude
    assert best.error <= limit


@examples(60)
@given(ROUND, ROUND_WIDTH)
def test_round_options_are_found_exactly(kind, d_model):
    assert identify(kind.table(64, d_model).astype(np.float32)).match.convention == kind


@pytest.mark.parametrize("options", [{"start": 2.75}, {"freq_shift": 0.3}, {"freq_shift": 0.375}])
def test_numbers_with_few_decimals_are_found_exactly(options):
    kind = Convention(**options)
    assert identify(kind.table(64, 64).astype(np.float32)).match.convention == kind


@pytest.mark.parametrize("scale", [np.pi, -np.pi])
def test_half_a_turn_for_each_row_is_found_exactly_in_either_direction(scale):
    kind = Convention(angle_scale=scale, start=3, base=300, odd="error")
    assert identify(kind.table(40, 16).astype(np.float32)).match.convention == kind


def test_two_rows_suffice_for_an_unusual_base():
    kind = Convention(base=777.0)
    assert identify(kind.table(2, 16)).match.convention == kind


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
@pytest.mark.parametrize("name", PRECISE)
def test_precision_does_not_change_the_answer(name, dtype):
    best = identify(CONVENTIONS[name].table(300, 64).astype(dtype)).match
    assert name in best.libraries
    assert best.error <= {"f2": 5e-4, "f4": 1e-7, "f8": 1e-15}[dtype]


def test_at_width_2_conventions_that_differ_elsewhere_form_one_match():
    table = Convention().table(20, 2)
    (match,) = identify(table).matches
    made = {name: kind.table(20, 2) for name, kind in CONVENTIONS.items() if name not in RELATIVE}
    same = {name for name, unit in made.items() if np.allclose(unit / unit[0].max(), table)}
    assert set(match.libraries) == same
    assert len(same) == 50


def test_a_convention_is_more_complex_with_every_digit_of_each_of_its_numbers():
    digits = complexity(Convention())[0]
    for name in ("base", "angle_scale", "start", "freq_shift"):
        for number, more in ((2.0, 0), (2.5, 1), (2.75, 2)):
            assert complexity(Convention(**{name: number}))[0] == digits + more, name
    assert complexity(Convention(angle_scale=2.5 * np.pi))[0] == digits + 1


def test_a_column_of_the_smallest_numbers_is_no_error():
    table = Convention(base=500).table(20, 16)
    table[:, 0] *= 1e-311
    assert not identify(table)


def test_bits_beside_columns_of_zeros_are_answered_without_a_warning():
    both = np.array(
        list("0020132101133033223110223"), int
    )  # 25 rows, of which the first holds only zeros
    table = np.stack([both % 2, both // 2, 0 * both, 0 * both], axis=1)
    assert not identify(table.astype(float))


def test_rows_of_zeros_count_as_padding():
    assert "transformers_m2m100" in identify(padded()).match.libraries
    nothing = identify(np.zeros((4, 6)))
    assert nothing.match is None
    assert [found.code for found in nothing.findings] == ["all-zeros"]
    assert nothing.rows_ignored == (0, 1, 2, 3)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_known_mistake_is_named(mistake):
    for dtype in (np.float64, np.float32):
        answer = identify(MISTAKES[mistake].astype(dtype))
        best = answer.matches[-1] if mistake == "cosines-are-sines" else answer.match
        assert [found.code for found in best.mistakes] == [mistake]
        assert best.error < 1e-6


def test_sines_twice_are_a_rotary_cache_or_a_mistake():
    cache, mistake = identify(MISTAKES["cosines-are-sines"]).matches
    assert cache.convention == RotaryCache(
        rotary=Rotary(D, layout="interleaved"), part="sin", form="interleaved"
    )
    assert [found.code for found in cache.findings] == ["cosines-missing-too"]
    assert str(mistake.mistakes[0]) == "the cosines are missing, their columns hold sines"


@pytest.mark.parametrize(
    "name", [name for name, kind in CONVENTIONS.items() if kind.odd not in ("error", "overflow")]
)
def test_a_library_is_named_at_an_odd_width(name):
    assert name in identify(CONVENTIONS[name].table(60, 7)).match.libraries


def test_each_combination_of_mistakes_is_tried_once_the_fewest_mistakes_first():
    counts = [len(one.mistakes) for one in mistaken()]
    assert counts == sorted(counts)
    assert len(set(mistaken())) == len(counts)


def test_two_mistakes_in_one_table_are_both_named():
    best = identify(TWO_MISTAKES).match
    assert [found.code for found in best.mistakes] == ["base-1000", "swapped", "from-one"]
    assert [str(found) for found in best.mistakes] == [
        "the base is 1000",
        "sine and cosine are swapped",
        "positions are counted from 1",
    ]


@pytest.mark.parametrize(
    "codes",
    [("swapped", "from-one"), ("exponent-doubled", "from-one"), ("exponent-doubled", "swapped")],
)
def test_any_two_mistakes_in_one_table_are_both_named(codes):
    slip = Mistaken(Convention(), codes)
    table = slip.encode(slip.start + np.arange(20.0), D)
    assert tuple(found.code for found in identify(table).match.mistakes) == codes


def test_no_mistake_changes_the_frequency_of_the_first_sine():
    rows = np.arange(5.0)
    for slip in mistaken():
        assert slip.start == ("from-one" in slip.mistakes)
        first = slip.encode(rows, D)[:, slip.columns(D).argmin()]
        assert np.array_equal(first, np.sin(rows)), slip


@pytest.mark.parametrize("size", [0.02, 1, 50])
@pytest.mark.parametrize("mistake", ["exponent-doubled", "cosines-zero", "exponent-0"])
def test_a_mistake_is_named_in_rough_values_of_any_size(mistake, size):
    table = MISTAKES[mistake]
    off = np.random.default_rng(0).uniform(-0.0009, 0.0009, table.shape)
    best = identify(size * (table + off)).match
    assert [found.code for found in best.mistakes] == [mistake]
    assert best.convention.amplitude == pytest.approx(size, rel=1e-3)


def test_a_librarys_convention_is_never_called_a_mistake():
    for name in LOOK_LIKE_MISTAKES:
        best = identify(CONVENTIONS[name].table(20, D)).match
        assert name in best.libraries
        assert best.mistakes == ()


def test_the_best_match_comes_first_and_all_are_within_the_tolerance():
    matches = identify(BETWEEN, tolerance=0.05).matches
    assert matches[0].convention == Convention(base=10_050)
    assert any(match.libraries for match in matches)
    assert all(match.error <= 0.05 for match in matches)
    for match in matches:
        unit = match.convention.table(4, 64)
        assert np.abs(unit - BETWEEN).max() == pytest.approx(match.error, abs=1e-12)


def test_noise_and_learned_tables_match_nothing():
    for table in (*NOISE, NOISY):
        assert not identify(table)
    assert "trax" in identify(NOISY, tolerance=0.1).match.libraries


@pytest.mark.parametrize("size", [1.05, 0.93])
def test_an_amplitude_near_1_is_measured(size):
    match = identify(size * Convention().table(40, 16)).match
    assert match.convention == Convention(amplitude=size)
    assert match.error < 1e-9


def test_identify_does_not_change_the_table():
    table = Convention().table(10, 8)
    before = table.copy()
    identify(table)
    assert np.array_equal(table, before)


@pytest.mark.parametrize(("table", "error", "message"), REFUSED.values(), ids=REFUSED)
def test_an_invalid_table_is_refused(table, error, message):
    with pytest.raises(error, match=f"^{message}"):
        identify(table)


@pytest.mark.parametrize("tolerance", [0, -1, np.nan, np.inf])
def test_an_invalid_tolerance_is_refused(tolerance):
    with pytest.raises(ValueError, match=r"^tolerance must be finite and greater than 0, got"):
        identify(Convention().table(2, 2), tolerance=tolerance)
    with pytest.raises(ValueError, match=r"^tolerance must be finite and greater than 0, got"):
        identify(np.zeros((0, 0)), tolerance=tolerance)


def test_a_tolerance_of_1_or_more_which_matches_noise_is_refused():
    with pytest.raises(ValueError, match=r"^tolerance must be less than 1, got 1$"):
        identify(NOISE[0], tolerance=1)
    assert not identify(NOISE[0], tolerance=np.nextafter(1, 0))


@pytest.mark.parametrize(
    "kind",
    [
        Convention(angle_scale=-1, start=-2000),
        *(pytest.param(kind, marks=pytest.mark.thorough) for kind in (Convention(), None)),
    ],
)
def test_a_large_table_is_identified_from_all_of_its_rows(kind):
    random = np.random.default_rng(0).standard_normal((2048, 512), np.float32)
    table = random if kind is None else kind.table(2048, 512).astype(np.float32)
    found = [match.convention for match in identify(table).matches]
    assert found == ([] if kind is None else [kind])
    table[1501, 300] += 0.02
    answer = identify(table)
    assert not answer
    assert kind is None or answer.nearest.rows == (1501,)
