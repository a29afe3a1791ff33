"""Any value in the place of any argument: each public function answers, or names the argument."""

from __future__ import annotations

import dataclasses
import datetime
import inspect
import re
import sys
from decimal import Context, Decimal, FloatOperation, Inexact, localcontext
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import posenc
from posenc import Convention, Grid, Rotary, RotaryCache, _memory, relative, rotary
from posenc.rotary import axes, positions
from posenc.rotary.positions import Patches, mrope
from tests.examples import examples

ANSWERS = {"AxialCache", "Finding", "Identification", "Match", "NearMiss", "Plan", "Ported"}
ANSWERS |= {"Verdict"}
TEXTS = {"original_max_position_embeddings": 4096}
INSTANCES = [
    *(Convention(), Grid(), Rotary(8, base=777.1), RotaryCache(rotary=Rotary(8)), axes.pixtral(8)),
    Rotary(8, scaling=rotary.YaRN(4.5, **TEXTS)),
    Rotary(8, scaling=rotary.DynamicNTK(2.0, max_position_embeddings=4)),
    Rotary(8, scaling=rotary.Llama3(8.5)),
    Rotary(8, scaling=rotary.LongRoPE([1.5] * 4, [2.5] * 4, factor=3.0, **TEXTS)),
    *(rotary.Plan.from_dict({"model_type": "llama"}), rotary.Engine(turn="queries")),
]
FITTING = {
    **{"d_model": 8, "head_dim": 8, "width": 6, "height": 2, "length": 3, "shape": (2, 3)},
    **{"positions": [0, 1, 2], "coordinates": [0, 1], "offset": 1, "steps": [1, 2], "start": 2},
    **{"table": posenc.positional_encoding(5, 8), "x": np.ones((3, 8)), "precision": "bfloat16"},
    **{"source": Convention(), "target": Convention(layout="halves"), "heads": 2},
    **{"factor": 2.0, "rotary": Rotary(8), "dims": (4, 4), "pairs": (2, 2), "max_freq": 10.0},
    **{"axes": (0, 0, 1, 1)},
    **{"config": {"model_type": "llama", "head_dim": 8, "num_attention_heads": 1}, "version": 5},
    **{"words": "whisper", "state_dict": {"q_proj.weight": np.ones(8)}},
    **{"original_max_position_embeddings": 4, "max_position_embeddings": 8},
    **{"frequencies": (1.0, 0.5, 0.25, 0.125), "texts": [[2, 3]], "lengths": [2, 3], "rank": 0},
    **{"frames": 2, "rows": 2, "columns": 4, "text": 3, "ranks": 2, "images": [(2, 4)]},
    **{"function": Rotary(8).rotate, "what": Rotary(8)},
    **{"short_factor": (1.0,) * 4, "long_factor": (2.0,) * 4, "partial_rotary_factor": 0.5},
}
OWN = {  # where a name of FITTING means something else
    "rotary_row_order": {"source": "interleaved", "target": "halves"},
    "port_weights": {"source": "interleaved", "target": "halves"},
    "Rotary": {"frequencies": None},
    "context_parallel": {"length": 8},
    "AxialRotary": {"axes": (0, 0, 1, 1)},
    "Grid": {"axes": "xy"},
    "Engine": {"table": "queries", "source": "read"},
    "AxialRotary.rotate": {"positions": [[0, 0], [0, 1], [0, 2]], "coordinates": -1},
    "AxialRotary.phasors": {"positions": [[0, 0], [0, 1]], "coordinates": -1},
    "AxialRotary.cosine_sine": {"positions": [[0, 0], [0, 1]], "coordinates": -1},
}


def functions():
    """The public functions, classes and methods by their names."""
    for module in (posenc, rotary, axes, positions, relative):
        for name in module.__all__:
            found = getattr(module, name)
            if callable(found) and name not in ANSWERS:
                yield name, found
    for instance in INSTANCES:
        for name, found in inspect.getmembers(instance, callable):
            if not name.startswith("_") and name != "from_file":  # it reads paths
                yield f"{type(instance).__name__}.{name}", found


FUNCTIONS = [(name, found) for name, found in functions() if inspect.signature(found).parameters]
SIZES = {  # a large one asks for a large array
    *("d_model", "head_dim", "width", "height", "length", "shape", "heads", "dims", "pairs"),
    *("rotary_dim", "buckets", "max_distance", "class_rows", "frames", "rows", "columns", "text"),
    "ranks",
}
INTEGERS = SIZES - {"shape", "dims", "pairs"}
PARTS = {  # what a message may name
    "shape": ("shape", "height", "width"),
    "table": ("table", "d_model"),
    "ranks": ("ranks", "length"),
}


