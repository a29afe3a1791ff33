"""The rules by which rotary caches are read and found, exactly at their limits and beyond."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import Rotary, RotaryCache, identify
from posenc.identification import _caches, _cut, _jumps
from posenc.identification._readings import readings
from posenc.identification._turning import Parts
from posenc.identification._waves import Waves
from posenc.rotary import Linear, YaRN

BIT = 2.0**-10  # close to the usual tolerance, and exact
ROTARY = Rotary(8)


def forms(values: np.ndarray, slack: float) -> list[tuple[str, str]]:
    return [(part, form) for part, form, _ in readings(values, slack)]


# How columns are read


def test_columns_of_a_pair_may_differ_by_the_tolerance_times_the_largest_value():
    row = np.array([[2.0, 1.0, 1.5, 1.0]])
    for columns, form in (([0, 1, 2, 3], "halves"), ([0, 2, 1, 3], "interleaved")):
        values = np.tile(row[:, columns], (3, 1))
        assert forms(values, 0.25)[:2] == [("cos", form), ("sin", form)]
        assert forms(-values, 0.25)[:2] == [("cos", form), ("sin", form)]
        assert forms(values, 0.249)[:2] == [("cos", "once"), ("sin", "once")]
        assert forms(np.stack([values, values]), 0.25) == [("both", form)]
        assert forms(np.stack([values, values]), 0.249) == [("both", "once")]


def test_of_columns_that_differ_a_little_the_first_counts():
    row = np.array([[2.0, 1.0, 1.75, 1.25]])
    for columns in ([0, 1, 2, 3], [0, 2, 1, 3]):
        _, _, parts = next(readings(np.tile(row[:, columns], (3, 1)), 0.25))
        assert parts.cosines.tolist() == [[2, 1]] * 3


def test_columns_are_compared_in_the_first_64_rows():
    values = np.ones((66, 4))
    values[64:] = np.arange(4)
    assert forms(values, 1e-3)[0] == ("cos", "halves")
    values[63] = np.arange(4)
    assert forms(values, 1e-3)[0] == ("cos", "once")


def test_how_far_columns_differ_may_be_measured_by_the_mean():
    values = np.tile([[1.0, 1, 1, 1]], (4, 1))
    values[0, 3] = 0.5
    assert next(readings(values, 0.1))[1] == "once"
    assert next(readings(values, 0.1, np.mean))[1] == "halves"


def test_every_reading_holds_each_pair_once():
    values = np.arange(24.0).reshape(3, 8)
    for columns, once in (
        (np.tile(values, 2), values),
        (np.repeat(values, 2, axis=1), values),
        (values, values),
    ):
        cos, sin, cos_sin, sin_cos = (parts for _, _, parts in readings(columns, 1e-3))
        assert (cos.cosines.tolist(), cos.sines) == (once.tolist(), None)
        assert (sin.sines.tolist(), sin.cosines) == (once.tolist(), None)
        assert np.array_equal(cos_sin.cosines, sin_cos.sines)
        assert np.array_equal(cos_sin.sines, sin_cos.cosines)
        assert cos.positions.tolist() == [0, 1, 2]
        assert cos.positions.dtype == np.float64
        (both,) = (parts for _, _, parts in readings(np.stack([columns, -columns]), 1e-3))
        assert (both.cosines.tolist(), both.sines.tolist()) == (once.tolist(), (-once).tolist())
    one, other = np.split(values, 2, axis=1)
    assert (cos_sin.cosines.tolist(), cos_sin.sines.tolist()) == (one.tolist(), other.tolist())


def test_an_odd_width_holds_each_pair_once_and_only_cosines_or_only_sines():
    assert forms(np.ones((3, 3)), 1e-3) == [("cos", "once"), ("sin", "once")]


def test_the_halves_of_cosines_and_sines_have_each_pair_twice():
    cosine, sine = ROTARY.cosine_sine(np.arange(9))
    for form, twice in (("halves", [0, 1, 2, 3, 0, 1, 2, 3]), ("interleaved", [0, 0, 1, 1, 2, 2])):
        values = np.concatenate([cosine[:, twice], sine[:, twice]], axis=1)
        assert forms(values, 1e-3)[2:] == [("cos|sin", form), ("sin|cos", form)]


# Whether row 0 may be position 0


def test_the_first_row_of_sines_is_0_to_within_the_tolerance():
    values = np.array([[0.25, -0.25], [-1, 0.5]])
    assert _caches._is_sine(values, 0.25)
    assert not _caches._is_sine(values, 0.249)
    assert not _caches._is_sine(values[::-1], 0.25)


@pytest.mark.parametrize(
    ("row", "begins"),
    [([1, 0.5], True), ([1, 0.49], False), ([0.5, 1], False), ([-1, -0.5], True), ([0, 0], False)],
)
def test_all_cosines_of_position_0_are_equal_to_within_twice_the_tolerance(row, begins):
    cosines, places = np.array([row, [-1, 1]]), np.arange(2.0)
    assert _caches._begins(Parts(cosines, None, places), 0.25) == begins
    zeros = np.array([[0, 0], [1, 1]])
    with_sines = Parts(np.array([[0.1, 1], [1, 1]]), zeros, places)  # these may have any cosines
    assert _caches._begins(with_sines, 0.25)
    assert not _caches._begins(Parts(zeros, zeros, places), 0.25)


def test_sines_of_position_0_are_0():
    places, small = np.arange(2.0), np.array([[0.25, 0], [1, 1]])
    assert _caches._begins(Parts(None, small, places), 0.25)
    assert not _caches._begins(Parts(None, small, places), 0.2)
    assert not _caches._begins(Parts(np.ones((2, 2)), small, places), 0.2)


def test_only_a_row_that_jumps_allows_for_float32_angles():
    def far(positions):
        parts = Parts(np.ones((len(positions), 8)), None, np.array(positions, float))
        return _caches._far(parts, 1e-3)

    assert far(range(9)) == 0
    assert far([*range(8), 9]) == 9 * 2.0**-22
    assert far([*range(8), 4096]) == 2.0**-10


# Caches from row 0


@pytest.mark.parametrize(
    ("matches", "part"),
    [
        *((_caches.matches, part) for part in ("cos", "both", "cos|sin")),
        *((_cut.matches, part) for part in ("both", "cos|sin")),
    ],
)
def test_an_error_as_large_as_the_tolerance_is_accepted_and_no_larger_one(matches, part):
    cache = RotaryCache(rotary=ROTARY, part=part, form="once")
    values = cache.table(40)
    values[..., 0, 0] -= BIT  # cos 0
    (match,) = matches(values, BIT)
    assert (match.convention, match.error) == (cache, BIT)
    assert matches(values, 0.999 * BIT) == []


@pytest.mark.parametrize("matches", [_caches.matches, _cut.matches])
def test_four_rows_of_any_width_are_enough_and_three_are_not(matches):
    for rotary in (Rotary(2), Rotary(8)):
        cache = RotaryCache(rotary=rotary, part="both")
        assert [match.convention for match in matches(cache.table(4), 1e-3)] == [cache]
        assert matches(cache.table(3), 1e-3) == []


def test_sines_alone_begin_with_0_to_within_the_tolerance_of_their_largest_value():
    cosines, sines = ROTARY.cosine_sine(np.arange(4))  # the largest sine is 0.91
    for off, count in ((0.0009, 1), (0.00095, 0)):
        sines[0, 1] = off
        assert len(_caches.matches(sines, 1e-3)) == count
        assert len(_caches.matches(np.stack([cosines, sines]), 1e-3)) == 1


@pytest.mark.parametrize("values", [np.zeros((2, 9, 4)), np.ones((2, 9, 4))])
def test_waves_without_an_amplitude_are_no_cache(values):
    values[:, 0] = 0
    values[:, 1:, 0] = 0
    assert _caches.matches(values, 1e-3) == []
    assert _caches.matches(values[0], 1e-3) == []


@pytest.mark.parametrize("part", ["cos", "both"])
def test_a_negative_amplitude_is_none(part):
    values = RotaryCache(rotary=ROTARY, part=part).table(40)
    assert _caches.matches(-0.5 * values, 1e-3) == _cut.matches(-0.5 * values, 1e-3) == []


def test_a_pair_may_turn_by_exactly_half_a_turn():
    cache = RotaryCache(rotary=Rotary(8, scaling=Linear(0.31831)))
    values = np.cos(np.arange(40)[:, np.newaxis] * np.pi * 10.0 ** -np.arange(4))
    (match,) = _caches.matches(values, 1e-3)
    assert match.convention == cache


@pytest.mark.parametrize("start", [0, 40])
@pytest.mark.parametrize("size", [0.001, 8.0])
@pytest.mark.parametrize("matches", [_caches.matches, _cut.matches])
def test_errors_are_fractions_of_the_amplitude_and_the_attention_factor(matches, size, start):
    if start and matches is _caches.matches:
        return
    rotary = Rotary(8, scaling=YaRN(4, original_max_position_embeddings=64))
    cache = RotaryCache(rotary=rotary, part="both", amplitude=size, start=start)
    values = cache.table(100)
    values[0, -1, 0] += 0.0005 * size * rotary.attention_factor()
    (match,) = matches(values, 1e-3)
    assert match.error == pytest.approx(0.0005, rel=0.05)
    assert match.convention.amplitude * match.convention.rotary.attention_factor() == (
        pytest.approx(size * rotary.attention_factor(), rel=1e-4)
    )


def test_float32_angles_are_allowed_for_up_to_the_last_row_of_a_cache_from_the_middle():
    values = RotaryCache(rotary=Rotary(16), start=1024).table(1024)
    values[700, 3] += 0.0013  # the tolerance and 2048 times the relative error are 0.0015
    (match,) = _cut.matches(values, 1e-3)
    assert match.convention.start == 1024
    values[700, 3] += 0.0004
    assert _cut.matches(values, 1e-3) == []


def test_a_cache_from_the_middle_names_its_first_row_unless_it_is_row_0():
    for start, words in ((0, []), (1, ["from row 1 of the table"])):
        values = RotaryCache(rotary=ROTARY, part="both").table(30)[:, start:]
        for given in (values, values[::-1]):
            (match,) = _cut.matches(given, 1e-3)
            assert match.convention.start == start
            assert [str(found) for found in match.findings] == words


def test_float32_angles_are_allowed_for_up_to_the_furthest_row_that_jumps():
    cache = RotaryCache(rotary=Rotary(16), part="both")
    values = cache.at(np.array([*range(20), 8192.0]))
    pair = values[:, 20, 5].copy()
    for error, count in ((0.0029, 1), (0.0030, 0)):  # 0.001 + 8192 * 2**-22 is 0.00295
        values[:, 20, 5] = pair * (1 + error / np.abs(pair).max())  # its angle stays
        found = _caches.matches(values, 1e-3)
        assert [match.convention for match in found] == [cache] * count
        assert [match.error for match in found] == [pytest.approx(error)] * count


# Waves that may follow each other


def follows(slack: float, *, turns=(1.0, 0.1), size=1.0, told=(True, True), off=0.0) -> bool:
    """Whether cosines of these waves follow each other, where one value is `off`."""
    turns, size, told = np.array(turns), np.full(len(turns), size), np.array(told)
    waves = Waves(turns, np.zeros(len(turns)), size, np.ones(len(turns)), told)
    places = np.arange(9.0)
    cosines = size * np.cos(places[:, np.newaxis] * turns)
    cosines[0, 0] += off
    return _cut._follows(Parts(cosines, None, places), waves, slack)


def test_pairs_turn_more_slowly_one_after_the_other_except_for_noise():
    assert follows(1e-3, turns=(1.0, 0.1, 0.01), told=(True, True, True))
    assert follows(1e-3, turns=(1.0, 1.05))
    assert not follows(1e-3, turns=(1.0, 1.06))
    assert not follows(1e-3, turns=(1.0, 1.0, 1.1), told=(True, True, True))
    assert not follows(1e-3, turns=(1.0, 1.1, 1.0), told=(True, True, True))
    assert not follows(1e-3, turns=(1.0, 0.1, 0.2), told=(True, True, True))
    assert not follows(1e-3, turns=(0.1, 0.2))
    assert follows(1e-3, turns=(1.0, 1.1), told=(True, False))


def test_pairs_turn_forwards_to_within_the_tolerance():
    assert follows(0.25, turns=(1.0, -0.25))
    assert not follows(0.25, turns=(1.0, -0.26))


def test_waves_without_a_size_do_not_follow_each_other():
    assert not follows(1e-3, told=(False, False))
    assert follows(1e-3, size=0.5)


@pytest.mark.parametrize("size", [0.5, 1.0, 8.0])
def test_waves_may_be_off_by_four_times_the_tolerance(size):
    assert follows(BIT, size=size, off=-4 * BIT * size)
    assert not follows(BIT, size=size, off=-4.01 * BIT * size)


# Rows that jump


def jumping(places: list[int], part: str = "both", rotary: Rotary = ROTARY) -> Parts:
    """A cache's rows at `places`, not yet known."""
    cosines, sines = rotary.cosine_sine(places)
    held = {"cos": (cosines, None), "sin": (None, sines), "both": (cosines, sines)}[part]
    return Parts(*held, np.arange(float(len(places))))


