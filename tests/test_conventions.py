"""Conventions compared with libraries' outputs and with balls, and the options they refuse."""

from __future__ import annotations

import dataclasses
import re

import ml_dtypes
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import posenc
from posenc import (
    CONVENTIONS,
    GRIDS,
    Convention,
    Grid,
    column_order,
    convert,
    rotary_row_order,
)
from tests import balls
from tests.balls import ball
from tests.examples import examples
from tests.oracle import largest_error
from tests.reference import ARRAYS, ONE_DIMENSIONAL, RECORDS, library, options, positions
from tests.test_relative import OUTPUTS, of_kind
from tests.test_relative import RECORDS as ROWS

CONVENTION = st.builds(
    Convention,
    layout=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1, 0.75, -1.25]),
    spread=st.sampled_from([None, None, 8, 30.5]),
    base=st.sampled_from([10_000.0, 500.0, 2500.0, 1e6, 0.05]),
    angle_scale=st.sampled_from([1.0, -1.0, 2.0, 0.01, 2 * np.pi]),
    start=st.sampled_from([0, 1, -3, 2.5]),
    odd=st.sampled_from(["truncate", "pad", "ceil", "overflow"]),
    amplitude=st.sampled_from([1.0, 0.125, 3.0]),
)
WIDTH = st.integers(2, 20)


def exact(kind: Convention, position, d_model: int) -> list:
    """One row in balls, column by column, as the README of the data defines it."""
    odd = d_model % 2
    width = d_model + odd * {"pad": -1, "ceil": 1}.get(kind.odd, 0)
    divisor = ball(kind.spread or width) / 2 - kind.freq_shift
    half = (width + 1) // 2
    sines, cosines = [], []
    for k in range(half):
        exponent = -k / divisor if divisor else ball(0)
        angle = ball(position) * kind.angle_scale * ball(kind.base) ** exponent
        sines.append(kind.amplitude * balls.sin(angle))
        cosines.append(kind.amplitude * balls.cos(angle))
    first, second = (sines, cosines) if kind.order == "sin_first" else (cosines, sines)
    if kind.layout == "halves":
        row = first + second
    else:
        row = [value for pair in zip(first, second, strict=True) for value in pair]
    if odd and kind.odd == "pad":
        return [*row, ball(0)]
    return row if kind.odd == "overflow" else row[:d_model]


@given(CONVENTION, WIDTH, st.sampled_from([0, 1, -7, 0.3, 1000]))
def test_every_convention_follows_the_formula_to_the_last_digits(kind, d_model, position):
    found = kind.encode(position, d_model)
    expected = np.array(exact(kind, position, d_model), dtype=object)
    faster = max(1, np.abs(kind.frequencies(d_model)).max() / 10)
    assert largest_error(found, expected) <= 1e-15 * max(1, kind.amplitude) * faster


@pytest.mark.parametrize("first", [2**24, 2**53 - 400, -(2**53)])
def test_a_table_of_far_positions_is_exact_to_where_float64_skips_integers(first):
    kind = Convention(layout="halves", freq_shift=1, amplitude=0.5)
    expected = np.array(exact(kind, first + 399, 16), dtype=object)
    assert largest_error(kind.table(400, 16, start=first)[-1], expected) <= 1e-15


