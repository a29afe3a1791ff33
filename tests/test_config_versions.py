"""`convert_config`: the keys of transformers 4 and 5 say the same, or the conversion is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy

import pytest

from posenc.plans import Plan
from posenc.rotary import convert_config
from tests.test_corpus import EVERY

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
PHI3 = {"model_type": "phi3", "hidden_size": 16, "num_attention_heads": 2}
FACTORS = {"short_factor": [1.0] * 4, "long_factor": [2.0] * 4}
GEMMA = {"model_type": "gemma3_text", "head_dim": 8}


def plan(config):
    """The plan of a published config.json of transformers, None for other files."""
    try:
        found = Plan.from_dict(config)
    except ValueError:
        return None
    return found if found.format == "transformers" else None


PLANS = {name: plan(held["config"]) for name, held in EVERY.items()}
PLANS = {name: found for name, found in PLANS.items() if found is not None}


def converted(config, version):
    try:
        return convert_config(config, version=version)
    except ValueError:
        return None


def dicts(config):
    """The config, and every config inside it."""
    yield config
    for name, inner in config.items():
        if isinstance(inner, Mapping) and name != "rope_parameters":
            yield from dicts(inner)


@pytest.mark.parametrize("version", [4, 5])
def test_a_published_file_means_the_same_in_each_version_and_after_the_way_back(version):
    refused = 0
    for name, found in PLANS.items():
        given = EVERY[name]["config"]
        before = deepcopy(given)
        new = converted(given, version)
        assert given == before
        if new is None:
            refused += 1
            continue
        if any(group.turns for group in found):
            forbidden = ["rope_parameters"] if version == 4 else ["rope_scaling"]
            assert not [key for one in dicts(new) for key in forbidden if key in one]
            assert convert_config(new, version=version) == new
        back = converted(new, 9 - version)
        for other in (new, back):
            assert other is None or Plan.from_dict(other).groups == found.groups, name
    assert len(PLANS) >= 150
    assert refused <= len(PLANS) // 25


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (
            {"model_type": "llama", "head_dim": 8, "rope_theta": 5e5, "rope_scaling": LLAMA3},
            {"rope_parameters": {**LLAMA3, "rope_theta": 5e5}},
        ),
        (
            {"model_type": "gpt_neox", "rotary_emb_base": 1e4, "rotary_pct": 0.25},
            {
                "rope_parameters": {
                    "rope_type": "default",
                    "rope_theta": 1e4,
                    "partial_rotary_factor": 0.25,
                }
            },
        ),
        (
            {**GEMMA, "rope_theta": 1e6, "rope_local_base_freq": 1e4},
            {
                "rope_parameters": {
                    "full_attention": {"rope_type": "default", "rope_theta": 1e6},
                    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
                }
            },
        ),
        (
            {"model_type": "modernbert", "global_rope_theta": 16e4, "local_rope_theta": 1e4},
            {
                "rope_parameters": {
                    "full_attention": {"rope_type": "default", "rope_theta": 16e4},
                    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
                }
            },
        ),
        (
            {
                **PHI3,
                "original_max_position_embeddings": 4096,
                "max_position_embeddings": 8192,
                "rope_theta": 1e4,
                "rope_scaling": {"type": "longrope", **FACTORS},
            },
            {"rope_parameters": {"rope_type": "longrope", "rope_theta": 1e4, **FACTORS}},
        ),
    ],
)
def test_each_key_goes_where_the_other_version_reads_it(old, new):
    made = convert_config(old, version=5)
    assert {key: made[key] for key in new} == new
    assert all(made[key] == value for key, value in old.items() if key in made)
    assert {"rope_scaling": None, **old} == {
        "rope_scaling": None,
        **convert_config(made, version=4),
    }


@pytest.mark.parametrize(
    ("config", "version", "message"),
    [
        (
            {"model_type": "cohere"},
            5,
            "name the base of a cohere, got none: version 4 takes 10,000",
        ),
        ({"model_type": "cohere", "rope_parameters": {}}, 4, "name the base of a cohere, got none"),
        (
            {"model_type": "llama", "rope_theta": 1e4, "rope_parameters": {"rope_theta": 5e5}},
            5,
            "the keys of one version",
        ),
        (
            {"model_type": "gemma4_text", "rope_parameters": {"full_attention": {}}},
            4,
            "a set of rope parameters for each type of layers of a gemma4_text",
        ),
        ({"model_type": "laguna", "rope_theta": 1e4}, 5, "version 5 can say, got one set"),
        (
            {
                **PHI3,
                "max_position_embeddings": 8192,
                "rope_parameters": {"rope_type": "longrope", "attention_factor": 1.5, **FACTORS},
            },
            4,
            "version 4 can say, got the scaling",
        ),
        (
            {
                **GEMMA,
                "rope_parameters": {
                    "full_attention": {"rope_theta": 1e6},
                    "sliding_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4},
                },
            },
            4,
            "layers with a window that are scaled",
        ),
        (
            {
                "model_type": "llama",
                "rope_parameters": {"rope_type": "proportional", "partial_rotary_factor": 0.5},
            },
            4,
            "rope type 'proportional' of a llama",
        ),
        ({"dim": 64, "n_heads": 4}, 5, "must be a config.json of transformers, got mistral's"),
        ({"model_type": "llama"}, 6, "version must be at most 5, got 6"),
    ],
)
def test_what_a_version_cannot_say_is_refused(config, version, message):
    with pytest.raises(ValueError, match=message):
        convert_config(config, version=version)


@pytest.mark.thorough
def test_where_transformers_is_installed_it_reads_the_same_parameters_from_all_three():
    transformers = pytest.importorskip("transformers", minversion="5.24")

    def read(config):
        inner = {key: value for key, value in deepcopy(config).items() if key != "model_type"}
        text = transformers.CONFIG_MAPPING[config["model_type"]](**inner).get_text_config()
        return {**(getattr(text, "rope_parameters", None) or {}), "type": None}

    for name in PLANS:
        given = EVERY[name]["config"]
        every = [given, *(converted(given, version) for version in (4, 5))]
        if given.get("model_type") in transformers.CONFIG_MAPPING and None not in every:
            first, *others = (json.dumps(read(one), sort_keys=True) for one in every)
            assert others == [first, first], name


def test_old_names_of_rope_types_are_replaced():
    phi3 = {**PHI3, "max_position_embeddings": 8192, "rope_scaling": {"type": "su", **FACTORS}}
    qwen = {"model_type": "qwen2_vl", "head_dim": 128, "rope_scaling": {"type": "mrope"}}
    for config, kind in ((phi3, "longrope"), (qwen, "default")):
        assert convert_config(config, version=5)["rope_parameters"]["rope_type"] == kind
