"""The test vectors on the site: by posenc, by libraries, and by programs in other languages."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from decimal import Context, Decimal
from functools import cache

import jsonschema
import ml_dtypes
import numpy as np
import pytest
from playwright._impl._driver import compute_driver_executable
from safetensors.numpy import save_file

from posenc.plans import Plan
from posenc.relative import alibi_slopes, t5_buckets
from posenc.rotary import Rotary
from scripts.files import ROOT
from scripts.vectors import cases, encodings, mutants
from tests.node import modules
from tests.page_text import SITE

FOLDER = SITE / "vectors" / "v1"
RUNNERS = ROOT / "examples" / "vectors"
sys.path.insert(0, str(RUNNERS))
import run  # noqa: E402

sys.path.remove(str(RUNNERS))


@cache
def held():
    return run.load(FOLDER)


def every(*kinds):
    return [case for case in held()[0]["cases"] if case["kind"] in kinds]


def array(place, row="float64"):
    return run.part(held()[1][row], place)


def given(case):
    return [array(case["input"][x]) if "input" in case else None for x in "qk"]


def unlike(case, mine, dtype="float64"):
    """The outputs of a case that `mine` are not within the tolerance of."""
    relative = held()[0]["relative"]
    return [
        name
        for name, values in mine.items()
        if not run.agrees(
            values, array(case["output"][name]), case["tolerance"][dtype][name], name in relative
        )
    ]


def posenc_outputs(case):
    """What the package computes for a case."""
    options, points = case["options"], np.array(case.get("positions", []))
    if case["kind"] == "grid":
        shape = options["height"], options["grid_width"]
        return {"table": encodings.grid(options).table(shape, 2 * options["width"])}
    if case["kind"] == "sinusoidal":
        kind, width = encodings.convention(options), options["width"]
        table = kind.encode(points[:, 0], width)
        return {"frequencies": kind.frequencies(width), "table": table}
    if case["kind"] == "alibi":
        slopes = alibi_slopes(options["heads"])
        away = np.arange(options["length"])[::-1]
        return {"slopes": slopes, "bias": -np.outer(slopes, away)}
    if case["kind"] == "t5":
        return {"buckets": t5_buckets(points[:, 0].astype(int), **options)}
    encoding, length = encodings.rotary(options), options["length"]
    one = isinstance(encoding, Rotary)
    points, more = (points[:, 0], (length,)) if one else (points, ())
    cos, sin = encoding.cosine_sine(points, *more, attention=True)
    q, k = (encoding.rotate(x, points, *more) for x in given(case))
    factor = encoding.attention_factor(length) if one else encoding.attention
    found = {"cos": cos, "sin": sin, "q": q, "k": k, "attention_factor": factor}
    if "scores" in case["output"]:
        found["scores"] = q @ k.T * array(case["output"]["score_scale"])
    return {"frequencies": encoding.frequencies(*more), **found}


def test_the_files_follow_their_schema_and_are_small():
    schema = json.loads((FOLDER / "schema.json").read_text("utf-8"))
    few = {**held()[0], "cases": held()[0]["cases"][::19]}  # each kind, and most of their options
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(few, schema, jsonschema.Draft202012Validator)
    assert len(held()[0]["cases"]) >= 1000
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 5e6


def test_each_case_has_a_name_of_its_own_and_inputs_that_bfloat16_holds():
    names = [case["name"] for case in held()[0]["cases"]]
    assert len(set(names)) == len(names)
    for case in every("rotary", "axial"):
        for x in (*given(case), np.array(case["positions"]).astype(np.float32)):
            kind = ml_dtypes.bfloat16 if x.dtype == np.float64 else np.float64
            assert (x.astype(kind).astype(x.dtype) == x).all()


@pytest.mark.parametrize("kind", ["rotary", "axial", "sinusoidal", "grid", "alibi", "t5"])
def test_posenc_is_within_the_tolerance_of_float64(kind):
    wrong = {
        case["name"]: found for case in every(kind) if (found := unlike(case, posenc_outputs(case)))
    }
    assert wrong == {}


def test_posenc_has_the_same_forty_digits():
    context, seen = Context(prec=40), set()
    for case in every("rotary"):
        digits = held()[0]["digits"][case["digits"]]
        if case["digits"] not in seen:
            exact = encodings.rotary(case["options"])._decimals(case["options"]["length"])
            assert [context.plus(one) for one in exact] == [Decimal(text) for text in digits]
            seen.add(case["digits"])
    assert len(seen) > 100


def test_cases_of_published_files_turn_and_score_as_their_plans_say():
    """tests/test_corpus.py compares the plans with libraries."""
    names = set()
    for case in every("rotary", "axial"):
        if "config" in case:
            plan = Plan.from_dict(held()[0]["configs"][case["config"]]["config"])
            (group,) = (group for group in plan if group.name == case["group"])
            assert encodings.rotary(case["options"]) == group.rotary, case["name"]
            scale = array(case["output"]["score_scale"]) if "scores" in case["output"] else None
            assert scale is None or scale == pytest.approx(group.score.scale, rel=1e-12)
            names.add(case["config"])
    assert len(names) > 60


def low(case):
    """What a program computes in bfloat16 from a table in float32."""
    kind, scale = ml_dtypes.bfloat16, array(case["output"].get("score_scale", [0, 1, 1]))[0, 0]
    mine = run.outputs(case, *given(case), np.float32)
    cos, sin = mine["cos"].astype(kind), mine["sin"].astype(kind)
    q, k = (
        run.rotary.turn(x.astype(kind), cos, sin, case["options"]["layout"]) for x in given(case)
    )
    found = {"cos": cos, "sin": sin, "q": q, "k": k}
    if "scores" in case["output"]:
        scores = q.astype(np.float32) @ k.astype(np.float32).T * np.float32(scale)
        found["scores"] = scores.astype(kind)
    return found


def test_right_code_in_bfloat16_is_within_its_tolerance():
    wrong = {
        case["name"]: found
        for case in every("rotary", "axial")
        if (found := unlike(case, low(case), "bfloat16"))
    }
    assert wrong == {}


def test_each_mutant_is_outside_the_tolerance_of_the_dtypes_that_show_it():
    slips = set()
    for case in held()[0]["cases"]:
        assert case["mutants"], case["name"]
        for mutant in case["mutants"]:
            values = {mutant["output"]: array(mutant["values"], "float32")}
            for dtype in {"float32", mutant["loosest"]}:
                assert unlike(case, values, dtype), (case["name"], mutant)
            slips.add(mutant["slip"])
    kinds = {slip.kind for slip in (*mutants.ROTARY_SLIPS, *mutants.TABLE_SLIPS)}
    assert kinds <= slips


def test_outputs_of_version_1_have_not_changed():
    """Others keep copies: a changed case belongs into version 2, new ones may come."""
    names = {case.name for case in cases.single()}
    whole = hashlib.sha256()
    for case in held()[0]["cases"]:
        if case["name"] in names:
            known = [case["name"], case["options"], case.get("positions")]
            whole.update(json.dumps(known).encode())
            for place in (*case.get("input", {}).values(), *case["output"].values()):
                whole.update(array(place).tobytes())
    assert whole.hexdigest() == "c8074a11c6fdf727a163f2c846c1f4866f1fb0651f4c096fe1d75de145e1b9cc"


# Programs


COMPILERS = {
    "C++": ["c++", "-std=c++17", str(RUNNERS / "run.cpp")],
    "Rust": ["rustc", "--edition", "2021", str(RUNNERS / "run.rs")],
}
LANGUAGES = ["NumPy", "JavaScript", *COMPILERS]


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A function that gives the command of a program, and compiles it if that is necessary."""

    @cache
    def command(language):
        if language == "NumPy":
            return [sys.executable, str(RUNNERS / "run.py")]
        if language == "JavaScript":
            return [compute_driver_executable()[0], str(RUNNERS / "run.mjs")]
        compiler, *given = COMPILERS[language]
        asked = [compiler, "--version"]  # a rustup may have no toolchain
        if not shutil.which(compiler) or subprocess.run(asked, check=False).returncode:
            pytest.skip(f"no compiler for {language}")
        made = str(tmp_path_factory.mktemp("programs") / language)
        subprocess.run([compiler, *given, "-o", made], check=True)
        return [made]

    return command


