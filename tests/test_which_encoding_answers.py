"""The modules of "Which encoding is this?" answer as `identify` does."""

from __future__ import annotations

import ast
import base64
import importlib
import inspect
import re
from dataclasses import asdict, fields
from numbers import Real

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from posenc import (
    GRIDS,
    AxialCache,
    Convention,
    Grid,
    Rotary,
    RotaryCache,
    identify,
    positional_encoding,
)
from posenc.rotary import NTK, Linear, Llama3, Proportional, YaRN
from scripts.files import DOCS
from tests import node
from tests.examples import examples
from tests.identify_cases import (
    ANY_TABLE,
    CASES,
    KIND,
    KNOWN,
    MISSED,
    ROUND,
    ROUND_WIDTH,
    ROWS,
    UNDECIDED,
    WAVES,
    WIDTH,
    changed,
    far_float32_cache,
    turning,
)
from tests.reference import ARRAYS
from tests.test_identify_parts_of_caches import LATER, NEAR
from tests.test_identify_points import EACH_PART, POINTS, made, real_points
from tests.test_identify_rotary import DATA, ENCODINGS, GRID_ARRAYS, divided
from tests.test_identify_rotary import table as cache_table

DEFAULT = asdict(Convention())


@pytest.fixture(scope="module")
def modules():
    """A function that calls one of tests/browser/which_encoding.js with the page's modules."""
    with node.modules("which_encoding.js", "identify") as call:
        yield call


def answered(modules, table, tolerance=None):
    """What the page's `identify` says of `table`."""
    is32 = table.dtype.itemsize < 8 and table.dtype.kind == "f"
    is_complex = table.dtype.kind == "c"
    values = np.stack([table.real, table.imag]) if is_complex else table
    return modules(
        "identified",
        encoded=base64.b64encode(values.astype("<f4" if is32 else "<f8").tobytes()).decode(),
        **{"is32": is32, "isComplex": is_complex, "shape": table.shape, "tolerance": tolerance},
    )


def is_one(found, wanted):
    """Whether two values have the same words, and the same numbers except for rounding."""
    if isinstance(wanted, dict):
        return set(found) == set(wanted) and all(
            is_one(found[name], value) for name, value in wanted.items()
        )
    if isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(is_one, found, wanted))
    if isinstance(wanted, float):
        return abs(found - wanted) <= 1e-8 * max(1, abs(wanted))
    return found == wanted


def plain(kind):
    """A convention, grid or cache as the page writes it."""
    if isinstance(kind, Convention):
        return asdict(kind)
    if isinstance(kind, Grid):
        differing = {
            field.name: getattr(kind.axis, field.name)
            for field in fields(kind.axis)
            if getattr(kind.axis, field.name) != field.default
        }
        return {**asdict(kind), "axis": differing}
    if isinstance(kind, AxialCache):
        held = {name: getattr(kind, name) for name in ("made_by", "part", "form", "amplitude")}
        return {**held, "coordinates": kind.coordinates}
    rotary, scaling = kind.rotary, kind.rotary.scaling
    return {
        **{"head_dim": rotary.head_dim, "base": rotary.base, "layout": rotary.layout},
        **{name: getattr(kind, name) for name in PLAIN},
        "scaling": scaling and {"type": type(scaling).__name__, **known_options(scaling)},
    }


PLAIN = ("part", "form", "amplitude", "start")  # options of a cache besides its encoding
NAMES = {  # of a scaling's options in Python, and on the page
    **{"factor": "factor", "original_max_position_embeddings": "original"},
    **{"truncate": "truncate", "attention_factor": "attention", "short_factor": "factors"},
    "partial_rotary_factor": "part",
}


def known_options(scaling):
    held = {page: getattr(scaling, name) for name, page in NAMES.items() if hasattr(scaling, name)}
    if isinstance(scaling, Llama3 | YaRN | Linear | NTK):
        return {name: value for name, value in held.items() if value is not None}
    names = {"part"} if isinstance(scaling, Proportional) else {"factors", "attention"}
    return {name: held[name] for name in names}


def in_page(kind):
    """A convention, grid or cache of the page, in the form of `plain`."""
    if "axis" in kind:
        axis = {name: value for name, value in kind["axis"].items() if DEFAULT[name] != value}
        return {**kind, "axis": axis}
    if "rotary" not in kind:
        return kind
    rotary = kind["rotary"]
    if "coordinates" in kind:
        held = {name: value for name, value in kind.items() if name != "rotary"}
        return {**held, "made_by": rotary["made_by"]}
    part = {name: kind[name] for name in PLAIN}
    return {**{name: rotary[name] for name in ("head_dim", "base", "layout", "scaling")}, **part}


def words(findings):
    return [{"code": found.code, "words": found.words} for found in findings]


