"""Invalid arguments raise a TypeError or ValueError that names the argument and the value."""

from __future__ import annotations

import datetime
import inspect
import re
import warnings
from decimal import Context, Decimal, FloatOperation, Inexact, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import posenc
from tests import oracle

FORMULAS = sorted(function.__name__ for function in oracle.FUNCTIONS)
FITTING = {"d_model": 4, "length": 3, "start": 2, "positions": [0, 1], "offset": 1}
FITTING["precision"] = "float64"
PARAMETERS = {name: tuple(inspect.signature(getattr(posenc, name)).parameters) for name in FORMULAS}


def call(name: str, **given_arguments: Any) -> Any:
    """Call the public function `name`, with valid values for the remaining arguments."""
    fitting = {key: value for key, value in FITTING.items() if key in PARAMETERS[name]}
    return getattr(posenc, name)(**{**fitting, **given_arguments})


def outcome(name: str, arguments: dict[str, Any]) -> tuple[Any, Exception | None]:
    try:
        return call(name, **arguments), None
    except Exception as refusal:
        return None, refusal


NOT_NUMBERS = ["4", b"4", bytearray(b"4"), memoryview(b"4"), None, object, {}, {1: 2}, slice(4)]
WRONG_KINDS = {
    "d_model": (
        *(*NOT_NUMBERS, True, np.True_, 4.0, np.float64(4), 4j, np.nan, np.inf, np.longdouble(4)),
        *([], [4], np.array([4]), np.array(4.0), np.array(True), Decimal(4), Fraction(4), int),
        *(np.ma.masked, np.ma.array(4, mask=True)),
    ),
    "positions": (
        *(*NOT_NUMBERS[:2], *NOT_NUMBERS[4:], True, [True, False], 1j, [1j], [None], [1, "2"]),
        *(np.array(1, object), [[1], [1, 2]], np.longdouble(1), np.ones(2, np.longdouble)),
        *(
            2**70,
            [2**70],
            Decimal(1),
            Fraction(1),
            np.datetime64("2017"),
            datetime.date(2017, 6, 12),
        ),
    ),
    "base": (
        *(*NOT_NUMBERS, True, np.True_, np.array(True), 4j, np.complex128(4), [], [100]),
        *(np.array([1, 2]), np.array("5"), np.array(None), np.timedelta64(5, "s"), Decimal("sNaN")),
        *(np.array([100.0]), np.array([[100]]), np.ma.masked, np.ma.array(4.0, mask=True)),
    ),
    "dtype": (
        *(None, b"\xff", 1, 1.5, (), [("a",)], {"a": 1}, {"names": 1}, ("f8", -1)),
        np.array(1.0),
    ),
}
WRONG_KINDS["length"] = WRONG_KINDS["start"] = WRONG_KINDS["d_model"]
WRONG_KINDS["offset"] = WRONG_KINDS["positions"]
WRONG_KINDS["precision"] = (*NOT_NUMBERS[1:], 16, [], np.float16, np.dtype("f4"))
WRONG_KINDS["cast_last"] = (*NOT_NUMBERS, 0, 1, 1.0, [], [True], np.array(True), "last")
WRONG_VALUES: dict[str, dict[str, Any]] = {  # keyed by the text of the value in the message
    "d_model": {"0": 0, "3": 3, "-1": -1, "-2": -2, "5": np.int64(5), "7": np.array(7)},
    "length": {"-1": -1, "-3": np.int8(-3), "9007199254740993": 2**53 + 1},
    "start": {"-1": -1, "-3": np.int8(-3), "9007199254740993": 2**53 + 1},
    "positions": {
        **{"nan": np.nan, "inf": [0, np.inf], "-inf": np.float16("-inf")},
        **{"9007199254740993": 2**53 + 1, "-9007199254740993": [[0, -(2**53) - 1]]},
        **{"9223372036854775808": [2**63], "18446744073709551615": np.uint64(2**64 - 1)},
    },
    "offset": {"nan": np.nan, "-inf": np.float32("-inf"), "9007199254740993": 2**53 + 1},
    "base": {"0": 0, "-1": -1, "-0.0": -0.0, "nan": np.nan, "inf": np.inf, "10000000": 10**400},
    "dtype": {
        repr(value): value
        for value in (
            *(int, bool, complex, str, object, np.int64, np.complex64, np.longdouble, [], {}),
            *("x", "", "int8", "longdouble", "i4,,", "f8,f8", "a8", "é", np.dtype("i8")),
        )
    },
    "precision": {repr(value): value for value in ("float8", "float", "Float16", "")},
    "cast_last": {},
}
USES = [(name, argument) for name in FORMULAS for argument in PARAMETERS[name]]


