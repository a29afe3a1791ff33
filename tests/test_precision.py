"""Low precision: every bit compared with another method, and the limits of each format."""

from __future__ import annotations

import re
import sys

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import posenc
from posenc import Convention, _formats
from posenc.precision import distinct_rows, encode_low, precision_error
from tests import oracle

FORMATS = ("float16", "bfloat16", "float32")
POSITIONS = [0, 1, 2.5, 255, 256, 257, 511, 2049, 10_000, -3, 1e-3]

each_format = pytest.mark.parametrize("form", FORMATS)
both_ways = pytest.mark.parametrize("cast_last", [False, True])


@given(
    st.floats(-7e4, 7e4)
    | st.builds(np.ldexp, st.integers(-(2**16), 2**16).map(float), st.integers(-180, 0))
)
def test_rounding_is_that_of_the_machine(value):
    with np.errstate(over="ignore", under="ignore"):
        for form in FORMATS:
            kind = ml_dtypes.bfloat16 if form == "bfloat16" else form
            given_value = np.float64(value).astype("f4" if form == "bfloat16" else "f8")
            shown = _formats.rounded(given_value.astype("f8"), _formats.FORMATS[form])
            assert shown == given_value.astype(kind).astype("f8")
    for name, form in _formats.FORMATS.items():
        limits = ml_dtypes.finfo(name)
        assert form.largest == limits.max
        assert 2.0**form.quantum == limits.smallest_subnormal


@each_format
@both_ways
@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000), (64, 10_000), (6, 0.5), (8, 100)])
def test_every_bit_is_correctly_rounded(form, cast_last, d_model, base):
    options = {"precision": form, "cast_last": cast_last, "base": base}
    shown = encode_low(POSITIONS, d_model, **options)
    exact = oracle.encode_low(POSITIONS, d_model, **options)
    assert np.array_equal(shown, exact.astype(np.float64))


def test_float64_cast_last_is_the_encoding_itself():
    rows = posenc.encode(POSITIONS, 64)
    assert np.array_equal(encode_low(POSITIONS, 64, precision="float64", cast_last=True), rows)
    assert precision_error(POSITIONS, 64, precision="float64", cast_last=True).max() == 0
    assert 0 < precision_error(range(10_000), 64, precision="float64").max() < 2e-12


def test_distinct_rows_are_as_many_as_the_format_holds_and_shapes_those_of_encode():
    for form, length, left in (("bfloat16", 512, 385), ("float16", 2049, 2049)):
        assert distinct_rows(range(length), 64, precision=form) == left
    for shape in ((), (2, 3), (0,)):
        positions = np.ones(shape)
        assert encode_low(positions, 4, precision="float16").shape == (*shape, 4)
        assert np.shape(precision_error(positions, 4, precision="float16")) == shape
    for positions, left in (([], 0), ([[0, 1], [1, 0]], 2), ([0.0, -0.0, 1e-20, 2e-20], 3)):
        assert distinct_rows(positions, 4, precision="float32") == left
    assert type(distinct_rows(3, 4, precision="float16")) is int


@pytest.mark.parametrize(
    ("form", "fits", "refused"),
    [("float16", 65519, 65520), ("bfloat16", 3.389e38, 3.4e38), ("float32", 3.4e38, 3.5e38)],
)
def test_a_position_beyond_the_format_is_refused(form, fits, refused):
    assert encode_low([0, fits], 4, precision=form).shape == (2, 4)
    got = re.escape(str(float(refused)))
    with pytest.raises(ValueError, match=rf"^positions must fit in {form} \(at .*\), got {got}$"):
        encode_low([0, refused], 4, precision=form)
    assert encode_low([0, refused], 4, precision=form, cast_last=True).shape == (2, 4)


BACKWARDS = posenc.Rotary(4, frequencies=[1, -60_000])


@pytest.mark.parametrize(
    ("positions", "of", "options", "message"),
    [
        (
            [1, -70_000, 80_000],
            4,
            {},
            r"positions must fit in float16 .* got -70000\.0",
        ),  # the first
        ([10_000], 4, {"base": 1e-2}, r"base must keep position \* frequency within float16"),
        ([], 4, {"base": 1e-12}, r".*float16, got position 0\.0 and frequency inf"),
        (1, posenc.Rotary(8), {"base": 100}, "base must be left out beside a Rotary, .* got 100$"),
        (2, BACKWARDS, {}, r"base must .* position 2\.0 and frequency 60000\.0$"),
    ],
)
def test_what_exceeds_the_format_is_refused(positions, of, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        encode_low(positions, of, precision="float16", **options)


@each_format
@both_ways
def test_the_error_is_the_largest_difference_and_a_rotary_is_rounded_as_the_encoding(
    form, cast_last
):
    options = {"precision": form, "cast_last": cast_last}
    low = encode_low(POSITIONS, 8, base=100, **options)
    apart = np.abs(low - posenc.encode(POSITIONS, 8, base=100)).max(axis=1)
    assert np.array_equal(precision_error(POSITIONS, 8, base=100, **options), apart)
    for of in (encode_low, precision_error, distinct_rows):
        shown = of(POSITIONS, posenc.Rotary(8, base=100), **options)
        assert np.array_equal(shown, of(POSITIONS, 8, base=100, **options))
    scaled = posenc.Rotary(8, base=100, scaling=posenc.rotary.Linear(4))
    divided = np.array(POSITIONS) / 4  # exact, and so is the division of a frequency
    assert np.array_equal(
        precision_error(POSITIONS, scaled, **options),
        precision_error(divided, 8, base=100, **options),
    )


# As a dtype, which NumPy has from ml_dtypes


def test_bfloat16_is_the_exact_value_rounded_once():
    exact = encode_low(np.arange(500), 64, precision="bfloat16", cast_last=True)
    for dtype in ("bfloat16", ml_dtypes.bfloat16):
        for found in (
            posenc.positional_encoding(500, 64, dtype=dtype),
            posenc.encode(np.arange(500), 64, dtype=dtype),
        ):
            assert found.dtype == ml_dtypes.bfloat16
            assert np.array_equal(found.astype(np.float64), exact)
    value = np.array(1 + 2**-8 + 2**-40)  # float32 would round it to the tie
    assert float(_formats.cast(value, np.dtype(ml_dtypes.bfloat16))) == 1 + 2**-7


def test_tables_in_bfloat16_are_converted_and_identified():
    halves = Convention(layout="halves", amplitude=3)
    table = halves.table(100, 16, dtype="bfloat16")
    there = posenc.convert(table, halves, Convention())
    assert there.dtype == ml_dtypes.bfloat16
    assert there.astype("f8") == pytest.approx(Convention().table(100, 16), abs=2**-7)
    assert posenc.identify(table).match.convention.layout == "halves"


def test_without_ml_dtypes_the_error_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(ValueError, match=r"^dtype must be .* ml_dtypes, which is not installed, "):
        posenc.encode(0, 4, dtype="bfloat16")
