"""Vectors and tables that people reported: the answer says nothing false about their numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from posenc import Convention, Grid, identify
from posenc import __main__ as command
from tests.identification_tables import llama3, powers, rounded, text_and_images


def lines(**held):
    """What the command prints about arrays of these names, on one line."""
    return " ".join(
        line for one in command.reports(iter(held.items()), "", None) for line in one.lines()
    )


def cache(angles):
    return {"cos": np.cos(angles), "sin": np.sin(angles)}


def slopes(heads):
    """ALiBi's authors' slopes: those of a power of two, then every second one of the next."""
    if np.log2(heads).is_integer():
        return 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    whole = 2 ** int(np.log2(heads))
    return np.concatenate([slopes(whole), slopes(2 * whole)[::2][: heads - whole]])


@pytest.mark.parametrize("heads", [4, 8, 12, 40, 64])
def test_the_slopes_of_alibi_are_named_and_so_is_the_formula_that_its_authors_do_not_use(heads):
    assert f"slopes: {heads}, float64: ALiBi's slopes for {heads} heads  " in lines(
        slopes=slopes(heads)
    )
    formula = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    is_other = "its authors' code has others" in lines(slopes=formula)
    assert is_other == (heads in (12, 40))
    assert identify(slopes(heads)).findings[0].code == "alibi"


def test_slopes_that_begin_with_1_may_be_those_of_alibi():
    assert "ALiBi's slopes look the same if head 0 counts as h = 0" in lines(
        slopes=2.0 ** -np.arange(8)
    )


@pytest.mark.parametrize("factor", [8.0, 32.0])
def test_the_divisors_in_a_file_of_llama_cpp_are_no_frequencies(factor):
    plain = powers(500_000.0, 64)
    divisors = plain / llama3(plain, factor, 8192.0)
    said = lines(**{"rope_freqs.weight": divisors.astype("f4")})
    scaling = "Llama3()" if factor == 8 else "Llama3(factor=32)"
    made = f"Rotary(128, base=500000, scaling={scaling})"
    assert f"divisors: by them the frequencies of base 500,000 are divided in {made}" in said


def test_numbers_that_grow_are_no_mistake_unless_the_first_is_1():
    growing = 1 / powers(10_000.0, 32)
    assert "the sign of the exponent is lost" in lines(inv_freq=growing)
    for others in (2 * np.pi * growing, np.linspace(1, 5, 16) * np.pi):
        assert "numbers that grow by no known rule, as wavelengths or divisors do" in lines(
            freqs=others
        )


def test_frequencies_that_are_no_numbers_are_called_never_filled():
    assert "perhaps never filled: nan, nan" in lines(inv_freq=np.full(32, np.nan))


@pytest.mark.parametrize("vector", [0.1 * 0.95 ** np.arange(50), 0.9 ** np.arange(32)])
def test_a_vector_of_another_name_that_falls_by_an_odd_base_is_no_encoding(vector):
    with pytest.raises(ValueError, match="two axes"):
        lines(decay=vector)
    assert "the inverse frequencies" in lines(decay=powers(10_000.0, 32))


@pytest.mark.parametrize("part", [0, 1, 3])
def test_a_part_of_a_wider_table_is_that_part_and_not_the_first(part):
    """As of a cache that ranks of tensor parallelism share."""
    own = powers(10_000.0, 128).reshape(4, 32)[part]
    said = lines(**cache(np.outer(np.arange(200), own)))
    which = f"pairs {32 * part}-{32 * part + 31}" if part else "the first 32"
    assert f"the same as {which} of 128 pairs of frequencies 10000 ** (-2i / 256)" in said


def test_frequencies_of_a_hidden_size_and_exponents_that_end_at_1_are_named():
    rows = np.arange(300)
    said = lines(**cache(np.outer(rows, powers(10_000.0, 2048)[:64])))
    assert "the same as the first 64 of 2048 pairs of frequencies 10000 ** (-2i / 4096)" in said
    said = lines(**cache(np.outer(rows, 10_000.0 ** -np.linspace(0, 1, 32))))
    assert "the same as 32 pairs of frequencies 10000 ** (-2i / 62)" in said


def test_a_doubled_exponent_is_named_beside_features_that_hardly_turn():
    assert "a doubled exponent gives such frequencies too" in lines(
        inv_freq=powers(10_000.0, 32) ** 2
    )
    assert "doubled" not in lines(inv_freq=np.r_[powers(10_000.0, 16), np.zeros(16)])


@pytest.mark.parametrize(("rises", "steps"), [(True, "(1, 1)"), (False, "(-1, 1)")])
def test_the_steps_of_a_grid_fall_where_a_coordinate_falls(rises, steps):
    y = np.arange(5)[:: 1 if rises else -1]
    angles = np.hstack(
        [
            np.outer(np.repeat(y, 7), powers(10_000.0, 16)),
            np.outer(np.tile(np.arange(7), 5), powers(10_000.0, 16)),
        ]
    )
    assert f"from ({y[0]}, 0) in steps of {steps}" in lines(**cache(angles))


def test_an_answer_says_if_the_first_coordinate_changes_fastest():
    """As of SAM 2, where x comes first; if height and width are exchanged, it is a fault."""
    y, x = (axis.ravel() for axis in np.meshgrid(np.arange(6), np.arange(9), indexing="ij"))
    speeds = powers(10_000.0, 16)
    one, other = np.outer(y, speeds), np.outer(x, speeds)
    words = "its first coordinate changes faster than its second"
    assert words in lines(**cache(np.hstack([other, one])))
    assert words not in lines(**cache(np.hstack([one, other])))


def test_nothing_is_near_that_differs_by_half_the_amplitude():
    angles = np.outer(np.arange(100), powers(10_000.0, 32))
    table = np.stack([np.sin(angles % 1), np.cos(angles % 1)], axis=-1).reshape(100, 64)
    assert identify(table).nearest is None
    noisy = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(100, 64)
    noisy += 0.1 * np.random.default_rng(0).standard_normal(noisy.shape)
    assert identify(noisy).nearest is not None


def test_no_row_lies_so_far_that_float32_angles_say_nothing():
    """At 2π * 2 ** 24, all frequencies that are rounded to float16 have turned fully."""
    points = text_and_images(np.random.default_rng(2), 1)
    angles = points[:, np.repeat([0, 1, 2], [16, 24, 24])] * powers(8e6, 64)
    said = lines(**{name: rounded(part, "float16") for name, part in cache(angles).items()})
    assert "Rotary(128, base=8000000), [16, 24, 24]" in said
    turned = np.outer(np.arange(100), np.r_[np.tile(powers(10_000.0, 8), 2), np.zeros(48)])
    said = lines(**{name: part.astype("f4") for name, part in cache(turned).items()})
    assert "Rotary(16)" in said
    assert "columns left out, which the others do not explain: 16-63" in said


def test_a_grid_with_x_first_and_alternating_columns_is_a_grid_by_no_library():
    """As of wzlxjtu/PositionalEncoding2D: channels first, half of them for the width."""
    angles = [np.outer(np.arange(n), powers(10_000.0, 8)) for n in (9, 11)]
    y, x = (np.stack([np.sin(a), np.cos(a)], axis=-1).reshape(-1, 16) for a in angles)
    table = np.concatenate([x + 0 * y[:, None, :1], y[:, None] + 0 * x[:, :1]], axis=2)
    for given in (table, np.moveaxis(table, 2, 0), table.reshape(99, 32)):
        match = identify(given).match
        assert match.convention == Grid(axis=Convention())
        assert (match.libraries, match.points) == ((), (9, 11))


def test_a_dynamic_cache_may_be_left_by_several_lengths():
    """Of factor 4, after 3000 positions, trained on 2048; factor 2 explains the same base."""
    base = 10_000.0 * (4 * 3000 / 2048 - 3) ** (128 / 126)
    said = lines(**cache(np.outer(np.arange(200), powers(base, 64))))
    assert "base 10,000 that a long text left so" in said
    assert "factor 2, 3,952 positions, trained on 2,048" in said
    assert "factor 4, 3,000 positions, trained on 2,048" in said


def test_a_base_of_another_paper_is_no_mistake():
    """U-TAE and L-TAE take 1000."""
    said = lines(pe=Convention(base=1000).table(60, 64))
    assert "Convention(base=1000)" in said
    assert "mistake" not in said


@pytest.mark.parametrize("base", [1e8, 1e12])
def test_a_base_that_is_the_square_of_another_is_named(base):
    """1e8 is GLM-4-9B-1M's; in rough values a part of the features looks the same."""
    half = f"or 32 features turn by base {base**0.5:,.12g}, beside 32 that stay or hardly turn"
    both = cache(np.outer(np.arange(180), powers(base, 32)))
    for said in (lines(inv_freq=powers(base, 32)), lines(**both)):
        assert f"base {base:,.12g}, {half}" in said
    said = lines(cos_sin_cache=np.hstack([*both.values()]))
    assert f"base {base:,.12g}" in said
    assert "mistake" not in said


