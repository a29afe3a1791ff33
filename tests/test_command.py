"""`python -m posenc`: what it prints about tables and configs, its exit codes, its streams."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc import (
    CONVENTIONS,
    AxialCache,
    Convention,
    Finding,
    Identification,
    Match,
    NearMiss,
    Rotary,
    RotaryCache,
    identify,
)
from posenc.__main__ import main
from posenc.identification._report import Report
from posenc.plans import Plan
from posenc.rotary import axes

TABLE = CONVENTIONS["transformers_whisper"].table(20, 16).astype(np.float32)
PAPER = Convention().table(200, 16)
COSINES, SINES = Rotary(16).cosine_sine(np.arange(30))
NOISE = np.random.default_rng(0).standard_normal((9, 8))


def run(path, *options) -> int:
    return main(["identify", str(path), *options])


def saved(path, members=None, **arrays):
    """Save `arrays`, or the bytes of `members`, in the format of the path's suffix."""
    if members is not None:
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in members.items():
                archive.writestr(name, content)
    elif path.suffix == ".npz":
        np.savez_compressed(path, **arrays)
    elif path.suffix == ".npy":
        np.save(path, arrays["table"])
    else:
        np.savetxt(path, arrays["table"], delimiter=",", fmt="%.9g")
    return path


def header(shape, descr="<f8") -> bytes:
    text = str({"descr": descr, "fortran_order": False, "shape": shape})
    text += " " * (117 - len(text)) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


# One report

SLIP, FOUND, WHOLE = (Finding(word, word) for word in ("slip", "found", "whole"))
OWN = Convention(base=500)  # no library's
HEAD, CODE = "pe: 7 x 4, float64: ", "  Convention(base=500)"
ROWS = "  largest difference 2.5e-01 of the amplitude, 7 rows compared"
NOTHING = "no known encoding makes this table to within 0.125 of its amplitude"
SEE = '  see the section "If nothing fits" of the page "Which encoding is this?"'
NO_LIBRARY = "a convention of none of the libraries that we ran"
NEAR = NearMiss(convention=OWN, error=0.5, typical=0.25, findings=(FOUND,))


def match(*libraries, convention=OWN, **options):
    return Match(convention=convention, error=0.25, libraries=libraries, **options)


def told(*matches, every=False, **options):
    answer = Identification(matches=matches, rows_used=7, tolerance=0.125, **options)
    return list(Report("pe", (7, 4), "float64", answer).lines(every=every))


def test_a_report_has_the_best_match_in_three_lines_and_names_two_more():
    a, b, c, d = map(match, "abcd")
    assert told(a) == [f"{HEAD}as in a", CODE, ROWS]
    assert told(a, b)[3:] == ["  also as in b"]
    assert told(a, b, c, d)[3:] == ["  also as in b; as in c"]
    each = [line for name in "abcd" for line in (f"  also as in {name}", CODE, ROWS)]
    assert told(a, b, c, d, every=True) == [f"{HEAD}as in a", *each[1:]]
    one = match("a", mistakes=(SLIP,), findings=(FOUND,))
    rows = f"{ROWS}, 2 of zeros left out"
    expected = [f"{HEAD}a known mistake: slip", CODE, rows, "  found; whole"]
    assert told(one, findings=(WHOLE,), rows_ignored=(0, 3)) == expected
    assert Identification(matches=(a, b)).match is a


def test_a_report_without_a_match_has_its_findings_or_what_is_nearest():
    assert told(findings=(WHOLE,)) == [f"{HEAD}whole", SEE]
    assert told() == [HEAD + NOTHING, SEE]
    size = "differs by up to 5.0e-01, typically 2.5e-01"
    near = f"  nearest: {NO_LIBRARY}, Convention(base=500); {size}"
    for findings in ((WHOLE,), ()):
        for every in (True, False):
            expected = [HEAD + NOTHING, near, "  found", SEE]
            assert told(nearest=NEAR, findings=findings, every=every) == expected
    for kind in ("rows", "columns"):
        found = told(nearest=replace(NEAR, **{kind: (3, 5)}), every=True)
        assert found[3] == f"  {kind} that do not fit: [3, 5]"
    small = "differs by up to 1.2e-01, typically 2.5e-01"
    moved = told(nearest=replace(NEAR, error=0.125, libraries=("a",)))
    assert moved == [f"{HEAD}made from as in a", f"{CODE}; {small}", "  found", SEE]