def ran(command, *arguments):
    """The exit code and the lines of a program."""
    whole = [*command, *map(str, arguments)]
    ended = subprocess.run(whole, capture_output=True, encoding="utf-8", check=False)
    assert ended.stderr == ""
    return ended.returncode, ended.stdout.splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_passes_every_case_and_rejects_every_mutant(language, program):
    code, lines = ran(program(language), FOLDER)
    every_case = held()[0]["cases"]
    count = sum(len(case["mutants"]) for case in every_case)
    assert lines[-1] == f"{len(every_case)} cases, {count} mutants, 0 failed"
    assert lines[:-1] == [f"pass {case['name']}" for case in every_case]
    assert code == 0


def test_the_program_in_numpy_passes_every_case_in_float32(program):
    code, lines = ran(program("NumPy"), FOLDER, "float32")
    assert (code, lines[-1].rpartition(", ")[2]) == (0, "0 failed")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_program_says_which_output_is_wrong_and_which_mutant_it_accepts(
    language, program, tmp_path
):
    """The outputs of two cases change places, and the mutants of a third are right."""
    known, rows = held()
    by_name = {case["name"]: json.loads(json.dumps(case)) for case in known["cases"]}
    first, second = (by_name[f"rotary/{name}/halves/8_of_8/0"] for name in ("plain", "linear"))
    first["output"]["cos"] = second["output"]["cos"]
    third = by_name["alibi/3"]
    for mutant in third["mutants"]:
        mutant["values"] = third["output"][mutant["output"]]
    few = {**known, "cases": [first, second, third], "configs": {}, "digits": []}
    (tmp_path / "cases.json").write_text(json.dumps(few), "utf-8")
    arrays = {"float64": rows["float64"].copy(), "float32": rows["float64"].astype(np.float32)}
    save_file(arrays, tmp_path / "arrays.safetensors")
    code, lines = ran(program(language), tmp_path)
    assert code == 1
    assert lines[0].startswith(f"FAIL {first['name']}")
    assert "cos is wrong" in lines[0]
    assert "accepts a mutant: the flattest slope comes first" in lines[2]
    assert lines[3].endswith(" failed")


def test_the_scripts_of_the_site_turn_as_the_vectors_do():
    chosen = every("rotary")
    given = []
    for case in chosen:
        one, length = encodings.rotary(case["options"]), case["options"]["length"]
        scaling = one.scaling and {"type": type(one.scaling).__name__, **vars(one.scaling)}
        given.append(({**vars(one), "scaling": scaling}, length))
    with modules("vectors.js", "") as site_modules:
        found = site_modules("turns", given=given)
    for case, (frequencies, factor) in zip(chosen, found, strict=True):
        mine = {"frequencies": frequencies, "attention_factor": factor}
        assert unlike(case, mine) == [], case["name"]