def assert_as_in_python(modules, table, tolerance=None):
    wanted, found = identify(table, tolerance=tolerance), answered(modules, table, tolerance)
    assert found["rowsUsed"] == wanted.rows_used
    assert found["rowsIgnored"] == list(wanted.rows_ignored)
    assert found["findings"] == words(wanted.findings)
    assert found["tolerance"] == wanted.tolerance
    assert len(found["matches"]) == len(wanted.matches)
    for one, other in zip(found["matches"], wanted.matches, strict=True):
        assert one["libraries"] == list(other.libraries)
        assert one["mistakes"] == [slip.code for slip in other.mistakes]
        assert one["findings"] == words(other.findings)
        assert (one["firstRow"], one["zeroRows"]) == (other.first_row, other.zero_rows)
        assert one["error"] == pytest.approx(other.error, abs=1e-8)
        if not is_one(in_page(one["convention"]), plain(other.convention)):
            assert isinstance(other.convention, Convention), (one, other)
            assert_a_tie(Convention(**one["convention"]), other.convention, table.shape)
    assert_as_near(found["nearest"], wanted.nearest)


def assert_as_near(found, wanted):
    assert (found is None) == (wanted is None)
    if wanted is not None:
        assert is_one(in_page(found["convention"]), plain(wanted.convention))
        assert found["libraries"] == list(wanted.libraries)
        assert found["findings"] == words(wanted.findings)
        assert (found["rows"], found["columns"]) == (list(wanted.rows), list(wanted.columns))
        assert found["error"] == pytest.approx(wanted.error, abs=1e-8)
        assert found["typical"] == pytest.approx(wanted.typical, abs=1e-8)


def assert_a_tie(one, other, shape):
    """Two names of one table, between which the last bit decides."""
    assert shape[1] % 2
    assert np.abs(one.table(*shape) - other.table(*shape)).max() <= 1e-12 * one.amplitude


def test_the_page_gives_pythons_answers(modules):
    for name, case in CASES.items():
        try:
            assert_as_in_python(modules, case.table, case.tolerance)
        except AssertionError as error:
            raise AssertionError(name) from error


PRACTICE = {
    **{name: table for name, (table, *_) in {**KNOWN, **MISSED, **UNDECIDED, **WAVES}.items()},
    **{f"grid {name}": ARRAYS[name] for name in GRID_ARRAYS},
    **{
        f"{name}, {part}": cache_table(RotaryCache(rotary=rotary, part=part, form="halves"), 512)
        for name, rotary in ENCODINGS.items()
        for part in ("cos", "sin", "both", "cos|sin")
    },
    **{f"cache {name}": cache_table(cache, 300) for name, cache in LATER.items()},
    **{f"near {name}": given for name, (_, given, *_) in NEAR.items()},
    "a long cache with float32 angles": far_float32_cache(),
    "distances beyond a million": Convention(angle_scale=-1, start=-2_000_049).table(99, 64),
    "rounded cosines that hardly turn": RotaryCache(rotary=Rotary(4, base=150_000))
    .table(16)
    .round(3),
    "a table twice": np.tile(Convention(base=30_000).table(33, 8), (2, 1)),
    "divisors that rise": np.stack(list(divided(np.array([1, 1.3, 2, 5])).values())),
    "divisors below 1": np.stack(list(divided(np.linspace(0.9, 3, 16)).values())),
    "base 1000, halves": Convention(arrangement="halves", base=1000).table(50, 32),
    "each pair twice, and one value is off far down": changed(
        np.tile(Rotary(16).cosine_sine(np.arange(200))[0], 2), (150, 12), 0.3
    ),
    "each pair twice from row 5 on, and one value is off far down": changed(
        np.tile(Rotary(16).cosine_sine(np.arange(5, 205))[0], 2), (150, 12), 0.3
    ),
    "a learned row of a table of no library, times 8": changed(
        Convention(base=777, amplitude=8).table(100, 32), 7, 0.3
    ),
    "most rows have the other sign": positional_encoding(16, 8) * np.where(ROWS[:16] < 4, 1, -1),
    "a day and a week": turning([2 * np.pi / 24, 2 * np.pi / 168]),
    "complex": Rotary(64, base=500_000).phasors(np.arange(99)),
    "sines, then cosines": np.stack(Rotary(64).cosine_sine(np.arange(99))[::-1]),
    "a learned row of a grid": changed(GRIDS["mae"].table((5, 5), 32), 0, 0.01),
    "a grid whose x falls": GRIDS["mae"].encode(np.stack(np.indices((6, 6)), -1) * (1, -1), 16),
    "channels first": np.moveaxis(GRIDS["detr"].points((5, 7), 16), 2, 0),
    "channels first, or last": np.moveaxis(GRIDS["mae"].points((6, 8), 16), 2, 0),
}


@pytest.mark.parametrize("name", PRACTICE)
def test_the_page_answers_as_python_for_tables_that_people_have(modules, name):
    assert_as_in_python(modules, np.asarray(PRACTICE[name]))


