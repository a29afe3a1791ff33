"""Rotary.from_config: what a config.json says where transformers gives no answer to compare with.

tests/data/rotary/options.json has these configs. Published files, small configs and default
configs stand in test_rotary_config_outputs.py and test_corpus.py, with what transformers computes.
"""

from __future__ import annotations

import copy
import json
import re
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import posenc.rotary
from posenc import Rotary
from posenc.rotary import Plan, convert_config

OPTIONS = json.loads(
    (Path(__file__).parent / "data" / "rotary" / "options.json").read_text("utf-8")
)
CONFIGS, WRONG, NO_ROTARY = OPTIONS["configs"], OPTIONS["wrong"], dict(OPTIONS["no rotary"])
HEAD = {"rope_theta": 1e4, "head_dim": 8}
LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}

from_config = partial(Rotary.from_config, layout="halves")  # where no type of a model decides


def made(expected):
    """The encoding of a line of Python, or those of several types of layers."""
    if isinstance(expected, dict):
        return {name: made(line) for name, line in expected.items()}
    return eval(expected, {**vars(posenc.rotary), "Rotary": Rotary})


@pytest.mark.parametrize(("config", "expected"), CONFIGS)
def test_a_config_says_how_its_model_rotates(config, expected):
    before = copy.deepcopy(config)
    assert from_config(config) == made(expected)
    assert config == before


@pytest.mark.parametrize(
    "read",
    [
        Rotary.from_config,
        Plan.from_dict,
        partial(convert_config, version=5),
    ],
)
def test_every_reader_of_configs_takes_a_dict_a_text_a_path_or_an_object(read, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA), "utf-8")
    forms = (json.dumps(LLAMA), path, str(path), tmp_path, SimpleNamespace(to_dict=lambda: LLAMA))
    assert all(read(form) == read(LLAMA) for form in forms)
    assert Plan.from_file(path) == Plan.from_dict(LLAMA)


def test_every_wrong_config_gets_one_error_that_states_a_rule():
    said = set()
    for config in WRONG:
        with pytest.raises((TypeError, ValueError), match=r"^[^\n]* must [^\n]*$") as caught:
            from_config(config)
        said.add(str(caught.value))
    assert len(said) > len(WRONG) - 3
    for rule, config in NO_ROTARY.items():
        with pytest.raises((TypeError, ValueError), match=f"^config must {re.escape(rule)}$"):
            from_config(config)
    assert "head_dim * rotary_pct must be even, got 8 * 0.4 = 3" in said
    assert "rope_theta must have a number for each of the 2 layer_types, got [10000]" in said
    for name in ("hidden_size", "head_dim"):
        with pytest.raises(ValueError, match=f"^{name} must be at most 9007199254740992, got 1000"):
            from_config({"rope_theta": 1e4, "num_attention_heads": 1, name: 10**30})


def test_a_config_for_another_function_or_without_a_layout_is_refused():
    for config in ({"_class_name": "FluxTransformer2DModel"}, {"dim": 64, "n_heads": 4}):
        with pytest.raises(ValueError, match=r"posenc\.rotary\.Plan reads others"):
            Rotary.from_config(config)
    mine = {**HEAD, "model_type": "mine"}
    with pytest.raises(ValueError, match="or layout must be given, got model_type 'mine'"):
        Rotary.from_config(mine)
    assert Rotary.from_config(mine, layout="interleaved").layout == "interleaved"
    assert Rotary.from_config(LLAMA, layout="interleaved").layout == "halves"
    assert Rotary.from_config({"model_type": "gptj"}, layout="halves").layout == "interleaved"


def test_one_type_of_layers_may_be_chosen():
    gemma = {"model_type": "gemma3_text", "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}
    both = Rotary.from_config(gemma)
    assert {kind: Rotary.from_config(gemma, layer_type=kind) for kind in both} == both
    assert Rotary.from_config(LLAMA, layer_type="any") == Rotary.from_config(LLAMA)
    with pytest.raises(ValueError, match=r"layer_type must be 'full_attention' or 'sliding_a.*'x'"):
        Rotary.from_config(gemma, layer_type="x")


def test_a_config_may_have_as_many_configs_inside_each_other_as_the_error_says():
    config = HEAD
    for _ in range(100):
        config = {"text_config": config}
    assert from_config(config) == Rotary(8)
    itself = {**HEAD}
    itself["text_config"] = itself
    for deeper in ({"text_config": config}, itself):
        with pytest.raises(ValueError, match="at most 100 configs inside each other"):
            from_config(deeper)
