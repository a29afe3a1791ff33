"""`python -m posenc config FILE`: its answers, its JSON, and its one-line errors."""

from __future__ import annotations

import json

import pytest

from posenc.__main__ import main
from posenc.plans import Plan
from posenc.rotary import Rotary

LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "rope_theta": 5e5}
LONG = {"rope_type": "dynamic", "factor": 2.0}


def saved(folder, config, name="config.json"):
    path = folder / name
    path.write_text(config if isinstance(config, str) else json.dumps(config))
    return str(path)


def test_the_command_prints_the_plan(tmp_path, capsys):
    assert main(["config", saved(tmp_path, LLAMA)]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines() == [
        "llama (config.json of transformers)",
        "all layers: 128 of 128 features turn, halves, base 500,000, no scaling",
        "  scores  q·k times 1/√128 = 0.088388",
        "  waves   6.2832 to 2,559,200 positions",
        "  Python  Rotary(128, base=500000)",
        "odd: nothing",
        "programs differ: no place known",
    ]


def test_the_command_counts_the_layers_where_all_are_alike_and_lists_them_elsewhere(
    tmp_path, capsys
):
    for flags, first in (
        ({}, "all 4 layers: "),
        ({"model_type": "smollm3", "no_rope_layers": [1, 1, 1, 0]}, "all layers (3:"),
    ):
        path = saved(tmp_path, {**LLAMA, "num_hidden_layers": 4, **flags})
        assert main(["config", path]) == 0
        assert capsys.readouterr().out.splitlines()[1].startswith(first)


def test_the_command_prints_the_plan_as_json(tmp_path, capsys):
    path = saved(tmp_path, LLAMA)
    assert main(["config", path, "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    frequencies = printed["groups"][0].pop("frequencies")
    assert frequencies == Rotary(128, base=5e5).frequencies().tolist()
    assert printed == json.loads(json.dumps(Plan.from_file(path).to_dict()))


def test_a_length_chooses_the_frequencies_and_the_attention_factor(tmp_path, capsys):
    lists = {"short_factor": [1.0] * 64, "long_factor": [2.0] * 64}
    scaling = {"rope_type": "longrope", **lists, "short_mscale": 1.25, "long_mscale": 1.5}
    given = {**LLAMA, "rope_scaling": {**scaling, "original_max_position_embeddings": 4096}}
    path = saved(tmp_path, {**given, "max_position_embeddings": 8192})
    for options, factor in (([], 1.25), (["--length", "4097"], 1.5)):
        assert main(["config", path, "--json", *options]) == 0
        (group,) = json.loads(capsys.readouterr().out)["groups"]
        assert group["attention_factor"] == factor
        assert group["frequencies"][0] == (0.5 if options else 1.0)
    assert main(["config", path, "--length", "4097"]) == 0
    assert "waves   12.566 to" in capsys.readouterr().out


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
def test_a_config_that_is_refused_exits_with_1_and_says_why(tmp_path, capsys, config, message):
    assert main(["config", saved(tmp_path, config)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
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


def test_identify_prints_json_too(tmp_path, capsys):
    path = tmp_path / "pe.csv"
    path.write_text("0,1\n0.84147098,0.54030231\n0.90929743,-0.41614684\n")
    assert main(["identify", str(path), "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)
    assert report["name"] == "pe.csv"
    assert report["answer"]["matches"][0]["convention"]["type"] == "Convention"
