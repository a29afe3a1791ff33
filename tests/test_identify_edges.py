"""`identify` at its edges: errors of exactly the tolerance, the fewest rows, the oddest widths."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import Convention, identify
from posenc.identification import _tables
from posenc.identification._tables import Rows
from tests.identify_cases import MISTAKES, changed

LIMIT = 2.0**-10


def off(table):
    """`table` with an error of exactly LIMIT in its first value, which is sin 0."""
    assert table[0, 0] == 0
    return changed(table, (0, 0), LIMIT)


@pytest.mark.parametrize(
    "table", [Convention().table(20, 16), MISTAKES["cosine-exponent"], MISTAKES["exponent-doubled"]]
)
def test_an_error_of_exactly_the_tolerance_is_allowed_and_a_larger_one_is_not(table):
    answer = identify(off(table), tolerance=LIMIT)
    assert answer.match.error == LIMIT
    assert (answer.match.libraries, answer.match.mistakes) != ((), ())
    smaller = identify(off(table), tolerance=np.nextafter(LIMIT, 0)).match
    assert smaller is None or (smaller.libraries, smaller.mistakes) == ((), ())


@pytest.mark.parametrize("size", [0.3, 1.0, 8.0])
@pytest.mark.parametrize("code", ["exponent-doubled", "cosine-exponent", "cosines-zero"])
def test_a_mistake_is_found_in_values_that_are_off_by_the_tolerance(size, code):
    table = MISTAKES[code]
    signs = np.where(np.arange(table.size).reshape(table.shape) % 3 == 0, 1, -1)
    found = identify(size * (table + 0.7e-3 * signs)).match
    assert [slip.code for slip in found.mistakes] == [code]


@pytest.mark.parametrize("shift", [0, 1])
@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("width", [6, 16])
def test_a_mistake_is_found_in_either_layout_and_with_a_freq_shift(layout, shift, width):
    pairs = np.arange(width // 2)
    step = 1 / (width // 2 - shift)
    rows = np.arange(1, 31)[:, np.newaxis]
    sines = np.sin(rows / 10_000 ** (pairs * step))
    cosines = np.cos(rows / 10_000 ** ((pairs + 0.5) * step))
    both = (cosines, sines)
    table = np.concatenate(both, 1) if layout == "halves" else np.stack(both, 2)
    match = identify(table.reshape(30, width)).match
    assert match.convention == Convention(layout=layout, freq_shift=shift)
    assert [slip.code for slip in match.mistakes] == ["cosine-exponent", "swapped", "from-one"]
    assert match.error < 1e-12


def test_a_mistake_is_found_in_a_single_pair():
    rows = np.arange(200)
    table = np.stack([np.sin(rows), np.cos(rows / 10_000**0.5)], axis=1)
    match = identify(table).matches[-1]  # after a rotary cache
    assert [slip.code for slip in match.mistakes] == ["cosine-exponent"]
    assert match.error < 1e-12


def test_a_table_whose_positions_fall_at_an_odd_width_is_of_no_library():
    for odd in ("truncate", "ceil", "pad"):  # the libraries with such tables refuse an odd width
        kind = Convention(angle_scale=-1, start=-15, odd=odd)
        match = identify(kind.table(31, 15)).match
        assert (match.convention, match.libraries) == (kind, ())
        assert (
            str(match.findings[0]) == "positions fall from 15 to -15: reverse the order of the rows"
        )


@pytest.mark.parametrize("start", [-1, -2, 0.5])
def test_a_table_that_begins_before_position_0_or_between_two_is_no_part_of_a_librarys(start):
    match = identify(Convention(start=start).table(20, 16)).match
    assert match.convention == Convention(start=start)
    assert (match.libraries, match.first_row, match.findings) == ((), 0, ())


def test_a_row_is_named_in_the_table_of_the_library_that_begins_first():
    kind = Convention(layout="halves", freq_shift=1)
    for start in (1, 2, 5, 6):
        match = identify(replace(kind, start=start).table(20, 16)).match
        if not match.first_row:
            assert start in (1, 2, 5)
            continue
        assert (match.first_row, match.convention.start) == (6, 6)
        assert "tensor2tensor" in match.libraries


def test_zeros_before_a_table_of_no_library_are_counted():
    kind = Convention(base=777.0, start=0.5)
    match = identify(np.concatenate([np.zeros((2, 16)), kind.table(20, 16)])).match
    assert match.convention == kind
    assert (match.zero_rows, match.first_row, match.libraries) == (2, 0, ())


def test_at_most_five_conventions_are_named_however_large_the_tolerance():
    table = Convention(angle_scale=0.01).table(6, 16)
    rows = Rows(np.arange(6.0), table)
    assert len(_tables.matches(rows, 1.9)) == 5  # `identify` allows for less than 1


@pytest.mark.parametrize("length", [30, 64, 100])
def test_a_first_row_at_half_a_turn_has_a_position(length):
    line = np.linspace(-np.pi, np.pi, length)[:, np.newaxis]
    angles = line * 2.0 ** np.linspace(0, 6, 6)  # octaves with the end point
    found = identify(np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).match.findings
    assert [one.code for one in found] == ["growing"]


@pytest.mark.parametrize("base", [10_000.0, 500_000.0, 1e6])
def test_a_lost_sign_of_the_exponent_is_named_where_the_second_pair_turns_fast(base):
    angles = np.arange(200.0)[:, np.newaxis] * base ** (np.arange(8) / 8)
    match = identify(np.concatenate([np.sin(angles), np.cos(angles)], axis=1)).match
    assert [slip.code for slip in match.mistakes] == ["exponent-sign"]
    assert match.convention == Convention(layout="halves", base=base)
