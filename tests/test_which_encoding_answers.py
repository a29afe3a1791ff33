"""The modules of "Which encoding is this?" answer as `identify` does, or say nothing."""

import base64
import importlib
import re
from dataclasses import asdict, is_dataclass, replace
from itertools import repeat
from numbers import Real

import numpy as np
import pytest

from posenc import CONVENTIONS, GRIDS, AxialCache, Convention, Rotary, identify
from posenc.identification._rules import digits_of
from posenc.rotary import NTK, Llama3
from scripts.files import DOCS
from tests import identify_cases as cases
from tests import node
from tests.identification_tables import known, others, rounded
from tests.reference import ARRAYS

OF_CACHE = ("part", "form", "amplitude", "start")  # options of a cache besides its encoding
LEFT_OUT = {"line", "divisors", "equal-rows-at", "columns-moved"}  # findings of the command only


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
    if is_dataclass(wanted):
        return type(found) is type(wanted) and is_one(vars(found), vars(wanted))
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(is_one(found[k], wanted[k]) for k in wanted)
    if isinstance(wanted, list | tuple):
        return len(found) == len(wanted) and all(map(is_one, found, wanted))
    return found == (pytest.approx(wanted, 1e-8, 1e-8) if isinstance(wanted, float) else wanted)


def words(findings):
    """Findings as the page has them: the command may know the encoding of waves."""
    known = ("no known encoding", "no encoding that this page knows")
    return [{"code": found.code, "words": found.words.replace(*known)} for found in findings]


def is_left_out(wanted):
    """Whether the page does not look for what Python found."""
    match = wanted.match
    if match and any(one.code == "others" for one in match.findings):
        return True
    if match is None:
        return any(one.code in LEFT_OUT for one in wanted.findings)
    return match.positions is not None or isinstance(match.convention, AxialCache)


def assert_shown(code, kind, wanted, shape):
    """The Python that is shown for the page's `kind` makes what Python found."""
    names = {}
    exec(code, names)
    (made,) = (names[name] for name in ("found", "meant") if name in names)
    if isinstance(made, Rotary):
        made = replace(wanted, rotary=made, **{name: kind[name] for name in OF_CACHE})
    if not is_one(made, wanted):  # two names of one table, between which the last bit decides
        assert isinstance(wanted, Convention), (made, wanted)
        assert shape[1] % 2
        assert np.abs(made.table(*shape) - wanted.table(*shape)).max() <= 1e-12 * made.amplitude


def assert_as_in_python(modules, table, tolerance=None, *, also_near=True):
    """The nearest convention is compared only if `also_near`: the page does not fit parts."""
    try:
        wanted = identify(table, tolerance=tolerance)
    except ValueError:  # edits have left too few axes, rows or columns
        return
    found = answered(modules, table, tolerance)
    assert found["tolerance"] == pytest.approx(wanted.tolerance)
    codes = [one["code"] for one in found["findings"]]
    if is_left_out(wanted) or (codes == ["waves"] and words(wanted.findings) != found["findings"]):
        assert found["matches"] == []
        return
    assert found["rowsUsed"] == wanted.rows_used
    assert found["rowsIgnored"] == list(wanted.rows_ignored)
    assert found["findings"] == words(wanted.findings)
    codes = re.findall(r"<pre><code[^>]*>(.+?)</code>", found["details"], re.S)
    assert len(codes) == min(3, len(wanted.matches))
    for code, one, other in zip(codes, found["matches"], wanted.matches, strict=False):
        assert_shown(code, one["convention"], other.convention, table.shape)
    for one, other in zip(found["matches"], wanted.matches, strict=True):
        assert one["libraries"] == list(other.libraries)
        assert one["mistakes"] == [slip.code for slip in other.mistakes]
        assert one["findings"] == words(other.findings)
        assert (one["firstRow"], one["zeroRows"]) == (other.first_row, other.zero_rows)
        assert one["error"] == pytest.approx(other.error, abs=1e-8)
    near = wanted.nearest if also_near else None
    compared = near is not None and isinstance(near.convention, Convention) and near.libraries
    if compared and near.findings[0].code not in LEFT_OUT:
        assert_as_near(found["nearest"], near)


def assert_as_near(found, wanted):
    assert is_one(found["convention"], asdict(wanted.convention))
    assert found["libraries"] == list(wanted.libraries)
    assert found["findings"] == words(wanted.findings)
    assert (found["rows"], found["columns"]) == (list(wanted.rows), list(wanted.columns))
    assert found["error"] == pytest.approx(wanted.error, abs=1e-8)
    assert found["typical"] == pytest.approx(wanted.typical, abs=1e-8)


