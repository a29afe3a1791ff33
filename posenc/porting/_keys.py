"""What the name of an array in a state dict says: which part of attention it is, and where."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

Role = Literal["queries", "keys", "fused", "latent", "norm of queries", "norm of keys"]

_ROLES: dict[Role, str] = {
    "queries": "q_proj query wq to_q q_lin attn_q linear_q q_b_proj wq_b attn_q_b",
    "keys": "k_proj key wk to_k k_lin attn_k linear_k",
    "fused": "qkv_proj query_key_value Wqkv wqkv c_attn W_pack linear_qkv attn_qkv",
    "latent": "kv_a_proj_with_mqa wkv_a attn_kv_a_mqa",
    "norm of queries": "q_norm q_layernorm query_layernorm norm_q attn_q_norm q_ln",
    "norm of keys": "k_norm k_layernorm key_layernorm norm_k attn_k_norm k_ln",
}
_ROLE_OF = {name: role for role, names in _ROLES.items() for name in names.split()}
# Modules of attention that hold no features of queries and keys as they turn.
_OUTSIDE = """
    v_proj value wv to_v v_lin attn_v linear_v v_norm o_proj out_proj dense dense_bias wo Wo out_lin
    c_proj attn_output linear_proj output sinks attn_sinks rotary_emb g_proj gate_proj attn_gate
    q_a_proj wq_a attn_q_a q_a_layernorm attn_q_a_norm kv_a_layernorm attn_kv_a_norm
    kv_b_proj wkv_b attn_kv_b
"""
_STAYING = frozenset(_OUTSIDE.split())
_ATTENTION = {"self_attn", "attn", "attention", "self_attention", "self", "temporal_block"}
_WORDS = "attn|attention|query|qkv|(?<![a-z])(?:w?q|w?k|w?kv|w?qk|keys?|queries)(?![a-z])"
_OTHER_PARTS = "vis|image|audio|speech|video|cross"  # they turn by other rules, or not at all
_WEIGHT = r"(base_layer\.)?(weight|bias)|lora_B\.(\w+\.)?weight"
_NORM = r"(norms\.\d+\.)?(weight|bias)"  # StableLM has a norm for each head


class Place(NamedTuple):
    """Where an array belongs: the `stack` of layers, the number of the layer, and its role.

    `role` is None for a module of attention whose arrays stay, and `"unknown"` for one that no
    table knows.
    """

    stack: str
    layer: int | None
    role: Role | Literal["unknown"] | None = "unknown"
    module: str = ""


def place(key: str) -> Place | None:
    """The place of an array by its name; None if it is no part of attention."""
    if not re.search(_WORDS, key.lower()):
        return None
    parts = key.split(".")
    first = next((i for i, part in enumerate(parts) if part.isdecimal()), None)
    layer = None if first is None else int(parts[first])
    stack = ".".join(parts[: first or 0])
    if _STAYING & set(parts) or any(_is_outer_norm(part) for part in parts):
        return Place(stack, layer, None)
    i = next((i for i, part in enumerate(parts) if part in _ROLE_OF), None)
    if i is None or not _is_attention(parts[:i]) or re.search(_OTHER_PARTS, key.lower()):
        return Place(stack, layer)
    rest = ".".join(parts[i + 1 :])
    if re.match(r"lora_A\.|layer_norm_|_extra_state", rest):  # as wide as the input
        return Place(stack, layer, None)
    role = _ROLE_OF[parts[i]]
    fits = re.fullmatch(_NORM if role.startswith("norm") else _WEIGHT, rest)
    return Place(stack, layer, role if fits else "unknown", parts[i])


def _is_outer_norm(part: str) -> bool:
    """Whether it is a norm or a sum before or after attention, not a norm of queries or keys."""
    inner = {"q", "k", "qk", "query", "key", "kv"} & set(part.lower().split("_"))
    return not inner and bool(re.search("(?:norm|ln|residual)(?![a-z])", part.lower()))


def _is_attention(path: list[str]) -> bool:
    """Whether `path` leads to a module of attention itself, and not to a part of it."""
    return not path or path[-1].isdecimal() or path[-1] in _ATTENTION