@examples(150)
@given(
    CONVENTION,
    WIDTH,
    st.none() | st.just(0.5) | st.integers(-300, 300),
    st.sampled_from([0, 1, 5, 400]),
    st.sampled_from(["f2", "f4", "f8"]),
)
def test_a_table_is_the_encoding_of_its_positions_with_the_same_bits_at_every_start(
    kind, d_model, start, length, dtype
):
    first = kind.start if start is None else start
    table = kind.table(length, d_model, start=start)
    expected = kind.encode(first + np.arange(length), d_model)
    assert table.shape == expected.shape
    faster = max(1, np.abs(kind.frequencies(d_model)).max() / 10)
    assert np.abs(table - expected).max(initial=0) <= 2e-15 * kind.amplitude * faster
    narrow = kind.table(length, d_model, start=start, dtype=dtype)
    assert narrow.dtype == dtype
    assert np.array_equal(narrow, table.astype(dtype))
    assert np.array_equal(
        kind.encode([first, 0.3], d_model, dtype=dtype).astype("f8"),
        kind.encode([first, 0.3], d_model).astype(dtype).astype("f8"),
    )
    if float(first).is_integer():
        part = kind.table(length // 2, d_model, start=first + length // 3, dtype=dtype)
        assert part.tobytes() == narrow[length // 3 :][: length // 2].tobytes()


# Libraries


@pytest.mark.parametrize("array", ONE_DIMENSIONAL)
def test_each_named_convention_gives_the_librarys_output(array):
    kind, expected = CONVENTIONS[library(array)], ARRAYS[array].astype(np.float64)
    points = positions(array)
    found = kind.encode(points, expected.shape[1])
    for row in RECORDS[array]["options"].get("zero_rows", []):
        found[row] = 0
    # float32 keeps 24 bits of the phase and rounds it up to twice
    phase = np.abs(np.outer(points, kind.frequencies(expected.shape[1]))).max()
    bits = 52 if ARRAYS[array].dtype == np.float64 else 23
    allowed = 1e-6 if phase <= 16 else 1e-6 + phase * 2.0**-bits
    assert np.abs(found - expected).max() <= allowed
    stated = float(RECORDS[array]["max_abs_error_vs_float64_options"])
    assert np.abs(found - expected).max() <= 1.01 * stated + 2e-16


def test_every_named_convention_has_the_options_of_a_recorded_run():
    assert set(CONVENTIONS) == {library(array) for array in ONE_DIMENSIONAL}
    assert list(CONVENTIONS) == sorted(CONVENTIONS)
    assert {array.dtype for array in ARRAYS.values()} == {np.dtype("f4"), np.dtype("f8")}
    for array in ONE_DIMENSIONAL:
        recorded, kind = Convention(**options(array)), CONVENTIONS[library(array)]
        d_model = ARRAYS[array].shape[1]
        if recorded != kind:  # recorded for one width, named for all
            assert library(array) in ("nerf", "x_transformers")
            assert np.array_equal(kind.columns(d_model), recorded.columns(d_model))
            assert np.array_equal(kind.frequencies(d_model), recorded.frequencies(d_model))
            assert np.array_equal(kind.table(3, d_model), recorded.table(3, d_model))
    with pytest.raises(TypeError):
        CONVENTIONS["mine"] = Convention()


@pytest.mark.parametrize("d_model", [4, 12, 30, 64])
def test_the_two_conventions_that_depend_on_the_width_follow_their_formulas(d_model):
    """Their records hold options for one width; those of all others are the named ones."""
    half, p = d_model // 2, np.arange(9.0)
    angle = np.outer(p, 10_000.0 ** -(np.arange(half) / half))
    scaled = np.concatenate([np.sin(angle), np.cos(angle)], axis=1) * d_model**-0.5
    assert np.abs(CONVENTIONS["x_transformers"].table(9, d_model) - scaled).max() <= 1e-14
    bands = 2.0 ** np.arange(half)
    columns = [function(p * band) for band in bands for function in (np.sin, np.cos)]
    octaves = CONVENTIONS["nerf"].table(9, d_model)
    assert np.abs(octaves - np.stack(columns, axis=1)).max() <= 1e-14 * bands[-1]


def test_a_search_finds_each_name_by_its_words_in_any_order_and_spelling():
    for name in CONVENTIONS:
        assert name in posenc.conventions_like(" ".join(reversed(name.split("_"))).upper())
    found = ["openai_whisper", "transformers_whisper"]
    assert list(posenc.conventions_like("wisper")) == found
    assert list(posenc.conventions_like("hf whisper")) == found[1:]
    with pytest.raises(ValueError, match="words must be in a name of CONVENTIONS, got 'zzz'"):
        posenc.conventions_like("zzz")
    with pytest.raises(TypeError, match="words must be a string, got 3"):
        posenc.conventions_like(3)


def test_a_name_that_is_not_there_gets_an_error_with_those_that_come_nearest():
    for names, name, message in (
        (CONVENTIONS, "whisper", "'whisper': perhaps 'openai_whisper', 'transformers_whisp"),
        (CONVENTIONS, "zzz", "no library is named 'zzz'\""),
        (posenc.GRIDS, "DETR", "'DETR': perhaps 'detr', 'detr_normalized'"),
    ):
        with pytest.raises(KeyError, match=message):
            _ = names[name]


# Offsets


@given(CONVENTION, WIDTH, st.sampled_from([0, 1, -5, 2.5, 300]))
def test_shift_matrix_similarity_and_distance_hold_for_every_convention(kind, d_model, offset):
    if d_model % 2 and kind.odd not in ("pad", "overflow"):  # a sine has no cosine
        message = rf"^d_model must be even where odd is '{kind.odd}': .* got {d_model}$"
        for method in (kind.shift_matrix, kind.similarity, kind.distance):
            with pytest.raises(ValueError, match=message):
                method(offset, d_model)
        return
    here, there = kind.encode([40.5, 40.5 + offset], d_model)
    scale = 1e-12 * kind.amplitude**2 * d_model * max(1, np.abs(kind.frequencies(d_model)).max())
    matrix = kind.shift_matrix(offset, d_model)
    assert np.abs(matrix @ here - there).max() <= scale
    assert np.abs(matrix @ matrix.T - np.eye(len(here))).max() <= 1e-15
    assert abs(kind.similarity(offset, d_model) - here @ there) <= scale
    assert abs(kind.distance(offset, d_model) - np.linalg.norm(here - there)) <= scale
    turns = kind.wavelengths(d_model) * np.abs(kind.frequencies(d_model))
    assert turns == pytest.approx(2 * np.pi, rel=1e-15)


@pytest.mark.parametrize("method", ["similarity", "distance", "encode"])
def test_results_have_the_shape_of_the_offsets_or_positions(method):
    ask, places = getattr(Convention(amplitude=2), method), np.array([[[0.0, 1.0, 2.5]]])
    found = ask(places, 8)
    assert found.shape[:3] == (1, 1, 3)
    np.testing.assert_allclose(found[0, 0], [ask(place, 8) for place in places[0, 0]], atol=1e-14)


# Conversions


@given(CONVENTION, CONVENTION, WIDTH)
def test_a_conversion_gives_the_targets_table_and_can_be_undone(source, target, d_model):
    shared = ("base", "freq_shift", "spread", "start", "odd")
    target = dataclasses.replace(
        target,
        **{name: getattr(source, name) for name in shared},
        angle_scale=source.angle_scale * (-1 if target.angle_scale < 0 else 1),
    )
    lone = d_model % 2 and source.odd != "pad"
    assume(not lone or source.order == target.order)
    assume(not (d_model % 2 and source.odd == "overflow"))
    table = source.table(9, d_model)
    there = convert(table, source, target)
    assert np.abs(there - target.table(9, d_model)).max() <= 1e-14
    assert np.abs(convert(there, target, source) - table).max() <= 1e-14
    for part in (table[0], table[np.newaxis]):
        assert convert(part, source, target).shape == part.shape


def test_a_conversion_keeps_the_dtype_and_the_bits_and_changes_signs_and_amplitudes():
    source, target = Convention(), Convention(layout="halves", order="cos_first")
    table = source.table(5, 8).astype(np.float32)
    there = convert(table, source, target)
    assert there.dtype == np.float32
    assert np.array_equal(convert(there, target, source), table)
    source, target = Convention(amplitude=0.5), Convention(amplitude=2, angle_scale=-1)
    assert convert([[0.25, 0.5]], source, target).tolist() == [[-1.0, 2.0]]


PLAIN, LARGE = Convention(), Convention(amplitude=1e300)
SMALL, DROPPED = Convention(amplitude=1e-300), Convention(odd="truncate")
SPILLED = Convention(odd="overflow")
COSINES_FIRST = dataclasses.replace(DROPPED, order="cos_first")
RATIO = r"source and target must have amplitudes with a ratio within float64, got 1e"
REFUSED = [  # a table, a source and a target, and the rule
    (8, PLAIN, Convention(start=1), "must have the same start, got 0.0 and 1.0: slice the table"),
    (8, PLAIN, "paper", "target must be a Convention or a Grid, got 'paper'"),
    (8, None, PLAIN, "source must be a Convention or a Grid, got None"),
    (7, DROPPED, COSINES_FIRST, "the cosine of pair 3$"),
    (7, Convention(odd="pad"), Convention(odd="truncate", base=0.5), "at width 7, got 3 and 4$"),
    (7, SPILLED, SPILLED, "as wide as source makes it: 8, got 7"),
    (2, SMALL, LARGE, rf"^{RATIO}-300 and 1e\+300 at width 2$"),
    (2, LARGE, SMALL, rf"^{RATIO}\+300 and 1e-300 at width 2$"),
    (1, PLAIN, PLAIN, r"^table must have at least 2 columns, got .*\(2, 1\)$"),
]


@pytest.mark.parametrize(("width", "source", "target", "message"), REFUSED)
def test_an_impossible_conversion_is_refused(width, source, target, message):
    with pytest.raises((TypeError, ValueError), match=message):
        convert(np.zeros((2, width)), source, target)


def test_a_conversion_between_frequencies_is_refused_with_the_largest_difference():
    apart = posenc.frequencies(512) - 10_000.0 ** -(np.arange(256) / 255)
    i = np.abs(apart).argmax()
    with pytest.raises(ValueError, match=f"differ most by {apart[i]:.3g}, got .* at pair {i}$"):
        convert(np.zeros((3, 512)), PLAIN, CONVENTIONS["tensor2tensor"])


# Orders of columns and rows

PLACED = st.builds(
    Convention,
    layout=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    start=st.sampled_from([0, 3]),
)
GRID = st.sampled_from(
    [
        *(Grid(axes=axes) for axes in ("xy", "yx")),
        *(Grid(axes=axes, blocks="kinds") for axes in ("xy", "yx")),
        *(Grid(axis=Convention(), axes=axes, blocks="pairs") for axes in ("xy", "yx")),
        Grid(axis=Convention(order="cos_first")),
    ]
)


@given(PLACED, PLACED, st.sampled_from([2, 8, 30]))
def test_the_order_of_columns_turns_one_table_into_the_other(source, target, d_model):
    order = column_order(source, target, d_model)
    assert np.array_equal(np.sort(order), np.arange(d_model))
    table = source.table(7, d_model, start=5)
    assert np.array_equal(table[:, order], target.table(7, d_model, start=5))


@given(GRID, GRID, st.sampled_from([4, 12]), st.integers(0, 1))
def test_grids_have_an_order_of_columns_too_and_keep_their_class_rows(
    source, target, d_model, class_rows
):
    source, target = (dataclasses.replace(one, class_rows=class_rows) for one in (source, target))
    order = column_order(source, target, d_model)
    table = source.table((2, 3), d_model, dtype=np.float32)
    assert np.array_equal(table[:, order], target.table((2, 3), d_model, dtype=np.float32))
    assert np.array_equal(convert(table, source, target), table[:, order])


ORDERS_REFUSED = [  # source, target, width, and a part of the message
    (PLAIN, CONVENTIONS["x_transformers"], 8, "must have the same amplitude at width 8"),
    (PLAIN, Convention(angle_scale=-1), 8, "must turn in the same direction"),
    (PLAIN, Convention(angle_scale=-2), 8, "must have the same frequencies at width 8"),
    (DROPPED, COSINES_FIRST, 7, "must hold every column of target"),
    (GRIDS["mae"], GRIDS["tensor2tensor"], 8, "must have the same frequencies at width 4"),
    (GRIDS["mae"], GRIDS["timm"], 6, "d_model must be a multiple of 4, got 6"),
    (PLAIN, Grid(), 8, "^source and target must both be .*, got a Convention and"),
]


@pytest.mark.parametrize(("source", "target", "d_model", "message"), ORDERS_REFUSED)
def test_column_order_refuses_what_no_order_of_columns_does(source, target, d_model, message):
    with pytest.raises((ValueError, TypeError), match=message):
        column_order(source, target, d_model)


@pytest.mark.parametrize("change", [{"class_rows": 1}, {"spacing": (1, 2)}, {"listed": "columns"}])
def test_other_places_of_points_have_an_order_of_columns_and_no_conversion(change):
    source, target, (name,) = Grid(), dataclasses.replace(Grid(axes="yx"), **change), change
    with pytest.raises(ValueError, match=f"^source and target must have the same {name}, got "):
        convert(source.table((2, 2), 8), source, target)
    of_columns = column_order(source, Grid(axes="yx"), 8)
    assert np.array_equal(column_order(source, target, 8), of_columns)


@pytest.mark.parametrize("name", of_kind("permute_rows"))
def test_rows_are_ordered_as_libraries_do(name):
    spec = ROWS[name]["spec"]
    assert np.array_equal(rotary_row_order(spec["head_dim"], heads=spec["heads"]), OUTPUTS[name])


# Options and limits


SIZES = [5e-324, 1e-300, 0.01, 0.3, 1.0, 2.0, 7.5, 1e4, 1e200, 1e300]
SIGNED = st.sampled_from([*SIZES, *(-size for size in SIZES)])
EXTREME = {
    **dict.fromkeys(("base", "amplitude", "spread"), st.sampled_from(SIZES)),
    **dict.fromkeys(("angle_scale", "amplitude_power", "freq_shift", "start"), SIGNED),
    "odd": st.sampled_from(["truncate", "pad"]),
}


@examples(400)
@given(
    st.fixed_dictionaries({}, optional=EXTREME),
    st.sampled_from([1, 2, 4, 15, 16]),
    st.sampled_from(["encode", "wavelengths", "similarity", "distance"]),
)
def test_extreme_options_give_finite_numbers_or_an_error_that_names_one(options, d_model, asked):
    first = {"encode": [[0, 1]], "similarity": [1], "distance": [1]}.get(asked, [])
    try:
        found = getattr(Convention(**options), asked)(*first, d_model)
    except ValueError as error:
        found = str(error)
    if isinstance(found, str):
        assert re.match(rf"(\w+ and )?({'|'.join([*options, 'd_model'])})\b", found)
    else:
        assert np.isfinite(found).all()


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
def test_what_a_format_can_just_hold_is_answered(dtype):
    assert Convention(amplitude=1e153).similarity(0, 4) == pytest.approx(2e306)
    one = posenc.distance(1, 4)
    assert Convention(amplitude=1e306).distance(1, 4) == pytest.approx(1e306 * one)
    most = float(ml_dtypes.finfo(dtype).max)
    for power in (0, 2):
        kind, larger = (
            Convention(amplitude=size / 8**power, amplitude_power=power)
            for size in (most, 1.0001 * most)
        )
        assert kind.table(2, 8, dtype=dtype).max() == most
        rule = f"dtype must hold the amplitude {1.0001 * most:.6g}, got {dtype}"
        with pytest.raises(ValueError, match=f"^{re.escape(rule)}$"):
            larger.table(2, 8, dtype=dtype)


@pytest.mark.parametrize("method", ["columns", "frequencies"])
def test_what_a_caller_writes_into_results_changes_no_later_one(method):
    array = getattr(PLAIN, method)(4)
    before = array.copy()
    array += 1
    assert np.array_equal(getattr(PLAIN, method)(4), before)