def fitting(name: str, function: Any) -> dict[str, Any]:
    """An argument for each parameter of `function`: its default if FITTING has none."""
    given_here = {**FITTING, **OWN.get(name, {})}
    return {
        key: given_here.get(key, parameter.default)
        for key, parameter in inspect.signature(function).parameters.items()
        if key in given_here or parameter.default is not inspect.Parameter.empty
    }


class Index:
    """An integer that has nothing but `__index__`."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


class Nameless:
    """An object that has no text."""

    def __repr__(self):
        raise RuntimeError


class Broken:
    """An object that promises an array and has none."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array here")


MASKED = np.ma.array([[1.0, 2.0], [3.0, 4.0]], mask=[[0, 1], [0, 0]])
ENDLESS = ["x" * 10**5, ["x"] * 10**4, np.full((10, 1000), "x"), [[1], [1] * 10**4], Nameless()]
NO_NUMBERS = [None, "4", b"4", object, {1: 2}, 4j, [None], [1, "2"], [[1], [1, 2]], *ENDLESS]
NO_NUMBERS += [np.ma.masked, np.timedelta64(5, "s"), datetime.date(2017, 6, 12)]
NO_SCALARS = [*NO_NUMBERS, np.array(True), [], [4], np.array([4]), np.ma.array(4, mask=True)]
NO_SCALARS += [np.array("5"), np.eye(3), np.nan, np.inf, -np.inf, 10**400, 10**5000, -(10**5000)]
WRONG = {  # by the kind of the argument
    "real": [*NO_SCALARS, True, np.True_, np.complex128(4), Decimal("sNaN")],
    "integer": [
        *(*NO_SCALARS, True, np.True_, 4.0, np.array(4.0), np.longdouble(4)),
        *(Decimal(4), Fraction(4), 2**53 + 1, -(2**60)),
    ],
    "flag": [*NO_SCALARS, 0, 1, "last"],
    "choice": [*NO_SCALARS, True, np.float16, "", "Float16"],
    "numbers": [
        *(*NO_NUMBERS, True, [True, False], 1j, MASKED, MASKED[0], np.array(1, object), Broken()),
        *(np.ones(2, np.longdouble), Decimal(1), [2**70], np.nan, [0, np.inf], np.float16("-inf")),
        *(2**53 + 1, [[0, -(2**53) - 1]], [2**63], np.uint64(2**64 - 1)),
    ],
    "dtype": [
        *(None, b"\xff", 1, (), [("a",)], {"names": 1}, ("f8", -1), np.array(1.0), int, object),
        *(np.longdouble, [], "x", "int8", "i4,,", "a8", "é", np.dtype("i8"), *ENDLESS),
    ],
    "array": [None, "a", object, Broken(), MASKED, [[1.0], [2.0, 3.0]]],
    "list": [None, "01", b"01", 1.0, {1: 2}, object(), [1.0, "a"], [1.0, np.inf], *ENDLESS[:3]],
    "object": [None, "mae", 3, {}, *ENDLESS],
}
pytestmark = pytest.mark.filterwarnings("ignore:length must be given")
SMALL = st.integers(-300, 300)
SCALARS = st.one_of(st.none(), st.booleans(), SMALL, st.floats(), st.text(max_size=5))
KNOWN = [value for values in WRONG.values() for value in values]
# Hypothesis prints a strategy when it rejects a draw; some of these values cannot be printed.
KNOWN_BY_INDEX = st.integers(0, len(KNOWN) - 1).map(lambda index: KNOWN[index])
JUNK = st.one_of(
    *(SCALARS, st.lists(SCALARS | st.lists(SCALARS, max_size=3), max_size=3)),
    *(KNOWN_BY_INDEX, st.dictionaries(SMALL, SCALARS, max_size=2), st.just(iter(()))),
    arrays.arrays(arrays.scalar_dtypes(), arrays.array_shapes(max_dims=3, min_side=0, max_side=3)),
)
HUGE = st.one_of(st.integers(), st.lists(st.integers(), max_size=3))
SIZE = JUNK.map(lambda value: value % 24 if type(value) is int else value)


