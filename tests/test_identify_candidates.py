"""Which encodings may explain how fast the pairs of a rotary cache turn, and which is taken."""

from __future__ import annotations

from itertools import product
from math import exp, log

import numpy as np
import pytest

from posenc import Rotary
from posenc.identification import _scaled
from posenc.identification._scaled import BASES, FACTORS, RAMPS, explained, near_bases
from posenc.identification._simplest import cache_of, layout_of, simplest, snapped
from posenc.identification._speeds import Encoding
from posenc.identification._turning import Parts
from posenc.rotary import NTK, Linear, Llama3, LongRoPE, Proportional, YaRN

TRAINED = {"original_max_position_embeddings": 4096}


def candidates(turns, weight=None, amplitude=1.0, rank=None) -> list[Encoding]:
    turns = np.asarray(turns, float)
    weight = np.ones(len(turns)) if weight is None else np.asarray(weight, float)
    return list(explained(turns, weight, amplitude, rank))


def scalings(found: list[Encoding], kind: type) -> list:
    return [one.scaling for one in found if isinstance(one.scaling, kind)]


def plain(pairs: int, base: float = 10_000.0) -> np.ndarray:
    return base ** (-np.arange(pairs) / pairs)


# Round numbers


def test_bases_near_a_measured_one_are_known_ones_then_round_ones_then_itself():
    *round_ones, last = near_bases(log(123_456.0))
    assert round_ones == [1e5, 1.2e5, 1.23e5, 1.235e5]
    assert last == pytest.approx(123_456.0, rel=1e-12)
    assert near_bases(log(10_000.0))[0] == 10_000


def test_a_known_base_is_near_if_it_is_off_by_less_than_one_percent_or_as_much_as_asked():
    assert near_bases(log(158_500.0))[:2] == [1.6e5, 2e5]
    assert near_bases(log(158_300.0))[:2] == [2e5, 1.6e5]
    base = near_bases(log(158_500.0))[-1]
    assert near_bases(log(158_500.0), abs(base / 1.6e5 - 1))[:2] == [2e5, 1.6e5]
    assert near_bases(log(154_400.0), 0.03)[:2] == [1.5e5, 2e5]
    assert near_bases(log(154_600.0), 0.03)[:2] == [2e5, 1.5e5]


def test_the_logarithm_of_a_base_is_at_most_300_either_way():
    assert near_bases(1e5)[-1] == exp(300)
    assert near_bases(-1e5)[-1] == exp(-300)
    assert near_bases(-2.0)[-1] == exp(-2)


# Bases and scalings


@pytest.mark.parametrize("pairs", [2, 3, 16])
def test_a_known_base_of_exact_turns_comes_first_and_others_follow(pairs):
    for base in BASES:
        assert candidates(plain(pairs, base))[0] == Encoding(2 * pairs, base)
    for base in (12_340.0, 256.0):
        assert Encoding(2 * pairs, base) in candidates(plain(pairs, base))[:4]


def test_a_base_has_eight_digits_before_it_has_all():
    measured = 12_345_678.9
    bases = [one.base for one in candidates(plain(8, measured)) if one.scaling is None]
    assert bases[-2] == 12_345_679
    assert bases[-1] == pytest.approx(measured, rel=1e-12)


def test_no_base_is_at_most_1():
    for turns in ([1, 2, 4], [0.5, 0.5, 0.5], [1, 1, 1], [0.1, 0.2, 0.1]):
        assert all(one.base > 1 for one in candidates(turns))


def test_a_base_may_be_little_more_than_1():
    assert Encoding(8, 1.5) in candidates(plain(4, 1.5))
    assert _scaled._bases(plain(4, 1.5), np.arange(4), 8) == [2.0]  # to one digit


def test_without_a_turn_that_is_known_nothing_is_explained():
    assert candidates([0, 0, 0]) == []
    assert candidates([1, 0.1, 0.01], [0, 0, 0]) == []
    assert candidates([1, 0, 0], [0, 1, 1]) == []


def test_a_pair_without_weight_or_turn_does_not_count():
    for turns, weight in (([1, 0.1, 0.3, 0], [1, 1, 0, 1]), ([1, 0.1, 0, 0], [1, 1, 1, 1])):
        assert candidates(turns, weight)[0] == Encoding(8, 10_000)


