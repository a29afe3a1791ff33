"""`python -m posenc`: what it prints about tables and configs, its exit codes, its streams."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

import posenc
from posenc import CONVENTIONS, GRIDS, Convention, Rotary, identify
from posenc.__main__ import main
from posenc.plans import Plan
from tests.identify_cases import changed

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

LAST = '  see the section "If nothing fits" of the page "Which encoding is this?"'
NOTHING = "no known encoding makes this table to within 0.001 of its amplitude"
REPORTS = [  # a table, and the lines about it; {} stands for the libraries
    (
        np.concatenate([0 * TABLE[:2], TABLE]),
        "as in {}\n  Convention(layout='halves', freq_shift=1)\n  largest difference 0.0e+00 of"
        " the amplitude, 20 rows compared, 2 of zeros left out\n  after 2 rows of zeros",
    ),
    (
        np.repeat(PAPER[:, ::2], 2, axis=1),
        "a rotary cache: sines, each pair twice, side by side (interleaved), base 10,000\n"
        "  RotaryCache(rotary=Rotary(16, layout='interleaved'), part='sin', form='interleaved')\n"
        "  largest difference 0.0e+00 of the amplitude, 200 rows compared\n  a table whose cosines"
        " are missing looks the same\n  also a known mistake: the cosines are missing, their"
        " columns hold sines",
    ),
    (
        GRIDS["mae"].table((5, 7), 32),
        "as in mae\n  Grid()\n  largest difference 0.0e+00 of the amplitude, 35 rows compared\n"
        "  a grid of 5 x 7 points; the same table is a grid of 7 x 5 points listed column by"
        " column, as meshgrid's other indexing gives",
    ),
    (
        changed(PAPER[:20], 7, 0.3),
        f"{NOTHING}\n  nearest: the paper's, as in {{}}, Convention(); differs by up to 9.0e-01,"
        f" typically 1.2e-01\n  1 of 20 rows do not fit: 7\n{LAST}",
    ),
    (
        PAPER[:, [3, 1, 2, 0, *range(4, 16)]],
        "made from the paper's, as in {}\n  Convention(); differs by up to 0.0e+00, typically"
        " 0.0e+00\n  its columns are in another order: column 0 is its 3, column 3 is its 0",
    ),
    (NOISE, f"{NOTHING}\n{LAST}"),
    (PAPER[5:6], f"one row cannot decide: many conventions make it\n{LAST}"),
]


@pytest.mark.parametrize(("table", "expected"), REPORTS)
def test_a_report_has_the_finding_the_code_and_the_difference(tmp_path, capsys, table, expected):
    answer, path = identify(table), saved(tmp_path / "pe.npy", table=table)
    names = getattr(answer.match or answer.nearest, "libraries", ())
    few = ", ".join(names[:2]) + f" and {len(names) - 2} others"
    head = f"pe.npy: {' x '.join(map(str, table.shape))}, {table.dtype}: "
    assert run(path) == (not answer)
    found = re.sub(r"\d\.\de-(0[7-9]|1\d)", "0.0e+00", capsys.readouterr().out).splitlines()
    assert len(found) <= 5
    wanted = (head + expected.format(few)).splitlines()
    assert found[: len(wanted)] == wanted
    run(path, "--all")
    assert ", ".join(names) in capsys.readouterr().out


def test_of_several_matches_the_second_is_named_and_all_shows_each(tmp_path, capsys):
    path = saved(tmp_path / "pe.npy", table=Convention(base=10_050).table(4, 64))
    assert run(path, "--tolerance", "0.05") == 0
    *_, last = capsys.readouterr().out.splitlines()
    assert last.startswith("  also the paper's, as in ")
    assert run(path, "--tolerance", "0.05", "--all") == 0
    shown = re.findall(r"  (Convention\(.*\))\n  largest", capsys.readouterr().out)
    assert shown == ["Convention(base=10050)", "Convention()"]


# The command prints the report of each table


def test_every_format_gives_the_same_report_and_as_json_the_answer(tmp_path, capsys):
    shapes = {"pe.npz": TABLE[np.newaxis], "pe.npy": TABLE[:, np.newaxis], "pe.csv": TABLE}
    for name, table in shapes.items():
        path = saved(tmp_path / name, table=table)
        assert run(path) == 0
        shown = "table" if name == "pe.npz" else name
        kind = "float64" if name == "pe.csv" else "float32"
        assert capsys.readouterr().out.startswith(f"{shown}: 20 x 16, {kind}: as in ")
        assert run(path, "--json") == 0
        (printed,) = json.loads(capsys.readouterr().out)
        assert (printed["type"], printed["name"]) == ("Report", shown)
        (match,) = printed["answer"]["matches"]
        assert match["type"] == "Match"
        assert "made" not in match  # as long as the file


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
        ({"cos": COSINES, "sin": SINES[:20]}, ["cos", "sin"]),
        ({"cos": COSINES, "pe": TABLE, "sin": SINES}, ["pe", "cos and sin"]),
        ({"my_sines": SINES, "my_cosines": COSINES}, ["my_sines and my_cosines"]),
        # Other words with cos or sin in a name do not matter.
        ({"cosine_single": COSINES, "sine_single": SINES}, ["cosine_single and sine_single"]),
        ({"p.cosin.cos": COSINES, "p.cosin.sin": SINES}, ["p.cosin.cos and p.cosin.sin"]),
        ({"cos": TABLE, "cosin": TABLE}, ["cos", "cosin"]),
        ({"cos": PHASORS, "sin": PHASORS[3:]}, ["cos", "sin"]),
        ({"pe": TABLE, "cast": BITS}, ["pe", "cast"]),
        ({"pe": TABLE, "other": 2 * BITS}, ["pe"]),
        ({"pe": TABLE, "mask": np.full((8, 8), -np.inf)}, ["pe"]),
        ({"steps": np.arange(40).reshape(2, 20), "pe": QUANTISED}, ["steps", "pe"]),
    ):
        assert named(**arrays) == names


def test_of_several_tables_those_that_are_known_are_described_in_five_lines(tmp_path, capsys):
    def lines(*options, code=0, **arrays):
        assert run(saved(tmp_path / "pe.npz", **arrays), *options) == code
        return capsys.readouterr().out.splitlines()

    whisper = "  Convention(layout='halves', freq_shift=1)"
    out = lines(noise=NOISE, **dict.fromkeys("abcd", TABLE))
    assert [line.partition(":")[0] for line in out[:4]] == ["a", whisper, "b", whisper]
    assert out[4:] == ["2 more: --all shows every table"]
    assert len(lines(a=TABLE, b=TABLE)) == 4
    assert lines(noise=NOISE, pe=TABLE)[0].startswith("pe: 20 x 16, float32: as in ")
    assert sum("no known" in line for line in lines(noise=NOISE, more=NOISE[1:], code=1)) == 2
    assert len([line for line in lines("--all", a=TABLE, b=NOISE) if line[0] != " "]) == 2


def test_the_first_array_that_is_no_table_says_why_there_is_none(tmp_path, capsys):
    path = saved(tmp_path / "pe.npz", first=np.arange(105.0).reshape(3, 5, 7), nan=NOISE + np.nan)
    assert run(path) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"posenc: {path}: ")
    assert err.endswith("got shape (3, 5, 7)\n")
    assert run(saved(path)) == 2
    assert capsys.readouterr().err.endswith("table must have two axes, got no array\n")


# Options and streams


@pytest.mark.parametrize("given", ["-1", "1"])
def test_a_tolerance_is_checked_before_the_file(tmp_path, capsys, given):
    assert run(tmp_path / "missing.npy", "--tolerance", given) == 2
    err = capsys.readouterr().err
    assert err.startswith("posenc: tolerance must be ")
    assert err.endswith(f" than {'0' if given == '-1' else '1'}, got {float(given)}\n")


def test_help_explains_each_command_and_option_and_the_version_is_the_packages(capsys):
    def shown(*words):
        with pytest.raises(SystemExit) as end:
            main(words)
        assert end.value.code == 0
        return capsys.readouterr().out

    for command in ("identify", "config", "compare"):
        assert re.search(rf"\n +{command} {{2,}}[a-z]+ [a-z]+", shown("--help"))
        options = shown(command, "--help")
        explained = re.findall(r"^  --[a-z]+(?: [A-Z]+)?\s+[a-z]+ [a-z]+", options, re.M)
        assert len(explained) == len(re.findall(r"^  --", options, re.M)) > 0
    assert shown("--version") == f"posenc {posenc.__version__}\n"
    assert main([]) == 2
    assert "python -m posenc identify model.safetensors" in capsys.readouterr().err


def test_ctrl_c_ends_the_command_without_a_traceback(tmp_path, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("posenc.__main__.reports", interrupted)
    assert run(tmp_path / "pe.npy") == 130
    assert capsys.readouterr() == ("", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a full device")
@pytest.mark.parametrize(
    ("file", "streams", "said"),
    [
        ("pe.npy", ">&-", "posenc: the answer cannot be written: there is no output\n"),
        ("pe.npy", ">/dev/full", "posenc: the answer cannot be written: No space left on device\n"),
        ("lost.npy", "2>&-", ""),
        ("lost.npy", "2>/dev/full", ""),
    ],
)
def test_the_code_is_2_where_a_stream_is_closed_or_full(tmp_path, file, streams, said):
    saved(tmp_path / "pe.npy", table=TABLE)
    command = f"'{sys.executable}' -m posenc identify '{tmp_path / file}' {streams}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


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
        "programs differ: none that posenc knows of",
    ]
    code, out, _ = planned(LLAMA, "--json")
    printed = json.loads(out)
    frequencies = printed["groups"][0].pop("frequencies")
    assert (code, frequencies) == (0, Rotary(128, base=5e5).frequencies().tolist())
    assert printed == json.loads(json.dumps(Plan.from_file(tmp_path / "config.json").to_dict()))


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


REFUSED = [  # the code for a config, the config, and why it is refused
    (2, '{"a": ' * 100_000, "config.json: must be JSON: "),
    (2, "[1]", "config.json: must be a JSON object, got [1]"),
    (1, {"model_type": "mine"}, "config must have rope_theta or another key about rotation, or a "),
    (1, {**LLAMA, "rope_theta": -1}, "rope_theta must be finite and greater than 0, got -1"),
]


def test_a_config_that_is_refused_exits_with_1_and_what_is_no_config_with_2(planned):
    for right, config, message in REFUSED:
        code, out, err = planned(config)
        assert (code, out, err.count("\n"), message in err) == (right, "", 1, True), message


@pytest.mark.parametrize("options", [["nowhere.json"], ["--length", "0", "x.json"], []])
def test_an_error_of_use_exits_with_2(capsys, options):
    try:
        code = main(["config", *options])
    except SystemExit as end:
        code = end.code
    assert (code, capsys.readouterr().out) == (2, "")
