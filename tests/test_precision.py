"""Low precision: every bit compared with another method, and the limits of each format."""

from __future__ import annotations

import re
import sys

import ml_dtypes
import numpy as np
import pytest

import posenc
from posenc import Convention, Rotary, _formats
from posenc.precision import distinct_rows, encode_low, precision_error
from tests import oracle

FORMATS = ("float16", "bfloat16", "float32")
POSITIONS = [0, 1, 2.5, 255, 256, 257, 511, 2049, 10_000, -3, 1e-3, 1e-7, 1e-20, -1e-20]

both_ways = pytest.mark.parametrize("cast_last", [False, True])


@pytest.mark.parametrize("form", FORMATS)
@both_ways
@pytest.mark.parametrize(("d_model", "base"), [(2, 10_000), (64, 10_000), (6, 0.5), (8, 100)])
def test_every_bit_is_correctly_rounded_and_errors_and_rows_follow(form, cast_last, d_model, base):
    options = {"precision": form, "cast_last": cast_last, "base": base}
    shown = encode_low(POSITIONS, d_model, **options)
    exact = oracle.encode_low(POSITIONS, d_model, **options)
    assert np.array_equal(shown, exact.astype(np.float64))
    apart = np.abs(shown - posenc.encode(POSITIONS, d_model, base=base)).max(axis=1)
    assert np.array_equal(precision_error(POSITIONS, d_model, **options), apart)
    rows = oracle.distinct_rows(POSITIONS, d_model, **options)
    assert distinct_rows(POSITIONS, d_model, **options) == rows
    of_a_rotary = encode_low(POSITIONS, Rotary(d_model, base=base), **{**options, "base": 10_000.0})
    assert np.array_equal(of_a_rotary, shown)


def test_float64_cast_last_is_the_encoding_itself():
    rows = posenc.encode(POSITIONS, 64)
    assert np.array_equal(encode_low(POSITIONS, 64, precision="float64", cast_last=True), rows)
    assert 0 < precision_error(range(10_000), 64, precision="float64").max() < 2e-12


@pytest.mark.parametrize("shape", [(), (2, 3), (0,)])
def test_shapes_are_those_of_encode(shape):
    assert encode_low(np.ones(shape), 4, precision="float16").shape == (*shape, 4)
    assert np.shape(precision_error(np.ones(shape), 4, precision="float16")) == shape


@both_ways
def test_a_scaling_divides_the_frequencies_before_they_are_rounded(cast_last):
    options = {"precision": "bfloat16", "cast_last": cast_last}
    scaled = Rotary(8, base=100, scaling=posenc.rotary.Linear(4))
    divided = np.array(POSITIONS) / 4  # exact, and so is the division of a frequency
    errors = precision_error(divided, Rotary(8, base=100), **options)
    assert np.array_equal(precision_error(POSITIONS, scaled, **options), errors)


@pytest.mark.parametrize(
    ("form", "fits", "refused"),
    [("float16", 65519, 65520), ("bfloat16", 3.389e38, 3.4e38), ("float32", 3.4e38, 3.5e38)],
)
def test_a_position_beyond_the_format_is_refused(form, fits, refused):
    assert encode_low([0, fits], 4, precision=form).shape == (2, 4)
    got = re.escape(str(float(refused)))
    with pytest.raises(ValueError, match=rf"^positions must fit in {form} \(at .*\), got {got}$"):
        encode_low([0, refused, 2 * refused], 4, precision=form)
    assert encode_low([0, refused], 4, precision=form, cast_last=True).shape == (2, 4)


BACKWARDS = Rotary(4, frequencies=[1, -60_000])
PHASE = r"base must keep position \* frequency within float16, got position"


@pytest.mark.parametrize(
    ("positions", "of", "options", "message"),
    [
        ([10_000], 4, {"base": 1e-2}, rf"{PHASE} 10000\.0 and frequency 10"),
        ([], 4, {"base": 1e-12}, rf"{PHASE} 0\.0 and frequency inf$"),
        (2, BACKWARDS, {}, rf"{PHASE} 2\.0 and frequency 60000\.0$"),
        (1, Rotary(8), {"base": 100}, "base must be left out beside a Rotary, .* got 100$"),
    ],
)
def test_a_phase_that_exceeds_the_format_is_refused(positions, of, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        encode_low(positions, of, precision="float16", **options)


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
    tiny = encode_low(1e-39, 2, precision="bfloat16", cast_last=True)[0]  # of fewer bits
    assert tiny == float(np.float32(1e-39).astype(ml_dtypes.bfloat16))
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
