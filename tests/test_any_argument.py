"""Any value in the place of any argument: each public function answers, or names the argument."""

from __future__ import annotations

import inspect
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import posenc
from posenc import Convention, Grid, Rotary, RotaryCache, _arguments, relative, rotary
from posenc.rotary import axes, positions
from tests.examples import examples

ANSWERS = {
    "AxialCache",
    "Finding",
    "Identification",
    "Match",
    "NearMiss",
    "Plan",
    "Ported",
    "Verdict",
}
INSTANCES = [
    *(Convention(), Grid(), Rotary(8), RotaryCache(rotary=Rotary(8)), axes.pixtral(8)),
    Rotary(8, scaling=rotary.YaRN(2.0, original_max_position_embeddings=4)),
    Rotary(8, scaling=rotary.DynamicNTK(2.0, max_position_embeddings=4)),
    *(rotary.Plan.from_dict({"model_type": "llama"}), rotary.Engine(turn="queries")),
]
FITTING = {
    **{"d_model": 8, "head_dim": 8, "width": 6, "height": 2, "length": 3, "shape": (2, 3)},
    **{"positions": [0, 1, 2], "coordinates": [0, 1], "offset": 1, "steps": [1, 2], "start": 2},
    **{"table": posenc.positional_encoding(5, 8), "x": np.ones((3, 8)), "precision": "bfloat16"},
    **{"source": Convention(), "target": Convention(layout="halves"), "heads": 2},
    **{"factor": 2.0, "rotary": Rotary(8), "dims": (4, 4), "pairs": (2, 2), "max_freq": 10.0},
    **{"axes": (0, 0, 1, 1), "exact": (1.0, 0.5, 1.0, 0.5)},
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
PARTS = {  # what a message may name
    "shape": ("shape", "height", "width"),
    "table": ("table", "d_model"),
    "ranks": ("ranks", "length"),
}

SMALL = st.integers(-300, 300)
SCALARS = st.one_of(
    *(st.none(), st.booleans(), SMALL, st.floats(), st.complex_numbers(), st.text(max_size=5)),
    *(st.binary(max_size=5), st.decimals(), st.fractions(), st.dates(), st.timedeltas()),
    st.floats(width=32).map(np.float32),
)
ARRAYS = arrays.arrays(
    arrays.scalar_dtypes() | arrays.array_dtypes(max_size=2, allow_subarrays=False),
    arrays.array_shapes(max_dims=3, min_side=0, max_side=3),
)
JUNK = st.one_of(
    *(SCALARS, st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3), max_leaves=6)),
    *(ARRAYS, st.dictionaries(SMALL, SCALARS, max_size=2), st.sets(SMALL, max_size=2)),
    *(arrays.scalar_dtypes(), arrays.scalar_dtypes().map(str), st.just(iter(()))),
)
HUGE = st.one_of(st.integers(), st.lists(st.integers(), max_size=3))
SIZE = JUNK.map(lambda value: value % 24 if type(value) is int else value)


def fitting(name: str, function: Any) -> dict[str, Any]:
    """An argument for each parameter of `function`: its default if FITTING has none."""
    given_here = {**FITTING, **OWN.get(name, {})}
    return {
        key: given_here.get(key, parameter.default)
        for key, parameter in inspect.signature(function).parameters.items()
        if key in given_here or parameter.default is not inspect.Parameter.empty
    }


BEYOND = pytest.mark.filterwarnings("ignore:length must be given")


@BEYOND
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


@BEYOND
def test_every_public_function_answers_its_fitting_arguments():
    for name, function in FUNCTIONS:
        function(**fitting(name, function))


class Index:
    """An integer that has nothing but `__index__`."""

    def __init__(self, number):
        self.number = number

    def __index__(self):
        return self.number


INTEGERS = sorted(SIZES - {"shape", "dims", "pairs"})


def test_every_size_may_be_an_integer_that_only_has_index():
    found = set()
    for name, function in FUNCTIONS:
        right = fitting(name, function)
        for size in right.keys() & set(INTEGERS):
            if type(right[size]) is int:
                found.add(size)
                answer = function(**{**right, size: Index(right[size])})
                np.testing.assert_equal(answer, function(**right), err_msg=f"{name}: {size}")
    assert found == set(INTEGERS) - {"rotary_dim"}


@pytest.mark.parametrize("number", [2**54, -(2**60), 10**400])
def test_a_size_that_no_array_has_is_refused_by_name(number):
    for name, function in FUNCTIONS:
        right = fitting(name, function)
        is_rotary = name in ("sections", "check") or name.startswith(("Rotary.", "Plan."))
        sizes = set(INTEGERS) - {"length"} if is_rotary else set(INTEGERS)  # a text has any length
        for size in right.keys() & sizes:
            with pytest.raises(ValueError, match=rf"{'|'.join(PARTS.get(size, (size,)))} must be"):
                function(**{**right, size: number})


