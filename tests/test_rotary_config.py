"""Rotary.from_config: what a config.json says where transformers gives no answer to compare with.

Published files, small configs and default configs stand in test_rotary_config_outputs.py and
test_corpus.py, with what transformers computes.
"""

from __future__ import annotations

import copy
import json
import re
from functools import partial
from types import SimpleNamespace

import pytest

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
    convert_config,
)

from_config = partial(Rotary.from_config, layout="halves")  # where no type of a model decides

BASE = {"rope_theta": 1e4}
HEAD = {**BASE, "head_dim": 8}
WIDTHS = {"hidden_size": 4096, "num_attention_heads": 32}
LLAMA = {"model_type": "llama", **WIDTHS}
LINEAR = {"rope_type": "linear", "factor": 4}
ENDS = {"low_freq_factor": 2.0, "high_freq_factor": 5.0}
LLAMA3 = {"factor": 3.0, "original_max_position_embeddings": 256, **ENDS}
LISTS = {"long_factor": [1.0 + i for i in range(4)], "short_factor": [1.0 + i for i in range(4)]}
MSCALES = {"short_mscale": 1.2, "long_mscale": 1.3}
LONGROPE = {**LISTS, "factor": 2, "original_max_position_embeddings": 256}
SHORT = {"original_max_position_embeddings": 256}
YARN = {"factor": 3.0, **SHORT, "beta_fast": 16.0, "beta_slow": 2.0, "attention_factor": 1.5}
YARN |= {"mscale": 0.5, "mscale_all_dim": 0.25}
TWO_TYPES = {"layer_types": ["full_attention", "sliding_attention"], "head_dim": 8}
SETS = {"full_attention": None, "sliding_attention": {**LINEAR, "rope_theta": 1e6}}
SETS |= {"chunked_attention": {"rope_type": "default"}}
LAYERS = {"full_attention": {}, "sliding_attention": {"rope_type": "default"}}


def head(**options):
    """A config of a head with 8 features."""
    return {**HEAD, **options}


def of(model, **options):
    """A config of a type of model."""
    return {"model_type": model, **options}


def scaled(kind, **options):
    """A config with 512 positions and a scaling."""
    return head(max_position_embeddings=512, rope_scaling={"rope_type": kind, **options})


