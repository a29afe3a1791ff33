"""Conventions compared with libraries' outputs and with balls, and the options they refuse."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import posenc
from posenc import CONVENTIONS, Convention, Grid, convert
from tests import balls
from tests.balls import ball
from tests.examples import examples
from tests.library_formulas import FORMULAS, diffusers
from tests.oracle import largest_error
from tests.reference import ARRAYS, ONE_DIMENSIONAL, RECORDS, library, options, positions

CONVENTION = st.builds(
    Convention,
    layout=st.sampled_from(["interleaved", "halves"]),
    order=st.sampled_from(["sin_first", "cos_first"]),
    freq_shift=st.sampled_from([0, 1]),
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
    divisor = ball(width) / 2 - kind.freq_shift
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
    assert largest_error(found, expected) <= 1e-15 * max(1, kind.amplitude)


@given(CONVENTION, WIDTH, st.sampled_from([0, 1, 5, 250]))
def test_a_table_is_the_encoding_of_the_positions_from_start_on(kind, d_model, length):
    expected = kind.encode(kind.start + np.arange(length), d_model)
    found = kind.table(length, d_model)
    assert found.shape == expected.shape
    assert np.abs(found - expected).max(initial=0) <= 2e-15 * kind.amplitude


def test_a_table_of_far_positions_is_exact():
    kind = Convention(layout="halves", freq_shift=1, start=2**24, amplitude=0.5)
    expected = np.array(exact(kind, 2**24 + 399, 16), dtype=object)
    assert largest_error(kind.table(400, 16)[-1], expected) <= 1e-15


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
    assert np.abs(found - expected).max() <= 1.01 * _stated(array) + 2e-16


def _stated(array: str) -> float:
    return float(RECORDS[array]["max_abs_error_vs_float64_options"])


def test_every_named_convention_has_the_options_of_a_recorded_run():
    assert set(CONVENTIONS) == {library(array) for array in ONE_DIMENSIONAL}
    assert list(CONVENTIONS) == sorted(CONVENTIONS)
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


def test_no_array_was_computed_in_half_precision():
    assert {array.dtype for array in ARRAYS.values()} == {np.dtype("f4"), np.dtype("f8")}


@pytest.mark.parametrize("turns", [1 / 5, 1 / 7, 1 / 9])
def test_no_value_exceeds_1_where_pairs_come_back_to_where_they_began(turns):
    table = Convention(angle_scale=2 * np.pi * turns).table(1000, 4)
    assert np.abs(table).max() == 1


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
        **{name: getattr(source, name) for name in ("base", "freq_shift", "start", "odd")},
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
    source, target = Convention(), Convention(layout="halves", order="cos_first")
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
            Convention(start=1),
            "must have the same start, got 0.0 and 1.0: slice the table",
        ),
        (Convention(), "paper", "target must be a Convention or a Grid, got 'paper'"),
        (None, Convention(), "source must be a Convention or a Grid, got None"),
        (
            Convention(odd="truncate"),
            Convention(odd="truncate", order="cos_first"),
            "must hold every column of target, got none with the cosine of pair 3",
        ),
        (
            Convention(odd="pad"),
            Convention(odd="truncate", base=0.5),
            "must have the same number of pairs at width 7, got 3 and 4",
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
    with pytest.raises(ValueError, match=r"^table must have at least 2 columns, got shape \(\)$"):
        convert(1.0, Convention(), Convention())


LARGE = Convention(amplitude=1e300)


def test_convert_refuses_numbers_that_would_be_infinite_or_lost():
    rule = "^source and target must have amplitudes with a ratio within float64, got "
    for source, target in [
        (Convention(amplitude=1e-300), LARGE),
        (LARGE, Convention(amplitude=1e-300)),
    ]:
        with pytest.raises(ValueError, match=f"{rule}.* at width 2$"):
            convert(np.ones((2, 2)), source, target)
    for dtype in (np.float16, np.float32):
        message = (
            f"^target must keep table within {np.dtype(dtype).name}, got amplitudes in the ratio"
        )
        with pytest.raises(ValueError, match=message):
            convert(np.ones((2, 2), dtype), Convention(), LARGE)
    with pytest.raises(ValueError, match=r"^target must keep table within float64, .* 1e\+300$"):
        convert(np.full((2, 2), 1e10), Convention(), LARGE)
    assert convert(np.ones((2, 2)), Convention(), LARGE).max() == 1e300


@pytest.mark.parametrize("dtype", ["float16", "float32", "bfloat16"])
def test_a_dtype_that_cannot_hold_the_amplitude_is_refused(dtype):
    if dtype == "bfloat16":
        pytest.importorskip("ml_dtypes")
    grid = Grid(axis=Convention(layout="halves", amplitude=1e300))
    for made in (LARGE.table, lambda *_, **given: LARGE.encode([1, 2], 4, **given)):
        with pytest.raises(
            ValueError, match=rf"^dtype must hold the amplitude 1e\+300, got {dtype}$"
        ):
            made(2, 4, dtype=dtype)
    with pytest.raises(ValueError, match=rf"^dtype must hold the amplitude 1e\+300, got {dtype}$"):
        grid.table((1, 2), 4, dtype=dtype)
    assert np.isfinite(Convention(amplitude=65504).table(2, 4, dtype=dtype)).all()


@pytest.mark.parametrize(
    ("option", "value", "error", "message"),
    [
        ("layout", "half", ValueError, "layout must be 'interleaved' or 'halves', got "),
        ("layout", 1, TypeError, "layout must be a string, got 1"),
        ("order", "cos", ValueError, "order must be 'sin_first' or 'cos_first', got 'cos'"),
        ("odd", "drop", ValueError, "odd must be 'error' or .* or 'overflow', got 'drop'"),
        ("freq_shift", np.inf, ValueError, "freq_shift must be finite, got inf"),
        ("freq_shift", True, TypeError, "freq_shift must be a real number, got True"),
        ("base", 0, ValueError, "base must be finite and greater than 0, got 0"),
        ("base", "1", TypeError, "base must be a real number, got '1'"),
        ("angle_scale", 0, ValueError, "angle_scale must be finite and not 0, got 0"),
        ("angle_scale", np.inf, ValueError, "angle_scale must be finite and not 0, got inf"),
        ("start", np.nan, ValueError, "start must be finite, got nan"),
        ("start", None, TypeError, "start must be a real number, got None"),
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
    with pytest.raises(ValueError, match=r"^base and angle_scale must .* got 1e-300 and 1e\+300$"):
        Convention(base=1e-300, angle_scale=1e300).encode(0, 8)
    with pytest.raises(ValueError, match=r"^base and angle_scale must keep position \* frequency "):
        Convention(angle_scale=-1e300).encode(1e10, 8)


def test_an_option_is_kept_as_a_plain_number_so_that_equal_conventions_are_equal():
    kind = Convention(base=np.float32(500), start=np.int64(2), freq_shift=np.int8(1))
    assert kind == Convention(base=500, start=2, freq_shift=1)
    assert hash(kind) == hash(Convention(base=500, start=2, freq_shift=1))
    assert {type(value) for value in (kind.base, kind.start, kind.freq_shift)} == {float}
    with pytest.raises(dataclasses.FrozenInstanceError):
        kind.base = 3


def test_a_column_of_zeros_has_a_code_below_0():
    assert Convention(odd="pad").columns(5).tolist() == [0, 1, 2, 3, -1]
    assert Convention(odd="overflow").columns(5).tolist() == [0, 1, 2, 3, 4, 5]


def test_what_all_calls_share_cannot_be_written_to():
    kind = Convention(base=123.0)
    for shared in (kind._codes(8), kind._frequencies(8).high, kind._frequencies(8).low):
        with pytest.raises(ValueError, match="read-only"):
            shared[0] = 7


def test_the_caller_may_write_into_results():
    for array in (Convention().table(3, 4), Convention().columns(4), Convention().frequencies(4)):
        before = array.copy()
        array += 1
        assert not np.array_equal(array, before)
    assert np.array_equal(Convention().columns(4), range(4))


@pytest.mark.parametrize("d_model", [4, 12, 30, 64])
def test_every_named_convention_follows_the_librarys_formula_at_a_width(d_model):
    off = {}
    for name, kind in CONVENTIONS.items():
        expected = FORMULAS[name](np.arange(9.0), d_model)
        fastest = max(1.0, np.abs(kind.frequencies(d_model)).max())
        apart = np.abs(kind.table(9, d_model) - expected).max() / fastest
        if not apart <= 1e-14:
            off[name] = apart
    assert CONVENTIONS
    assert not off, off


def test_any_freq_shift_is_that_of_diffusers():
    for shift in (0.5, 2.0, -1.25):
        kind = Convention(layout="halves", freq_shift=shift)
        expected = diffusers(np.arange(20.0), 16, shift=shift)
        assert np.abs(kind.table(20, 16) - expected).max() <= 1e-13
    with pytest.raises(ValueError, match=r"^freq_shift must not be half the width 16, got 8\.0$"):
        Convention(freq_shift=8).table(2, 16)
    with pytest.raises(ValueError, match=r"^freq_shift must not be half the width 4, got 2\.0$"):
        Convention(freq_shift=2).table(2, 4)
    assert np.array_equal(Convention(freq_shift=1).frequencies(2), [1.0])


def test_an_amplitude_may_depend_on_the_width():
    kind = Convention(amplitude=3, amplitude_power=0.5)
    for d_model in (4, 16, 64):
        expected = 3 * d_model**0.5 * Convention().table(4, d_model)
        assert np.abs(kind.table(4, d_model) - expected).max() <= 1e-15 * d_model
    for power in (1e4, -1e4):
        with pytest.raises(ValueError, match=rf"^amplitude_power must keep .* got {power} at "):
            Convention(amplitude_power=power).encode(0, 64)


@examples(50)
@given(CONVENTION, WIDTH, st.integers(-300, 300), st.sampled_from(["f2", "f4", "f8"]))
def test_a_row_of_a_table_has_the_same_bits_at_every_start(kind, d_model, start, dtype):
    table = kind.table(400, d_model, start=start, dtype=dtype)
    assert table.dtype == dtype
    part = kind.table(100, d_model, start=start + 123, dtype=dtype)
    assert part.tobytes() == table[123:223].tobytes()
    exact = kind.table(400, d_model, start=start)
    assert np.array_equal(table, exact.astype(dtype))
    assert np.array_equal(
        kind.encode([start, 0.3], d_model, dtype=dtype).astype("f8"),
        kind.encode([start, 0.3], d_model).astype(dtype).astype("f8"),
    )


def test_the_given_start_replaces_the_conventions():
    kind = Convention(start=7, layout="halves")
    assert np.array_equal(kind.table(5, 8), Convention(layout="halves").table(5, 8, start=7))
    assert np.array_equal(kind.table(5, 8, start=0)[0], [0, 0, 0, 0, 1, 1, 1, 1])
    assert np.array_equal(kind.table(5, 8, start=0.5), kind.encode(np.arange(5) + 0.5, 8))
    for start, name in ((2**53, r"start \+ length"), (-(2**53) - 2, "start"), (1e300, "start")):
        with pytest.raises(ValueError, match=rf"^{name} must lie within ±2\*\*53, got"):
            kind.table(3, 8, start=start)
    with pytest.raises(ValueError, match=r"^start must be finite, got nan$"):
        kind.table(3, 8, start=np.nan)


def whole(kind: Convention, d_model: int) -> bool:
    """Whether every sine has its cosine."""
    return d_model % 2 == 0 or kind.odd in ("pad", "overflow")


@given(CONVENTION, WIDTH, st.sampled_from([0, 1, -5, 2.5, 300]))
def test_shift_matrix_similarity_and_distance_hold_for_every_convention(kind, d_model, offset):
    if not whole(kind, d_model):
        message = rf"^d_model must be even where odd is '{kind.odd}': .* got {d_model}$"
        for method in (kind.shift_matrix, kind.similarity, kind.distance):
            with pytest.raises(ValueError, match=message):
                method(offset, d_model)
        return
    here, there = kind.encode([40.5, 40.5 + offset], d_model)
    scale = 1e-12 * kind.amplitude**2 * d_model
    matrix = kind.shift_matrix(offset, d_model)
    assert np.abs(matrix @ here - there).max() <= scale
    assert np.abs(matrix @ matrix.T - np.eye(len(here))).max() <= 1e-15
    assert abs(kind.similarity(offset, d_model) - here @ there) <= scale
    assert abs(kind.distance(offset, d_model) - np.linalg.norm(here - there)) <= scale
    assert kind.distance([[offset]], d_model).shape == (1, 1)


@given(CONVENTION, WIDTH)
def test_wavelengths_are_positions_per_turn(kind, d_model):
    turns = kind.wavelengths(d_model) * np.abs(kind.frequencies(d_model))
    assert turns == pytest.approx(2 * np.pi, rel=1e-15)


def test_the_papers_functions_are_shorthand_for_the_default_convention():
    kind, base = Convention(base=100), {"base": 100}
    for function, method, arguments in (
        (posenc.frequencies, kind.frequencies, (8,)),
        (posenc.wavelengths, kind.wavelengths, (8,)),
        (posenc.encode, kind.encode, ([0.5, 3], 8)),
        (posenc.positional_encoding, kind.table, (200, 8)),
        (posenc.shift_matrix, kind.shift_matrix, (3, 8)),
        (posenc.similarity, kind.similarity, ([1, 2], 8)),
        (posenc.distance, kind.distance, ([1, 2], 8)),
    ):
        assert np.array_equal(function(*arguments, **base), method(*arguments))
        usual = getattr(Convention(), method.__name__)
        assert np.array_equal(function(*arguments), usual(*arguments))


def test_a_search_finds_each_name_by_its_words_in_any_order_and_spelling():
    for name in CONVENTIONS:
        assert name in posenc.conventions_like(" ".join(reversed(name.split("_"))).upper())
    found = ["openai_whisper", "transformers_whisper"]
    assert (
        list(posenc.conventions_like("wisper")) == list(posenc.conventions_like("Whisper")) == found
    )
    assert list(posenc.conventions_like("hf whisper")) == found[1:]


def test_a_name_that_is_not_there_gets_an_error_with_those_that_come_nearest():
    with pytest.raises(KeyError, match="'whisper': perhaps 'openai_whisper', 'transformers_whisp"):
        _ = CONVENTIONS["whisper"]
    with pytest.raises(KeyError, match="no library is named 'zzz'\""):
        _ = CONVENTIONS["zzz"]
    with pytest.raises(KeyError, match="'DETR': perhaps 'detr', 'detr_normalized'"):
        _ = posenc.GRIDS["DETR"]
    with pytest.raises(ValueError, match="words must be in a name of CONVENTIONS, got 'zzz'"):
        posenc.conventions_like("zzz")
    with pytest.raises(TypeError, match="words must be a string, got 3"):
        posenc.conventions_like(3)
