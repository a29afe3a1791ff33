"""bfloat16 results and tables, where ml_dtypes gives NumPy that type."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import posenc
from posenc import Convention, convert, encode_low


@pytest.fixture
def bfloat16():
    return pytest.importorskip("ml_dtypes").bfloat16


@pytest.mark.parametrize("by_name", [True, False])
def test_bfloat16_is_the_exact_value_rounded_once(bfloat16, by_name):
    dtype = "bfloat16" if by_name else bfloat16
    exact = encode_low(np.arange(500), 64, precision="bfloat16", cast_last=True)
    for found in (
        posenc.positional_encoding(500, 64, dtype=dtype),
        posenc.encode(np.arange(500), 64, dtype=dtype),
        Convention().table(500, 64, dtype=dtype),
    ):
        assert found.dtype == bfloat16
        assert np.array_equal(found.astype(np.float64), exact)


def test_a_value_just_above_a_tie_is_not_rounded_twice(bfloat16):
    value = np.array(1 + 2**-8 + 2**-40)  # float32 would round it to the tie
    found = posenc._formats.cast(value, np.dtype(bfloat16))
    assert float(found) == 1 + 2**-7


def test_tables_in_bfloat16_are_converted_and_identified(bfloat16):
    halves = Convention(layout="halves", amplitude=3)
    table = halves.table(100, 16, dtype=bfloat16)
    there = convert(table, halves, Convention())
    assert there.dtype == bfloat16
    assert there.astype("f8") == pytest.approx(Convention().table(100, 16), abs=2**-7)
    assert posenc.identify(table).match.convention.layout == "halves"


def test_without_ml_dtypes_the_error_names_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(ValueError, match=r"^dtype must be .* ml_dtypes, which is not installed, "):
        posenc.encode(0, 4, dtype="bfloat16")