@examples(1000)
@given(st.data(), st.sampled_from(FUNCTIONS))
def test_any_argument_gives_an_answer_or_an_error_that_names_it(data, function):
    name, called = function
    right = fitting(name, called)
    chosen = data.draw(st.sets(st.sampled_from(sorted(right)), min_size=1, max_size=2))
    junk = {key: data.draw(SIZE if key in SIZES else JUNK | HUGE) for key in sorted(chosen)}
    try:
        answer = called(**{**right, **junk})
    except (TypeError, ValueError) as refusal:
        message = str(refusal)
        named = {name for key in chosen for name in PARTS.get(key, (key,))}
        assert named & set(re.findall(r"\w+", message)), message
        assert len(message.splitlines()) == 1
        assert len(message) < 400
    except OSError:  # a config may be the path of a file
        assert "config" in chosen
    else:
        for part in answer if isinstance(answer, tuple) else [answer]:
            assert not isinstance(part, np.ndarray) or np.isfinite(part).all()


OTHERS = {"check.positions", "check.shape", "AxialRotary._exact", "Engine.source"}  # or unused
SPANS = ("sections", "check", "RotaryCache.at", "Rotary.", "Plan.")  # of texts, as real numbers


def kind(name: str, key: str, value: Any) -> str:
    """The kind of an argument, which may have this value; an empty text if it is of none."""
    if f"{name}.{key}" in OTHERS or (key == "coordinates" and value == -1):
        return ""
    if key in ("positions", "offset", "steps", "coordinates"):
        return "numbers"
    of_a_text = (key == "length" and name.startswith(SPANS)) or key.endswith("position_embeddings")
    if of_a_text or (key == "start" and name != "positional_encoding"):
        return "real"
    kinds = {bool: "flag", int: "integer", float: "real", str: "choice", np.ndarray: "array"}
    kinds |= {type: "dtype", tuple: "list", Convention: "object", Rotary: "object"}
    return "integer" if key == "rotary_dim" else kinds.get(type(value), "")


USES = {
    f"{name}.{key}": (function, key, found, right)
    for name, function in FUNCTIONS
    for right in [fitting(name, function)]
    for key, value in right.items()
    if key not in ("words", "keep", "what") and (found := kind(name, key, value))
}


def answered(use: str, value: Any) -> Exception | None:
    """What a function raises for this value of an argument; None if it answers."""
    function, argument, _, right = USES[use]
    try:
        function(**{**right, argument: value})
    except (TypeError, ValueError) as error:
        return error
    return None


VALUES = {"integer": int, "real": (int, float), "choice": str, "flag": ()}  # of the right type


def is_clear(refusal: Exception | None, use: str, value: Any) -> bool:
    """Whether an error has the right type, and names argument, rule and value in one line."""
    _, argument, found, _ = USES[use]
    names, message = PARTS.get(argument, (argument,)), str(refusal)
    rule = re.search(rf"\b({'|'.join(names)})\b.* must .*got .*$", message) and len(message) < 300
    fits = type(value) is not bool and isinstance(value, VALUES.get(found, ()))
    kind = type(refusal) is (ValueError if fits else TypeError) or found not in VALUES
    printed = found in ("numbers", "array", "list") or type(value) in (int, Nameless, np.ndarray)
    return bool(rule and kind and (printed or repr(value)[:12] in message))


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_kind_or_value_is_an_error_that_names_argument_and_value(kind):
    for use in (use for use in USES if USES[use][2] == kind):
        function, argument, *_ = USES[use]
        optional = inspect.signature(function).parameters[argument].default is None
        for number, value in enumerate(WRONG[kind][optional:]):  # None comes first
            refusal = answered(use, value)
            assert is_clear(refusal, use, value), (use, number, refusal)


