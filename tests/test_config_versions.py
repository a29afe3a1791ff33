"""`convert_config`: the keys of transformers 4 and 5 say the same, or the conversion is refused."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from posenc.plans import Plan
from posenc.rotary import convert_config
from tests.test_corpus import EVERY
from tests.test_rotary_config import of

FACTORS = {"short_factor": [1.0] * 4, "long_factor": [2.0] * 4}
PHI3 = of("phi3", hidden_size=16, num_attention_heads=2, max_position_embeddings=8192)
PHI3_OLD = {**PHI3, "original_max_position_embeddings": 4096, "rope_theta": 1e4}
GEMMA = of("gemma3_text", head_dim=8)
NEOX = {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.25}
LINEAR = {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}


def two_bases(full, near):
    """Sets for two types of layers that nothing scales."""
    sets = {"full_attention": full, "sliding_attention": near}
    return {name: {"rope_type": "default", "rope_theta": base} for name, base in sets.items()}


def tried(function, *given, **options):
    """What a function returns, or None if it refuses."""
    try:
        return function(*given, **options)
    except ValueError:
        return None


def test_a_published_file_means_the_same_in_each_version_and_after_the_way_back():
    read, refused = 0, [0, 0]  # by version 5, by version 4
    for name, held in EVERY.items():
        found, given = tried(Plan.from_dict, held["config"]), held["config"]
        if not found or found.format != "transformers":
            continue
        read, before = read + 1, deepcopy(given)
        new = tried(convert_config, given, version=5)
        old = tried(convert_config, given if new is None else new, version=4)
        assert given == before
        refused = [refused[0] + (new is None), refused[1] + (old is None)]
        for made, version, key in ((new, 5, "rope_scaling"), (old, 4, "rope_parameters")):
            if made is not None and any(group.turns for group in found):
                assert f'"{key}"' not in json.dumps(made), name
                assert convert_config(made, version=version) == made
            assert made is None or Plan.from_dict(made).groups == found.groups, name
    assert read >= 150
    assert max(refused) <= read // 25


OLD = {"type": "linear", "factor": 2.0}
KEYS = [  # of version 4, and the set of version 5
    (of("gpt_neox", rotary_emb_base=1e4, rotary_pct=0.25), NEOX),
    (of("olmo", head_dim=8, rope_theta=1e4, rope_scaling=OLD), LINEAR),
    ({**GEMMA, "rope_theta": 1e6, "rope_local_base_freq": 1e4}, two_bases(1e6, 1e4)),
    (
        {**PHI3_OLD, "rope_scaling": {"type": "longrope", **FACTORS}},
        {"rope_type": "longrope", "rope_theta": 1e4, **FACTORS},
    ),
]


@pytest.mark.parametrize(("old", "parameters"), KEYS)
def test_each_key_goes_where_the_other_version_reads_it(old, parameters):
    made = convert_config(old, version=5)
    assert made["rope_parameters"] == parameters
    assert all(made[key] == value for key, value in old.items() if key in made)
    back = convert_config(made, version=4)
    assert {"rope_scaling": None, **old} == {"rope_scaling": None, **back}


WARM = {"rope_type": "longrope", "attention_factor": 1.5, **FACTORS}
HALF = {"rope_type": "proportional", "partial_rotary_factor": 0.5}
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0}
LLAMA3 |= {"original_max_position_embeddings": 8192, "rope_theta": 5e5}
NEAR = {**two_bases(1e6, 1e4), "sliding_attention": LINEAR}
BAMBA = of("bamba", head_dim=16, rope_theta=1e4, partial_rotary_factor=0.125)
WINDOWS = of("modernbert-decoder", global_rope_theta=1e4)
REFUSED = [
    ("name the base of a cohere, got none: version 4 takes 10,000", 5, of("cohere")),
    ("layers with a window, got none: version 4", 5, WINDOWS),
    ("version 4 can say, got a scaling of a nemotron", 5, of("nemotron", rope_scaling=LINEAR)),
    ("must be 0.5 for a bamba", 5, BAMBA),
    ("got the scaling .* of a olmo", 4, of("olmo", head_dim=8, rope_parameters=LLAMA3)),
    ("keys of one version", 5, of("llama", rope_theta=1e4, rope_parameters={"rope_theta": 5e5})),
    ("of layers of a gemma4", 4, of("gemma4_text", rope_parameters={"full_attention": {}})),
    ("version 5 can say, got one set", 5, of("laguna", rope_theta=1e4)),
    ("version 4 can say, got the scaling", 4, {**PHI3, "rope_parameters": WARM}),
    ("layers with a window that are scaled", 4, {**GEMMA, "rope_parameters": NEAR}),
    ("rope type 'proportional' of a llama", 4, of("llama", rope_parameters=HALF)),
    ("must be a config.json of transformers, got mistral's", 5, {"dim": 64, "n_heads": 4}),
    ("version must be at most 5, got 6", 6, of("llama")),
]


@pytest.mark.parametrize(("message", "version", "config"), REFUSED)
def test_what_a_version_cannot_say_is_refused(message, version, config):
    with pytest.raises(ValueError, match=message):
        convert_config(config, version=version)


def test_old_names_of_rope_types_are_replaced():
    phi3 = {**PHI3, "rope_scaling": {"type": "su", **FACTORS}}
    qwen = of("qwen2_vl", head_dim=128, rope_scaling={"type": "mrope"})
    for config, kind in ((phi3, "longrope"), (qwen, "default")):
        assert convert_config(config, version=5)["rope_parameters"]["rope_type"] == kind
