"""Rotary.from_config at the limits of the widths, and with a part of what a rule needs."""

from __future__ import annotations

import pytest

from posenc import Rotary
from posenc.rotary import NTK, DynamicNTK, Llama3, YaRN
from tests.test_rotary_config import from_config

BASE = {"rope_theta": 10_000.0}


@pytest.mark.parametrize("name", ["head_dim", "qk_rope_head_dim"])
def test_a_head_may_be_as_narrow_as_one_pair_and_not_as_wide_as_one_likes(name):
    assert from_config({**BASE, name: 2}) == Rotary(2)
    for width, rule in ((1, "at least 2"), (0, "at least"), (2**20 + 2, "at most 1048576")):
        with pytest.raises(ValueError, match=rf"^{name} must be {rule}.*, got {width}$"):
            from_config({**BASE, name: width})


def test_the_widest_head_may_turn_one_pair():
    config = {**BASE, "head_dim": 2**20, "rotary_dim": 2}
    assert from_config(config) == Rotary(2**20, rotary_dim=2)


@pytest.mark.parametrize("given", [{"hidden_size": 64}, {"num_attention_heads": 4}])
def test_a_width_without_the_number_of_heads_is_not_enough(given):
    with pytest.raises(ValueError, match=r"^config must have head_dim, or hidden_size and num_at"):
        from_config({**BASE, **given})


def test_layers_with_bases_of_their_own_turn_whole_heads_unless_the_config_says_otherwise():
    config = {"head_dim": 8, "rope_theta": [1e6, 1e4], "layer_types": ["far", "near"]}
    assert from_config(config) == {"far": Rotary(8, base=1e6), "near": Rotary(8)}


@pytest.mark.parametrize("inner", [{"hidden_size": 64}, {"num_attention_heads": 2}])
def test_an_outer_width_counts_unless_the_inner_config_says_how_wide_a_head_is(inner):
    outer = {**BASE, "head_dim": 16}
    assert from_config({**outer, "text_config": inner}) == Rotary(16)
    whole = {"hidden_size": 64, "num_attention_heads": 2}
    assert from_config({**outer, "text_config": whole}) == Rotary(32)


def test_the_name_that_transformers_uses_counts_where_a_config_has_two():
    config = {"head_dim": 8, "rope_theta": 2e4, "rotary_emb_base": 3e4, "rope_base": 4e4}
    assert from_config(config).base == 2e4
    del config["rope_theta"]
    assert from_config(config).base == 3e4


NOMIC = {"model_type": "nomic_bert", "n_embd": 768, "n_head": 12, "rotary_emb_base": 1000}


@pytest.mark.parametrize(
    ("config", "scaling"),
    [
        ({"rotary_scaling_factor": None}, None),
        ({"rotary_scaling_factor": 2}, DynamicNTK(2, 2048)),  # the default of Nomic's code
        ({"rotary_scaling_factor": 2, "max_trained_positions": 512}, DynamicNTK(2, 512)),
    ],
)
def test_nomic_stretches_texts_longer_than_those_of_its_training(config, scaling):
    config = {**NOMIC, "max_position_embeddings": 8192, **config}
    assert from_config(config) == Rotary(64, base=1000, scaling=scaling)


def test_a_wrong_factor_of_nomic_is_refused_by_its_name():
    with pytest.raises(ValueError, match=r"^rotary_scaling_factor must be finite .* got -2"):
        from_config({**NOMIC, "rotary_scaling_factor": -2})


SCALINGS = {
    "ntk": ({"factor": 3.0}, NTK(3)),
    "dynamic": ({"factor": 3.0}, DynamicNTK(3, 512)),
    "llama3": (
        {"factor": 3.0, "low_freq_factor": 2.0, "high_freq_factor": 5.0}
        | {"original_max_position_embeddings": 256},
        Llama3(
            3.0, low_freq_factor=2.0, high_freq_factor=5.0, original_max_position_embeddings=256
        ),
    ),
    "yarn": (
        {"factor": 3.0, "original_max_position_embeddings": 256, "beta_fast": 16.0}
        | {"beta_slow": 2.0, "attention_factor": 1.5, "mscale": 0.5, "mscale_all_dim": 0.25},
        YaRN(
            3.0,
            original_max_position_embeddings=256,
            beta_fast=16.0,
            beta_slow=2.0,
            attention_factor=1.5,
            mscale=0.5,
            mscale_all_dim=0.25,
        ),
    ),
}


@pytest.mark.parametrize("kind", SCALINGS)
def test_every_option_of_a_scaling_is_the_one_that_the_config_has(kind):
    options, scaling = SCALINGS[kind]
    given = {**BASE, "head_dim": 8, "max_position_embeddings": 512}
    config = {**given, "rope_scaling": {"rope_type": kind, **options}}
    assert from_config(config) == Rotary(8, scaling=scaling)


def test_a_wrong_base_of_a_set_is_refused_by_its_name():
    config = {"head_dim": 8, "local_rope_theta": 1e4, "rope_parameters": {"rope_theta": -1}}
    with pytest.raises(ValueError, match=r"^rope_theta must be finite and greater than 0, got -1"):
        from_config(config)