NOMIC = of("nomic_bert", n_embd=768, n_head=12, rotary_emb_base=1000)
PHI3_SMALL = of("phi3small", **WIDTHS, rope_embedding_base=1000000)
CONFIGS: list[tuple[dict, Rotary | dict[str, Rotary]]] = [
    # Two sets: one replaces the other, unless it is empty.
    (head(rope_parameters={"rope_theta": 1e6}, rope_scaling=LINEAR), Rotary(8, scaling=Linear(4))),
    ({"head_dim": 8, "rope_parameters": LINEAR, "rope_scaling": {}}, Rotary(8, scaling=Linear(4))),
    # Old names, and names of single models.
    (scaled("su", **LISTS, **SHORT), Rotary(8, scaling=LongRoPE(**LONGROPE))),
    (scaled("yarn", **LISTS, **SHORT), Rotary(8, scaling=LongRoPE(**LONGROPE))),
    (
        {**scaled("longrope", **LISTS, **SHORT, **MSCALES), "model_type": "phimoe"},
        Rotary(8, scaling=LongRoPE(**LONGROPE, **MSCALES)),
    ),
    (scaled("proportional", partial_rotary_factor=0.5), Rotary(8, scaling=Proportional(0.5))),
    (scaled("proportional"), Rotary(8, scaling=Proportional(1.0))),
    (
        of(
            "qwen", **WIDTHS, kv_channels=128, seq_length=8192, use_dynamic_ntk=True, rotary_pct=1.0
        ),
        Rotary(128, scaling=SteppedNTK(8192)),
    ),
    ({**PHI3_SMALL, "rope_position_scale": 1.0}, Rotary(128, base=1e6)),
    ({**PHI3_SMALL, "rope_position_scale": 0.5}, Rotary(128, base=1e6, scaling=Linear(2))),
    (
        of("chatglm", kv_channels=128, num_attention_heads=32, rope_ratio=500),
        Rotary(128, base=5e6, rotary_dim=64, layout="interleaved"),
    ),
    (of("stablelm_epoch", **BASE, **WIDTHS, rope_pct=0.25), Rotary(128, rotary_dim=32)),
    (of("esm", **WIDTHS, position_embedding_type="rotary"), Rotary(128)),
    (of("dbrx", d_model=64, n_heads=8, attn_config={"rope_theta": 5e5}), Rotary(8, base=5e5)),
    (of("blt", decoder_config=of("blt_local_decoder", **HEAD)), Rotary(8, layout="interleaved")),
    (of("granite_swa", **HEAD, layer_rope_theta=[0, 10000, 10000.0, 0.0]), Rotary(8)),
    (NOMIC, Rotary(64, base=1000)),
    (
        {**NOMIC, "max_position_embeddings": 8192, "rotary_scaling_factor": 2},
        Rotary(64, base=1000, scaling=DynamicNTK(2, 2048)),  # the default of Nomic's code
    ),
    (
        {**NOMIC, "rotary_scaling_factor": 2, "max_trained_positions": 512},
        Rotary(64, base=1000, scaling=DynamicNTK(2, 512)),
    ),
    *(
        (of(model, **HEAD), Rotary(8, layout="interleaved"))
        for model in ("blt_patcher", "pe_audio_encoder", "pe_audio_video_encoder")
    ),
    # Numbers for each layer; there may be more than types, for layers that predict further tokens.
    (
        {**TWO_TYPES, "rope_theta": [1e6, 10_000, 1e6], "rope_scaling": LINEAR}
        | {"partial_rotary_factors": [0.5, 1.0, 0.5]},
        {
            "full_attention": Rotary(8, base=1e6, rotary_dim=4, scaling=Linear(4)),
            "sliding_attention": Rotary(8),
        },
    ),
    (
        {"head_dim": 8, "rope_theta": [1e6, 1e4], "layer_types": ["far", "near"]},
        {"far": Rotary(8, base=1e6), "near": Rotary(8)},
    ),
    # Sets for types of layers, of which some have none.
    (
        {"layer_types": [*SETS], "head_dim": 8, "rope_parameters": SETS}
        | {"per_layer_config": {"2": {"head_dim": 16}}},
        {
            "sliding_attention": Rotary(8, base=1e6, scaling=Linear(4)),
            "chunked_attention": Rotary(16),
        },
    ),
    (
        head(rope_local_base_freq=2e4, rope_parameters=LAYERS),
        {"full_attention": Rotary(8), "sliding_attention": Rotary(8, base=2e4)},
    ),
    (head(rope_parameters={"partial_rotary_factor": 0.5}), Rotary(8, rotary_dim=4)),
    # What a scaling leaves out comes from the lengths; a single mscale is ignored.
    (scaled("yarn", **SHORT), Rotary(8, scaling=YaRN(2, **SHORT))),
    (
        scaled("yarn", factor=4.0, beta_fast=None),
        Rotary(8, scaling=YaRN(4, original_max_position_embeddings=512)),
    ),
    (scaled("yarn", **SHORT, mscale=0.7), Rotary(8, scaling=YaRN(2, **SHORT))),
    (scaled("yarn", **SHORT, mscale_all_dim=0.7, mscale=0.0), Rotary(8, scaling=YaRN(2, **SHORT))),
    # Every option of a scaling is the one that the config has.
    (scaled("ntk", factor=3.0), Rotary(8, scaling=NTK(3))),
    (scaled("dynamic", factor=3.0), Rotary(8, scaling=DynamicNTK(3, 512))),
    (scaled("dynamic", alpha=1000.0, factor=1.0), Rotary(8, scaling=NTK(1000))),
    *(
        ({**scaled("dynamic", alpha=1000.0, factor=2.0), "model_type": model}, Rotary(8, scaling=s))
        for model, s in (("hunyuan_v1_moe", NTK(1000)), ("llama", DynamicNTK(2, 512)))
    ),
    *(
        (of("llama", **HEAD, max_position_embeddings=512, **{name: 4}), Rotary(8))
        for name in ("rope_position_scale", "rope_ratio", "use_dynamic_ntk")
    ),
    (of("llama", **HEAD, rotary_scaling_factor=2, max_trained_positions=512), Rotary(8)),
    (scaled("llama3", **LLAMA3), Rotary(8, scaling=Llama3(**LLAMA3))),
    (scaled("yarn", **YARN), Rotary(8, scaling=YaRN(**YARN))),
    # Heads as narrow and as wide as there are.
    ({**BASE, "head_dim": 2}, Rotary(2)),
    ({**BASE, "qk_rope_head_dim": 2}, Rotary(2)),
    ({**BASE, "head_dim": 2**20, "rotary_dim": 2}, Rotary(2**20, rotary_dim=2)),
    # An outer width counts unless the inner config says how wide a head is.
    (head(text_config={"hidden_size": 64}), Rotary(8)),
    (head(text_config={"num_attention_heads": 2}), Rotary(8)),
    (head(text_config={"hidden_size": 64, "num_attention_heads": 2}), Rotary(32)),
    # The name that transformers uses counts where a config has two.
    (head(rotary_emb_base=3e4, rope_base=4e4), Rotary(8)),
    ({"head_dim": 8, "rotary_emb_base": 3e4, "rope_base": 4e4}, Rotary(8, base=3e4)),
]


@pytest.mark.parametrize(("config", "expected"), CONFIGS)
def test_a_config_says_how_its_model_rotates(config, expected):
    before = copy.deepcopy(config)
    assert from_config(config) == expected
    assert config == before


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
    assert Plan.from_file(path) == Plan.from_dict(LLAMA)