evens, fours, sixes = (range(step, 10**9, step).__contains__ for step in (2, 4, 6))
from_zero, from_one, from_two, from_eight = (
    range(least, 10**9).__contains__ for least in (0, 1, 2, 8)
)
TAKEN = {  # the numbers that an argument takes, if it does not take all above zero
    **{"d_model": evens, "head_dim": evens, "rotary_dim": {2, 4, 6, 8}.__contains__},
    **dict.fromkeys(("length", "positional_encoding.start", "class_rows", "text"), from_zero),
    **dict.fromkeys(("grid_encoding.height", "grid_encoding.width"), from_zero),
    **dict.fromkeys(("swin_coordinates.height", "swin_coordinates.width"), from_two),
    **dict.fromkeys([f"Grid.{of}.d_model" for of in ("columns", "encode", "points")], fours),
    **{f"{of}.head_dim": fours for of in ("alternate", "dinov3", "pixels", "pixtral")},
    **dict.fromkeys(("Grid.table.d_model", "grid_encoding.d_model", "t5_buckets.buckets"), fours),
    **{"context_parallel.length": fours, "ltx.width": sixes, "ranks": {1, 2, 4}.__contains__},
    **{
        "rank": {0, 1}.__contains__,
        "version": {4, 5}.__contains__,
        "z_image.text": lambda n: n > 0,
    },
    **{"time_steps.d_model": from_two, "AxialRotary.head_dim": from_eight},
    **{"deberta_buckets.buckets": lambda n: n > 2 and n % 2 == 0, "max_distance": lambda n: n > 8},
    **{"deberta_buckets.max_distance": lambda n: n >= 130, "scale": bool, "angle_scale": bool},
    **dict.fromkeys(("freq_shift", "amplitude_power", "mscale", "mscale_all_dim"), np.isfinite),
    **{"start": np.isfinite, "RotaryCache.amplitude": np.isfinite},
    **{"partial_rotary_factor": lambda x: 0 <= x <= 1, "low_freq_factor": lambda x: 0 < x <= 4},
    **{"high_freq_factor": lambda x: x >= 1},
}
NUMBERS = {
    "integer": [*range(-3, 14), 16, 129, 130, 256],
    "real": [-1, -0.0, 0, 0.5, 1, 1.5, 3, 16, 1e15],
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_an_argument_takes_the_numbers_of_its_rule_and_no_others(kind):
    others = {"ranks": "length", "low_freq_factor": "high_freq_factor"}
    for use in (use for use in USES if USES[use][2] == kind):
        argument = USES[use][1]
        of_a_text = kind == "real" and argument == "length"
        own = TAKEN.get("" if of_a_text else argument, lambda number: number > 0)
        for number in NUMBERS[kind]:
            refusal = answered(use, number)
            assert (refusal is None) == bool(TAKEN.get(use, own)(number)), (use, number)
            if refusal and argument in others:
                assert re.search(rf"\b({others[argument]}|{argument})\b.* must ", str(refusal))
            elif refusal:
                assert re.search(rf"\b{argument}\b.* must .*got {number}", str(refusal)), use


def test_every_size_may_be_an_integer_of_any_type():
    found = set()
    for name, function in FUNCTIONS:
        right = fitting(name, function)
        whole = function(**right)
        for size in right.keys() & INTEGERS:
            for kind in (Index, np.int16, np.array) if type(right[size]) is int else ():
                found.add(size)
                answer = function(**{**right, size: kind(right[size])})
                np.testing.assert_equal(answer, whole, err_msg=f"{name}: {size}")
    assert found == INTEGERS - {"rotary_dim"}


# Rules that a table of kinds does not reach


MEMORY = "must fit into this machine's memory of [0-9,]+ GB, got "
REFUSED = {
    r"start \+ length must be at most 2\*\*53, got 9007199254740993": lambda: (
        posenc.positional_encoding(2, 4, start=2**53 - 1)
    ),
    r"start \+ length must lie within ±2\*\*53, got 9007199254740994": lambda: Convention().table(
        2, 4, start=2**53
    ),
    r"positions .* got 9007199254740993$": lambda: posenc.encode([1, 2**53 + 1, 2**54], 4),
    "head_dim must be at most 1048576, got 2": lambda: posenc.rotary_row_order(2**21, heads=1),
    "d_model must be at most 1048576, got 1048578$": lambda: Convention().table(1, 2**20 + 2),
    "d_model must be even and positive, got 3: posenc.Convention has odd widths$": lambda: (
        posenc.frequencies(3)
    ),
    "trained must be at": lambda: relative.swin_coordinates(2, 2, trained=(3, 1)),
    rf"height \* width \* 2 {MEMORY}": lambda: Grid().positions((2**45, 0)),
    r"base must keep every wavelength .* got 1e\+308$": lambda: posenc.wavelengths(
        4096, base=1e308
    ),
    r"base and scale must keep every frequency .* 1e-300 and 1e\+308": lambda: posenc.time_steps(
        1, 4, scale=1e308, base=1e-300
    ),
    "offset must hold integers, got dtype f": lambda: relative.t5_buckets([0.5]),
    "buckets must .* of 2": lambda: relative.t5_buckets(0, buckets=7, bidirectional=False),
    "axis must .* 'interleaved' for blocks 'pairs', got 'halves'": lambda: Grid(blocks="pairs"),
    "width must be at least 0, got -1": lambda: Grid().table((2, -1), 8),
    "like must be at least 1, got 0": lambda: Grid().table((3, 4), 8, like=(0, 4)),
    ".*multiples of merge = 2, got 3 rows and 4": lambda: mrope([[Patches(1, 3, 4)]]),
    "path must be a string or a Path, got None": lambda: rotary.Plan.from_file(None),
}


@pytest.mark.parametrize("message", REFUSED)
def test_a_refused_argument_is_named_with_its_rule(message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        REFUSED[message]()


ARRAYS = {
    "heads * head_dim": lambda: posenc.rotary_row_order(8, heads=3),
    "height * width * d_model": lambda: posenc.grid_encoding(2, 3, 4),
    "height * width * 2": lambda: Grid().positions((2, 3)),
    "(class_rows + height * width) * d_model": lambda: Grid(class_rows=1).table((2, 3), 4),
    "(height * width) ** 2": lambda: relative.swin_indices(2, 3),
    "2 * (2 * height - 1) * (2 * width - 1)": lambda: relative.swin_coordinates(2, 3),
    "heads": lambda: relative.alibi_slopes(8),
    "texts": lambda: mrope([[3]]),
    "lengths": lambda: positions.packed([3, 2]),
    "length": lambda: positions.context_parallel(12, ranks=2, rank=1),
    "frames, rows, columns and images": lambda: positions.video(2, 3, 4),
}


@pytest.mark.parametrize("what", ARRAYS)
def test_an_array_may_fill_the_memory_and_needs_no_byte_more(what, monkeypatch):
    size = ARRAYS[what]().size
    monkeypatch.setattr(_memory, "_memory", lambda: 8 * size)
    ARRAYS[what]()
    monkeypatch.setattr(_memory, "_memory", lambda: 8 * size - 1)
    with pytest.raises(ValueError, match=rf"^{re.escape(what)} {MEMORY}{size} values of 8 bytes$"):
        ARRAYS[what]()


def test_numbers_of_every_type_are_accepted():
    expected = posenc.frequencies(6, base=100)
    for base in (np.float32(100), np.int64(100), np.array(100), Decimal(100), Fraction(100)):
        assert np.array_equal(posenc.frequencies(6, base=base), expected)
    expected = posenc.encode([0, 1, 2], 6)
    kinds = [*"bBhHiIlLqQefd", ">i4", ">f2", ">f4", ">f8", ">i8"]
    others = [range(3), (0, 1.0, 2), np.arange(6)[::2] / 2, np.ma.array([0, 1, 2])]
    for points in (*others, *(np.arange(3).astype(kind) for kind in kinds)):
        assert np.array_equal(posenc.encode(points, 6), expected)
    for kind in "bBhHiIqQ":
        limits = np.iinfo(kind)
        ends = np.clip([limits.min, limits.max], -(2.0**53), 2.0**53)
        assert np.array_equal(posenc.encode(ends.astype(kind), 4), posenc.encode(ends, 4))
    assert posenc.encode(np.empty((0, 2), np.longdouble), 4).shape == (0, 2, 4)
    turned = Rotary(4).rotate(np.ones((3, 4)), np.arange(3, dtype=">f4"))
    assert np.array_equal(turned, Rotary(4).rotate(np.ones((3, 4)), np.arange(3)))


@pytest.mark.parametrize("trap", [FloatOperation, Inexact])
def test_the_callers_decimal_context_has_no_effect_and_is_not_changed(trap):
    modules = [module for name, module in sys.modules.items() if name.startswith("posenc")]
    kept = {one for part in modules for one in vars(part).values() if hasattr(one, "cache_clear")}
    for name, function in FUNCTIONS:
        right = fitting(name, function)
        right |= {"base": 777.1} if type(right.get("base")) is float else {}  # no exact powers
        expected = function(**right)
        for one in kept:
            one.cache_clear()
        with localcontext(Context(prec=3, traps=[trap])) as context:
            found = function(**right)
            assert not any(context.flags.values()), name
        if name != "port_weights":  # its dict of arrays has no equality
            np.testing.assert_equal(found, expected, err_msg=name)


def test_numbers_too_small_for_a_format_become_zero_under_any_error_state():
    with np.errstate(all="raise"):
        table = posenc.positional_encoding(600, 512, dtype="float16")
        assert posenc.encode(1e-300, 4).tolist() == [1e-300, 1.0, 1e-302, 1.0]
        Rotary(128).rotate(np.ones((9, 128), np.float16), np.arange(9))
        posenc.CONVENTIONS["trax"].table(60, 64, dtype=np.float16)
    assert np.array_equal(table, posenc.positional_encoding(600, 512).astype(np.float16))


def test_a_dtype_of_pytorch_means_the_one_of_numpy_with_its_name():
    dtype = type("dtype", (), {"__module__": "torch", "__str__": lambda _: "torch.float16"})
    assert posenc.encode(1, 4, dtype=dtype()).dtype == np.float16


@pytest.mark.parametrize("value", INSTANCES, ids=lambda one: type(one).__name__)
def test_a_value_has_no_state_that_anyone_can_change(value):
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(value, dataclasses.fields(value)[0].name, None)