def axial_cache(**options):
    """A cache of one point, with other options."""
    known = {"rotary": axes.pixtral(8), "made_by": "axes.pixtral(8)", "coordinates": ((0, 0),)}
    return posenc.AxialCache(**{**known, **options})


FOUND = {  # by the test above
    "table must have two axes": lambda: posenc.identify(np.zeros((3, 0, 4))),
    "table must have one array of cosines": lambda: posenc.identify({-1: 2.0}),
    "table must be an array of real": lambda: posenc.identify([[1.0], [2.0, 3.0]]),
    "table must have at least 2 columns": lambda: posenc.convert([1.0], Convention(), Convention()),
    "x must be an array of real": lambda: Rotary(2).rotate([[1.0, 2.0], [3.0]], [0, 1]),
    "steps must hold real": lambda: posenc.time_steps("a", 4),
    "scale must be a real": lambda: posenc.time_steps(1, 4, scale="a"),
    "head_dim must be even": lambda: posenc.rotary_row_order(7, heads=1),
    "dims must be a list": lambda: axes.blocks(None),
    "pairs must be a list": lambda: axes.sections(Rotary(8), 4),
    "rotary must be a Rotary": lambda: axes.sections(8, [2, 2]),
    "interleaved must be True or": lambda: axes.sections(Rotary(8), [2, 2], interleaved=1),
    "axes must be a list": lambda: axes.AxialRotary(8, axes="01", frequencies=[1.0, 0.5]),
    "frequencies must be a list": lambda: axes.AxialRotary(8, axes=[0, 1], frequencies=1.0),
    "frequencies must be a real": lambda: axes.AxialRotary(8, axes=[0, 1], frequencies=[1.0, "a"]),
    "rotary must be of the type Rotary, got 3": lambda: RotaryCache(rotary=3),
    "amplitude must be a real": lambda: RotaryCache(rotary=Rotary(4), amplitude="a"),
    "rotary must be of the type AxialRotary": lambda: axial_cache(rotary=Rotary(4)),
    "part must be": lambda: axial_cache(part="tan"),
    "head_dim must be at most 1048576, got 2097152": lambda: posenc.rotary_row_order(
        2**21, heads=1
    ),
    **{
        f"{name} must fit into this machine's memory of [0-9,]+ GB, got ": make
        for name, make in {
            r"heads \* head_dim": lambda: posenc.rotary_row_order(2**20, heads=2**40),
            r"height \* width \* d_model": lambda: posenc.grid_encoding(2**30, 2**30, 4),
            r"height \* width \* 2": lambda: Grid().positions((2**45, 0)),
            r"\(class_rows \+ height \* width\) \* d_model": lambda: Grid(class_rows=2**45).table(
                (1, 1), 4
            ),
            r"\(height \* width\) \*\* 2": lambda: relative.swin_indices(2**30, 2**30),
            r"2 \* .* \* \(2 \* width - 1\)": lambda: relative.swin_coordinates(2**30, 2**30),
            "heads": lambda: relative.alibi_slopes(2**45),
        }.items()
    },
    "frequencies must be finite": lambda: axes.AxialRotary(
        8, axes=[0, 1], frequencies=[1.0, np.inf]
    ),
}


@pytest.mark.parametrize("message", FOUND)
def test_a_refused_argument_is_named(message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        FOUND[message]()


class Broken:
    """An object that promises an array and has none."""

    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("no array here")


def test_an_object_that_does_not_become_an_array_is_refused_by_name():
    for name, call in {
        "positions": lambda: posenc.encode(Broken(), 4),
        "x": lambda: Rotary(4).rotate(Broken(), 0),
        "table": lambda: posenc.identify(Broken()),
        "coordinates": lambda: Grid().encode([Broken(), 1], 4),
    }.items():
        with pytest.raises(TypeError, match=rf"^{name} must .*, got "):
            call()


def test_a_value_is_shown_in_one_line():
    with pytest.raises(TypeError, match=r"^d_model must be an integer, got [^\n]*$"):
        posenc.frequencies(np.eye(3))


def test_a_value_is_shown_in_120_characters_at_most():
    nested = "x" * 30
    for _ in range(6):
        nested = [nested] * 6
    for value in (nested, ["x" * 30] * 6, {"x" * 30 * k: "y" * 30 for k in range(1, 5)}):
        text = _arguments.shown(value)
        assert len(text) <= 120
        assert text[0] + text[-1] in ("[]", "{}")
    assert _arguments.shown([1, [2, [3]]]) == "[1, [2, [...]]]"


def test_a_value_without_a_text_is_shown_by_its_type():
    class Nameless:
        def __repr__(self):
            raise RuntimeError

    with pytest.raises(TypeError, match=r"^d_model must be an integer, got .*Nameless"):
        posenc.frequencies(Nameless())
    with pytest.raises(TypeError, match=r"^d_model must be .* got an object of type tuple"):
        posenc.frequencies((10**5000,))


@pytest.mark.parametrize("module", [axes, positions])
def test_a_module_shows_its_public_names_only(module):
    assert dir(module) == sorted(module.__all__)
