"""What `identify` measures in rows of a table, and how it compares candidates."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from fractions import Fraction

import ml_dtypes  # noqa: F401 (gives NumPy the name bfloat16)
import numpy as np
import pytest

from posenc import CONVENTIONS, Convention, identification, identify
from posenc.identification import _tables
from posenc.identification._candidates import Candidate, _rounder, add, covers, rounded, tried
from posenc.identification._mistakes import Mistaken
from posenc.identification._rows import (
    Rows,
    as_good,
    fits_by_chance,
    float32_error,
    spread,
)
from tests.identify_cases import BETWEEN, changed


def rows_of(kind: Convention, length: int, width: int) -> Rows:
    return Rows(np.arange(float(length)), kind.table(length, width))


PAPER = Convention()


def candidate(unit, error=0.0, kind=PAPER, **options) -> Candidate:
    return Candidate(kind, np.array(unit, float), error, **options)


def test_what_candidates_and_rows_hold_cannot_be_changed():
    modules = [
        importlib.import_module(module.name)
        for module in pkgutil.iter_modules(identification.__path__, "posenc.identification.")
        if not module.name.endswith("__main__")
    ]
    classes = {
        held
        for module in modules
        for held in vars(module).values()
        if isinstance(held, type) and dataclasses.is_dataclass(held)
    }
    assert {Rows, Candidate, Mistaken} <= classes
    for held in classes:
        made = object.__new__(held)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(made, dataclasses.fields(held)[0].name, None)


def test_twice_the_best_error_is_as_good_and_more_is_not():
    for best in (0.0, 0.25, 1.0):
        limit = 2 * best + 1e-6
        assert as_good(limit, best)
        assert not as_good(np.nextafter(limit, 1e9), best)
    assert as_good(np.inf, np.inf)


def test_fewer_pairs_or_a_larger_error_fit_by_chance():
    quarter = np.pi / 4  # a pair fits one position in four
    assert fits_by_chance(1.0, 4, quarter)  # one in 256
    assert not fits_by_chance(1.0, 5, quarter)  # one in 1024
    assert fits_by_chance(2.0, 5, quarter)
    assert not fits_by_chance(0.0, 1, quarter)
    assert not fits_by_chance(1e-3, 0, quarter)  # exactly at the limit
    assert fits_by_chance(1.5e-3, 0, quarter)


def test_float32_angles_add_an_error_only_to_eight_pairs_and_the_usual_tolerance():
    assert float32_error(2.0**22, 8, 1e-3) == 1.0
    assert float32_error(2.0**20, 64, 1e-2) == 0.25
    assert float32_error(2.0**22, 7, 1e-3) == 0.0
    assert float32_error(2.0**22, 8, 0.99e-3) == 0.0


@pytest.mark.parametrize(
    ("count", "some"), [(100, 8), (100, 64), (9, 8), (5, 8), (1, 8), (1000, 64)]
)
def test_rows_are_spread_evenly_from_the_first_to_the_last(count, some):
    steps = {int(Fraction(k * (count - 1), some - 1)) for k in range(some)}
    found = spread(count, some)
    assert found.dtype.kind == "i"
    assert set(found.tolist()) - set(range(some // 2)) <= steps | {step - 1 for step in steps}
    assert set(range(min(count, some // 2))) <= set(found.tolist())
    assert len(found) == len(steps | set(range(min(count, some // 2))))
    assert (found[0], found[-1]) == (0, count - 1)


def test_half_as_many_rows_as_are_spread_stand_at_the_start():
    assert spread(1000, 8)[:5].tolist() == [0, 1, 2, 3, 142]  # 999 / 7 is 142.7


@pytest.mark.parametrize(
    ("places", "run"),
    [
        ([0, 1, 2, 5, 6, 7, 8, 12], [5, 6, 7, 8]),
        ([3, 4, 5, 6, 10, 11, 12], [3, 4, 5, 6]),
        ([0, 2, 3, 7, 8], [2, 3]),  # the first of two
        ([0, 2, 4], [0]),
        ([7, 20, 21, 22], [20, 21, 22]),
    ],
)
def test_the_longest_run_of_rows_is_found(places, run):
    found = Rows(np.array(places, float), np.array(places, float)[:, np.newaxis]).longest_run()
    assert found.places.tolist() == run
    assert found.values[:, 0].tolist() == run


def test_an_amplitude_is_1_if_that_fits_as_well_and_is_near_the_best_one():
    def amplitude(*values):
        rows = Rows(np.arange(1.0), np.array([values]))
        return rows.amplitude(np.ones((1, len(values))))

    assert amplitude(0.96875, 1.03125) == 1.0
    assert amplitude(0.90625, 1.0) == 1.0
    assert amplitude(0.9375, 0.9375) == 0.9375  # nearly fits, but not as well
    assert amplitude(0.75, 1.0) == 0.875  # fits as well, but is not near
    assert amplitude(1.0, 1.25) == 1.125
    assert amplitude(-0.5, -0.5) == -0.5
    assert Rows(np.arange(1.0), np.ones((1, 2))).amplitude(np.zeros((1, 2))) <= 0


def test_the_error_of_an_amplitude_is_a_fraction_of_it():
    rows = Rows(np.arange(2.0), np.array([[4.0, 2.0], [1.0, 0.0]]))
    assert rows.error_at(4.0, np.array([[1.0, 0.25], [0.25, 0.0]])) == 0.25
    assert rows.error_at(4.0, np.array([[0.5, 0.5], [0.25, 0.0]])) == 0.5
    assert rows.error_at(0.5, np.array([[4.0, 4.0], [4.0, 0.0]])) == 4.0
    assert rows.error_at(1.0, np.array([[4.0, 2.0], [1.5, 0.0]])) == 0.5
    assert rows.error_at(0.0, np.ones((2, 2))) == np.inf
    assert rows.error_at(-1.0, -rows.values) == np.inf


# Candidates


def test_candidates_of_the_same_values_become_one_with_all_libraries():
    found = []
    add(found, candidate([0, 1], kind=Convention(base=12.5), libraries=("b",)))
    add(found, candidate([0, 1 + 2e-9], libraries=("d",)))
    add(found, candidate([1e-9, 1], libraries=("c",)))  # exactly at the limit
    add(found, candidate([0.5e-9, 1 - 0.5e-9], libraries=("a", "b")))
    assert [one.libraries for one in found] == [("a", "b"), ("d",), ("c",)]
    assert [one.convention.base for one in found] == [10_000] * 3


def test_a_candidate_covers_one_that_differs_by_no_more_than_their_errors():
    exact = candidate([0, 1])
    assert covers(exact, candidate([1e-9, 1]))
    assert not covers(exact, candidate([1.5e-9, 1]))
    assert covers(candidate([0, 1], 0.25), candidate([0, -0.5], 0.5))
    assert not covers(candidate([0, 1], 0.25), candidate([0, -0.75], 0.5))
    assert not covers(candidate([0, 1], 0.5), candidate([0, 1], 0.125))
    assert not covers(candidate([0, 1], 0.5), candidate([0, 1.5], 0.125))
    assert covers(candidate([0, 1], 0.25), candidate([0, 1.5], 0.125))


def test_a_frequency_beyond_float64_makes_no_candidate():
    assert tried(Convention(base=1e-300, angle_scale=1e300), rows_of(Convention(), 4, 16)) is None


def test_numbers_are_rounded_though_a_value_is_off_in_a_row_that_is_seldom_compared():
    kind = Convention(base=5000, start=3)
    values = changed(kind.table(64, 16), (37, 4), kind.table(64, 16)[37, 4] + 5e-4)
    some = Rows(np.arange(64.0), values)
    close = dataclasses.replace(kind, base=5001, start=3.0001)
    assert rounded(tried(close, some), some).convention == kind


def test_a_start_is_rounded_to_hundredths_and_a_freq_shift_to_thousandths():
    assert _rounder("start", 2.7532) == [3, 2.75]
    assert _rounder("start", -0.4) == [0, -0.4]
    assert _rounder("freq_shift", 0.37532) == [0.38, 0.375]


def test_other_numbers_are_rounded_to_one_to_four_digits_and_never_to_0():
    assert _rounder("base", 12_345.6) == [10_000, 12_000, 12_300, 12_350]
    assert _rounder("base", 10_000.4) == [10_000]
    assert _rounder("base", 0.06) == [0.06]
    assert _rounder("angle_scale", -3.2) == [-3, -3.2, -np.pi]
    assert _rounder("angle_scale", 0.5) == [0.5]  # nearer to no multiple of pi than to 0


def test_a_number_of_a_library_within_a_hundredth_is_tried_first():
    assert [_rounder("angle_scale", near)[0] for near in (6.34, 6.23)] == [2 * np.pi] * 2
    assert [_rounder("angle_scale", far)[0] for far in (6.35, 6.21, -6.28)] == [6, 6, -6]
    assert [_rounder("base", near)[0] for near in (2520, 2480)] == [2500] * 2
    assert [_rounder("base", far)[0] for far in (2530, 2470)] == [3000, 2000]


# Mistakes


MISTAKEN = Mistaken(Convention(), ("base-1000",))


def explained(rows, *errors):
    """`_tables._explained` of conventions off by `errors`, as pairs of an error and a mistake."""
    unit = MISTAKEN.rows(rows.places, rows.width)
    old = [candidate(unit + error, error, Convention(base=9)) for error in errors]
    found = _tables._explained(old, rows, 1e-3)
    return [(one.error, one.convention == MISTAKEN.meant, one.mistake) for one in found]


def test_a_convention_that_a_mistake_makes_better_is_that_mistake():
    exact = Rows(np.arange(20.0), MISTAKEN.rows(np.arange(20.0), 16))
    assert explained(exact, 5e-4) == [(5e-4, False, MISTAKEN)]
    assert explained(exact, 5e-4, 0.0) == [(5e-4, False, MISTAKEN), (0.0, False, MISTAKEN)]
    ((error, meant, mistake),) = explained(exact)
    assert (error < 1e-15, meant, mistake) == (True, True, MISTAKEN)


def test_a_convention_that_fits_better_than_every_mistake_has_none():
    exact = Rows(np.arange(20.0), MISTAKEN.rows(np.arange(20.0), 16))
    off = Rows(exact.places, exact.values + np.where(np.arange(16) == 7, 4e-4, 0.0))
    assert explained(off, 0.0, 9e-4) == [(0.0, False, None), (9e-4, False, None)]
    assert explained(off, 2.5e-4)[0][2] == MISTAKEN


@pytest.mark.parametrize("size", [1.0, 0.25, -3.0, 1e-300])
def test_a_wave_is_told_from_others_whatever_its_size(size):
    wave = np.sin(np.arange(12.0))
    off = 0.01 * np.cos(7 * np.arange(12.0))
    assert _tables._is_multiple(size * (wave + off), wave, 0.011)
    assert not _tables._is_multiple(size * (wave + 10 * off), wave, 0.011)
    assert not _tables._is_multiple(size * np.sin(1 + np.arange(12.0)), wave, 0.011)


def test_an_amplitude_is_rounded_to_the_fewest_digits_that_fit_as_well():
    unit = Convention().table(20, 16)

    def size(amplitude, dtype=np.float32):
        some = Rows(np.arange(20.0), (amplitude * unit).astype(dtype).astype(float))
        return _tables._round(some.amplitude(unit), some, unit)

    for exact in (3.0, 0.02, 1.5, 1.23457, 2.5e-7, 4.0, 0.25):
        assert size(exact) == exact
    assert size(1.2345678, np.float64) == pytest.approx(1.2345678, abs=1e-12)


def test_a_better_fit_comes_before_a_library_unless_libraries_are_preferred():
    rows = Rows(np.arange(4.0), BETWEEN)
    assert _tables.matches(rows, 0.05)[0].convention.base == 10_050
    assert _tables.matches(rows, 0.05, known=True)[0].convention.base == 10_000


@pytest.mark.parametrize("start", [10, 100, 999])
@pytest.mark.parametrize("length", [16, 64])
@pytest.mark.parametrize("rounding", ["float16", "four digits", "bfloat16"])
def test_rounded_rows_from_the_middle_of_a_librarys_table_keep_its_name(start, length, rounding):
    table = CONVENTIONS["annotated_transformer"].table(length, 64, start=start)
    table = table.round(4) if rounding == "four digits" else table.astype(rounding)
    match = identify(table).match
    assert match.convention == Convention(start=start)
