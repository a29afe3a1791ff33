"""Conventions compared with libraries' outputs and with mpmath, and the options they refuse."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import posenc
from posenc import CONVENTIONS, Convention, convert
from tests.oracle import largest_error, mp
from tests.reference import ARRAYS, ONE_DIMENSIONAL, RECORDS, library, positions

CONVENTION = st.builds(
    Convention,
    arrangement=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1]),
    base=st.sampled_from([10_000.0, 500.0, 2500.0, 1e6, 0.05]),
    angle_scale=st.sampled_from([1.0, -1.0, 2.0, 0.01, 2 * np.pi]),
    offset=st.sampled_from([0, 1, -3, 2.5]),
    odd=st.sampled_from(["truncate", "pad", "ceil", "overflow"]),
    amplitude=st.sampled_from([1.0, 0.125, 3.0]),
)
WIDTH = st.integers(2, 20)


def exact(kind: Convention, position, d_model: int) -> list:
    """One row in mpmath, column by column, as the README of the data defines it."""
    odd = d_model % 2
    width = d_model + odd * {"pad": -1, "ceil": 1}.get(kind.odd, 0)
    divisor = mp.mpf(width) / 2 - kind.freq_shift
    half = (width + 1) // 2
    sines, cosines = [], []
    for k in range(half):
        exponent = -k / divisor if divisor else mp.zero
        angle = mp.mpf(position) * kind.angle_scale * mp.mpf(kind.base) ** exponent
        sines.append(kind.amplitude * mp.sin(angle))
        cosines.append(kind.amplitude * mp.cos(angle))
    first, second = (sines, cosines) if kind.order == "sin_first" else (cosines, sines)
    if kind.arrangement == "halves":
        row = first + second
    else:
        row = [value for pair in zip(first, second, strict=True) for value in pair]
    if odd and kind.odd == "pad":
        return [*row, mp.zero]
    return row if kind.odd == "overflow" else row[:d_model]


@given(CONVENTION, WIDTH, st.sampled_from([0, 1, -7, 0.3, 1000]))
def test_every_convention_follows_the_formula_to_the_last_digits(kind, d_model, position):
    found = kind.encode(position, d_model)
    expected = np.array(exact(kind, position, d_model), dtype=object)
    assert largest_error(found, expected) <= 1e-15 * max(1, kind.amplitude)


@given(CONVENTION, WIDTH, st.sampled_from([0, 1, 5, 250]))
def test_a_table_is_the_encoding_of_the_positions_from_offset_on(kind, d_model, length):
    expected = kind.encode(kind.offset + np.arange(length), d_model)
    found = kind.table(length, d_model)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max(initial=0) <= 2e-15 * kind.amplitude


def test_a_table_of_far_positions_is_exact():
    kind = Convention(arrangement="halves", freq_shift=1, offset=2**24, amplitude=0.5)
    expected = np.array(exact(kind, 2**24 + 399, 16), dtype=object)
    assert largest_error(kind.table(400, 16)[-1], expected) <= 1e-15


def test_the_default_is_the_papers_convention():
    for base in (10_000, 100):
        kind = Convention(base=base)
        assert np.array_equal(kind.encode([0, 0.5, 7], 6), posenc.encode([0, 0.5, 7], 6, base=base))
        assert np.array_equal(kind.frequencies(6), posenc.frequencies(6, base=base))


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
    assert np.abs(found - expected).max() <= 1e-6 if phase <= 16 else 1e-6 + phase * 2.0**-bits
    assert np.abs(found - expected).max() <= 1.01 * _stated(array) + 2e-16


def _stated(array: str) -> float:
    return float(RECORDS[array]["max_abs_error_vs_float64_options"])


def test_every_named_convention_has_the_options_of_a_recorded_run():
    assert set(CONVENTIONS) == {library(array) for array in ONE_DIMENSIONAL}
    assert list(CONVENTIONS) == sorted(CONVENTIONS)
    for array in ONE_DIMENSIONAL:
        options = dict(RECORDS[array]["options"])
        options.pop("zero_rows", None), options.pop("positions", None)
        assert CONVENTIONS[library(array)] == Convention(**options)
    with pytest.raises(TypeError):
        CONVENTIONS["mine"] = Convention()


def test_no_array_was_computed_in_half_precision():
    assert {array.dtype for array in ARRAYS.values()} == {np.dtype("f4"), np.dtype("f8")}


def test_a_single_pair_turns_by_one_radian_if_freq_shift_makes_the_denominator_zero():
    found = CONVENTIONS["tensor2tensor"].table(16, 2)
    assert np.abs(found - ARRAYS["t2t__L16_d2"]).max() < 1e-6


SPECIAL = {
    "espnet_pe_forward_of_ones__L16_d8": lambda: np.sqrt(8) + Convention().table(16, 8),
    "hf_llama_rope_cos__L16_d8": lambda: np.tile(Convention().table(16, 8)[:, 1::2], 2),
    "hf_llama_rope_sin__L16_d8": lambda: np.tile(Convention().table(16, 8)[:, 0::2], 2),
    "hf_rotate_half_of_arange8": lambda: np.array([-4, -5, -6, -7, 0, 1, 2, 3]),
    "hf_rotate_every_two_of_arange8": lambda: np.array([-1, 0, -3, 2, -5, 4, -7, 6]),
    "timm_freq_bands_16": lambda: Convention().frequencies(16),
    "timm_pixel_freq_bands_8_224": lambda: np.pi * np.linspace(1, 112, 8),
    "nerf_L10_xyz__N16_d63": lambda: nerf(ARRAYS["nerf_L10_xyz__N16_d63"][:, :3]),
    "hf_patchtsmixer__L16_d8": lambda: standardised(Convention().table(16, 8)),
    "t2t__L16_d2": lambda: CONVENTIONS["tensor2tensor"].table(16, 2),
}


def nerf(points: np.ndarray) -> np.ndarray:
    octaves = Convention(freq_shift=1, base=2.0**-9).encode(points, 20)  # (n, xyz, 20)
    return np.concatenate([points, octaves.swapaxes(1, 2).reshape(len(points), -1)], axis=1)


def standardised(table: np.ndarray) -> np.ndarray:
    return (table - table.mean()) / (10 * table.std(ddof=1))


@pytest.mark.parametrize("array", SPECIAL)
def test_arrays_built_from_the_encoding_are_reproduced(array):
    tolerance = {"nerf_L10_xyz__N16_d63": 512 * 2.0**-23, "timm_pixel_freq_bands_8_224": 1e-4}
    found = SPECIAL[array]()
    assert np.abs(found - ARRAYS[array]).max() <= tolerance.get(array, 1e-6)


@given(CONVENTION, CONVENTION, WIDTH)
def test_a_conversion_gives_the_targets_table_and_can_be_undone(source, target, d_model):
    target = dataclasses.replace(
        target,
        **{name: getattr(source, name) for name in ("base", "freq_shift", "offset", "odd")},
        angle_scale=source.angle_scale * (-1 if target.angle_scale < 0 else 1),
    )
    lone = d_model % 2 and source.odd != "pad"
    assume(not lone or source.order == target.order)
    assume(not (d_model % 2 and source.odd == "overflow"))
    table = source.table(9, d_model)
    there = convert(table, source, target)
    assert np.abs(there - target.table(9, d_model)).max() <= 1e-14
    assert np.abs(convert(there, target, source) - table).max() <= 1e-14


def test_a_conversion_keeps_the_dtype_and_the_bits():
    source, target = Convention(), Convention(arrangement="halves", order="cos_first")
    table = source.table(5, 8).astype(np.float32)[np.newaxis]
    there = convert(table, source, target)
    assert there.dtype == np.float32
    assert there.shape == table.shape
    assert np.array_equal(convert(there, target, source), table)


def test_a_conversion_between_frequencies_is_refused_with_the_largest_difference():
    source, target = Convention(), CONVENTIONS["tensor2tensor"]
    apart = posenc.frequencies(512) - 10_000.0 ** -(np.arange(256) / 255)
    i = np.abs(apart).argmax()
    with pytest.raises(ValueError, match=f"differ most by {apart[i]:.3g}, got .* at pair {i}$"):
        convert(np.zeros((3, 512)), source, target)


@pytest.mark.parametrize(
    ("source", "target", "message"),
    [
        (
            Convention(),
            Convention(offset=1),
            "must have the same offset, got 0.0 and 1.0: slice the table",
        ),
        (Convention(), "paper", "target must be a Convention, got 'paper'"),
        (None, Convention(), "source must be a Convention, got None"),
        (
            Convention(odd="truncate"),
            Convention(odd="truncate", order="cos_first"),
            "must hold every column of target, got none with the cosine of pair 3",
        ),
        (
            Convention(odd="pad"),
            Convention(odd="truncate", base=0.5),
            "must have as many pairs at width 7, got 3 and 4",
        ),
        (
            Convention(odd="overflow"),
            Convention(odd="overflow"),
            "as wide as source makes it: 8, got 7",
        ),
    ],
)
def test_an_impossible_conversion_is_refused(source, target, message):
    with pytest.raises((TypeError, ValueError), match=message):
        convert(np.zeros((2, 7 if "7" in message or "column" in message else 8)), source, target)


def test_convert_refuses_a_single_number():
    with pytest.raises(ValueError, match=r"^table must have columns, got the number 1\.0$"):
        convert(1.0, Convention(), Convention())


@pytest.mark.parametrize(
    ("option", "value", "error", "message"),
    [
        ("arrangement", "half", ValueError, "arrangement must be 'interleaved' or 'halves', got "),
        ("arrangement", 1, TypeError, "arrangement must be a string, got 1"),
        ("order", "cos", ValueError, "order must be 'sin_first' or 'cos_first', got 'cos'"),
        ("odd", "drop", ValueError, "odd must be 'error' or .* or 'overflow', got 'drop'"),
        ("freq_shift", 2, ValueError, "freq_shift must be 0 or 1, got 2"),
        ("freq_shift", -1, ValueError, "freq_shift must be at least 0, got -1"),
        ("freq_shift", 1.0, TypeError, r"freq_shift must be an integer, got 1\.0"),
        ("base", 0, ValueError, "base must be finite and greater than 0, got 0"),
        ("base", "1", TypeError, "base must be a real number, got '1'"),
        ("angle_scale", 0, ValueError, "angle_scale must be finite and not 0, got 0"),
        ("angle_scale", np.inf, ValueError, "angle_scale must be finite and not 0, got inf"),
        ("offset", np.nan, ValueError, "offset must be finite, got nan"),
        ("offset", None, TypeError, "offset must be a real number, got None"),
        ("amplitude", -1, ValueError, "amplitude must be finite and greater than 0, got -1"),
    ],
)
def test_an_invalid_option_is_refused_by_name(option, value, error, message):
    with pytest.raises(error, match=f"^{message}"):
        Convention(**{option: value})


def test_a_width_that_the_convention_does_not_allow_is_refused():
    for d_model in (1, 0, -2):
        with pytest.raises(ValueError, match=rf"^d_model must be at least 2, got {d_model}$"):
            Convention(odd="pad").encode(0, d_model)
    with pytest.raises(ValueError, match=r"^d_model must be even where odd is 'error', got 7$"):
        Convention().frequencies(7)
    with pytest.raises(TypeError, match=r"^d_model must be an integer, got 4\.0$"):
        Convention().columns(4.0)
    with pytest.raises(ValueError, match=r"^length must be at least 0, got -1$"):
        Convention().table(-1, 4)
    with pytest.raises(ValueError, match=r"^base must keep every .* and angle_scale 1e\+300$"):
        Convention(base=1e-300, angle_scale=1e300).encode(0, 8)
    with pytest.raises(ValueError, match=r"^base must keep position \* frequency "):
        Convention(angle_scale=-1e300).encode(1e10, 8)


def test_an_option_is_kept_as_a_plain_number_so_that_equal_conventions_are_equal():
    kind = Convention(base=np.float32(500), offset=np.int64(2), freq_shift=np.int8(1))
    assert kind == Convention(base=500, offset=2, freq_shift=1)
    assert hash(kind) == hash(Convention(base=500, offset=2, freq_shift=1))
    assert [type(value) for value in (kind.base, kind.offset, kind.freq_shift)] == [
        *(float, float, int)
    ]
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind.base = 3


def test_the_caller_may_write_into_results():
    for array in (Convention().table(3, 4), Convention().columns(4), Convention().frequencies(4)):
        before = array.copy()
        array += 1
        assert not np.array_equal(array, before)
    assert np.array_equal(Convention().columns(4), range(4))
