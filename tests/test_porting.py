"""`port_weights`: scores stay as they were, whatever stands in a state dict, or it refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from posenc.rotary import port_weights
from tests.examples import examples

LLAMA = json.loads((Path(__file__).parent / "data" / "porting" / "llama.json").read_text("utf-8"))
LAYOUTS = "interleaved", "halves"
WIDTH, LENGTH, LAYER = 12, 5, "model.layers.0.self_attn."
CONFIG = {"rope_theta": 100.0, "head_dim": 8, "num_attention_heads": 4, "num_key_value_heads": 2}
TWO_LAYERS = {**CONFIG, "num_hidden_layers": 2}
LATENT = {**CONFIG, "qk_rope_head_dim": 4}


def port(state, config=CONFIG, source="interleaved", target="halves", **options):
    return port_weights(state, config, source=source, target=target, **options)


MODELS = st.fixed_dictionaries(
    {
        "form": st.sampled_from(["separate", "gated", "blocks", "groups", "latent"]),
        "norm": st.sampled_from(["none", "head", "heads", "all"]),
        "fused": st.sampled_from(["qkv_proj", "query_key_value", "Wqkv"]),
        "bias": st.booleans(),
        "key_heads": st.integers(1, 3),
        "queries": st.integers(1, 2),  # for each head of keys
        "turned": st.sampled_from([2, 4, 6, 8]),
        "passing": st.integers(0, 3),
        "seed": st.integers(0, 99),
    }
)


def model_of(drawn):
    """The sizes of a small attention, and where its queries and keys stand."""
    latent = {"norm": "none", "key_heads": 1} if drawn["form"] == "latent" else {}
    heads, features = drawn["key_heads"] * drawn["queries"], drawn["turned"] + drawn["passing"]
    return {**drawn, **latent, "heads": heads, "features": features}


def config(model):
    own = {"rope_theta": 100.0, "num_attention_heads": model["heads"]}
    if model["form"] == "latent":
        widths = {"qk_rope_head_dim": model["turned"], "qk_nope_head_dim": model["passing"]}
        return {**own, **widths, "kv_lora_rank": 5, "q_lora_rank": 7}
    kind = {"model_type": "qwen3_next"} if model["form"] == "gated" else {}
    heads = {"head_dim": model["features"], "num_key_value_heads": model["key_heads"]}
    part = model["turned"] / model["features"]
    return {**own, **kind, **heads, "partial_rotary_factor": part + 1e-9 * (part < 1)}


def state_dict(model):
    """Random weights under the names that transformers gives them."""
    rng = np.random.default_rng(model["seed"])
    q, k, m = model["heads"], model["key_heads"], model["features"]
    rows = {
        "separate": {"q_proj": q * m, "k_proj": k * m, "v_proj": k * m},
        "gated": {"q_proj": 2 * q * m, "k_proj": k * m},
        "latent": {"q_b_proj": q * m, "kv_a_proj_with_mqa": 5 + model["turned"]},
    }.get(model["form"], {model["fused"]: (q + 2 * k) * m})
    state = {"model.embed_tokens.weight": rng.standard_normal((9, WIDTH))}
    for name, count in rows.items():
        state[f"{LAYER}{name}.weight"] = rng.standard_normal((count, WIDTH))
        if model["bias"]:
            state[f"{LAYER}{name}.bias"] = rng.standard_normal(count)
    for name, heads in (("q_norm", q), ("k_norm", k)) if model["norm"] != "none" else ():
        shape = {"head": (m,), "heads": (heads, m), "all": (heads * m,)}[model["norm"]]
        state[f"{LAYER}{name}.weight"] = rng.standard_normal(shape)
    return state


def heads(model, state):
    """Queries `(heads, LENGTH, features)` and keys, before they turn."""
    words = np.random.default_rng(1).standard_normal((LENGTH, WIDTH))
    form, q, k = model["form"], model["heads"], model["key_heads"]
    m = model["features"]

    def made(name):
        bias = state.get(f"{LAYER}{name}.bias", 0)
        return words @ state[f"{LAYER}{name}.weight"].T + bias

    if form == "latent":
        key = np.zeros((LENGTH, 1, m))
        key[..., m - model["turned"] :] = made("kv_a_proj_with_mqa")[:, None, 5:]
        found = made("q_b_proj").reshape(LENGTH, q, m), key
    elif form == "groups":
        grouped = made(model["fused"]).reshape(LENGTH, k, q // k + 2, m)
        found = grouped[:, :, :-2].reshape(LENGTH, q, m), grouped[:, :, -2]
    elif form == "blocks":
        listed = made(model["fused"]).reshape(LENGTH, q + 2 * k, m)
        found = listed[:, :q], listed[:, q : q + k]
    else:
        queries = made("q_proj").reshape(LENGTH, q, -1)[:, :, :m]
        found = queries, made("k_proj").reshape(LENGTH, k, m)
    for x, name in zip(found, ("q_norm", "k_norm"), strict=True):
        gain = state.get(f"{LAYER}{name}.weight")
        if gain is not None:
            over = (1, 2) if model["norm"] == "all" else 2
            size = np.sqrt((x**2).mean(axis=over, keepdims=True))
            gain = gain.reshape(-1, m) if model["norm"] == "all" else gain
            yield (x / size * gain).swapaxes(0, 1)
        else:
            yield x.swapaxes(0, 1)


def turned(model, x, layout):
    """Heads at positions 0, 1, ..., feature by feature from the formula."""
    width = model["turned"]
    first = model["features"] - width if model["form"] == "latent" else 0
    out = x.copy()
    for i in range(width // 2):
        a, b = (i, i + width // 2) if layout == "halves" else (2 * i, 2 * i + 1)
        angle = np.arange(LENGTH) * 100.0 ** (-2 * i / width)
        one, two = x[..., first + a], x[..., first + b]
        out[..., first + a] = one * np.cos(angle) - two * np.sin(angle)
        out[..., first + b] = one * np.sin(angle) + two * np.cos(angle)
    return out


def scores(model, state, layout):
    queries, keys = (turned(model, x, layout) for x in heads(model, state))
    keys = keys.repeat(model["heads"] // model["key_heads"], axis=0)
    return queries @ keys.swapaxes(1, 2)


@given(MODELS.map(model_of), st.sampled_from([LAYOUTS, LAYOUTS[::-1]]))
@examples(400)
def test_the_scores_in_the_target_layout_are_those_in_the_source_layout(model, layouts):
    source, target = layouts
    state = state_dict(model)
    fused = model["form"] if model["form"] in ("blocks", "groups") else None
    ported = port(state, config(model), source, target, fused=fused)
    wanted = scores(model, state, source)
    np.testing.assert_allclose(scores(model, ported.state_dict, target), wanted, atol=1e-9)
    back = port(ported.state_dict, config(model), target, source, fused=fused).state_dict
    assert all(np.array_equal(back[name], state[name]) for name in state)
    assert {*ported.moved, *ported.kept} == state.keys()
    assert "model.embed_tokens.weight" in ported.kept


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
    ("4 heads of queries of 8 features, got q_proj.weight", rows("q_proj.weight", count=16), {}),
    ("4 heads of queries of 8 features", rows("q_proj.weight", count=64), {}),  # no gate here
    ("2 heads of keys of 8 features, got k_proj.weight of shape", rows("k_proj.weight"), {}),
    ("norm of 4 heads of 8 features", rows("q_norm.weight", count=4), {}),
    ("without latent vectors", rows("q_b_proj.weight"), {}),
    ("without latent vectors", rows("kv_a_proj_with_mqa.weight"), {}),
    ("fused must say how .* got None for qkv_proj", rows("qkv_proj.weight", count=64), {}),
    ("2 heads of keys of 8", rows("qkv_proj.weight", count=65), {"fused": "blocks"}),
    ("must hold queries or keys that turn, got .'mlp.up", rows("mlp.up_proj.weight"), {}),
    ("must have an array .* for q_proj.weight", {"q_proj.weight": [1, 2]}, {}),
    ("one stack of layers, .* got a and b", TWO_STACKS, {}),
    ("say how layer 5 turns", rows("layers.5.q_proj.weight"), {"config": TWO_LAYERS}),
    ("target must be another layout than source", QUERIES, {"source": "halves"}),
    ("target must be 'halves' or 'interleaved'", QUERIES, {"target": "half"}),
    ("fused must be 'blocks' or 'groups'", QUERIES, {"fused": "heads"}),
    ("keep must hold strings, got 1", QUERIES, {"keep": [1]}),
    ("keep must be a list of patterns, got 'v'", QUERIES, {"keep": "v"}),
    ("state_dict must map names to arrays", [], {}),
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
