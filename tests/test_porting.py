"""`port_weights`: scores stay as they were, whatever stands in a state dict, or it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc import Rotary
from posenc.rotary import port_weights
from tests.examples import examples

LLAMA = json.loads((Path(__file__).parent / "data" / "porting" / "llama.json").read_text("utf-8"))
LAYOUTS = "interleaved", "halves"
LAYER = "model.layers.0.self_attn."
CONFIG = {"rope_theta": 100.0, "head_dim": 8, "num_attention_heads": 4, "num_key_value_heads": 2}
TWO_LAYERS = {**CONFIG, "num_hidden_layers": 2}
LATENT = {**CONFIG, "qk_rope_head_dim": 4}


def port(state, config=CONFIG, source="interleaved", target="halves", **options):
    return port_weights(state, config, source=source, target=target, **options)


MODELS = st.fixed_dictionaries(
    {
        "form": st.sampled_from(["separate", "gated", "blocks", "groups", "latent"]),
        "norm": st.sampled_from(["none", "head", "all"]),
        "fused": st.sampled_from(["qkv_proj", "query_key_value", "Wqkv"]),
        "bias": st.booleans(),
        "key_heads": st.integers(1, 3),
        "queries": st.integers(1, 2),  # for each head of keys
        "turned": st.sampled_from([2, 4, 6, 8]),
        "passing": st.integers(0, 3),
    }
)


def model_of(drawn):
    """The sizes of a small attention, and where its queries and keys stand."""
    latent = {"norm": "none", "key_heads": 1} if drawn["form"] == "latent" else {}
    drawn = {**drawn, **latent}
    heads, features = drawn["key_heads"] * drawn["queries"], drawn["turned"] + drawn["passing"]
    return {**drawn, "heads": heads, "features": features}


def config(model):
    own = {"rope_theta": 100.0, "num_attention_heads": model["heads"]}
    if model["form"] == "latent":
        widths = {"qk_rope_head_dim": model["turned"], "qk_nope_head_dim": model["passing"]}
        return {**own, **widths, "kv_lora_rank": 5, "q_lora_rank": 7}
    kind = {"model_type": "qwen3_next"} if model["form"] == "gated" else {}
    heads = {"head_dim": model["features"], "num_key_value_heads": model["key_heads"]}
    part = model["turned"] / model["features"]
    return {**own, **kind, **heads, "partial_rotary_factor": part + 1e-9 * (part < 1)}


def parts(model):
    """The arrays as transformers names them: each a list of rows in a row, and how many turn."""
    q, k, turned, m = (model[name] for name in ("heads", "key_heads", "turned", "features"))
    head, still = (m, turned), (m, 0)
    projections = {
        "separate": {"q_proj": [head] * q, "k_proj": [head] * k, "v_proj": [still] * k},
        "gated": {"q_proj": [head, still] * q, "k_proj": [head] * k},
        "blocks": {model["fused"]: [head] * (q + k) + [still] * k},
        "groups": {model["fused"]: ([head] * (q // k + 1) + [still]) * k},
        "latent": {
            "q_b_proj": [(m - turned, 0), (turned, turned)] * q,
            "kv_a_proj_with_mqa": [(5, 0), (turned, turned)],
        },
    }[model["form"]]
    norms = {"head": [[head]] * 2, "all": [[head] * q, [head] * k]}.get(model["norm"], [])
    ends = ["weight", "bias"] if model["bias"] else ["weight"]
    named = {f"{name}.{end}": held for name, held in projections.items() for end in ends}
    return {**named, **dict(zip(("q_norm.weight", "k_norm.weight"), norms, strict=False))}


@given(MODELS.map(model_of), st.sampled_from([LAYOUTS, LAYOUTS[::-1]]))
@examples(400)
def test_the_rows_that_turn_take_the_target_layout_and_all_others_stay(model, layouts):
    source, target = layouts
    state, wanted = {"model.embed_tokens.weight": np.ones((9, 2))}, {}
    for name, held in parts(model).items():
        order, start = [], 0
        for width, turning in held:
            numbers = start + np.arange(turning)
            numbers = numbers.reshape((-1, 2) if source == "interleaved" else (2, -1)).T.ravel()
            order += [*numbers, *range(start + turning, start + width)]
            start += width
        shape = (start,) if name.endswith(("norm.weight", "bias")) else (start, 2)
        state[LAYER + name] = np.random.default_rng(start).random(shape)
        wanted[LAYER + name] = state[LAYER + name][order]
    fused = model["form"] if model["form"] in ("blocks", "groups") else None
    ported = port(state, config(model), source, target, fused=fused)
    assert all(np.array_equal(ported.state_dict[name], wanted[name]) for name in wanted)
    back = port(ported.state_dict, config(model), target, source, fused=fused).state_dict
    assert all(np.array_equal(back[name], state[name]) for name in state)
    assert {*ported.moved, *ported.kept} == state.keys()
    assert "model.embed_tokens.weight" in ported.kept


def test_the_scores_in_the_target_layout_are_those_in_the_source_layout():
    words = np.random.default_rng(0).standard_normal((5, 12))
    state = {f"{x}_proj.weight": words[0] * np.ones((8, 1)) + np.eye(8, 12) for x in "qk"}
    ported = port(state, {**CONFIG, "num_attention_heads": 1, "num_key_value_heads": 1}).state_dict

    def scores(held, layout):
        turn = Rotary(8, base=100, layout=layout).rotate
        q, k = (turn(words @ held[f"{x}_proj.weight"].T, range(5)) for x in "qk")
        return q @ k.T

    np.testing.assert_allclose(scores(ported, "halves"), scores(state, "interleaved"), rtol=1e-12)
    gains = np.arange(32.0).reshape(4, 8)  # of four heads
    moved = port({"q_norm.weight": gains}).state_dict["q_norm.weight"]
    assert moved.tolist() == gains[:, [0, 2, 4, 6, 1, 3, 5, 7]].tolist()


def test_the_rows_of_a_llama_move_as_its_own_converter_moves_them():
    state = {f"layers.0.attention.{w}.weight": np.arange(n) for w, n in (("wq", 32), ("wk", 16))}
    moved = port(state, LLAMA["params"]).state_dict
    assert moved["layers.0.attention.wq.weight"].tolist() == LLAMA["queries"]
    assert moved["layers.0.attention.wk.weight"].tolist() == LLAMA["keys"]


def rows(*names, count=32):
    """A state dict of numbered rows."""
    return {name: np.arange(float(count)) for name in names}


UNKNOWN = [
    *("model.layers.0.self_attn.indexer.wk.weight", "h.0.attn.query.kernel"),
    *(f"{LAYER}{part}" for part in ("q_proj.qweight", "qk_norm.weight", "kv_proj.weight")),
    *("model.layers.0.cross_attn.q_proj.weight", "visual.blocks.0.attn.qkv.weight"),
]


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_part_of_attention_that_is_not_known_is_refused_unless_it_is_kept(name):
    known = f"{LAYER}q_proj.weight"
    state = rows(known, name)
    with pytest.raises(ValueError, match=f"posenc knows, got {re.escape(name)}: name in keep"):
        port(state)
    assert set(port(state, keep=[name.replace("0", "*")]).moved) == {known}


QUERIES = rows("q_proj.weight")
TWO_STACKS = rows("a.0.q_proj.weight", "b.0.q_proj.weight")
REFUSED = [  # the message, the state dict, and the options
    ("4 heads of queries of 8 features", rows("q_proj.weight", count=64), {}),  # no gate here
    ("2 heads of keys of 8 features, got k_proj.weight of shape", rows("k_proj.weight"), {}),
    ("norm of 4 heads of 8 features", rows("q_norm.weight", count=4), {}),
    ("without latent vectors", rows("q_b_proj.weight"), {}),
    ("fused must say how .* got None for qkv_proj", rows("qkv_proj.weight", count=64), {}),
    ("2 heads of keys of 8", rows("qkv_proj.weight", count=65), {"fused": "blocks"}),
    ("must hold queries or keys that turn, got .'mlp.up", rows("mlp.up_proj.weight"), {}),
    ("must have an array .* for q_proj.weight", {"q_proj.weight": [1, 2]}, {}),
    ("one stack of layers, .* got a and b", TWO_STACKS, {}),
    ("say how layer 5 turns", rows("layers.5.q_proj.weight"), {"config": TWO_LAYERS}),
    ("target must be another layout than source", QUERIES, {"source": "halves"}),
    ("fused must be 'blocks' or 'groups'", QUERIES, {"fused": "heads"}),
    ("keep must hold strings, got 1", QUERIES, {"keep": [1]}),
    ("keep must be a list of patterns, got 'v'", QUERIES, {"keep": "v"}),
    ("state_dict must map names to arrays", {**QUERIES, 1: np.ones(1)}, {}),
    ("attention_heads", QUERIES, {"config": {"rope_theta": 1e4, "head_dim": 8}}),
    ("turns queries and keys", QUERIES, {"config": {"model_type": "gpt2"}}),
    ("turn the other", QUERIES, {"config": {**CONFIG, "model_type": "nanochat"}}),
    ("latent attention that posenc knows", rows("q_norm.weight", count=8), {"config": LATENT}),
]


@pytest.mark.parametrize(("message", "state", "options"), REFUSED)
def test_what_cannot_be_placed_is_refused_with_its_name(message, state, options):
    with pytest.raises((TypeError, ValueError), match=message):
        port(state, **options)


def test_what_holds_no_features_of_heads_stays_the_same_array():
    names = ["v_proj.weight", "o_proj.weight", "q_proj.lora_A.default.weight", "sinks"]
    names += ["rotary_emb.inv_freq", "linear_qkv.layer_norm_weight"]
    moved = f"{LAYER}q_proj.lora_B.default.weight"
    state = rows(*(f"{LAYER}{name}" for name in names), "lm_head.weight", moved)
    state[f"{LAYER}k_proj.k_scale"] = np.ones(1)
    ported = port(state)
    assert list(ported.moved) == [moved]
    assert all(ported.state_dict[name] is state[name] for name in ported.kept)
    assert len(ported.kept) == len(state) - 1


def test_each_layer_has_its_own_heads():
    types = ["sliding_attention", "full_attention"]
    gemma = {**CONFIG, "model_type": "gemma4_text", "layer_types": types, "global_head_dim": 16}
    state = {f"layers.{i}.attn.q_proj.weight": np.arange(n) for i, n in enumerate((32, 64))}
    moved = port(state, gemma).state_dict
    assert [(x[1], x[4]) for x in moved.values()] == [(2, 1), (2, 8)]


TEXT = {**CONFIG, "rope_scaling": {"type": "mrope", "mrope_section": [2, 1, 1]}}
IMAGES = {"text_config": TEXT, "vision_config": {"depth": 2, "hidden_size": 32, "num_heads": 4}}


@pytest.mark.parametrize(
    ("config", "stays", "turns"),
    [
        ({**TWO_LAYERS, "model_type": "smollm3", "no_rope_layers": [0, 1]}, "layers.0", "layers.1"),
        ({**TWO_LAYERS, "num_nextn_predict_layers": 1}, "visual.0", "layers.2"),  # further tokens
        ({"model_type": "qwen2_5_vl", **IMAGES}, "visual.0", "language_model.layers.0"),
    ],
)
def test_layers_that_do_not_turn_and_what_is_kept_stay(config, stays, turns):
    stays, turns = (f"{layer}.attn.q_proj.weight" for layer in (stays, turns))
    assert list(port(rows(stays, turns), config, keep=["visual.*"]).moved) == [turns]


def test_a_layer_behind_those_that_predict_further_tokens_is_unknown():
    config = {**TWO_LAYERS, "num_nextn_predict_layers": 1}
    with pytest.raises(ValueError, match="config must say how layer 3 turns"):
        port(rows("layers.3.attn.q_proj.weight"), config)


def test_the_report_counts_the_layers():
    names = [f"layers.{i}.attn.{name}.weight" for i in range(2) for name in ("q_proj", "v_proj")]
    assert str(port(rows(*names), TWO_LAYERS)).splitlines() == [
        "interleaved to halves: 2 of 4 arrays",
        "  layers.*.attn.q_proj.weight: queries, 4 heads of 8 features (2 times)",
        "left as they are",
        "  layers.*.attn.v_proj.weight (2 times)",
    ]


@pytest.mark.torch
def test_a_tensor_stays_a_tensor_of_its_type():
    torch = pytest.importorskip("torch")
    weight = torch.arange(32.0).bfloat16().reshape(32, 1).requires_grad_()
    norm = torch.arange(32.0).reshape(4, 8)
    new = port({"q_proj.weight": weight, "q_norm.weight": norm}).state_dict
    assert new["q_proj.weight"].dtype == torch.bfloat16
    assert new["q_proj.weight"].requires_grad
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    assert new["q_proj.weight"][:8, 0].tolist() == order
    assert new["q_norm.weight"].tolist() == norm[:, order].tolist()