_OWN = np.append(Rotary(32).frequencies(), np.zeros(48))
_BOTH = Rotary(32, base=123_456, scaling=NTK(4)).cosine_sine(np.arange(512))
_LOW = rounded(Rotary(32, base=3_190_000).frequencies(), "bfloat16")  # not as by way of float32
LONG, SLIPS = cases.LONG, {code: one.astype("f4") for code, one in cases.MISTAKES.items()}
PRACTICE = {  # tables that people have
    **SLIPS,
    **{name: np.asarray(table) for name, (table, _) in cases.UNKNOWN.items()},
    **{f"the grid of {name}": grid.table((4, 5), 16) for name, grid in GRIDS.items()},
    **{f"{name}, 20 rows": CONVENTIONS[name].table(20, 16) for name in ("trax", "opennmt_tf")},
    "two slips": cases.TWO_MISTAKES,
    "times sqrt 64": LONG * 8,
    "after a row of zeros": np.concatenate([np.zeros((1, 64)), LONG]),
    "rows of zeros": cases.padded(),
    "rows 100 to 199": LONG[100:200],
    "bfloat16": cases.bfloat16(LONG),
    "float32, far": cases.far_float32(),
    "a batch of one": LONG[np.newaxis],
    "a batch, expanded": np.stack([LONG] * 3, axis=1),
    "half a turn a row": np.array([[0.0, 1.0], [0.0, -1.0]] * 5),
    "noise": cases.NOISE,
    "noisy": cases.NOISY,
    "beside features that stay": np.cos(np.outer(np.arange(60), _OWN)).repeat(2, axis=1),
    "a ramp near another": Rotary(32, base=10_001, scaling=Llama3(8)).cosine_sine(np.arange(99))[0],
    "a base of seven digits": np.sin(np.outer(np.arange(512), _LOW)),
    "bfloat16, of five digits": rounded(Convention(base=37_609).table(200, 64), "bfloat16"),
    "float16, of five digits": rounded(Convention(base=746_190).table(200, 64), "float16"),
    "decimals, of five digits": Convention(base=746_190, layout="halves").table(200, 64).round(3),
    "bfloat16, of e to the 4": rounded(Convention(base=np.exp(4)).table(160, 64), "bfloat16"),
    "positions that float16 holds": (_BOTH[0] + 1j * _BOTH[1]).astype(np.complex64),
}
TOLERANCES = [("noisy", 0.1), ("cosines-zero", 1e-6), ("trax, 20 rows", 0.05)]


@pytest.mark.parametrize(
    ("name", "tolerance"), [*zip(PRACTICE, repeat(None), strict=False), *TOLERANCES]
)
def test_the_page_answers_as_python_for_tables_that_people_have(modules, name, tolerance):
    assert_as_in_python(modules, PRACTICE[name], tolerance)


NARROW = [table for table in ARRAYS.values() if table.ndim == 2 and table.shape[1] < 17]
EDITS = [
    lambda table, random: table + 10.0 ** -random.integers(1, 8) * random.normal(size=table.shape),
    lambda table, random: cases.changed(table, tuple(map(random.integers, table.shape)), 0.01),
    lambda table, random: table[:, random.permutation(table.shape[1])],
    lambda table, random: table[random.integers(1 + len(table) // 2) :, : -random.integers(1, 4)],
    lambda table, random: table[:: random.integers(2, 4)],
    lambda table, random: table * random.choice([-1.0, 0.1, 0.5, 1.7, 2.0]),
    lambda table, random: table + random.choice([-1.0, 1e-3, 0.3]),
    lambda table, _: table.T,
    lambda table, random: table.round(random.integers(1, 7)),
    lambda table, _: np.concatenate([table, table], axis=1),
]


def edited(seed):
    """A library's table after one edit."""
    random = np.random.default_rng(seed)
    table = EDITS[seed % len(EDITS)](NARROW[random.integers(len(NARROW))], random)
    return replace(known(seed), table=table)


def plain_array(table):
    """`table`, or cosines and sines as one array of complex numbers."""
    return np.asarray(table["cos"] + 1j * table["sin"] if isinstance(table, dict) else table)


@pytest.mark.parametrize(("make", "families"), [(known, 6), (others, 4), (edited, 10)])
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(1, 7))]
)
def test_any_table_is_answered_as_in_python(modules, make, families, part):
    for seed in range(families * part, families * (part + 1)):
        table, is_edited = plain_array(make(seed).table), make is edited
        tolerance = [None, 1e-5, 1e-3, 0.05][seed % 4] if is_edited else None
        assert_as_in_python(modules, table, tolerance, also_near=not is_edited)


@pytest.mark.parametrize("digits", [1, 6, 12])
def test_numbers_in_findings_are_written_as_python_writes_them(digits):
    numbers = [0, 1, -49, 0.01, 0.001, 1e-4, 9.96e-5, 1e-7, 123456, 1234567, 1e6, -2e6, 1e12]
    found = node.maths("../identify/findings", "general", *[[one, digits] for one in numbers])
    assert found == [f"{number:.{digits}g}" for number in numbers]


def test_a_number_between_two_of_fewer_digits_becomes_the_one_that_python_takes():
    numbers = [3_004_500.0, 3_005_500.0, 2.5, 3.5, 45.0, 10_000.0, 3.0044999]
    found = node.maths("../identify/rules", "digitsOf", *[[one, 3] for one in numbers])
    assert found == [digits_of(one, 3) for one in numbers]


# Limits

SCRIPTS = DOCS / "assets" / "identify"
TWIN = re.compile(r"`(posenc/(?:identification|reading)/_\w+)\.py`")
LIMIT = re.compile(r"^(?:export )?const (\[?[A-Z_, 0-9]+\]?) = (\[?[-\d.e*<, ]+\]?);", re.MULTILINE)


def limits_in_python(name):
    """The numbers that a module names, by their names without an underscore."""
    held = vars(importlib.import_module(name.replace("/", ".")))
    return {
        key.strip("_"): value
        for key, value in held.items()
        if key.isupper() and isinstance(value, Real)
    }


@pytest.mark.parametrize("name", sorted(path.name for path in SCRIPTS.glob("*.js")))
def test_the_page_has_pythons_limits(name):
    text = (SCRIPTS / name).read_text("utf-8")
    in_script = {}
    for names, code in LIMIT.findall(text):
        values = eval(f"[{code.strip('[]')}]", {})  # JavaScript writes numbers as Python does
        in_script |= zip(names.strip("[]").split(", "), values, strict=False)
    for module in TWIN.findall(text):
        for limit, value in limits_in_python(module).items():
            assert in_script.get(limit, value) == value, (module, limit)
