"""Tests of `python -m posenc compare`: arrays of a file against a config or another file."""

import json

import numpy as np
import pytest

from posenc import CONVENTIONS, Rotary
from posenc.__main__ import main
from tests.identify_cases import bfloat16, changed

CONFIG = {"model_type": "llama", "head_dim": 64, "rope_theta": 500_000.0}
RIGHT, OTHER = Rotary(64, base=500_000), Rotary(64)


def cache(rotary):
    cosine, sine = rotary.cosine_sine(np.arange(200), dtype=np.float32)
    return {"cos_cached": cosine, "sin_cached": sine}


def turn(rotary):
    q = np.random.default_rng(0).standard_normal((200, 64)).astype(np.float32)
    positions = np.arange(200)
    return {"q": q, "turned": rotary.rotate(q, positions), "positions": positions}


@pytest.fixture(name="saved")
def _saved(tmp_path):
    """A function that saves arrays under a name, and gives the path."""

    def saved(name, arrays):
        path = tmp_path / name
        if isinstance(arrays, dict) and path.suffix == ".json":
            path.write_text(json.dumps(arrays))
        elif isinstance(arrays, dict):
            np.savez(path, **arrays)
        else:
            np.save(path, arrays)
        return str(path)

    return saved


def rates(rotary):
    return {"inv_freq": rotary.frequencies()}


@pytest.mark.parametrize(
    ("made", "reference"),
    [
        *((made, "config.json") for made in (cache, rates, turn)),
        *((made, "reference.npz") for made in (cache, rates)),  # a turn does not say what made it
    ],
)
def test_a_right_file_exits_with_0_and_a_wrong_one_names_its_slip(saved, capsys, made, reference):
    path = saved(reference, CONFIG if reference == "config.json" else made(RIGHT))
    assert main(["compare", saved("right.npz", made(RIGHT)), path]) == 0
    assert "right: agrees to" in capsys.readouterr().out
    mine = saved("wrong.npz", made(OTHER))
    assert main(["compare", mine, path]) == 1
    assert "wrong: the base is 10,000 instead of 500,000" in capsys.readouterr().out
    assert main(["compare", mine, path, "--json"]) == 1
    (verdict,) = json.loads(capsys.readouterr().out)
    assert (verdict["type"], verdict["slips"]) == ("Verdict", [["base"]])
    assert verdict["name"] == {cache: "cos_cached, sin_cached", rates: "inv_freq"}.get(made, "")


RANDOM = np.random.default_rng(1).standard_normal((20, 8, 2))
REAL, COMPLEX = RANDOM[..., 0].astype(np.float32), RANDOM @ [1, 1j]
NO_RULE = (RIGHT.frequencies() * np.linspace(1, 3, 32)).astype(np.float32)
TABLE = CONVENTIONS["tensor2tensor"].table(50, 32)
COMPARED = [  # arrays, what they are compared with, the code, and what is said
    (TABLE, "tensor2tensor", 0, "right"),
    (TABLE, "annotated_transformer", 1, "wrong: the columns are in the halves layout"),
    ({"inv_freq": bfloat16(NO_RULE)}, {"inv_freq": NO_RULE}, 1, "(float32 allow"),
    (REAL, REAL, 0, "right"),
    (changed(REAL, (3, 4), REAL[3, 4] + 0.5), REAL, 1, "wrong: differs by 0.5"),
    (changed(REAL, (3, 4), REAL[3, 4] + 0.5), REAL, 1, "at value 28 of 160"),
    (COMPLEX, COMPLEX.astype(np.complex64), 0, "right"),
    (COMPLEX, COMPLEX.conj(), 1, "wrong"),
    (np.arange(200) + 1, np.arange(200), 1, "wrong"),
]


def test_arrays_are_compared_with_a_convention_or_value_by_value(saved, capsys):
    for number, (mine, reference, code, words) in enumerate(COMPARED):
        path = saved(f"mine{number}.np{'yz'[isinstance(mine, dict)]}", mine)
        if not isinstance(reference, str):
            reference = saved(f"its{number}.np{'yz'[isinstance(reference, dict)]}", reference)
        assert main(["compare", path, reference]) == code, words
        assert words in capsys.readouterr().out


def test_a_group_of_the_config_is_chosen_by_its_name(saved, capsys):
    config = {"model_type": "gemma3_text", "head_dim": 64, "num_hidden_layers": 6}
    path = saved("config.json", {**config, "hidden_size": 640})
    mine = saved("cache.npz", cache(Rotary(64, base=1_000_000)))
    assert main(["compare", mine, path]) == 2
    names = capsys.readouterr().err
    assert "be one group of the plan: --group NAME, got the groups " in names
    group = next(word for word in names.split("groups ")[1].strip().split(", ") if "full" in word)
    assert main(["compare", mine, path, "--group", group]) == 0
    one = saved("one.json", CONFIG)
    for reference, said in ((path, f"{group} or "), (one, "all layers, got ''\n")):
        assert main(["compare", mine, reference, "--group", ""]) == 2
        assert f"--group must be {said}" in capsys.readouterr().err


REFUSED = [
    ("missing.npz", "config.json", "missing.npz: No such file or directory"),
    ("cache.npz", "empty", "empty: the folder must hold config.json or params.json"),
    ("cache.npz", "opennmt", "opennmt: there is no such file, and no library is named"),
    ("cache.npz", "opennmt", "'opennmt_py_concat', 'opennmt_tf'\n"),
    ("turn.npz", "config.json", "turn.npz: a turn must have q, turned, positions, got no posi"),
    ("cache.npz", "shapes.npz", "cos_cached, sin_cached must have the shapes of the reference"),
    ("zero.npy", "zero.npy", "zero.npy: its array must hold numbers, got shape (0, 64)"),
    ("cache.npz", "strange.json", "strange.json: config must have rope_theta or "),
    ("cache.npz", "names.npz", "both files must have an array of the same name"),
    ("cache.npz", "config.txt", "No such file or directory"),
]


def test_what_cannot_be_compared_prints_one_line_and_exits_with_2(
    saved, capsys, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    for name, held in {
        "cache.npz": cache(RIGHT),
        "shapes.npz": {"cos_cached": np.ones((3, 3)), "sin_cached": np.ones((3, 3))},
        "names.npz": {"a": np.ones((3, 3)), "b": np.ones((3, 3))},
        "turn.npz": {name: held for name, held in turn(RIGHT).items() if name != "positions"},
        "zero.npy": np.ones((0, 64)),
        "strange.json": {"model_type": "mine"},
        "config.json": CONFIG,
    }.items():
        saved(name, held)
    (tmp_path / "empty").mkdir()
    for mine, reference, error in REFUSED:
        assert main(["compare", mine, reference]) == 2
        out, err = capsys.readouterr()
        assert (out, err.count("\n")) == ("", 1)
        assert error in err


@pytest.mark.parametrize(("option", "value"), [("--group", "all layers"), ("--length", "50")])
def test_an_option_of_configs_needs_a_config(saved, capsys, option, value):
    table = saved("table.npy", TABLE)
    for reference in ("trax", table):
        assert main(["compare", table, reference, option, value]) == 2
        assert f"{option} must be left out where the ref" in capsys.readouterr().err
    assert main(["compare", table, "trax", "--length", "nan"]) == 2
    assert "posenc: --length must be finite and greater than 0" in capsys.readouterr().err
