"""Rotary.from_config: what the config.json of well-known models says, old names and new."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import Rotary, check
from posenc.rotary import (
    NTK,
    DynamicNTK,
    Linear,
    Llama3,
    LongRoPE,
    Plan,
    Proportional,
    SteppedNTK,
    YaRN,
    axes,
    convert_config,
)
from tests import rotary_reference as reference
from tests.examples import examples


def from_config(config):
    """The encoding of a config, in halves where no type of a model says otherwise."""
    return Rotary.from_config(config, layout="halves")


@pytest.mark.parametrize(
    "read",
    [
        Rotary.from_config,
        Plan.from_dict,
        partial(convert_config, version=5),
        lambda config: check(Rotary(128).rotate, config),
    ],
)
def test_every_reader_of_configs_takes_a_dict_a_text_a_path_or_an_object(read, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA), "utf-8")
    forms = (json.dumps(LLAMA), path, str(path), tmp_path, SimpleNamespace(to_dict=lambda: LLAMA))
    assert all(read(form) == read(LLAMA) for form in forms)


LLAMA = {"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32}
LLAMA3 = {
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
    "rope_type": "llama3",
}
PHI3 = {
    "model_type": "phi3",
    "hidden_size": 3072,
    "num_attention_heads": 32,
    "max_position_embeddings": 131072,
    "original_max_position_embeddings": 4096,
    "rope_theta": 10000.0,
}
LISTS = {
    "long_factor": [1.0 + i for i in range(48)],
    "short_factor": [1.0 + i / 48 for i in range(48)],
}
PHI3_SCALING = LongRoPE(**LISTS, original_max_position_embeddings=4096, factor=32)
MLA = {"qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128}
DEEPSEEK = {
    "beta_fast": 32,
    "beta_slow": 1,
    "factor": 40,
    "mscale": 1.0,
    "mscale_all_dim": 1.0,
    "original_max_position_embeddings": 4096,
    "type": "yarn",
}
DEEPSEEK_SCALING = YaRN(40, original_max_position_embeddings=4096, mscale=1.0, mscale_all_dim=1.0)
GEMMA3 = {"model_type": "gemma3_text", "rope_scaling": {"factor": 8.0, "rope_type": "linear"}}
NEST = {"model_type": "gemma4_text", "hidden_size": 2816, "num_attention_heads": 8}

# The options of published config.json files that concern positions, and what they mean.
BASE = {"rope_theta": 10000.0}
CONFIGS: dict[str, tuple[dict, Rotary | dict[str, Rotary]]] = {
    "two sets, of which one replaces the other": (
        {
            "head_dim": 64,
            "rope_theta": 5e5,
            "rope_parameters": {"rope_type": "default", "rope_theta": 1e6},
            "rope_scaling": {"type": "linear", "factor": 4.0},
        },
        Rotary(64, base=5e5, scaling=Linear(4.0)),
    ),
    "an empty set, which replaces nothing": (
        {
            "head_dim": 64,
            "rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e6},
            "rope_scaling": {},
        },
        Rotary(64, base=1e6, scaling=Linear(2.0)),
    ),
    "proportional under the older name": (
        {
            **BASE,
            "head_dim": 8,
            "rope_scaling": {"type": "proportional", "partial_rotary_factor": 0.5},
        },
        Rotary(8, scaling=Proportional(0.5)),
    ),
    "Llama 1": ({**LLAMA, "max_sequence_length": 2048}, Rotary(128)),
    "Llama 2": ({**LLAMA, "max_position_embeddings": 4096, "rope_scaling": None}, Rotary(128)),
    "Llama 3.1 8B": (
        {**LLAMA, "rope_theta": 500000.0, "rope_scaling": LLAMA3},
        Rotary(128, base=500_000, scaling=Llama3(8)),
    ),
    "Llama 4 Scout": (
        {
            "model_type": "llama4",
            "text_config": {
                "model_type": "llama4_text",
                "head_dim": 128,
                "rope_theta": 500000.0,
                "rope_scaling": {**LLAMA3, "factor": 16.0, "high_freq_factor": 1.0},
            },
            "vision_config": {"hidden_size": 1408, "num_attention_heads": 16, "rope_theta": 10000},
        },
        Rotary(128, base=500_000, layout="interleaved", scaling=Llama3(16, high_freq_factor=1.0)),
    ),
    "Vicuna 16k": (
        {**LLAMA, "rope_scaling": {"factor": 4.0, "type": "linear"}},
        Rotary(128, scaling=Linear(4)),
    ),
    "LLaVA 1.5": (
        {"model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064}},
        Rotary(128),
    ),
    "Qwen2-VL 7B": (
        {"model_type": "qwen2_vl", "hidden_size": 3584, "num_attention_heads": 28}
        | {"rope_theta": 1e6, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24]}},
        Rotary(128, base=1e6),
    ),
    "Music Flamingo, whose outer width is of the sounds": (
        {
            "model_type": "musicflamingo",
            "head_dim": 1280,
            "text_config": {"model_type": "qwen2", "hidden_size": 3584, "num_attention_heads": 28},
        },
        Rotary(128),
    ),
    "BLT": (
        {
            "model_type": "blt",
            "decoder_config": {"model_type": "blt_local_decoder", "hidden_size": 1024}
            | {"num_attention_heads": 16, "rope_theta": 500000.0},
        },
        Rotary(64, base=500_000, layout="interleaved"),
    ),
    "Qwen 7B": (
        {"model_type": "qwen", "hidden_size": 4096, "kv_channels": 128, "rotary_pct": 1.0}
        | {"rotary_emb_base": 10000, "seq_length": 8192, "max_position_embeddings": 32768}
        | {"use_dynamic_ntk": True, "use_logn_attn": True},
        Rotary(128, scaling=SteppedNTK(8192)),
    ),
    "Phi-3 small 8k": (
        {"model_type": "phi3small", "hidden_size": 4096, "num_attention_heads": 32}
        | {"rope_embedding_base": 1000000, "rope_position_scale": 1.0, "rope_scaling": None},
        Rotary(128, base=1e6),
    ),
    "Phi-3 small with half the positions": (
        {"model_type": "phi3small", "hidden_size": 4096, "num_attention_heads": 32}
        | {"rope_embedding_base": 1000000, "rope_position_scale": 0.5},
        Rotary(128, base=1e6, scaling=Linear(2)),
    ),
    "Phi-3 mini 128k": (
        {**PHI3, "rope_scaling": {**LISTS, "type": "longrope"}},
        Rotary(96, scaling=PHI3_SCALING),
    ),
    "Phi-3 mini 128k, first": (
        {**PHI3, "rope_scaling": {**LISTS, "type": "su"}},
        Rotary(96, scaling=PHI3_SCALING),
    ),
    "Phi-3.5 MoE": (
        {**PHI3, "model_type": "phimoe"}
        | {"rope_scaling": {**LISTS, "type": "longrope", "short_mscale": 1.2, "long_mscale": 1.3}},
        Rotary(
            96,
            scaling=LongRoPE(
                **LISTS,
                original_max_position_embeddings=4096,
                factor=32,
                short_mscale=1.2,
                long_mscale=1.3,
            ),
        ),
    ),
    "Gemma 3 12B": (
        {
            "model_type": "gemma3",
            "text_config": {**GEMMA3, "hidden_size": 3840, "num_attention_heads": 16},
        },
        {
            "full_attention": Rotary(256, base=1e6, scaling=Linear(8)),
            "sliding_attention": Rotary(256),
        },
    ),
    "Gemma 4": (
        {"model_type": "gemma4", "text_config": {**NEST, "head_dim": 256, "global_head_dim": 512}},
        {
            "sliding_attention": Rotary(256),
            "full_attention": Rotary(512, base=1e6, scaling=Proportional(0.25)),
        },
    ),
    "DeepSeek-V3": (
        {"model_type": "deepseek_v3", "hidden_size": 7168, "num_attention_heads": 128, **MLA}
        | {"rope_theta": 10000, "rope_scaling": DEEPSEEK, "max_position_embeddings": 163840},
        Rotary(64, layout="interleaved", scaling=DEEPSEEK_SCALING),
    ),
    "GLM-4 9B": (
        {"model_type": "glm", "head_dim": 128, "partial_rotary_factor": 0.5, "rope_theta": 10000.0},
        Rotary(128, rotary_dim=64, layout="interleaved"),
    ),
    "ChatGLM, 128k": (
        {"model_type": "chatglm", "kv_channels": 128, "num_attention_heads": 32, "rope_ratio": 500},
        Rotary(128, base=5e6, rotary_dim=64, layout="interleaved"),
    ),
    "StableLM 3B, first": (
        {"model_type": "stablelm_epoch", "hidden_size": 2560, "num_attention_heads": 32}
        | {"rope_pct": 0.25, "rope_theta": 10000},
        Rotary(80, rotary_dim=20),
    ),
    "RedPajama 3B": (
        {"model_type": "gpt_neox", "hidden_size": 2560, "num_attention_heads": 32}
        | {"rotary_emb_base": 10000, "rotary_pct": 1.0},
        Rotary(80),
    ),
    "GPT-J 6B": (
        {"model_type": "gptj", "n_embd": 4096, "n_head": 16, "n_positions": 2048, "rotary_dim": 64},
        Rotary(256, rotary_dim=64, layout="interleaved"),
    ),
    "Command R7B": (
        {"model_type": "cohere2", "head_dim": 128, "rope_theta": 50000, "rotary_pct": 1.0}
        | {"position_embedding_type": "rope_gptj"},
        Rotary(128, base=50_000, layout="interleaved"),
    ),
    "InternLM2": (
        {**LLAMA, "model_type": "internlm2", "rope_theta": 1000000}
        | {"max_position_embeddings": 32768, "rope_scaling": {"type": "dynamic", "factor": 2.0}},
        Rotary(128, base=1e6, scaling=DynamicNTK(2, 32768)),
    ),
    "Hunyuan 7B": (
        {**LLAMA, "model_type": "hunyuan_v1_dense", "rope_theta": 10000.0}
        | {"rope_scaling": {"alpha": 1000.0, "factor": 1.0, "type": "dynamic"}},
        Rotary(128, scaling=NTK(1000)),
    ),
    "Granite with windows": (
        {"model_type": "granite_swa", "head_dim": 64, "rope_parameters": {"rope_theta": 10000.0}}
        | {"layer_rope_theta": [0, 10000, 10000.0, 0.0]},
        Rotary(64),
    ),
    "ModernBERT, stretched": (
        {"model_type": "modernbert", "rope_scaling": {"rope_type": "linear", "factor": 2.0}},
        {
            "full_attention": Rotary(64, base=160_000, scaling=Linear(2)),
            "sliding_attention": Rotary(64, scaling=Linear(2)),
        },
    ),
    "ESM-2": (
        {"model_type": "esm", "hidden_size": 320, "num_attention_heads": 20}
        | {"position_embedding_type": "rotary"},
        Rotary(16),
    ),
    "DBRX": (
        {"model_type": "dbrx", "d_model": 6144, "n_heads": 48, "attn_config": {"rope_theta": 5e5}},
        Rotary(128, base=500_000),
    ),
    "MiMo-V2 Flash": (
        {"model_type": "mimo_v2_flash", "head_dim": 192, "swa_head_dim": 192}
        | {"partial_rotary_factor": 0.334, "rope_theta": 5000000, "swa_rope_theta": 10000},
        {
            "full_attention": Rotary(192, base=5e6, rotary_dim=64),
            "sliding_attention": Rotary(192, rotary_dim=64),
        },
    ),
    "Step-3.5 Flash": (
        {"model_type": "step3p5", "head_dim": 128, "rope_theta": [5000000.0, 10000.0]}
        | {"layer_types": ["full_attention", "sliding_attention"]}
        | {"partial_rotary_factors": [0.5, 1.0], "rope_scaling": {**LLAMA3, "factor": 2.0}},
        {
            "full_attention": Rotary(128, base=5e6, rotary_dim=64, scaling=Llama3(2)),
            "sliding_attention": Rotary(128),
        },
    ),
    "numbers for more layers than there are types, as for layers that predict further tokens": (
        {"head_dim": 8, "rope_theta": [1e6, 10_000, 1e6, 7], "layer_types": ["far", "near", "far"]},
        {"far": Rotary(8, base=1e6), "near": Rotary(8)},
    ),
    "DeepSeek-V4": (
        {"model_type": "deepseek_v4", "head_dim": 512, "qk_rope_head_dim": 64, "rope_theta": 1e4}
        | {"compress_rope_theta": 160000, "rope_scaling": {**DEEPSEEK, "factor": 16}},
        {
            "main": Rotary(64, layout="interleaved"),
            "compress": Rotary(
                64,
                base=160_000,
                layout="interleaved",
                scaling=YaRN(
                    16,
                    original_max_position_embeddings=4096,
                    mscale=1.0,
                    mscale_all_dim=1.0,
                    attention_factor=1.0,
                ),
            ),
        },
    ),
}


@pytest.mark.parametrize("model", CONFIGS)
def test_the_config_of_a_model_says_how_it_rotates(model):
    config, expected = CONFIGS[model]
    before = copy.deepcopy(config)
    assert from_config(config) == expected
    assert config == before


FIVE = {
    name: record
    for name, record in reference.RECORDS.items()
    if record["spec_kind"] == "inv" and "rope_parameters" in record["options"]
}


@pytest.mark.parametrize("name", FIVE)
def test_rope_parameters_of_transformers_5_give_its_own_frequencies(name):
    options, spec = FIVE[name]["options"], FIVE[name]["spec"]
    config = {name: options[name] for name in ("head_dim", "rope_parameters")}
    if spec.get("scaling"):
        longest = spec["scaling"].get("max", spec["scaling"].get("original", 2048))
        config["max_position_embeddings"] = longest
    rotary = from_config(config)
    length = reference.length(spec)
    asked = rotary.attention_factor if spec.get("attention") else rotary.frequencies
    got = asked(length)
    allowed = reference.bound(spec, "inv", name)
    assert (np.abs(got - reference.ARRAYS[name]) <= allowed).all()


def test_version_5_says_the_same_as_version_4():
    five = {"head_dim": 128, "rope_parameters": {**LLAMA3, "rope_theta": 500000.0}}
    four = {"head_dim": 128, "rope_scaling": LLAMA3, "rope_theta": 500000.0}
    assert from_config(five) == from_config(four)
    part = {"rope_type": "default", "rope_theta": 1e4, "partial_rotary_factor": 0.5}
    assert from_config({"head_dim": 64, "rope_parameters": part}).rotary_dim == 32


def test_layer_types_of_version_5_have_their_own_parameters_and_some_none():
    parameters = {
        "full_attention": None,
        "sliding_attention": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e6},
        "chunked_attention": {"rope_type": "default"},
    }
    found = from_config({"head_dim": 8, "rope_parameters": parameters})
    assert found == {
        "sliding_attention": Rotary(8, base=1e6, scaling=Linear(2)),
        "chunked_attention": Rotary(8),
    }
    bases = {"rope_theta": 1e6, "rope_local_base_freq": 2e4}
    named = {"full_attention": {}, "sliding_attention": {"rope_type": "default"}}
    assert from_config({"head_dim": 8, **bases, "rope_parameters": named}) == {
        "full_attention": Rotary(8, base=1e6),
        "sliding_attention": Rotary(8, base=2e4),
    }
    changed = {
        "head_dim": 8,
        "layer_types": ["sliding_attention", "chunked_attention"],
        "per_layer_config": {"1": {"head_dim": 16}},
        "rope_parameters": parameters,
    }
    assert from_config(changed)["chunked_attention"] == Rotary(16)


def test_what_a_scaling_leaves_out_comes_from_the_lengths():
    config = {"head_dim": 64, "max_position_embeddings": 131072}
    yarn = {"rope_type": "yarn", "original_max_position_embeddings": 32768}
    made = from_config({**config, "rope_scaling": yarn})
    assert made.scaling == YaRN(4, original_max_position_embeddings=32768)
    without = {"rope_type": "yarn", "factor": 4.0, "beta_fast": None}
    made = from_config({**config, "rope_scaling": without})
    assert made.scaling == YaRN(4, original_max_position_embeddings=131072)


def test_an_early_config_of_phi_3_calls_longrope_yarn():
    config, expected = CONFIGS["Phi-3 mini 128k"]
    early = {**config, "rope_scaling": {**LISTS, "type": "yarn"}}
    assert from_config(early) == expected


def test_a_single_mscale_is_ignored_as_in_transformers():
    yarn = {"type": "yarn", "factor": 40, "original_max_position_embeddings": 4096}
    for single in ({"mscale": 0.707}, {"mscale_all_dim": 0.707, "mscale": 0.0}):
        rotary = from_config({"head_dim": 64, "rope_scaling": {**yarn, **single}})
        assert rotary.scaling == YaRN(40, original_max_position_embeddings=4096)


def test_sections_of_a_config_make_an_encoding_of_three_coordinates():
    config, _ = CONFIGS["Qwen2-VL 7B"]
    text = from_config(config)
    video = axes.sections(text, config["rope_scaling"]["mrope_section"])
    x = np.random.default_rng(0).standard_normal((4, 128))
    assert np.array_equal(video.rotate(x, [[7, 7, 7]] * 4), text.rotate(x, [7] * 4))


PAIRS_SIDE_BY_SIDE = (  # as their code in transformers 5.23 turns them
    *("blt_global_transformer", "blt_local_encoder", "blt_patcher", "openai_privacy_filter"),
    *("pe_audio_encoder", "pe_audio_video_encoder", "pe_video_encoder"),
)


@pytest.mark.parametrize("model", PAIRS_SIDE_BY_SIDE)
def test_these_models_turn_features_side_by_side(model):
    config = {"model_type": model, "head_dim": 64, "rope_scaling": {"rope_type": "default"}}
    config["rope_theta"] = 10_000.0
    assert from_config(config) == Rotary(64, layout="interleaved")


@pytest.mark.parametrize("model", ["llama4_vision_model", "sapiens2"])
def test_the_encoders_of_images_have_no_single_coordinate(model):
    with pytest.raises(ValueError, match=f"of a model with one coordinate .*, got '{model}'"):
        from_config({"model_type": model, "head_dim": 64, "rope_theta": 100.0})


KNOWN = "'default', 'mrope', 'ernie_3d', 'linear', 'ntk', 'dynamic', 'xdrope', 'yarn', "
KNOWN += "'deepseek_yarn', 'llama3', 'longrope', 'su', 'proportional'"
FOUR = {"type": "longrope", "short_factor": [1] * 4, "long_factor": [1] * 4}
WRONG = {
    "rope_interleave must be True or False, got 'false'": {
        **{"head_dim": 8, "rope_theta": 1e4, "rope_interleave": "false"},
    },
    "long_factor must have 4 numbers, got 3": {
        "head_dim": 8,
        "max_position_embeddings": 64,
        "rope_scaling": {**FOUR, "long_factor": [1] * 3},
    },
    "scaling must give a finite attention factor greater than 0, got nan": {
        "head_dim": 8,
        "max_position_embeddings": 64,
        "rope_scaling": {**FOUR, "original_max_position_embeddings": 0.5},
    },
    "scaling must give a finite attention factor greater than 0, got -12.0": {
        "head_dim": 8,
        "max_position_embeddings": 64,
        "rope_scaling": {"type": "yarn", "factor": 4, "mscale": -100, "mscale_all_dim": 0.5},
    },
    f"rope type must be one of {KNOWN}, got 'fancy'": {
        "head_dim": 64,
        "rope_scaling": {"rope_type": "fancy"},
    },
    "layer_rope_theta must be a list, got 10000.0": {
        **{"head_dim": 8, "rope_theta": 1e4, "layer_rope_theta": 1e4},
    },
    "layer_rope_theta must hold 0 or the base 10000.0, got 500000": {
        **{"head_dim": 8, "rope_theta": 10_000, "layer_rope_theta": [0, 1e4, 500_000]},
    },
    "layer_rope_theta must hold 0 or the base 10000.0, got '0'": {
        **{"head_dim": 8, "rope_theta": 1e4, "layer_rope_theta": ["0"]},
    },
    "layer_rope_theta must hold 0 or the base 10000.0, got False": {
        **{"head_dim": 8, "rope_theta": 1e4, "layer_rope_theta": [False]},
    },
    "rope_theta must be a real number, got '500000'": {"head_dim": 8, "rope_theta": "500000"},
    "rope_theta must be finite and greater than 0, got -1": {"head_dim": 8, "rope_theta": -1},
    "hidden_size // num_attention_heads must be at least 2, got 0": {
        **{"hidden_size": 4096, "num_attention_heads": 5000, "rope_theta": 1e4},
    },
    "config must be a dict, JSON text, a path, or an object with to_dict, got 7": 7,
    "config must have head_dim, or hidden_size and num_attention_heads": {"rope_theta": 1e4},
    "config must have factor where the rope type is 'linear'": {
        "head_dim": 64,
        "rope_scaling": {"type": "linear"},
    },
    "config must have max_position_embeddings for its rope type": {
        "head_dim": 64,
        "rope_scaling": {"type": "dynamic", "factor": 2},
    },
    "config must be of a model with a rotary encoding, got alibi": {**LLAMA, "alibi": True},
    "config must be of a model with a rotary encoding, got 'absolute'": {
        "model_type": "my_bert",
        "hidden_size": 768,
        "num_attention_heads": 12,
        "position_embedding_type": "absolute",
    },
    "config must be of .* rotary encoding, got 'marian', which has the sinusoidal encoding": {
        "model_type": "marian",
        "d_model": 512,
    },
    "config must be of a model with a rotary encoding, got 'nope'": {
        **LLAMA,
        "rope_theta": 1e4,
        "position_embedding_type": "nope",
    },
    r"config must be of a model with one coordinate \(.*, got position_encoding_2d": {
        "head_dim": 64,
        "position_encoding_2d": True,
    },
    r"config must be of a model with one coordinate \(posenc.rotary.axes .*, got 'dinov3_vit'": {
        "model_type": "dinov3_vit",
        "rope_theta": 100.0,
    },
    "config must have rope_theta, rope_scaling or rope_parameters, or a model_type known": {
        "model_type": "my_model",
        "n_embd": 768,
        "n_head": 12,
    },
    **{
        f"config must be of a model with a rotary encoding, got '{model}', which has {what}": {
            "model_type": model,
            **config,
        }
        for model, what, config in [
            ("gpt2", "a learned table of positions", {"n_embd": 768, "n_head": 12}),
            ("bert", "a learned table", {"position_embedding_type": "absolute"}),
            ("roberta", "a learned table", {"hidden_size": 768}),
            ("deberta", "products with embeddings of distances", {"hidden_size": 768}),
            ("bloom", "ALiBi", {"hidden_size": 1024, "n_head": 16}),
            ("mpt", "ALiBi", {"d_model": 4096, "n_heads": 32, "attn_config": {"alibi": True}}),
            ("t5", "learned biases of distances", {"d_model": 512, "num_heads": 8}),
            ("whisper", "the sinusoidal encoding for sounds", {"d_model": 384}),
            ("jamba", "no encoding of positions", {"hidden_size": 4096}),
            ("kimi_linear", "no encoding of positions", {"qk_rope_head_dim": 64, **BASE}),
        ]
    },
    "rope_scaling must be a dict, got 'linear'": {"head_dim": 64, "rope_scaling": "linear"},
    "config must have layer_types where rope_theta is a list": {
        "head_dim": 64,
        "rope_theta": [1e4, 1e6],
    },
    r"layer_types must be a list of strings, got \[\[1\]\]": {
        "head_dim": 64,
        "rope_theta": [1e4],
        "layer_types": [[1]],
    },
    r"rope_theta must have a number for each of the 1 layer_types, got \[\]": {
        "head_dim": 64,
        "rope_theta": [],
        "layer_types": ["full_attention"],
    },
    r"rotary_base must have a number for each of the 3 layer_types, got \[10000, 1000000.0\]": {
        "head_dim": 64,
        "rotary_base": [10_000, 1e6],
        "layer_types": ["full_attention", "sliding_attention", "other"],
    },
    r"rope_theta must have one number for all layers of a type, got \[10000.0, 2, 20000.0\]": {
        "head_dim": 64,
        "rope_theta": [1e4, 2, 2e4],
        "layer_types": ["full_attention", "sliding_attention", "full_attention"],
    },
    r"partial_rotary_factors must have a number for each of the 2 layer_types, got \[1\]": {
        "head_dim": 64,
        "rope_theta": [1e4, 1e6],
        "layer_types": ["full_attention", "sliding_attention"],
        "partial_rotary_factors": [1],
    },
    "partial_rotary_factors must have one number for all layers of a type": {
        "head_dim": 64,
        "rope_theta": [1e4, 1e4],
        "layer_types": ["full_attention", "full_attention"],
        "partial_rotary_factors": [1, 0.5],
    },
    "rope_theta must be finite and greater than 0, got -2": {
        "head_dim": 64,
        "rope_theta": [1e4, -2],
        "layer_types": ["full_attention"],
    },
    "partial_rotary_factors must be a list, got 0.5": {
        "head_dim": 64,
        "rope_theta": [1e4],
        "layer_types": ["full_attention"],
        "partial_rotary_factors": 0.5,
    },
    r"partial_rotary_factor must be at most 1, got 1.7e\+308": {
        "head_dim": 64,
        "rope_theta": 1e4,
        "partial_rotary_factor": 1.7e308,
    },
    "rope_ratio must be a real number, got 'long'": {
        "model_type": "chatglm",
        "kv_channels": 128,
        "rope_ratio": "long",
    },
    r"truncate must be True or False, got \[1\]": {
        "head_dim": 64,
        "rope_scaling": {**DEEPSEEK, "truncate": [1]},
    },
    # The key that the config has, whatever the model calls it.
    "rotary_pct must be at most 1, got 2": {"head_dim": 8, "rope_theta": 1e4, "rotary_pct": 2},
    "rotary_pct must be at most 1, got 3": {
        **{"model_type": "gpt_neox", "hidden_size": 64, "num_attention_heads": 8, "rotary_pct": 3},
    },
    "partial_rotary_factor must be 1 for model_type 'llama', whose code .* heads, got 0.5": {
        **{"model_type": "llama", "rope_parameters": {"partial_rotary_factor": 0.5}},
    },
    # With a scaling, that code fails in its first pass.
    "partial_rotary_factor must be 1 for model_type 'llama', whose code .* heads, got 0.25": {
        "model_type": "llama",
        "rope_parameters": {
            **{"rope_type": "linear", "factor": 2, "partial_rotary_factor": 0.25},
        },
    },
    "kv_channels must be even, got 7": {"kv_channels": 7, "rope_theta": 1e4},
    r"head_dim \* rotary_pct must be even, got 8 \* 0.4 = 3": {
        **{"head_dim": 8, "rope_theta": 1e4, "rotary_pct": 0.4},
    },
    "rotary_emb_base must be a real number, got '10000'": {
        **{"head_dim": 8, "rotary_emb_base": "10000", "rope_theta": None, "rope_scaling": {}},
    },
    "rope_local_base_freq must be finite and greater than 0, got 0": {
        **{"head_dim": 8, "rope_theta": 1e4, "rope_local_base_freq": 0},
    },
    "kv_channels must be an integer, got 8.0": {"kv_channels": 8.0, "rope_theta": 1e4},
    "n_embd must be at least 1, got 0": {"n_embd": 0, "n_head": 2, "rope_theta": 1e4},
    "qk_rope_head_dim must be even, got 7": {"qk_rope_head_dim": 7, "rope_theta": 1e4},
    "qk_rope_head_dim must be an integer, got '64'": {"qk_rope_head_dim": "64"},
    "n_positions must be finite and greater than 0, got -1": {
        **{"head_dim": 8, "n_positions": -1, "rope_scaling": {"type": "dynamic", "factor": 2}},
    },
    "seq_length must be a real number, got 'long'": {
        **{"model_type": "qwen", "seq_length": "long", "use_dynamic_ntk": True},
    },
    "alpha must be finite and greater than 0, got -1": {
        **{"head_dim": 8, "rope_scaling": {"type": "dynamic", "alpha": -1}},
    },
    "rotary_emb_interleaved must be True or False, got 1": {
        **{"head_dim": 8, "rope_theta": 1e4, "rotary_emb_interleaved": 1},
    },
    "rope_parameters must have a set for one type of layers, got {'full_attention': None, ": {
        "head_dim": 8,
        "rope_parameters": {"full_attention": None, "sliding_attention": None},
    },
    r"model_type must be a string, got \[1, 2, 3, 4, 5, 6, ...\]": {"model_type": [*range(1, 9)]},
}


@pytest.mark.parametrize("message", WRONG)
def test_a_config_that_says_too_little_or_too_much_is_refused(message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        from_config(WRONG[message])


def test_a_proportional_scaling_without_options_turns_all_pairs():
    given = {"head_dim": 64, "rope_theta": 1e4, "rope_scaling": {"rope_type": "proportional"}}
    assert from_config(given).scaling == Proportional(1.0, 1.0)


VALUES = st.none() | st.booleans() | st.integers(-4, 2**20) | st.floats() | st.text(max_size=3)
VALUES |= st.lists(st.floats(0.5, 9) | st.text(max_size=1), max_size=4)
TYPES = ["default", "linear", "ntk", "dynamic", "yarn", "llama3", "longrope", "proportional"]
SCALING_KEYS = [
    "alpha",
    "attention_factor",
    "beta_fast",
    "beta_slow",
    "factor",
    "high_freq_factor",
    "long_factor",
    "low_freq_factor",
    "mscale",
    "mscale_all_dim",
    "original_max_position_embeddings",
    "partial_rotary_factor",
    "rope_theta",
    "short_factor",
    "truncate",
]
KEYS = [
    "compress_rope_theta",
    "head_dim",
    "hidden_size",
    "layer_rope_theta",
    "layer_types",
    "max_position_embeddings",
    "model_type",
    "num_attention_heads",
    "partial_rotary_factor",
    "per_layer_config",
    "position_embedding_type",
    "qk_rope_head_dim",
    "rope_interleave",
    "rope_local_base_freq",
    "rope_theta",
    "rotary_dim",
]
SCALINGS = st.fixed_dictionaries({"rope_type": st.sampled_from(TYPES)}).flatmap(
    lambda named: st.dictionaries(st.sampled_from(SCALING_KEYS), VALUES).map(
        lambda others: {**others, **named}
    )
)
NESTED = st.dictionaries(st.sampled_from(("full_attention", "sliding_attention")), SCALINGS)
ANY_CONFIG = st.builds(
    lambda config, scaling: {"head_dim": 8, **config, **scaling},
    st.dictionaries(st.sampled_from(KEYS), VALUES),
    st.dictionaries(
        st.sampled_from(("rope_scaling", "rope_parameters", "text_config")),
        VALUES | SCALINGS | NESTED,
    ),
)


@examples(500)
@given(ANY_CONFIG)
def test_any_config_gives_an_encoding_or_an_error_that_states_a_rule(config):
    refused = None
    found: object = {}
    try:
        found = from_config(config)
    except (TypeError, ValueError) as error:
        refused = error
    assert refused is None or " must " in str(refused), refused
    for rotary in found.values() if isinstance(found, Mapping) else [found]:
        assert np.isfinite(rotary.frequencies()).all()


WIDE = [
    {"head_dim": 10**400},
    {"head_dim": 2**40},
    {"hidden_size": 10**30, "num_attention_heads": 1},
]


@pytest.mark.parametrize("config", WIDE)
@pytest.mark.parametrize("part", [{}, {"partial_rotary_factor": 0.5}])
def test_a_config_cannot_ask_for_more_pairs_than_a_machine_computes(config, part):
    with pytest.raises(
        ValueError,
        match=r"(head_dim|hidden_size) must be at most (1048576|9007199254740992), got 10",
    ):
        from_config({"rope_theta": 1e4, **config, **part})


def test_a_config_may_have_as_many_configs_inside_each_other_as_the_error_says():
    config = {"head_dim": 64, "rope_theta": 5e5}
    for _ in range(100):
        config = {"text_config": config}
    assert from_config(config).base == 500_000
    with pytest.raises(ValueError, match="at most 100 configs inside each other"):
        from_config({"text_config": config})


def test_a_config_that_holds_itself_is_refused():
    config = {"head_dim": 64, "rope_theta": 1e4}
    config["text_config"] = config
    with pytest.raises(ValueError, match="at most 100 configs inside each other"):
        from_config(config)


def test_one_type_of_layers_may_be_chosen():
    both = Rotary.from_config(GEMMA3)
    for kind, rotary in both.items():
        assert Rotary.from_config(GEMMA3, layer_type=kind) == rotary
    llama = {"model_type": "llama"}
    assert Rotary.from_config(llama, layer_type="any") == Rotary.from_config(llama)
    with pytest.raises(ValueError, match=r"layer_type must be 'full_attention' or 'sliding_a.*'x'"):
        Rotary.from_config(GEMMA3, layer_type="x")
