"""One name for each option of a config.json, whatever the model calls it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from posenc import _arguments

Config = dict[str, Any]

# The names that a model may use in place of the first, which transformers uses most.
NAMES = {
    "rope_theta": (
        "rotary_emb_base",
        "global_rope_theta",
        "rope_base",
        "rotary_base",
        "rope_freq_constant",
        "rope_embedding_base",
        "rotary_embedding_base",
    ),
    "local_rope_theta": ("rope_local_base_freq", "swa_rope_theta"),
    "partial_rotary_factor": (
        "rotary_pct",
        "rope_pct",
        "rotary_percent",
        "rope_percent",
        "rotary_percentage",
        "rotary_emb_fraction",
    ),
    "head_dim": ("attention_head_dim", "kv_channels", "head_size"),
    "hidden_size": ("n_embd", "d_model"),
    "num_attention_heads": ("n_head", "n_heads", "num_heads", "decoder_num_attention_heads"),
    "max_position_embeddings": ("n_positions", "max_sequence_length", "max_seq_len", "seq_length"),
    "rope_interleave": ("rotary_emb_interleaved",),
}
_DEEPEST = 100  # a dict may hold itself
_OF_ALL = ("model_type", "architectures", "auto_map")  # an outer config says these of its text, too
UNREAD = "unread "  # before the name of a key whose value does not count
# Null under these keys says that the default of the model type does not count.
UNSET = ("head_dim", "partial_rotary_factor", "sliding_window")
# The keys under which a multimodal model keeps the config of its language model.
INNER = (
    "pretrained_config",  # TensorRT-LLM
    "vlm_config",
    "thinker_config",
    "text_config",
    "llm_config",
    "llm_cfg",  # VILA
    "language_config",
    "decoder",
    "decoder_config",
)


def flat(config: Mapping[str, Any], levels: int = 0) -> Config:
    """The config of the language model, completed by the outer config; nulls only under UNSET."""
    from posenc.plans._models import has_no_inner, inside, is_read  # which imports this module

    if levels > _DEEPEST:
        raise ValueError(f"config must have at most {_DEEPEST} configs inside each other")
    merged = {key: value for key, value in config.items() if value is not None or key in UNSET}
    if (only := inside(config)) is not None:
        merged = {key: merged[key] for key in (*_OF_ALL, only) if key in merged}
    if "text_config" in merged and has_no_inner(merged.get("model_type")):
        merged[UNREAD + "text_config"] = merged.pop("text_config")
    for name in ("attn_config", *INNER):  # DBRX and MPT keep their options in attn_config
        inner = merged.pop(name, None)
        if isinstance(inner, Mapping):
            own = flat(inner, levels + 1)
            if own.get("model_type") == "":  # transformers writes it into attn_config
                own.pop("model_type")
            if "hidden_size" in own and "num_attention_heads" in own:
                for width in ("head_dim", *NAMES["head_dim"]):  # Music Flamingo's is for sounds
                    merged.pop(width, None)
            merged |= own
    if str(merged.get("model_type")).startswith(("gpt_neox", "modernbert")):  # under other names
        for name in ("rope_theta", "partial_rotary_factor"):
            value = merged.pop(name, None)
            if value is not None and value not in [merged.get(other) for other in NAMES[name]]:
                merged[UNREAD + name] = value
    for name in [key for key in merged if not is_read(str(merged.get("model_type")), key)]:
        merged[UNREAD + name] = merged.pop(name)
    for name, others in NAMES.items():
        found = [merged[other] for other in (name, *others) if merged.get(other) is not None]
        if found:
            merged[name] = found[0]
    if "rope_ratio" in merged:  # ChatGLM
        ratio = _arguments.positive("rope_ratio", merged["rope_ratio"])
        merged.setdefault("rope_theta", 10_000.0 * ratio)
    if merged.get("rotary_scaling_factor"):  # Nomic
        factor = _arguments.positive("rotary_scaling_factor", merged["rotary_scaling_factor"])
        merged["rope_scaling"] = {"type": "dynamic", "factor": factor}
        merged["max_position_embeddings"] = merged.get("max_trained_positions", 2048)
    if merged.get("model_type") == "deepseek_v4":
        merged |= _of_head(merged)
    return merged


def _of_head(own: Config) -> Config:
    """How much of a head of DeepSeek-V4 turns, and passes; `partial_rotary_factor` comes first."""
    part = own.get("partial_rotary_factor")
    if part is None and own.get("head_dim") is None:
        return {}
    head = _arguments.integer("head_dim", own.get("head_dim") or 512, least=2)
    turned = own.get("qk_rope_head_dim", head // 8)
    if part is not None:
        if _arguments.positive("partial_rotary_factor", part) > 1:
            got = _arguments.shown(part)
            raise ValueError(f"partial_rotary_factor must be at most 1, got {got}")
        turned = int(head * part)
    turned = _arguments.integer("qk_rope_head_dim", turned, least=2, most=head)
    return {"qk_rope_head_dim": turned, "qk_nope_head_dim": head - turned}


def called(config: Config, value: Any, *names: str) -> str:
    """The key that has `value` in a flat config: one of `names`, or what the model calls it."""
    keys = [key for name in names for key in (*NAMES.get(name, ()), name)]
    return next((key for key in keys if config.get(key) is value), names[0])