ROUNDED = Finding("rounded", "positions rounded to float16, base 100")
COSINE = "a rotary cache: cosines, each pair once"
OF_POINTS = AxialCache(
    rotary=axes.pixtral(8), made_by="axes.pixtral(8)", coordinates=((0, 0), (0, 1)), form="halves"
)
STEPS = {"rotary": axes.pixels(8, max_freq=9.0), "made_by": "axes.pixels(8, max_freq=9)"}
IN_POINTS = "a rotary cache of points: cosines, each pair twice, in halves (rotate_half)"
TITLES = [
    (match("a", "b", "c"), "as in a, b, c"),
    (match("a", "b", "c", "d"), "as in a, b and 2 others"),
    (match(), NO_LIBRARY),
    (match(convention=Convention(start=3, amplitude=2)), "the paper's"),
    (match("a", convention=Convention(start=3)), "the paper's, as in a"),
    (match(mistakes=(SLIP,)), "a known mistake: slip"),
    (match("a", mistakes=(SLIP,)), "a known mistake: slip"),
    (match(convention=RotaryCache(rotary=Rotary(8)), findings=(ROUNDED,)), f"{ROUNDED}; {COSINE}"),
    (
        match(convention=RotaryCache(rotary=Rotary(8)), mistakes=(SLIP,)),
        f"a known mistake: slip; {COSINE}, base 10,000",
    ),
    (match(convention=OF_POINTS), f"{IN_POINTS}, base 10,000"),
    (match(convention=replace(OF_POINTS, **STEPS)), IN_POINTS),  # its frequencies are no powers
]


def test_the_first_line_has_the_slip_the_rounding_and_two_or_three_libraries():
    for one, expected in TITLES:
        assert told(one)[0] == HEAD + expected
    assert told(match(*"abcd"), every=True)[0] == f"{HEAD}as in a, b, c, d"


CODES = [
    (Rotary(8, rotary_dim=4, base=2.5), "Rotary(8, base=2.5, rotary_dim=4)"),
    (Rotary(8, rotary_dim=8), "Rotary(8)"),
    (
        Convention(layout="halves", start=-3, amplitude=0.5),
        "Convention(layout='halves', start=-3, amplitude=0.5)",
    ),
    (OF_POINTS, "AxialCache(rotary=axes.pixtral(8), form='halves')"),
    (Convention(base=1e22, start=-3e16), "Convention(base=1e+22, start=-3e+16)"),
    (Convention(base=1e15), "Convention(base=1000000000000000)"),
]


def test_the_code_of_a_match_has_only_the_options_that_differ_from_their_defaults():
    for kind, code in CODES:
        assert told(match(convention=kind))[1] == f"  {code}"


# The command prints the report of each table

MISSED = np.concatenate([PAPER[:7], np.full((1, 16), 0.3), PAPER[8:20]])


@pytest.mark.parametrize(
    ("name", "table", "code"),
    [
        *(("pe.npz", TABLE[np.newaxis], 0), ("pe.npy", TABLE[:, np.newaxis], 0)),
        *(("pe.csv", TABLE, 0), ("pe.npy", PAPER[::10], 0)),
        *(("pe.npy", MISSED, 1), ("pe.npy", NOISE, 1)),
    ],
)
def test_the_command_prints_the_report_of_identify(tmp_path, capsys, name, table, code):
    path = saved(tmp_path / name, table=table)
    given = np.loadtxt(path, delimiter=",") if path.suffix == ".csv" else table
    answer, shown = identify(given), "table" if path.suffix == ".npz" else name
    report = Report(shown, given.squeeze().shape, str(given.dtype), answer)
    for every in (True, False):
        assert run(path, *["--all"][:every]) == code
        assert capsys.readouterr() == ("\n".join([*report.lines(every=every), ""]), "")
    assert len(list(report.lines())) <= 5
    assert run(path, "--json") == code
    (printed,) = json.loads(capsys.readouterr().out)
    assert (printed["type"], printed["name"]) == ("Report", report.name)
    assert [one["type"] for one in printed["answer"]["matches"]] == ["Match"] * len(answer.matches)


def test_a_tolerance_counts_for_each_table(tmp_path):
    path = saved(tmp_path / "pe.npz", table=TABLE + 0.05)
    assert [run(path, "--tolerance", given) for given in ("0.1", "0.01")] == [0, 1]