def test_a_single_known_pair_has_the_papers_base():
    assert set(candidates([1.0])) == {Encoding(2, 10_000)}
    assert candidates([0.5])[-1] == Encoding(2, 10_000, Linear(2))


def test_a_base_is_the_weighted_least_squares_line_through_pair_0():
    turns, weight = np.array([0.9, 0.13, 0.008, 0.0011]), np.array([4.0, 1, 9, 2])
    i, logs, root = np.arange(4), np.log(turns), np.sqrt(weight)
    (slope,), *_ = np.linalg.lstsq((root * i)[:, np.newaxis], root * logs)
    bases = [one.base for one in candidates(turns, weight) if one.scaling is None]
    assert bases[-1] == pytest.approx(exp(-4 * slope), rel=1e-12)


def test_a_linear_scaling_is_the_weighted_least_squares_line_through_all_pairs():
    turns, weight = np.array([0.4, 0.03, 0.008, 0.0004]), np.array([4.0, 1, 9, 2])
    slope, level = np.polyfit(np.arange(4), np.log(turns), 1, w=np.sqrt(weight))
    found = [one for one in candidates(turns, weight) if isinstance(one.scaling, Linear)]
    assert found[-1].base == pytest.approx(exp(-4 * slope), rel=1e-12)
    assert found[-1].scaling.factor == pytest.approx(exp(-level), rel=1e-4)


def test_a_linear_factor_has_up_to_five_digits():
    found = [one for one in candidates(plain(3) / 2.53123) if isinstance(one.scaling, Linear)]
    factors = [one.scaling.factor for one in found if one.base == 10_000]
    assert factors == [3, 2.5, 2.53, 2.531, 2.5312]


@pytest.mark.parametrize(
    ("factor", "found"),
    [(2.5, [2.5]), (2.503, []), (2.502, [2.5]), (2.53, []), (3.0, [3, 3]), (30.0, [30, 30])],
)
def test_a_linear_factor_of_two_pairs_has_at_most_two_digits(factor, found):
    at_base = [one for one in candidates(plain(2) / factor) if one.base == 10_000]
    assert [scaling.factor for scaling in scalings(at_base, Linear)] == found


def test_a_factor_of_1_is_no_scaling():
    assert scalings(candidates(plain(16)), Linear | NTK) == []
    assert scalings(candidates(plain(16) / 1.00003), Linear) == []
    assert {one.factor for one in scalings(candidates(plain(16) / 1.0003), Linear)} == {1.0003}


@pytest.mark.parametrize(
    ("factor", "found"),
    [(4.0, {4.0}), (3.998, {4.0}), (3.99, {3.99}), (1.5, {1.5}), (1.003, {1.0})],
)
def test_an_ntk_factor_has_up_to_three_digits_that_are_close(factor, found):
    turns = Rotary(64, scaling=NTK(factor)).frequencies()
    at_base = [one for one in candidates(turns) if one.base == 10_000]
    factors = {scaling.factor for scaling in scalings(at_base, NTK)}
    assert factors == {one for one in found if one > 1}
    assert all(scaling.factor > 1 for scaling in scalings(candidates(turns), NTK))


def test_scalings_with_ramps_parts_or_divisors_need_three_pairs():
    turns = np.array([1, 0.1, 0.001, 0.0])
    kinds = Proportional | Llama3 | YaRN | LongRoPE
    assert scalings(candidates(turns[[0, 1]]), kinds) == []
    assert len(scalings(candidates(turns[:3]), kinds)) == 4


@pytest.mark.parametrize(
    ("turning", "parts", "usual"),
    [(2, {0.25}, {0.25, 0.5}), (5, {0.625}, {0.625, 0.25, 0.5}), (8, set(), {0.25, 0.5})],
)
def test_pairs_that_do_not_turn_are_a_part(turning, parts, usual):
    turns = plain(8)
    turns[turning:] = 0
    found = [one for one in candidates(turns) if isinstance(one.scaling, Proportional)]
    assert {one.scaling.partial_rotary_factor for one in found} == parts
    assert all(one.base == 10_000 for one in found)
    ranked = scalings(candidates(turns, rank=lambda speeds: abs(speeds[1] - 0.3)), Proportional)
    assert {scaling.partial_rotary_factor for scaling in ranked} == usual