def test_only_frequencies_that_grow_by_a_factor_have_lost_whole_turns():
    """Hyena's positions: the time, then cosines and sines of frequencies that are evenly spaced."""
    angles = np.outer(np.arange(128), 2 * np.pi / 128 * np.linspace(1e-4, 15, 16))
    table = np.hstack([np.linspace(0, 1, 128)[:, np.newaxis], np.cos(angles), -np.sin(angles)])
    shown = "0.0006234, 6.235, 12.47, 18.7, 24.94 and 11 more"
    assert f"the frequencies of the others are {shown}" in lines(pe=table)


def test_a_single_pair_beside_columns_that_do_not_change_is_no_table_of_a_library():
    """As a code leaves it whose exponents are whole numbers: only the first pair turns."""
    angles = np.outer(np.arange(160), np.r_[1.0, np.zeros(31)])
    table = np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(160, 64)
    assert "radians per row are 1, 0" in lines(pe=table)


def test_a_base_that_rounding_leaves_open_has_others_beside_it():
    decay = rounded(0.9 ** np.arange(32), "bfloat16").astype("f4")
    assert "bases from 29.1019 to 29.1262 make the same numbers" in lines(inv_freq=decay)
    with pytest.raises(ValueError, match="two axes"):  # it may be anything
        lines(weight=decay)