@pytest.mark.parametrize(("name", "argument"), USES)
def test_a_wrong_kind_is_a_type_error_that_names_argument_and_value(name, argument):
    answers = [(value, *outcome(name, {argument: value})) for value in WRONG_KINDS[argument]]
    assert answers
    wrong = [
        (value, answer, refusal)
        for value, answer, refusal in answers
        if type(refusal) is not TypeError
        or not str(refusal).startswith(f"{argument} must ")
        or repr(value)[:12] not in str(refusal)
    ]
    assert not wrong, wrong


@pytest.mark.parametrize(("name", "argument"), [use for use in USES if WRONG_VALUES[use[1]]])
def test_a_wrong_value_is_a_value_error_that_names_argument_and_value(name, argument):
    values = WRONG_VALUES[argument].items()
    answers = [(text, *outcome(name, {argument: value})) for text, value in values]
    wrong = [
        (text, answer, refusal)
        for text, answer, refusal in answers
        if type(refusal) is not ValueError
        or not re.search(rf"\b{argument}\b.* must .*, got {re.escape(text)}", str(refusal))
    ]
    assert not wrong, wrong


def test_a_value_that_cannot_be_printed_is_still_refused_by_name():
    class Unprintable:
        def __repr__(self) -> str:
            raise RuntimeError("no repr")

    values = {"a huge number": 10**5000 + 1, "its negative": -(10**5000) - 1}
    values["an object"] = Unprintable()
    answers = [
        (name, argument, kind, outcome(name, {argument: value})[1])
        for name, argument in USES
        for kind, value in values.items()
    ]
    wrong = [
        (name, argument, kind, refusal)
        for name, argument, kind, refusal in answers
        if type(refusal) not in (TypeError, ValueError)
        or not re.search(rf"\b{argument}\b", str(refusal))
    ]
    assert not wrong, wrong


def test_a_message_stays_short_however_long_the_value():
    for value in ("x" * 10**6, ["x"] * 10**6, np.full((1000, 1000), "x"), [[1], [1] * 10**6]):
        for name, argument in USES:
            with pytest.raises((TypeError, ValueError)) as refusal:
                call(name, **{argument: value})
            assert len(str(refusal.value)) < 200


def test_shift_matrix_refuses_an_array_of_offsets():
    for offset in ([1], [[1, 2]], []):
        with pytest.raises(ValueError, match=r"^offset must be one number, got shape \("):
            posenc.shift_matrix(offset, 4)


@pytest.mark.parametrize("name", FORMULAS)
def test_a_base_whose_frequencies_exceed_float64_is_refused(name):
    with pytest.raises(ValueError, match=r"^base must keep every frequency .* got 5e-324$"):
        call(name, d_model=512, base=5e-324)


def test_a_base_whose_wavelengths_exceed_float64_is_refused():
    with pytest.raises(ValueError, match=r"^base must keep every wavelength .* got 1e\+308$"):
        posenc.wavelengths(4096, base=1e308)
    assert np.isfinite(posenc.frequencies(4096, base=1e308)).all()