def test_each_of_the_three_fastest_pairs_may_show_the_base():
    bases = np.array([7.0, 1e4, 5e5, 1.5e5, 1e6])
    turns = bases ** (-2 * np.arange(5) / 10)
    assert _scaled._bases(turns, np.arange(5), 10) == [1e4, 5e5, 1.5e5]
    assert _scaled._bases(turns, np.array([0, 1, 3]), 10) == [1e4, 1.5e5]
    assert (
        _scaled._bases(np.array([1, 1, 1.5, 1e-2]), np.arange(4), 8)
        == near_bases(log(100) * 8 / 6)[:1]
    )
    assert _scaled._bases(plain(4), np.arange(4), 8) == [10_000]


@pytest.mark.parametrize(
    ("divisor", "near"), [(3.7, [4.0, 3.7]), (1.005, []), (1.06, [1.0, 1.1]), (2.0, [2.0])]
)
def test_the_slowest_known_pair_shows_the_factor_before_the_usual_ones(divisor, near):
    turns = plain(5) / [1, 1, 1, divisor, 99]
    found = _scaled._factor(turns, np.arange(4), [10_000.0], 10)
    assert found == [*near, *(one for one in FACTORS if one not in near)]


def test_a_factor_of_exactly_1_01_is_none():
    assert 1 / (1 / 1.01) == 1.01
    assert _scaled._factor(np.array([1 / 1.01]), np.arange(1), [10_000.0], 2) == list(FACTORS)


def test_speeds_of_many_ramps_are_those_of_each():
    factors = [2.0, 3.7]
    found = _scaled._speeds_of_ramps(5e5, factors, 16)
    wanted = [
        Encoding(16, 5e5, _scaled.replace(ramp, factor=factor)).speeds()
        for factor, ramp in product(factors, RAMPS)
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


@pytest.mark.parametrize(
    "scaling",
    [
        Llama3(3.7),
        Llama3(8, original_max_position_embeddings=1024),
        YaRN(40, **TRAINED),
        YaRN(32, truncate=False, **TRAINED),
    ],
    ids=str,
)
def test_four_ramps_are_tried_the_best_first(scaling):
    turns = Rotary(64, base=500_000, scaling=scaling).frequencies()
    known = np.arange(32) != 20
    wrong = np.where(known, turns, 7 * turns)
    wanted = Encoding(64, 500_000, scaling)

    def rank(speeds):
        return float(np.abs(speeds - turns).max())

    for options in ({"weight": known}, {"rank": rank}):
        found = candidates(wrong, amplitude=wanted.attention(), **options)
        ramps = [one for one in found if isinstance(one.scaling, Llama3 | YaRN)]
        assert len(ramps) == 4
        assert ramps[0] == wanted
    stopped = np.where(known, turns, 0)
    assert wanted in candidates(stopped, amplitude=wanted.attention())


def test_ramps_are_compared_by_weighted_squares_of_logarithms():
    turns = Rotary(16, base=500_000, scaling=Llama3(8)).frequencies()
    turns = turns * [1, 1, 1, 1.1, 0.9, 1.2, 0.8, 1.1]
    weight = np.array([1.0, 1, 1, 9, 1, 0.1, 4, 2])
    bases, factors = _scaled._bases(turns, np.arange(8), 16), [4.0, 8.0, 16.0]
    tried = [
        Encoding(16, base, _scaled.replace(ramp, factor=factor))
        for base, factor, ramp in product(bases, factors, RAMPS)
    ]
    misses = [
        sum(w * (log(s) - log(t)) ** 2 for w, s, t in zip(weight, one.speeds(), turns, strict=True))
        for one in tried
    ]
    found = list(_scaled._ramps(turns, weight, bases, factors, 1.0, None))
    np.testing.assert_allclose(
        [one.speeds() for one in found],
        [tried[place].speeds() for place in np.argsort(misses, kind="stable")[:4]],
    )


def test_only_yarn_takes_the_attention_factor_of_the_table_and_only_if_it_differs():
    yarn, llama = Encoding(64, 1e4, YaRN(40, **TRAINED)), Encoding(64, 1e4, Llama3(8))
    assert _scaled._warmed(llama, 1.5) is llama
    for off in (0, 0.0009, -0.0009):
        assert _scaled._warmed(yarn, yarn.attention() + off) is yarn
    for amplitude in (1.234567, yarn.attention() + 0.0011):
        warmed = _scaled._warmed(yarn, amplitude)
        assert warmed.scaling.attention_factor == float(f"{amplitude:.5g}")


def test_an_attention_factor_differs_from_one_thousandth_on():
    kind = Encoding(64, 1e4, YaRN(40, attention_factor=0.001, **TRAINED))
    assert _scaled._warmed(kind, 0.002).attention() == 0.002


def free(factors, amplitude=1.0) -> list[Encoding]:
    factors = np.array(factors, float)
    return list(_scaled._free(plain(len(factors)) / factors, 2 * len(factors), amplitude))


def test_divisors_of_longrope_have_six_digits_and_their_attention_factor_five():
    (found,) = free([1, 1.23456789, 2, 5], 1.2345678)
    near = (1.0, 1.23457, 2.0, 5.0)
    assert found[:2] == (8, 10_000)
    assert found.scaling.short_factor == found.scaling.long_factor == near
    assert found.scaling.attention(None) == 1.2346
    assert found.scaling.original_max_position_embeddings == 4096  # that of Phi-3


@pytest.mark.parametrize(
    ("factors", "count"),
    [
        ([1, 2, 2, 2], 1),
        ([1, 2, 2], 0),  # three pairs
        ([1.99, 2, 3, 4], 1),
        ([2, 2, 3, 4], 0),
        ([0.991, 2, 3, 4], 1),
        ([0.99, 2, 3, 4], 1),
        ([0.989, 2, 3, 4], 0),
        ([1, 2, 1.91, 4], 1),
        ([1.25, 1.1875, 2, 4], 1),
        ([1, 2, 1.89, 4], 0),
        ([2, *np.linspace(3, 1, 15)], 1),
        ([2, *np.linspace(3, 1, 14)], 0),
    ],
)
def test_divisors_of_longrope_begin_at_about_1_and_rise_unless_there_are_many(factors, count):
    assert len(free(factors)) == count


def test_a_pair_that_does_not_turn_has_no_divisor():
    turns = plain(4)
    turns[3] = 0
    assert list(_scaled._free(turns, 8, 1.0)) == []


# The quick frequencies


@pytest.mark.parametrize("base", [5.0, 20.0, 10_000.0])
@pytest.mark.parametrize("trained", [16, 64, 4096, 2**20])
@pytest.mark.parametrize("truncate", [True, False])
def test_the_quick_frequencies_of_yarn_are_those_of_the_encoding(base, trained, truncate):
    scaling = YaRN(8, original_max_position_embeddings=trained, truncate=truncate)
    for head in (4, 16):
        exact = Rotary(head, base=base, scaling=scaling).frequencies()
        np.testing.assert_allclose(Encoding(head, base, scaling).speeds(), exact, rtol=1e-12)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.3, 0.34, 0.9, 1.0])
