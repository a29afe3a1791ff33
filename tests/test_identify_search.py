"""In which order `identify` looks for an answer, and what ends the search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from posenc import (
    AxialCache,
    Convention,
    Finding,
    Grid,
    Identification,
    Match,
    NearMiss,
    Rotary,
    RotaryCache,
    identify,
    positional_encoding,
)
from posenc.identification import _identify
from posenc.identification._rows import FLOAT32, TOLERANCE, Rows
from posenc.rotary import axes

OWN = Convention(base=777)
CACHE = RotaryCache(rotary=Rotary(8))
PATCHES = AxialCache(
    rotary=axes.pixtral(8), made_by="axes.pixtral(8)", coordinates=((0.0, 0.0), (0.0, 1.0))
)
SWAPPED, SINES = Finding("swapped", ""), Finding("cosines-are-sines", "")
NOISE = np.random.default_rng(0).standard_normal((20, 8))
TABLE = OWN.table(20, 8)


def found(kind=OWN, *libraries, error=1e-4, **options):
    return Match(convention=kind, error=error, libraries=libraries, **options)


def codes(findings):
    return [one.code for one in findings]


def rows(values):
    return Rows(np.arange(float(len(values))), values)


# Steps of the tolerance


@pytest.fixture
def searched(monkeypatch):
    """Let `identify` find what a test puts in for each tolerance, in tables that count as long."""
    asked, answers = [], {}

    def matches(_, __, slack, *, known):
        asked.append((slack, known))
        return list(answers.get(slack, ()))

    monkeypatch.setattr(_identify, "_LONG", 20)
    monkeypatch.setattr(_identify, "_matches", matches)
    monkeypatch.setattr(_identify, "_nearest", lambda *_: None)
    return asked, answers


FAR = 20 * FLOAT32


def test_a_long_table_is_tried_with_the_errors_of_float32_angles_before_the_rough_tolerance(
    searched,
):
    asked, _ = searched
    for table, steps in ((NOISE, [TOLERANCE, FAR, 0.01]), (NOISE[:19], [TOLERANCE, 0.01])):
        asked.clear()
        assert not identify(table)
        assert asked == [(slack, slack == FAR) for slack in steps]


def test_a_given_tolerance_is_the_only_step(searched):
    asked, answers = searched
    answers[0.125] = [found()]
    assert identify(NOISE, tolerance=0.125).tolerance == 0.125
    assert asked == [(0.125, False)]


def test_a_long_tables_own_convention_gives_way_to_a_library_with_float32_angles(searched):
    asked, answers = searched
    answers[TOLERANCE] = [found(error=2.5e-4)]
    answers[FAR] = [found(Convention(), "trax", error=3e-6)]
    answer = identify(NOISE)
    assert (answer.match.convention, answer.tolerance) == (Convention(), FAR)
    assert [str(one) for one in answer.findings] == [
        "differs by 2.5e-04 in the first 1000 rows and by 3.0e-06 at most: "
        "at far positions float32 angles are that rough"
    ]
    assert asked == [(TOLERANCE, False), (FAR, True), (TOLERANCE, False)]
    assert identify(NOISE[:19]).match.convention == OWN
    assert asked[3:] == [(TOLERANCE, False)]


def test_a_long_tables_own_convention_stays_if_no_library_fits(searched):
    _, answers = searched
    answers[TOLERANCE], answers[FAR] = [found()], [found(Convention(base=778))]
    answers[0.01] = [found(Convention(base=779))]
    answer = identify(NOISE)
    assert (answer.match.convention, answer.tolerance) == (OWN, TOLERANCE)
    assert answer.findings == ()


@pytest.mark.parametrize(
    "match",
    [
        found(OWN, "trax"),
        found(mistakes=(SWAPPED,)),
        found(Grid()),
        found(CACHE),
        found(PATCHES),
    ],
    ids=["a library", "a mistake", "a grid", "a cache", "a cache of points"],
)
def test_a_match_with_a_name_ends_the_search_in_a_long_table(searched, match):
    asked, answers = searched
    answers[TOLERANCE] = [match, found()]
    assert identify(TABLE).matches == (match, found())
    assert len(asked) == 1


def test_only_the_same_kind_without_a_mistake_shows_that_first_rows_are_exact(searched):
    _, answers = searched
    answers[FAR] = [found(Convention(), "trax")]
    answers[0.01] = [found(OWN)]
    for others in ([], [found(CACHE)], [found(mistakes=(SWAPPED,))]):
        answers[TOLERANCE] = others
        rough = _identify._noticed("float32-far", answers[FAR][0], NOISE, rows(NOISE), FAR)
        assert rough is None
    answers[TOLERANCE] = [found(CACHE), found(mistakes=(SWAPPED,)), found(error=0.5)]
    (finding,) = _identify._noticed("float32-far", answers[FAR][0], NOISE, rows(NOISE), FAR)
    assert str(finding).startswith("differs by 5.0e-01 in the first 1000 rows and by 1.0e-04 ")


def test_the_first_thousand_rows_show_whether_float32_angles_are_exact(monkeypatch):
    seen = []

    def matches(values, some, *_, known):
        seen.append((values.tolist(), some.places.tolist(), some.values.tolist(), known))
        return []

    monkeypatch.setattr(_identify, "_matches", matches)
    monkeypatch.setattr(_identify, "_CLOSE", 7)
    _identify._noticed("float32-far", found(), NOISE, rows(NOISE), FAR)
    first = NOISE[:7].tolist()
    assert seen == [(first, list(range(7)), first, False)]


def test_a_vague_match_of_rough_values_ends_the_search_with_the_rough_tolerance(searched):
    _, answers = searched
    answers[0.01] = [found(Convention(start=10**9)), found(OWN, "trax")]
    answer = identify(NOISE[:, :2])
    assert (answer.matches, codes(answer.findings)) == ((), ["vague"])
    assert answer.tolerance == 0.01


def test_only_the_best_match_has_to_be_more_than_vague(searched):
    _, answers = searched
    answers[TOLERANCE] = [found(OWN, "trax"), found(Convention(start=10**9))]
    assert len(identify(NOISE[:, :2]).matches) == 2


def test_rows_of_zeros_are_rows_of_a_cache_and_left_out_of_other_tables(searched):
    _, answers = searched
    table = np.concatenate([np.zeros((1, 8)), TABLE[:9]])
    for kind, used, ignored in ((CACHE, 10, ()), (PATCHES, 10, ()), (OWN, 9, (0,))):
        answers[TOLERANCE] = [found(kind)]
        answer = identify(table)
        assert (answer.rows_used, answer.rows_ignored) == (used, ignored)


# Rows that decide nothing


@pytest.mark.parametrize(
    ("filled", "length", "code"),
    [(0, 4, "all-zeros"), (1, 3, "mostly-zeros"), (1, 2, "one-row"), (2, 5, "mostly-zeros")],
)
def test_too_few_rows_besides_zeros_decide_nothing(filled, length, code):
    table = np.concatenate([TABLE[1 : 1 + filled], np.zeros((length - filled, 8))])
    answer = identify(table)
    assert (codes(answer.findings), answer.rows_used) == ([code], filled)
    assert answer.rows_ignored == tuple(range(filled, length))


def test_half_of_the_rows_may_be_zeros():
    table = np.concatenate([positional_encoding(12, 8)[1:5], np.zeros((4, 8))])
    answer = identify(table)
    assert (answer.rows_used, answer.rows_ignored) == (4, (4, 5, 6, 7))
    assert answer.match.convention == Convention(start=1)


# Tables on their side


def test_a_table_on_its_side_is_named_from_three_positions_on():
    for length in (3, 4, 9):
        answer = identify(positional_encoding(length, 8).T)
        assert codes(answer.match.mistakes)[:1] == ["transposed"]
    answer = identify(positional_encoding(2, 8).T)
    assert "transposed" not in codes(answer.match.mistakes if answer else ())


def test_a_table_on_its_side_has_no_more_rows_than_the_limit(monkeypatch):
    on_its_side = positional_encoding(5, 20).T
    monkeypatch.setattr(_identify, "_WIDEST", 20)
    assert codes(identify(on_its_side).match.mistakes) == ["transposed"]
    monkeypatch.setattr(_identify, "_WIDEST", 19)
    assert not identify(on_its_side)


def test_a_table_on_its_side_has_no_column_of_zeros():
    table = np.repeat(positional_encoding(9, 8)[:, ::2], 2, axis=1)  # position 0 has only zeros
    assert codes(identify(table[1:].T).match.mistakes)[0] == "transposed"
    assert not identify(table.T)


# Kinds of tables


KINDS = ("_tables", "_caches", "_cut", "_axial_caches", "_grid_tables", "_mixed_caches")


@pytest.fixture
def looked(monkeypatch):
    """Note which kinds of tables are looked for, and let a test say what is found."""
    calls, answers = [], {}

    def looking(name):
        def matches(_, *given, **options):
            calls.append((name, *given, *options.values()))
            return answers.get(name, [])

        return matches

    for name in KINDS:
        monkeypatch.setattr(getattr(_identify, name), "matches", looking(name))
    return calls, answers


IN_ROWS = [
    ("_tables", 0.5, True),
    ("_caches", 0.5),
    ("_cut", 0.5),
    ("_axial_caches", 0.5, True),
    ("_grid_tables", 2, 0.5),
    ("_axial_caches", 0.5),
    ("_mixed_caches", 0.5),
    ("_tables", 0.5),  # on its side
]


def test_a_table_is_tried_as_each_kind_until_one_fits(looked):
    calls, answers = looked
    values = np.concatenate([np.zeros((2, 8)), NOISE])
    some = Rows(np.arange(2.0, 22.0), NOISE)
    for kind, steps in ((None, 8), *zip(KINDS, (1, 2, 3, 4, 5, 7), strict=True)):
        calls.clear()
        answers.clear()
        one = found(CACHE if "cache" in str(kind) else OWN, findings=(Finding(str(kind), ""),))
        answers[kind] = [one]
        assert _identify._matches(values, some, 0.5, known=True) == [one] * (kind is not None)
        assert calls == IN_ROWS[:steps]


def test_caches_are_looked_for_where_the_best_match_is_a_mistake(looked):
    calls, answers = looked
    slip, plain, cache = found(mistakes=(SWAPPED,)), found(), found(CACHE)
    answers["_tables"], answers["_cut"] = [slip, plain], [cache]
    assert _identify._matches(NOISE, rows(NOISE), 0.5, known=True) == [cache, slip, plain]
    answers["_tables"] = [plain, slip]
    calls.clear()
    assert _identify._matches(NOISE, rows(NOISE), 0.5, known=True) == [plain, slip]
    assert calls == IN_ROWS[:1]


def test_cosines_and_sines_are_tried_as_each_kind_of_cache_until_one_fits(looked):
    calls, answers = looked
    pairs = NOISE + 1j * NOISE[::-1]
    caches = [("_caches", 0.5), ("_cut", 0.5), ("_axial_caches", 0.5), ("_mixed_caches", 0.5)]
    for steps, (kind, _) in enumerate(caches, 1):
        calls.clear()
        answers.clear()
        answers[kind] = [found(CACHE)]
        answer = identify(pairs, tolerance=0.5)
        assert (answer.matches, answer.rows_used) == ((found(CACHE),), 20)
        assert calls == caches[:steps]


def test_a_block_is_tried_as_a_grid_with_its_channels_last_and_then_first(looked):
    calls, answers = looked
    block = np.random.default_rng(0).standard_normal((4, 3, 8))
    assert identify(block, tolerance=0.5).matches == ()
    assert calls == [("_grid_tables", 0, 0.5, (4, 3)), ("_grid_tables", 0, 0.5, (3, 8))]
    calls.clear()
    answers["_grid_tables"] = [found(Grid(), points=(4, 3))]
    answer = identify(block)
    assert (answer.matches, answer.rows_used) == ((found(Grid(), points=(4, 3)),), 12)
    assert (answer.tolerance, answer.findings) == (TOLERANCE, ())
    assert calls == [("_grid_tables", 0, TOLERANCE, (4, 3))]


@pytest.mark.usefixtures("looked")
def test_pairs_that_fit_roughly_are_said_to_and_vague_ones_have_no_match(monkeypatch):
    def matches(_, slack):
        kinds = (RotaryCache(rotary=Rotary(16), amplitude=size) for size in (1.0, 1e-9))
        return [found(kind) for kind in kinds] if slack == 0.01 else []

    monkeypatch.setattr(_identify._caches, "matches", matches)
    answer = identify(NOISE + 1j * NOISE[::-1])
    assert (codes(answer.findings), answer.tolerance) == (["rough"], 0.01)
    assert str(answer.findings[0]).startswith("compared with a tolerance of 0.01, as ")
    flat = 1e-3 * NOISE
    answer = identify(flat + 1j * flat[::-1])
    assert (answer.matches, codes(answer.findings), answer.tolerance) == ((), ["vague"], 0.01)


# Caches and mistakes


def test_caches_come_first_and_say_if_missing_cosines_look_the_same():
    slip, other = found(mistakes=(SINES,)), found(mistakes=(SWAPPED,))
    cache = found(CACHE, findings=(Finding("from-row", ""),))
    first, second = _identify._both([cache], [slip])
    assert codes(first.findings) == ["from-row", "cosines-missing-too"]
    assert (replace(first, findings=cache.findings), second) == (cache, slip)
    assert _identify._both([cache], [other]) == [cache, other]
    assert _identify._both([], [slip, other]) == [slip, other]
    assert _identify._both([cache], []) == [cache]


# The nearest miss


def miss(typical, kind=OWN, error=0.5, code="other-rows", **options):
    findings = (Finding(code, code),)
    return NearMiss(convention=kind, error=error, typical=typical, findings=findings, **options)


def test_the_nearest_miss_is_a_cache_only_if_its_typical_difference_is_less(monkeypatch):
    near, cache = miss(0.25), miss(0.125, CACHE)
    for one, other, best in (
        (near, cache, cache),
        (replace(near, typical=0.0625), cache, replace(near, typical=0.0625)),
        (None, cache, cache),
        (near, None, near),
        (None, None, None),
        (replace(near, rows=(1,)), cache, replace(near, rows=(1,))),
        (replace(near, columns=(1,)), cache, replace(near, columns=(1,))),
        (None, replace(cache, rows=(1,)), replace(cache, rows=(1,))),
    ):
        monkeypatch.setattr(_identify, "nearest", lambda *_, one=one: one)
        monkeypatch.setattr(_identify._near_caches, "nearest", lambda *_, other=other: other)
        assert _identify._nearest(NOISE, rows(NOISE), TOLERANCE) == best


def test_a_cache_that_fits_but_does_not_match_is_vague_and_another_miss_is_told():
    answer = Identification(tolerance=0.5, findings=(Finding("said", ""),))
    vague = _identify._missed(answer, NOISE, miss(0.1, CACHE, error=0.5))
    assert (vague.nearest, codes(vague.findings)) == (None, ["said", "vague"])
    for near in (miss(0.1, CACHE, error=0.625), miss(0.1, OWN, error=0.5), None):
        assert _identify._missed(answer, NOISE, near) == replace(answer, nearest=near)


def test_waves_are_described_unless_something_is_near():
    waves = np.sin(np.arange(60)[:, np.newaxis] * [0.31, 0.12])
    answer = Identification(findings=(Finding("said", ""),))
    for near in (None, miss(0.1, code="noise")):
        told = _identify._missed(answer, waves, near)
        assert (codes(told.findings), told.nearest) == (["said", "waves"], None)
    near = miss(0.1)
    assert _identify._missed(answer, waves, near) == replace(answer, nearest=near)
    near = miss(0.1, code="noise")
    assert _identify._missed(answer, NOISE, near) == replace(answer, nearest=near)
