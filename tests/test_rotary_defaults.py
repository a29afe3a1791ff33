"""The options that a config leaves out are those of transformers 5.23.0."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from posenc import Rotary
from posenc.rotary import Linear, YaRN
from posenc.rotary._config import rotary_options
from posenc.rotary._families import DEFAULTS

FILE = Path(__file__).parent / "data" / "rotary" / "defaults.json"
KNOWN = json.loads(FILE.read_text(encoding="utf-8"))
# Models that never were a part of transformers; the code comes with their weights.
ELSEWHERE = {
    *("baichuan", "chatglm", "deepseek", "ernie4_5_moe_vl", "exaone4_5_text", "internlm"),
    *("internlm2", "kimi_k2", "minicpm", "phi3small", "qwen"),
}
# The defaults of that code: features of a head, features that rotate, base. The config of ChatGLM
# and of MiniCPM says how wide a head is.
PUBLISHED = {
    **dict.fromkeys(("baichuan", "deepseek", "exaone4_5_text", "internlm"), (128, 128, 10_000)),
    **dict.fromkeys(("internlm2", "minicpm", "qwen"), (128, 128, 10_000)),
    "chatglm": (128, 64, 10_000),
    "ernie4_5_moe_vl": (128, 128, 500_000),
    "kimi_k2": (64, 64, 10_000),
    "phi3small": (128, 128, 1_000_000),
}
# Here hidden_size / num_attention_heads is odd, so the defaults by themselves make no encoding.
ODD = {"glm4_moe", "glm4v_moe_text", "qwen3_omni_moe_text"}
# A config has to say these, unless DEFAULTS has them.
MUST_BE_THERE = ("hidden_size", "num_attention_heads", "max_position_embeddings")
SIZES = ("hidden_size", "num_attention_heads", "head_dim", "qk_rope_head_dim", "rotary_dim")
SIZES += ("original_max_position_embeddings",)


def shortest(model):
    """A config of this type that says no more than it must."""
    given = {*MUST_BE_THERE} & KNOWN[model].keys() - DEFAULTS[model].keys()
    return {"model_type": model, **{name: KNOWN[model][name] for name in sorted(given)}}


SHORTEST = {model: shortest(model) for model in KNOWN}
SCALED = {
    "model_type": "gpt_oss",
    "max_position_embeddings": 16_384,
    "rope_scaling": {"rope_type": "yarn", "factor": 8.0},
}


def test_every_model_type_is_compared():
    assert {*KNOWN} == {*DEFAULTS} - ELSEWHERE


@pytest.mark.parametrize("model", KNOWN)
def test_the_sizes_of_a_model_type_are_those_of_transformers(model):
    for name in SIZES:
        if name in DEFAULTS[model]:
            assert DEFAULTS[model][name] == KNOWN[model][name], name


@pytest.mark.parametrize("model", sorted(KNOWN.keys() - ODD))
def test_a_model_type_alone_gives_the_encoding_of_transformers(model):
    whole = {"model_type": model, **KNOWN[model]}
    assert rotary_options(SHORTEST[model]) == rotary_options(whole)


@pytest.mark.parametrize("model", sorted(ODD))
def test_base_and_share_of_a_model_type_without_a_usual_head_are_those_of_transformers(model):
    whole = {"model_type": model, **KNOWN[model], "head_dim": 128}
    assert rotary_options({**SHORTEST[model], "head_dim": 128}) == rotary_options(whole)


@pytest.mark.parametrize("model", sorted(ELSEWHERE))
def test_a_model_type_outside_transformers_has_the_defaults_of_its_published_code(model):
    given = {"chatglm": {"kv_channels": 128}, "minicpm": {"head_dim": 128}}.get(model, {})
    rotary = Rotary.from_config({"model_type": model, **given})
    assert (rotary.head_dim, rotary.rotary_dim, rotary.base) == PUBLISHED[model]


def test_a_scaling_that_the_config_has_takes_the_place_of_the_default():
    rotary = Rotary.from_config(SCALED)
    assert rotary.base == 150_000
    assert rotary.scaling == YaRN(8.0, original_max_position_embeddings=16_384)


WITH_A_SET = [model for model in KNOWN if {"rope_theta", "rope_parameters"} <= {*DEFAULTS[model]}]


@pytest.mark.parametrize("model", WITH_A_SET)
def test_a_scaling_in_place_of_the_default_keeps_the_base_of_the_model_type(model):
    default = KNOWN[model]["rope_parameters"]
    base = default.get("full_attention", default)["rope_theta"]
    scaled = {**SHORTEST[model], "rope_scaling": {"type": "linear", "factor": 2.0}}
    rotary = Rotary.from_config(scaled)
    assert (rotary.base, rotary.scaling) == (base, Linear(2))