def test_words_about_rows_fit_a_negative_position_a_single_row_and_a_repeated_grid():
    speeds = powers(10_000.0, 16)
    said = lines(**cache(np.outer(np.arange(-80, 80), speeds)))
    assert "positions or times in equal steps of 1, from -80 to 79" in said
    said = lines(**cache(np.outer(np.r_[0, 0:90], speeds)))
    assert "row 0 lies at position 0, as padding does; the others are counted from 0" in said
    y, x = np.indices((6, 8)).reshape(2, -1)
    memory = np.tile(np.hstack([np.outer(x, speeds), np.outer(y, speeds)]), (3, 1))
    assert "a grid of 3 times 6 x 8 points, from (0, 0)" in lines(**cache(memory))


def test_a_dynamic_cache_is_not_left_by_a_text_of_500_times_the_length():
    """Hunyuan's alpha is 1000, for texts of any length."""
    said = lines(**cache(np.outer(np.arange(180), powers(10_000.0 * 1000 ** (128 / 126), 64))))
    assert "NTK(1000)" in said
    assert "dynamic" not in said
    assert "NTK(1000)" in lines(inv_freq=powers(10_000.0 * 1000 ** (128 / 126), 64))


@pytest.mark.parametrize("form", ["bfloat16", "float16"])
def test_no_base_has_more_digits_than_rounded_values_show(form):
    """As of code that takes log10(10000), which makes the base e**4."""
    angles = np.outer(np.arange(160), np.exp(-4 * np.arange(32) / 32))
    table = np.hstack([np.sin(angles), np.cos(angles)])
    both = {name: rounded(part, form) for name, part in cache(angles).items()}
    for said in (lines(pe=rounded(table, form)), lines(**both)):
        digits = re.search(r"base=([\d.]+)", said)[1]
        assert float(digits) == pytest.approx(np.exp(4), abs=0.6 * 10.0 ** (3 - len(digits)))
