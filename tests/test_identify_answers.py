"""`identify` helps with the tables that people have: cut, cast, scaled, trained further."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import CONVENTIONS, Convention, Rotary, RotaryCache, identify, positional_encoding
from tests.identify_cases import (
    KNOWN,
    LONG,
    MISSED,
    PERMUTED,
    PLACED,
    SHUFFLED,
    UNDECIDED,
    WAVES,
    changed,
    far_float32,
    padded,
    turning,
)


def codes(findings) -> list[str]:
    return [found.code for found in findings]


@pytest.mark.parametrize("name", KNOWN)
def test_the_papers_table_is_recognised_in_every_state(name):
    table, code = KNOWN[name]
    answer = identify(table)
    kind = answer.match.convention
    assert replace(kind, start=0, amplitude=1) == Convention()
    assert "annotated_transformer" in answer.match.libraries
    assert codes((*answer.match.findings, *answer.findings)) == ([code] if code else [])


def test_the_square_root_of_64_is_8():
    assert identify(LONG * np.sqrt(64.0)).match.convention.amplitude == 8
    scale = identify(LONG * 64**-0.5 * (1 + 1e-15)).match.convention.amplitude
    assert scale == 0.125
    for factor in (np.sqrt(512), np.sqrt(1 / 512)):  # no decimal number of five digits
        found = identify(positional_encoding(50, 512) * factor).match.convention
        assert found.amplitude == factor


def test_rows_of_a_longer_table_are_placed_in_it():
    match = identify(LONG[100:200]).match
    assert (match.first_row, match.convention.start) == (100, 100)
    assert str(match.findings[0]) == "from row 100 of the table"
    tensor2tensor = CONVENTIONS["tensor2tensor"].table(200, 64)
    match = identify(tensor2tensor[100:]).match
    assert match.first_row == 100
    assert "tensor2tensor" in match.libraries


def test_rows_of_a_longer_table_of_odd_width_are_placed_in_it():
    match = identify(CONVENTIONS["transformers_marian"].table(140, 7)[100:]).match
    assert "transformers_marian" in match.libraries
    assert [str(found) for found in match.findings] == ["from row 100 of the table"]


def test_rows_of_zeros_before_a_table_are_counted():
    zeros = np.zeros((2, 64))
    answer = identify(np.concatenate([zeros, LONG]))
    assert (answer.match.zero_rows, answer.match.convention.start) == (2, 0)
    assert (answer.rows_used, answer.rows_ignored) == (300, (0, 1))
    assert str(answer.match.findings[0]) == "after 2 rows of zeros"
    answer = identify(np.concatenate([zeros, LONG[5:]]))
    assert codes(answer.match.findings) == ["after-zeros", "from-row"]
    assert (answer.match.zero_rows, answer.match.first_row) == (2, 5)
    answer = identify(np.concatenate([zeros[:1], LONG]))
    assert str(answer.match.findings[0]) == "after one row of zeros"


def test_rows_used_and_ignored_are_reported():
    answer = identify(padded())
    assert (answer.rows_used, answer.rows_ignored) == (8, (0, 5, 6, 11))


@pytest.mark.parametrize("name", UNDECIDED)
def test_a_table_that_says_too_little_gets_a_finding_and_no_match(name):
    table, code = UNDECIDED[name]
    answer = identify(table)
    assert not answer
    assert answer.match is None
    assert codes(answer.findings) == [code]


@pytest.mark.parametrize("name", WAVES)
def test_sines_and_cosines_of_no_encoding_are_described_by_their_frequencies(name):
    table, frequencies = WAVES[name]
    answer = identify(table)
    assert (answer.matches, answer.nearest) == ((), None)
    (found,) = map(str, answer.findings)
    assert found.startswith("sines and cosines of no known encoding: their frequencies")
    assert found.endswith(f" in radians per row are {frequencies}")


def test_a_slow_change_is_not_described_as_waves():
    rows = np.arange(60)[:, np.newaxis]
    for table in ((rows / 60) ** np.arange(2, 6), np.exp(-rows * [0.01, 0.02]), np.sin(rows[:7])):
        assert "waves" not in codes(identify(np.tile(table, 2)).findings)


def test_waves_are_not_described_if_one_of_them_hardly_turns():
    def pairs(*turns):
        angles = np.arange(100)[:, np.newaxis] * turns
        return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(100, -1)

    assert "waves" in codes(identify(pairs(0.3, 0.11, 0.2)).findings)
    assert "waves" not in codes(identify(pairs(0.3, 0.11, 0.004)).findings)


def test_a_table_that_stands_twice_below_itself_is_no_grid():
    table = Convention(base=30_000).table(33, 8)
    match = identify(np.concatenate([table, table])).match
    assert (match.convention, match.positions) == (
        Convention(base=30_000),
        (*range(33), *range(33)),
    )


def test_rows_of_signs_are_answered_without_an_error():
    signs = np.array([[1.0]])
    for _ in range(6):
        signs = np.block([[signs, signs], [signs, -signs]])
    assert not identify(signs[:, :4])
    assert not identify(signs[:, :2])


@pytest.mark.parametrize("size", [1.0, 8.0])
def test_an_arc_of_a_single_pair_is_enough_from_a_fifth_of_the_amplitude_on(size):
    kind = Convention(angle_scale=0.02, amplitude=size)
    assert identify(kind.table(30, 2)).match.convention.angle_scale == 0.02  # up to sin(0.58)
    flat = identify(kind.table(9, 2))  # up to sin(0.16)
    assert (flat.match, flat.findings[0].code) == (None, "vague")


def test_a_table_of_four_rows_near_1_gets_no_match_and_no_error():
    for seed in range(5):
        weights = np.random.default_rng(seed).normal(1, 2e-3, (4, 768))
        assert not identify(weights)


def test_two_pairs_are_not_found_at_a_far_position_that_fits_by_chance():
    assert not identify(-Convention(layout="halves").table(64, 4))
    rows = np.arange(128)[:, np.newaxis]
    assert not identify(np.sin(rows * [0.238820, 0.159571] + [1.1, 2.9]))


def test_two_frequencies_show_a_base_or_a_scale_but_not_both():
    day_and_week = 2 * np.pi / np.array([24, 168])
    found = identify(turning(day_and_week)).match.findings
    assert [finding.words for finding in found] == ["any two frequencies fit some base and scale"]
    assert codes(identify(turning([1, 0.3])).match.findings) == ["rotary-too"]
    assert codes(identify(turning([0.5, 0.25, 0.125])).match.findings) == ["rotary-too"]


def test_rounded_cosines_show_how_fast_a_pair_turns_that_hardly_turns():
    cache = RotaryCache(rotary=Rotary(4, base=150_000))
    match = identify(cache.table(16).round(3)).match
    assert match.convention == cache
    assert match.error <= 5e-4


def test_a_small_tolerance_allows_for_no_float32_angles():
    rotary = Rotary(64, base=500_000)
    places = np.arange(1e5, 1e5 + 400, dtype=np.float32)[:, np.newaxis]
    angles = places * rotary.frequencies().astype(np.float32)
    cache = np.cos(np.concatenate([angles, angles], axis=1))
    answer = identify(cache)
    assert answer.match.convention.rotary == rotary
    assert answer.match.error > answer.tolerance == 1e-3
    assert not identify(cache, tolerance=5e-4)


def test_a_table_of_integers_says_how_many_rows_are_zeros():
    answer = identify(LONG.astype(np.int64))
    assert answer.rows_used == 1
    assert "299 of 300 rows hold only zeros" in str(answer.findings[0])


@pytest.mark.parametrize("name", MISSED)
def test_a_near_miss_says_what_does_not_fit(name):
    table, code, rows, columns = MISSED[name]
    answer = identify(table)
    assert not answer
    near = answer.nearest
    assert replace(near.convention, amplitude=1) == Convention()
    assert near.convention.amplitude == pytest.approx(1, abs=0.01)
    assert "annotated_transformer" in near.libraries
    assert codes(near.findings) == [code]
    assert (near.rows, near.columns) == (rows, columns)


@pytest.mark.parametrize("name", PLACED)
def test_rows_that_lie_elsewhere_are_placed(name):
    table, code, positions = PLACED[name]
    match = identify(table).match
    assert "annotated_transformer" in match.libraries
    assert code in codes(match.findings)
    np.testing.assert_allclose(match.positions, positions, atol=1e-6)
    np.testing.assert_allclose(match.table(), table, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "moved"), [("columns permuted", PERMUTED), ("rows shuffled", SHUFFLED)]
)
def test_three_rows_or_columns_that_moved_are_named_and_the_rest_counted(name, moved):
    table = {**MISSED, **PLACED}[name][0]
    answer = identify(table)
    words = str((answer.match or answer.nearest).findings[0])
    left = np.count_nonzero(moved != np.arange(len(moved))) - 3
    assert words.count(" is its ") == 3
    assert words.endswith(f" and {left} more")


def test_four_rows_show_that_their_columns_are_in_another_order():
    order = np.roll(np.arange(16), 5)
    near = identify(positional_encoding(4, 16)[:, order]).nearest
    assert near.columns == tuple(range(16))
    assert near.findings[0].code == "columns-moved"


def test_a_match_from_the_first_row_on_skips_none():
    match = identify(Convention().table(20, 16)).match
    assert (match.first_row, match.zero_rows, match.points) == (0, 0, None)


@pytest.mark.parametrize("size", [1, 20.0, 0.02])
def test_half_of_the_rows_of_a_near_miss_may_be_others(size):
    near = identify(size * changed(LONG, slice(150, 300), 0.3)).nearest
    assert (near.rows, near.columns) == (tuple(range(150, 300)), ())
    assert near.convention == Convention(amplitude=near.convention.amplitude)
    assert near.convention.amplitude == pytest.approx(size)


def test_the_size_of_a_near_miss_is_measured():
    near = identify(MISSED["trained further"][0]).nearest
    assert near.typical == pytest.approx(0.02, rel=0.05)
    assert near.error == pytest.approx(np.abs(MISSED["trained further"][0] - LONG).max(), rel=0.05)
    match = identify(PLACED["every tenth row"][0]).match
    assert str(match.findings[0]) == "it holds one row in 10, from row 0"


def test_a_near_miss_may_be_a_convention_of_no_library():
    kind = Convention(layout="halves", base=500, start=3)
    near = identify(changed(kind.table(100, 32), 40, 0.1)).nearest
    assert (near.convention, near.rows, near.libraries) == (kind, (40,), ())


@pytest.mark.parametrize("size", [0.02, 8.0])
def test_a_near_miss_of_no_library_has_its_amplitude(size):
    table = changed(Convention(base=777).table(100, 32), 7, 0.3)
    plain, near = identify(table).nearest, identify(size * table).nearest
    assert near.convention.amplitude == pytest.approx(size)
    assert near.convention == replace(plain.convention, amplitude=near.convention.amplitude)
    assert near.error == pytest.approx(plain.error)  # a fraction of the amplitude


def test_a_near_miss_of_a_grid_says_which_row_is_learned():
    from posenc import GRIDS

    table = replace(GRIDS["mae"], class_rows=1).table((5, 5), 32)
    near = identify(changed(table, 0, 0.02 * np.sin(np.arange(32)))).nearest
    assert (near.convention, near.rows) == (replace(GRIDS["mae"], class_rows=1), (0,))


def test_noise_has_no_near_miss():
    noise = np.random.default_rng(0).standard_normal((50, 16))
    sines_and_noise = np.stack([np.sin(np.arange(50)), noise[:, 0]], axis=1)
    for table in (noise, noise[:, :2], sines_and_noise):
        answer = identify(table)
        assert (answer.match, answer.nearest, answer.findings) == (None, None, ())


def test_far_rows_of_float32_angles_are_explained():
    answer = identify(KNOWN["float32, far"][0])
    assert 1e-3 < answer.match.error < 8e-3
    (found,) = answer.findings
    near = np.abs(far_float32(1000) - positional_encoding(1000, 32)).max()
    assert str(found).startswith(f"differs by {near:.1e} in the first 1000 rows and by ")
    assert not identify(KNOWN["float32, far"][0], tolerance=1e-3)


def test_an_answer_without_a_match_has_its_tolerance():
    noise = np.random.default_rng(5).standard_normal((2, 30, 16))
    for table in (noise[0], noise[0] + 1j * noise[1]):
        answer = identify(table, tolerance=0.0125)
        assert (answer.match, answer.tolerance) == (None, 0.0125)


def test_equal_slices_are_named_with_every_answer():
    zeros, flat = np.zeros((9, 8)), np.ones((9, 8)) + 1e-4 * np.arange(9)[:, np.newaxis]
    noise = np.random.default_rng(6).standard_normal((9, 8))
    for table in (LONG, zeros, flat, noise, np.stack([LONG, noise[:1, :1] * np.ones_like(LONG)])):
        answer = identify(np.stack([table] * 2))
        assert answer.findings[0].code == "equal-slices"


def test_a_given_tolerance_is_the_only_one():
    table = KNOWN["bfloat16"][0]
    assert identify(table).tolerance == 2**-8  # twice the rounding error of bfloat16
    assert identify(LONG).tolerance == 0.001
    assert not identify(table, tolerance=1e-3)
    assert codes(identify(table, tolerance=0.02).findings) == []


@pytest.mark.parametrize("shift", [0.5, 0.25, 1.5, 0.1])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_any_freq_shift_is_found(shift, layout):
    kind = Convention(layout=layout, freq_shift=shift, amplitude=2, start=4)
    assert identify(kind.table(200, 64)).match.convention == kind


def test_a_forward_table_is_never_one_of_distances():
    names = identify(LONG).match.libraries
    assert not {"espnet_relative", "speechbrain_relative"} & set(names)


def test_a_real_table_of_distances_is_recognised():
    table = Convention(angle_scale=-1, start=-49).table(99, 64)
    match = identify(table.astype(np.float32)).match
    assert match.libraries == ("espnet_relative", "transformers_wav2vec2_conformer")
    assert str(match.findings[0]) == "positions fall from 49 to -49: reverse the order of the rows"
    assert identify(table[:-1]).match.libraries == ()


def test_a_table_that_is_added_has_no_rotary_encoding():
    assert identify(Convention().table(20, 8)).match.rotary is None