def found(places: list[int], part: str = "both", **options) -> tuple[list[int], str]:
    parts, words = _jumps.found_places(jumping(places, part, **options), 1.0, 1e-3)
    return parts.positions.astype(int).tolist(), words


@pytest.fixture
def quick(monkeypatch):
    """Fewer positions and fewer rows, so that tests of the rules are fast."""
    monkeypatch.setattr(_jumps, "_FURTHEST", 4096)
    monkeypatch.setattr(_jumps, "_MOST", 20)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("part", ["cos", "sin", "both"])
@pytest.mark.parametrize(
    "behind",
    [
        [8, 10],
        [9],
        [100, 101, 103],
        [8, 9, 4095],
        [20, *range(30, 48)],  # 19 rows
        [*range(30, 50)],  # 20 rows
    ],
)
def test_rows_that_jump_forwards_are_placed(part, behind):
    places = [*range(8), *behind]
    jumps = [row for row, place in enumerate(places) if row != place]
    positions, words = found(places, part, rotary=Rotary(32))
    assert positions == places
    assert words.startswith(f"row {jumps[0]} is position {places[jumps[0]]}")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "places",
    [
        [*range(9)],
        [*range(4)],
        [*range(7), 8, 9, 10],  # row 7 has to be consecutive
        [*range(8), *range(30, 51)],  # 21 rows are too many
        [*range(8), 30, 31, 20],
        [*range(8), 30, 31, 31],
        [*range(8), 30, 10, 11],  # the row behind the jump is where it seems to be
        [*range(8), *range(30, 45), 44],  # in the second step
    ],
)
def test_rows_that_do_not_jump_forwards_stay_where_they_were(places):
    assert found(places) == ([*range(len(places))], "")


