"""`identify` finds the convention or the slip that made a table, or says what it knows of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import CONVENTIONS, GRIDS, Convention, identify
from tests import identify_cases as cases
from tests.identify_cases import LONG, PAPER, changed
from tests.reference import ARRAYS, library

LIMIT = 2.0**-10


def codes(findings) -> list[str]:
    return [found.code for found in findings]


def words(match) -> list[str]:
    return list(map(str, match.findings))


# Conventions


@pytest.mark.parametrize("array", cases.FORWARDS)
def test_a_librarys_table_is_found_under_its_name(array):
    table, kind = ARRAYS[array], CONVENTIONS[library(array)]
    best = identify(table).match
    assert library(array) in best.libraries
    assert (best.mistakes, best.error < 1e-4) == ((), True)
    plain = {"amplitude": 1.0, "amplitude_power": 0.0}
    assert replace(best.convention, **plain) == replace(kind, odd="error", **plain)
    amplitude = kind.amplitude * table.shape[1] ** kind.amplitude_power
    assert best.convention.amplitude == pytest.approx(amplitude, abs=1e-6)


def test_rows_that_are_not_consecutive_positions_are_placed_or_match_nothing():
    known = {
        "diffusers_timestep_sd_t999_981_1__d320": (999, 981, 1),
        "speechbrain_relposxl__L16_d8": (*range(15, 0, -1), *range(16)),
    }
    for array in cases.NOT_ROW_BY_ROW:
        match = identify(ARRAYS[array]).match
        assert (match and match.positions) == known.get(array)


def test_a_table_of_distances_has_the_names_of_its_libraries_and_a_forward_one_has_not():
    names = ("espnet_relative", "transformers_wav2vec2_conformer")
    table = Convention(angle_scale=-1, start=-49).table(99, 64).astype(np.float32)
    for falling, most in ((table, 49), *((ARRAYS[array], 15) for array in cases.BACKWARDS)):
        match = identify(falling).match
        assert (match.libraries, match.convention.start) == (names, -most)
        said = f"positions fall from {most} to -{most}: reverse the order of the rows"
        assert words(match) == [said]
    assert identify(table[:-1]).match.libraries == ()
    assert not {*names, "speechbrain_relative"} & set(identify(LONG).match.libraries)


EXACT = [  # options of a convention, and the rows and columns that show them
    ({"freq_shift": 0.375}, 64, 64),
    ({"layout": "halves", "freq_shift": 0.25, "amplitude": 2.0, "start": 4}, 200, 64),
    ({"layout": "interleaved", "freq_shift": 1.5, "start": 2.75}, 200, 64),
    *(({"angle_scale": scale, "start": 3, "base": 300}, 40, 16) for scale in (np.pi, -np.pi)),
    ({"base": 777.0}, 2, 16),
    *(({"amplitude": size}, 50, 512) for size in (1.05, 512**0.5, 512**-0.5)),
    *(({"angle_scale": 0.02, "amplitude": size}, 30, 2) for size in (1.0, 8.0)),
    *(({"start": start}, 20, 16) for start in (-1, 0.5)),  # no part of a library's table
    # The libraries whose positions fall refuse an odd width.
    *(({"angle_scale": -1, "start": -15, "odd": odd}, 31, 15) for odd in ("ceil", "pad")),
]


@pytest.mark.parametrize(("options", "length", "d_model"), EXACT)
def test_unusual_options_are_found_exactly(options, length, d_model):
    kind = Convention(**options)
    match = identify(kind.table(length, d_model)).match
    assert match.convention == kind
    assert match.error < 1e-9
    if options.keys() <= {"start", "angle_scale", "odd"}:
        assert (match.libraries, match.first_row, match.points) == ((), 0, None)
    rough = kind.table(length, d_model).astype(np.float32)
    assert length == 2 or identify(rough).match.convention == kind


def test_a_library_is_named_at_an_odd_width():
    for name, kind in CONVENTIONS.items():
        if kind.odd not in ("error", "overflow"):
            assert name in identify(kind.table(60, 7)).match.libraries


def test_rows_of_a_longer_table_are_placed_in_that_of_the_library_that_begins_first():
    for name, width in (("transformers_marian", 7), ("tensor2tensor", 64)):
        match = identify(CONVENTIONS[name].table(140, width)[100:]).match
        assert (match.first_row, name in match.libraries) == (100, True)
        assert words(match) == ["from row 100 of the table"]
    kind = Convention(layout="halves", freq_shift=1)
    for start, row in ((1, 0), (5, 0), (6, 6)):
        match = identify(replace(kind, start=start).table(20, 16)).match
        assert (match.first_row, match.convention.start) == (row, start)


def test_rows_of_zeros_are_left_out_and_counted():
    answer = identify(cases.padded())
    assert "transformers_m2m100" in answer.match.libraries
    assert (answer.rows_used, answer.rows_ignored) == (8, (0, 5, 6, 11))
    answer = identify(np.concatenate([0 * LONG[:2], LONG[5:]]))
    match = answer.match
    assert (match.zero_rows, match.first_row, match.convention.start) == (2, 5, 5)
    assert words(match) == ["after 2 rows of zeros", "from row 5 of the table"]


# Slips


@pytest.mark.parametrize("mistake", cases.MISTAKES)
def test_a_known_mistake_is_named(mistake):
    answer = identify(cases.MISTAKES[mistake].astype(np.float32))
    best = answer.matches[-1] if mistake == "cosines-are-sines" else answer.match
    assert codes(best.mistakes) == [mistake]
    assert best.error < 1e-6


def test_a_mistake_is_named_in_rough_values_of_any_size():
    for mistake, size in (("exponent-doubled", 0.02), ("cosine-exponent", 1), ("cosines-zero", 50)):
        table = cases.MISTAKES[mistake]
        off = np.random.default_rng(0).uniform(-0.0009, 0.0009, table.shape)
        best = identify(size * (table + off)).match
        assert codes(best.mistakes) == [mistake]
        assert best.convention.amplitude == pytest.approx(size, rel=1e-3)


def test_several_mistakes_are_found_in_either_layout_and_with_a_freq_shift():
    rows = np.arange(1, 31)[:, np.newaxis]
    for layout, shift, width in (("interleaved", 1, 6), ("halves", 0, 16)):
        pairs, step = np.arange(width // 2), 1 / (width // 2 - shift)
        turns = (10_000 ** (-(pairs + half) * step) for half in (0.5, 0))
        both = [of(rows * one) for of, one in zip((np.cos, np.sin), turns, strict=True)]
        table = np.concatenate(both, 1) if layout == "halves" else np.stack(both, 2)
        match = identify(table.reshape(30, width)).match
        assert match.convention == Convention(layout=layout, freq_shift=shift)
        assert codes(match.mistakes) == ["cosine-exponent", "swapped", "from-one"]
        assert match.error < 1e-12
    doubled = identify(cases.TWO_MISTAKES).match
    assert codes(doubled.mistakes) == ["exponent-doubled", "swapped", "from-one"]


# Tolerances


@pytest.mark.parametrize(
    "table", [PAPER, cases.MISTAKES["cosine-exponent"], cases.MISTAKES["exponent-doubled"]]
)
def test_an_error_of_exactly_the_tolerance_is_allowed_and_a_larger_one_is_not(table):
    off = changed(table, (0, 0), LIMIT)  # in place of sin 0
    answer = identify(off, tolerance=LIMIT)
    assert (answer.match.error, answer.tolerance) == (LIMIT, LIMIT)
    assert (answer.match.libraries, answer.match.mistakes) != ((), ())
    smaller = identify(off, tolerance=np.nextafter(LIMIT, 0)).match
    assert smaller is None or (smaller.libraries, smaller.mistakes) == ((), ())


def test_the_tolerance_follows_from_the_format_unless_it_is_given():
    table = cases.bfloat16(LONG)
    assert identify(table).tolerance == 2**-8  # twice the rounding error of bfloat16
    assert identify(LONG).tolerance == 0.001
    assert not identify(table, tolerance=1e-3)
    assert codes(identify(table, tolerance=0.02).findings) == []
    answer = identify(cases.far_float32())
    assert 1e-3 < answer.match.error < 8e-3
    near = np.abs(cases.far_float32(1000) - Convention().table(1000, 32)).max()
    assert str(answer.findings[0]).startswith(f"differs by {near:.1e} in the first 1000 rows and")


def test_all_rows_are_compared_and_the_table_stays_as_it_was():
    for kind in (Convention(angle_scale=-1, start=-2000), Convention()):
        table = kind.table(320, 32).astype(np.float32)
        before = table.copy()
        assert [match.convention for match in identify(table).matches] == [kind]
        assert np.array_equal(table, before)
        assert identify(changed(table, (301, 20), table[301, 20] + 0.02)).nearest.rows == (301,)


# What is no encoding, or says too little


@pytest.mark.parametrize("name", cases.UNKNOWN)
def test_a_table_of_no_known_encoding_has_no_match_and_a_reason(name):
    table, said = cases.UNKNOWN[name]
    answer, near = identify(table), identify(table).nearest
    assert (answer.matches, answer.match, bool(answer)) == ((), None, False)
    assert [str(one) for one in (near or answer).findings] == [said]
    if near:
        assert replace(near.convention, amplitude=1) == Convention()
        assert near.convention.amplitude == pytest.approx(1, abs=0.01)
        assert "annotated_transformer" in near.libraries
        if not near.columns[1:]:  # they are not in another order
            assert near.error == pytest.approx(np.abs(table - LONG).max(), rel=0.05)
            assert near.typical == pytest.approx(np.std(table - LONG), rel=0.05)


def test_noise_and_learned_tables_match_nothing_and_have_nothing_near():
    assert "trax" in identify(cases.NOISY, tolerance=0.1).match.libraries
    assert not identify(cases.NOISY)
    assert not identify(cases.NOISE[:12, :6], tolerance=np.nextafter(1, 0))
    sines_and_noise = np.stack([np.sin(np.arange(50)), cases.NOISE[:, 0]], axis=1)
    for table in (cases.NOISE, 1e-6 * cases.NOISE[:3, :2], sines_and_noise):
        answer = identify(table)
        assert (answer.match, answer.nearest, answer.findings) == (None, None, ())


def test_values_that_look_like_few_pairs_match_nothing_and_raise_no_warning():
    signs = np.array([[1.0]])
    for _ in range(6):
        signs = np.block([[signs, signs], [signs, -signs]])
    small = Convention(base=500).table(20, 16) * np.r_[1e-311, np.ones(15)]
    both = np.array(list("0020132101133033223110223"), int)  # its first row holds only zeros
    bits = np.stack([both % 2, both // 2, 0 * both, 0 * both], axis=1).astype(float)
    rows = np.arange(128)[:, np.newaxis]
    by_chance = np.sin(rows * [0.238820, 0.159571] + [1.1, 2.9])
    far = -Convention(layout="halves").table(64, 4)
    for table in (signs[:, :4], signs[:, :2], small, bits, by_chance, far):
        assert not identify(table)
    flat = identify(Convention(angle_scale=0.02, amplitude=8.0).table(9, 2))  # up to sin(0.16)
    assert (flat.match, codes(flat.findings)) == (None, ["vague"])


def test_a_slow_change_is_not_described_as_waves():
    rows = np.arange(60)[:, np.newaxis]
    slow = (rows / 60) ** np.arange(2, 6), np.exp(-rows * [0.01, 0.02]), np.sin(rows[:7])
    for table, are_waves in (
        *((np.tile(table, 2), False) for table in slow),
        (cases.turning([0.3, 0.11, 0.2], 100), True),
        (cases.turning([0.3, 0.11, 0.004], 100), False),
    ):
        assert ("waves" in codes(identify(table).findings)) is are_waves


# Near misses, and rows that lie elsewhere


PLACED = {  # positions of the paper's rows that do not follow one another: code of the finding
    "rows-moved": np.random.default_rng(1).permutation(300),
    "jumps": np.r_[64:128, 200:264],
    "mirrored": np.r_[40:-1:-1, 1:41],
    "times": np.arange(60) ** 2 / 7,
}


@pytest.mark.parametrize("code", PLACED)
def test_rows_that_lie_elsewhere_are_placed(code):
    table = Convention().encode(PLACED[code], 64)
    match = identify(table).match
    assert "annotated_transformer" in match.libraries
    assert code in codes(match.findings)
    np.testing.assert_allclose(match.positions, PLACED[code], atol=1e-6)
    np.testing.assert_allclose(match.table(), table, atol=1e-9)


def test_a_near_miss_may_be_of_any_size_and_of_no_library_and_half_of_its_rows_may_be_others():
    started = Convention(layout="halves", base=500, start=3)
    for kind, size, rows in ((started, 0.02, (40,)), (Convention(), 20, tuple(range(80, 160)))):
        made = kind.table(160, 32)
        table = changed(made, list(rows), 0.3)
        near = identify(size * table).nearest
        assert replace(near.convention, amplitude=1) == kind
        assert near.convention.amplitude == pytest.approx(size)
        assert (near.rows, near.columns, near.libraries != ()) == (rows, (), kind == Convention())
        assert near.error == pytest.approx(np.abs(table - made).max())  # of the amplitude


def test_a_near_miss_of_a_grid_says_which_rows_are_learned():
    grid = replace(GRIDS["mae"], class_rows=1)
    near = identify(changed(grid.table((5, 5), 32), 0, 0.02 * np.sin(np.arange(32)))).nearest
    assert (near.convention, near.rows) == (grid, (0,))
    near = identify(changed(grid.table((4, 4), 16), [5, 9], 0.2)).nearest
    assert (near.convention.class_rows, near.rows) == (1, (5, 9))


def test_a_far_first_row_is_no_better_because_its_angles_may_be_off():
    for length in (3, 10):
        for base, names in ((10_000.0, {"annotated_transformer"}), (5000.0, set())):
            match = identify(Convention(base=base).table(length, 4).astype(np.float16)).match
            assert (match.convention.start, codes(match.mistakes)) == (0, [])
            assert names <= {*match.libraries}