@pytest.mark.parametrize(
    ("name", "argument"), [(name, key) for name, key in USES if key in ("positions", "offset")]
)
def test_a_phase_that_exceeds_float64_is_refused(name, argument):
    with pytest.raises(ValueError, match=r"^base must keep position \* frequency .* got .*e\+"):
        call(name, d_model=64, base=1e-50, **{argument: 1e300})


def test_positional_encoding_refuses_a_phase_that_exceeds_float64():
    with pytest.raises(ValueError, match=r"^base must keep position \* frequency "):
        posenc.positional_encoding(1, 4096, start=2**52, base=1e-307)


def test_integers_of_every_type_are_accepted():
    class Four:
        def __index__(self) -> int:
            return 4

    for four in (np.int8(4), np.uint64(4), np.array(4), Four()):
        for name in FORMULAS:
            assert np.array_equal(call(name, d_model=four), call(name, d_model=4))
        expected = posenc.positional_encoding(4, 4, start=4)
        assert np.array_equal(posenc.positional_encoding(four, four, start=four), expected)
    assert posenc.shift_matrix(1, np.uint8(200)).shape == (200, 200)


def test_real_numbers_of_every_type_are_accepted_as_base():
    expected = posenc.frequencies(6, base=100)
    for base in (100.0, np.float32(100), np.int64(100), np.array(100), Decimal(100), Fraction(100)):
        assert np.array_equal(posenc.frequencies(6, base=base), expected)


def test_real_numbers_of_every_type_are_accepted_as_positions():
    expected = posenc.encode([0, 1, 2], 6)
    for kind in "bBhHiIlLqQefd":
        assert np.array_equal(posenc.encode(np.arange(3).astype(kind), 6), expected)
    for positions in (range(3), (0, 1.0, 2), np.arange(3).astype(">i4"), np.arange(6)[::2] / 2):
        assert np.array_equal(posenc.encode(positions, 6), expected)


def test_the_callers_decimal_context_has_no_effect_and_is_not_changed():
    expected = [posenc.frequencies(6, base=1000 + i) for i in range(3)]
    for trap in (FloatOperation, Inexact):
        posenc._phase.exact_frequencies.cache_clear()
        with localcontext(Context(prec=3, traps=[trap])) as context:
            found = [posenc.frequencies(6, base=1000 + i) for i in range(3)]
            assert not any(context.flags.values())
        assert np.array_equal(found, expected)


def test_a_width_that_is_not_even_and_positive_is_refused_with_that_rule():
    for d_model, cure in ((0, ""), (-2, ""), (-3, ""), (3, ": posenc.Convention has odd widths")):
        rule = "d_model must be even and positive"
        with pytest.raises(ValueError, match=rf"^{rule}, got {d_model}{cure}$"):
            posenc.frequencies(d_model)


def test_no_positions_may_be_of_any_real_dtype():
    for dtype in (np.longdouble, np.float16, np.uint8, np.int64):
        assert posenc.encode(np.empty((0, 2), dtype), 4).shape == (0, 2, 4)
    for dtype in (bool, complex, object):
        with pytest.raises(TypeError, match=r"^positions must hold real numbers"):
            posenc.encode(np.empty(0, dtype), 4)


@pytest.mark.parametrize(
    ("positions", "first"),
    [
        ([1.0, np.inf, np.nan], "inf"),
        ([1, 2**53 + 1, 2**54], "9007199254740993"),
        (np.array([5, -(2**63), 2**60]), "-9223372036854775808"),
        (np.array([5, 2**64 - 1, 2**63], np.uint64), "18446744073709551615"),
    ],
)
def test_of_several_wrong_positions_the_first_is_named(positions, first):
    with pytest.raises(ValueError, match=rf"^positions .* got {first}$"):
        posenc.encode(positions, 4)


