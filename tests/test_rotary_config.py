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
SHORT = {"original_max_position_embeddings": 256}
LLAMA3 = {"factor": 3.0, **SHORT, "low_freq_factor": 2.0, "high_freq_factor": 5.0}
LISTS = {"long_factor": [1.0 + i for i in range(4)], "short_factor": [1.0 + i for i in range(4)]}
MSCALES = {"short_mscale": 1.2, "long_mscale": 1.3}
LONGROPE = {**LISTS, "factor": 2, **SHORT}
YARN = {"factor": 3.0, **SHORT, "beta_fast": 16.0, "beta_slow": 2.0, "attention_factor": 1.5}
YARN |= {"mscale": 0.5, "mscale_all_dim": 0.25}
TWO_TYPES = {"layer_types": ["full_attention", "sliding_attention"], "head_dim": 8}
SETS = {"full_attention": None, "sliding_attention": {**LINEAR, "rope_theta": 1e6}}
SETS |= {"chunked_attention": {"rope_type": "default"}}


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
QWEN = of("qwen", **WIDTHS, kv_channels=128, seq_length=8192, use_dynamic_ntk=True)
PHI3_SMALL = of("phi3small", **WIDTHS, rope_embedding_base=1000000, rope_position_scale=0.5)
CONFIGS: list[tuple[dict, Rotary | dict[str, Rotary]]] = [
    # Of two sets one replaces the other.
    (head(rope_parameters={"rope_theta": 1e6}, rope_scaling=LINEAR), Rotary(8, scaling=Linear(4))),
    # Old names, and names of single models.
    (scaled("su", **LISTS, **SHORT), Rotary(8, scaling=LongRoPE(**LONGROPE))),
    (
        {**scaled("longrope", **LISTS, **SHORT, **MSCALES), "model_type": "phimoe"},
        Rotary(8, scaling=LongRoPE(**LONGROPE, **MSCALES)),
    ),
    (QWEN, Rotary(128, scaling=SteppedNTK(8192))),
    (PHI3_SMALL, Rotary(128, base=1e6, scaling=Linear(2))),
    (
        of("chatglm", kv_channels=128, num_attention_heads=32, rope_ratio=500),
        Rotary(128, base=5e6, rotary_dim=64, layout="interleaved"),
    ),
    (
        {**NOMIC, "max_position_embeddings": 8192, "rotary_scaling_factor": 2},
        Rotary(64, base=1000, scaling=DynamicNTK(2, 2048)),  # the default of Nomic's code
    ),
    (
        {**NOMIC, "rotary_scaling_factor": 2, "max_trained_positions": 512},
        Rotary(64, base=1000, scaling=DynamicNTK(2, 512)),
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
    # Sets for types of layers, of which some have none.
    (
        {"layer_types": [*SETS], "head_dim": 8, "rope_parameters": SETS}
        | {"per_layer_config": {"2": {"head_dim": 16}}},
        {
            "sliding_attention": Rotary(8, base=1e6, scaling=Linear(4)),
            "chunked_attention": Rotary(16),
        },
    ),
    # What a scaling leaves out comes from the lengths; a single mscale is ignored.
    (scaled("yarn", **SHORT, mscale=0.7), Rotary(8, scaling=YaRN(2, **SHORT))),
    (
        scaled("yarn", factor=4.0, beta_fast=None),
        Rotary(8, scaling=YaRN(4, original_max_position_embeddings=512)),
    ),
    # Every option of a scaling is the one that the config has.
    (scaled("ntk", factor=3.0), Rotary(8, scaling=NTK(3))),
    (scaled("llama3", **LLAMA3), Rotary(8, scaling=Llama3(**LLAMA3))),
    (scaled("yarn", **YARN), Rotary(8, scaling=YaRN(**YARN))),
    *(
        ({**scaled("dynamic", alpha=1000.0, factor=2.0), "model_type": model}, Rotary(8, scaling=s))
        for model, s in (("hunyuan_v1_moe", NTK(1000)), ("llama", DynamicNTK(2, 512)))
    ),
    # No code of llama reads these.
    (
        of("llama", **HEAD, rope_ratio=4, use_dynamic_ntk=True, rope_position_scale=4)
        | {"rotary_scaling_factor": 2, "max_trained_positions": 512},
        Rotary(8),
    ),
    # Heads as narrow and as wide as there are.
    ({**BASE, "qk_rope_head_dim": 2}, Rotary(2)),
    ({**BASE, "head_dim": 2**20, "rotary_dim": 2}, Rotary(2**20, rotary_dim=2)),
    # An outer width counts unless the inner config says how wide a head is.
    (head(text_config={"hidden_size": 64, "num_attention_heads": 2}), Rotary(32)),
    # The name that transformers uses counts where a config has two.
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
VALUES = [  # of single keys, beside which the config has others
    (HEAD, {"rotary_pct": [2, 0.4], "partial_rotary_factor": [1.7e308], "rope_theta": [-1, "5e5"]}),
    (HEAD, {"qk_rope_head_dim": [7, "64"], "rope_scaling": ["ntk"], "layer_types": [[[1]]]}),
    (HEAD, {"rotary_emb_interleaved": [1], "layer_rope_theta": [1e4, [0, 5000], ["0"], [False]]}),
    (WIDTH, {"n_embd": [0], "head_dim": [1, 2**20 + 2], "kv_channels": [2**40, 7, 8.0]}),
    (TWO_TYPES, {"rope_theta": [[10000]]}),
    (MANY, {"partial_rotary_factors": [0.5, [1]], "rope_theta": [[1e4, -2]]}),
    (NOMIC, {"rotary_scaling_factor": [-2]}),
    (of("chatglm", kv_channels=128), {"rope_ratio": ["long"]}),
    (QWEN, {"seq_length": ["long"]}),
    (head(rope_scaling={"type": "dynamic", "factor": 2}), {"n_positions": [-1]}),
]
WRONG: list[object] = [  # test_config_answers.py has the errors from both languages
    *({**beside, key: one} for beside, keys in VALUES for key in keys for one in keys[key]),
    *(BASE, WIDTH, {**BASE, "hidden_size": 1, "num_attention_heads": 2}),
    of("gpt_neox", **WIDTHS, rotary_pct=3),
    of("llama", rope_parameters={**LINEAR, "partial_rotary_factor": 0.5}),
    {**HEAD, "rope_parameters": {"full_attention": {}}, "rope_scaling": {"factor": 2}},
    *(scaled("fancy"), scaled("linear"), scaled("dynamic", alpha=-1)),
    {**scaled("dynamic", factor=2), "max_position_embeddings": None},
    scaled("yarn", **SHORT, truncate=[1]),
    scaled("longrope", short_factor=[1] * 4, long_factor=[1] * 3),
    scaled("longrope", **LISTS, original_max_position_embeddings=0.5),
    scaled("yarn", factor=4, mscale=-100, mscale_all_dim=0.5),
    {"head_dim": 8, "rope_parameters": {"full_attention": None, "other": None}},
    *(
        {"head_dim": 8, "rope_theta": [1e4, 2, 2e4], **more}
        for more in ({}, {"layer_types": [*"aba"]})
    ),
    of([*range(1, 9)]),
]
BARE = "have rope_theta, rope_scaling or rope_parameters, or a model_type known to rotate"
ROTARY = "be of a model with a rotary encoding"
AXES = "be of a model with one coordinate (posenc.rotary.axes has encodings of several), got "
NO_ROTARY: dict[str, object] = {  # what `Plan` may answer, and the page too
    "be a dict, JSON text, a path, or an object with to_dict, got 7": 7,
    f"{BARE}, got model_type 'my_model'": of("my_model", **WIDTHS),
    f"{ROTARY}, got alibi": of("falcon", **WIDTHS, alibi=True),
    f"{ROTARY}, got 'absolute'": of("my_bert", **WIDTHS, position_embedding_type="absolute"),
    f"{ROTARY}, got 'gpt2', which has a learned table of positions": of("gpt2", **WIDTHS),
    f"{ROTARY}, got 'mpt', which has ALiBi": of("mpt", **WIDTHS, attn_config={"alibi": True}),
    f"{ROTARY}, got 'nemotron_h', which has no encoding of positions": of("nemotron_h", **HEAD),
    "be of a model that turns queries and keys by p, got 'nanochat', which turns by -p": of(
        "nanochat", **HEAD
    ),
    **{f"{AXES}'{kind}'": of(kind, **HEAD) for kind in ("dinov3_vit", "llama4_vision_model")},
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
    for name in ("hidden_size", "head_dim"):
        with pytest.raises(ValueError, match=f"^{name} must be at most 9007199254740992, got 1000"):
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