MANY = {**TWO_TYPES, "rope_theta": [1e4, 1e6]}
WIDTH = {**BASE, "num_attention_heads": 1}  # and a width under one of its names
VALUES = [  # of single keys, in the config of a head if no other one stands beside them
    (HEAD, {"rotary_pct": [2, 0.4], "partial_rotary_factor": [1.7e308], "rope_theta": [-1, "5e5"]}),
    (
        HEAD,
        {"qk_rope_head_dim": [1, 7, "64"], "rope_local_base_freq": [0], "rope_scaling": ["ntk"]},
    ),
    (HEAD, {"rotary_emb_interleaved": [1], "rope_interleave": ["false"], "layer_types": [[[1]]]}),
    (HEAD, {"layer_rope_theta": [1e4, [0, 5000], ["0"], [False]]}),
    (WIDTH, {"n_embd": [0], "head_dim": [1, 2**20 + 2], "kv_channels": [2**40, 7, 8.0]}),
    (TWO_TYPES, {"rope_theta": [[10000]], "rotary_base": [[10_000]]}),
    (MANY, {"partial_rotary_factors": [0.5, [1]], "rope_theta": [[1e4, -2]]}),
    (NOMIC, {"rotary_scaling_factor": [-2]}),
    (of("chatglm", kv_channels=128), {"rope_ratio": ["long"]}),
    (of("qwen", use_dynamic_ntk=True), {"seq_length": ["long"]}),
    (head(rope_scaling={"type": "dynamic", "factor": 2}), {"n_positions": [-1]}),
    ({"head_dim": 8, "rope_theta": None, "rope_scaling": {}}, {"rotary_emb_base": ["1e4"]}),
]
WRONG: list[object] = [  # test_config_answers.py has the errors from both languages
    *({**beside, key: one} for beside, keys in VALUES for key in keys for one in keys[key]),
    *(BASE, WIDTH, {**BASE, "hidden_size": 1, "num_attention_heads": 2}),
    of("gpt_neox", **WIDTHS, rotary_pct=3),
    of("llama", rope_parameters={**LINEAR, "partial_rotary_factor": 0.5}),
    {"head_dim": 8, "local_rope_theta": 1e4, "rope_parameters": {"rope_theta": -3}},
    {**HEAD, "rope_parameters": {"full_attention": {}}, "rope_scaling": {"factor": 2}},
    of("olmo3", **HEAD, rope_parameters={"rope_theta": 1e4}, rope_scaling={"factor": 2}),
    *(scaled("fancy"), scaled("linear"), scaled("dynamic", alpha=-1)),
    {**scaled("dynamic", factor=2), "max_position_embeddings": None},
    scaled("yarn", **SHORT, truncate=[1]),
    scaled("longrope", short_factor=[1] * 4, long_factor=[1] * 3),
    scaled("longrope", **LISTS, original_max_position_embeddings=0.5),
    scaled("yarn", factor=4, mscale=-100, mscale_all_dim=0.5),
    {"head_dim": 8, "rope_parameters": {"full_attention": None, "other": None}},
    {"head_dim": 8, "rope_theta": [1e4]},
    {"head_dim": 64, "rope_theta": [1e4, 2, 2e4], "layer_types": ["far", "near", "far"]},
    *(of([*range(1, 9)]), {"head_dim": 64, "position_encoding_2d": True}),
]
BARE = "have rope_theta, rope_scaling or rope_parameters, or a model_type known to rotate"
ROTARY = "be of a model with a rotary encoding"
LEARNED = "which has a learned table of positions"
NO_ROTARY: dict[str, object] = {  # what `Plan` may answer, and the page too
    "be a dict, JSON text, a path, or an object with to_dict, got 7": 7,
    f"{BARE}, got model_type 'my_model'": of("my_model", **WIDTHS),
    f"{ROTARY}, got alibi": of("falcon", **WIDTHS, alibi=True),
    f"{ROTARY}, got 'absolute'": of("my_bert", **WIDTHS, position_embedding_type="absolute"),
    f"{ROTARY}, got 'nope'": of("granitemoehybrid", **HEAD, position_embedding_type="nope"),
    f"{ROTARY}, got 'gpt2', {LEARNED}": of("gpt2", **WIDTHS),
    f"{ROTARY}, got 'bert', {LEARNED}": of("bert", position_embedding_type="absolute"),
    f"{ROTARY}, got 'mpt', which has ALiBi": of("mpt", **WIDTHS, attn_config={"alibi": True}),
    **{
        f"{ROTARY}, got '{kind}', which has no encoding of positions": of(kind, **BASE, **config)
        for kind, config in (("nemotron_h", WIDTHS), ("kimi_linear", {"qk_rope_head_dim": 64}))
    },
    "be of a model that turns queries and keys by p, got 'nanochat', which turns by -p": of(
        "nanochat", **HEAD
    ),
    **{
        "be of a model with one coordinate (posenc.rotary.axes has encodings of several), "
        f"got '{kind}'": of(kind, **HEAD)
        for kind in ("dinov3_vit", "llama4_vision_model", "sapiens2")
    },
}


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


@pytest.mark.parametrize("name", ["hidden_size", "head_dim"])
def test_a_config_cannot_ask_for_more_pairs_than_a_machine_computes(name):
    with pytest.raises(ValueError, match=f"^{name} must be at most 9007199254740992, got 10000"):
        from_config({**WIDTH, name: 10**30})


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