def test_the_command_runs_as_a_module(tmp_path):
    path = saved(tmp_path / "pe.npy", table=Convention(base=1e8).table(20, 16))
    command = [sys.executable, "-W", "error", "-m", "posenc", "identify", str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "Convention(base=100000000)" in done.stdout
    assert "the exponent is doubled" in done.stdout


@pytest.fixture
def named(tmp_path, capsys):
    """A function that gives the names of the tables that the command reports among `arrays`."""

    def named(**arrays):
        assert run(saved(tmp_path / "pe.npz", **arrays), "--json") in (0, 1)
        return [one["name"] for one in json.loads(capsys.readouterr().out)]

    return named


PHASORS = COSINES + 1j * SINES
BITS = Convention().table(20, 16).astype(int)
QUANTISED = np.rint(127 * TABLE).astype(np.int8)


def test_cosines_and_sines_are_one_table_and_whole_numbers_count_only_alone(named):
    for arrays, names in (
        ({"pe": TABLE[np.newaxis], "bias": np.zeros(3), "eye": np.eye(5)}, ["pe", "eye"]),
        ({"cos": COSINES}, ["cos"]),
        ({"sin": SINES, "pe": TABLE}, ["pe", "sin"]),
        ({"cos": COSINES, "sin": SINES[:20]}, ["cos", "sin"]),
        ({"cos": COSINES, "pe": TABLE, "sin": SINES}, ["pe", "cos and sin"]),
        ({"cosine": COSINES, "sine": SINES}, ["cosine and sine"]),
        ({"my_sines": SINES, "my_cosines": COSINES}, ["my_sines and my_cosines"]),
        ({"cos_cached": COSINES, "sin_cached": SINES, "sine": TABLE},
         ["cos_cached and sin_cached", "sine"]),
        ({"cos": TABLE, "cosin": TABLE}, ["cos", "cosin"]),
        ({"cos": PHASORS, "sin": PHASORS[3:]}, ["cos", "sin"]),
        ({"pe": TABLE, "cast": BITS}, ["pe", "cast"]),
        *(({"pe": TABLE, "other": other}, ["pe"]) for other in (2 * BITS, -2 * BITS, BITS[0])),
        ({"pe": TABLE, "ids": np.arange(40).reshape(2, 20), "mask": np.full((8, 8), -np.inf)},
         ["pe"]),
        ({"pe": QUANTISED, "flags": np.array([0, 1, 1])}, ["pe"]),
        ({"steps": np.arange(40).reshape(2, 20), "pe": QUANTISED}, ["steps", "pe"]),
    ):  # fmt: skip
        assert named(**arrays) == names


@pytest.mark.parametrize(
    ("cosines", "sines"),
    [
        ("single.cos", "single.sin"),
        ("preprocessing.cos_cached", "preprocessing.sin_cached"),
        ("cosine_single", "sine_single"),
        ("model.cosin.cos", "model.cosin.sin"),
    ],
)
def test_other_words_with_cos_or_sin_in_a_name_do_not_matter(named, cosines, sines):
    held = {cosines: COSINES, sines: SINES}
    for names in ((cosines, sines), (sines, cosines)):
        arrays = {name: held[name] for name in names}
        assert named(w=np.eye(7), **arrays) == ["w", f"{names[0]} and {names[1]}"]
        assert identify(arrays).matches == identify({"cos": COSINES, "sin": SINES}).matches


@pytest.mark.parametrize("names", [("cos_missing", "sin_cosmetic"), ("a", "b"), ("cos", "cosine")])
def test_names_that_do_not_say_which_has_the_cosines_are_refused(names):
    with pytest.raises(ValueError, match="must have one array of cosines and one of sines, got"):
        identify(dict(zip(names, (COSINES, SINES), strict=True)))


def test_of_several_tables_those_that_are_known_are_described_in_five_lines(tmp_path, capsys):
    def lines(*options, code=0, **arrays):
        assert run(saved(tmp_path / "pe.npz", **arrays), *options) == code
        return capsys.readouterr().out.splitlines()

    whisper = "  Convention(layout='halves', freq_shift=1)"
    for count in (2, 3, 6):
        out = lines(**dict.fromkeys("abcdef"[:count], TABLE), noise=NOISE)
        assert [line.partition(":")[0] for line in out[:4]] == ["a", whisper, "b", whisper]
        assert out[4:] == ([f"{count - 2} more: --all shows every table"] if count > 2 else [])
    assert lines(noise=NOISE, pe=TABLE)[0].startswith("pe: 20 x 16, float32: as in ")
    assert sum("no known" in line for line in lines(noise=NOISE, more=NOISE[1:], code=1)) == 2
    assert len([line for line in lines("--all", a=TABLE, b=NOISE) if line[0] != " "]) == 2
    one_row = lines(pe=TABLE[:1], code=1)[0]
    assert one_row.startswith("pe: 1 x 16, float32: one row cannot decide")


def test_the_first_array_that_is_no_table_says_why_there_is_none(tmp_path, capsys):
    arrays = {
        "got shape (3,)\n": np.zeros(3),
        "got nan at row 0, column 0\n": np.full((4, 4), np.nan),
        ": table must hold real numbers": np.array([["a"]]),
    }
    for reason, array in arrays.items():
        assert run(saved(tmp_path / "pe.npz", first=array, **arrays)) == 2
        assert reason in capsys.readouterr().err
    assert run(saved(tmp_path / "pe.npz")) == 2
    assert capsys.readouterr().err.endswith("table must have two axes, got no array\n")


BAD = {  # file name: its content and the expected message
    "rank1.npy": (header((2,)) + bytes(16), r"table must have two axes, .* got shape \(2,\)"),
    "rank3.npy": (
        header((3, 5, 7)) + np.arange(105.0).tobytes(),
        r"two axes, .* got shape \(3, 5, 7\)",
    ),
    "complex3.npy": (
        header((2, 3, 4), "<c16") + np.ones(24, "c16").tobytes(),
        r"two axes, .* got shape \(2, 3, 4\)",
    ),
    "no_rows.npy": (header((0, 4)), r"at least one row .* got shape \(0, 4\)"),
    "one_column.npy": (header((4, 1)) + bytes(32), r"two columns, got shape \(4, 1\)"),
    "nan.npy": (header((1, 2)) + np.array([1, np.nan]).tobytes(), "got nan at row 0, column 1"),
    "inf.csv": (b"1,2\n3,inf\n", "table must be finite, got inf at row 1, column 1"),
    "strings.npy": (header((2, 2), "<U3") + bytes(48), "must hold real numbers"),
    "objects.npy": (header((2, 2), "|O") + bytes(64), "holds Python objects, not numbers"),
    "text.npy": (b"these are words\n", "not in NumPy's format, or cut off in its header"),
    "text.csv": (b"to be\nor not to be\n", "line 2 holds 'or', which is no number"),
    "cut.csv": (b"1,2\n3,4\n5\n", "line 3 has 1 value, line 1 has 2: the file is cut off"),
    "ragged.csv": (b"a,b\n\n1;2\n3;4;5\n6;7", "line 4 has 3 values, line 3 has 2"),
    "names.csv": (b"a,b\n", "there are only names"),
    "binary.csv": (b"\xff\xfe\x00", "not a table of numbers"),
    "empty.npy": (b"", "the file is empty"),
    "empty.csv": (b"", "the file is empty"),
    "blank.csv": (b"\n\n", "not a table of numbers"),
    "header.npy": (header((2, 2))[:40], "cut off in its header"),
    "cut.npy": (header((9, 8)) + bytes(100), "truncated: holds 100 of 576 bytes"),
    "text.npz": (b"these are words\n", "not a whole .npz archive"),
    "pe.doc": (b"1,2\n", r"the name must end in one of \.npy, "),
    "pe": (b"1,2\n", r"the name must end in one of \.npy, "),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_prints_one_line_and_exits_with_2(tmp_path, capsys, name):
    content, message = BAD[name]
    path = tmp_path / name
    path.write_bytes(content)
    assert run(path) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert re.match(f"posenc: {re.escape(str(path))}: .*{message}", err), err


# Options and streams


def test_an_option_is_written_out_and_its_value_is_checked_before_the_file(tmp_path, capsys):
    for given, got in (
        ("-1", "finite and greater than 0, got -1.0"),
        ("1", "less than 1, got 1.0"),
    ):
        assert run(tmp_path / "missing.npy", "--tolerance", given) == 2
        assert capsys.readouterr().err == f"posenc: tolerance must be {got}\n"
    with pytest.raises(SystemExit) as end:
        run(tmp_path / "pe.npy", "--tol", "0.1")
    assert end.value.code == 2
    assert "unrecognized arguments: --tol" in capsys.readouterr().err


def test_help_explains_each_command_and_option_and_the_version_is_the_packages(capsys):
    def shown(*words):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        return capsys.readouterr().out

    for command in ("identify", "config", "compare"):
        assert re.search(rf"\n +{command} {{2,}}[a-z]+ [a-z]+", shown("--help"))
    options = shown("identify", "--help")
    assert "Name the convention that made a table, or " in options
    assert all(ending in options for ending in (".npy", ".npz", ".safetensors", ".pt", ".gguf"))
    for option in ("--tolerance TOLERANCE", "--all", "--json"):
        assert re.search(rf"{option}\s+[a-z]+ [a-z]+", options)
    assert re.search(r"--length LENGTH\s+[a-z]+ [a-z]+", shown("config", "--help"))
    assert shown("--version") == f"posenc {posenc.__version__}\n"
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    for command in ("config config.json", "identify model.safetensors"):
        assert f"python -m posenc {command}" in err


def test_ctrl_c_ends_the_command_without_a_traceback(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("posenc.__main__.reports", interrupted)
    assert run(tmp_path / "pe.npy") == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="a shell of Windows closes no stream")
def test_the_code_is_2_where_a_stream_is_closed_or_full(tmp_path):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    lost = tmp_path / "lost.npy"
    for file, streams in ((path, ">&-"), (path, ">&- 2>&-"), (lost, "2>&-"), (lost, "2>/dev/full")):
        command = f"'{sys.executable}' -m posenc identify '{file}' {streams}"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        closed = file == path and "2>" not in streams
        said = "posenc: the answer cannot be written: there is no output\n" if closed else ""
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said), streams


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
def test_a_full_disk_is_reported_and_not_once_more_at_the_end(tmp_path, capsys, monkeypatch):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert run(path) == 2
    said = "posenc: the answer cannot be written: No space left on device\n"
    assert capsys.readouterr().err == said


def test_a_reader_that_has_read_enough_is_no_error(tmp_path, capsys, monkeypatch):
    path = saved(tmp_path / "pe.npy", table=TABLE)
    here, there = os.pipe()
    os.close(here)
    with os.fdopen(there, "w") as pipe:
        monkeypatch.setattr("sys.stdout", pipe)
        assert run(path) == 0
    assert capsys.readouterr().err == ""


# Configs

LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 5e5}