def test_the_quick_frequencies_of_a_part_are_those_of_the_encoding(part):
    for head in (4, 6, 64):
        exact = Rotary(head, scaling=Proportional(part)).frequencies()
        quick = Encoding(head, 10_000.0, Proportional(part)).speeds()
        np.testing.assert_allclose(quick, exact, rtol=1e-12)


def test_the_quick_frequencies_of_divisors_are_those_of_the_encoding():
    scaling = LongRoPE([1, 1.3, 2, 5], [9, 9, 9, 9], factor=2, **TRAINED)
    exact = Rotary(8, scaling=scaling).frequencies(length=1)
    np.testing.assert_allclose(Encoding(8, 10_000.0, scaling).speeds(), exact, rtol=1e-12)


def test_an_encoding_has_the_options_of_its_rotary():
    kind = Encoding(8, 500.0, Linear(2))
    assert kind.rotary() == Rotary(8, base=500, scaling=Linear(2))
    assert kind.rotary("interleaved") == Rotary(
        8, base=500, scaling=Linear(2), layout="interleaved"
    )
    assert (kind.attention(), Encoding(8, 500.0).attention()) == (1, 1)
    assert Encoding(8, 500.0, YaRN(4, attention_factor=1.5, **TRAINED)).attention() == 1.5


# The simplest of the candidates


@pytest.mark.parametrize(
    ("amplitude", "near"),
    [
        *((1.0009, 1.0), (0.9991, 1.0), (1.0011, 1.0011), (0.9989, 0.9989), (2.0009, 2.0009)),
        *((0.5 + 4e-7, 0.5), (0.5 - 4e-7, 0.5), (0.5 + 6e-7, 0.5 + 6e-7), (1.0004, 1.0)),
        *((1.234 + 1e-7, 1.234), (1.2345 + 1e-7, 1.2345 + 1e-7), (80.0 + 1e-5, 80.0)),
    ],
)
def test_an_amplitude_is_rounded_where_rounding_explains_the_difference(amplitude, near):
    assert snapped(amplitude) == near