@pytest.mark.parametrize("name", ["hf/llama/llama3.2_factor32_d64/cos", "gptj", "torchtune/phi3"])
def test_caches_whose_rows_jump_are_recognised_as_in_python(modules, name):
    with np.load(DATA / "reference.npz") as held:
        names = [other for other in held if other.startswith(name) and held[other].ndim == 2]
        tables = [held[other] for other in names if len(held[other]) == 17][:2]
    for table in tables:
        assert_as_in_python(modules, table)


@pytest.mark.parametrize("digits", [1, 6, 12])
def test_numbers_in_findings_are_written_as_python_writes_them(modules, digits):
    numbers = [0, 1, -49, 0.01, 0.001, 1e-4, 9.96e-5, 1e-7, 123456, 1234567, 1e6, -2e6, 1e12]
    found = modules("written", numbers=numbers, digits=digits)
    assert found == [f"{number:.{digits}g}" for number in numbers]


@pytest.mark.parametrize("part", EACH_PART)
@pytest.mark.parametrize("name", POINTS)
def test_a_cache_of_points_is_recognised_as_in_python(modules, name, part):
    call, points, form, _ = POINTS[name]
    assert_as_in_python(modules, made(call, points, part, form).table().astype(np.float32))


@pytest.mark.parametrize(("name", "_spec"), list(real_points()))
def test_a_librarys_cache_of_points_is_recognised_as_in_python(modules, name, _spec):
    with np.load(DATA / "reference.npz") as held:
        assert_as_in_python(modules, held[name])


@examples(200)
@given(ANY_TABLE, st.sampled_from([None, 1e-5, 1e-3, 0.05]))
def test_any_table_is_answered_as_in_python(modules, table, tolerance):
    try:
        identify(table, tolerance=tolerance)
    except ValueError:  # too few axes, rows or columns are left
        return
    assert_as_in_python(modules, table, tolerance)


@settings(max_examples=50)
@given(KIND, WIDTH, st.integers(12, 300), st.sampled_from(["f4", "f8"]))
def test_the_table_of_any_convention_is_found_as_in_python(modules, kind, width, length, dtype):
    assert_as_in_python(modules, kind.table(length, width).astype(dtype))


@settings(max_examples=20)
@given(ROUND, ROUND_WIDTH)
def test_round_options_come_back_as_in_python(modules, kind, width):
    assert_as_in_python(modules, kind.table(64, width).astype(np.float32))


def test_an_unusual_base_is_found_as_in_python(modules):
    for base in (1e-3, 0.5, 1.0, 1e11, 1e14, 1e30):
        assert_as_in_python(modules, Convention(base=base).table(200, 16))


def test_ntk_factors_and_bases_of_many_digits_are_told_apart_as_in_python(modules):
    for head, base, factor in [(128, 10_000, 4), (80, 1_000_000, 8), (64, 10_000, 2.5)]:
        rotary = Rotary(head, base=base, scaling=NTK(factor))
        assert_as_in_python(modules, rotary.cosine_sine(np.arange(200))[0].astype(np.float32))


# Limits

SCRIPTS = DOCS / "assets" / "identify"
TWIN = re.compile(r"`(?:posenc/identification/)?(_\w+)\.py`")
LIMIT = re.compile(r"^(?:export )?const (\[?[A-Z_, 0-9]+\]?) = (\[?[-\d.e*<, ]+\]?);", re.MULTILINE)
ONLY_IN_PYTHON = {
    *("_STEP", "_AT_ONCE"),  # for speed
    *("_MOST_ARRAYS", "_MOST_AXES", "_LONGEST", "_NAMES"),  # of the command line
}


def limits_in_python(name):
    """The numbers, and tuples of numbers, that a module names."""
    module = importlib.import_module(f"posenc.identification.{name}")
    tree = ast.parse(inspect.getsource(module))
    targets = [node.targets[0] for node in tree.body if isinstance(node, ast.Assign)]
    names = [target.id for target in targets if isinstance(target, ast.Name)]
    values = {name: getattr(module, name) for name in names if name.isupper()}
    return {
        name: value
        for name, value in values.items()
        if all(isinstance(one, Real) for one in (value if isinstance(value, tuple) else [value]))
    }


def limits_of_script(text):
    """The numbers, and lists of numbers, that a script names. JavaScript writes them as Python."""
    found = {}
    for name, code in LIMIT.findall(text):
        value = eval(code, {})
        one = zip(name[1:-1].split(", "), value, strict=True) if name[0] == "[" else [(name, value)]
        found |= {name: tuple(held) if isinstance(held, list) else held for name, held in one}
    return found


@pytest.mark.parametrize("name", sorted(path.name for path in SCRIPTS.glob("*.js")))
def test_the_page_has_pythons_limits(name):
    texts = [(SCRIPTS / file).read_text("utf-8") for file in ("known.js", name)]
    in_script = limits_of_script(texts[0]) | limits_of_script(texts[1])
    for module in TWIN.findall(texts[1]):
        for limit, value in limits_in_python(module).items():
            if limit not in ONLY_IN_PYTHON:
                assert in_script[limit.strip("_")] == value, (module, limit)