@pytest.fixture
def planned(tmp_path, capsys):
    """A function that gives the code, the output and the complaint about a config."""

    def planned(config, *options):
        path = tmp_path / "config.json"
        path.write_text(config if isinstance(config, str) else json.dumps(config))
        return main(["config", str(path), *options]), *capsys.readouterr()

    return planned


def test_the_command_prints_the_plan_of_a_config(planned, tmp_path):
    code, out, err = planned(LLAMA)
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "llama (config.json of transformers)",
        "all layers: 128 of 128 features turn, halves, base 500,000, no scaling",
        "  scores  q·k times 1/√128 = 0.088388",
        "  waves   6.2832 to 2,559,200 positions",
        "  Python  Rotary(128, base=500000)",
        "odd: nothing",
        "programs differ: no place known",
    ]
    code, out, _ = planned(LLAMA, "--json")
    printed = json.loads(out)
    frequencies = printed["groups"][0].pop("frequencies")
    assert (code, frequencies) == (0, Rotary(128, base=5e5).frequencies().tolist())
    assert printed == json.loads(json.dumps(Plan.from_file(tmp_path / "config.json").to_dict()))
    four = {**LLAMA, "num_hidden_layers": 4}
    other = {"model_type": "smollm3", "no_rope_layers": [1, 1, 1, 0]}
    for config, first in ((four, "all 4 layers: "), ({**four, **other}, "all layers (3:")):
        assert planned(config)[1].splitlines()[1].startswith(first)