def test_only_an_interleaved_table_shows_its_layout():
    layouts = [layout_of(form) for form in ("once", "halves", "interleaved")]
    assert layouts == ["halves", "halves", "interleaved"]


def test_the_amplitude_of_a_cache_comes_in_addition_to_the_attention_factor():
    kind = Encoding(8, 1e4, YaRN(4, attention_factor=1.5, **TRAINED))
    cache = cache_of(kind, "sin", "interleaved", 3.0, start=7)
    assert cache.rotary == kind.rotary("interleaved")
    assert (cache.part, cache.form, cache.amplitude, cache.start) == ("sin", "interleaved", 2, 7)
    assert cache_of(kind, "sin", "interleaved", 3.0).start == 0


def rows(turns, positions, size=1.0) -> Parts:
    positions = np.asarray(positions, float)
    return Parts(size * np.cos(positions[:, np.newaxis] * turns), None, positions)


@pytest.mark.parametrize("start", [0, 100])
@pytest.mark.parametrize(("part", "accepted"), [(0.94, True), (1.06, False)])
def test_a_round_base_may_be_off_by_a_quarter_of_a_float32_angles_error(start, part, accepted):
    positions = np.arange(1025.0)
    limit = part * (1024 + start) * 2.0**-22 / 4
    low, high = 0.0, 1e-3
    for _ in range(60):  # the base at which 10 000 has this error
        middle = (low + high) / 2
        turns = plain(2, 10_000 * (1 + middle))
        held, made = rows(turns, positions + start), rows(plain(2), positions + start)
        low, high = (
            (middle, high) if np.abs(held.values() - made.values()).max() < limit else (low, middle)
        )
    parts = Parts(held.cosines, None, positions)
    first = (lambda _: start) if start else None
    kind, error = simplest(parts, turns, np.ones(2), 1.0, first)
    assert (kind == Encoding(4, 10_000)) == accepted
    assert error == pytest.approx(limit if accepted else 0, abs=1e-6)


def test_without_a_candidate_nothing_is_the_simplest():
    parts = rows(plain(4), range(9))
    assert simplest(parts, np.zeros(4), np.ones(4), 1.0) == (None, np.inf)


def test_the_error_counts_in_the_unit_of_cosines_and_sines():
    parts = rows(plain(4), range(9), 8.0)
    parts.cosines[5, 1] += 0.08
    kind, error = simplest(parts, plain(4), np.ones(4), 8.0)
    assert (kind, error) == (Encoding(8, 10_000), pytest.approx(0.01))


def test_an_encoding_that_no_first_row_fits_has_no_finite_error():
    parts = rows(plain(4), range(9))
    _, error = simplest(parts, plain(4), np.ones(4), 1.0, lambda _: None)
    assert error == np.inf


@pytest.mark.parametrize(("start", "is_found"), [(24, True), (None, False)])
def test_usual_parts_are_tried_where_rows_from_the_middle_do_not_show_the_part(start, is_found):
    kind = Encoding(32, 10_000.0, Proportional(0.5))
    parts = rows(kind.speeds(), range(start or 0, 90))
    parts = Parts(parts.cosines, None, parts.positions - (start or 0))
    turns = np.where(np.arange(16) < 6, kind.speeds(), 0)
    first = (lambda _: start) if start else None
    found, error = simplest(parts, turns, np.ones(16), 1.0, first)
    assert (found == kind) == (error < 1e-9) == is_found


def test_every_eighth_row_ranks_the_ramps():
    scaling = Llama3(8)
    turns = Rotary(64, base=500_000, scaling=scaling).frequencies()
    parts = rows(turns, range(3000, 3065))
    parts = Parts(parts.cosines, None, np.arange(65.0))
    parts.cosines[np.arange(65) % 8 != 0] = np.nan  # these rows do not rank
    found = []

    def first(frequencies):
        found.append(frequencies)
        return 3000

    slow = np.where(turns > 1e-4, turns, 0)  # slow pairs say nothing of the factor
    simplest(parts, slow, (slow > 0).astype(float), 1.0, first)
    best = found[-5:]  # four ramps, and perhaps a last encoding
    assert any(np.allclose(one, turns, rtol=1e-9) for one in best)
