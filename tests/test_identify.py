"""`identify` finds the convention or the slip that made a table, or says what it knows of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import CONVENTIONS, GRIDS, Convention, identify
from posenc.libraries import RELATIVE
from tests import identify_cases as cases
from tests.examples import examples
from tests.identify_cases import LONG, PAPER, D, changed
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
        assert words(match) == [
            f"positions fall from {most} to -{most}: reverse the order of the rows"
        ]
    assert identify(table[:-1]).match.libraries == ()
    assert not {*names, "speechbrain_relative"} & set(identify(LONG).match.libraries)


@examples(60)
@given(cases.KIND, cases.WIDTH, st.integers(12, 300), st.sampled_from(["f4", "f8"]))
def test_every_conventions_table_is_found(kind, d_model, length, dtype):
    table = kind.table(length, d_model).astype(dtype)
    best = identify(table).match
    limit = {"f4": 5e-6, "f8": 3e-6}[dtype]
    for made in (best.convention.table(length, d_model), best.table()):
        assert np.abs(made - table).max() <= limit * kind.amplitude
    assert best.error <= limit


@examples(60)
@given(cases.ROUND, cases.ROUND_WIDTH)
def test_round_options_are_found_exactly(kind, d_model):
    assert identify(kind.table(64, d_model).astype(np.float32)).match.convention == kind


EXACT = [  # options of a convention, and the rows and columns that show them
    *(({"freq_shift": shift}, 64, 64) for shift in (0.3, 0.375)),
    ({"start": 2.75}, 64, 64),
    *(
        ({"layout": layout, "freq_shift": shift, "amplitude": 2.0, "start": 4}, 200, 64)
        for layout, shift in zip(["interleaved", "halves"] * 2, (0.5, 0.25, 1.5, 0.1), strict=True)
    ),
    *(({"angle_scale": scale, "start": 3, "base": 300}, 40, 16) for scale in (np.pi, -np.pi)),
    ({"base": 777.0}, 2, 16),
    *(({"amplitude": size}, 40, 16) for size in (1.05, 0.93)),
    *(({"amplitude": size}, 50, 512) for size in (512**0.5, 512**-0.5)),
    *(({"angle_scale": 0.02, "amplitude": size}, 30, 2) for size in (1.0, 8.0)),
    *(({"start": start}, 20, 16) for start in (-1, -2, 0.5)),  # no part of a library's table
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


def test_at_width_2_conventions_that_differ_elsewhere_form_one_match():
    table = Convention().table(20, 2)
    (match,) = identify(table).matches
    made = {name: kind.table(20, 2) for name, kind in CONVENTIONS.items() if name not in RELATIVE}
    same = {name for name, unit in made.items() if np.allclose(unit / unit[0].max(), table)}
    assert set(match.libraries) == same


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
    for start, row in ((1, 0), (2, 0), (5, 0), (6, 6)):
        match = identify(replace(kind, start=start).table(20, 16)).match
        assert (match.first_row, match.convention.start) == (row, start)


@pytest.mark.parametrize("name", cases.KNOWN)
def test_the_papers_table_is_recognised_in_every_state(name):
    table, code = cases.KNOWN[name]
    answer = identify(table)
    kind = answer.match.convention
    assert replace(kind, start=0, amplitude=1) == Convention()
    assert "annotated_transformer" in answer.match.libraries
    assert codes((*answer.match.findings, *answer.findings)) == ([code] if code else [])
    made = answer.match.table()
    assert made.shape == table.shape
    size = np.abs(table).max()
    assert np.abs(made - table).max() <= answer.match.error * size * 1.01 + 1e-12


OWN = Convention(base=777.0, start=0.5)  # of no library
AFTER_ZEROS = [  # rows of zeros, those that follow, the library's row, the start, what is said
    (2, LONG, 0, 0, ["after 2 rows of zeros"]),
    (1, LONG, 0, 0, ["after one row of zeros"]),
    (2, LONG[5:], 5, 5, ["after 2 rows of zeros", "from row 5 of the table"]),
    (2, OWN.table(20, 16), 0, 0.5, []),
]


def test_rows_of_zeros_are_left_out_and_counted():
    answer = identify(cases.padded())
    assert "transformers_m2m100" in answer.match.libraries
    assert (answer.rows_used, answer.rows_ignored) == (8, (0, 5, 6, 11))
    for zeros, rows, first, start, said in AFTER_ZEROS:
        answer = identify(np.concatenate([0 * rows[:zeros], rows]))
        match = answer.match
        found = match.zero_rows, match.first_row, match.convention.start
        assert (found, words(match)[: len(said)]) == ((zeros, first, start), said)
        assert (answer.rows_used, answer.rows_ignored) == (len(rows), tuple(range(zeros)))
    nothing = identify(np.zeros((4, 6)))
    assert (nothing.match, nothing.rows_ignored) == (None, (0, 1, 2, 3))


# Slips


@pytest.mark.parametrize("mistake", cases.MISTAKES)
def test_a_known_mistake_is_named(mistake):
    for dtype in (np.float64, np.float32):
        answer = identify(cases.MISTAKES[mistake].astype(dtype))
        best = answer.matches[-1] if mistake == "cosines-are-sines" else answer.match
        assert codes(best.mistakes) == [mistake]
        assert best.error < 1e-6


def test_sines_before_cosines_are_a_rotary_cache_or_a_mistake():
    cache, mistake = identify(Convention(layout="halves", base=1e8).table(50, 32)).matches
    assert cache.convention.part == "sin|cos"
    assert codes(mistake.mistakes) == ["exponent-doubled"]


def test_two_or_three_mistakes_in_one_table_are_all_named():
    doubled = cases.turned(2 * cases.STEP / D, rows=cases.ROWS + 1)
    for table, expected in (
        (doubled, ["exponent-doubled", "from-one"]),
        (doubled[:, np.arange(D) ^ 1], ["exponent-doubled", "swapped", "from-one"]),
    ):
        assert codes(identify(table).match.mistakes) == expected
    assert [str(found) for found in identify(cases.TWO_MISTAKES).match.mistakes] == [
        "the exponent is doubled",
        "sine and cosine are swapped",
        "positions are counted from 1",
    ]


@pytest.mark.parametrize(
    ("mistake", "size"), [("exponent-doubled", 0.02), ("cosine-exponent", 1), ("cosines-zero", 50)]
)
def test_a_mistake_is_named_in_rough_values_of_any_size(mistake, size):
    table = cases.MISTAKES[mistake]
    off = np.random.default_rng(0).uniform(-0.0009, 0.0009, table.shape)
    best = identify(size * (table + off)).match
    assert codes(best.mistakes) == [mistake]
    assert best.convention.amplitude == pytest.approx(size, rel=1e-3)


@pytest.mark.parametrize(("layout", "shift"), [("interleaved", 1), ("halves", 0)])
@pytest.mark.parametrize("width", [6, 16])
def test_a_mistake_is_found_in_either_layout_and_with_a_freq_shift(layout, shift, width):
    pairs, step = np.arange(width // 2), 1 / (width // 2 - shift)
    rows = np.arange(1, 31)[:, np.newaxis]
    both = np.cos(rows / 10_000 ** ((pairs + 0.5) * step)), np.sin(rows / 10_000 ** (pairs * step))
    table = np.concatenate(both, 1) if layout == "halves" else np.stack(both, 2)
    match = identify(table.reshape(30, width)).match
    assert match.convention == Convention(layout=layout, freq_shift=shift)
    assert codes(match.mistakes) == ["cosine-exponent", "swapped", "from-one"]
    assert match.error < 1e-12


def test_a_mistake_is_found_in_a_single_pair():
    rows = np.arange(200)
    table = np.stack([np.sin(rows), np.cos(rows / 10_000**0.5)], axis=1)
    match = identify(table).matches[-1]  # after a rotary cache
    assert (codes(match.mistakes), match.error < 1e-12) == (["cosine-exponent"], True)


@pytest.mark.parametrize("base", [10_000.0, 500_000.0, 1e6])
def test_a_lost_sign_of_the_exponent_is_named_where_the_second_pair_turns_fast(base):
    match = identify(cases.turning(base ** (np.arange(8) / 8), 200)).match
    assert codes(match.mistakes) == ["exponent-sign"]
    assert match.convention == Convention(layout="halves", base=base)


@pytest.mark.parametrize("base", [10_000.0, 777.77])
@pytest.mark.parametrize("order", [1, -1])
def test_powers_of_a_base_are_named_though_each_pair_begins_anywhere(base, order):
    for sense, words in ((-1, "they fall as those of base"), (1, "the sign of the exponent was")):
        turns, first = base ** (sense * np.arange(16) / 16), np.random.default_rng(1).uniform(0, 6)
        angles = np.outer(np.arange(200), turns) + first * np.arange(16)
        answer = identify(np.concatenate([np.sin(angles), np.cos(angles)][::order], axis=1))
        assert not answer
        assert words in str(answer.findings[1])
        assert str(answer.findings[1]).endswith(f"base {base:,g}")


@pytest.mark.parametrize("length", [30, 64, 100])
def test_a_first_row_at_half_a_turn_has_a_position(length):
    angles = np.outer(np.linspace(-np.pi, np.pi, length), 2.0 ** np.linspace(0, 6, 6))  # to the end
    match = identify(np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).match
    assert codes(match.findings) == ["growing"]


def test_octaves_with_the_end_point_are_no_octaves_and_those_without_are():
    for octaves, told in ((2.0 ** np.arange(5), False), (2.0 ** np.linspace(0, 5, 5), True)):
        angles = np.multiply.outer(np.arange(40), 0.01 * octaves)
        (found,) = identify(np.hstack([np.sin(angles), np.cos(angles)])).match.findings[:1]
        assert ("no octaves" in found.words) == told, found


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


def test_the_best_match_comes_first_and_all_are_within_the_tolerance():
    matches = identify(cases.BETWEEN, tolerance=0.05).matches
    assert [match.convention for match in matches] == [Convention(base=10_050), Convention()]
    for match in matches:
        off = np.abs(match.convention.table(4, 64) - cases.BETWEEN).max()
        assert off == pytest.approx(match.error, abs=1e-12)
        assert match.error <= 0.05


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("base", [9999, 10_005.5, 1_000_100])
def test_a_base_near_a_usual_one_is_the_only_match(base, dtype):
    """Another one fits to within the tolerance, but the values say that it is not theirs."""
    (match,) = identify(Convention(base=base).table(16, 64).astype(dtype)).matches
    assert match.convention.freq_shift == 0
    assert match.convention.base == pytest.approx(base, rel=1e-7)


@pytest.mark.parametrize("tolerance", [0, -1, np.nan, np.inf, 1])
def test_an_invalid_tolerance_is_refused_before_the_table_is_read(tolerance):
    rule = "less than 1, got 1$" if tolerance == 1 else "finite and greater than 0, got "
    for table in (PAPER, np.zeros((0, 0))):
        with pytest.raises(ValueError, match=f"^tolerance must be {rule}"):
            identify(table, tolerance=tolerance)


def test_the_tolerance_follows_from_the_format_unless_it_is_given():
    table = cases.KNOWN["bfloat16"][0]
    assert identify(table).tolerance == 2**-8  # twice the rounding error of bfloat16
    assert identify(LONG).tolerance == 0.001
    assert not identify(table, tolerance=1e-3)
    assert codes(identify(table, tolerance=0.02).findings) == []
    assert not identify(cases.far_float32(), tolerance=1e-3)
    answer = identify(cases.far_float32())
    assert 1e-3 < answer.match.error < 8e-3
    near = np.abs(cases.far_float32(1000) - Convention().table(1000, 32)).max()
    assert str(answer.findings[0]).startswith(f"differs by {near:.1e} in the first 1000 rows and")
    answer = identify(cases.NOISE[0], tolerance=0.0125)
    assert (answer.match, answer.tolerance) == (None, 0.0125)


def test_all_rows_are_compared_and_the_table_stays_as_it_was():
    for kind in (Convention(angle_scale=-1, start=-2000), Convention()):
        table = kind.table(320, 32).astype(np.float32)
        before = table.copy()
        assert [match.convention for match in identify(table).matches] == [kind]
        assert np.array_equal(table, before)
        assert identify(changed(table, (301, 20), table[301, 20] + 0.02)).nearest.rows == (301,)


# What is no encoding, or says too little


@pytest.mark.parametrize("name", cases.UNDECIDED)
def test_a_table_that_says_too_little_gets_a_finding_and_no_match(name):
    table, code = cases.UNDECIDED[name]
    answer = identify(table)
    assert (answer.matches, answer.match, bool(answer)) == ((), None, False)
    assert codes(answer.findings) == [code]
    if name == "cast to integers":
        assert answer.rows_used == 1
        assert "299 of 300 rows hold only zeros" in str(answer.findings[0])
    if name.startswith("angles"):
        assert str(answer.findings[0]).endswith("by 1, 0.3162, 0.1, 0.03162, 0.01 and 3 more")


def test_noise_and_learned_tables_match_nothing_and_have_nothing_near():
    assert "trax" in identify(cases.NOISY, tolerance=0.1).match.libraries
    assert not identify(cases.NOISY)
    assert not identify(cases.NOISE[0][:12, :6], tolerance=np.nextafter(1, 0))
    noise = np.random.default_rng(0).standard_normal((50, 16))
    sines_and_noise = np.stack([np.sin(np.arange(50)), noise[:, 0]], axis=1)
    for table in (*cases.NOISE, noise[:, :2], sines_and_noise):
        answer = identify(table)
        assert (answer.match, answer.nearest, answer.findings) == (None, None, ())
    for seed in range(2):
        assert not identify(np.random.default_rng(seed).normal(1, 2e-3, (4, 768)))


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


@pytest.mark.parametrize("name", cases.WAVES)
def test_sines_and_cosines_of_no_encoding_are_described_by_their_frequencies(name):
    table, frequencies = cases.WAVES[name]
    answer = identify(table)
    assert (answer.matches, answer.nearest) == ((), None)
    (found,) = map(str, answer.findings)
    assert found.startswith("sines and cosines of no known encoding: their frequencies")
    assert found.endswith(f" in radians per row are {frequencies}")


def test_a_slow_change_is_not_described_as_waves():
    def pairs(*turns):
        angles = np.arange(100)[:, np.newaxis] * turns
        return np.stack([np.sin(angles), np.cos(angles)], axis=2).reshape(100, -1)

    rows = np.arange(60)[:, np.newaxis]
    slow = (rows / 60) ** np.arange(2, 6), np.exp(-rows * [0.01, 0.02]), np.sin(rows[:7])
    for table, are_waves in (
        *((np.tile(table, 2), False) for table in slow),
        (pairs(0.3, 0.11, 0.2), True),
        (pairs(0.3, 0.11, 0.004), False),
    ):
        assert ("waves" in codes(identify(table).findings)) is are_waves


def test_two_frequencies_show_a_base_or_a_scale_but_not_both():
    for turns, code in (
        (2 * np.pi / np.array([24, 168]), "two-pairs"),
        ([1, 0.3], "rotary-too"),
        ([0.5, 0.25, 0.125], "rotary-too"),
    ):
        assert codes(identify(cases.turning(turns)).match.findings) == [code]


def test_equal_slices_are_named_with_every_answer():
    zeros, flat = np.zeros((9, 8)), np.ones((9, 8)) + 1e-4 * np.arange(9)[:, np.newaxis]
    noise = np.random.default_rng(6).standard_normal((9, 8))
    for table in (LONG, zeros, flat, noise, np.stack([LONG, noise[:1, :1] * np.ones_like(LONG)])):
        assert identify(np.stack([table] * 2)).findings[0].code == "equal-slices"


# Near misses, and rows that lie elsewhere


@pytest.mark.parametrize("name", cases.MISSED)
def test_a_near_miss_says_what_does_not_fit(name):
    table, code, rows, columns = cases.MISSED[name]
    answer = identify(table)
    assert not answer
    near = answer.nearest
    assert replace(near.convention, amplitude=1) == Convention()
    assert near.convention.amplitude == pytest.approx(1, abs=0.01)
    assert "annotated_transformer" in near.libraries
    assert codes(near.findings) == [code]
    assert (near.rows, near.columns) == (rows, columns)
    if code == "noise":
        assert near.typical == pytest.approx(0.02, rel=0.05)
        assert near.error == pytest.approx(np.abs(table - LONG).max(), rel=0.05)


@pytest.mark.parametrize("name", cases.PLACED)
def test_rows_that_lie_elsewhere_are_placed(name):
    table, code, positions = cases.PLACED[name]
    match = identify(table).match
    assert "annotated_transformer" in match.libraries
    assert code in codes(match.findings)
    np.testing.assert_allclose(match.positions, positions, atol=1e-6)
    np.testing.assert_allclose(match.table(), table, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "moved"), [("columns permuted", cases.PERMUTED), ("rows shuffled", cases.SHUFFLED)]
)
def test_three_rows_or_columns_that_moved_are_named_and_the_rest_counted(name, moved):
    answer = identify({**cases.MISSED, **cases.PLACED}[name][0])
    said = words(answer.match or answer.nearest)[0]
    left = np.count_nonzero(moved != np.arange(len(moved))) - 3
    assert said.count(" is its ") == 3
    assert said.endswith(f" and {left} more")


def test_four_rows_show_that_their_columns_are_in_another_order():
    near = identify(8 * Convention().table(4, 16)[:, np.roll(np.arange(16), 5)]).nearest
    assert near.columns == tuple(range(16))
    assert near.convention.amplitude == pytest.approx(8)
    assert codes(near.findings) == ["columns-moved"]


def test_a_table_that_stands_twice_below_itself_is_no_grid():
    table = Convention(base=30_000).table(33, 8)
    match = identify(np.concatenate([table, table])).match
    assert match.convention == Convention(base=30_000)
    assert match.positions == (*range(33), *range(33))


def test_the_step_from_row_to_row_and_the_rows_that_differ_are_named():
    for step in (10, 113):
        match = identify(Convention().table(20 * step, 16)[::step]).match
        assert words(match)[0] == f"it holds one row in {step}, from row 0"
    for rows, listed in (
        ([3, 4], "2 of 60 rows do not fit: 3-4"),
        ([0, 2, 4, 6, 8, 10, 11, 12, 20], "9 of 60 rows do not fit: 0, 2, 4, 6, 8 and 4 more"),
    ):
        assert words(identify(changed(LONG[:60, :16], rows, 0.3)).nearest) == [listed]


def test_a_near_miss_may_be_of_any_size_and_of_no_library_and_half_of_its_rows_may_be_others():
    started = Convention(layout="halves", base=500, start=3)
    for kind, size, rows in ((started, 0.02, (40,)), (Convention(), 20, tuple(range(80, 160)))):
        made = kind.table(160, 32)
        table = size * changed(made, list(rows), 0.3)
        near = identify(table).nearest
        assert replace(near.convention, amplitude=1) == kind
        assert near.convention.amplitude == pytest.approx(size)
        assert (near.rows, near.columns, near.libraries != ()) == (rows, (), kind == Convention())
        off = np.abs(table / size - made).max()
        assert near.error == pytest.approx(off)  # a fraction of the amplitude


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