def test_a_length_chooses_the_frequencies_and_the_attention_factor(planned):
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
    scaling = {"rope_type": "longrope", **lists, "short_mscale": 1.25, "long_mscale": 1.5}
    given = {**LLAMA, "rope_scaling": {**scaling, "original_max_position_embeddings": 4096}}
    given["max_position_embeddings"] = 8192
    for options, factor, first in (([], 1.25, 1.0), (["--length", "4097"], 1.5, 0.5)):
        code, out, _ = planned(given, "--json", *options)
        (group,) = json.loads(out)["groups"]
        assert (code, group["attention_factor"], group["frequencies"][0]) == (0, factor, first)
    assert "waves   12.566 to" in planned(given, "--length", "4097")[1]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{", "config.json must be JSON"),
        ("[1]", "config.json must be a JSON object, got [1]"),
        (
            {"model_type": "mine"},
            "model_type must be one that posenc knows where no key is about rotation, got 'mine'",
        ),
        ({**LLAMA, "rope_theta": -1}, "rope_theta must be finite and greater than 0, got -1"),
        ('{"a": ' * 100_000, "config.json must be JSON"),
    ],
)
def test_a_config_that_is_refused_exits_with_1_and_says_why(planned, config, message):
    code, out, err = planned(config)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert message in err


@pytest.mark.parametrize(
    "options", [["nowhere.json"], ["--length", "0", "nowhere.json"], ["--length", "x"], []]
)
def test_an_error_of_use_exits_with_2(capsys, options):
    try:
        code = main(["config", *options])
    except SystemExit as end:
        code = end.code
    assert code == 2
    assert capsys.readouterr().out == ""