@pytest.mark.usefixtures("quick")
def test_a_row_is_where_it_seems_to_be_if_it_is_off_by_at_most_twice_the_tolerance():
    for off, words in ((1.9e-3, "row 12 is position 50"), (2.1e-3, "")):
        parts = jumping([*range(12), 50])
        parts.cosines[7, 2] += off  # one of the rows that must be consecutive
        _, told = _jumps.found_places(parts, 1.0, 1e-3)
        assert told == words


@pytest.mark.usefixtures("quick")
def test_rows_that_jump_are_placed_at_any_amplitude():
    parts = jumping([*range(8), 77])
    louder = Parts(8 * parts.cosines, 8 * parts.sines, parts.positions)
    placed, words = _jumps.found_places(louder, 8.0, 1e-3)
    assert (placed.positions[-1], words) == (77, "row 8 is position 77")
    assert np.array_equal(placed.values(), louder.values())


def test_the_twelve_fastest_pairs_tell_a_position():
    parts = jumping([*range(8), 3000], "both", Rotary(64))
    parts.cosines[8, 12:] = parts.sines[8, 12:] = 0  # the others say nothing true
    placed, _ = _jumps.found_places(parts, 1.0, 1e-3)
    assert placed.positions[8] == 3000


def test_all_waves_are_those_of_all_positions():
    speeds = np.array([1.0, 0.3, 0.001])
    parts = Parts(np.ones((1, 3)), np.ones((1, 3)), np.zeros(1))
    waves = _jumps._all_waves(parts, speeds)
    places = np.array([0, 1, 511, 512, 513, 100_000, (1 << 17) - 1])
    assert waves.shape == (1 << 17, 6)
    np.testing.assert_allclose(
        waves[places], parts.waves(places[:, np.newaxis] * speeds), atol=1e-9
    )
    one = _jumps._all_waves(replace(parts, cosines=None), speeds)
    assert np.array_equal(one, waves[:, 3:])


def test_rows_of_sines_before_cosines_may_jump():
    rotary = Rotary(8)
    values = np.stack(rotary.cosine_sine([*range(40), *range(100, 120)]))
    for given, more in ((values, []), (values[::-1], ["exchanged"])):
        match = identify(given).match
        assert match.convention == RotaryCache(rotary=rotary, part="both")
        assert [one.code for one in match.findings] == ["jumps", *more]


def test_a_cache_has_a_row_for_a_single_position():
    for part in ("cos", "sin", "cos|sin"):
        cache = RotaryCache(rotary=ROTARY, part=part)
        assert np.array_equal(cache.at(np.array(3.0)), cache.at(np.array([3.0]))[0])