def test_the_largest_exact_integers_of_every_dtype_are_positions():
    for dtype in ("i1", "u1", "i2", "u2", "i4", "u4"):
        limits = np.iinfo(dtype)
        ends = np.array([limits.min, limits.max], dtype)
        assert np.array_equal(posenc.encode(ends, 4), posenc.encode(ends.astype(float), 4))
    exact = posenc.encode([2.0**53, -(2.0**53)], 4)
    assert np.array_equal(posenc.encode(np.array([2**53, -(2**53)]), 4), exact)
    assert np.array_equal(posenc.encode(np.array([2**53], np.uint64), 4), exact[:1])


def test_an_integer_too_long_for_a_text_is_shown_by_its_type():
    with pytest.raises(ValueError, match=r"^d_model must be at most 1048576, got .*\bint\b"):
        posenc.frequencies(10**5000 + 1)


def test_a_width_or_a_window_that_is_too_large_is_a_value_error():
    with pytest.raises(ValueError, match=r"^d_model must be at most 1048576, got 1048578$"):
        posenc.Convention().table(1, 2**20 + 2)
    with pytest.raises(ValueError, match=r"^trained must be at most 9007199254740992, got 1000"):
        posenc.relative.swin_coordinates(2, 2, trained=(10**400, 3))


@pytest.mark.parametrize("dtype", [">f2", ">f4", ">f8", ">i8"])
def test_positions_may_stand_in_either_order_of_bytes(dtype):
    positions = np.arange(5).astype(dtype)
    assert np.array_equal(posenc.encode(positions, 4), posenc.encode(np.arange(5), 4))
    turned = posenc.Rotary(4).rotate(np.ones((5, 4)), positions)
    assert np.array_equal(turned, posenc.Rotary(4).rotate(np.ones((5, 4)), np.arange(5)))


MASKED = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("positions", lambda: posenc.encode(MASKED, 4)),
        ("positions", lambda: posenc.encode(np.ma.masked, 4)),
        ("positions", lambda: posenc.Rotary(4).cosine_sine(MASKED[0])),
        ("x", lambda: posenc.Rotary(2).rotate(MASKED, [0, 1])),
        ("table", lambda: posenc.identify(MASKED)),
    ],
)
def test_masked_entries_are_refused(name, call):
    with pytest.raises(ValueError, match=rf"^{name} must have no masked entries, got "):
        call()


@pytest.mark.parametrize(
    "arguments", [{"base": np.array([100.0])}, {"base": np.ma.masked}, {"dtype": "a"}]
)
def test_a_refused_argument_gives_no_warning(arguments):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with pytest.raises((TypeError, ValueError), match=f"^{next(iter(arguments))} must be "):
            posenc.encode(1, 4, **arguments)
    assert caught == []


def test_a_masked_array_without_masked_entries_is_an_array():
    plain = MASKED[1]
    assert np.array_equal(posenc.encode(plain, 4), posenc.encode([3, 4], 4))


def test_numbers_too_small_for_a_format_become_zero_under_any_error_state():
    with np.errstate(all="raise"):
        table = posenc.positional_encoding(600, 512, dtype="float16")
        assert posenc.encode(1e-300, 4).tolist() == [1e-300, 1.0, 1e-302, 1.0]
        posenc.Rotary(128).rotate(np.ones((9, 128), np.float16), np.arange(9))
        for name, kind in posenc.CONVENTIONS.items():
            kind.table(60, 64 if name != "keras_ddim" else 32, dtype=np.float16)
    assert np.array_equal(table, posenc.positional_encoding(600, 512).astype(np.float16))


def torch_dtype(name):
    """An object as PyTorch's dtypes are."""
    return type("dtype", (), {"__module__": "torch", "__str__": lambda _: f"torch.{name}"})()


def test_a_dtype_of_pytorch_means_the_one_of_numpy_with_its_name():
    assert posenc.encode(1, 4, dtype=torch_dtype("float16")).dtype == np.float16
    with pytest.raises(ValueError, match=r"dtype must be .*, got 'int64'"):
        posenc.encode(1, 4, dtype=torch_dtype("int64"))
